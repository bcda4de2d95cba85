/** Papers that must not leave: a tenant's, or single documents, however they came. And what models were shown before, and what it cost. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certificateLines } from '../../src/client/certificate-lines.js'
import type { CertificateV4 } from '../../src/kernel/certificate-payload.js'
import { payloadOf } from '../../src/scopes/certificates/certificates.js'
import { runConcord } from '../cli/run-concord.js'
import { type Behaviour, completion, hang, type ModelServer, status } from '../models/model-server.js'
import { asked, isConfirming, says } from '../models/scripted-model.js'
import { type ModelService, startModelService, untilReread } from '../support/model-service.js'
import type { TestService } from '../support/service.js'

let place: ModelService
let model: ModelServer
let service: TestService
let tenant: { tenant_id: string; api_key: string }
let admin: Record<string, string>

beforeAll(async () => {
  place = await startModelService({ RETRY_MAX_ATTEMPTS: '1' })
  ;({ model, service } = place)
  tenant = await service.createTenant()
  admin = { authorization: `Bearer ${service.adminKey}`, 'x-tenant-api-key': tenant.api_key }
})
afterAll(() => place.stop())

const own = () => ({ 'x-tenant-api-key': tenant.api_key })
const document = (scopeId: string, documentId: string, text: string) => ({
  ...{ scope_id: scopeId, document_id: documentId, name: `${documentId}.txt`, text },
})

async function settled(scopeId: string, documentId: string, headers: Record<string, string> = own()) {
  return (await service.call('GET', `/api/documents/${documentId}?scope_id=${scopeId}&wait=30`, { headers })).body
}

async function handIn(scopeId: string, documentId: string, text: string, headers: Record<string, string> = {}) {
  const body = document(scopeId, documentId, text)
  expect((await service.call('POST', '/api/ingest', { headers: { ...own(), ...headers }, body })).status).toBe(202)
  return settled(scopeId, documentId)
}

const off = { 'x-document-model': 'off' }
const everAsked = (words: string) => model.requests.filter(request => asked(request).includes(words)).length

test('a document that is kept from models is neither asked about nor shown beside others', async () => {
  expect((await handIn('secret', 'memo', 'Revenue of Quillmoor for FY2025 was EUR 4.2 million.', off)).model).toBe('off')
  expect((await handIn('secret', 'letter', 'Revenue of Quillmoor for FY2025 was EUR 5.1 million.')).model).toBe('answered')
  expect([everAsked('4.2 million'), everAsked('memo.txt'), everAsked('5.1 million')]).toEqual([0, 0, expect.any(Number)])
  // What the rules found with it is not put to a model either.
  const { body } = await service.call('GET', '/api/scopes/secret/contradictions', { headers: own() })
  expect(body.items).toHaveLength(1)
  // A revision without the header is kept too.
  expect((await handIn('secret', 'memo', 'Revenue of Quillmoor for FY2025 was EUR 4.3 million.')).model).toBe('off')
  expect(everAsked('4.3 million')).toBe(0)
})

test('the mark comes with batches, files and what is attached, and is part of what an idempotency key stands for', async () => {
  const documents = [document('ways', 'batch', 'The pump of Tarnow runs at 3,000 rpm.')]
  expect((await service.call('POST', '/api/ingest/batch', { headers: { ...own(), ...off }, body: { documents } })).body.accepted).toBe(1)
  expect((await settled('ways', 'batch')).model).toBe('off')

  const form = new FormData()
  for (const [name, value] of [
    ['scope_id', 'ways'],
    ['document_id', 'file'],
    ['model', 'off'],
  ] as const)
    form.append(name, value)
  form.append('file', new Blob(['The pump of Tarnow runs at 3,100 rpm.']), 'pump.txt')
  expect((await fetch(`${service.url}/api/files`, { method: 'POST', headers: own(), body: form })).status).toBe(202)
  expect((await settled('ways', 'file')).model).toBe('off')

  const attached = { document_id: 'attached', name: 'a.txt', text: 'The pump of Tarnow runs at 3,200 rpm.', model: 'off' }
  expect((await service.call('POST', '/admin/scopes/ways/documents', { headers: admin, body: attached })).status).toBe(201)
  await service.call('POST', '/admin/scopes/ways/ingest', { headers: admin, body: {} })
  expect((await settled('ways', 'attached')).model).toBe('off')
  expect(everAsked('Tarnow')).toBe(0)

  const body = { ...document('ways', 'keyed', 'The pump is red.'), idempotency_key: 'k-1' }
  expect((await service.call('POST', '/api/ingest', { headers: { ...own(), ...off }, body })).status).toBe(202)
  expect((await service.call('POST', '/api/ingest', { headers: own(), body })).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
  expect((await service.call('POST', '/api/ingest', { headers: { ...own(), 'x-document-model': 'maybe' }, body })).status).toBe(400)
})

const harbourTower = ['The contract sum of Harbour Tower is EUR 4.2M.', 'The site manager of Harbour Tower is Anna Weber.'] as const

/** A case that a comparison by a model settles. */
async function openCase(scopeId: string) {
  await service.call('POST', '/api/scopes', { headers: own(), body: { scope_id: scopeId } })
  await service.call('PATCH', `/admin/scopes/${scopeId}`, { headers: admin, body: { settings: { finality: { examination: 'model' } } } })
  const read = async (path: string) => (await service.call('GET', `/api/scopes/${scopeId}/${path}`, { headers: own() })).body
  const examined = async () => {
    const { finality } = await read('summary')
    return { finality: finality.status, ...finality.gates.find((each: { gate: string }) => each.gate === 'examined') }
  }
  const sign = async (more: object = {}) => {
    const body = { by: 'J. Doe', reason: 'I read it.', ...more }
    return (await service.call('POST', `/api/scopes/${scopeId}/sign-off`, { headers: own(), body })).body
  }
  return { read, examined, sign }
}

