import { expect, it } from 'vitest'
import type { Schema } from '../contract/types.js'
import { reportText } from './report.js'

it('a report for agents calls a document erased that was, and no longer read', () => {
  const documents = [null, '2026-03-04T10:15:00.000Z'].map((erased_at, place) => ({
    ...{ document_id: `paper-${place}`, name: null, status: 'indexed', erased_at, compared_by: { words: 'compared by rules alone' } },
  })) as Schema['Document'][]
  const summary = {
    ...{ scope_id: 'case', display_name: null, finality: { status: 'active', gates: [] }, documents: { total: 2 }, claims: { live: 0 } },
    ...{ contradictions: { open: 0, unsure: 0, resolved: 0, dismissed: 0 }, examined: { words: 'not signed off', compared: 'by rules' } },
  } as unknown as Schema['ScopeSummary']
  const text = reportText({ summary, documents, contradictions: [], possible: [] })
  expect(text).toMatch(/^- \[paper-0\]\(.*\), read, compared/m)
  expect(text).toMatch(/^- \[paper-1\]\(.*\), erased, compared/m)
})
