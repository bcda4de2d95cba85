import { expect, it } from 'vitest'
import openapi from '../openapi.json' with { type: 'json' }
import type { Schema } from '../src/contract/types.js'
import { assignmentKey, type StoryContext, sentenceOf } from './story-words'

type Assignment = NonNullable<Schema['Contradiction']['assignment']>

const claim = (claim_id: string, document_id: string, value: string) =>
  ({ claim_id, document_id, value, quote: value, period: null, polarity: 'affirmed' }) as Schema['Claim']
const [early, late] = [claim('clm_1', 'contract', '30 June 2024'), claim('clm_2', 'letter', '31 May 2024')]
const context: StoryContext = {
  contradictions: new Map([
    ['ctr_1', { a: early, b: late, subject: 'Tower', attribute: 'completion date', kind: 'date' } as Schema['Contradiction']],
  ]),
  supersessions: new Map([['sup_1', { claim: early, superseded_by: late, reason: 'A later issue of it.' } as Schema['Supersession']]]),
  possible: new Map([
    ['pcf_1', { a: early, b: late, subject: 'Tower', attribute: 'handover', kind: 'date' } as unknown as Schema['PossibleConflict']],
  ]),
  assignments: new Map([[assignmentKey('ctr_1', 'then'), { to: 'R. Roe', due: '2024-07-01', by: 'J. Doe' } as Assignment]]),
  holds: new Map([['hld_1', { by: 'J. Doe', reason: 'A claim is coming.', lifted: { by: 'R. Roe', reason: 'Settled.' } }]]),
  comments: new Map([['cmt_1', { by: 'R. Roe', text: 'Asked.' } as Schema['Comment']]]),
  said: new Map([
    [7, { by: 'J. Doe', vouched: true, verdict: 'b', finding_id: 'ctr_1', reason: 'The letter is later.' }],
    [9, { by: 'R. Roe', vouched: true, verdict: 'reopen', finding_id: 'ctr_1', reason: 'Too early.' }],
  ]),
  names: new Map([['contract', 'The contract']]),
}
const tell = (type: string, data: Record<string, unknown>, time = '') => sentenceOf({ type, data, time }, context)
const title = 'Completion date: 30 June 2024 or 31 May 2024?'

it('names the finding, the person and the reason of each act, each by its own round', () => {
  const decided = tell('contradiction.resolved', { contradiction_id: 'ctr_1', verdict: 'b', by: 'person', round: 7 })
  expect(decided).toEqual({
    finding: { id: 'ctr_1', title },
    text: 'was decided: 31 May 2024 holds, not 30 June 2024',
    by: 'J. Doe',
    reason: 'The letter is later.',
  })
  expect(tell('contradiction.reopened', { contradiction_id: 'ctr_1', round: 9 })).toMatchObject({ by: 'R. Roe', reason: 'Too early.' })
  expect(tell('contradiction.commented', { contradiction_id: 'ctr_1', comment_id: 'cmt_1' })).toMatchObject({
    by: 'R. Roe',
    reason: 'Asked.',
  })
})

it('tells why a scan has a new revision', () => {
  expect(tell('document.queued', { revision: 1 }).text).toBe('was handed in')
  expect(tell('document.queued', { revision: 2, corrected_page: 3 }).text).toBe('had a word on page 3 corrected')
  expect(tell('document.queued', { revision: 3, languages: 'deu+eng' }).text).toBe('is read again with deu+eng')
})

it('names to whom a finding was given, what a possible conflict is about, and who put what on hold', () => {
  expect(tell('contradiction.assigned', { contradiction_id: 'ctr_1' }, 'then')).toMatchObject({
    finding: { title },
    text: 'was given to R. Roe to look at by 2024-07-01',
    by: 'J. Doe',
  })
  expect(tell('contradiction.assigned', { contradiction_id: 'ctr_1' }, 'long ago').text).toBe('was given to somebody to look at')
  expect(tell('possible_conflict.dismissed', { possible_conflict_id: 'pcf_1', by: 'person', round: 9 })).toEqual({
    text: '“Handover: 30 June 2024 or 31 May 2024?” was dismissed',
    by: 'R. Roe',
    reason: 'Too early.',
  })
  expect(tell('legal_hold.set', { hold_id: 'hld_1' })).toMatchObject({ by: 'J. Doe', reason: 'A claim is coming.' })
  expect(tell('legal_hold.lifted', { hold_id: 'hld_1' })).toMatchObject({ by: 'R. Roe', reason: 'Settled.' })
})

it('does not say that a person did what nobody did', () => {
  const closed = tell('contradiction.resolved', { contradiction_id: 'ctr_1', verdict: 'superseded', by: 'system', round: 7 })
  expect(closed.by).toBeUndefined()
  expect(closed.text).toContain('by itself')
})

it('tells what replaced what, and what a verdict only stopped counting', () => {
  expect(tell('claim.superseded', { claim_id: 'clm_1', superseded_by: 'clm_2', supersession_id: 'sup_1', round: 3 }).text).toBe(
    '30 June 2024 in The contract was replaced by 31 May 2024 in letter',
  )
  expect(tell('claim.superseded', { claim_id: 'clm_1', superseded_by: 'clm_2', round: 7 }).text).toBe(
    '30 June 2024 in The contract no longer counts: the other side holds',
  )
  expect(tell('claim.superseded', { claim_id: 'clm_1', superseded_by: null, round: 7 }).text).toContain('replaced by nothing')
  expect(tell('claim.superseded', { claim_id: 'clm_9', superseded_by: null, round: 3 }).text).toBe(
    'A statement is no longer made by its paper',
  )
})

it('has words for every kind of event that a case tells of', () => {
  const elsewhere = /^(?:worker|tenant|webhook)\.|^(?:document\.processing|convergence\.updated|decision\.recorded)$/
  const kinds: string[] = openapi.components.schemas.Event.properties.type.enum
  expect(kinds.length).toBeGreaterThan(40)
  expect(kinds.filter(kind => !elsewhere.test(kind) && tell(kind, {}).text.includes(kind))).toEqual([])
})