test('where a model suffices, it settles what it compared in full, and a person signs for what it was kept from', async () => {
  const { read, examined: gate, sign } = await openCase('compared')
  const first = await handIn('compared', 'contract', harbourTower[0])
  await handIn('compared', 'letter', harbourTower[1])
  expect(first.compared_by).toMatchObject({ model: { model: 'reader-1', complete: true }, person: null })
  const { questions } = first.compared_by.model
  expect(first.compared_by.words).toBe(`compared by rules and reader-1 (questions ${questions})`)
  const { finality, examined: before } = await read('summary')
  expect([finality.status, before.words, before.not_examined]).toEqual(['resolved', 'not signed off', []])
  const lines = async () => certificateLines(await read('certificate'))?.map(line => line.text)
  expect((await lines())?.slice(0, 2)).toEqual([
    'Nothing is left to decide. The settings ask for a comparison by a model; no person has to sign off.',
    `Compared by rules and reader-1 (questions ${questions}): 2 papers.`,
  ])
  const { examined } = payloadOf((await read('certificate')).certificate) as CertificateV4
  expect(examined).toMatchObject({
    setting: 'model',
    by_rules: [],
    by_model: [{ model: 'reader-1', questions, documents: 2 }],
    sign_offs: [],
  })

  await handIn('compared', 'note', 'The crane of Harbour Tower stands on the north side.', off)
  expect(await gate()).toMatchObject({
    finality: 'review',
    ok: false,
    value: 1,
    how: expect.stringContaining('Not examined: note.txt (the model is off).'),
  })
  expect((await sign()).finality).toBe('resolved')
  expect(await lines()).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Compared by rules alone: 1 paper /),
      `Compared by rules and reader-1 (questions ${questions}): 2 papers.`,
      expect.stringMatching(/^Signed off by J\. Doe /),
    ]),
  )
})

test('a trial of the model is kept, and certificates of what it compared say how it did', async () => {
  expect((await service.call('POST', '/internals/model/trial', { headers: own() })).status).toBe(401)
  const trial = await service.call('POST', '/internals/model/trial', { headers: { authorization: `Bearer ${service.internalsKey}` } })
  expect(trial).toMatchObject({ status: 200, body: { model: 'reader-1', reason: null, score: { planted: 3, named: 0, judged: 0 } } })
  const { read } = await openCase('tried')
  await handIn('tried', 'contract', harbourTower[0])
  await handIn('tried', 'letter', harbourTower[1])
  const certificate = await read('certificate')
  const { examined } = payloadOf(certificate.certificate) as CertificateV4
  const { planted, named, judged, tried_at } = trial.body.score
  expect(examined.by_model).toEqual([
    { model: 'reader-1', questions: trial.body.questions, documents: 2, trial: { planted, named, judged, tried_at } },
  ])
  expect(
    certificateLines(certificate)
      ?.map(line => line.text)
      .join(' '),
  ).toContain(`In a trial on ${tried_at.slice(0, 10)} it named 0 of 3 planted pairs and judged 0 right.`)
  const env = { CONCORD_URL: service.url, CONCORD_INTERNALS_KEY: service.internalsKey }
  const { out } = await runConcord(env, 'doctor', '--model')
  expect(out).toMatch(
    /model of the server +reader-1 answers .* named 0 of 3 planted pairs and judged 0 right; it misses plain contradictions; kept for certificates/,
  )
})

