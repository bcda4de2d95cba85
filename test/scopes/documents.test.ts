import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attachDocument, registerDocument } from '../../src/scopes/documents/attach.js'
import { createDocumentWaits } from '../../src/scopes/documents/document-waits.js'
import { awaitDocument, getDocument, listDocuments } from '../../src/scopes/documents/documents.js'
import { triggerIngest } from '../../src/scopes/documents/trigger.js'
import { getScope } from '../../src/scopes/lifecycle.js'
import { resetScope } from '../../src/scopes/reset.js'
import type { Database } from '../../src/store/server/database.js'
import { eventsOf, openWorld, readDocument, type World } from './support.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const counts = async (scope: { tenantId: string; scopeId: string }) => (await getScope(world.deps, scope)).counts.documents

describe('attaching', () => {
  it('keeps the document without queueing it', async () => {
    const scope = await world.newScope(await world.newTenant(), 'attach')
    const { body, replayed } = await attachDocument(world.deps, scope, {
      name: 'Memo',
      text: 'Revenue was 4.',
      source: 'audit',
      provenance: 'urn:1',
    })
    expect(replayed).toBe(false)
    expect(body).toMatchObject({
      status: 'attached',
      revision: 1,
      type: 'txt',
      source: 'audit',
      provenance: 'urn:1',
      seq: null,
      unchanged: false,
    })
    expect(body.document_id).toMatch(/^doc_[0-9A-Za-z]{22}$/)
    expect(body.content_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(await counts(scope)).toMatchObject({ total: 1, attached: 1, queued: 0 })
    expect((await eventsOf(world, scope)).map(event => [event.seq, event.type])).toEqual([[0, 'document.attached']])
  })

  it('takes a known id as a new revision that replaces the other in the counts', async () => {
    const scope = await world.newScope(await world.newTenant(), 'revise')
    await attachDocument(world.deps, scope, { name: 'One', text: 'one', document_id: 'd' })
    const { body } = await attachDocument(world.deps, scope, { name: 'Two', text: 'two', document_id: 'd' })
    expect(body).toMatchObject({ revision: 2, name: 'Two' })
    expect(await counts(scope)).toMatchObject({ total: 1, attached: 1 })
    expect(await getDocument(world.deps, { ...scope, documentId: 'd', revision: 1 })).toMatchObject({ revision: 1, name: 'One' })
  })

  it('answers a repeated key with the first answer, at once too, and refuses another body', async () => {
    const scope = await world.newScope(await world.newTenant(), 'key')
    const input = { name: 'Memo', text: 'text' }
    const answers = await Promise.all([1, 2, 3].map(() => attachDocument(world.deps, scope, input, 'k1')))
    expect(new Set(answers.map(answer => answer.body.document_id)).size).toBe(1)
    expect(answers.filter(answer => answer.replayed)).toHaveLength(2)
    expect(await counts(scope)).toMatchObject({ total: 1 })
    const other = attachDocument(world.deps, scope, { ...input, text: 'other' }, 'k1')
    await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
  })

  it('refuses scopes that are missing or of another tenant, and quotas that are full', async () => {
    const scope = await world.newScope(await world.newTenant(), 'refuse')
    const input = { name: 'Memo', text: 'text' }
    for (const name of [
      { ...scope, scopeId: 'none' },
      { ...scope, tenantId: await world.newTenant() },
    ]) {
      await expect(attachDocument(world.deps, name, input)).rejects.toMatchObject({ code: 'SCOPE_NOT_FOUND' })
    }
    await world.owner.query(`update tenants set limits = '{"documents": 1}' where tenant_id = $1`, [scope.tenantId])
    await attachDocument(world.deps, scope, { ...input, document_id: 'd' })
    await expect(attachDocument(world.deps, scope, input)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
    await expect(attachDocument(world.deps, scope, { ...input, document_id: 'd' })).resolves.toBeDefined()
  })
})

describe('triggering ingest', () => {
  it('queues everything attached in the order of attaching', async () => {
    const scope = await world.newScope(await world.newTenant(), 'all')
    for (const id of ['z', 'a', 'm']) await attachDocument(world.deps, scope, { name: id, text: id, document_id: id })
    const result = await triggerIngest(world.deps, scope)
    expect(result).toEqual({
      scope_id: 'all',
      queued: 3,
      documents: [
        { document_id: 'z', seq: 3 },
        { document_id: 'a', seq: 4 },
        { document_id: 'm', seq: 5 },
      ],
    })
    expect(await counts(scope)).toMatchObject({ attached: 0, queued: 3, total: 3 })
    const events = await eventsOf(world, scope)
    expect(events[3]).toMatchObject({ seq: 3, type: 'document.queued', data: { document_id: 'z', revision: 1, status: 'queued' } })
    const { rows } = await world.owner.query('select seq::int, document_id from backlog where tenant_id = $1 order by seq', [
      scope.tenantId,
    ])
    expect(rows).toEqual(result.documents.map(({ document_id, seq }) => ({ seq, document_id })))
    expect(await triggerIngest(world.deps, scope)).toMatchObject({ queued: 0, documents: [] })
    expect(world.hinted.get('backlog')).toBeGreaterThan(0)
  })

  it('queues the named ones alone, and nothing when one is unknown', async () => {
    const scope = await world.newScope(await world.newTenant(), 'some')
    for (const id of ['a', 'b']) await attachDocument(world.deps, scope, { name: id, text: id, document_id: id })
    await expect(triggerIngest(world.deps, scope, ['a', 'nope'])).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' })
    await expect(triggerIngest(world.deps, scope, ['a\0'])).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' })
    expect(await counts(scope)).toMatchObject({ attached: 2, queued: 0 })
    expect(await triggerIngest(world.deps, scope, ['b'])).toMatchObject({ queued: 1, documents: [{ document_id: 'b' }] })
    expect(await triggerIngest(world.deps, scope, ['b'])).toMatchObject({ queued: 0 })
  })

  it('goes through more than one batch and shows the first thousand', async () => {
    const scope = await world.newScope(await world.newTenant(), 'many')
    const { rows } = await world.owner.query('select scope_no from scopes where tenant_id = $1', [scope.tenantId])
    await world.owner.query(
      `insert into documents (tenant_id, scope_no, generation, document_id, revision, status, name, type, text, attached_seq)
       select $1, $2, 1, 'd' || n, 1, 'attached', 'd', 'txt', 't', n from generate_series(0, 1199) n`,
      [scope.tenantId, rows[0].scope_no],
    )
    await world.owner.query('update scope_heads set attached = 1200, next_seq = 1200 where tenant_id = $1', [scope.tenantId])
    const result = await triggerIngest(world.deps, scope)
    expect(result.queued).toBe(1200)
    expect(result.documents).toHaveLength(1000)
    expect(await counts(scope)).toMatchObject({ attached: 0, queued: 1200 })
  })

  it('sees nothing of another tenant', async () => {
    const scope = await world.newScope(await world.newTenant(), 'mine')
    await attachDocument(world.deps, scope, { name: 'a', text: 'a', document_id: 'a' })
    const other = { tenantId: await world.newTenant(), scopeId: 'mine' }
    await expect(triggerIngest(world.deps, other)).rejects.toMatchObject({ code: 'SCOPE_NOT_FOUND' })
  })
})

describe('registering', () => {
  it('notes a document that is processed elsewhere and makes the scope on first use', async () => {
    const tenantId = await world.newTenant()
    const input = { scope_id: 'fresh', name: 'Extract', type: 'pdf', provenance: 'urn:register:1' }
    const { body } = await registerDocument(world.deps, tenantId, input)
    expect(body).toMatchObject({ scope_id: 'fresh', status: 'registered', provenance: 'urn:register:1', content_hash: null })
    const indexed = await registerDocument(world.deps, tenantId, { ...input, status: 'indexed' })
    expect(indexed.body.status).toBe('indexed')
    expect(await counts({ tenantId, scopeId: 'fresh' })).toMatchObject({ registered: 1, indexed: 1, total: 2 })
    expect((await eventsOf(world, { tenantId, scopeId: 'fresh' })).map(event => [event.seq, event.type])).toEqual([
      [0, 'document.registered'],
      [1, 'document.registered'],
    ])
  })

  it('honours the key, and makes no scope when that is turned off', async () => {
    const tenantId = await world.newTenant()
    const input = { scope_id: 'keyed', name: 'Extract', type: 'pdf' }
    const [one, two] = await Promise.all([1, 2].map(() => registerDocument(world.deps, tenantId, input, 'k')))
    expect(one?.body.document_id).toBe(two?.body.document_id)
    const strict = { ...world.deps, config: { scopeAutocreate: false } }
    await expect(registerDocument(strict, tenantId, { ...input, scope_id: 'never' })).rejects.toMatchObject({ code: 'SCOPE_NOT_FOUND' })
  })
})

describe('reading documents', () => {
  it('answers a foreign, malformed or missing document alike', async () => {
    const scope = await world.newScope(await world.newTenant(), 'read')
    await attachDocument(world.deps, scope, { name: 'a', text: 'a', document_id: 'a' })
    const other = await world.newScope(await world.newTenant(), 'read')
    for (const name of [
      { ...scope, documentId: 'b' },
      { ...scope, documentId: 'a\0' },
      { ...other, documentId: 'a' },
    ]) {
      await expect(getDocument(world.deps, name)).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' })
    }
  })

  const waits = () => createDocumentWaits(world.deps)

  it('waits for the outcome, and answers as soon as it is there', async () => {
    const scope = await world.newScope(await world.newTenant(), 'wait')
    const started = performance.now()
    await attachDocument(world.deps, scope, { name: 'late', text: 'late', document_id: 'late' })
    const outcome = awaitDocument(world.deps, waits(), { ...scope, documentId: 'late', wait: 30 })
    await readDocument(world, scope, { documentId: 'late', claims: [{ slot: 's', value: '1' }] })
    world.deps.hints.notify('events')
    expect(await outcome).toMatchObject({ status: 'indexed', counts: { claims: 1 }, timings: { stages: { extract: 3 } } })
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  it('wakes whoever waits by document: hundreds who wait for one that does not move ask nothing', async () => {
    const scope = await world.newScope(await world.newTenant(), 'still')
    for (const id of ['still', 'moves']) await attachDocument(world.deps, scope, { name: id, text: id, document_id: id })
    const asked = { reads: 0, looks: 0 }
    const db: Database = {
      ...world.deps.db,
      inTenant: (tenantId, work, how) => {
        asked.reads++
        return world.deps.db.inTenant(tenantId, work, how)
      },
      engineQuery: (text, values) => {
        asked.looks++
        return world.deps.db.engineQuery(text, values)
      },
    }
    const deps = { ...world.deps, db }
    const shared = createDocumentWaits(deps)
    const controller = new AbortController()
    const wait = (documentId: string) => awaitDocument(deps, shared, { ...scope, documentId, wait: 30, signal: controller.signal })
    const still = Array.from({ length: 200 }, () => wait('still'))
    const moves = wait('moves')
    await expect.poll(() => asked.reads).toBe(201)
    // Events elsewhere, as a busy service has them all the time.
    const busy = setInterval(() => deps.hints.notify('events'), 2)
    await readDocument(world, scope, { documentId: 'moves', claims: [] })
    expect(await moves).toMatchObject({ status: 'indexed' })
    clearInterval(busy)
    expect(asked.reads).toBe(202)
    controller.abort()
    for (const record of await Promise.all(still)) expect(record.status).toBe('attached')
  })

  it('ends a wait when the document disappears with a reset', async () => {
    const scope = await world.newScope(await world.newTenant(), 'gone')
    await attachDocument(world.deps, scope, { name: 'a', text: 'a', document_id: 'a' })
    const wait = awaitDocument(world.deps, waits(), { ...scope, documentId: 'a', wait: 30 })
    wait.catch(() => undefined)
    await resetScope(world.deps, scope)
    await expect(wait).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' })
  })

  it('answers what there is when the wait ends or the caller goes away', async () => {
    const scope = await world.newScope(await world.newTenant(), 'patience')
    await attachDocument(world.deps, scope, { name: 'a', text: 'a', document_id: 'a' })
    expect(await awaitDocument(world.deps, waits(), { ...scope, documentId: 'a', wait: 0.05 })).toMatchObject({ status: 'attached' })
    const controller = new AbortController()
    const left = awaitDocument(world.deps, waits(), { ...scope, documentId: 'a', wait: 30, signal: controller.signal })
    controller.abort()
    expect(await left).toMatchObject({ status: 'attached' })
  })

  it('lists by status and in pages', async () => {
    const scope = await world.newScope(await world.newTenant(), 'list')
    for (const id of ['a', 'b', 'c']) await attachDocument(world.deps, scope, { name: id, text: id, document_id: id })
    await triggerIngest(world.deps, scope, ['b'])
    const first = await listDocuments(world.deps, { ...scope, status: 'attached', limit: 1 })
    expect(first.items.map(item => item.document_id)).toEqual(['a'])
    const second = await listDocuments(world.deps, { ...scope, status: 'attached', limit: 1, cursor: first.next ?? '' })
    expect(second.items.map(item => item.document_id)).toEqual(['c'])
    const misused = listDocuments(world.deps, { ...scope, status: 'queued', cursor: first.next ?? '' })
    await expect(misused).rejects.toMatchObject({ code: 'CURSOR_INVALID' })
    expect((await listDocuments(world.deps, scope)).items).toHaveLength(3)
    const longest = '𝒶'.repeat(200)
    for (const id of [longest, `${longest.slice(2)}𝓏`]) await attachDocument(world.deps, scope, { name: id, text: id, document_id: id })
    const paged = await listDocuments(world.deps, { ...scope, limit: 4 })
    expect(paged.next?.length).toBeLessThanOrEqual(2000)
    expect((await listDocuments(world.deps, { ...scope, limit: 4, cursor: paged.next ?? '' })).items).toHaveLength(1)
    const other = await world.newScope(await world.newTenant(), 'list')
    expect(await listDocuments(world.deps, other)).toEqual({ items: [], next: null })
  })
})
