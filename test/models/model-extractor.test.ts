import { afterEach, describe, expect, it } from 'vitest'
import { createModelExtractor, type ModelExtraction, type ModelExtractorOptions } from '../../src/models/model-extractor.js'
import { containers, deterministic, document, hire, optionsFor, secret } from './model-cases.js'
import { answer, type Behaviour, completion, drip, flood, hang, type ModelServer, reset, startModelServer, status } from './model-server.js'

const servers: ModelServer[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()))
})

async function setUp(behaviours: readonly Behaviour[], changes: Partial<ModelExtractorOptions> = {}) {
  const server = await startModelServer(behaviours)
  servers.push(server)
  const extractor = createModelExtractor(optionsFor(server.url, changes))
  const extract = (signal?: AbortSignal): Promise<ModelExtraction> => extractor.extract(document, () => deterministic, signal)
  return { server, extractor, extract }
}

describe('a model that answers', () => {
  it('gives its claims with exact quotes and the rest of the deterministic extraction', async () => {
    const { server, extractor, extract } = await setUp([answer([hire, containers])])
    const result = await extract()
    expect(result).toMatchObject({ source: 'model', reason: null, dropped: 0, usage: { promptTokens: 100, completionTokens: 20 } })
    expect(result.extraction).toMatchObject({
      extractor: 'model:reader-1',
      version: '1+rules@7',
      profile: deterministic.profile,
      goals: deterministic.goals,
    })
    const points = [...document.text]
    expect(result.extraction.claims.map(claim => claim.quote)).toEqual([containers.quote, 'Crane hire cost EUR 3.2 million\nand'])
    for (const claim of result.extraction.claims) expect(points.slice(claim.start, claim.end).join('')).toBe(claim.quote)
    expect(result.extraction.claims[0]).toMatchObject({
      subjectKey: 'site:quay-north',
      attributeKey: 'containers handled',
      value: containers.value,
    })
    expect(server.requests).toHaveLength(1)
    expect(extractor.stats()).toMatchObject({ extractions: 1, fromModel: 1, promptTokens: 100, completionTokens: 20, breaker: 'closed' })
  })

  it('is asked with the key, the schema and the whole text', async () => {
    const { server, extract } = await setUp([answer([containers])])
    await extract()
    expect(server.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      authorization: `Bearer ${secret}`,
      body: {
        model: 'reader-1',
        temperature: 0,
        max_tokens: 1000,
        response_format: { type: 'json_schema', json_schema: { strict: true } },
      },
    })
    const sent = JSON.stringify(server.requests[0]?.body)
    expect(sent).toContain(JSON.stringify(document.text).slice(1, -1))
    expect(sent).not.toMatch(/"(?:maxLength|minimum|pattern)":/)
  })

  it('takes over what the deterministic extractor knows of the same value at the same place', async () => {
    const { extract, extractor } = await setUp([answer([containers, hire])])
    const model = (await extract()).extraction.claims
    const known = {
      ...deterministic,
      claims: model.slice(0, 1).map(claim => ({ ...claim, role: 'target' as const, frame: { kind: 'sentence' }, near: ['handle'] })),
    }
    const { extraction } = await extractor.extract(document, () => known)
    expect(extraction.claims[0]).toMatchObject({ role: 'actual', frame: { kind: 'sentence' }, near: ['handle'] })
    expect(extraction.claims[1]).not.toHaveProperty('frame')
  })

  it('may find nothing', async () => {
    const { extract } = await setUp([answer([])])
    expect(await extract()).toMatchObject({ source: 'model', extraction: { claims: [] } })
  })

  it('loses what it invents, and what it invents is counted', async () => {
    const { extract } = await setUp([
      answer([
        containers,
        { ...containers, quote: 'Quay South handled 41,250 containers' },
        { ...containers, value: { ...containers.value, low: 77, high: 77 } },
        { ...containers, value: { type: 'name', value: 'Captain Nobody' } },
        { ...containers, quote: '   ' },
      ]),
    ])
    const result = await extract()
    expect(result).toMatchObject({ source: 'model', dropped: 4 })
    expect(result.extraction.claims).toHaveLength(1)
  })

  it('loses single claims that break the schema', async () => {
    const { extract } = await setUp([
      answer([
        containers,
        { ...containers, role: 'guess' },
        { ...containers, extra: 1 },
        { ...containers, confidence: 7 },
        { ...containers, period: { label: 'x', from: '2023-02-31', to: '2024-01-01', grain: 'year' } },
        'words',
      ]),
    ])
    expect(await extract()).toMatchObject({ source: 'model', dropped: 5, extraction: { claims: [{ quote: containers.quote }] } })
  })

  it('tells what it cost even when its answer is no use', async () => {
    const told: unknown[] = []
    const { extract, extractor } = await setUp([completion('not json')], { onUsage: usage => told.push(usage) })
    expect(await extract()).toMatchObject({ source: 'fallback', usage: { promptTokens: 100, completionTokens: 20 } })
    expect(told).toEqual([{ promptTokens: 100, completionTokens: 20 }])
    expect(extractor.stats().promptTokens).toBe(100)
  })
})

