/**
 * Who did what with which key. An act is written down before it happens (so that no act goes without a row, whatever
 * dies) and finished with the status of its answer. Rows of requests that arrive together share a statement. Calls
 * without a valid key cannot fill the disk: they are counted per minute, route and address, one row each.
 */

import { digest } from '../kernel/canonical.js'
import { isAppError } from '../platform/errors.js'
import type { Logger } from '../platform/logger.js'
import type { Database } from '../store/server/database.js'
import {
  type AuditEntryRow,
  type AuditRow,
  auditGenesis,
  finishAuditRows,
  insertAuditRows,
  readAuditChain,
  readChainedRows,
  writeAuditChain,
} from '../store/tenants/audit.js'

export type AuditDraft = Omit<AuditRow, 'status'>

export interface Audit {
  /** Resolves when the row is on disk. */
  begin(draft: AuditDraft, status?: number): Promise<number>
  finish(id: number, status: number): void
  /** A call without a valid key. */
  count(call: { tier: string; action: string; status: number; address: string | null }): void
  /** Writes what has been counted and finished. */
  flush(): Promise<void>
  close(): Promise<void>
}

const maxCounted = 5_000
const maxFinished = 10_000

export function createAudit({ db, logger }: { db: Database; logger: Logger }): Audit {
  const begin = createBatch(db)
  const counted = new Map<string, { row: AuditDraft; status: number; calls: number }>()
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
  const flush = async () => {
    await finishRows()
    const rows = [...counted.values()].map(({ row, status, calls }) => ({ ...row, status, detail: { calls } }))
    counted.clear()
    if (rows.length > 0) await insertAuditRows(db, rows)
  }
  const flushQuietly = () => {
    flush().catch((error: unknown) => logger.warn({ err: error }, 'audit write failed'))
  }
  const counting = setInterval(() => counted.size > 0 && flushQuietly(), 60_000).unref()
  const finishing = setInterval(() => finished.length > 0 && flushQuietly(), 500).unref()

  return {
    begin: (draft, status) => begin({ ...draft, status: status ?? null }),
    finish(id, status) {
      // Bounded: a row that is never finished is chained as it is after a minute.
      if (finished.length < maxFinished) finished.push({ id, status })
    },
    count({ tier, action, status, address }) {
      const name = `${tier} ${action} ${status} ${counted.size < maxCounted ? address : 'others'}`
      const entry = counted.get(name)
      if (entry) entry.calls++
      else {
        const place = counted.size < maxCounted ? address : 'others'
        const row: AuditDraft = {
          tier,
          actor: 'nobody',
          action,
          outcome: 'counted',
          tenantId: null,
          scopeId: null,
          requestId: '-',
          address: place,
          detail: {},
        }
        counted.set(name, { row, status, calls: 1 })
      }
    },
    flush,
    async close() {
      clearInterval(counting)
      clearInterval(finishing)
      await flush().catch((error: unknown) => logger.warn({ err: error }, 'audit write failed'))
    },
  }
}

/** Rows that wait at the same moment go in one statement; one statement at a time. */
function createBatch(db: Database): (row: AuditRow) => Promise<number> {
  const waiting: { row: AuditRow; resolve: (id: number) => void; reject: (error: unknown) => void }[] = []
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
      const ids = await insertAuditRows(db, rows)
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

function auditHash(row: AuditEntryRow, prevHash: string): string {
  const { prev_hash: _prev, hash: _hash, ...content } = row
  return digest({ ...content, prev_hash: prevHash })
}

/** Walks the chain; answers the first row that does not fit, or how many do. */
export async function verifyAuditChain(db: Database): Promise<{ ok: true; rows: number } | { ok: false; id: number }> {
  let last = { chainNo: 0, hash: auditGenesis }
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
