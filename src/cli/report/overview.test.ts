import { expect, it } from 'vitest'
import type { Schema } from '../../contract/types.js'
import { glance } from './overview.js'

it('statements that no longer count are not all called replaced', () => {
  const some = { live: 28, superseded: 89, total: 117 }
  const page = glance({ documents: {}, claims: some, contradictions: {}, goals: {}, risks: {} } as unknown as Schema['ScopeSummary']).text
  expect(page).toMatch(/<strong>28<\/strong><span class="muted">89 no longer count</)
})

it('erased papers are told where there are any, and a service of 0.2.0 that does not count them is taken', () => {
  const counted = { total: 3, registered: 0, attached: 0, queued: 0, processing: 0, indexed: 2, held: 0, rejected: 0, quarantined: 0 }
  const none = { live: 0, superseded: 0, open: 0, open_critical: 0, resolved: 0, dismissed: 0, unsure: 0, done: 0, total: 0, critical: 0 }
  const of = (documents: object) =>
    glance({ documents, claims: none, contradictions: none, goals: none, risks: none } as unknown as Schema['ScopeSummary']).text
  expect(of({ ...counted, erased: 1 })).toContain('0 could not be read, 1 erased<')
  for (const documents of [counted, { ...counted, erased: 0 }]) expect(of(documents)).toContain('0 could not be read<')
})
