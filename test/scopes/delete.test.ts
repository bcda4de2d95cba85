/** Deleting a scope of a running service: what is gone, what stays, and what happens when its name is used again. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyWithChains } from '../../src/cli/verify-with-chains.js'
import { createClient, type ServiceEvent } from '../../src/client/index.js'
import { removeDeletedScopes } from '../../src/store/scopes/reset-removal.js'
import { dumpDatabase, tablesWith } from '../support/dump-database.js'
import { startTestService, type TestService } from '../support/service.js'
import { type Receiver, startReceiver } from '../webhooks/receiver.js'

let service: TestService
let receiver: Receiver
let tenant: { tenant_id: string; api_key: string }
let client: ReturnType<typeof createClient>

beforeAll(async () => {
  service = await startTestService({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { examination: 'none' })
})
afterAll(() => service.stop())
beforeEach(async () => {
  receiver = await startReceiver()
  tenant = await service.createTenant()
  client = createClient({ url: service.url, tenantKey: tenant.api_key, internalsKey: service.internalsKey })
})
afterEach(() => receiver.close())

const words = ['wyndcast', 'plumquist', 'fjordbek']

async function handIn(documentId: string, issuer: string): Promise<void> {
  const text = `${issuer}\nWyndcaster note on Aurelia Holding\nIssued by: ${issuer}\nDate: 2026-03-01\n\n## Key figures FY2025 of Aurelia Holding\n\nRevenue: EUR 33.9M\nStaff: 140\nThe chairman is Mr Plumquist.\n`
  await client.ingest({ scope_id: 'case', name: `Wyndcaster ${documentId}`, document_id: documentId, source: issuer, text })
  expect((await client.document('case', documentId, { wait: 30 })).status).toBe('indexed')
}

async function clear(): Promise<void> {
  while ((await removeDeletedScopes(service.database.db, { batchRows: 50, batches: 5 })).more);
}

const sql = (text: string, values: unknown[] = []) => service.database.owner.query(text, values)
const broken = async () => (await verifyWithChains(service.database.db)).broken
const isGone = { code: 'SCOPE_NOT_FOUND' }

describe('a deleted scope', { timeout: 120_000 }, () => {
  it('leaves no word, tells its readers, and keeps withdrawn certificates', async () => {
    await client.createScope({ scope_id: 'case', display_name: 'Fjordbekk affair' })
    await client.admin.patchScope('case', { display_name: 'The Fjordbekk affair' })
    await client.createWebhook({ url: receiver.url, events: ['scope.*', 'certificate.withdrawn'] })
    for (const [index, issuer] of ['Notary Keller', 'Bank Nord', 'Register Court', 'Tax Office'].entries())
      await handIn(`n-${index}`, issuer)
    const file = new Blob(['Mr Plumquist keeps the Fjordbekk plant.'])
    const { document_id: fileId } = await client.ingestFile(file, { scope_id: 'case', name: 'plumquist.txt' })
    expect((await client.document('case', fileId as string, { wait: 30 })).status).toBe('indexed')
    await client.reportContradiction({
      scope_id: 'case',
      claim_a: 'Plumquist sold it.',
      claim_b: 'Plumquist kept it.',
      source_a: 'Wyndcaster',
      source_b: 'press',
      severity: 'low',
    })
    const [issued] = await client.certificates('case').toArray()
    const { next_seq } = (await sql('select next_seq::int from scope_heads where tenant_id = $1', [tenant.tenant_id])).rows[0]
    expect(tablesWith(await dumpDatabase(service.database.owner), words)).toEqual(
      expect.arrayContaining(['claims', 'documents', 'events', 'idempotency_keys', 'scopes']),
    )

    const told: ServiceEvent[] = []
    const followed = (async () => {
      for await (const event of client.events('case', { after: next_seq - 1 })) told.push(event)
    })()
    const deleted = await client.deleteScope('case')
    const certificates = deleted.certificates_withdrawn
    expect(certificates).toBeGreaterThan(0)
    expect(deleted).toMatchObject({ scope_id: 'case', generation: 1, seq: next_seq + certificates, documents: 5 })

    // The stream tells of the end and is over; there is no scope to follow after that.
    await expect(followed).rejects.toMatchObject(isGone)
    expect(told.map(event => event.type)).toEqual([...Array(certificates).fill('certificate.withdrawn'), 'scope.deleted'])
    await receiver.until(all => all.some(one => one.event.type === 'scope.deleted'))
    expect(receiver.received.map(one => one.event.type)).toContain('certificate.withdrawn')
    await expect(client.summary('case')).rejects.toMatchObject(isGone)
    await expect(client.deleteScope('case')).rejects.toMatchObject(isGone)
    expect(await client.scopes().toArray()).toEqual([])
    expect((await client.me()).usage).toMatchObject({ documents: 0, scopes: 0 })
    expect((await client.certificate('case')).status).toBe('withdrawn')
    expect((await client.certificates('case').toArray())[0]).toMatchObject({ sha256: issued?.sha256, status: 'withdrawn' })
    expect(await client.withdrawnCertificates('case')).toMatchObject({ count: certificates })

    await clear()
    expect(tablesWith(await dumpDatabase(service.database.owner), words)).toEqual([])
    expect(await broken()).toEqual([])
  })

  it('goes on counting when its name is used again', async () => {
    await handIn('first', 'Notary Keller')
    const { seq, chain } = await client.deleteScope('case')
    expect(await client.createScope({ scope_id: 'case' })).toMatchObject({ generation: 2, counts: { claims: 0, documents: { total: 0 } } })
    // Before anything was cleared away as well as after.
    expect(await broken()).toEqual([])
    const { seq: next } = await client.ingest({
      scope_id: 'case',
      name: 'n',
      document_id: 'first',
      text: 'Revenue of Aurelia Holding was EUR 5M.',
    })
    expect(next).toBe(seq + 1)
    expect(await client.document('case', 'first', { wait: 30 })).toMatchObject({ status: 'indexed', revision: 1 })
    const [decision] = await client.decisions('case').toArray()
    expect([chain.length > 0, decision?.prev_hash]).toEqual([true, chain.head])
    await clear()
    expect(await broken()).toEqual([])
    expect(await client.claims('case').toArray()).not.toEqual([])
    for await (const event of client.events('case', { after: -1 })) {
      expect(event).toMatchObject({ type: 'stream.gap', data: { requested: -1, oldest: seq } })
      break
    }
    expect((await client.deleteScope('case')).generation).toBe(2)
    await clear()
    expect(await broken()).toEqual([])
  })

  it('takes what others do with it meanwhile into one order', async () => {
    const seqs: number[] = []
    for (let turn = 0; turn < 4; turn++) {
      const queued = Array.from({ length: 8 }, (_, n) =>
        client.ingest({ scope_id: 'case', name: 'n', document_id: `d-${n}`, text: `Revenue of Aurelia Holding was EUR ${turn}${n}M.` }),
      )
      const deletions = [queued[0], queued[4]].map(async before => {
        await before
        return client.deleteScope('case').then(
          ({ seq }) => seq,
          (problem: { code: string }) => problem.code,
        )
      })
      const answers = [...(await Promise.all(queued)).map(({ seq }) => seq), ...(await Promise.all(deletions))]
      seqs.push(...answers.filter(each => typeof each === 'number'))
    }
    // Certificates and outcomes have places of their own in between; none was given twice.
    expect(new Set(seqs).size).toBe(seqs.length)
    expect(seqs.length).toBeGreaterThan(32)
    await expect
      .poll(async () =>
        (await client.scopes().toArray()).every(each => each.counts.documents.queued + each.counts.documents.processing === 0),
      )
      .toBe(true)
    await clear()
    expect(await broken()).toEqual([])
  })

  it('is nothing that another tenant, or a key without the right, can do', async () => {
    await client.createScope({ scope_id: 'case' })
    const other = await service.createTenant()
    await expect(createClient({ url: service.url, tenantKey: other.api_key }).deleteScope('case')).rejects.toMatchObject(isGone)
    const { api_key } = await client.admin.createKey(tenant.tenant_id, { label: 'eraser', rights: ['read', 'ingest', 'decide', 'erase'] })
    await expect(createClient({ url: service.url, tenantKey: api_key }).deleteScope('case')).rejects.toMatchObject({ status: 403 })
    expect((await client.scopes().toArray()).map(each => each.scope_id)).toEqual(['case'])
  })
})
