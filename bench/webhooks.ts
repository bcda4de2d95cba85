/**
 * Messages a second to a receiver on this machine, from a backlog that waits: one endpoint with events of 20 scopes, then a
 * hundred endpoints of ten tenants, one of which never answers. And how long a single event takes to arrive at rest.
 */

import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startThrowawayService } from '../scripts/throwaway-service.js'
import { type Client, createClient } from '../src/client/index.js'

const times = process.argv.includes('--full') ? 4 : 1
const batchDocuments = 200
const deadPath = '/dead'

interface World {
  name: string
  tenants: number
  endpoints: number
  scopes: number
  /** Documents of each scope, each of them one event. */
  documents: number
  hasDead: boolean
}

const worlds: World[] = [
  { name: 'one endpoint', tenants: 1, endpoints: 1, scopes: 20, documents: 250 * times, hasDead: false },
  { name: '100 endpoints of 10 tenants, one of them dead', tenants: 10, endpoints: 10, scopes: 4, documents: 25 * times, hasDead: true },
]

/** Answers everything at once but what goes to the dead one. */
async function startCounting() {
  const held: ServerResponse[] = []
  const watchers: { most: number; resolve: () => void }[] = []
  let count = 0
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      if (request.url?.startsWith(deadPath)) return held.push(response)
      response.writeHead(204).end()
      count++
      for (const watcher of watchers.splice(0)) count >= watcher.most ? watcher.resolve() : watchers.push(watcher)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const reached = (most: number) => new Promise<void>(resolve => (count >= most ? resolve() : watchers.push({ most, resolve })))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => count,
    reached,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Counting = Awaited<ReturnType<typeof startCounting>>

async function fill(client: Client, { scopes, documents }: World): Promise<void> {
  const all = Array.from({ length: scopes * documents }, (_, n) => ({
    scope_id: `scope-${n % scopes}`,
    document_id: `d${n}`,
    name: 'A note',
    text: 'The office is in Kiel.',
  }))
  for (let from = 0; from < all.length; from += batchDocuments) await client.ingestBatch(all.slice(from, from + batchDocuments))
}

/** Webhooks are switched off while the backlog is made, and on at the same moment. */
async function measure(world: World, { url, adminKey, receiver }: { url: string; adminKey: string; receiver: Counting }): Promise<number> {
  const made: { client: Client; id: string }[] = []
  for (let n = 0; n < world.tenants; n++) {
    const tenant = await createClient({ url, adminKey }).admin.createTenant({ name: world.name })
    const client = createClient({ url, adminKey, tenantKey: tenant.api_key })
    for (let scope = 0; scope < world.scopes; scope++) {
      await client.createScope({ scope_id: `scope-${scope}` })
      await client.admin.runtime('pause', { level: 'scope', scopeId: `scope-${scope}` })
    }
    for (let endpoint = 0; endpoint < world.endpoints; endpoint++) {
      const path = world.hasDead && n + endpoint === 0 ? deadPath : `/${n}/${endpoint}`
      const { webhook_id: id } = await client.createWebhook({ url: receiver.url + path, events: ['document.queued'] })
      await client.changeWebhook(id, { enabled: false })
      made.push({ client, id })
    }
    await fill(client, world)
  }
  const expected = (made.length - Number(world.hasDead)) * world.scopes * world.documents
  const before = receiver.count()
  const started = performance.now()
  await Promise.all(made.map(({ client, id }) => client.changeWebhook(id, { enabled: true })))
  await receiver.reached(before + expected)
  const seconds = (performance.now() - started) / 1000
  console.log(`${world.name}: ${expected} messages in ${seconds.toFixed(1)} s, ${Math.round(expected / seconds)} a second`)
  return Math.round(expected / seconds)
}

/** From the answer to the one who hands in to the arrival, one event at a time. */
async function measureArrival(url: string, adminKey: string, receiver: Counting): Promise<number> {
  const tenant = await createClient({ url, adminKey }).admin.createTenant({ name: 'at rest' })
  const client = createClient({ url, tenantKey: tenant.api_key })
  await client.createWebhook({ url: receiver.url, events: ['document.registered'] })
  const took: number[] = []
  for (let n = 0; n < 50; n++) {
    const before = receiver.count()
    const started = performance.now()
    await client.registerDocument({ scope_id: 'case', name: 'n', type: 'txt', provenance: 'p' })
    await receiver.reached(before + 1)
    took.push(performance.now() - started)
  }
  const median = took.sort((a, b) => a - b)[took.length / 2] as number
  console.log(`one event at a time: ${median.toFixed(0)} ms from handing in to arrival (median)`)
  return Math.round(median)
}

const service = await startThrowawayService({ name: 'hooks', user: 'bench', settings: { WEBHOOK_ALLOW_PRIVATE: 'true' } })
const receiver = await startCounting()
try {
  const url = await service.url()
  const { admin: adminKey } = JSON.parse(readFileSync(join(service.folder, 'data', 'keys.json'), 'utf8')) as { admin: string }
  const perSecond: Record<string, number> = {}
  for (const world of worlds) perSecond[world.name] = await measure(world, { url, adminKey, receiver })
  console.log(`RESULT ${JSON.stringify({ perSecond, arrivalMs: await measureArrival(url, adminKey, receiver) })}`)
} finally {
  receiver.close()
  await service.stop()
}
