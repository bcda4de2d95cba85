import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ConnectionError } from './problem-error.js'
import { defaultRetries, retryingFetch } from './retrying-fetch.js'

const policy = { ...defaultRetries, attempts: 4, baseMs: 0 }

function problem(status: number, code: string, headers: Record<string, string> = {}): () => Response {
  return () => new Response(JSON.stringify({ code, status, detail: code }), { status, headers })
}
const ok = () => new Response('{"fine":true}')
const broken = () => {
  throw new TypeError('fetch failed')
}

function calling(answers: (() => Response)[], request: Request, given = policy) {
  const bodies: unknown[] = []
  const fetch = retryingFetch(async (_url, init) => {
    bodies.push(init.body)
    return (answers[bodies.length - 1] ?? ok)()
  }, given)
  return { result: fetch(request), bodies }
}

const read = () => new Request('http://service/api/scopes')
const act = (headers: Record<string, string> = {}) => new Request('http://service/api/ingest', { method: 'POST', body: '{"a":1}', headers })

describe('fetch with retries', () => {
  it('repeats a read after broken connections, gateways and unavailable storage', async () => {
    const { result, bodies } = calling([broken, problem(502, 'x'), problem(503, 'STORAGE_UNAVAILABLE')], read())
    expect((await result).status).toBe(200)
    expect(bodies).toHaveLength(4)
  })

  it('repeats an act with an idempotency key, with the same body', async () => {
    const { result, bodies } = calling([broken, problem(504, 'x')], act({ 'idempotency-key': 'k' }))
    expect((await result).status).toBe(200)
    expect(bodies).toEqual(['{"a":1}', '{"a":1}', '{"a":1}'])
  })

  it('gives an archive once it has begun, however long the rest takes, and repeats what fails before', async () => {
    const { readable, writable } = new TransformStream()
    const request = new Request('http://service/api/scopes/case/bundle', { headers: { accept: 'application/zip' } })
    const { result, bodies } = calling([broken, problem(503, 'OVERLOADED'), () => new Response(readable)], request, {
      ...policy,
      timeoutMs: 50,
    })
    const answer = await result
    expect(bodies).toHaveLength(3)
    const writer = writable.getWriter()
    const text = answer.text()
    await writer.write(new TextEncoder().encode('PK'))
    await writer.close()
    expect(await text).toBe('PK')
    const refused = calling([problem(404, 'SCOPE_NOT_FOUND')], request.clone())
    expect((await refused.result).status).toBe(404)
  })

  it('does not repeat an act that may have been done and has no idempotency key', async () => {
    const lost = calling([broken], act())
    await expect(lost.result).rejects.toBeInstanceOf(ConnectionError)
    expect(lost.bodies).toHaveLength(1)
    const unsure = calling([problem(503, 'STORAGE_UNAVAILABLE')], act())
    expect((await unsure.result).status).toBe(503)
  })

  it('repeats any act that certainly was not done', async () => {
    const { result, bodies } = calling([problem(429, 'RATE_LIMITED'), problem(503, 'OVERLOADED')], act())
    expect((await result).status).toBe(200)
    expect(bodies).toHaveLength(3)
  })

  it('takes refusals, disabled tiers and unhealthy health as answers', async () => {
    const unhealthy = () => new Response('{"status":"unavailable"}', { status: 503 })
    for (const answer of [problem(404, 'SCOPE_NOT_FOUND'), problem(503, 'TIER_DISABLED'), unhealthy]) {
      const { result, bodies } = calling([answer], read())
      expect((await result).status).toBe(answer().status)
      expect(bodies).toHaveLength(1)
    }
  })

  it('ends after the attempts it has, and before the deadline it has', async () => {
    const many = calling(Array(10).fill(problem(503, 'OVERLOADED')), read())
    expect((await many.result).status).toBe(503)
    expect(many.bodies).toHaveLength(4)
    const late = calling([problem(429, 'RATE_LIMITED', { 'retry-after': '3600' })], read())
    expect((await late.result).status).toBe(429)
    expect(late.bodies).toHaveLength(1)
  })

  it('waits at least as long as Retry-After says', async () => {
    const startedAt = performance.now()
    await calling([problem(503, 'OVERLOADED', { 'retry-after': '1' })], read()).result
    expect(performance.now() - startedAt).toBeGreaterThan(990)
  })

  it('stops when the caller aborts, without another attempt', async () => {
    const controller = new AbortController()
    const request = new Request('http://service/api/scopes', { signal: controller.signal })
    const { result, bodies } = calling([problem(503, 'OVERLOADED', { 'retry-after': '30' })], request)
    controller.abort(new Error('enough'))
    await expect(result).rejects.toThrow('enough')
    expect(bodies.length).toBeLessThanOrEqual(1)
  })

  describe('of a large body over a slow line', () => {
    const once = { ...policy, attempts: 1 }
    const megabytes = (count: number) => new Uint8Array(count * 1_000_000)
    const upload = (bytes: Uint8Array<ArrayBuffer>) => {
      const headers = { 'content-type': 'multipart/form-data; boundary=x', 'idempotency-key': 'k' }
      return new Request('http://service/api/files', { method: 'POST', body: bytes, headers })
    }
    /** The answer, or why there is none, of a service that answers and ends its answer after so many seconds. */
    const taking = async (request: Request, { answer = 0, end = 0, length = 0 }) => {
      vi.useFakeTimers()
      onTestFinished(() => void vi.useRealTimers())
      const fetchOnce = (_url: string, { signal }: RequestInit) =>
        new Promise<Response>((resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
          const start = (body: ReadableStreamDefaultController) => {
            signal?.addEventListener('abort', () => body.error(signal.reason))
            setTimeout(() => !signal?.aborted && body.close(), end * 1000)
          }
          const headers: Record<string, string> = length === 0 ? {} : { 'content-length': String(length) }
          setTimeout(() => resolve(new Response(new ReadableStream({ start }), { headers })), answer * 1000)
        })
      const result = retryingFetch(
        fetchOnce,
        once,
      )(request).then(
        ({ status }) => status,
        (error: Error) => error.name,
      )
      await vi.advanceTimersByTimeAsync(1_200_000)
      return result
    }

    it('waits as long as the body takes, ten minutes at most', async () => {
      expect(await taking(upload(megabytes(1)), { answer: 110 })).toBe(200)
      expect(await taking(upload(megabytes(1)), { answer: 130 })).toBe('ConnectionError')
      expect(await taking(upload(megabytes(25)), { answer: 590 })).toBe(200)
      expect(await taking(upload(megabytes(25)), { answer: 610 })).toBe('ConnectionError')
      expect(await taking(act({ 'idempotency-key': 'k' }), { answer: 61 })).toBe('ConnectionError')
    })

    it('reads an answer as long as what it announces takes', async () => {
      expect(await taking(read(), { end: 110, length: 1_000_000 })).toBe(200)
      expect(await taking(read(), { end: 130, length: 1_000_000 })).toBe('ConnectionError')
      expect(await taking(read(), { end: 61 })).toBe('ConnectionError')
    })
  })
})
