/** Makes attempts at a running service and says which of them saw something, or were answered differently from a miss. */

import fc, { type Arbitrary } from 'fast-check'
import { fileForm } from '../support/multipart.js'
import { patientFetch } from '../support/patient-fetch.js'
import type { TestService } from '../support/service.js'
import { type Attempt, attempts, type Parties, type Request, secretsOf } from './attempts.js'

export interface Outcome {
  attempts: number
  twins: number
  leaks: string[]
  differences: string[]
  failures: string[]
  statuses: Record<number, number>
}

const triesOfTwins = 8

export type Call = (request: Request, stream: boolean) => Promise<{ status: number; text: string; headers: Headers }>

interface Plan {
  parties: Parties
  count: number
  seed: number
  call: Call
  lanes?: number
  /** Where a single finding is enough, nothing more is tried after it. */
  untilFound?: 'leaks' | 'differences'
}

export async function runAttempts({ parties, count, seed, call, lanes = 8, untilFound }: Plan): Promise<Outcome> {
  const outcome: Outcome = { attempts: 0, twins: 0, leaks: [], differences: [], failures: [], statuses: {} }
  const secrets = secretsOf(parties.victim)
  const queue = planOf(attempts(parties), count, seed)
  const lane = async () => {
    for (const attempt of queue) {
      if (untilFound !== undefined && outcome[untilFound].length > 0) return
      const found = await tryOne(attempt, secrets, call)
      outcome.attempts++
      if (attempt.twin !== null) outcome.twins++
      outcome.statuses[found.status] = (outcome.statuses[found.status] ?? 0) + 1
      if (found.leak !== null) outcome.leaks.push(found.leak)
      if (found.difference !== null) outcome.differences.push(found.difference)
      if (found.status >= 500) outcome.failures.push(`${describe(attempt.request)} answered ${found.status}`)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return outcome
}

/** Made in small portions: the service under test shares this thread, and is not to wait for them. */
function* planOf(of: Arbitrary<Attempt>, count: number, seed: number): Generator<Attempt> {
  const portion = 25
  for (let made = 0; made < count; made += portion) yield* fc.sample(of, { numRuns: Math.min(portion, count - made), seed: seed + made })
}

async function tryOne(attempt: Attempt, secrets: readonly string[], call: Call) {
  const { operation, request, twin } = attempt
  const stream = operation.stream === true
  const answer = await call(request, stream)
  const sent = JSON.stringify(request)
  const seen = `${answer.text} ${JSON.stringify([...answer.headers])}`.toLowerCase()
  const leaked = secrets.filter(secret => !sent.includes(secret) && seen.includes(secret.toLowerCase()))
  const leak = leaked.length === 0 ? null : `${describe(request)} answered ${answer.status} with ${leaked.join(', ')}`
  let difference: string | null = null
  if (twin !== null) {
    // The attacker's own scopes come and go meanwhile, by other attempts: what differs counts when it always does.
    for (let again = 0; again < triesOfTwins; again++) {
      const [foreign, missing] = [again === 0 ? answer : await call(request, stream), await call(twin.request, stream)]
      const [a, b] = [comparable(foreign, twin.names), comparable(missing, twin.names)]
      difference = a === b ? null : `${describe(request)}:\n  foreign ${a}\n  missing ${b}`
      if (difference === null) break
    }
  }
  return { status: answer.status, leak, difference }
}

/** Status and body without what names the request, the moment, or what was asked for. */
function comparable({ status, text }: { status: number; text: string }, names: [string, string][]): string {
  const body = names
    .flat()
    .reduce((result, name) => result.replaceAll(name, 'NAME'), text)
    .replaceAll(/"request_id":"[^"]*"/g, '"request_id":""')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/"(\w+_id|id|hash|\w*_hash|\w*_ms|\w*_seconds|run|round|seq|version)":("[^"]*"|[\d.]+)/g, '"$1":_')
  // A stream shows what happened to come; a successful change shows what it changed.
  return status >= 400 ? `${status} ${body}` : `${status} ${status === 200 && text.startsWith('{') ? shape(text) : ''}`
}

function shape(text: string): string {
  const body = JSON.parse(text) as Record<string, unknown>
  const items = body['items']
  return `${Object.keys(body).sort().join()} ${Array.isArray(items) ? items.length : ''}`
}

function describe({ method, path, headers, body }: Request): string {
  return `${method} ${path} ${JSON.stringify(headers)} ${JSON.stringify(body)}`.slice(0, 600)
}

/** Calls a service over HTTP; a stream is read for a moment. */
export function callerOf(service: TestService): Call {
  return async ({ method, path, headers, body, form }, stream) => {
    if (form) {
      const { raw, headers: type } = fileForm(body as Record<string, string>, { bytes: 'A file of a stranger.' })
      const answer = await service.call(method, path, { headers: { ...headers, ...type }, raw })
      return { status: answer.status, text: answer.text, headers: answer.headers }
    }
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const all = sent === undefined ? headers : { ...headers, 'content-type': 'application/json' }
    if (!stream) {
      try {
        const answer = await service.call(method, path, { headers, body })
        return { status: answer.status, text: answer.text, headers: answer.headers }
      } catch (error) {
        // The attempts of another lane may erase what is being packed: then the archive breaks off, as it should.
        if (path.includes('/bundle')) return { status: 200, text: '', headers: new Headers() }
        throw new Error(`${method} ${path} was not answered`, { cause: error })
      }
    }
    const stop = new AbortController()
    const response = await patientFetch(service.url + path, { method, headers: all, signal: stop.signal })
    const text = response.status === 200 ? await firstOf(response, stop) : await response.text()
    return { status: response.status, text, headers: response.headers }
  }
}

const glanceMs = 40

async function firstOf(response: Response, stop: AbortController): Promise<string> {
  let text = ''
  const timer = setTimeout(() => stop.abort(), glanceMs)
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) text += Buffer.from(chunk).toString('utf8')
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    clearTimeout(timer)
  }
  return text
}
