/** What is asked of one scope reads what it asks for, however much the scope holds: by the plans of the server, as the tenant's role. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newTenantId } from '../../src/platform/ids.js'
import { findDocument, listDocumentRows } from '../../src/store/documents/documents.js'
import { readScopeEvents } from '../../src/store/events/events-reading.js'
import {
  type ClaimFilter,
  listClaimRows,
  listContradictionRows,
  listDecisionRows,
  listTopContradictions,
} from '../../src/store/findings/findings.js'
import { listPossibleRows } from '../../src/store/findings/possible-conflicts.js'
import { listSupersessionRows } from '../../src/store/findings/supersessions.js'
import { readExtractors, readLatencies, readThroughput } from '../../src/store/maintenance/metrics.js'
import { readMembers } from '../../src/store/scopes/certificate-lists.js'
import { readOverview } from '../../src/store/scopes/scopes.js'
import { listNotExamined } from '../../src/store/scopes/sign-offs.js'
import type { TenantTransaction } from '../../src/store/server/database.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'

const documents = 4000
const tenantId = newTenantId()
const scope = { tenantId, scopeNo: 1, generation: 1 }

let test: TestDatabase
beforeAll(async () => {
  test = await cloneDatabase({ tenantPool: 1 })
  await test.owner.query('insert into tenants (tenant_id, name) select unnest($1::text[]), $2', [
    [tenantId, ...Array.from({ length: 50 }, newTenantId)],
    'reads',
  ])
  await test.owner.query(`
    create temp table owned as select tenant_id, case tenant_id when '${tenantId}' then ${documents} else 10 end as documents from tenants where tenant_id <> '-';
    insert into documents (tenant_id, scope_no, generation, document_id, revision, status, name, type, text_hash, received_at, queued_at, started_at, finished_at,
        extractor, extractor_version, timings, attempts, first_claim_no, claim_count)
      select tenant_id, 1, 1, 'doc-' || n, 1, case when n % 1000 = 7 then 'rejected' else 'indexed' end, 'Paper ' || n, 'txt', '\\x00', at, at, at, at, 'rules', '1', '{"extract": 3}', 1, n * 4, 4
      from owned, generate_series(1, documents) n, lateral (select now() - n * interval '1 hour' as at) t;
    insert into documents (tenant_id, scope_no, generation, document_id, revision, status, name, type, received_at)
      select '${tenantId}', 1, 1, 'aside-' || n, 1, 'attached', '', 'txt', now() - n * interval '1 hour' from generate_series(1, 30) n;
    insert into documents (tenant_id, scope_no, generation, document_id, revision, status, name, type, received_at)
      select '${tenantId}', 1, 1, 'waits-' || n, 1, 'queued', '', 'txt', now() - n * interval '1 minute' from generate_series(1, 5) n;
    insert into documents (tenant_id, scope_no, generation, document_id, revision, status, name, type, erased_at)
      select '${tenantId}', 2, 1, 'refused-' || n, 1, 'rejected', '', 'txt', case when n % 1000 = 7 then now() end from generate_series(1, ${documents}) n;
    insert into scopes (tenant_id, scope_id, scope_no) overriding system value select '${tenantId}', name, no from (values ('reads', 1), ('refusals', 2)) s (name, no);
    insert into scope_heads (tenant_id, scope_no) select '${tenantId}', 2;
    insert into events (tenant_id, scope_no, seq, type, subject, data, time)
      select '${tenantId}', 1, n, 'document.processing', 'doc-' || 3000 + n, json_build_object('document_id', 'doc-' || 3000 + n, 'revision', 1), now()
      from generate_series(1, 200) n;
    insert into backlog (tenant_id, scope_no, seq, generation, document_id, revision)
      select '${tenantId}', 1, n, 1, 'waits-' || n, 1 from generate_series(1, 5) n;
    insert into claims (tenant_id, scope_no, generation, claim_no, claim_id, document_id, revision, start_at, end_at, slot_hash, subject, attribute, confidence,
        recorded_at, recorded_round, body)
      select tenant_id, 1, 1, n, 'clm-' || n, 'doc-' || n / 4, 1, 0, 1, n, 'Plant ' || n % 1000, 'output', 1, now(), 1, '{}'
      from owned, generate_series(1, documents * 4) n;
    insert into contradictions (tenant_id, scope_no, generation, contradiction_no, contradiction_id, status, kind, severity, reason, detected_at, detected_round)
      select tenant_id, 1, 1, n, 'ctr-' || tenant_id || n, 'open', 'numeric', case n % 500 when 0 then 'high' else 'low' end, '', now() - interval '1 hour', 1 from owned, generate_series(1, documents / 2) n;
    insert into contradiction_sides (tenant_id, scope_no, generation, contradiction_no, side, claim_no, lead)
      select tenant_id, 1, 1, contradiction_no, side, contradiction_no * 8 + back, true from contradictions, (values ('a', 0), ('b', 4)) as s (side, back);
    insert into possible_conflicts (tenant_id, scope_no, generation, possible_no, possible_conflict_id, status, kind, severity, score_micros, claim_a, claim_b,
        reason, detected_at, detected_round)
      select tenant_id, 1, 1, contradiction_no, 'pos-' || contradiction_id, 'open', 'numeric', 'low', 1000 - contradiction_no % 500, contradiction_no, contradiction_no + 4,
        '', detected_at, 1 from contradictions;
    insert into supersessions (tenant_id, scope_no, generation, supersession_no, supersession_id, status, kind, claim_no, by_claim_no, reason, detected_at, detected_round)
      select tenant_id, 1, 1, contradiction_no, 'sup-' || contradiction_id, 'standing', 'words', contradiction_no, contradiction_no + 4, '', detected_at, 1 from contradictions;
    insert into finding_history (tenant_id, scope_no, generation, finding, finding_no, until, state)
      select tenant_id, 1, 1, finding, contradiction_no, detected_at + interval '1 minute', '{}'
      from contradictions, unnest(array['contradictions', 'possible_conflicts', 'supersessions']) finding;
    insert into decisions (tenant_id, scope_no, generation, seq, decision_id, round, kind, outcome, policy_hash, policies, reasons, obligations, proposal, state,
        proposal_digest, state_digest, prev_hash, hash, reasons_digest, recorded_at)
      select tenant_id, 1, 1, n, 'dec-' || tenant_id || n, n, case n % 1000 when 500 then 'resolution' else 'document' end, 'admit', '', '[]', '[]', '[]',
        json_build_object('actor', json_build_object('kind', case n % 1000 when 500 then 'person' else 'system' end)), '{}', '', '', '', '', '', now()
      from owned, generate_series(1, documents) n`)
  await test.owner.query('vacuum analyze')
})
afterAll(() => test.close())

interface PlanNode {
  'Index Name'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

const indexesIn = (node: PlanNode): string[] => [
  ...(node['Index Name'] ? [node['Index Name']] : []),
  ...(node.Plans ?? []).flatMap(indexesIn),
]

/** The indexes and the number of pages the server reads for what `work` sends, and what it answers. */
async function planOf<T>(work: (tx: TenantTransaction) => Promise<T>): Promise<{ answer: T; indexes: Set<string>; pages: number }> {
  return test.db.inTenant(tenantId, async tx => {
    // As a server plans by itself: what is asked for may be left out, and a plan for any value would read everything.
    await tx.query({ text: 'set local plan_cache_mode = auto' })
    const answer = await work(tx)
    const plan = { answer, indexes: new Set<string>(), pages: 0 }
    await work({
      ...tx,
      async query({ text, values }) {
        const { rows } = await tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
          text: `explain (analyze, buffers, format json) ${text}`,
          values,
        })
        const root = rows[0]!['QUERY PLAN'][0].Plan
        for (const name of indexesIn(root)) plan.indexes.add(name)
        plan.pages += root['Shared Hit Blocks'] + root['Shared Read Blocks']
        return tx.query({ text, values })
      },
    })
    return plan
  })
}

