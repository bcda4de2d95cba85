/** What is measured on a world of any size: each the time of one question, asked of the running service where it has a route. */

import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { runRetention } from '../../src/events/retention.js'
import { sha256 } from '../../src/platform/digest.js'
import { findCandidates } from '../../src/store/leases/leases.js'
import type { Database } from '../../src/store/server/database.js'
import { findKeyOwners } from '../../src/store/tenants/tenants.js'
import { processKeys } from '../../test/support/concord-process.js'
import { eventsPerDocument, keyTextOf, largeTenant, probeTenant } from './scale-world.js'

export interface World {
  tenants: number
  owner: pg.Client
  db: Database
  /** Of the service; empty before it is started. */
  url: string
  /** Tenant keys made for this run. */
  keys: { large: string; probe: string }
}

export interface Measure {
  name: string
  samples: number
  ask(world: World, n: number): Promise<unknown>
}

const longText = 'The output of plant 12 for FY2025 was 112 tonnes. '.repeat(80)
const internals = { authorization: `Bearer ${processKeys.internals}` }

/** Without the service, while every scope of the world waits. */
export const idleMeasures: Measure[] = [
  { name: 'candidates', samples: 200, ask: ({ db }) => findCandidates(db, 32) },
  { name: 'key_check', samples: 200, ask: ({ db, tenants }, n) => findKeyOwners(db, [sha256(keyTextOf(1 + ((n * 7919) % tenants)))]) },
]

/** Of one scope, whatever its size. */
const probeMeasures: Measure[] = [
  { name: 'summary', samples: 60, ask: world => get(world, '/api/scopes/probe/summary', tenantHeaders(world.keys.probe)) },
  {
    name: 'claims_search',
    samples: 60,
    ask: world => get(world, '/api/scopes/probe/claims?q=plant%20output', tenantHeaders(world.keys.probe)),
  },
  {
    name: 'claims_subject',
    samples: 60,
    ask: world => get(world, '/api/scopes/probe/claims?subject=plant%2012', tenantHeaders(world.keys.probe)),
  },
  { name: 'scope_metrics', samples: 60, ask: metricsOfScope },
  { name: 'stream_start', samples: 40, ask: world => firstEvents(world, '/api/scopes/probe/events', tenantHeaders(world.keys.probe)) },
]

export const scopeMeasures: Measure[] = [
  {
    name: 'accept_to_indexed',
    samples: 40,
    ask: (world, n) => acceptToIndexed(world, { tenantId: probeTenant, key: world.keys.probe, scopeId: 'probe' }, n),
  },
  ...probeMeasures,
]

export const serviceMeasures: Measure[] = [
  {
    name: 'accept_to_indexed',
    samples: 20,
    ask: (world, n) => acceptToIndexed(world, { tenantId: largeTenant, key: world.keys.large, scopeId: 'run-read' }, n),
  },
  ...probeMeasures,
  { name: 'scope_list', samples: 60, ask: world => get(world, '/api/scopes?limit=20', tenantHeaders(world.keys.large)) },
  { name: 'kernel_metrics', samples: 20, ask: world => get(world, '/metrics', internals) },
  // As many scopes as the empty world has.
  { name: 'kernel_convergence', samples: 20, ask: world => get(world, '/internals/kernel/convergence?limit=3', internals) },
  {
    name: 'tenant_limits',
    samples: 40,
    ask: world => get(world, `/admin/tenants/${largeTenant}/limits`, { authorization: `Bearer ${processKeys.admin}` }),
  },
]

/** While nothing is read: what waits would be read meanwhile. */
export const stoppedMeasures: Measure[] = [
  {
    name: 'ingest',
    samples: 100,
    ask: (world, n) =>
      ingest(world, { tenantId: largeTenant, key: world.keys.large, scopeId: 'run-ingest' }, { name: `Report ${n}`, text: longText }),
  },
]

export function tenantHeaders(key: string): Record<string, string> {
  return { 'x-tenant-api-key': key }
}

