/**
 * Who did what with which key. An act is written down before it happens (so that no act goes without a row, whatever
 * dies) and finished with the status of its answer. Rows of requests that arrive together share a statement. Calls
 * without a valid key, and those refused by a limit, cannot fill the disk: they are counted per minute, route, caller
 * and address, one row each.
 */

import { digest } from '../kernel/canonical.js'
import { startLoop } from '../platform/bounded-loop.js'
import { isAppError } from '../platform/errors.js'
import type { Logger } from '../platform/logger.js'
import type { Database } from '../store/server/database.js'
import {
  type AuditEntryRow,
  type AuditRow,
  cutAuditLog,
  findAuditStart,
  finishAuditRows,
  insertAuditRows,
  insertReadings,
  type ReadingRow,
  readAuditChain,
  readChainedRows,
  writeAuditChain,
} from '../store/tenants/audit.js'

export type AuditDraft = Omit<AuditRow, 'status'>

const maxCounted = 5_000
const maxFinished = 10_000
const finishEveryMs = 500
const countEveryMs = 60_000
/** In an outage everything waits for the same database. */
const afterFailure = { failurePauseMs: 1000, maxFailurePauseMs: 30_000 }

interface CountedCall {
  tier: string
  action: string
  status: number
  /** Whose key it was, where it was valid. */
  actor?: string
  address: string | null
}

export type Audit = ReturnType<typeof createAudit>

export function createAudit({ db, logger }: { db: Database; logger: Logger }) {
  const begin = createBatch((rows: AuditRow[]) => insertAuditRows(db, rows))
  const noteReading = createBatch(async (rows: ReadingRow[]) => {
    const leftMs = await insertReadings(db, rows)
    return rows.map(() => leftMs)
  })
  let counted = new Map<string, { call: CountedCall; calls: number }>()
  let finished: { id: number; status: number }[] = []

  const finishRows = async () => {
    const answers = finished
    finished = []
    if (answers.length === 0) return
    await finishAuditRows(db, answers).catch((error: unknown) => {
      // For the next time: finishing a row twice does nothing.
      finished = [...answers, ...finished].slice(0, maxFinished)
      throw error
    })
  }
  const count = (call: CountedCall, calls: number) => {
    const named = counted.size < maxCounted ? call : { ...call, actor: 'others', address: 'others' }
    const name = `${call.tier} ${call.action} ${call.status} ${named.actor} ${named.address}`
    const entry = counted.get(name)
    if (entry) entry.calls += calls
    else counted.set(name, { call: named, calls })
  }
  const writeCounted = async () => {
    const taken = counted
    counted = new Map()
    if (taken.size === 0) return
    await insertAuditRows(db, [...taken.values()].map(rowOfCalls)).catch((error: unknown) => {
      // For the next time, with those that came meanwhile: rather counted twice than not at all.
      const newer = counted
      counted = taken
      for (const { call, calls } of newer.values()) count(call, calls)
      throw error
    })
  }
  const flush = async () => {
    const written = await Promise.allSettled([finishRows(), writeCounted()])
    for (const each of written) if (each.status === 'rejected') throw each.reason
  }
  const repeat = (name: string, work: () => Promise<void>, pollMs: number) =>
    startLoop({ name, run: () => work().then(() => 'idle'), pollMs, ...afterFailure, logger })
  const loops = [repeat('audit write', finishRows, finishEveryMs), repeat('audit write of counted calls', writeCounted, countEveryMs)]

  return {
    /** Resolves when the row is on disk. */
    begin: (draft: AuditDraft, status?: number): Promise<number> => begin({ ...draft, status: status ?? null }),
    finish(id: number, status: number): void {
      // Bounded: a row that is never finished is chained as it is after a minute.
      if (finished.length < maxFinished) finished.push({ id, status })
    },
    /** Resolves when the log has it, from this node or another, with how many milliseconds of its hour are left. */
    noteReading: (row: ReadingRow): Promise<number> => noteReading(row),
    /** A call without a valid key, or one refused by a limit. */
    count: (call: CountedCall): void => count(call, 1),
    /** Writes what has been counted and finished. */
    flush,
    async close(): Promise<void> {
      await Promise.all(loops.map(loop => loop.stop()))
      await flush().catch((error: unknown) => logger.warn({ err: error }, 'audit write failed'))
    },
  }
}

function rowOfCalls({ call, calls }: { call: CountedCall; calls: number }): AuditRow {
  return { actor: 'nobody', ...call, tenantId: null, scopeId: null, requestId: '-', outcome: 'counted', detail: { calls } }
}

/** Rows that wait at the same moment go in one statement; one statement at a time. */
function createBatch<Row>(insert: (rows: Row[]) => Promise<number[]>): (row: Row) => Promise<number> {
  const waiting: { row: Row; resolve: (id: number) => void; reject: (error: unknown) => void }[] = []
  let running = false
  const run = async () => {
    running = true
    while (waiting.length > 0) {
      await write(waiting.splice(0, 200))
    }
    running = false
  }
  const write = async (batch: typeof waiting): Promise<void> => {
    const rows = batch.map(entry => entry.row)
    try {
      const ids = await insert(rows)
      for (const [index, entry] of batch.entries()) entry.resolve(ids[index] as number)
    } catch (error) {
      // A row that cannot be stored must not take those of other callers with it.
      if (batch.length > 1 && !isAppError(error, 'STORAGE_UNAVAILABLE')) for (const entry of batch) await write([entry])
      else for (const entry of batch) entry.reject(error)
    }
  }
  return row =>
    new Promise((resolve, reject) => {
      waiting.push({ row, resolve, reject })
      if (!running) void run()
    })
}

/** A chore of the leader: links up to `limit` finished rows to the chain, oldest first. Answers how many. */
export async function chainAuditLog(db: Database, limit = 500): Promise<number> {
  return db.engine(async tx => {
    const { head, rows } = await readAuditChain(tx, limit)
    let { chain_no: chainNo, hash } = head
    const links = rows.map(row => {
      const prevHash = hash
      hash = auditHash(row, prevHash)
      chainNo++
      return { id: row.id, chainNo, prevHash, hash }
    })
    if (links.length > 0) await writeAuditChain(tx, links)
    return links.length
  })
}

/** A chore of the leader: what is older goes from the old end, and the rest still verifies. Unset: nothing goes. */
export async function shortenAuditLog(db: Database, days: number | undefined, limit = 1000): Promise<number> {
  return days === undefined ? 0 : db.engine(tx => cutAuditLog(tx, days, limit))
}

function auditHash(row: AuditEntryRow, prevHash: string): string {
  const { prev_hash: _prev, hash: _hash, object, reader, hour, ...content } = row
  return digest({ ...content, ...(object === null ? {} : { seen: { object, reader, hour } }), prev_hash: prevHash })
}

/** Walks the chain; answers the first row that does not fit, or how many do. */
export async function verifyAuditChain(db: Database): Promise<{ ok: true; rows: number } | { ok: false; id: number }> {
  const start = await db.engine(findAuditStart, { readOnly: true })
  let last = { chainNo: start.chain_no, hash: start.hash }
  for (let count = 0; ; ) {
    const rows = await readChainedRows(db, last.chainNo, 1000)
    for (const { chain_no: chainNo, ...row } of rows) {
      if (chainNo !== last.chainNo + 1 || row.prev_hash !== last.hash || row.hash !== auditHash(row, last.hash))
        return { ok: false, id: row.id }
      last = { chainNo, hash: row.hash }
      count++
    }
    if (rows.length === 0) return { ok: true, rows: count }
  }
}