it('finds claims by their subject, whatever its case', async () => {
  const filter: ClaimFilter = {
    state: 'all',
    documentId: null,
    subject: 'PLANT 77',
    attribute: null,
    asOf: null,
    knownAt: null,
    after: -1,
    limit: 50,
  }
  const { answer, indexes, pages } = await planOf(tx => listClaimRows(tx, scope, filter))
  expect(answer.map(row => row.claim_no)).toEqual(Array.from({ length: 16 }, (_, n) => 77 + 1000 * n))
  expect([...indexes]).toEqual(['claims_by_subject'])
  expect(pages).toBeLessThan(40)
})

it('names the documents that are the same as one, a few of them', async () => {
  const { answer, indexes, pages } = await planOf(tx => findDocument(tx, scope, 'doc-77'))
  expect(answer?.same_as).toHaveLength(10)
  expect(indexes).toContain('documents_same')
  expect(pages).toBeLessThan(60)
})

it('reads the numbers of a period', async () => {
  const now = Date.now()
  const period = { from: new Date(now - 10.5 * 3_600_000).toISOString(), to: new Date(now + 60_000).toISOString() }
  const throughput = await planOf(tx => readThroughput(tx, scope, period))
  expect(throughput.answer).toEqual({ received: 25, indexed: 9, held: 0, rejected: 1, quarantined: 0, claims: 36, retries: 0 })
  expect([...throughput.indexes].filter(name => name.startsWith('documents')).sort()).toEqual([
    'documents_aside',
    'documents_finished',
    'documents_pkey',
  ])
  expect(throughput.pages).toBeLessThan(80)
  const rest = await planOf(tx => Promise.all([readLatencies(tx, scope, period, 1000), readExtractors(tx, scope, period)]))
  expect([...rest.indexes]).toEqual(['documents_finished'])
  expect(rest.pages).toBeLessThan(60)
})

