import { expect, it } from 'vitest'
import type { Schema } from '../../contract/types.js'
import { contradictionsSection } from './contradictions-section.js'

const said = { quote: 'Ten.', source: 'a call' }

it('a side holds by a decision, unless that has no effect and leaves the contradiction open', () => {
  const decided = {
    ...{ contradiction_id: 'ctr_1', kind: 'numeric', severity: 'high', subject: 'Vela', attribute: 'debt', reason: 'They differ.' },
    ...{ a: said, b: said, supporters_a: [], supporters_b: [], supporters: { a: 0, b: 0 }, detected_at: '2026-03-04T10:15:00.000Z' },
    ...{ evidence: null, found_by: 'rules', confidence: null, round: 3 },
    resolution: { verdict: 'a', by: 'Ada', reason: 'Audited.', resolved_at: '2026-03-05T10:15:00.000Z', round: 4 },
  }
  const counts = { open: 0, resolved: 1, dismissed: 0 } as Schema['ScopeSummary']['contradictions']
  const section = (status: string) =>
    contradictionsSection([{ ...decided, status } as unknown as Schema['Contradiction']], counts, { contexts: new Map(), names: new Map() })
  expect(section('resolved').text).toContain('>holds<')
  expect(section('resolved').text).not.toContain('Without effect')
  expect(section('open').text).not.toContain('>holds<')
  expect(section('open').text).toContain('Audited. <em>Without effect, because later decisions lead to the contrary.</em>')
})
