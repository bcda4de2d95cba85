/**
 * The lists of certificates are kept up to date by whatever changes them: after each step what was kept must be what a look at
 * all rows gives.
 */

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CertifiedLists } from '../../src/kernel/certificate.js'
import type { CertificateV4 } from '../../src/kernel/certificate-payload.js'
import { systemClock } from '../../src/platform/clock.js'
import { getCertificate } from '../../src/scopes/certificates/certificate-view.js'
import { payloadOf } from '../../src/scopes/certificates/certificates.js'
import { certifiedLists, dropOutgrownLists } from '../../src/scopes/certificates/certified-lists.js'
import type { ScopeName, ScopesDeps } from '../../src/scopes/deps.js'
import { attachDocument, registerDocument } from '../../src/scopes/documents/attach.js'
import { discardDocument } from '../../src/scopes/documents/discard.js'
import { eraseDocument } from '../../src/scopes/documents/erase.js'
import { rereadScope } from '../../src/scopes/documents/reread.js'
import { triggerIngest } from '../../src/scopes/documents/trigger.js'
import { decidePossibleConflict, objectToSupersession } from '../../src/scopes/findings/finding-act.js'
import { resetScope } from '../../src/scopes/reset.js'
import { patchScope } from '../../src/scopes/settings.js'
import { lockScopes } from '../../src/store/events/events.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { removeOldGenerations } from '../../src/store/scopes/reset-removal.js'
import { documents } from '../pipeline/harbour.js'
import { openWorld, type PipelineWorld } from '../pipeline/support.js'
import type { TestDatabase } from '../support/clone-database.js'
import { type DocumentSpec, openWorld as openByHand, type ReadDocument, readDocument, type World } from './support.js'

let world: PipelineWorld
let deps: ScopesDeps
let byHand: World
beforeAll(async () => {
  byHand = await openByHand()
  world = await openWorld()
  const { db, hints, logger, certify } = world
  world.startWorker({ faults: 'poison', retryMaxAttempts: 1 })
  deps = { db, hints, logger, certify, clock: systemClock, config: { scopeAutocreate: true } }
})
afterAll(async () => {
  await world.close()
  await byHand.close()
})

const scopeId = 'case'
const said = { reason: 'I was there.', by: 'Ada' }

const settled = (tenantId: string) =>
  world.until('select queued + processing + rereads = 0 from scope_heads where tenant_id = $1', [tenantId])

/** What a certificate would say now: as kept, with every list that has two members or more, and looked up afresh. */
async function lists(
  tenantId: string,
  { db, owner }: TestDatabase = world,
  mostChanges?: number,
): Promise<{ kept: CertifiedLists; fresh: CertifiedLists }> {
  const place = await placeOf(tenantId, owner)
  const read = () =>
    db.inTenant(tenantId, async tx => {
      await lockScopes(tx, [place.scopeNo])
      return certifiedLists(tx, place, { whole: 1, mostChanges })
    })
  const kept = await read()
  await owner.query('delete from certificate_lists where tenant_id = $1', [tenantId])
  return { kept, fresh: await read() }
}

async function placeOf(tenantId: string, owner = world.owner) {
  const { rows } = await owner.query('select scope_no, generation from scopes where tenant_id = $1', [tenantId])
  return { tenantId, scopeNo: Number(rows[0].scope_no), generation: Number(rows[0].generation) }
}

async function agree(tenantId: string, database: TestDatabase = world): Promise<CertifiedLists> {
  const { kept, fresh } = await lists(tenantId, database)
  expect(kept).toEqual(fresh)
  return kept
}

const totals = (found: CertifiedLists) =>
  Object.fromEntries(Object.entries(found).map(([name, { counts }]) => [name, sumOf(Object.values(counts))]))
const sumOf = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0)