it('names the documents of a page of events', async () => {
  const reading = (tx: TenantTransaction) =>
    readScopeEvents({ ...test.db, inTenant: (_tenant, work) => work(tx) }, { tenantId, scopeNo: 1 }, 0, 100)
  const { answer, pages } = await planOf(reading)
  expect(answer).toHaveLength(100)
  expect(JSON.parse(answer[0]?.data ?? '')).toMatchObject({ document_id: 'doc-3001', name: 'Paper 3001' })
  expect(pages).toBeLessThan(1000)
})

it('names the documents that no certificate rests on', async () => {
  const { answer, indexes, pages } = await planOf(tx => readMembers(tx, scope, 'unread', { limit: 501 }))
  expect(answer).toHaveLength(30)
  expect([...indexes]).toEqual(['documents_unread'])
  expect(pages).toBeLessThan(60)
})

it('counts the erased documents, however many were rejected', async () => {
  const { answer, indexes, pages } = await planOf(tx => readOverview(tx, 'refusals'))
  expect(answer?.erased).toEqual({ rejected: 4 })
  expect(indexes).toContain('documents_erased')
  expect(pages).toBeLessThan(60)
})

it('shows the most severe of the open contradictions', async () => {
  const { answer, indexes, pages } = await planOf(tx => listTopContradictions(tx, scope, 20))
  const [severe, newest] = [[2000, 1500, 1000, 500], Array.from({ length: 16 }, (_, n) => 1999 - n)]
  expect(answer.map(row => row.contradiction_no)).toEqual([...severe, ...newest])
  expect(indexes).toContain('contradictions_top')
  expect(pages).toBeLessThan(40)
})