test('where a model suffices, a person signs for what it left unconfirmed', async () => {
  const { read, examined, sign } = await openCase('unconfirmed')
  const [watertight, poured] = ['The hatch covers of MV Corvina were watertight.', 'Sea water poured through her hatches that night.']
  await handIn('unconfirmed', 'survey', watertight)
  await handIn('unconfirmed', 'contract', harbourTower[0])
  expect(await examined()).toMatchObject({ finality: 'resolved', ok: true })
  // It proposes a pair, and says nothing about it when it is asked again.
  const proposes = says({ a: poured, b: watertight })
  place.behave = (response, request) => (isConfirming(request) ? completion('{"pairs":[]}') : proposes)(response, request)
  const letter = await handIn('unconfirmed', 'letter', poured)
  place.behave = says()
  expect(letter).toMatchObject({ model: 'unconfirmed', compared_by: { model: { model: 'reader-1', complete: false } } })
  expect(letter.compared_by.words).toMatch(/, in part$/)
  expect(await examined()).toMatchObject({
    finality: 'review',
    ok: false,
    value: 1,
    how: expect.stringContaining('Not examined: letter.txt (candidates unconfirmed).'),
  })
  expect((await read('certificate')).status).toBe('superseded')
  expect((await sign()).finality).toBe('resolved')
  expect(await examined()).toMatchObject({ ok: true })
  expect((await read('certificate')).status).toBe('current')
})

test('where a model suffices, a paper it cannot read takes the case out of `resolved` until a person signs for it', async () => {
  const { read, examined, sign } = await openCase('unread')
  for (const [n, text] of harbourTower.entries()) await handIn('unread', `paper-${n}`, text)
  expect(await examined()).toMatchObject({ finality: 'resolved', ok: true })
  const unread: object[] = []
  const comes = async (documentId: string, name: string, status: string) => {
    expect(await examined()).toMatchObject({ finality: 'review', ok: false, how: expect.stringContaining(`${name} (${status})`) })
    expect((await read('certificate')).status).toBe('superseded')
    expect((await sign({ unread })).errors).toMatchObject([{ pointer: '/unread', detail: expect.stringContaining(documentId) }])
    unread.push({ document_id: documentId, how: 'set_aside', reason: 'It says nothing of the tower.' })
    expect((await sign({ unread })).finality).toBe('resolved')
    expect(await examined()).toMatchObject({ ok: true })
  }

  const form = new FormData()
  form.set('scope_id', 'unread')
  form.set('document_id', 'scan')
  form.set('file', new Blob(['%PDF-1.4\nnothing of a file'], { type: 'application/pdf' }), 'scan.pdf')
  expect((await fetch(`${service.url}/api/files`, { method: 'POST', headers: own(), body: form })).status).toBe(202)
  expect((await settled('unread', 'scan')).status).toBe('quarantined')
  await comes('scan', 'scan.pdf', 'quarantined')

  const plan = { name: 'plan.txt', text: 'A plan.', document_id: 'plan' }
  expect((await service.call('POST', '/admin/scopes/unread/documents', { headers: admin, body: plan })).status).toBe(201)
  await comes('plan', 'plan.txt', 'attached')
})

test('an operator switches it, and what was sent before is listed with its cost', async () => {
  await handIn('switched', 'first', 'The kiln of Ostrava was fired on 3 May 2024.')
  await handIn('switched', 'second', 'The kiln of Ostrava was fired on 4 May 2024.')
  const path = '/api/documents/first/model?scope_id=switched'
  const { body: before } = await service.call('GET', path, { headers: own() })
  expect(before).toMatchObject({ model: 'on', off_since: null, tokens: { prompt: expect.any(Number) } })
  expect(before.sent.map((each: { document_id: string }) => each.document_id).sort()).toEqual(['first', 'second'])
  expect(before.sent[0]).toMatchObject({ model: 'reader-1', revision: 1, whole_case: true })

  const put = '/admin/scopes/switched/documents/first/model'
  expect((await service.call('PUT', put, { headers: own(), body: { model: 'off' } })).status).toBe(401)
  expect(await service.call('PUT', `${put}?document_id=second`, { headers: admin, body: { model: 'off' } })).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/query/document_id' }] },
  })
  expect((await service.call('PUT', put, { headers: admin, body: { model: 'off' } })).body).toMatchObject({
    model: 'off',
    sent: before.sent,
  })
  const questions = everAsked('3 May 2024')
  await handIn('switched', 'third', 'The kiln of Ostrava was fired on 5 May 2024.')
  expect(everAsked('3 May 2024')).toBe(questions)
  expect((await service.call('PUT', put, { headers: admin, body: { model: 'on' } })).body).toMatchObject({ model: 'on', off_since: null })
  await handIn('switched', 'fourth', 'The kiln of Ostrava was fired on 6 May 2024.')
  expect(everAsked('3 May 2024')).toBeGreaterThan(questions)
  const { body: whole } = await service.call('GET', '/api/scopes/switched/model', { headers: own() })
  expect(whole).toMatchObject({ model: 'reader-1', none_because: null, documents: { asked: 4, off: 0 }, context_tokens: 32_000 })
  expect(whole.tokens.prompt).toBeGreaterThan(before.tokens.prompt)
  expect(whole.characters).toBeGreaterThan(100)
})

