import { describe, expect, it } from 'vitest'
import type { Schema } from '../contract/types.js'
import { contradictionLines } from './finding-lines.js'
import { createOutput } from './output.js'

const out = { ...createOutput({ format: 'table', color: false, command: 'contradictions' }), columns: 160 }

const claim = (documentId: string, ended: string | null = null): Schema['Claim'] =>
  ({
    ...{ claim_id: documentId, document_id: documentId, revision: 1, quote: `As ${documentId} has it.`, start: 0, end: 9 },
    ...{
      page: null,
      cell: null,
      paragraph: null,
      superseded_at: ended === null ? null : '2026-03-04T10:15:00.000Z',
      superseded_reason: ended,
    },
  }) as Schema['Claim']

const finding = (more: Partial<Schema['Contradiction']>): Schema['Contradiction'] =>
  ({
    ...{ contradiction_id: 'ctr_1', status: 'resolved', kind: 'numeric', severity: 'high', subject: 'Vela', attribute: 'debt' },
    ...{ a: claim('report'), b: claim('audit'), supporters_a: [], supporters_b: [], supporters: { a: 0, b: 0 } },
    ...{ reason: 'They differ.', evidence: null, found_by: 'rules', confidence: null, ...more },
  }) as Schema['Contradiction']

const resolution = { resolved_at: '2026-03-04T10:15:00.000Z', round: 3 }
const revised = 'A new revision of the same document.'
const audited = 'Decided by Ada: Audited.'

describe('a contradiction on the command line', () => {
  it('says how it was closed and why, in the words of the report and the desk', () => {
    const byAda = { ...resolution, verdict: 'b' as const, by: 'Ada', reason: 'Audited.' }
    const decided = contradictionLines(finding({ a: claim('report', audited), resolution: byAda }), out)
    expect(decided[0]).toContain(' numeric · B is right, decided by Ada · found by rules ')
    expect(decided.at(-1)).toBe('  Why it is closed: Audited.')
    const byItself = { ...resolution, verdict: 'superseded' as const, by: 'system', reason: 'A side has no live claim left.' }
    const closed = contradictionLines(finding({ a: claim('report', audited), resolution: byItself }), out)
    expect(closed[0]).toContain(' numeric · Closed by itself: one side no longer counts · found by rules ')
    expect(closed.at(-1)).toBe(`  Why it is closed: A side has no live claim left. A no longer counts: ${audited}`)
    const open = contradictionLines(finding({ status: 'open' }), out)
    expect([open[0], open.at(-1)]).toEqual([expect.stringContaining(' numeric · open · '), '  They differ.'])
  })

  it('says of one that is open all the same that it is, and that the decision about it has no effect', () => {
    const byAda = { ...resolution, verdict: 'a' as const, by: 'Ada', reason: 'Audited.' }
    const circular = contradictionLines(finding({ status: 'open', resolution: byAda }), out)
    expect(circular[0]).toContain(
      ' numeric · open · A is right, decided by Ada · Without effect, because later decisions lead to the contrary · ',
    )
    expect(circular.at(-1)).toBe('  Why it was decided: Audited.')
  })

  it('tells who was replaced before a decision from who lost by it', () => {
    const lost = finding({
      a: claim('p6', audited),
      supporters_a: [claim('p1', revised), claim('p2', audited)],
      supporters: { a: 2, b: 0 },
    })
    const lines = contradictionLines(lost, out).join('\n')
    expect(lines).toContain('and 1 more that said the same')
    expect(lines).toContain('p1, revision 1, said the same and no longer counts')
    const held = contradictionLines(finding({ supporters: { a: 2, b: 1 } }), out).join('\n')
    for (const words of ['and 2 more that say the same', 'and 1 more that says the same']) expect(held).toContain(words)
  })
})