it('names the documents that nobody has examined, and counts them', async () => {
  const { answer, pages } = await planOf(tx => listNotExamined(tx, scope, 20))
  expect(answer).toHaveLength(20)
  expect(answer[0]).toEqual({ document_id: 'aside-1', name: '', why: 'attached', total: 35 })
  expect(pages).toBeLessThan(120)
})

const anyContradiction = { status: 'open', severity: null, foundBy: null, documentId: null, after: -1, limit: 20 } as const

it('finds the contradictions of one document among thousands', async () => {
  const { answer, pages } = await planOf(tx => listContradictionRows(tx, scope, { ...anyContradiction, documentId: 'doc-77' }))
  expect(answer.map(row => row.contradiction_no)).toEqual([38])
  // All of them are ten thousand.
  expect(pages).toBeLessThan(300)
})

it('reads what is named by ids, however much there is, as it is and as it was', async () => {
  const named = (prefix: string) => [3, 1999, 700].map(n => `${prefix}${tenantId}${n}`)
  for (const knownAt of [null, new Date().toISOString()]) {
    const status = 'all' as const
    const contradictions = await planOf(tx =>
      listContradictionRows(tx, scope, { ...anyContradiction, status, knownAt, ids: named('ctr-') }),
    )
    expect(contradictions.answer.map(row => row.contradiction_no)).toEqual([3, 700, 1999])
    const asked = { status, knownAt, ids: named('pos-ctr-'), after: null, limit: 20 }
    const possible = await planOf(tx => listPossibleRows(tx, scope, asked))
    expect(possible.answer.map(row => row.possible_no).sort((a, b) => a - b)).toEqual([3, 700, 1999])
    const superseded = await planOf(tx => listSupersessionRows(tx, scope, { ...asked, ids: named('sup-ctr-'), after: -1 }))
    expect(superseded.answer.map(row => row.supersession_no)).toEqual([3, 700, 1999])
    for (const { pages } of [contradictions, possible, superseded]) expect(pages).toBeLessThan(120)
  }
  const any = { status: null, receivedFrom: null, receivedTo: null, withoutModel: false, partOf: null, after: null, limit: 20 }
  const { answer, pages } = await planOf(tx => listDocumentRows(tx, scope, { ...any, ids: ['doc-3999', 'doc-7', 'no'] }))
  expect(answer.map(row => row.name)).toEqual(['Paper 3999', 'Paper 7'])
  expect(pages).toBeLessThan(200)
})

it('reads a page of findings as they were', async () => {
  const knownAt = new Date().toISOString()
  const contradictions = await planOf(tx => listContradictionRows(tx, scope, { ...anyContradiction, knownAt, after: 1000 }))
  expect(contradictions.answer.map(row => row.contradiction_no)).toEqual(Array.from({ length: 20 }, (_, n) => 1001 + n))
  const possible = await planOf(tx =>
    listPossibleRows(tx, scope, { status: 'open', knownAt, after: { scoreMicros: 900, possibleNo: 100 }, limit: 20 }),
  )
  expect(possible.answer.map(row => row.possible_no).slice(0, 4)).toEqual([600, 1100, 1600, 101])
  const replaced = await planOf(tx => listSupersessionRows(tx, scope, { status: 'all', knownAt, after: 1000, limit: 20 }))
  expect(replaced.answer).toHaveLength(20)
  // Sorted after they were read, each took the pages of all two thousand.
  for (const { pages } of [contradictions, possible, replaced]) expect(pages).toBeLessThan(300)
})

it('finds what people decided among what policy decided of each document', async () => {
  const { answer, indexes, pages } = await planOf(tx =>
    listDecisionRows(tx, scope, { pending: false, byPeople: true, newestFirst: false, after: -1, limit: 100 }),
  )
  expect(answer.map(row => row.seq)).toEqual([500, 1500, 2500, 3500])
  expect([...indexes]).toEqual(['decisions_asked'])
  expect(pages).toBeLessThan(20)
})