it('are what the rows say after every change of them', async () => {
  const tenantId = await world.newTenant()
  const scope = { tenantId, scopeId }
  await world.ingest(Object.entries(documents).map(([documentId, text]) => ({ ...scope, documentId, text })))
  await settled(tenantId)
  const first = await agree(tenantId)
  expect(totals(first)).toMatchObject({ documents: 6, unread: 0 })
  expect(first.documents).toMatchObject({ members: null, digest: expect.stringMatching(/^[0-9a-f]{64}$/) })

  const steps: Record<string, () => Promise<unknown>> = {
    'a new document': () => world.ingest([{ ...scope, documentId: 'late', text: documents.survey.replace('198', '201') }]),
    'a revision': () => world.ingest([{ ...scope, documentId: 'note', text: documents.note.replace('212', '207') }]),
    'a revision with the same text': () => world.ingest([{ ...scope, documentId: 'chart', text: documents.chart }]),
    'attached documents': async () => {
      for (const name of ['one', 'two', 'three']) await attachDocument(deps, scope, { name, document_id: name, text: name })
    },
    'an attached revision': () => attachDocument(deps, scope, { name: 'ledger', document_id: 'ledger', text: 'Another.' }),
    'documents processed elsewhere': async () => {
      for (const name of ['far', 'away'])
        await registerDocument(deps, tenantId, { scope_id: scopeId, name, type: 'txt', status: 'indexed' })
    },
    'another reader': async () => {
      await world.rows(`update documents set extractor_version = '0' where tenant_id = $1 and status = 'indexed'`, [tenantId])
      await rereadScope(deps, scope, {})
    },
    'quarantined documents': async () => {
      await world.ingest(['throws', 'too'].map(documentId => ({ ...scope, documentId, text: `poison:throw ${documentId}` })))
    },
    'a discarded document': () => discardDocument(deps, { ...scope, documentId: 'too', from: 'quarantined', ...said }),
    'an erased document': () => eraseDocument(deps, { ...scope, documentId: 'survey' }),
  }
  for (const [name, step] of Object.entries(steps)) {
    await step()
    await settled(tenantId)
    const { kept, fresh } = await lists(tenantId)
    expect(kept, name).toEqual(fresh)
  }
  // Of the one with an attached revision the one before it still counts.
  expect(totals(await agree(tenantId))).toMatchObject({ documents: 6 })
  expect(await verifyDatabase(world.db)).toMatchObject({ broken: [] })

  await resetScope(deps, scope)
  expect(totals(await agree(tenantId))).toEqual({ documents: 0, unread: 0, possible: 0, supersessions: 0 })
  await removeOldGenerations(world.db, { batchRows: 1000, batches: 1000 })
  const left = `select (select count(*) from certificate_lists) + (select count(*) from certificate_changes) as rows`
  expect(await world.rows(left)).toEqual([{ rows: 0 }])
})

it('leave nothing behind for scopes without a kept list', async () => {
  const tenantId = await world.newTenant()
  await world.ingest(Object.entries(documents).map(([documentId, text]) => ({ tenantId, scopeId, documentId, text })))
  await settled(tenantId)
  expect(await world.rows('select count(*) as rows from certificate_changes')).toEqual([{ rows: 0 }])
})

/** A scope with kept lists whose six documents have changed four times since. */
async function changedOften(): Promise<string> {
  const tenantId = await world.newTenant()
  await world.ingest(Object.entries(documents).map(([documentId, text]) => ({ tenantId, scopeId, documentId, text })))
  await settled(tenantId)
  await agree(tenantId)
  for (const version of ['a', 'b', 'c', 'd'])
    await world.rows('update documents set extractor_version = $2 where tenant_id = $1', [tenantId, version])
  return tenantId
}
const kept = (table: 'certificate_lists' | 'certificate_changes', tenantId: string) =>
  world.rows(`select count(*)::int as rows from ${table} where tenant_id = $1`, [tenantId])

