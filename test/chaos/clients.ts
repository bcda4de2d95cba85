/**
 * Clients that hand in documents without pause, repeat what was not answered (or was) under the same key, and remember
 * what they were told. What they were told is what the service is held to.
 */

import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom, type Random } from './random.js'

export interface Told {
  seq: number
  document_id: string
}

export interface Sent {
  /** In the text of the document, and of no other. */
  marker: string
  scopeId: string
  key: string | null
  sends: number
  answers: Told[]
}

export interface Clients {
  readonly sent: Sent[]
  /** Answers to repetitions that differ from the first answer. */
  readonly changedAnswers: string[]
  /** Anything but an acceptance, a 503 or a lost connection. */
  readonly surprises: string[]
  acknowledged(): number
  /** Answers of 503. */
  refused(): number
  /** Resolves when this many more have been acknowledged. */
  progress(more: number): Promise<void>
  send(one: Sent): Promise<boolean>
  /** They hand in nothing more by themselves; `send` still does. */
  rest(): Promise<void>
  stop(): Promise<void>
}

export interface ClientOptions {
  url: string
  tenantId: string
  seed: number
  count: number
  scopes: number
}

const requestMs = 20_000

export function startClients(options: ClientOptions): Clients {
  const agent = new Agent({ keepAlive: true, maxSockets: options.count })
  const waiters = new Set<() => void>()
  const clients = { sent: [] as Sent[], changedAnswers: [] as string[], surprises: [] as string[] }
  let stopped = false
  let acknowledged = 0
  let refused = 0

  const fresh = (random: Random): Sent => {
    const marker = `m${clients.sent.length}.${random.below(1e9)}`
    const one = {
      marker,
      scopeId: `case-${random.below(options.scopes)}`,
      key: random.chance(0.8) ? `key-${marker}` : null,
      sends: 0,
      answers: [],
    }
    clients.sent.push(one)
    return one
  }
  const send = async (one: Sent): Promise<boolean> => {
    one.sends++
    const answer = await post(agent, options, one)
    if (answer.status !== 202) {
      if (answer.status === 503) refused++
      else if (answer.status !== 0) clients.surprises.push(`${answer.status} ${answer.body}`)
      return false
    }
    const { seq, document_id } = JSON.parse(answer.body) as Told
    const first = one.answers[0]
    if (one.key !== null && first !== undefined && (first.seq !== seq || first.document_id !== document_id)) {
      clients.changedAnswers.push(`${one.key}: ${JSON.stringify(first)} became ${answer.body}`)
    }
    one.answers.push({ seq, document_id })
    acknowledged++
    for (const waiter of [...waiters]) waiter()
    return true
  }
  const run = async (random: Random) => {
    while (!stopped) {
      const old = clients.sent.length > 0 && random.chance(0.1) ? random.pick(clients.sent) : undefined
      const one = old?.key ? old : fresh(random)
      const persistent = one.key !== null && random.chance(0.7)
      for (let tries = 0; !stopped && !(await send(one)) && persistent && tries < 100; tries++) await wait(20 + random.below(150))
    }
  }
  const running = Array.from({ length: options.count }, (_none, n) => run(createRandom(options.seed + 1 + n)))
  const rest = async () => {
    stopped = true
    await Promise.all(running)
  }
  return {
    ...clients,
    send,
    acknowledged: () => acknowledged,
    refused: () => refused,
    progress: more =>
      new Promise(resolve => {
        const goal = acknowledged + more
        const look = () => {
          if (acknowledged < goal && !stopped) return
          waiters.delete(look)
          resolve()
        }
        waiters.add(look)
        look()
      }),
    rest,
    async stop() {
      await rest()
      agent.destroy()
    },
  }
}

/** Status 0: nobody knows what became of it. */
function post(agent: Agent, options: ClientOptions, one: Sent): Promise<{ status: number; body: string }> {
  const body = JSON.stringify({
    scope_id: one.scopeId,
    name: 'A report',
    text: `Report ${one.marker}.`,
    idempotency_key: one.key ?? undefined,
  })
  const headers = { 'content-type': 'application/json', 'x-tenant-id': options.tenantId }
  return new Promise(resolve => {
    const lost = () => resolve({ status: 0, body: '' })
    const sending = request(`${options.url}/api/ingest`, { method: 'POST', agent, headers, timeout: requestMs }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.complete ? (response.statusCode ?? 0) : 0, body: text }))
      response.on('error', lost)
      response.on('aborted', lost)
    })
    sending.on('timeout', () => sending.destroy())
    sending.on('error', lost)
    sending.end(body)
  })
}
