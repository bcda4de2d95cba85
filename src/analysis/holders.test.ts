/** Who holds a post or bears a risk, in sentences, labels and tables of two documents. */
import { describe, expect, it } from 'vitest'
import { verdicts } from '../../test/support/two-reports.js'
import { holderIn } from './holders.js'

describe('holders of a post', () => {
  it.each([
    ['Ms Orla Venn introduced Tam Brody, who took over as yard manager on 1 May.', 'yard manager', 'Tam Brody'],
    ['Halden Survey Ltd has been replaced by Corvin Partners LLP as external valuer.', 'external valuer', 'Corvin Partners LLP'],
    ['Tam Brody succeeded Orla Venn as head of operations.', 'head of operations', 'Tam Brody'],
    ['We are appointed as external valuer for all dates in 2025.', 'external valuer', 'Norland LLP'],
    ['The post of harbour master has been vacant since May.', 'harbour master', 'vacant'],
    ['Tam Brody was appointed safety officer on 1 May 2025.', 'safety officer', 'Tam Brody'],
    ['Dr Tam Brody was appointed Chief Medical Officer on 1 May.', 'Chief Medical Officer', 'Dr Tam Brody'],
    ['As you know I have been harbour director since 1 October.', 'harbour director', 'Norland LLP'],
  ])('%j', (text, label, value) => {
    expect(holderIn(text, 'Norland LLP')).toEqual({ label, value })
  })

  it.each(['I have been ill since March.', 'The pump was replaced by a new one.', 'We are not appointed.'])('are none in %j', text => {
    expect(holderIn(text, 'Norland LLP')).toBeNull()
  })
})

describe('who is above whom, and how a thing is reckoned', () => {
  it.each([
    ['The harbour controller reports to the Chief Executive.', 'The harbour controller reports to the Chief Financial Officer.'],
    ['The reserve is calculated with the chain method.', 'The reserve is calculated with the bridge method.'],
    ['The cargo was loaded in Lagos.', 'The cargo was loaded in Accra.'],
  ])('%j against %j', (first, second) => {
    expect(verdicts(first, second)).toEqual(['contradiction'])
  })

  it('keeps apart where a ship is loaded and where it is discharged', () => {
    expect(verdicts('The ferry was loaded in Lagos.', 'The ferry was discharged in Accra.')).toEqual([])
  })

  it('says nothing of a report to somebody', () => {
    expect(verdicts('The diver reports to the Board that all is well.', 'The diver reports to the Owner that all is well.')).toEqual([])
  })
})

describe('two holders', () => {
  it.each([
    ['Main contractor: Orvane Works Ltd', 'Pellwyn Marine Ltd is the main contractor from 1 April 2025.'],
    ['The post of safety officer has been vacant since May.', 'Tam Brody was appointed safety officer on 1 April 2025.'],
    ['Yard manager: Orla Venn', 'Tam Brody, who took over as yard manager on 1 April, was introduced.'],
    ['Principal investigator: Prof. Orla Venn', '| Item | Text |\n|---|---|\n| Principal investigator | Dr Tam Brody, since April |\n'],
  ])('%j is replaced by %j', (first, second) => {
    expect(verdicts(first, second)).toEqual(['supersession'])
  })

  it.each([
    ['The survey was designed and carried out by an independent institute.', "The survey was carried out by the terminal's own staff."],
    ['The valuation is based on the discounted cash flow method.', 'Valuation method: market comparison'],
    ['The safety officer is Orla Venn.', 'The post of safety officer has been vacant since May.'],
    ['Master of the vessel: Capt. P. Orr.', 'Master of the vessel: Capt. L. Venn.'],
    [
      'The worst spill, on 12 January 2025, was due to a cracked valve.',
      'The spill of 12 January 2025 was caused by a wrong switch setting.',
    ],
    ['The risk of late delivery lies with the carrier.', 'The risk of late delivery lies with the buyer under the contract.'],
    ['The primary endpoint is the time to first hip fracture.', 'Primary endpoint: time to first serious fall'],
  ])('%j contradicts %j', (first, second) => {
    expect(verdicts(first, second)).toEqual(['contradiction'])
  })

  it.each([
    ['Owner: the Company', 'Owner: Orvane Works Ltd'],
    ['Auditor: Orvane Works Ltd', 'Auditor for 2019: Pellwyn Marine Ltd'],
    ['Main contractor: Orvane Works Ltd', 'Orvane Works is the main contractor from 1 April 2025.'],
    ['The survey was carried out by an independent institute.', 'The survey was carried out by Norland Institute.'],
    ['The primary endpoint is the time to first hip fracture per protocol.', 'Primary endpoint: time to first fracture by imaging'],
  ])('%j and %j go together', (first, second) => {
    expect(verdicts(first, second)).toEqual([])
  })
})