const withdrawals: [string, (scopeId: string) => Promise<{ status: number }>][] = [
  [
    'kept from models',
    scope => service.call('PUT', `/admin/scopes/${scope}/documents/ledger/model`, { headers: admin, body: { model: 'off' } }),
  ],
  ['erased', scope => service.call('DELETE', `/api/documents/ledger?scope_id=${scope}`, { headers: own() })],
  [
    'of a case that is kept from them',
    scope => service.call('PATCH', `/admin/scopes/${scope}`, { headers: admin, body: { settings: { model: { reading: 'off' } } } }),
  ],
]

test.each(withdrawals)('what is %s while another document is asked about is shown no more', async (how, withdraw) => {
  const scopeId = `midway-${how.length}`
  const [ledger, letter] = ['The gate of Wexmoor was shut all night.', 'The gate of Wexmoor stood open at midnight.']
  await handIn(scopeId, 'ledger', ledger)
  const pairs = says({ a: letter, b: ledger })
  const before = everAsked(ledger)
  place.behave = async (response, request) => {
    if (asked(request).includes(letter) && !isConfirming(request)) expect((await withdraw(scopeId)).status).toBe(200)
    pairs(response, request)
  }
  const read = await handIn(scopeId, 'letter', letter)
  place.behave = says()
  expect(read).toMatchObject({ model: 'withdrawn', compared_by: { model: { complete: false } } })
  expect(everAsked(ledger)).toBe(before + 1)
})

describe.each<[string, Behaviour]>([
  ['after a pause', status(503)],
  ['at once without what the server refused', status(400, {}, '{"error":{"message":"temperature is not supported"}}')],
])('where a question is tried again %s', (when, fails) => {
  test.each(withdrawals)('what is %s meanwhile is shown no more', async (how, withdraw) => {
    const scopeId = `again-${when.length}-${how.length}`
    const [ledger, letter] = [`The lock of ${scopeId} was shut all night.`, `The lock of ${scopeId} stood open at midnight.`]
    await handIn(scopeId, 'ledger', ledger)
    const before = everAsked(ledger)
    place.behave = async (response, request) => {
      if (everAsked(ledger) === before + 1) expect((await withdraw(scopeId)).status).toBe(200)
      fails(response, request)
    }
    const read = await handIn(scopeId, 'letter', letter)
    place.behave = says()
    expect([read.model, everAsked(ledger)]).toEqual(['withdrawn', before + 1])
  })
})

async function sentOf(scopeId: string, documentId: string): Promise<string[]> {
  const { body } = await service.call('GET', `/api/documents/${documentId}/model?scope_id=${scopeId}`, { headers: own() })
  return body.sent.map((each: { document_id: string }) => each.document_id)
}

test('what was sent is listed where no answer came', async () => {
  await handIn('unanswered', 'first', 'The mill of Drexby was sold on 3 May 2024.')
  place.behave = status(400)
  const second = await handIn('unanswered', 'second', 'The mill of Drexby was sold on 4 May 2024.')
  place.behave = says()
  expect(second.model).toBe('question_refused')
  for (const documentId of ['first', 'second']) expect(await sentOf('unanswered', documentId)).toContain('second')
})

test('what was sent is listed where the last question about it was not sent', async () => {
  await handIn('stopped', 'first', 'Revenue of Quillmoor for FY2025 was EUR 6.2 million.')
  const withdraws: Behaviour = async (response, request) => {
    const put = '/admin/scopes/stopped/documents/first/model'
    expect((await service.call('PUT', put, { headers: admin, body: { model: 'off' } })).status).toBe(200)
    status(503)(response, request)
  }
  place.behave = withdraws
  const second = await handIn('stopped', 'second', 'Revenue of Quillmoor for FY2025 was EUR 7.1 million.')
  place.behave = says()
  expect([second.model, everAsked('7.1 million')]).toEqual(['withdrawn', 1])
  for (const documentId of ['first', 'second']) expect(await sentOf('stopped', documentId)).toContain('second')
})

