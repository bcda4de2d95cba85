/**
 * What a document costs from accepted to indexed, where: processor time of the process, its threads and PostgreSQL; time in each
 * stage; every statement with how often it is sent, the rows it touches and what it writes ahead; every table with rows and bytes.
 */

import { readdirSync, readFileSync } from 'node:fs'
import type { Reader } from '../../src/pipeline/threads/reader.js'
import type { createCertify } from '../../src/scopes/certificates/certify.js'
import type { EmbeddedServer } from '../../src/store/server/embedded.js'
import { connectAsOwner } from '../../src/store/server/migrate.js'
import { type BenchWorld, inWorld, limits, startWorkers, untilDone, workers } from './pipeline-world.js'
import { processorUs } from './processor-time.js'

/** A server that keeps these figures. */
export const countingSettings = { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track': 'all' }
const listedStatements = 30

interface Spent {
  main: number
  threads: number
  database: number
}

export async function measureCost(
  server: EmbeddedServer,
  { reader, certify, documents, rounds }: { reader: Reader; certify: ReturnType<typeof createCertify>; documents: number; rounds: number },
): Promise<Record<string, number>> {
  const spent: Spent[] = []
  let written: Record<string, number> = {}
  // The first warms the process up.
  for (let round = 0; round <= rounds; round++) {
    await inWorld(server, async world => {
      const owner = await connectAsOwner(world.address, limits)
      await owner.query('create extension pg_stat_statements')
      await owner.query('select pg_stat_statements_reset()')
      await owner.end()
      const running = startWorkers(world.db, reader, certify, workers)
      const before = spentSoFar(server)
      await untilDone(world.db, documents)
      const after = spentSoFar(server)
      await running.stop()
      const of = (name: keyof Spent): number => (after[name] - before[name]) / 1000 / documents
      const each = { main: of('main'), threads: of('threads'), database: of('database') }
      console.log(
        `processor ms of a document: ${total(each).toFixed(1)} = main thread ${each.main.toFixed(1)} + threads ${each.threads.toFixed(1)} + PostgreSQL ${each.database.toFixed(1)}`,
      )
      if (round === 0) return
      spent.push(each)
      if (round < rounds) return
      console.log(stages(running.workers.map(worker => worker.figures().stages)))
      written = await listStatements(world, documents)
      await listTables(world, documents)
    })
  }
  const [middle] = [...spent].sort((a, b) => total(a) - total(b)).slice(Math.floor(spent.length / 2))
  if (middle === undefined) throw new Error('nothing was measured')
  return { ms_a_document: total(middle), main_thread_ms: middle.main, threads_ms: middle.threads, postgres_ms: middle.database, ...written }
}

const total = ({ main, threads, database }: Spent): number => main + threads + database

function spentSoFar(server: EmbeddedServer): Spent {
  const { user, system } = process.cpuUsage()
  const main = mainThreadUs()
  return { main, threads: user + system - main, database: processorUs(server.pid()) }
}

/** As the kernel counts it, in hundredths of a second. */
function mainThreadUs(): number {
  const stat = readFileSync(
    `/proc/self/task/${readdirSync('/proc/self/task').find(id => Number(id) === process.pid) ?? process.pid}/stat`,
    'utf8',
  )
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

function stages(figures: readonly Record<string, { count: number; totalMs: number }>[]): string {
  const names = [...new Set(figures.flatMap(each => Object.keys(each)))]
  return names
    .map(name => {
      const count = figures.reduce((sum, each) => sum + (each[name]?.count ?? 0), 0)
      const ms = figures.reduce((sum, each) => sum + (each[name]?.totalMs ?? 0), 0)
      return `${name} ${(ms / Math.max(1, count)).toFixed(2)} ms × ${count}`
    })
    .join(', ')
}

async function listStatements({ address }: BenchWorld, documents: number): Promise<Record<string, number>> {
  const owner = await connectAsOwner(address, limits)
  try {
    const { rows } = await owner.query<{ query: string; calls: number; rows: number; ms: number; wal: number; top: boolean }>(
      `select left(regexp_replace(query, '\\s+', ' ', 'g'), 150) as query, calls::float8, rows::float8, total_exec_time + total_plan_time as ms, wal_bytes::float8 as wal, toplevel as top
       from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database()) order by 4 desc`,
    )
    const per = (value: number): string => (value / documents).toFixed(2)
    console.log('\n| statement | calls | rows | ms | WAL bytes | a document |\n|---|---:|---:|---:|---:|---|')
    for (const row of rows.slice(0, listedStatements)) {
      console.log(
        `| ${row.query.replaceAll('|', '¦')} | ${per(row.calls)} | ${per(row.rows)} | ${per(row.ms)} | ${per(row.wal)} | ${row.top ? '' : 'within'} |`,
      )
    }
    const sent = rows.filter(({ top }) => top)
    const sum = (of: (row: (typeof rows)[number]) => number): number => sent.reduce((all, row) => all + of(row), 0) / documents
    return {
      statements: sum(row => row.calls),
      rows: sum(row => row.rows),
      statement_ms: sum(row => row.ms),
      wal_kib: sum(row => row.wal) / 1024,
    }
  } finally {
    await owner.end()
  }
}

async function listTables({ address }: BenchWorld, documents: number): Promise<void> {
  const owner = await connectAsOwner(address, limits)
  try {
    const { rows } = await owner.query<{
      name: string
      ins: number
      upd: number
      hot: number
      del: number
      bytes: number
      indexes: number
      n: number
    }>(
      `select relname as name, n_tup_ins::float8 as ins, n_tup_upd::float8 as upd, n_tup_hot_upd::float8 as hot, n_tup_del::float8 as del,
         pg_table_size(relid)::float8 as bytes, pg_indexes_size(relid)::float8 as indexes,
         (select count(*) from pg_index where indrelid = relid)::float8 as n
       from pg_stat_user_tables where n_tup_ins + n_tup_upd + n_tup_del > 0 order by pg_total_relation_size(relid) desc`,
    )
    const per = (value: number): string => (value / documents).toFixed(2)
    console.log('\n| table | inserted | updated (in place) | deleted | bytes | of indexes (how many) |\n|---|---:|---:|---:|---:|---:|')
    for (const { name, ins, upd, hot, del, bytes, indexes, n } of rows) {
      console.log(`| ${name} | ${per(ins)} | ${per(upd)} (${per(hot)}) | ${per(del)} | ${per(bytes)} | ${per(indexes)} (${n}) |`)
    }
  } finally {
    await owner.end()
  }
}
