/**
 * A model within its bounds, through the whole service: tokens a document and a day, documents in parts, turns between scopes;
 * and what a policy and a certificate say of what it found.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Behaviour } from '../models/model-server.js'
import { asked, isConfirming, put, says } from '../models/scripted-model.js'
import { type ModelService, startModelService } from '../support/model-service.js'
import type { TestService } from '../support/service.js'

const nothing = { pairs: [] }

/** An answer that costs so many tokens. */
const costing =
  (tokens: number): Behaviour =>
  response => {
    const choices = [{ message: { content: JSON.stringify(nothing) }, finish_reason: 'stop' }]
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ choices, usage: { prompt_tokens: tokens, completion_tokens: 0 } }))
  }

type Tenant = Awaited<ReturnType<TestService['createTenant']>>

const start = (env: Record<string, string>) => startModelService({ MODEL_MAX_TOKENS: '1000', MODEL_TIMEOUT_MS: '20000', ...env })

async function submit({ service }: ModelService, tenant: Tenant, documentId: string, text: string, scopeId = 'case'): Promise<void> {
  const body = { scope_id: scopeId, document_id: documentId, name: `${documentId}.txt`, text }
  const accepted = await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })
  expect(accepted.status).toBe(202)
}

async function get({ service }: ModelService, tenant: Tenant, path: string) {
  return (await service.call('GET', path, { headers: { 'x-tenant-api-key': tenant.api_key } })).body
}

async function handIn(place: ModelService, tenant: Tenant, documentId: string, text: string, scopeId = 'case'): Promise<string> {
  await submit(place, tenant, documentId, text, scopeId)
  return (await get(place, tenant, `/api/documents/${documentId}?scope_id=${scopeId}&wait=30`)).status
}

async function outcomes({ service }: ModelService, tenant: Tenant): Promise<string[]> {
  const { rows } = await service.database.owner.query('select outcome from model_readings where tenant_id = $1 order by asked_at', [
    tenant.tenant_id,
  ])
  return rows.map(({ outcome }) => outcome)
}

/** What became of the documents of a tenant, by the types of its events. */
async function eventsOf({ service }: ModelService, tenant: Tenant): Promise<string[]> {
  const { rows } = await service.database.owner.query(
    `select type from events where tenant_id = $1 and type like 'document.%' order by scope_no, seq`,
    [tenant.tenant_id],
  )
  return rows.map(({ type }) => type)
}

const plain = (subject: string) => `The revenue of ${subject} for FY2025 was EUR 41.2M.`
const filler = (count: number) =>
  Array.from({ length: count }, (_, n) => `Paragraph ${n} tells of the weather and of nothing else at all.`).join('\n\n')

