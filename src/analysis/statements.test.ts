/** Statements of two documents that are no numbers: what contradicts, what replaces, and what must stay silent. */
import { describe, expect, it } from 'vitest'
import { verdicts } from '../../test/support/two-reports.js'

describe('statements that exclude each other', () => {
  it.each([
    ['The harbour permit was approved.', 'The harbour permit was rejected.'],
    ['The sprinkler system is compliant.', 'The sprinkler system is non-compliant.'],
    ['Internal controls over fuel storage are effective.', 'Internal controls over fuel storage are ineffective.'],
    ['No oil spills were reported.', 'Three oil spills were reported.'],
    ['Oil spills: none', 'Oil spills: 4'],
    ['The discharge stays below the permitted chloride limit.', 'The discharge exceeds the permitted chloride limit.'],
    ['The jetty upgrade is classified as capex.', 'The jetty upgrade was expensed and is classified as operating expense.'],
    ['Governing law: England and Wales', 'Governing law: Norway'],
    ['Beneficial owner: Ilse Marr', 'Beneficial owner: Pavel Dorn'],
    ['Mooring risk: LOW', 'Mooring risk: HIGH'],
    ['The emergency generator was tested monthly.', 'The emergency generator was tested quarterly.'],
    ['The ground lease includes a renewal option.', 'The ground lease does not include a renewal option.'],
  ])('%j against %j', (first, second) => {
    expect(verdicts(first, second)).toEqual(['contradiction'])
  })
})

describe('statements that end an earlier one', () => {
  it.each([
    ['The pipeline easement dispute is unresolved.', 'The pipeline easement dispute has been settled.'],
    ['CORROSION RISK — SEVERITY: HIGH', 'This resolves the serious corrosion risk.'],
    ['The tank inspection certificate has not been signed.', 'The tank inspection certificate has now been signed.'],
    ['The crane operator has submitted a notice of resignation.', 'The crane operator has withdrawn the notice of resignation.'],
    ['Pump station 4: pending', 'Pump station 4: completed'],
    ['Ferry boarding is suspended with immediate effect.', 'The suspension of ferry boarding was lifted on 2 April.'],
    ['The manual dipping method is applied to all gauge readings.', 'The manual dipping method is no longer used.'],
  ])('%j is ended by %j', (first, second) => {
    expect(verdicts(first, second)).toEqual(['supersession'])
  })

  it('by the same issuer, who rates it anew', () => {
    expect(verdicts('Mooring risk: HIGH', 'Mooring risk: LOW', ['Halden Survey', 'Halden Survey'])).toEqual(['supersession'])
  })
})

describe('statements that can both be true', () => {
  it.each([
    ['The harbour permit was approved.', 'The pilotage licence was rejected.'],
    ['No oil spills were reported.', 'Three oil samples were reported.'],
    ['Pump station 4: pending', 'Pump station 5: completed'],
    ['The discharge stays below the permitted chloride limit.', 'The noise level exceeds the permitted night limit.'],
    ['The northern jetty is compliant.', 'The southern jetty is non-compliant.'],
    ['If the storm returns, the jetty could be inadequate.', 'The jetty lighting is adequate.'],
    ['Governing law: England and Wales', 'Governing law: England'],
    ['The turbidity is below the internal target of 35%.', 'The turbidity is above the regulatory minimum of 20%.'],
    ['The crane must not exceed its load limit.', 'The crane reached its service milestone.'],
  ])('%j beside %j', (first, second) => {
    expect(verdicts(first, second)).toEqual([])
  })
})
