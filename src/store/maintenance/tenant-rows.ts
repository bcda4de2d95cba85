/**
 * The file a tenant moves in: lines of JSON (NDJSON). The first says what it is, each line after it holds one row of one
 * table with its columns by name, the last counts the rows and seals all lines before it. docs/moving-tenants.md is its
 * description for readers.
 */

import { createHash, type Hash } from 'node:crypto'
import { StartupError } from '../../platform/errors.js'
import type { Transaction } from '../server/database.js'
import { selectSchema } from '../server/migrate.js'
import { inOrderOfReferences } from './table-rows.js'

export const tenantFormat = 'concord-tenant-1'

export interface TenantHeader {
  format: typeof tenantFormat
  /** Number of the newest migration: rows go into the same schema alone. */
  schema: number
  tenant_id: string
  exported_at: string
}

export interface TenantRow {
  table: string
  row: Record<string, unknown>
}

export interface TenantEnd {
  end: {
    rows: Record<string, number>
    /** Of all lines before, with their ends. */
    sha256: string
  }
}

/** What went out, or came in. */
export interface TenantMove {
  tenant_id: string
  exported_at: string
  rows: Record<string, number>
}

/** Keys that others were signed with: the public half alone, so that certificates can be verified where they go. */
export const publicKeys = 'signing_keys'

/**
 * What does not move: the audit log spans tenants, webhooks would send from two places, people sign in again, uploads are not
 * finished; usage, tokens spent today, the sums of certificates and the place in the order between tenants are made anew.
 */
const leftOut = [
  'audit_log',
  'webhooks',
  'webhook_secrets',
  'webhook_deliveries',
  'sessions',
  'tenant_turns',
  'tenant_usage',
  'model_usage',
  'uploads',
  'certificate_lists',
  'certificate_changes',
]

/** They say which scopes there are: whoever reads the file gives these their numbers. */
const numbered = ['tenants', 'scopes', 'scope_tombstones']

/** Tables that move, each after those it refers to. */
export async function listTenantTables(tx: Transaction): Promise<string[]> {
  const names = await tx.column<string>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all ($1::text[]) order by c.relname`,
    [leftOut],
  )
  const ordered = (await inOrderOfReferences(tx, names)).reverse()
  return [...numbered, ...ordered.filter(name => !numbered.includes(name))]
}

export async function columnsOf(tx: Transaction, table: string): Promise<string[]> {
  return tx.column<string>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  )
}

export async function schemaNumber(tx: Transaction): Promise<number> {
  return tx.value<number>(selectSchema)
}

/** Counts lines and digests them, on the way out and on the way in. */
export class Seal {
  readonly rows: Record<string, number> = {}
  private readonly hash: Hash = createHash('sha256')

  add(line: string, table?: string): void {
    this.hash.update(`${line}\n`)
    if (table !== undefined) this.rows[table] = (this.rows[table] ?? 0) + 1
  }

  end(): TenantEnd {
    return { end: { rows: this.rows, sha256: this.hash.digest('hex') } }
  }
}

export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new StartupError('A line of the file is not JSON: it is damaged or not a tenant export.', { cause })
  }
}
