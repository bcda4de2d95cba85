/**
 * Texts that bring what PostgreSQL cannot hold: halves of surrogate pairs and NUL, decoded from escapes or left where a text is
 * cut. They are read, compared, decided on, moved and erased like any other.
 */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { replayScope } from '../../src/pipeline/replay/replay.js'
import { exportTenant } from '../../src/store/maintenance/tenant-export.js'
import { importTenant } from '../../src/store/maintenance/tenant-import.js'
import { type ModelServer, startModelServer } from '../models/model-server.js'
import { says } from '../models/scripted-model.js'
import { cloneDatabase } from '../support/clone-database.js'
import { startTestService, type TestService } from '../support/service.js'

const atCut = (start: string) => `${start.padEnd(200, ' and the notes of the clerk').slice(0, 199)}😀 which nobody else has read`
const record = (status: string, more: string) =>
  JSON.stringify({ Project: 'Harbour Bridge 12', 'Approval status': 'STATUS', Remark: 'MORE' })
    .replace('STATUS', status)
    .replace('MORE', more)
const approved = atCut('The council approved the Harbour Bridge 12 according to the minutes')
const rejected = atCut('The council never allowed anybody to build the Harbour Bridge 12')
const long = 'The clerk of the council keeps the drawings of the bridge in the cellar of the town hall. '
const documents = {
  half: { type: 'json', text: record('approved \\ud800', `${long}${long}The \\udc00 plan is complete.`) },
  nul: { type: 'json', text: record('rejected \\udc00', `${long}${long}The \\u0000 plan \\u0000 has gaps.`) },
  emoji: { type: 'txt', text: `Report on the Harbour Bridge 12\n\n${approved}.\n\nApproval status: ${atCut('approved in the end')}\n` },
  letter: { type: 'txt', text: `Letter on the Harbour Bridge 12\n\n${rejected}.\n\nApproval status: ${atCut('rejected in the end')}\n` },
}

let model: ModelServer
let service: TestService
let tenant: { tenant_id: string; api_key: string }
let key: Record<string, string>

beforeAll(async () => {
  model = await startModelServer([says(contradicting)])
  service = await startTestService({ MODEL_URL: model.url, MODEL_NAME: 'reader-1', MODEL_TIMEOUT_MS: '20000' })
  tenant = await service.createTenant()
  key = { 'x-tenant-api-key': tenant.api_key }
})
afterAll(async () => {
  await service.stop()
  await model.close()
})

/** The two sentences contradict each other, for a reason as long as it may be and an emoji longer. */
const contradicting = {
  ...{ a: 'never allowed anybody', b: 'The council approved the Harbour', subject: 'Harbour Bridge', attribute: 'permission' },
  reason: `${'one allows what the other denies '.repeat(8).slice(0, 239)}😀`,
}

async function read(documentId: string, { type, text }: { type: string; text: string }): Promise<unknown> {
  const body = { scope_id: 'bridge', name: documentId, document_id: documentId, source: documentId, type, text }
  expect((await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })).status).toBe(202)
  return (await service.call('GET', `/api/documents/${documentId}?scope_id=bridge&wait=30`, { headers: key })).body
}

it('are read, compared, decided on, moved and erased', { timeout: 120_000 }, async () => {
  for (const [documentId, document] of Object.entries(documents))
    expect(await read(documentId, document)).toMatchObject({ status: 'indexed', model: 'answered' })
  const claims = (await service.call('GET', '/api/scopes/bridge/claims', { headers: key })).body.items
  for (const { document_id: id, quote } of claims) expect(documents[id as keyof typeof documents].text).toContain(quote)
  const replayed = await replayScope(service.database.db, { tenantId: tenant.tenant_id, scopeId: 'bridge' })
  expect(replayed).toMatchObject({ ok: true, complete: true, documents: { read: 4 } })

  const lines: string[] = []
  await exportTenant(service.database.db, tenant.tenant_id, async line => void lines.push(line))
  const elsewhere = await cloneDatabase({ tenantPool: 2, enginePool: 2 })
  try {
    expect((await importTenant(elsewhere.db, from(lines))).rows['claims']).toBeGreaterThanOrEqual(claims.length)
  } finally {
    await elsewhere.close()
  }

  const found = (await service.call('GET', '/api/scopes/bridge/contradictions?status=open', { headers: key })).body.items
  expect(found).toContainEqual(
    expect.objectContaining({ found_by: 'model:reader-1', reason: expect.stringMatching(/^one allows .*(?<!\ufffd)$/) }),
  )
  for (const { contradiction_id: id } of found) {
    const resolution = { verdict: 'both', reason: 'Both were said.', by: 'j.doe' }
    expect((await service.call('POST', `/api/contradictions/${id}/resolution`, { headers: key, body: resolution })).status).toBe(200)
  }
  for (const documentId of Object.keys(documents)) {
    const erased = await service.call('DELETE', `/api/documents/${documentId}?scope_id=bridge`, { headers: key })
    expect([documentId, erased.status]).toEqual([documentId, 200])
  }
})

async function* from(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}