describe('a model that misbehaves', () => {
  it.each<[string, Behaviour, string, number]>([
    ['invented everything', answer([{ ...containers, quote: 'nowhere to be found 41,250' }]), 'nothing_grounded', 1],
    ['no JSON in the answer', completion('Here you go: {'), 'invalid_answer', 1],
    ['another shape', completion('{"facts":[]}'), 'invalid_answer', 1],
    ['only claims that break the schema', answer([{ quote: 'x' }]), 'invalid_answer', 1],
    ['an answer cut off', completion('{"claims":[', 'length'), 'truncated', 1],
    ['an empty answer', completion(''), 'empty', 1],
    ['no JSON at all', status(200, {}, '<html>proxy</html>'), 'not_json', 1],
    ['JSON of another protocol', status(200, {}, '[1,null]'), 'empty', 1],
    ['a refusal', status(401), 'refused', 1],
    ['a redirect', status(307, { location: 'http://127.0.0.1:9/' }), 'network', 3],
    ['errors', status(500), 'server_error', 3],
    ['too many requests', status(429), 'rate_limited', 3],
    ['too many requests for an hour', status(429, { 'retry-after': '3600' }), 'rate_limited', 1],
    ['a connection reset', reset, 'network', 3],
    ['a body without end', flood, 'too_large', 1],
  ])('with %s leaves the deterministic extraction', async (_, behaviour, reason, requests) => {
    const { server, extractor, extract } = await setUp([behaviour])
    const result = await extract()
    expect(result).toMatchObject({ source: 'fallback', reason })
    expect(result.extraction).toBe(deterministic)
    expect(server.requests).toHaveLength(requests)
    expect(extractor.stats()).toMatchObject({ fallbacks: { [reason]: 1 }, retries: requests - 1 })
    expect(JSON.stringify([result, extractor.stats()])).not.toContain(secret)
  })

  it.each<[string, Behaviour]>([
    ['hanging', hang],
    ['dripping', drip],
  ])('by %s is cut off in time, each time', async (_, behaviour) => {
    const { server, extract } = await setUp([behaviour], { timeoutMs: 400, retries: 1 })
    expect(await extract()).toMatchObject({ source: 'fallback', reason: 'timeout' })
    await server.cutOff(2)
    expect(server.requests).toHaveLength(2)
  })

  it('is asked again after errors, a reset and a wait it asked for', async () => {
    const { server, extractor, extract } = await setUp([status(503), reset, status(429, { 'retry-after': '0.02' }), answer([containers])], {
      retries: 3,
    })
    expect(await extract()).toMatchObject({ source: 'model' })
    expect(server.requests).toHaveLength(4)
    expect(extractor.stats()).toMatchObject({ retries: 3, fromModel: 1 })
  })
})

