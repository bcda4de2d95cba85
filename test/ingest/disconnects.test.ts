import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { startTestService, type TestService } from '../support/service.js'
import { range } from './support.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ ROLE: 'api' })
})
afterAll(() => service.stop())

/** Sends all of a request but its last `held` bytes (negative: everything), and goes away at once. */
async function sendAndLeave(tenantId: string, n: number, held: number): Promise<void> {
  const body = JSON.stringify({ scope_id: 'case', name: 'A report', text: 'x'.repeat(2000), document_id: `d${n}` })
  const head = `POST /api/ingest HTTP/1.1\r\nhost: test\r\nx-tenant-id: ${tenantId}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
  const request = head + body
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  socket.on('error', () => socket.destroy())
  await once(socket, 'connect')
  await new Promise<void>(resolve => socket.write(held < 0 ? request : request.slice(0, -held), () => resolve()))
  if (held < 0) socket.destroy()
  else socket.resetAndDestroy()
}

it('leaves a document either there or not when clients go away in the middle, and nothing else behind', async () => {
  const { tenant_id: tenantId } = await service.createTenant()
  const ingest = (document_id: string) =>
    service.call('POST', '/api/ingest', {
      headers: { 'x-tenant-id': tenantId },
      body: { scope_id: 'case', name: 'A report', text: 'x', document_id },
    })
  await ingest('first')
  await Promise.all(range(200).map(n => sendAndLeave(tenantId, n, n % 2 === 0 ? -1 : 1 + (n % 1900))))
  const last = await ingest('last')
  expect(last.status).toBe(202)
  const count = async (what: string) => {
    const { rows } = await service.database.owner.query(`select count(*)::int as count from ${what}`, [tenantId])
    return rows[0].count as number
  }
  // Whole requests may or may not have been read before the client was gone; halves never become documents.
  await expect.poll(() => count(`documents where tenant_id = $1 and document_id ~ '[02468]$'`)).toBeGreaterThan(0)
  expect(await count(`documents where tenant_id = $1 and document_id ~ 'd[0-9]*[13579]$'`)).toBe(0)
  expect((await verifyDatabase(service.database.db)).broken).toEqual([])
  expect((await ingest('after')).status).toBe(202)
})
