/**
 * A document read by a model on its way through the whole service: a real server that speaks the protocol, the pipeline,
 * the rows. The model's claims are stored under its name with quotes from the text; the same text is paid for once; when
 * the model fails, the document is read without it.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { containers, document, hire, secret } from '../models/model-cases.js'
import { answer, type ModelServer, startModelServer, status } from '../models/model-server.js'
import { startTestService, type TestService } from '../support/service.js'

let model: ModelServer
let service: TestService
let tenant: { tenant_id: string; api_key: string }

beforeAll(async () => {
  model = await startModelServer([answer([hire, containers]), status(400)])
  service = await startTestService({ MODEL_URL: model.url, MODEL_NAME: 'reader-1', MODEL_API_KEY: secret })
  tenant = await service.createTenant()
})
afterAll(async () => {
  await service.stop()
  await model.close()
})

async function handIn(scopeId: string, text: string): Promise<{ status: string; document_id: string }> {
  const body = { scope_id: scopeId, name: document.name, text }
  const accepted = await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })
  expect(accepted.status).toBe(202)
  const headers = { 'x-tenant-api-key': tenant.api_key }
  const read = await service.call('GET', `/api/documents/${accepted.body.document_id}?scope_id=${scopeId}&wait=30`, { headers })
  return read.body
}

interface ReadRow {
  extractor: string
  timings: Record<string, number>
  quotes: string[]
}

async function readRow(scopeId: string): Promise<ReadRow> {
  const { rows } = await service.database.owner.query(
    `select d.extractor, d.timings, (select array_agg(quote order by claim_no) from claims c where c.scope_no = d.scope_no) as quotes
     from documents d join scopes s on s.scope_no = d.scope_no where s.scope_id = $1`,
    [scopeId],
  )
  return rows[0] as ReadRow
}

test('its claims go through the pipeline, under its name, with quotes that stand in the text', async () => {
  expect((await handIn('harbour', document.text)).status).toBe('indexed')
  const row = await readRow('harbour')
  expect(row.extractor).toBe('model:reader-1')
  expect(row.quotes).toEqual([containers.quote, 'Crane hire cost EUR 3.2 million\nand'])
  for (const quote of row.quotes) expect(document.text).toContain(quote)
  expect(row.timings).toMatchObject({ input_tokens: 100, output_tokens: 20 })
  expect(model.requests).toHaveLength(1)
  expect(model.requests[0]?.authorization).toBe(`Bearer ${secret}`)
})

test('the same text of the same tenant is not paid for again', async () => {
  expect((await handIn('harbour-again', document.text)).status).toBe('indexed')
  const row = await readRow('harbour-again')
  expect(row.extractor).toBe('model:reader-1')
  expect(row.quotes).toHaveLength(2)
  expect(row.timings).toMatchObject({ input_tokens: 0, output_tokens: 0 })
  expect(model.requests).toHaveLength(1)
})

test('a model that refuses keeps no document from being read', async () => {
  expect((await handIn('without', 'Revenue of Harbour Group in FY2024 was EUR 12.5M.')).status).toBe('indexed')
  const row = await readRow('without')
  expect(row.extractor).toBe('reader')
  expect(row.quotes.length).toBeGreaterThan(0)
  expect(model.requests.length).toBeGreaterThan(1)
})
