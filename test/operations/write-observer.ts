/**
 * Tries to commit a row on every server of a cluster, directly, as long as it runs, and remembers what was committed
 * when and on which timeline. Two primaries show as a commit on an older timeline that began after one on a newer
 * timeline had ended.
 */

import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { HaCluster, HaServer } from './ha-cluster.js'

interface Write {
  server: string
  timeline: number
  beganMs: number
  endedMs: number
}

export interface WriteObserver {
  secondPrimaries(): string[]
  stop(): Promise<void>
}

/** The pause between two tries at a server, and how long one may take. */
const pauseMs = 100
const patienceMs = 2000

export async function observeWrites(cluster: HaCluster, database: string): Promise<WriteObserver> {
  const writes: Write[] = []
  let stopped = false
  await once(cluster, cluster.port, database, 'create table observed_writes (server text, at timestamptz default now())')
  const watch = async (server: HaServer) => {
    while (!stopped) {
      const beganMs = performance.now()
      const timeline = await once(cluster, server.port, database, writeOf(server)).catch(() => undefined)
      if (timeline !== undefined) writes.push({ server: server.name, timeline, beganMs, endedMs: performance.now() })
      await wait(pauseMs)
    }
  }
  const watching = cluster.servers.map(watch)
  return {
    secondPrimaries: () => {
      const found: string[] = []
      let newest: Write | undefined
      for (const write of [...writes].sort((a, b) => a.endedMs - b.endedMs)) {
        const late = writes.find(other => other.timeline < write.timeline && other.beganMs > write.endedMs)
        if (late !== undefined && newest?.timeline !== write.timeline) {
          found.push(`${late.server} committed on timeline ${late.timeline} after ${write.server} had on timeline ${write.timeline}`)
        }
        newest = write
      }
      return found
    },
    async stop() {
      stopped = true
      await Promise.all(watching)
    },
  }
}

const timelineNow = `('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int as timeline`

function writeOf(server: HaServer): string {
  return `insert into observed_writes (server) values ('${server.name}') returning ${timelineNow}`
}

/** One statement on a connection of its own: a server that hangs keeps nobody else waiting. */
async function once(cluster: HaCluster, port: number, database: string, sql: string): Promise<number | undefined> {
  const { host, user, password } = cluster.superuser(port, database)
  const client = new pg.Client({
    ...{ host, port, database, user, password },
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  })
  // A server that dies takes its connections with it.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<{ timeline: number }>(sql)).rows[0]?.timeline
  } finally {
    // Not awaited: the end of a connection to a frozen server never comes.
    client.end().catch(() => undefined)
  }
}