describe('where the rules read on when tokens are spent', () => {
  let place: ModelService
  beforeAll(async () => {
    place = await start({ MODEL_TOKENS_PER_DAY: '2000', MODEL_TOKENS_PER_DOCUMENT: '28000', MODEL_CONCURRENCY: '1' })
  })
  afterAll(() => place.stop())

  test('the day of a tenant ends for it alone', async () => {
    const [spender, other] = [await place.service.createTenant(), await place.service.createTenant()]
    place.behave = costing(2500)
    expect(await handIn(place, spender, 'first', plain('Alder'))).toBe('indexed')
    const before = place.model.requests.length
    expect(await handIn(place, spender, 'second', plain('Birch'))).toBe('indexed')
    expect(place.model.requests).toHaveLength(before)
    expect(await outcomes(place, spender)).toEqual(['answered', 'over_daily_budget'])
    expect(await handIn(place, other, 'first', plain('Cedar'))).toBe('indexed')
    expect(await outcomes(place, other)).toEqual(['answered'])
  })

  test('the day ends too where the server does not say what its answers cost', async () => {
    const tenant = await place.service.createTenant()
    place.behave = response => response.end(JSON.stringify({ choices: [{ message: { content: '{"pairs":[]}' }, finish_reason: 'stop' }] }))
    for (const name of ['Alder', 'Birch', 'Cedar', 'Maple', 'Rowan']) expect(await handIn(place, tenant, name, plain(name))).toBe('indexed')
    expect((await outcomes(place, tenant)).at(-1)).toBe('over_daily_budget')
    const { sent } = await get(place, tenant, '/api/documents/Alder/model?scope_id=case')
    expect(sent.map((each: { document_id: string }) => each.document_id)).toContain('Alder')
  })

  test('what was spent today stays spent when its document is erased, and is forgotten tomorrow', async () => {
    const tenant = await place.service.createTenant()
    place.behave = costing(1500)
    expect(await handIn(place, tenant, 'first', plain('Alder'))).toBe('indexed')
    const headers = { 'x-tenant-api-key': tenant.api_key }
    expect((await place.service.call('DELETE', '/api/documents/first?scope_id=case', { headers })).status).toBe(200)
    for (const name of ['Birch', 'Maple']) expect(await handIn(place, tenant, name, plain(name))).toBe('indexed')
    expect(await outcomes(place, tenant)).toEqual(['answered', 'over_daily_budget'])
    await place.service.database.owner.query('update model_usage set day = day - 1 where tenant_id = $1', [tenant.tenant_id])
    for (const name of ['Cedar', 'Rowan', 'Hazel']) expect(await handIn(place, tenant, name, plain(name))).toBe('indexed')
    expect((await outcomes(place, tenant)).slice(2)).toEqual(['answered', 'answered', 'over_daily_budget'])
  })

  test('an answer counts although its document went back with the lease', async () => {
    const tenant = await place.service.createTenant()
    const before = place.model.requests.length
    place.behave = (response, request) => {
      if (place.model.requests.length === before + 1 || asked(request).includes('Alder')) costing(1500)(response, request)
    }
    await submit(place, tenant, 'long', `Alpha opens.\n\n${filler(500)}\n\nBravo follows.`)
    await place.model.seen(before + 2)
    const cut = place.model.cutOff(1)
    await place.service.admin('POST', '/admin/runtime/pause', { scope_id: 'case' }, tenant.api_key)
    await cut
    for (const name of ['short', 'next']) expect(await handIn(place, tenant, name, plain('Alder'), name)).toBe('indexed')
    expect(await outcomes(place, tenant)).toEqual(['answered', 'over_daily_budget'])
  })

  test('the day ends in the middle of a document', async () => {
    const tenant = await place.service.createTenant()
    place.behave = costing(2500)
    const before = place.model.requests.length
    expect(await handIn(place, tenant, 'long', `Alpha opens.\n\n${filler(500)}\n\nBravo follows.`)).toBe('indexed')
    expect(place.model.requests).toHaveLength(before + 1)
    expect(await outcomes(place, tenant)).toEqual(['over_daily_budget'])
  })

  test('a long document is asked about in parts, as far as its tokens go', async () => {
    const tenant = await place.service.createTenant()
    place.behave = costing(10)
    const before = place.model.requests.length
    const text = `Alpha opens.\n\n${filler(500)}\n\nBravo follows.\n\n${filler(500)}\n\nCharlie ends.`
    expect(await handIn(place, tenant, 'long', text)).toBe('indexed')
    const questions = place.model.requests
      .slice(before)
      .filter(each => !isConfirming(each))
      .map(put)
    expect(questions).toHaveLength(2)
    expect(questions.map(question => question.includes('Alpha opens'))).toEqual([true, false])
    expect(questions.join('')).not.toContain('Charlie ends')
    expect(await outcomes(place, tenant)).toEqual(['over_document_budget'])

    // Where a comparison by a model suffices, one in part does not, and a person signs for it.
    const compared = (await get(place, tenant, '/api/documents/long?scope_id=case')).compared_by
    expect(compared).toMatchObject({ model: { complete: false }, words: expect.stringMatching(/, in part$/) })
    const finality = { examination: 'model', minimum_documents: 1 }
    await place.service.admin('PATCH', '/admin/scopes/case', { settings: { finality } }, tenant.api_key)
    const judged = (await get(place, tenant, '/api/scopes/case/summary')).finality
    expect(judged.gates.filter((each: { ok: boolean }) => !each.ok)).toMatchObject([
      { gate: 'examined', value: 1, how: expect.stringContaining('Not examined: long.txt (') },
    ])
    expect((await get(place, tenant, '/api/scopes/case/certificate')).code).toBe('CERTIFICATE_NOT_FOUND')
    const signed = { headers: { 'x-tenant-api-key': tenant.api_key }, body: { by: 'J. Doe', reason: 'I read the end of it.' } }
    expect((await place.service.call('POST', '/api/scopes/case/sign-off', signed)).body.finality).toBe('resolved')
  })

  test('what a model is not sure of is left so where the tokens of the document do not suffice for asking again', async () => {
    const tenant = await place.service.createTenant()
    place.behave = says()
    const gates = ['Alder', 'Birch', 'Cedar', 'Elm', 'Fir', 'Hazel', 'Larch', 'Maple', 'Oak', 'Pine', 'Rowan', 'Willow']
    const shut = (name: string) => `Nobody passed ${name} Gate.`
    const passed = 'Lorries came in by every way there is.'
    await handIn(place, tenant, 'report', gates.map(each => `${filler(12)}\n\n${shut(each)}`).join('\n\n'))
    place.behave = says(...gates.map(each => ({ a: passed, b: shut(each), confidence: 0.5 })))
    const before = place.model.requests.length
    expect(await handIn(place, tenant, 'log', `${filler(20)}\n\n${passed}\n\n${filler(15)}`)).toBe('indexed')
    expect(place.model.requests.slice(before).map(isConfirming)).toEqual([false, true])
    expect(await outcomes(place, tenant)).toEqual(['answered', 'answered'])
    expect((await get(place, tenant, '/api/scopes/case/possible-conflicts?found_by=model')).items).toHaveLength(12)
  })

  test('what a later part says is linked by its own words', async () => {
    const tenant = await place.service.createTenant()
    const watertight = 'The hatch covers of MV Corvina were watertight when she sailed.'
    const poured = 'Sea water poured through her hatches from the first night of the voyage.'
    place.behave = says()
    await handIn(place, tenant, 'survey', `Survey\n\n${watertight}`)
    place.behave = says({
      a: poured,
      b: watertight,
      b_words: 'watertight',
      subject: 'MV Corvina',
      attribute: 'hatch covers',
      confidence: 0.8,
    })
    const text = `Letter\n\nThe cook of MV Corvina was ill.\n\n${filler(370)}\n\n${poured} The hatch covers leaked.`
    expect(await handIn(place, tenant, 'letter', text)).toBe('indexed')
    expect(await outcomes(place, tenant)).toEqual(['answered', 'answered'])
    const { items } = await get(place, tenant, '/api/scopes/case/contradictions?found_by=model')
    expect(items).toMatchObject([{ a: { quote: watertight }, b: { quote: poured, document_id: 'letter' } }])
    expect([...text].slice(items[0].b.start, items[0].b.end).join('')).toBe(poured)
  })

  test('a scope with many documents hands the turn on to one with a single document', async () => {
    const [many, single] = [await place.service.createTenant(), await place.service.createTenant()]
    const order: string[] = []
    const held: (() => void)[] = []
    place.behave = (response, request) => {
      order.push(/Oak|Pine/.exec(asked(request).slice(-400))?.[0] ?? '?')
      held.push(() => costing(10)(response, request))
      if (held.length > 1) held.at(-1)?.()
    }
    const before = place.model.requests.length
    for (let n = 0; n < 4; n++) await submit(place, many, `oak-${n}`, plain(`Oak ${n}`))
    await place.model.seen(before + 1)
    await submit(place, single, 'pine', plain('Pine'))
    held[0]?.()
    expect((await get(place, single, '/api/documents/pine?scope_id=case&wait=30')).status).toBe('indexed')
    expect((await get(place, many, '/api/documents/oak-3?scope_id=case&wait=30')).status).toBe('indexed')
    expect(order.filter(each => each === 'Pine')).toHaveLength(1)
    expect(order.indexOf('Pine')).toBeLessThan(4)
  })

  test('while every place at the model is taken, scopes that would ask are left alone and others go on', async () => {
    const [asking, waiting, other] = [
      await place.service.createTenant(),
      await place.service.createTenant(),
      await place.service.createTenant(),
    ]
    place.behave = says()
    expect(await handIn(place, other, 'elm', plain('Elm'))).toBe('indexed')
    let answer = (): void => undefined
    place.behave = (response, request) => {
      answer = () => costing(10)(response, request)
    }
    const before = place.model.requests.length
    await submit(place, asking, 'fir', plain('Fir'))
    await place.model.seen(before + 1)
    for (let n = 0; n < 3; n++) await submit(place, waiting, `ash-${n}`, plain(`Ash ${n}`))
    // Unchanged, so there is nothing to ask about.
    for (let n = 0; n < 3; n++) expect(await handIn(place, other, 'elm', plain('Elm'))).toBe('indexed')
    expect(await eventsOf(place, waiting)).not.toContain('document.processing')
    place.behave = says()
    answer()
    for (let n = 0; n < 3; n++) {
      expect((await get(place, waiting, `/api/documents/ash-${n}?scope_id=case&wait=30`)).status).toBe('indexed')
    }
    expect((await eventsOf(place, waiting)).filter(type => type === 'document.processing')).toHaveLength(3)
    expect(await eventsOf(place, waiting)).not.toContain('document.requeued')
  })

  test('a text that repeats one that was not admitted is asked about', async () => {
    const tenant = await place.service.createTenant()
    const policies = `@outcome("hold") forbid(principal, action == Action::"document", resource) when { context.document.revision == 1 };
permit(principal, action, resource);`
    expect((await place.service.admin('POST', '/admin/scopes', { scope_id: 'case' }, tenant.api_key)).status).toBe(201)
    expect((await place.service.admin('PUT', '/admin/scopes/case/policies', { policies }, tenant.api_key)).status).toBe(200)
    place.behave = says()
    const before = place.model.requests.length
    const note = { scope_id: 'case', document_id: 'note', name: 'Note', text: plain('Hazel') }
    const headers = { 'x-tenant-id': tenant.tenant_id }
    const body = { documents: [note, note] }
    expect((await place.service.call('POST', '/api/ingest/batch', { headers, body })).body).toMatchObject({ accepted: 2 })
    expect(await get(place, tenant, '/api/documents/note?scope_id=case&wait=30')).toMatchObject({ status: 'indexed', unchanged: false })
    expect(place.model.requests.slice(before).map(asked).join('')).toContain('Hazel')
    expect(await outcomes(place, tenant)).toEqual(['answered'])
  })

  test('nothing of a scope is shown to a model that is switched off for it', async () => {
    const tenant = await place.service.createTenant()
    place.behave = says()
    expect(await handIn(place, tenant, 'first', plain('Alder'))).toBe('indexed')
    const off = { settings: { model: { reading: 'off' } } }
    expect((await place.service.admin('PATCH', '/admin/scopes/case', off, tenant.api_key)).status).toBe(200)
    const before = place.model.requests.length
    expect(await handIn(place, tenant, 'second', plain('Birch'))).toBe('indexed')
    expect(place.model.requests).toHaveLength(before)
    expect(await outcomes(place, tenant)).toEqual(['answered', 'off'])
  })

  test('policies hold a scope that a model helped to settle where its settings ask for it, and the certificate says so', async () => {
    const tenant = await place.service.createTenant()
    place.behave = says()
    await handIn(place, tenant, 'survey', 'Survey\n\nThe hatch covers of MV Corvina were watertight when she sailed.')
    const patch = { settings: { finality: { model_findings: 'hold', examination: 'none' } } }
    expect((await place.service.admin('PATCH', '/admin/scopes/case', patch, tenant.api_key)).status).toBe(200)
    const quote = 'Sea water poured through her hatches from the first night of the voyage.'
    place.behave = says({ a: quote, b: 'The hatch covers', b_words: 'watertight', subject: 'MV Corvina', attribute: 'hatch covers' })
    await handIn(place, tenant, 'letter', `Letter of the crew\n\n${quote}`)
    const [found] = (await get(place, tenant, '/api/scopes/case/contradictions')).items
    expect(found.found_by).toBe('model:reader-1')
    expect((await get(place, tenant, '/api/scopes/case/contradictions?found_by=rules')).items).toEqual([])
    const headers = { 'x-tenant-api-key': tenant.api_key }
    const verdict = { verdict: 'both', reason: 'Two voyages.', by: 'Ada' }
    const decided = await place.service.call('POST', `/api/contradictions/${found.contradiction_id}/resolution`, { headers, body: verdict })
    expect(decided.status, decided.text).toBe(200)
    const [pending] = (await get(place, tenant, '/api/scopes/case/decisions?review=pending')).items
    expect(pending).toMatchObject({ kind: 'finality', outcome: 'hold', policies: ['review-settling-on-model-findings'] })
    expect(pending.reasons.join(' ')).toContain('A model found 1 contradictions and replacements')
    const approval = { verdict: 'approve', reason: 'Read both.', by: 'Ada' }
    const reviewed = await place.service.call('POST', `/api/decisions/${pending.decision_id}/review`, { headers, body: approval })
    expect(reviewed.status, reviewed.text).toBe(200)
    const { certificate } = await get(place, tenant, '/api/scopes/case/certificate')
    const payload = JSON.parse(Buffer.from(certificate.split('.')[1], 'base64url').toString('utf8'))
    expect(payload.contradictions).toEqual({ found: 1, open: 0, by_model: 1, open_ids: [] })
    expect(payload.settings_changed).toEqual({ '/finality/examination': 'none', '/finality/model_findings': 'hold' })
  })
})

describe('where documents wait when tokens are spent', () => {
  let place: ModelService
  beforeAll(async () => {
    place = await start({ MODEL_TOKENS_PER_DAY: '2000', MODEL_WHEN_SPENT: 'wait' })
  })
  afterAll(() => place.stop())

  test('a document of the tenant stays queued while others go on', async () => {
    const [spender, other] = [await place.service.createTenant(), await place.service.createTenant()]
    place.behave = costing(2500)
    expect(await handIn(place, spender, 'first', plain('Alder'))).toBe('indexed')
    await submit(place, spender, 'second', plain('Birch'))
    expect(await handIn(place, other, 'first', plain('Cedar'))).toBe('indexed')
    expect((await get(place, spender, '/api/documents/second?scope_id=case')).status).toMatch(/^(?:queued|processing)$/)
    expect(place.model.requests.map(asked).join('')).not.toContain('Birch')
    expect(await outcomes(place, other)).toEqual(['answered'])
  })
})
