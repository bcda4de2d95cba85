/** The parts statements are read with: negation, thresholds, classes, what a statement is about, counts of none. */
import { describe, expect, it } from 'vitest'
import { boundIn, boundName } from './bounds.js'
import { extract } from './extract.js'
import { aboutOf, partsOf, sumsIn, takenOver } from './statement-words.js'
import { isNegated } from './states.js'
import { treatmentIn } from './treatments.js'

describe('negation', () => {
  it.each([
    ['The valve has not been replaced.', true],
    ['No leaks were found.', true],
    ['The valve was replaced no later than May.', false],
    ['The cost was booked as an asset, not as an expense.', false],
  ])('of %j is %s', (text, wanted) => {
    expect(isNegated(text)).toBe(wanted)
  })
})

describe('thresholds', () => {
  it.each([
    ['Vibration exceeds the alarm limit of 7.1 mm/s', 'reached'],
    ['Vibration remains below the alarm limit', 'not reached'],
    ['The vibration limit was not exceeded', 'not reached'],
    ['Vibration does not exceed the alarm limit', 'not reached'],
    ['Acceptance criteria met', 'reached'],
    ['Acceptance criteria not met', 'not reached'],
  ])('%j is %s', (text, wanted) => {
    expect(boundIn(text)?.value).toBe(wanted)
  })

  it('are none where nothing is compared', () => {
    expect(boundIn('The alarm limit is set by the maker.')).toBeNull()
  })

  it('have a name and a number', () => {
    expect(boundName('exceeds the alarm limit of 7.1%')).toEqual(['alarm', '#7.1%'])
  })
})

describe('classes', () => {
  it.each([
    ['The advance is treated as a shareholder loan.', 'equity or debt', 'debt'],
    ['The advance is, in our view, equity rather than debt.', 'equity or debt', 'equity'],
    ['The crew leaders are regarded as independent contractors.', 'employment', 'contractor'],
    ['Skin reactions are uncommon.', 'commonness', 'uncommon'],
  ])('%j', (text, set, value) => {
    expect(treatmentIn(text)).toMatchObject({ set, value })
  })

  it('are none where a class is only denied or named', () => {
    expect(treatmentIn('The advance is not treated as equity.')).toBeNull()
    expect(treatmentIn('The equity holders met.')).toBeNull()
  })
})

describe('what a statement is about', () => {
  it('is what stands before its verb, or what it ends', () => {
    expect(aboutOf('The quay wall repair has been completed.')).toEqual(['qua', 'wall', 'repair'])
    expect(aboutOf('This resolves the quay wall dispute.')).toEqual(['qua', 'wall', 'disput'])
    expect(aboutOf('The harbour master notes that the quay wall is sound.')).toEqual(['qua', 'wall'])
  })

  it('is taken over by what points back', () => {
    expect(takenOver('This was not included.', 'The dredging budget rose.')).toEqual(expect.arrayContaining(['dredg']))
    expect(takenOver('The pilot agreed.', 'The dredging budget rose.')).toEqual([])
  })

  it('comes in parts', () => {
    expect(partsOf('The works were approved by the board, but remain unsigned by the owner.')).toHaveLength(2)
    expect(partsOf('Slow but sure.')).toHaveLength(1)
  })

  it('includes the sums it cites', () => {
    expect(sumsIn('EUR 1.9M of 45 items, or 12.5%')).toEqual(['sum amount:1900000', 'sum %:12.5'])
  })
})

describe('a count of none', () => {
  const counted = (text: string): unknown[] =>
    extract({ documentId: 'd', revision: 1, name: 'Note', type: 'txt', source: null, text })
      .claims.filter(claim => claim.value.type === 'quantity')
      .map(claim => [claim.attribute.toLowerCase(), claim.value.type === 'quantity' && claim.value.low])

  it('is read from a sentence and from a label', () => {
    expect(counted('No near misses were recorded.')).toEqual([['near misses', 0]])
    expect(counted('Lost time injuries: none')).toEqual([['lost time injuries', 0]])
  })

  it('is not read where "no" counts nothing', () => {
    expect(counted('No changes were identified.')).toEqual([])
    expect(counted('Approval: none required')).toEqual([])
  })
})