test('what was sent stays listed where a document is read again without it, and goes when it is erased', async () => {
  await handIn('anew', 'first', 'The forge of Lindau was sold on 3 May 2024.')
  place.behave = status(400)
  await handIn('anew', 'second', 'The forge of Lindau was sold on 4 May 2024.')
  place.behave = says()
  await service.call('PUT', '/admin/scopes/anew/documents/first/model', { headers: admin, body: { model: 'off' } })
  const { body: before } = await service.call('GET', '/api/documents/first/model?scope_id=anew', { headers: own() })
  const body = { model: true, by: 'ada', reason: 'It was not read.' }
  expect((await service.call('POST', '/api/scopes/anew/reread', { headers: own(), body })).status).toBe(202)
  await untilReread(service, 'anew')
  expect((await settled('anew', 'second')).model).toBe('answered')
  const { body: after } = await service.call('GET', '/api/documents/first/model?scope_id=anew', { headers: own() })
  // When it was shown stays, too: it was not in the later questions about the other.
  expect(after.sent).toEqual(before.sent)
  expect(await sentOf('anew', 'first')).toContain('second')
  expect((await service.call('DELETE', '/api/documents/first?scope_id=anew', { headers: own() })).status).toBe(200)
  const select = `select document_id, asked_id from documents_sent join scopes using (tenant_id, scope_no) where scope_id = 'anew'`
  expect((await service.database.owner.query(select)).rows).toEqual([{ document_id: 'second', asked_id: 'second' }])
})

test('what was sent is listed where a pause ended the question, and counts as read by no model', async () => {
  place.behave = hang
  const body = document('halted', 'memo', 'The weir of Tolmin was opened on 3 May 2024.')
  expect((await service.call('POST', '/api/ingest', { headers: own(), body })).status).toBe(202)
  await expect.poll(() => everAsked('Tolmin')).toBe(1)
  const runtime = (act: string) => service.call('POST', `/admin/runtime/${act}`, { headers: admin, body: { scope_id: 'halted' } })
  expect((await runtime('pause')).status).toBe(200)
  const read = async () => (await service.call('GET', '/api/documents/memo?scope_id=halted', { headers: own() })).body
  await expect.poll(async () => (await read()).status).toBe('queued')
  place.behave = says()
  expect(await sentOf('halted', 'memo')).toEqual(['memo'])
  expect(await read()).toMatchObject({ model: null })
  await service.call('PUT', '/admin/scopes/halted/documents/memo/model', { headers: admin, body: { model: 'off' } })
  expect((await runtime('resume')).status).toBe(200)
  expect(await settled('halted', 'memo')).toMatchObject({ model: 'off', compared_by: { model: null } })
  expect(await sentOf('halted', 'memo')).toEqual(['memo'])
})

test('a tenant can be kept from models, and be given tokens of its own', async () => {
  const other = await service.createTenant()
  const headers = { 'x-tenant-api-key': other.api_key }
  const limits = `/admin/tenants/${other.tenant_id}/limits`
  const operator = { authorization: `Bearer ${service.adminKey}` }
  const read = async (documentId: string) => {
    await service.call('POST', '/api/ingest', { headers, body: document('other', documentId, `Zwolle ${documentId} has 12 gates.`) })
    return (await settled('other', documentId, headers)).model
  }
  expect((await service.call('PUT', limits, { headers: operator, body: { model: 'off' } })).body.limits.model).toBe('off')
  expect((await service.call('GET', '/api/me', { headers })).body.model).toBe(null)
  expect(await read('a')).toBe('off')
  expect((await service.call('GET', '/api/scopes/other/model', { headers })).body).toMatchObject({
    model: null,
    none_because: 'tenant_off',
  })
  expect(everAsked('Zwolle')).toBe(0)
  await service.call('PUT', limits, { headers: operator, body: { model_tokens_per_day: 1 } })
  expect(await read('b')).toBe('answered')
  expect(await read('c')).toBe('over_daily_budget')
  const { body: me } = await service.call('GET', '/api/me', { headers })
  expect(me.model).toMatchObject({ name: 'reader-1', tokens_per_day: 1 })
  expect(me.model.tokens_today).toBeGreaterThan(0)
  const operators = { authorization: `Bearer ${service.internalsKey}` }
  const { body: hatchery } = await service.call('GET', '/internals/kernel/hatchery/snapshot', { headers: operators })
  expect(hatchery.model).toMatchObject({ tenants: 2 })
  expect(hatchery.model.tokens_today).toBeGreaterThan(me.model.tokens_today)
})
