import { describe, expect, it } from 'vitest'
import { writtenIn } from './forms.js'
import { CORRECTION, NEGATION, ROLES } from './lists.js'
import { tokensOf } from './tokens.js'

const PHRASES =
  `the target is 5; aiming for 5; quotas of 5; objectives for May; aspires to 5; wants 5; wishes to pay; set out to win; hoping that; needs 5; calls for 5
  a benchmark of 5; bargained for 5; Date to be fixed: 5; planned; budgeted; scheduled; intends; the intention; was to be paid; is due on Monday; meant to pay
  likely to pay; reckons with 5; counting on 5; promises; proposal; foreseen; envisaged; forecasts; projected; predicted; the outlook; expected; anticipates
  it will rise; it would rise; estimated; preliminary; provisional; indicative; a flash report; interim; a draft; guesswork; early figures; first returns; at first
  initial reserve; unaudited; limited; max. 5; minimum 5; caps; the ceiling; a threshold; permissible; allowance; restricted; licensed for 5; designed for 20 guests
  catered for 20 guests; by law; legal; the capacity; tolerance; rated; nominal; must not; shall; may not; not exceed; can hold up to 5; Had the pump failed
  would have; if; unless; in the event of; provided that; assuming; a scenario; hypothetically; should the; were it; stressed; asks; requested; demands; seeks; sought
  claimed for; offer of; bids; quotation; suggests; recommended; accused; maintains that; insisted that; contends; claims to; takes it seriously; it was said
  it is rumored; it has been put about; on social media; on the internet; whether; alleged; critics; reportedly; supposedly; purportedly; not accepted; unfounded
  nonsense; wrongly; mistakenly; incorrectly; formerly; last year; a year ago; a year earlier; prior-year; used to`
    .split(/;|\n/)
    .map(phrase => phrase.trim())

describe('cues', () => {
  it.each(PHRASES)('are given by "%s" wherever an expression finds it', phrase => {
    const { cues } = writtenIn(phrase)
    const found = ROLES.filter(([, , form]) => form.test(phrase))
    expect(found).not.toEqual([])
    expect(found.filter(([, cue]) => (cues & cue) === 0)).toEqual([])
  })

  it.each([
    [
      'no; not; never; none; nobody; nothing; neither; without; cannot; nil; zero; failed to; unable to; lacks; absence of; free of; yet to; isn’t',
      NEGATION,
    ],
    [
      'corrected; errata; corrigendum; superseded; replaces; restated; revision; amends; withdrawn; rectified; should read; in lieu of',
      CORRECTION,
    ],
    ['instead of; misprint; misstated; typing error; typo', CORRECTION],
  ])('are given by every one of "%s"', (list, form) => {
    const mask = writtenIn(list.split('; ')[0]!).cues
    for (const phrase of list.split('; ')) {
      form.lastIndex = 0
      expect(form.test(phrase)).toBe(true)
      expect(writtenIn(phrase).cues & mask).not.toBe(0)
    }
  })

  it.each([
    ['It began at a quarter past eight in the evening', 1215],
    ['It began at noon', 720],
    ['It began at 6.40 a.m.', 400],
    ['Two thirds of them left', 200 / 3],
    ['One in five left', 20],
    ['Two hundred left', 200],
    ['A dozen left', 12],
    ['Half a dozen left', 6],
    ['Two and a half dozen left', 30],
    ['Seventeen boats left', 17],
  ])('let the figure of "%s" be read', (text, low) => {
    expect(tokensOf(text, null).numbers.map(number => number.value.low)).toEqual([low])
  })

  it('let names be read', () => {
    expect(tokensOf('It has a rating of BBB+.', null).identifiers.map(each => each.key)).toEqual(['grade bbb+'])
    expect(tokensOf('The choice of design B stands', null).identifiers.map(each => each.key)).toEqual(['design b'])
  })

  it('are seen inside joined words and beside letters of other scripts', () => {
    expect(writtenIn('a pre-planned stop').cues & writtenIn('planned').cues).not.toBe(0)
    expect(writtenIn('l’été–planned').words.map(word => word.form.lower)).toEqual(['l’été', 'planned'])
  })
})