describe('asking a model', () => {
  it('stops when the caller stops, without an answer', async () => {
    const { server, extractor, extract } = await setUp([hang])
    const caller = new AbortController()
    const result = extract(caller.signal)
    await server.seen(1)
    caller.abort(new Error('shutting down'))
    await expect(result).rejects.toThrow('shutting down')
    await server.cutOff(1)
    expect(extractor.stats()).toMatchObject({ running: 0, breaker: 'closed' })
  })

  it('keeps to its concurrency and sends the overflow to the deterministic extraction', async () => {
    const held: (() => void)[] = []
    const hold: Behaviour = (response, request) => {
      held.push(() => answer([containers])(response, request))
    }
    const { server, extractor, extract } = await setUp([hold], { concurrency: 2, queueLimit: 1 })
    const results = [extract(), extract(), extract(), extract()]
    expect(await results[3]).toMatchObject({ source: 'fallback', reason: 'queue_full' })
    await server.seen(2)
    expect(server.requests).toHaveLength(2)
    expect(extractor.stats()).toMatchObject({ running: 2, waiting: 1 })
    for (const release of held.splice(0)) release()
    await server.seen(3)
    for (const release of held.splice(0)) release()
    expect((await Promise.all(results)).map(result => result.source)).toEqual(['model', 'model', 'model', 'fallback'])
  })

  it('stops after failures in a row, tries once after a while, and goes on when that works', async () => {
    const clock = { ms: 1000 }
    const { server, extractor, extract } = await setUp([status(500), status(500), status(500), answer([containers])], {
      retries: 0,
      breakerFailures: 2,
      breakerOpenMs: 500,
      now: () => clock.ms,
    })
    expect([(await extract()).reason, (await extract()).reason]).toEqual(['server_error', 'server_error'])
    expect(extractor.stats().breaker).toBe('open')
    expect((await extract()).reason).toBe('breaker_open')
    expect(server.requests).toHaveLength(2)
    clock.ms += 500
    expect((await extract()).reason).toBe('server_error')
    expect((await extract()).reason).toBe('breaker_open')
    clock.ms += 500
    expect(extractor.stats().breaker).toBe('half-open')
    expect((await extract()).source).toBe('model')
    expect(extractor.stats().breaker).toBe('closed')
    expect(server.requests).toHaveLength(4)
  })

  it('is spared for texts that are too long', async () => {
    const { server, extract } = await setUp([answer([])], { maxInputCharacters: 10 })
    expect(await extract()).toMatchObject({ source: 'fallback', reason: 'input_too_long' })
    expect(server.requests).toHaveLength(0)
  })

  it('falls back when nobody listens at the address', async () => {
    const { server, extract } = await setUp([hang])
    await server.close()
    expect(await extract()).toMatchObject({ source: 'fallback', reason: 'network' })
  })

  it('refuses addresses that cannot be right without repeating them', () => {
    for (const url of ['', 'ftp://x', 'http://user:pass@x/v1']) expect(() => createModelExtractor(optionsFor(url))).toThrow(TypeError)
    expect(() => createModelExtractor(optionsFor('http://user:pass@x/v1'))).not.toThrow(/pass@/)
  })
})

describe('the cache key', () => {
  it('changes with the text, the type, the model and the deterministic extractor, and with nothing else', () => {
    const extractor = createModelExtractor(optionsFor('http://x/v1'))
    const other = createModelExtractor(optionsFor('http://x/v1', { name: 'reader-2' }))
    const key = extractor.cacheKey(document, 'rules@7')
    expect(extractor.cacheKey({ ...document, documentId: 'doc-2', revision: 3 }, 'rules@7')).toBe(key)
    const keys = [
      key,
      extractor.cacheKey({ ...document, text: document.text + ' ' }, 'rules@7'),
      extractor.cacheKey({ ...document, type: 'md' }, 'rules@7'),
      extractor.cacheKey(document, 'rules@8'),
      other.cacheKey(document, 'rules@7'),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })
})
