/** That something was withdrawn while a document was asked about is what the document says, whatever comes of the questions after it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Behaviour, status } from '../models/model-server.js'
import { isConfirming, isSettling, says } from '../models/scripted-model.js'
import { type ModelService, startModelService } from '../support/model-service.js'

let place: ModelService
let tenant: { tenant_id: string; api_key: string }

beforeAll(async () => {
  place = await startModelService({ RETRY_MAX_ATTEMPTS: '1' })
  tenant = await place.service.createTenant()
})
afterAll(() => place.stop())

async function handIn(scopeId: string, documentId: string, text: string): Promise<{ model: string | null }> {
  const headers = { 'x-tenant-api-key': tenant.api_key }
  const body = { scope_id: scopeId, document_id: documentId, name: `${documentId}.txt`, text }
  expect((await place.service.call('POST', '/api/ingest', { headers, body })).status).toBe(202)
  return (await place.service.call('GET', `/api/documents/${documentId}?scope_id=${scopeId}&wait=30`, { headers })).body
}

/** Keeps a document from models, and fails so that the question is tried again. */
function withdraws(scopeId: string, documentId: string): Behaviour {
  const headers = { authorization: `Bearer ${place.service.adminKey}`, 'x-tenant-api-key': tenant.api_key }
  return async (response, request) => {
    const path = `/admin/scopes/${scopeId}/documents/${documentId}/model`
    expect((await place.service.call('PUT', path, { headers, body: { model: 'off' } })).status).toBe(200)
    return status(503)(response, request)
  }
}

test('it is said although a later question about other documents is refused', async () => {
  await handIn('refused', 'ledger', 'The gate of Wexmoor was shut all night.')
  await handIn('refused', 'first', 'Revenue of Quillmoor for FY2025 was EUR 6.2 million.')
  let confirmed = 0
  const withdrawing = withdraws('refused', 'ledger')
  place.behave = (response, request) => {
    if (!isConfirming(request)) return withdrawing(response, request)
    confirmed++
    return status(400)(response, request)
  }
  const second = await handIn('refused', 'second', 'Revenue of Quillmoor for FY2025 was EUR 7.1 million.')
  place.behave = says()
  expect([second.model, confirmed]).toEqual(['withdrawn', 1])
})

test('it is said although every pair was answered once', async () => {
  const [ledger, letter] = ['The gate of Drexby was shut all night.', 'The gate of Drexby stood open at midnight.']
  await handIn('settling', 'ledger', ledger)
  const unsure = says({ a: letter, b: ledger, confidence: 0.3 })
  const withdrawing = withdraws('settling', 'ledger')
  let settling = 0
  place.behave = (response, request) => {
    if (!isSettling(request)) return unsure(response, request)
    settling++
    return withdrawing(response, request)
  }
  const read = await handIn('settling', 'letter', letter)
  place.behave = says()
  expect([read.model, settling]).toEqual(['withdrawn', 1])
})
