/** What a support person would ask about a server: does it answer, do the keys work, is every part well, does work get done. */

import { fileURLToPath } from 'node:url'
import type { Client } from '../client/client.js'
import { ConnectionError } from '../client/problem-error.js'
import { examine, type Finding } from './doctor-finding.js'
import { packageVersion } from './package-version.js'
import type { ServerSettings } from './server-settings.js'

const mostSkewSeconds = 30
const longQueueSeconds = 60

export async function examineServer(client: Client, settings: ServerSettings): Promise<Finding[]> {
  const reach = await examine('service', () => reachability(client, settings))
  if (reach.status === 'fault') return [reach]
  const tiers = await Promise.all([
    key('admin', settings.adminKey, async () => (await client.admin.health()).authTier ?? 'unknown'),
    key('internals', settings.internalsKey, async () => (await client.internals.health()).authTier ?? 'unknown'),
    key('tenant', settings.tenantKey, async () => (await client.me()).rights.join(', ')),
    examine('certificate keys', async () => ({ status: 'ok', detail: `${(await client.jwks()).keys.length} public keys` })),
  ])
  const admin = settings.adminKey ?? settings.internalsKey
  const parts = admin === undefined ? [] : await controlPlane(client)
  const work = settings.internalsKey === undefined ? [] : [await examine('runtime and queue', () => processing(client))]
  const quarantine = admin === undefined ? [] : [await examine('quarantine', () => quarantined(client))]
  return [reach, ...tiers, ...parts, ...work, ...quarantine]
}

async function reachability(client: Client, { url }: ServerSettings): Promise<Omit<Finding, 'check'>> {
  const startedAt = performance.now()
  try {
    const health = await client.health()
    const ms = Math.round(performance.now() - startedAt)
    const skew = Math.round((Date.parse(health.time) - Date.now()) / 1000)
    const detail = `${url} is ${health.status}, version ${health.version}, ${ms} ms`
    if (health.status === 'unavailable') return { status: 'fault', detail, next: 'the parts below say why; look at the log of the service' }
    if (health.version !== packageVersion())
      return { status: 'warning', detail, next: `this command line is ${packageVersion()}: use the same version` }
    if (Math.abs(skew) > mostSkewSeconds)
      return { status: 'warning', detail: `${detail}; clocks differ by ${skew} s`, next: 'set both clocks by NTP' }
    return { status: health.status === 'ok' ? 'ok' : 'warning', detail }
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
    return { status: 'fault', detail: error.message, next: 'start it with `concord serve`, or set CONCORD_URL' }
  }
}

function key(whose: string, value: string | undefined, use: () => Promise<string>): Promise<Finding> {
  return examine(`${whose} key`, async () => {
    const next = `set CONCORD_${whose.toUpperCase()}_KEY, or use a profile`
    return value === undefined
      ? { status: 'skipped', detail: 'none is known', next }
      : { status: 'ok', detail: `accepted (${await use()})` }
  })
}

async function controlPlane(client: Client): Promise<Finding[]> {
  const health = await client.admin.controlPlaneHealth().catch((error: unknown) => error as Error)
  if (health instanceof Error) return [{ check: 'control plane', status: 'fault', detail: health.message }]
  return health.checks.map(check => ({
    check: `control plane: ${check.name}`,
    status: check.status === 'ok' ? 'ok' : check.status === 'degraded' ? 'warning' : 'fault',
    detail: [check.detail, figures(check.figures)].filter(Boolean).join('; ') || check.status,
    ...(check.status === 'ok'
      ? {}
      : { next: `see ${fileURLToPath(new URL('../../docs/operations.md', import.meta.url))} about ${check.name}` }),
  }))
}

function figures(values: object): string {
  return Object.entries(values)
    .filter(([, value]) => typeof value !== 'object')
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}

async function processing(client: Client): Promise<Omit<Finding, 'check'>> {
  const { runtime, queue, workers } = await client.internals.snapshot()
  const detail = `${runtime.state}, ${queue.depth} waiting, oldest ${queue.oldest_age_seconds.toFixed(0)} s, ${workers.length} workers`
  if (runtime.state !== 'running') return { status: 'warning', detail, next: '`concord runtime start` lets documents be processed' }
  if (queue.depth > 0 && workers.length === 0) return { status: 'fault', detail, next: 'start a node with --role worker or --role all' }
  if (queue.oldest_age_seconds > longQueueSeconds) return { status: 'warning', detail, next: 'add workers (WORKERS) or nodes' }
  return { status: 'ok', detail }
}

async function quarantined(client: Client): Promise<Omit<Finding, 'check'>> {
  const items = await client.admin.quarantine({ level: 'service' }, { limit: 50 }).toArray(50)
  if (items.length === 0) return { status: 'ok', detail: 'empty' }
  return {
    status: 'warning',
    detail: `${items.length}${items.length === 50 ? ' or more' : ''} documents`,
    next: '`concord quarantine` says why; `concord quarantine retry` tries again',
  }
}
