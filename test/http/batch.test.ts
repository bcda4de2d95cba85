/** Documents handed in together: an answer for each, in order, and a fault of one is no fault of another. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ INGEST_FLUSH_ROWS: '16' })
})
afterAll(() => service.stop())

const documentIn = (scope_id: string, more: object = {}) => ({ scope_id, name: 'A note', text: 'The depot has 12 pumps.', ...more })

async function hand(documents: unknown, headers: Record<string, string>) {
  return service.call('POST', '/api/ingest/batch', { headers, body: { documents } })
}

/** What each document alone would have been answered with: one that was accepted is no problem. */
const statusesOf = ({ items }: { items: { status?: number }[] }) => items.map(({ status }) => status ?? 202)

describe('a batch of documents', () => {
  it('answers for each in order, and seq follows the array though a flush holds fewer', async () => {
    const tenant = await service.createTenant()
    const headers = { 'x-tenant-id': tenant.tenant_id }
    const batches = [0, 1, 2].map(batch =>
      hand(
        Array.from({ length: 60 }, (_none, index) => documentIn('together', { document_id: `${batch}-${index}` })),
        headers,
      ),
    )
    for (const [batch, { status, body }] of (await Promise.all(batches)).entries()) {
      expect(status).toBe(200)
      expect(body).toMatchObject({ accepted: 60, refused: 0 })
      const named = body.items.map((item: { document_id: string }) => item.document_id)
      expect(named).toEqual(Array.from({ length: 60 }, (_none, index) => `${batch}-${index}`))
      const seqs = body.items.map((item: { seq: number }) => item.seq)
      expect(seqs).toEqual([...seqs].sort((a: number, b: number) => a - b))
    }
  })

  it('refuses what is wrong in its own entry and stores the rest', async () => {
    const tenant = await service.createTenant()
    const headers = { 'x-tenant-id': tenant.tenant_id }
    const { status, body } = await hand(
      [
        documentIn('mixed', { document_id: 'first' }),
        documentIn('mixed', { text: '' }),
        documentIn('Mixed Case'),
        'no document',
        documentIn('mixed', { name: 'nul\u0000' }),
        documentIn('mixed', { more: 1 }),
        documentIn('mixed', { idempotency_key: 'k', document_id: 'keyed' }),
        documentIn('mixed', { idempotency_key: 'k', document_id: 'keyed' }),
        documentIn('mixed', { idempotency_key: 'k', document_id: 'other' }),
        documentIn('mixed', { document_id: 'last' }),
      ],
      headers,
    )
    expect(status).toBe(200)
    expect(statusesOf(body)).toEqual([202, 400, 400, 400, 400, 400, 202, 202, 422, 202])
    expect(body).toMatchObject({ accepted: 4, refused: 6 })
    expect(body.items[1]).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ pointer: '/text' }] })
    expect(body.items[7]).toEqual(body.items[6])
    expect(body.replayed).toEqual([7])
    expect(body.items[8].code).toBe('IDEMPOTENCY_KEY_REUSED')
    expect(body.items[9].seq).toBeGreaterThan(body.items[6].seq)
    const alone = await service.call('POST', '/api/ingest', {
      headers,
      body: documentIn('mixed', { idempotency_key: 'k', document_id: 'keyed' }),
    })
    expect(body.items[7]).toEqual(alone.body)
    const wrong = await service.call('POST', '/api/ingest', { headers, body: documentIn('mixed', { text: '' }) })
    expect(body.items[1]).toEqual({ ...wrong.body, request_id: body.items[1].request_id })
  })

  it('counts each against the rate and the quotas of the tenant', async () => {
    const tenant = await service.createTenant()
    const headers = { 'x-tenant-id': tenant.tenant_id }
    const limits = (body: object) => service.admin('PUT', `/admin/tenants/${tenant.tenant_id}/limits`, body)
    expect((await limits({ documents: 3 })).status).toBe(200)
    const five = () => Array.from({ length: 5 }, () => documentIn('counted'))
    const full = await hand(five(), headers)
    expect(statusesOf(full.body)).toEqual([202, 202, 202, 403, 403])
    expect(full.body.items[3].code).toBe('QUOTA_EXCEEDED')
    await limits({ documents: null, requests_per_second: 4 })
    const limited = async () =>
      (
        await hand(
          Array.from({ length: 12 }, () => documentIn('counted')),
          headers,
        )
      ).body
    // What is remembered of a tenant follows its limits within a second, and a batch may lie across two seconds.
    await expect.poll(limited, { interval: 1000 }).toMatchObject({ accepted: 4, refused: 8 })
  })

  it('holds each document against the scopes of the key', async () => {
    const tenant = await service.createTenant()
    const made = await service.admin('POST', `/admin/tenants/${tenant.tenant_id}/keys`, { scopes: ['mine'], rights: ['ingest'] })
    const { body } = await hand([documentIn('mine'), documentIn('other')], { 'x-tenant-api-key': made.body.api_key })
    expect(statusesOf(body)).toEqual([202, 403])
    const reader = await service.admin('POST', `/admin/tenants/${tenant.tenant_id}/keys`, { rights: ['read'] })
    const refused = await hand([documentIn('mine')], { 'x-tenant-api-key': reader.body.api_key })
    expect(refused).toMatchObject({ status: 403, body: { code: 'RIGHTS_INSUFFICIENT' } })
  })

  it('is refused whole when it is none, too many or too large', async () => {
    const tenant = await service.createTenant()
    const headers = { 'x-tenant-id': tenant.tenant_id }
    for (const wrong of [[], Array.from({ length: 201 }, () => documentIn('whole')), {}, undefined]) {
      expect((await hand(wrong, headers)).body).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    }
    const long = 'A depot. '.repeat(11_000)
    const large = await hand(
      Array.from({ length: 80 }, () => documentIn('whole', { text: long })),
      headers,
    )
    expect(large.body).toMatchObject({ accepted: 80 })
    const tooLarge = await hand(
      Array.from({ length: 90 }, () => documentIn('whole', { text: long })),
      headers,
    )
    expect(tooLarge.body).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
  })
})
