/**
 * What a document costs must not grow with its scope. The statements that plan and end claims are run on a scope that is
 * large in a database of many small ones, where the server expects a single row of any scope, with the plan made once for
 * all parameters that prepared statements get. Each may read some pages a key it is given and a row it finds, no more.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newTenantId } from '../../src/platform/ids.js'
import { endClaims } from '../../src/store/claims/claim-ends.js'
import { newestClaimNo, readPostings } from '../../src/store/claims/claim-postings.js'
import { readTerms } from '../../src/store/claims/claim-terms.js'
import { readCrowds, readLiveRowsByRanges, readLiveRowsBySlots, readSupersededRows } from '../../src/store/claims/claims.js'
import { finishDocuments, readFacts, readPreviousRevisions, stillProcessing } from '../../src/store/claims/claims-documents.js'
import { slotHash } from '../../src/store/claims/slot-hash.js'
import { eraseSent, listSent } from '../../src/store/documents/model-off.js'
import { readClaimSides } from '../../src/store/documents/model-readings.js'
import { findSimilarPassages, listCase } from '../../src/store/documents/passages.js'
import { readFindings } from '../../src/store/findings/claims-findings.js'
import { listClaimTexts, listTopContradictions } from '../../src/store/findings/findings.js'
import { readOpenPossible } from '../../src/store/findings/possible-conflicts.js'
import { listLeftOpen } from '../../src/store/scopes/sign-offs.js'
import type { Statement, TenantTransaction, Transaction } from '../../src/store/server/database.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'

const lines = 300
const documents = 30
const disputed = 50
const smallTenants = 1000

const tenantId = newTenantId()
const place = { tenantId, scopeNo: 5, generation: 1, recordedAt: '2026-01-31T00:00:00Z' }
const keys = Array.from({ length: lines }, (_, n) => `item ${n}`)
const claimNo = (document: number, line: number) => document * lines + line
const allClaims = Array.from({ length: lines * documents }, (_, n) => n)
const documentIds = Array.from({ length: documents }, (_, n) => `doc-${n}`)

let test: TestDatabase
let probes = 0
beforeAll(async () => {
  test = await cloneDatabase()
  const hashes = keys.map(slotHash)
  await test.owner.query('create temp table slots as select h, n - 1 as n from unnest($1::bigint[]) with ordinality as s (h, n)', [hashes])
  // Small scopes are copies of the first documents of the large one.
  await test.owner.query(
    'create temp table owners as select $1::text as tenant_id, 5::bigint as scope_no, $2::int as docs, $3::int as lines',
    [tenantId, documents, lines],
  )
  await test.owner.query('insert into owners select t, 100 + n, 3, 10 from unnest($1::text[]) with ordinality as t (t, n)', [
    Array.from({ length: smallTenants }, newTenantId),
  ])
  await test.owner.query(`
    insert into documents (tenant_id, scope_no, generation, document_id, revision, status, name, type, text_hash, seq, round, first_claim_no, claim_count)
    select o.tenant_id, o.scope_no, 1, 'doc-' || d, 1, case when d = 0 then 'processing' else 'indexed' end, '', 'txt', '', d, d, d * ${lines}, o.lines
    from owners o, generate_series(0, o.docs - 1) d;
    insert into claims (tenant_id, scope_no, generation, claim_no, claim_id, document_id, revision, start_at, end_at, slot_hash, subject, attribute,
      confidence, recorded_at, recorded_round, body)
    select o.tenant_id, o.scope_no, 1, d * ${lines} + s.n, 'clm_' || d || '_' || s.n, 'doc-' || d, 1, 0, 1, s.h, '', '', 1, now(), d, '{}'
    from owners o, generate_series(0, o.docs - 1) d, slots s where s.n < o.lines;
    insert into contradictions (tenant_id, scope_no, generation, contradiction_no, contradiction_id, status, kind, severity, slot_hash, slot_key,
      group_a, group_b, reason, detected_at, detected_round)
    select o.tenant_id, o.scope_no, 1, d * ${lines} + s.n, 'ctr_' || o.scope_no || '_' || d || '_' || s.n, 'open', 'numeric', 'low', s.h, 'item ' || s.n,
      'a', 'b', '', now(), d
    from owners o, generate_series(1, o.docs - 1) d, slots s where s.n < least(${disputed}, o.lines);
    insert into contradiction_sides (tenant_id, scope_no, generation, contradiction_no, side, claim_no, lead)
    select x.tenant_id, x.scope_no, 1, x.contradiction_no, s.side, x.contradiction_no - s.back, true
    from contradictions x, (values ('a', 0), ('b', ${lines})) as s (side, back);
    insert into possible_conflicts (tenant_id, scope_no, generation, possible_no, possible_conflict_id, status, kind, severity, score_micros, claim_a, claim_b,
      reason, detected_at, detected_round)
    select tenant_id, scope_no, 1, contradiction_no, 'pos_' || contradiction_id, 'open', 'numeric', 'low', 1, contradiction_no, contradiction_no - ${lines},
      '', now(), detected_round from contradictions;
    insert into goals (tenant_id, scope_no, generation, document_id, revision, ordinal, live, quote, start_at, end_at, what, done, round)
    select o.tenant_id, o.scope_no, 1, 'doc-' || d, 1, n, true, '', 0, 1, '', false, d from owners o, generate_series(0, o.docs - 1) d, generate_series(1, 20) n;
    insert into claim_terms (tenant_id, scope_no, generation, term, first_claim_no, claim_nos)
    select o.tenant_id, o.scope_no, 1, 'word ' || (d * ${lines} + s.n) % 100, d * ${lines}, array[d * ${lines} + s.n]
    from owners o, generate_series(0, o.docs - 1) d, slots s where s.n < least(o.lines, 40) on conflict do nothing;
    insert into slot_crowds (tenant_id, scope_no, generation, slot_hash, slot_key, live, best_micros)
    select o.tenant_id, o.scope_no, 1, s.h, 'item ' || s.n, 64, 1 from owners o, slots s where s.n < o.lines;
    insert into documents_sent (tenant_id, scope_no, generation, document_id, asked_id, asked_revision, model, sent_at)
    select o.tenant_id, o.scope_no, 1, 'doc-' || d, 'doc-' || a, 1, 'model:m', now()
    from owners o, generate_series(0, o.lines - 1) d, generate_series(0, o.docs - 1) a;
    update documents set text = repeat('x', 200000), profile = '{}' where scope_no = 5;
    alter table scope_heads drop constraint scope_heads_tenant_id_scope_no_fkey;
    insert into scope_heads (tenant_id, scope_no, processing) select tenant_id, scope_no, 1 from owners`)
  // Rows that were replaced above would be read as well until they are cleaned up, which happens at any time.
  await test.owner.query('vacuum analyze')
})
afterAll(() => test.close())

interface Figures {
  rows: number
  pages: number
  /** How each table was read. */
  scans: string[]
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

