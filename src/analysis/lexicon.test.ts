import { expect, it } from 'vitest'
import { aliasOver, aliasTable, applyAliases } from './lexicon.js'
import { termsOf } from './slots.js'
import { SYNONYMS } from './synonyms.js'

const shipped = aliasTable()
const read = (phrase: string) => applyAliases(shipped, termsOf(phrase)).join(' ')

it('folds every way to write a thing to one term, the usual name included', () => {
  const apart = SYNONYMS.flatMap(group => {
    const names = group.map(read)
    return names.every(name => name === names[0]) ? [] : [group.map((phrase, i) => `${phrase} → ${names[i]}`).join(', ')]
  })
  expect(apart).toEqual([])
})

it('keeps groups apart', () => {
  const owners = new Map<string, string>()
  for (const group of SYNONYMS) {
    const name = read(group[0]!)
    expect([group[0], owners.get(name)]).toEqual([group[0], undefined])
    owners.set(name, group[0]!)
  }
})

it('knows a phrase although function words stand in it', () => {
  expect(read('cost of goods sold')).toBe(read('cost of sales'))
  expect(read('place of arbitration')).toBe(read('arbitral seat'))
})

it('tells what became of one word', () => {
  const terms = termsOf('median waiting time')
  expect(aliasOver(shipped, terms, 1)).toBe(read('wait time'))
  expect(aliasOver(shipped, terms, 0)).toBe(terms[0])
})
