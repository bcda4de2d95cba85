/** The same documents, worked on alone and thirty at once: rounds, numbers, decisions and claims must be equal. PROVE=1 adds threes and all at once. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { nothingWaits, openWorld, type PipelineWorld, reportText, sampleText, type TestDocument } from './support.js'

const worlds: PipelineWorld[] = []
const batches = process.env['PROVE'] === '1' ? [1, 3, 30, 200] : [1, 30]
const tenantId = 'ten_batchingbatchingbatch0'

beforeAll(async () => {
  for (let n = 0; n < batches.length; n++) worlds.push(await openWorld())
})

afterAll(async () => {
  for (const world of worlds) await world.close()
})

function documents(): TestDocument[] {
  const first = Array.from({ length: 14 }, (_, n) => ({ tenantId, scopeId: 'case', documentId: `doc-${n}`, text: sampleText(n % 7) }))
  const disputed = [
    {
      tenantId,
      scopeId: 'case',
      documentId: 'audit',
      text: reportText({ issuer: 'Keller & Partner', period: 'FY2012', figures: { Revenue: 'EUR 99.9M', 'Gross margin': '71%' } }),
    },
    // Revisions: one that says something else, one that says the same.
    { tenantId, scopeId: 'case', documentId: 'doc-2', text: sampleText(30) },
    { tenantId, scopeId: 'case', documentId: 'doc-3', text: sampleText(3) },
    { tenantId, scopeId: 'case', documentId: 'doc-2', text: sampleText(30) },
    {
      tenantId,
      scopeId: 'case',
      documentId: 'audit',
      text: reportText({ issuer: 'Keller & Partner', period: 'FY2012', figures: { Headcount: '7' } }),
    },
  ]
  // One figure repeated more often than a slot is looked at.
  const crowd = Array.from({ length: 70 }, (_, n) => ({
    tenantId,
    scopeId: 'case',
    documentId: `crowd-${n}`,
    text: reportText({ issuer: 'Office 3', period: 'FY2023', figures: { Headcount: '500' } }),
  }))
  return [...first, ...disputed, ...crowd]
}

async function resultOf(world: PipelineWorld, batch: number) {
  await world.newTenant({ tenantId })
  await world.ingest(documents())
  const worker = world.startWorker({ batch })
  await world.until(nothingWaits)
  await worker.stop()
  const one = (sql: string) => world.rows(sql)
  return {
    rounds: await one('select round, kind, document_id, revision, input, point from rounds order by round'),
    // Salts are drawn for each commit, so digests and hashes over them differ; what they cover must not.
    decisions: await one('select seq, decision_id, outcome, reasons, state_digest from decisions order by seq'),
    claims: await one(
      'select claim_no, claim_id, document_id, revision, subject, attribute, confidence, recorded_round, superseded_round, superseded_by, superseded_reason, body from claims order by claim_no',
    ),
    contradictions: await one(
      'select contradiction_no, status, kind, severity, reason, detected_round, group_a, group_b from contradictions order by contradiction_no',
    ),
    possible: await one(
      'select possible_no, possible_conflict_id, status, kind, score_micros, claim_a, claim_b, reason, detected_round from possible_conflicts order by possible_no',
    ),
    supersessions: await one(
      'select supersession_no, supersession_id, kind, claim_no, by_claim_no, reason, detected_round from supersessions order by supersession_no',
    ),
    sides: await one('select contradiction_no, side, claim_no, lead from contradiction_sides order by 1, 2, 3'),
    goals: await one('select document_id, revision, ordinal, live, round from goals order by 1, 2, 3'),
    state: await one('select round, next_claim_no, aggregates, finality, claims_digest from scope_states'),
    terms: await one('select term, first_claim_no, claim_nos from claim_terms order by term, first_claim_no'),
    crowds: await one('select slot_key, live, best_micros from slot_crowds order by slot_key'),
    documents: await one(
      'select document_id, revision, status, round, first_claim_no, claim_count, unchanged from documents order by 1, 2',
    ),
  }
}

test('rounds and numbers do not depend on how work was batched', async () => {
  const [alone, ...others] = await Promise.all(batches.map((batch, n) => resultOf(worlds[n]!, batch)))
  expect(alone!.rounds).toHaveLength(89)
  expect(alone!.crowds.length).toBeGreaterThan(0)
  expect(alone!.contradictions.length).toBeGreaterThan(0)
  for (const part of Object.keys(alone!) as (keyof typeof alone)[]) {
    for (const [n, other] of others.entries()) expect(other[part], `batches of ${batches[n + 1]}: ${part}`).toEqual(alone![part])
  }
})

test('kept figures agree with what the rows say', async () => {
  for (const world of worlds) {
    const [state] = await world.rows<{ aggregates: Record<string, number> }>('select aggregates from scope_states')
    const [counted] = await world.rows<Record<string, number>>(
      `select (select count(*) from claims where superseded_at is null) as claims,
         (select count(distinct slot_hash) from claims where superseded_at is null) as slots,
         (select count(*) from contradictions) as contradictions, (select count(*) from possible_conflicts where status = 'open') as possible,
         (select sum(best) from (select round(max(confidence)::numeric * 1000000) as best from claims where superseded_at is null group by slot_hash) s) as best`,
    )
    expect(state?.aggregates).toMatchObject({
      claimsLive: counted?.['claims'],
      slotsLive: counted?.['slots'],
      contradictionsTotal: counted?.['contradictions'],
      possibleOpen: counted?.['possible'],
      bestConfidenceMicros: Number(counted?.['best']),
    })
  }
})
