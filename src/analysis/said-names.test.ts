/** Fields of a form against the sentences that answer them. */
import { describe, expect, it } from 'vitest'
import { verdicts } from '../../test/support/two-reports.js'
import { heldIn, saidIn } from './said-names.js'

describe('a field answered by a sentence', () => {
  it.each([
    ['The ferry sails under the flag of Veldora.', 'flag', 'Veldora'],
    ['The deed is made under Ostrian law.', 'governing law', 'Ostrian'],
    ['Ms Venn is tax resident in Veldora.', 'tax residence', 'Veldora'],
    ['The vessel is insured with Corvin Mutual.', 'insurer', 'Corvin Mutual'],
    ['The roof tiles were supplied by Corvin Brick.', 'supplier of roof tiles', 'Corvin Brick'],
    ['Ms T. Venn has held the office of protector since May.', 'protector', 'Ms T. Venn'],
    ['Chair of the inquiry is Councillor Tam Brody.', 'Chair of the inquiry', 'Councillor Tam Brody'],
  ])('%j', (text, label, value) => {
    expect(saidIn(text)).toEqual({ label, value, negated: false })
  })

  it('is of the post named before', () => {
    const text = 'Ms T. Venn has held the office since May.'
    expect(heldIn(text, 'The protector signs first.')).toEqual({ label: 'protector', value: 'Ms T. Venn', negated: false })
    expect(heldIn(text, 'The protector and the trustee sign.')).toBeNull()
  })

  it('is denied by whoever left', () => {
    expect(saidIn('Dr Venn retired as protector in April.')).toEqual({ label: 'protector', value: 'Dr Venn', negated: true })
  })

  it.each([
    'The ferry may sail under the flag of Veldora.',
    'The vessel was insured with Corvin Mutual until 2019.',
    'The law of May applies.',
  ])('is none in %j', text => {
    expect(saidIn(text)).toBeNull()
  })
})

describe('a form and a sentence', () => {
  it.each([
    ['Flag: Ostria', 'The vessel sails under the flag of Veldora.', 'contradiction'],
    ['Protector: Dr A. Holm', 'The protector was still Ms K. Venn.', 'contradiction'],
    ['Protector: Dr A. Holm', 'Dr Holm retired as protector in April.', 'supersession'],
    ['Owner: Holm Estates', 'The building is owned by Venn Properties.', 'contradiction'],
    ['Port of loading: Rodvik', 'The cargo was loaded at Esbern.', 'contradiction'],
    ['Treasurer: Anna Holm', 'The treasurer, Tam Brody, signed the cheque.', 'contradiction'],
    ['Yard manager: Anna Holm', 'Tam Brody has acted as yard manager.', 'contradiction'],
    ['Safety officer: Anna Holm', 'There was no safety officer in post.', 'contradiction'],
    ['Master: Capt. A. Holm', 'The master of the vessel was Tam Brody.', 'contradiction'],
    ['Cause of death: pneumonia', 'The patient died of heart failure.', 'contradiction'],
    ['Energy class: B', 'The building has energy class D.', 'contradiction'],
    ['Diagnosis: asthma', 'The diagnosis is bronchitis.', 'contradiction'],
    ['Bank: Holm Bank', 'The account is held with Venn Bank.', 'contradiction'],
    ['Port of loading: Rodvik', 'The cargo was loaded at Esbern in place of Rodvik.', 'contradiction'],
    ['Welding carried out by: Holm Steel', 'The welding was carried out by Venn Metal.', 'contradiction'],
    ['Tower erection is by the barge Titan.', 'Tower erection was carried out by the barge Colossus.', 'contradiction'],
    ['Law of the contract: Ostria', 'The contract is governed by the laws of Veldora.', 'contradiction'],
    ['Purpose of the payments: refit of the ferry', 'The payments were for bunker fuel.', 'contradiction'],
  ])('%j against %j', (first, second, verdict) => {
    expect(verdicts(first, second)).toEqual([verdict])
  })

  it.each([
    ['Governing law: Norway', 'The charter is made under Norwegian law.'],
    ['Flag: Denmark', 'The vessel sails under the Danish flag.'],
    ['Directors: A. Holm, K. Venn', 'Karl Venn was appointed as director in May.'],
    ['Supplier: Holm Brick', 'The pallets were supplied by Venn Timber.'],
    ['Port of loading: Rodvik', 'The cargo was discharged at Esbern.'],
    ['The payments were for the refit.', 'The payments were for two years.'],
    ['Yard manager: Anna Holm', 'The former yard manager, Tam Brody, said so.'],
    ['Treasurer: Anna Holm', 'The deputy treasurer, Tam Brody, signed the cheque.'],
    ['Welding carried out by: Holm Steel', 'The inspection of the welding was carried out by Venn Metal.'],
    ['The mast was inspected by Anna Holm.', 'The mast was inspected by Tam Brody and Anna Holm.'],
    ['Place of delivery: Rodvik', 'The first consignment was delivered in Esbern.'],
  ])('%j goes with %j', (first, second) => {
    expect(verdicts(first, second)).toEqual([])
  })
})

describe('causes', () => {
  it('are of what the sentence before is about', () => {
    expect(verdicts('The outage was caused by a broken cable.', 'The outage lasted an hour. It was caused by an expired key.')).toEqual([
      'contradiction',
    ])
  })

  it('may be named alone behind what they are of', () => {
    expect(verdicts('The outage was caused by a broken cable.', 'The outage lasted an hour. The cause was an expired key.')).toEqual([
      'contradiction',
    ])
  })

  it('are what something is put down to', () => {
    expect(verdicts('The leak was caused by a dragged anchor.', 'The diver puts the leak down to corrosion.')).toEqual(['contradiction'])
  })
})
