/**
 * What keeping who saw what (AUDIT_READS) costs reads: people who signed in open documents of a case as the desk does, its revisions, its text and
 * its claims, from a service that keeps it and from one that does not, in turns on one database. Opening a document first in an hour writes a
 * row; after that it is found in memory that it was written.
 *
 *   npm run bench -- reads           12 rounds
 *   npm run bench -- reads --full    40 rounds
 */

import { assemble } from '../src/assemble.js'
import { createClient } from '../src/client/index.js'
import { addressOf } from '../src/http/server.js'
import { systemClock } from '../src/platform/clock.js'
import { loadConfig } from '../src/platform/config.js'
import { createLogger } from '../src/platform/logger.js'
import { openOwnDatabase } from './support/own-database.js'

const rounds = process.argv.includes('--full') ? 40 : 12
const documents = 100
const lanes = 8
const adminKey = 'bench-admin-key-0123456789abcdef'
const ways = ['people', 'off'] as const
type Way = (typeof ways)[number]

const { db, address, limits, close } = await openOwnDatabase({ enginePool: 6, statementTimeoutMs: 30_000 })
const services = { people: await serve('people'), off: await serve('off') }
try {
  const operator = createClient({ url: services.off.url, adminKey })
  const { tenant_id: tenantId, api_key: tenantKey } = await operator.admin.createTenant({ name: 'Reads' })
  await fill(tenantKey)
  const took = { first: empty(), again: empty() }
  for (let round = 0; round < rounds + 1; round++) {
    // A new person each round, who has read nothing yet.
    const { api_key } = await operator.admin.createKey(tenantId, {
      label: `p${round}`,
      rights: ['read'],
      person: `p${round}`,
      speak_for: false,
    })
    for (const way of round % 2 === 0 ? ways : [...ways].reverse()) {
      const cookie = await signIn(services[way].url, api_key)
      const measured = { first: await readAll(way, cookie), again: await readAll(way, cookie) }
      // The first round warms plans and pages up.
      if (round > 0) for (const kind of ['first', 'again'] as const) took[kind][way].push(measured[kind])
    }
  }
  const { rows } = await db.engineQuery('select count(*)::int as rows from audit_log where object is not null')
  const ratio = (kind: 'first' | 'again') => Number((median(took[kind].people) / median(took[kind].off)).toFixed(3))
  const all = { opened_first: ratio('first'), opened_again: ratio('again') }
  for (const kind of ['first', 'again'] as const)
    console.log(
      `${kind}: ${median(took[kind].people).toFixed(2)} ms a document with people kept, ${median(took[kind].off).toFixed(2)} without`,
    )
  console.log(`${rows[0]?.['rows']} rows for ${(rounds + 1) * documents * 2} documents opened where it is kept, ${rounds} rounds`)
  console.log(`RESULT ${JSON.stringify(all)}`)
} finally {
  for (const way of ways) await services[way].stop()
  await close()
}

function empty(): Record<Way, number[]> {
  return { people: [], off: [] }
}

async function serve(reads: Way) {
  const env = {
    PORT: '0',
    LOG_LEVEL: 'error',
    ADMIN_API_KEY: adminKey,
    AUDIT_READS: reads,
    WORKER_THREADS: '1',
    SESSION_IDLE_MINUTES: '60',
  }
  const loaded = loadConfig(env, { readFile: () => undefined })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults))
  const storage = { db, address, limits, schemaVersion: 0, embedded: null, close: async () => undefined }
  const service = await assemble({ config: loaded.config, clock: systemClock, logger: createLogger({ level: 'error' }), storage })
  await service.start()
  return { url: addressOf(service.app), stop: () => service.stop() }
}

async function fill(tenantKey: string): Promise<void> {
  const client = createClient({ url: services.off.url, tenantKey })
  const text = 'The hall was painted and the windows were cleaned before the summer. '.repeat(60)
  for (let n = 0; n < documents; n++) await client.ingest({ scope_id: 'case', document_id: `d${n}`, name: `d${n}`, text: `${text}${n}` })
  await client.document('case', `d${documents - 1}`, { wait: 30 })
}

async function signIn(url: string, key: string): Promise<string> {
  const answer = await fetch(`${url}/api/session/key`, { method: 'POST', headers: { 'x-tenant-api-key': key } })
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] as string
}

/** Milliseconds opening a document takes, with a few under way at a time. */
async function readAll(way: Way, cookie: string): Promise<number> {
  const started = performance.now()
  const lane = async (first: number) => {
    for (let n = first; n < documents; n += lanes) {
      for (const path of [`documents/d${n}/revisions?`, `documents/d${n}/text?`, `scopes/case/claims?document_id=d${n}&`]) {
        const answer = await fetch(`${services[way].url}/api/${path}scope_id=case`, { headers: { cookie } })
        const text = await answer.text()
        if (answer.status !== 200) throw new Error(`${path} ${answer.status} ${text}`)
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_none, first) => lane(first)))
  return ((performance.now() - started) * lanes) / documents
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
