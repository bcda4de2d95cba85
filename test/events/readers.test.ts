import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { EventSource } from 'eventsource'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHints } from '../../src/events/hints.js'
import { type Database, openDatabase } from '../../src/store/server/database.js'
import { openNotifyChannel } from '../../src/store/server/notify.js'
import { documentFor, makeTenant, openIngest, range } from '../ingest/support.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { testLimits } from '../support/limits.js'
import { withinMs } from '../support/time-bounds.js'
import { eventsOf, openRaw, type StreamServer, startStreamServer } from './support.js'

let test: TestDatabase
beforeAll(async () => {
  test = await cloneDatabase({ tenantPool: 8, enginePool: 8 })
})
afterAll(() => test.close())

async function scopeOf(stream: StreamServer, documents: number, text = 'x'): Promise<{ tenantId: string; path: string }> {
  const tenantId = await makeTenant(test.db)
  const ingest = openIngest(test, {}, { hints: stream.hints })
  await Promise.all(range(documents).map(n => ingest.accept(documentFor(tenantId, 'case', { document_id: `d${n}`, text }))))
  return { tenantId, path: `/scopes/${tenantId}/case` }
}

describe('a stream', () => {
  it('carries a keep-alive while nothing happens', async () => {
    const stream = await startStreamServer(test, { sseKeepaliveMs: 60 })
    const { path } = await scopeOf(stream, 1)
    const reader = openRaw(stream.port, path)
    await reader.until(frames => frames.filter(frame => frame.comment === 'keep-alive').length >= 3)
    expect(eventsOf(reader.frames)).toEqual([])
    reader.close()
    await stream.close()
  })

  it('ends with a retry when the process stops, and the reader can resume elsewhere', async () => {
    const stream = await startStreamServer(test)
    const { path } = await scopeOf(stream, 2)
    const readers = [openRaw(stream.port, `${path}?after=-1`), openRaw(stream.port, '/kernel?after=-1')]
    await Promise.all(readers.map(reader => reader.until(frames => eventsOf(frames).length >= 2)))
    await stream.close()
    await Promise.all(readers.map(reader => reader.ended))
    for (const reader of readers) expect(Number(reader.frames.at(-1)?.retry)).toBeGreaterThan(0)
    expect(readers.map(reader => reader.frames.at(-1)?.event)).toEqual([undefined, undefined])
  })

  it('ends within a second when its key is revoked, by a hint at once', async () => {
    let allowed = true
    let asked = 0
    const allowance = {
      credential: 'one key',
      isStillAllowed: () => {
        asked++
        return allowed
      },
    }
    const stream = await startStreamServer(test, { allowance })
    const { path } = await scopeOf(stream, 1)
    const readers = range(20).map(() => openRaw(stream.port, path))
    await Promise.all(readers.map(reader => reader.until(frames => frames.length > 0)))
    allowed = false
    asked = 0
    const started = performance.now()
    await Promise.all(readers.map(reader => reader.ended))
    expect(performance.now() - started).toBeLessThan(withinMs(1000))
    expect(asked).toBeLessThanOrEqual(2)

    allowed = true
    const another = openRaw(stream.port, path)
    await another.until(frames => frames.length > 0)
    allowed = false
    stream.hints.notify('keys')
    await another.ended
    await stream.close()
  })

  it('ends its connection with itself, so that a client that keeps connections asks on another one', async () => {
    let allowed = true
    const stream = await startStreamServer(test, { allowance: { credential: 'one key', isStillAllowed: () => allowed } })
    const { path } = await scopeOf(stream, 1)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const open = async () => (await once(get(stream.url + path, { agent }), 'response'))[0] as IncomingMessage
    const first = await open()
    const { socket } = first
    first.resume()
    allowed = false
    stream.hints.notify('keys')
    await once(first, 'end')
    allowed = true
    const second = await open()
    expect(second.socket).not.toBe(socket)
    second.destroy()
    agent.destroy()
    await stream.close()
  })

  it('goes on when it cannot be known whether the key still stands', async () => {
    let asked = 0
    const isStillAllowed = async () => {
      asked++
      throw new Error('the database is away')
    }
    const stream = await startStreamServer(test, { allowance: { credential: 'k', isStillAllowed }, sseKeepaliveMs: 50 })
    const { tenantId, path } = await scopeOf(stream, 1)
    const reader = openRaw(stream.port, path)
    await expect.poll(() => asked).toBeGreaterThan(2)
    await openIngest(test, {}, { hints: stream.hints }).accept(documentFor(tenantId, 'case'))
    await reader.until(frames => eventsOf(frames).length === 1)
    reader.close()
    await stream.close()
  })

  it('is refused beyond the number a process may have, and there is room again afterwards', async () => {
    const stream = await startStreamServer(test, { sseMaxReaders: 2 })
    const { path } = await scopeOf(stream, 1)
    const readers = range(2).map(() => openRaw(stream.port, path))
    await Promise.all(readers.map(reader => reader.until(frames => frames.length > 0)))
    const refused = await fetch(stream.url + path)
    expect([refused.status, await refused.json()]).toEqual([503, { code: 'OVERLOADED' }])
    readers[0]?.close()
    await expect.poll(() => stream.streams.readers()).toBe(1)
    const third = openRaw(stream.port, path)
    await third.until(frames => frames.length > 0)
    await stream.close()
  })

  it('leaves nothing behind when clients go away in any moment', async () => {
    const stream = await startStreamServer(test)
    const { path } = await scopeOf(stream, 300)
    await Promise.all(
      range(100).map(async n => {
        const reader = openRaw(stream.port, n % 2 === 0 ? `${path}?after=-1` : '/kernel?after=-1')
        if (n % 5 !== 0) await reader.until(frames => frames.length > n % 7)
        reader.close()
        await reader.ended
      }),
    )
    await expect.poll(() => stream.streams.readers()).toBe(0)
    await expect.poll(() => stream.events.stats()).toEqual({ watchedScopes: 0, kernelReaders: 0 })
    await stream.close()
  })
})