it('take changes page by page without walking over those taken before', async () => {
  const place = await placeOf(await changedOften())
  const walked = await world.db.inTenant(place.tenantId, async tx => {
    const text = `select pg_stat_get_xact_tuples_returned('certificate_changes_pkey'::regclass) as entries`
    const count = async () => (await tx.query<{ entries: number }>({ text })).rows[0]?.entries ?? 0
    await tx.query({ text: 'set local enable_seqscan = off' })
    await tx.query({ text: 'set local enable_bitmapscan = off' })
    const before = await count()
    await certifiedLists(tx, place, { whole: 1 })
    return (await count()) - before
  })
  // Each of 48 is found and taken, where each of 24 pages began at the first.
  expect(walked).toBe(2 * 48)
})

it('are made anew where more has changed than they hold', async () => {
  const tenantId = await changedOften()
  await world.rows(`update certificate_lists set counts = '{"wrong": 9}' where tenant_id = $1`, [tenantId])
  const { kept: made, fresh } = await lists(tenantId, world, 1)
  expect(made).toEqual(fresh)
  expect(await kept('certificate_changes', tenantId)).toEqual([{ rows: 0 }])
})

it('are let go by the leader where they changed too often without a certificate', async () => {
  const tenantId = await changedOften()
  expect(await dropOutgrownLists(world.db, 10)).toBe(0)
  expect(await verifyDatabase(world.db)).toMatchObject({ broken: [] })
  expect(await dropOutgrownLists(world.db, 10, 1)).toBe(1)
  expect([await kept('certificate_lists', tenantId), await kept('certificate_changes', tenantId)]).toEqual([[{ rows: 0 }], [{ rows: 0 }]])
  await agree(tenantId)
})

/** Documents that say different things, with what the reader would be unsure about: settled where all is decided. */
async function read(scopeId: string, specs: readonly DocumentSpec[]) {
  const scope = await byHand.newScope(await byHand.newTenant(), scopeId)
  await patchScope(byHand.deps, scope, { settings: { finality: { possible_conflicts: 'report' } } })
  const found: ReadDocument[] = []
  for (const spec of specs) found.push(await readDocument(byHand, scope, spec))
  return { scope, found }
}

it('hold possible conflicts and supersessions as they stand', async () => {
  const one = (documentId: string, value: string) => ({ documentId, claims: [{ slot: documentId, value }] })
  const { scope, found } = await read('findings', [one('a', '1'), one('b', '2')])
  const [a, b] = found.map(each => each.claimIds[0] ?? '')
  const unsure = [
    { a: a ?? '', b: 0 },
    { a: b ?? '', b: 0 },
  ]
  const supersedes = [{ claimId: a ?? '', by: 0 }]
  const { tenantId } = scope
  await agree(tenantId, byHand)
  found.push(await readDocument(byHand, scope, { ...one('c', '3'), unsure }))
  expect(totals(await agree(tenantId, byHand))).toMatchObject({ possible: 2 })
  found.push(await readDocument(byHand, scope, { ...one('d', '4'), unsure }))
  const [first, second] = found[2]?.possibleIds ?? []
  await decidePossibleConflict(byHand.deps, { tenantId, findingId: first ?? '', verdict: 'dismiss', ...said })
  await decidePossibleConflict(byHand.deps, { tenantId, findingId: second ?? '', verdict: 'promote', ...said })
  const { possible } = await agree(tenantId, byHand)
  expect(possible).toMatchObject({ counts: { open: 2, dismissed: 1, promoted: 1 }, members: null })
  // The claim that is superseded closes what it stood in.
  const ending = await readDocument(byHand, scope, { ...one('e', '5'), supersedes })
  await readDocument(byHand, scope, { ...one('f', '6'), supersedes: [{ claimId: b ?? '', by: 0 }] })
  await agree(tenantId, byHand)
  await objectToSupersession(byHand.deps, { tenantId, findingId: ending.supersessionIds[0] ?? '', ...said })
  expect((await agree(tenantId, byHand)).supersessions.counts).toEqual({ standing: 1, objected: 1 })
  await eraseDocument(byHand.deps, { ...scope, documentId: 'f' })
  expect((await agree(tenantId, byHand)).supersessions.counts).toEqual({ objected: 1 })
})

