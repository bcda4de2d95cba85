/**
 * Idempotency keys in the caller's transaction. The order is always: `lockScopes`, `findIdempotent`, the work,
 * `rememberIdempotent`. The scope's lock makes simultaneous duplicates wait for each other; the unique key catches
 * the rest. What a key is to a request, `concord_key_use` says, here and in a flush.
 */

import { createHash } from 'node:crypto'
import { AppError } from '../../platform/errors.js'
import type { Transaction } from '../server/database.js'
import { commitBarrierSql } from './commit-barrier.js'

export interface IdempotentUse {
  tenantId: string
  key: string
  /** What was asked, such as `ingest` or `attach`: the same key for another operation is a reuse. */
  operation: string
  bodyHash: Buffer
}

/** `found` is false for a key that is free. */
export type IdempotentAnswer<T> = { found: false } | { found: true; response: T }

/** SHA-256 of a parsed body after defaults. Members that are undefined do not count, nor does the order of members. */
export function hashBody(body: Readonly<Record<string, unknown>>): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(body, (_key, value: unknown) => (isPlainObject(value) ? sortMembers(value) : value)))
    .digest()
}

/** The first response when the same was asked before; refuses (`IDEMPOTENCY_KEY_REUSED`) when the key was used for something else. */
export async function findIdempotent<T>(tx: Transaction, use: IdempotentUse): Promise<IdempotentAnswer<T>> {
  const row = await tx.row<{ use: 'replayed' | 'reused' | 'ended'; response: T }>(
    'select use, response from concord_key_use($1, $2, $3, $4)',
    [use.tenantId, use.key, use.operation, use.bodyHash],
  )
  if (row?.use === 'reused') throw keyReused()
  if (row?.use === 'replayed') await tx.run(`select ${commitBarrierSql}`)
  return row?.use === 'replayed' ? { found: true, response: row.response } : { found: false }
}

export interface IdempotentRecord extends IdempotentUse {
  scopeNo: number
  generation: number
  response: unknown
}

/** Keeps the response under its key. A key taken meanwhile by another scope's request is a reuse: the bodies cannot be equal. */
export async function rememberIdempotent(tx: Transaction, record: IdempotentRecord): Promise<void> {
  const rowCount = await tx.run(
    `insert into idempotency_keys as k (tenant_id, key, operation, body_hash, scope_no, generation, response)
      values ($1, $2, $3, $4, $5, $6, $7::json)
      on conflict (tenant_id, key) do update
        set operation = excluded.operation, body_hash = excluded.body_hash, scope_no = excluded.scope_no,
            generation = excluded.generation, response = excluded.response, created_at = clock_timestamp()
        where exists (select from concord_key_use(k.tenant_id, k.key, k.operation, k.body_hash) u where u.use = 'ended')`,
    [record.tenantId, record.key, record.operation, record.bodyHash, record.scopeNo, record.generation, JSON.stringify(record.response)],
  )
  if (rowCount === 0) throw keyReused()
}

export function keyReused(): AppError {
  return new AppError('IDEMPOTENCY_KEY_REUSED', { detail: 'This idempotency key was used before with another request.' })
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sortMembers(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}