/** A thousand in full; an everyday run takes a part of them. */
const stalling = process.env['PROVE'] === '1' ? 1000 : 50

describe('readers that do not read', () => {
  it(`are cut off at a bounded buffer and can resume, ${stalling} of them harming nobody`, async () => {
    const stream = await startStreamServer(test, { sseKeepaliveMs: 2000, sseMaxReaders: 5000 })
    // Long ids make long events, so that kernel buffers fill up with few of them.
    const tenantId = await makeTenant(test.db)
    const ingest = openIngest(test, { ingestQueueLimit: 20_000 }, { hints: stream.hints })
    const name = 'n'.repeat(500)
    const add = (count: number) => Promise.all(range(count).map(() => ingest.accept(documentFor(tenantId, 'case', { name }))))
    await add(100)
    const path = `/scopes/${tenantId}/case?after=-1`
    const before = process.memoryUsage().rss
    const stalled = await Promise.all(range(stalling).map(() => stall(stream.port, path)))
    const healthy = openRaw(stream.port, path)
    // A thousand at a time: each is promised to be stored within the deadline of ingest, also beside other programs.
    for (let thousand = 0; thousand < 12; thousand++) await add(1000)
    await healthy.until(() => healthy.events.length === 12_100)
    expect(healthy.events.map(frame => Number(frame.id))).toEqual(range(12_100))
    // This process holds both ends of every connection, and the frames the healthy reader keeps.
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(400)
    await expect.poll(() => stream.streams.readers()).toBe(1)
    healthy.close()
    const resumed = openRaw(stream.port, `/scopes/${tenantId}/case?after=12000`)
    await resumed.until(all => eventsOf(all).length === 99)
    resumed.close()
    for (const socket of stalled) socket.destroy()
    await stream.close()
  }, 120_000)
})

/** Asks for a stream and never reads it. */
async function stall(port: number, path: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => socket.destroy())
  await once(socket, 'connect')
  socket.pause()
  socket.write(`GET ${path} HTTP/1.0\r\nhost: test\r\n\r\n`)
  return socket
}

const arriving = process.env['PROVE'] === '1' ? 5000 : 1000

describe('fifty readers that reconnect at random', () => {
  it('each see 0, 1, 2, … while thousands of documents arrive through two processes', async () => {
    const processes = await Promise.all(range(2).map(() => startProcess()))
    const tenantId = await makeTenant(test.db)
    await processes[0]!.ingest.accept(documentFor(tenantId, 'case'))
    let seed = 20_261
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return seed / 2 ** 31
    }
    const readers = range(50).map(n => readEverything(n, tenantId, random, processes, arriving))
    const clients = range(40).map(async n => {
      for (let sent = 0; sent < arriving / 40 - (n === 0 ? 1 : 0); sent++)
        await processes[(n + sent) % 2]!.ingest.accept(documentFor(tenantId, 'case'))
    })
    await Promise.all(clients)
    const sequences = await Promise.all(readers)
    expect(sequences.some(({ connections }) => connections > 1)).toBe(true)
    for (const { seqs } of sequences) expect(seqs).toEqual(range(arriving))
    for (const { stream, db } of processes) {
      await stream.close()
      await db.close()
    }
  }, 120_000)
})

interface ApiProcess {
  stream: StreamServer
  db: Database
  ingest: ReturnType<typeof openIngest>
}

/** All that an API process has of its own: pools, hints and the channel between processes. */
async function startProcess(): Promise<ApiProcess> {
  const db = await openDatabase({ address: test.address, limits: testLimits, tenantPool: 4, enginePool: 4, logger: test.logger })
  const channel = openNotifyChannel({ address: test.address, limits: testLimits, logger: test.logger })
  const hints = createHints({ logger: test.logger, channel })
  const stream = await startStreamServer(test, { db, hints })
  return { stream, db, ingest: openIngest(test, {}, { db, hints }) }
}

/** A real client for every fifth reader and raw sockets for the others; both leave at random and come back at the other process. */
async function readEverything(n: number, tenantId: string, random: () => number, processes: ApiProcess[], count: number) {
  const seqs: number[] = []
  let connections = 0
  while (seqs.length < count) {
    const { stream } = processes[(n + connections++) % 2] as ApiProcess
    const last = seqs.at(-1)
    const path = `/scopes/${tenantId}/case?after=-1`
    const take = 1 + Math.floor(random() * count)
    const wanted = Math.min(count, seqs.length + take)
    if (n % 5 === 0) await readWithEventSource(stream.url + path, last, seqs, wanted)
    else await readRaw(stream.port, path, last, seqs, wanted)
  }
  return { seqs, connections }
}

function readWithEventSource(url: string, last: number | undefined, seqs: number[], wanted: number): Promise<void> {
  return new Promise(resolve => {
    const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': String(last) }
    const source = new EventSource(url, { fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }) })
    source.addEventListener('document.queued', event => {
      if (seqs.length >= wanted) return
      seqs.push(Number(event.lastEventId))
      if (seqs.length < wanted) return
      source.close()
      resolve()
    })
  })
}

async function readRaw(port: number, path: string, last: number | undefined, seqs: number[], wanted: number): Promise<void> {
  const reader = openRaw(port, path, last === undefined ? {} : { 'last-event-id': String(last) })
  const have = seqs.length
  await reader.until(() => reader.events.length >= wanted - have)
  seqs.push(...reader.events.slice(0, wanted - have).map(frame => Number(frame.id)))
  reader.close()
}
