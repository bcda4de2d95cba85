/**
 * What a document costs from accepted to indexed, where: processor time of the process, its threads and PostgreSQL; time in each
 * stage; every statement with how often it is sent, the rows it touches and what it writes ahead; every table with rows and bytes. The first documents are measured apart: a cold process costs twice as much.
 */

import { readdirSync, readFileSync } from 'node:fs'
import type { Reader } from '../../src/pipeline/threads/reader.js'
import type { createCertify } from '../../src/scopes/certificates/certify.js'
import { openDatabase } from '../../src/store/server/database.js'
import type { EmbeddedServer } from '../../src/store/server/embedded.js'
import { connectAsOwner } from '../../src/store/server/migrate.js'
import {
  type BenchWorld,
  ingest,
  inWorld,
  limits,
  logger,
  startWorkers,
  untilDone,
  type WaitingDocument,
  workers,
} from './pipeline-world.js'
import { processorUs } from './processor-time.js'

/** A server that keeps these figures. */
export const countingSettings = { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track': 'all' }
const listedStatements = 30

interface Spent {
  main: number
  threads: number
  database: number
}

/** Threads compile and connections plan for this long: a service runs for weeks, so what it costs then is the figure. */
const warmingRounds = 3

interface CostInput {
  reader: Reader
  certify: ReturnType<typeof createCertify>
  documents: number
  rounds: number
  waitingDocuments(tenantIds: readonly string[], round: number): WaitingDocument[]
}

export async function measureCost(server: EmbeddedServer, input: CostInput): Promise<Record<string, number>> {
  return inWorld(server, async world => {
    const { documents, rounds } = input
    await asOwner(world, owner => owner.query('create extension pg_stat_statements'))
    const spent: Spent[] = []
    let stagesOfLast = ''
    let tables: TableFigures[] = []
    for (let round = 0; round < warmingRounds + rounds; round++) {
      if (round > 0) await handIn(world, input.waitingDocuments(world.tenantIds, round))
      await asOwner(world, owner => owner.query('select pg_stat_statements_reset()'))
      tables = await readTables(world)
      const running = startWorkers(world.db, input.reader, input.certify, workers)
      const before = spentSoFar(server)
      await untilDone(world.db, documents * (round + 1))
      const after = spentSoFar(server)
      await running.stop()
      const of = (name: keyof Spent): number => (after[name] - before[name]) / 1000 / documents
      const each = { main: of('main'), threads: of('threads'), database: of('database') }
      console.log(
        `processor ms of a document${round < warmingRounds ? ', warming up' : ''}: ${total(each).toFixed(1)} = main thread ${each.main.toFixed(1)} + threads ${each.threads.toFixed(1)} + PostgreSQL ${each.database.toFixed(1)}`,
      )
      spent.push(each)
      stagesOfLast = stages(running.workers.map(worker => worker.figures().stages))
    }
    console.log(stagesOfLast)
    const written = await listStatements(world, documents)
    await listTables(world, tables, { documents, held: documents * spent.length })
    const [middle] = spent
      .slice(warmingRounds)
      .sort((a, b) => total(a) - total(b))
      .slice(Math.floor(rounds / 2))
    const [first] = spent
    if (middle === undefined || first === undefined) throw new Error('nothing was measured')
    return {
      ms_a_document: total(middle),
      main_thread_ms: middle.main,
      threads_ms: middle.threads,
      postgres_ms: middle.database,
      first_documents_ms: total(first),
      ...written,
    }
  })
}

/** By connections of its own, which are closed: the server counts what they did before it is told to begin anew. */
async function handIn({ address }: BenchWorld, rows: readonly WaitingDocument[]): Promise<void> {
  const db = await openDatabase({ address, limits, tenantPool: 1, enginePool: 1, logger })
  try {
    await ingest(db, rows)
  } finally {
    await db.close()
  }
}

async function asOwner<T>({ address }: BenchWorld, work: (owner: Awaited<ReturnType<typeof connectAsOwner>>) => Promise<T>): Promise<T> {
  const owner = await connectAsOwner(address, limits)
  try {
    return await work(owner)
  } finally {
    await owner.end()
  }
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

async function listStatements(world: BenchWorld, documents: number): Promise<Record<string, number>> {
  return asOwner(world, async owner => {
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
  })
}

interface TableFigures {
  name: string
  ins: number
  upd: number
  hot: number
  del: number
  bytes: number
  indexes: number
  n: number
}

async function readTables(world: BenchWorld): Promise<TableFigures[]> {
  return asOwner(world, async owner => {
    const { rows } = await owner.query<TableFigures>(
      `select relname as name, n_tup_ins::float8 as ins, n_tup_upd::float8 as upd, n_tup_hot_upd::float8 as hot, n_tup_del::float8 as del,
         pg_table_size(relid)::float8 as bytes, pg_indexes_size(relid)::float8 as indexes,
         (select count(*) from pg_index where indrelid = relid)::float8 as n
       from pg_stat_user_tables order by pg_total_relation_size(relid) desc`,
    )
    return rows
  })
}

/** What was done to tables since `before`; their sizes are of all documents they hold. */
async function listTables(world: BenchWorld, before: readonly TableFigures[], { documents, held }: { documents: number; held: number }) {
  const earlier = new Map(before.map(table => [table.name, table]))
  console.log('\n| table | inserted | updated (in place) | deleted | bytes | of indexes (how many) |\n|---|---:|---:|---:|---:|---:|')
  for (const table of await readTables(world)) {
    const grown = (of: 'ins' | 'upd' | 'hot' | 'del'): number => table[of] - (earlier.get(table.name)?.[of] ?? 0)
    if (grown('ins') + grown('upd') + grown('del') === 0) continue
    const per = (value: number): string => (value / documents).toFixed(2)
    const size = (bytes: number): string => (bytes / held).toFixed(0)
    console.log(
      `| ${table.name} | ${per(grown('ins'))} | ${per(grown('upd'))} (${per(grown('hot'))}) | ${per(grown('del'))} | ${size(table.bytes)} | ${size(table.indexes)} (${table.n}) |`,
    )
  }
}
