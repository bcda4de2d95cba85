/** Webhooks through crashes: every event that is in the log at the end was received, in the order of its scope. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { withDeadline } from '../../src/platform/deadline.js'
import { copyDataDir } from '../support/data-dir.js'
import { type Receiver, startReceiver } from '../webhooks/receiver.js'
import { withDatabase } from './crash-run.js'
import { createRandom } from './random.js'
import { adminKey, prepareService } from './service-process.js'

const proving = process.env['PROVE'] === '1'
const kills = Number(process.env['CHAOS_KILLS'] ?? (proving ? 50 : 2))
const scopes = ['a', 'b', 'c', 'd']
const recoveryMs = 180_000
const env = { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_TIMEOUT_MS: '2000', LEASE_MS: '1000', WORKERS: '1', WORKER_THREADS: '1' }

it(
  `lose no event and keep the order of each scope through ${kills} kills`,
  async () => {
    const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000)
    const random = createRandom(seed)
    const folder = mkdtempSync(join(tmpdir(), 'concord-hooks-'))
    copyDataDir(join(folder, 'data'))
    const service = await prepareService(join(folder, 'data'), env)
    const receiver = await startReceiver()
    // Some answers are late, so that kills meet requests under way.
    const subjects = new Set<string>()
    receiver.behave((one, response) => {
      subjects.add(one.event.subject)
      setTimeout(() => response.writeHead(204).end(), random.below(12))
    })
    try {
      await service.start()
      const load = startLoad(service.url, await prepareTenant(service.url, receiver.url))
      for (let n = 0; n < kills; n++) {
        await more(receiver, 1 + random.below(30))
        await wait(random.below(40))
        const killed = service.killService()
        if (random.chance(0.3)) await service.killDatabase()
        await killed
        await service.start()
      }
      const acknowledged = await load.stop()
      // The last of each scope come last.
      await withDeadline(() => receiver.until(() => acknowledged.slice(-scopes.length).every(id => subjects.has(id))), {
        ms: recoveryMs,
        what: 'the rest of the events',
      })
      expect(acknowledged.filter(id => !subjects.has(id))).toEqual([])
      await service.stop()
      const log = await withDatabase(join(folder, 'data'), async db => {
        const { rows } = await db.engineQuery<{ scope_id: string; seq: number }>(
          `select s.scope_id, e.seq from events e join scopes s on s.tenant_id = e.tenant_id and s.scope_no = e.scope_no
           where e.type = 'document.registered' order by e.seq`,
        )
        return rows
      })
      for (const scope of scopes) {
        const seqs = log.filter(row => row.scope_id === scope).map(row => row.seq)
        expect(firstReceipts(receiver, scope), `seed ${seed}, scope ${scope}`).toEqual(seqs)
      }
      const ids = new Set(receiver.received.map(one => one.id))
      expect(ids.size).toBe(log.length)
      const twice = receiver.received.length - ids.size
      console.log(
        `PROVE webhooks kills=${kills} acknowledged=${acknowledged.length} received=${ids.size} twice=${twice} lost=0 seed=${seed}`,
      )
    } catch (error) {
      throw new Error(`${(error as Error).message} (seed ${seed})\n${service.output()}`, { cause: error })
    } finally {
      await service.stop()
      await service.killDatabase()
      await receiver.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
  (proving ? 40 : 10) * 60_000,
)

function more(receiver: Receiver, count: number): Promise<unknown> {
  const goal = receiver.received.length + count
  return withDeadline(() => receiver.until(all => all.length >= goal), { ms: recoveryMs, what: 'coming back to deliver' })
}

/** The sequence numbers of a scope in the order in which each came for the first time. */
function firstReceipts(receiver: Receiver, scope: string): number[] {
  const seen = new Set(receiver.received.filter(one => one.event.source === `/scopes/${scope}`).map(one => Number(one.event.sequence)))
  return [...seen]
}

async function prepareTenant(url: string, receiverUrl: string): Promise<string> {
  const post = async (path: string, headers: Record<string, string>, body: object) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(201)
    return (await response.json()) as { api_key: string }
  }
  const tenant = await post('/admin/tenants', { authorization: `Bearer ${adminKey}` }, { name: 'hooks' })
  await post('/api/webhooks', { 'x-tenant-api-key': tenant.api_key }, { url: receiverUrl, events: ['document.registered'] })
  return tenant.api_key
}

/** Registers documents without pause in all scopes, whether anybody answers or not. Gives the ids of those acknowledged, one of each scope last. */
function startLoad(url: string, key: string): { stop(): Promise<string[]> } {
  const acknowledged: string[] = []
  let stopped = false
  const registerOne = async (scope: string): Promise<boolean> => {
    const response = await fetch(`${url}/api/documents`, {
      method: 'POST',
      headers: { 'x-tenant-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ scope_id: scope, name: 'n', type: 'txt' }),
      signal: AbortSignal.timeout(5000),
    }).catch(() => undefined)
    const body = response?.status === 201 ? await response.json().catch(() => undefined) : undefined
    if (body !== undefined) acknowledged.push((body as { document_id: string }).document_id)
    return body !== undefined
  }
  const run = async (scope: string) => {
    while (!stopped) await wait((await registerOne(scope)) ? 10 : 50)
  }
  const running = Promise.all(scopes.map(run))
  return {
    stop: async () => {
      stopped = true
      await running
      for (const scope of scopes) while (!(await registerOne(scope))) await wait(50)
      return acknowledged
    },
  }
}