async function get(world: World, path: string, headers: Record<string, string>): Promise<unknown> {
  const answer = await fetch(`${world.url}${path}`, { headers })
  const body = await answer.text()
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${body}`)
  return body
}

function metricsOfScope(world: World): Promise<unknown> {
  const headers = { authorization: `Bearer ${processKeys.admin}`, 'x-tenant-api-key': world.keys.probe }
  return get(world, '/admin/scopes/probe/metrics', headers)
}

interface Place {
  tenantId: string
  key: string
  scopeId: string
}

async function ingest(world: World, { tenantId, key, scopeId }: Place, document: { name: string; text: string }): Promise<string> {
  const headers = { ...tenantHeaders(key), 'x-tenant-id': tenantId, 'content-type': 'application/json' }
  const answer = await fetch(`${world.url}/api/ingest`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ scope_id: scopeId, ...document }),
  })
  const body = (await answer.json()) as { document_id: string }
  if (answer.status !== 202) throw new Error(`ingest answered ${answer.status}: ${JSON.stringify(body)}`)
  return body.document_id
}

async function acceptToIndexed(world: World, place: Place, n: number): Promise<void> {
  const text = `Report ${n}\n\nThe output of plant ${n} for FY2025 was ${100 + n} tonnes.`
  const id = await ingest(world, place, { name: `Report ${n}`, text })
  const answer = (await get(world, `/api/documents/${id}?scope_id=${place.scopeId}&wait=30`, tenantHeaders(place.key))) as string
  const { status } = JSON.parse(answer) as { status: string }
  if (status !== 'indexed') throw new Error(`a document is ${status}`)
}

/** Until the first events of the log arrive. */
async function firstEvents(world: World, path: string, headers: Record<string, string>): Promise<void> {
  const ending = new AbortController()
  const answer = await fetch(`${world.url}${path}?after=${eventsPerDocument}`, {
    headers: { ...headers, accept: 'text/event-stream' },
    signal: ending.signal,
  })
  const reader = answer.body?.getReader()
  for (let seen = ''; !seen.includes('data:'); ) {
    const { value, done } = (await reader?.read()) ?? { done: true }
    if (done) throw new Error(`the stream ended with ${answer.status}: ${seen}`)
    seen += new TextDecoder().decode(value)
  }
  ending.abort()
}

/** Puts a document into every scope's queue; `stopWaiting` takes them out again. Documents are not needed to find a scope. */
export async function startWaiting(owner: pg.Client): Promise<void> {
  await owner.query(`insert into backlog (tenant_id, scope_no, seq, generation, document_id, revision)
    select tenant_id, scope_no, -1, 1, 'waiting', 1 from scopes`)
  await owner.query('update scope_heads set has_backlog = true')
  await owner.query('analyze scope_heads, tenant_turns, backlog')
}

export async function stopWaiting(owner: pg.Client): Promise<void> {
  await owner.query("delete from backlog where document_id = 'waiting'")
  await owner.query('update scope_heads set has_backlog = false where has_backlog')
  await owner.query('update tenant_turns set due_at = null')
  await owner.query('vacuum analyze scope_heads, tenant_turns, backlog')
}

/** Rows a second that retention removes, of ten old events in every scope: they stand before all others in commit order. */
export async function retentionRate({ owner, db }: World): Promise<number> {
  await owner.query(`insert into events (tenant_id, scope_no, seq, xid, id, type, data, time) overriding system value
    select tenant_id, scope_no, k, '3'::xid8, -1000000000 + ${eventsPerDocument} * scope_no + k, 'document.processing', '{"document_id":"old"}', now() - interval '90 days'
    from scopes, generate_series(0, ${eventsPerDocument - 1}) k where scope_id not like 'run-%'`)
  await owner.query('update scope_heads set oldest_seq = 0')
  await owner.query("update event_horizon set xid = '0', id = -2000000000")
  await owner.query('analyze events')
  const started = performance.now()
  let removed = 0
  for (let more = true; more; ) {
    const result = await runRetention({ db, config: { eventRetentionDays: 60, idempotencyRetentionHours: 24 } })
    removed += result.events
    more = result.more
  }
  const seconds = (performance.now() - started) / 1000
  await owner.query('vacuum analyze events')
  return removed / seconds
}

/** Takes back what the run itself wrote, so that the next one finds the same world. */
export async function removeRun({ owner }: World): Promise<void> {
  await owner.query("delete from runtime_states where tenant_id = '-'")
  await owner.query("update scopes set generation = generation + 1 where scope_id like 'run-%'")
  const { rows } = await owner.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'scope_no' and t.table_type = 'BASE TABLE' and c.table_name <> 'scopes'`,
  )
  for (const table of [...rows.map(row => row.name), 'scopes'])
    await owner.query(`delete from ${table} where scope_no in (select scope_no from scopes where scope_id like 'run-%')`)
  await owner.query("delete from tenant_keys where label = 'benchmark'")
}

/** Nodes follow within a second. */
export async function stopReading({ owner }: World): Promise<void> {
  await owner.query("insert into runtime_states (tenant_id, scope_no, state) values ('-', 0, 'stopped')")
  await wait(1500)
}
