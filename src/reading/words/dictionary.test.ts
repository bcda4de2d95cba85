import { describe, expect, it } from 'vitest'
import { isOpposite, isSame, lemmaOf, rarity, synonymsOf } from './dictionary.js'

describe('the dictionary', () => {
  it.each([
    ['employees', 'employee'],
    ['planned', 'plan'],
    ['locked', 'lock'],
    ['stolen', 'steal'],
    ['meeting', 'meeting'],
    ['studies', 'study'],
    ['Zorblax', 'zorblax'],
  ])('takes %s for a form of %s', (form, lemma) => {
    expect(lemmaOf(form)).toBe(lemma)
  })

  it('knows what may stand for what, and what is opposed to it', () => {
    expect(isSame('inspect', 'inspection')).toBe(true)
    expect(isSame('begin', 'start')).toBe(true)
    expect(isOpposite('accept', 'refuse')).toBe(true)
    expect(isSame('accept', 'refuse')).toBe(false)
    expect(synonymsOf('begin')).toContain('start')
  })

  it('takes a word no sample document has for the rarest', () => {
    expect(rarity('zorblax')).toBeGreaterThan(rarity('report'))
  })
})