const scansIn = (node: PlanNode): string[] => [
  ...(node['Relation Name'] === undefined ? [] : [`${node['Node Type']} of ${node['Relation Name']}`]),
  ...(node.Plans ?? []).flatMap(scansIn),
]

const rollback = new Error('rolled back')

/** Runs what `work` sends and explains it, with and without the settings of the planner's transactions. */
async function explain(work: (tx: Transaction) => Promise<unknown>, indexOrder = true, change = (text: string) => text): Promise<Figures> {
  const figures: Figures = { rows: 0, pages: 0, scans: [] }
  const explained = test.db.inTenant(
    tenantId,
    async tx => {
      await tx.query({ text: 'set local plan_cache_mode = force_generic_plan' })
      const sent: Statement[] = []
      await work({
        ...tx,
        query: async statement => {
          sent.push(statement)
          return { rows: [], rowCount: 0 }
        },
      })
      for (const { text, values = [] } of sent) {
        const probe = `probe_${++probes}`
        await tx.query({ text: `prepare ${probe} as ${change(text)}` })
        const { rows } = await tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
          text: `explain (analyze, buffers, format json) execute ${probe} (${values.map(literal).join(', ')})`,
        })
        const plan = rows[0]!['QUERY PLAN'][0].Plan
        figures.rows += plan['Actual Rows']
        figures.pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
        figures.scans.push(...scansIn(plan))
      }
      throw rollback
    },
    { indexOrder, statementTimeoutMs: 60_000 },
  )
  await explained.catch((error: unknown) => {
    if (error !== rollback) throw error
  })
  return figures
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `'{${value.map(each => (each === null ? 'null' : JSON.stringify(String(each)))).join(',')}}'`
  return `'${value}'`
}

const sides = (sql: (side: string) => string) => `
  cross join lateral (${sql('a')}) a
  cross join lateral (${sql('b')}) b
  where x.slot_key is not null`

/** A few pages of the indexes for each key, and for each finding its row, its sides and their claims. */
const mostPages = (keys: number, findings: number) => 5 * (keys + 8 * findings)

const finished = (n: number) => ({
  seq: n,
  documentId: `doc-${n}`,
  revision: 1,
  status: 'indexed' as const,
  round: 100,
  reason: null,
  firstClaimNo: 0,
  claimCount: 0,
  contradictionCount: 0,
  profile: null,
  timings: {},
  extractor: 'x',
  extractorVersion: '1',
  modelOutcome: null,
  comparedModel: null,
})
const slotKeys = new Set(keys.slice(0, 20))
const some = documentIds.slice(0, 3)
const ends = [3, 5, 7].map(line => ({ claimNo: claimNo(1, line), byClaimId: null, reason: 'revised', round: 100 }))

const words = ['word 1', 'word 2', 'no such word']
const found = [1, 2, 3].map(document => claimNo(document, 7))
const anyState = { state: 'live', documentId: null, subject: null, attribute: null, asOf: null, knownAt: null } as const