it('leave out what an erased document replaced, and wait for what counts again to be compared', async () => {
  const one = (documentId: string, ...replaced: string[]) => ({
    documentId,
    claims: [{ slot: 'revenue', value: documentId }],
    supersedes: replaced.map(claimId => ({ claimId, by: 0 })),
  })
  const others = ['x', 'y', 'z'].map(documentId => ({ documentId, claims: [{ slot: documentId, value: documentId }] }))
  const { scope, found } = await read('corrected', [one('draft'), ...others])
  const [draft = ''] = found.flatMap(each => each.claimIds)
  await readDocument(byHand, scope, one('second', draft))
  await readDocument(byHand, scope, one('third', draft))
  const newest = async () => {
    const { certificate, status } = await getCertificate(byHand.deps, scope)
    return { status, ...(payloadOf(certificate) as CertificateV4).supersessions }
  }
  expect(await newest()).toMatchObject({ status: 'current', standing: 2 })
  await eraseDocument(byHand.deps, { ...scope, documentId: 'second' })
  expect(await newest()).toMatchObject({ status: 'current', standing: 1 })
  await eraseDocument(byHand.deps, { ...scope, documentId: 'third' })
  expect(await newest()).toMatchObject({ status: 'superseded', standing: 1 })
})

async function certified(scope: ScopeName) {
  const { documents: read, examined } = payloadOf((await getCertificate(byHand.deps, scope)).certificate) as CertificateV4
  const unread = examined.not_read
  return { read: read.hashes?.map(each => each.document_id), unread: unread.listed?.map(each => `${each.document_id} ${each.status}`) }
}

it('do not rest on a document in the certificate of the round that takes it away', async () => {
  const one = (documentId: string) => ({ documentId, claims: [{ slot: documentId, value: documentId }] })
  const { scope } = await read('taken', [one('a'), one('b'), one('c')])
  expect(await certified(scope)).toEqual({ read: ['a', 'b', 'c'], unread: [] })
  await eraseDocument(byHand.deps, { ...scope, documentId: 'b' })
  expect(await certified(scope)).toEqual({ read: ['a', 'c'], unread: ['b erased'] })
  await attachDocument(byHand.deps, scope, { name: 'd', document_id: 'd', text: 'Nothing.' })
  await triggerIngest(byHand.deps, scope, ['d'])
  await discardDocument(byHand.deps, { ...scope, documentId: 'd', from: 'queued', ...said })
  expect(await certified(scope)).toEqual({ read: ['a', 'c'], unread: ['b erased'] })
})

it('rest on the revision before where a later one was not read', async () => {
  const one = (documentId: string) => ({ documentId, claims: [{ slot: documentId, value: documentId }] })
  const { scope } = await read('revised', [one('a'), one('b'), one('c')])
  const before = payloadOf((await getCertificate(byHand.deps, scope)).certificate) as CertificateV4
  await attachDocument(byHand.deps, scope, { name: 'a', document_id: 'a', text: 'Something else.' })
  await triggerIngest(byHand.deps, scope, ['a'])
  await discardDocument(byHand.deps, { ...scope, documentId: 'a', from: 'queued', ...said })
  const after = payloadOf((await getCertificate(byHand.deps, scope)).certificate) as CertificateV4
  expect(after.documents).toEqual(before.documents)
  expect(after.examined.by_rules).toEqual(before.examined.by_rules)
  expect(after.examined.not_read.listed).toEqual([])
  expect(totals(await agree(scope.tenantId, byHand))).toMatchObject({ documents: 3, unread: 0 })
})
