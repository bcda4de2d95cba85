import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { invariants } from '../../src/store/maintenance/verify-invariants.js'
import { standingPromise } from '../../src/store/maintenance/verify-standing.js'
import { documentFor, makeTenant, openIngest, range } from '../ingest/support.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'

let test: TestDatabase
beforeAll(async () => {
  test = await cloneDatabase()
})
afterAll(() => test.close())

let tenantId: string
beforeEach(async () => {
  tenantId = await makeTenant(test.db)
  const ingest = openIngest(test)
  await Promise.all(
    range(5).map(n => ingest.accept(documentFor(tenantId, 'case', { document_id: `d${n % 3}`, text: `${n}`, key: `k${n}` }))),
  )
})

const ofTenant = async () => (await verifyDatabase(test.db)).broken.filter(found => found.tenantId === tenantId)

it('finds nothing to say about a sound database', async () => {
  const result = await verifyDatabase(test.db)
  expect(await ofTenant()).toEqual([])
  expect(result.invariants.map(({ name }) => name)).toEqual(promised)
  expect(result).toMatchObject({ scopes: expect.any(Number), documents: expect.any(Number), events: expect.any(Number) })
})

const promised = [...invariants, standingPromise].map(({ name }) => name)

/** What could go wrong, one thing at a time, and which promise notices. */
const damages: [name: string, sql: string][] = [
  ['scope.rows', 'delete from scope_leases where tenant_id = $1'],
  [
    'scope.number',
    `insert into scope_tombstones (tenant_id, scope_id, scope_no, generation, version, fence, next_seq, oldest_seq)
     select tenant_id, 'before', scope_no, 1, 0, 0, 0, 0 from scopes where tenant_id = $1`,
  ],
  ['log.gapless', `delete from events where tenant_id = $1 and scope_no > 0 and seq = 2`],
  ['log.gapless', 'update scope_heads set next_seq = next_seq + 1 where tenant_id = $1'],
  ['log.commit_order', `update events set xid = '1' where tenant_id = $1 and scope_no > 0 and seq = 3`],
  ['log.orphans', `insert into events (tenant_id, scope_no, seq, type, data) values ($1, 999999, 0, 'document.queued', '{}')`],
  ['document.has_event', `update events set type = 'document.held' where tenant_id = $1 and scope_no > 0 and seq = 1`],
  ['event.has_document', `delete from documents where tenant_id = $1 and seq = 4`],
  ['document.one_seq', 'update documents set seq = 0 where tenant_id = $1 and seq = 1'],
  ['document.revisions', 'update documents set current = true where tenant_id = $1'],
  ['backlog.has_document', `update documents set status = 'indexed' where tenant_id = $1 and seq = 1`],
  ['document.in_backlog', 'delete from backlog where tenant_id = $1 and seq = 1'],
  ['head.has_backlog', 'update scope_heads set has_backlog = false where tenant_id = $1'],
  ['head.rereads', 'update scope_heads set rereads = rereads + 1 where tenant_id = $1'],
  ['head.counts', 'update scope_heads set queued = queued + 1 where tenant_id = $1'],
  [
    'state.figures',
    `insert into scope_states (tenant_id, scope_no, generation, aggregates, decision_hash)
     select tenant_id, scope_no, generation, '{"possibleOpen": 1}', '' from scopes where tenant_id = $1`,
  ],
  [
    'state.passages',
    `insert into scope_states (tenant_id, scope_no, generation, aggregates, decision_hash, passages)
     select tenant_id, scope_no, generation, '{}', '', 1 from scopes where tenant_id = $1`,
  ],
  ['head.state', "update scope_heads set finality = 'review' where tenant_id = $1"],
  ['tenant.usage', 'update tenant_usage set documents = documents + 1 where tenant_id = $1'],
  [
    'claim.current_reading',
    `with admitted as (update documents set status = 'indexed', round = 1 where tenant_id = $1 and seq = 1 returning *)
     insert into claims (tenant_id, scope_no, generation, claim_no, claim_id, document_id, revision, start_at, end_at, subject, attribute, body,
       confidence, slot_hash, recorded_round, recorded_at)
     select tenant_id, scope_no, generation, 0, 'clm_0', document_id, revision, 0, 1, '', '', '{}', 1, 0, 1, now() from admitted`,
  ],
  [
    'supersession.by_erased',
    `with erased as (update documents set erased_at = now() where tenant_id = $1 and seq = 1 returning *),
     said as (
       insert into claims (tenant_id, scope_no, generation, claim_no, claim_id, document_id, revision, start_at, end_at, subject, attribute, body,
         confidence, slot_hash, recorded_round, recorded_at, superseded_at)
       select tenant_id, scope_no, generation, 1, 'clm_1', document_id, revision, 0, 1, '', '', '{}', 1, 0, 1, now(), now() from erased)
     insert into supersessions (tenant_id, scope_no, generation, supersession_no, supersession_id, status, kind, claim_no, by_claim_no, reason,
       detected_at, detected_round)
     select tenant_id, scope_no, generation, 0, 'sup_0', 'standing', 'words', 0, 1, '', now(), 1 from erased`,
  ],
  [
    'certificate.lists',
    `insert into certificate_lists (tenant_id, scope_no, generation, list, sum, counts)
     select tenant_id, scope_no, generation, 'unread', decode(repeat('00', 2048), 'hex'), '{"": 1}' from scopes where tenant_id = $1`,
  ],
  [
    'standing',
    `with admitted as (update documents set status = 'indexed', round = 1 where tenant_id = $1 and seq = 4 returning *)
     insert into claims (tenant_id, scope_no, generation, claim_no, claim_id, document_id, revision, start_at, end_at, subject, attribute, body,
       confidence, slot_hash, recorded_round, recorded_at, superseded_at)
     select tenant_id, scope_no, generation, 2, 'clm_2', document_id, revision, 0, 1, '', '', '{}', 1, 0, 1, now(), now() from admitted`,
  ],
  ['key.has_document', `update idempotency_keys set response = '{"document_id":"gone","seq":0}' where tenant_id = $1 and key = 'k0'`],
]

describe('a damaged database', () => {
  it.each(damages)('breaks %s by: %s', async (name, sql) => {
    await test.owner.query(sql, [tenantId])
    expect((await ofTenant()).map(found => found.invariant)).toContain(name)
  })

  it('has a damage for every promise', () => {
    expect(new Set(damages.map(([name]) => name))).toEqual(new Set(promised))
  })
})