describe('a statement for one document in a large scope among many small ones', () => {
  it.each([
    // A page or two of the index for each key, and the page of each row.
    ['claims of slots', 200, (tx: Transaction) => readLiveRowsBySlots(tx, place, slotKeys, new Set())],
    [
      'claims of the slots of claims',
      260,
      (tx: Transaction) => readLiveRowsBySlots(tx, place, new Set(), new Set([claimNo(7, 1), claimNo(8, 2)])),
    ],
    ['replaced claims', 60, (tx: Transaction) => readSupersededRows(tx, place, new Set([claimNo(7, 1), claimNo(8, 2)]))],
    ['claims of words', 60, (tx: Transaction) => readTerms(tx, place, words)],
    ['claims of searched words', 60, (tx: Transaction) => readPostings(tx, place, { terms: words, documentId: null })],
    ['claims of searched words in a document', 120, (tx: Transaction) => readPostings(tx, place, { terms: words, documentId: 'doc-7' })],
    ['the newest claim', 10, (tx: Transaction) => newestClaimNo(tx, place)],
    [
      'texts of found claims',
      30,
      (tx: Transaction) => listClaimTexts(tx as TenantTransaction, place, { ...anyState, claimNos: found, after: -1, limit: 100 }),
    ],
    ['claims of findings', 60, (tx: Transaction) => readClaimSides(tx, place, found)],
    ['passages of words', 60, (tx: Transaction) => findSimilarPassages(tx, place, words, 'doc-1')],
    // A few pages for each, and none of their texts, which have 25 each.
    ['documents of a case', 250, (tx: Transaction) => listCase(tx, place, { except: 'doc-1', limit: 400 })],
    ['some documents of a case', 60, (tx: Transaction) => listCase(tx, place, { except: 'doc-1', limit: 5 })],
    ['what models were sent of a document', 40, (tx: Transaction) => listSent(tx, place, 'doc-7', 200)],
    ['forgetting what models were sent of a document', 80, (tx: Transaction) => eraseSent(tx, place, 'doc-7')],
    ['claims of ranges', 60, (tx: Transaction) => readLiveRowsByRanges(tx, place, [{ firstClaimNo: claimNo(7, 0), count: 10 }])],
    ['crowds', 100, (tx: Transaction) => readCrowds(tx, place, [...slotKeys])],
    ['findings of claims', 200, (tx: Transaction) => readFindings(tx, place, { slotKeys: new Set(), claimNos: [claimNo(7, 1)] })],
    ['the most severe contradictions', 100, (tx: Transaction) => listTopContradictions(tx as TenantTransaction, place, 5)],
    ['open contradictions that are signed for', 100, (tx: Transaction) => listLeftOpen(tx, place, 5)],
    ['possible conflicts of claims', 100, (tx: Transaction) => readOpenPossible(tx, place, [claimNo(7, 1)])],
    ['earlier revisions', 120, (tx: Transaction) => readPreviousRevisions(tx, place, some)],
    ['facts', 60, (tx: Transaction) => readFacts(tx, place, some)],
    [
      'what is processed',
      60,
      (tx: Transaction) =>
        stillProcessing(
          tx,
          place,
          some.map(documentId => ({ documentId, revision: 1 })),
        ),
    ],
    ['ends of claims', 200, (tx: Transaction) => endClaims(tx, place, ends)],
    // What is only explained finishes no document, and says so.
    ['ends of documents', 200, (tx: Transaction) => finishDocuments(tx, place, [finished(0)]).catch(() => undefined)],
  ] as const)('reads what it is about: %s', async (_, most, work) => {
    const { pages, scans } = await explain(work)
    expect(pages).toBeLessThan(most)
    expect(scans.length).toBeGreaterThan(0)
    for (const scan of scans) expect(scan).not.toMatch(/^Seq Scan of (?:claims|claim_terms|documents|documents_sent)$/)
  })

  it('reads as much for a finding as for any other, however many there are', async () => {
    const { rows, pages } = await explain(tx => readFindings(tx, place, { slotKeys: new Set(keys), claimNos: allClaims }))
    expect(rows).toBe((documents - 1) * disputed)
    expect(pages).toBeLessThan(mostPages(lines + allClaims.length, rows))
  })

  it('would be noticed if it read the scope for each finding', async () => {
    const joined = (side: string) => `
      select array_agg(f.claim_id order by f.claim_no desc) as ids from (
        select c.claim_id, c.claim_no from contradiction_sides s
        join claims c on c.tenant_id = s.tenant_id and c.scope_no = s.scope_no and c.generation = s.generation and c.claim_no = s.claim_no
        where s.tenant_id = x.tenant_id and s.scope_no = x.scope_no and s.generation = x.generation and s.contradiction_no = x.contradiction_no
          and s.side = '${side}' and c.superseded_at is null
        order by s.claim_no desc limit 65) f`
    const naive = (text: string) => text.slice(0, text.indexOf('cross join lateral (\n  select array_agg')) + sides(joined)
    const few = { slotKeys: new Set(keys.slice(0, 4)), claimNos: [] }
    const { rows, pages } = await explain(tx => readFindings(tx, place, few), false, naive)
    expect(rows).toBe((documents - 1) * 4)
    expect(pages).toBeGreaterThan(mostPages(4, rows))
  })
})
