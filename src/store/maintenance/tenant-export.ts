/**
 * Writes everything a tenant owns as lines of JSON, as of one moment, while the service works. Rows come through a cursor, so
 * that memory stays bounded however much there is. Rows that a reset or a deletion has left to be removed do not go along.
 */

import { AppError } from '../../platform/errors.js'
import type { Database, EngineTransaction } from '../server/database.js'
import { batchesOf } from './table-rows.js'
import {
  columnsOf,
  listTenantTables,
  publicKeys,
  Seal,
  schemaNumber,
  type TenantHeader,
  type TenantMove,
  tenantFormat,
} from './tenant-rows.js'

const hourMs = 3_600_000

/** `write` gets one line at a time, without its end, and is waited for. */
export async function exportTenant(db: Database, tenantId: string, write: (line: string) => Promise<void>): Promise<TenantMove> {
  return db.engine(
    async tx => {
      const exported_at = await tx.value<string | null>('select now() from tenants where tenant_id = $1 and deleted_at is null', [tenantId])
      if (exported_at === null) throw new AppError('TENANT_NOT_FOUND', { detail: 'There is no tenant with this id.' })
      const header: TenantHeader = { format: tenantFormat, schema: await schemaNumber(tx), tenant_id: tenantId, exported_at }
      const seal = new Seal()
      const put = (line: string, table?: string) => {
        seal.add(line, table)
        return write(line)
      }
      await put(JSON.stringify(header))
      for (const { table, text } of await selections(tx)) {
        for await (const batch of batchesOf(tx, table, { text, values: [tenantId] })) {
          // Between the parts of a value, JSON may hold ends of lines as PostgreSQL keeps it; within strings it never does.
          for (const row of batch) await put(`{"table":"${table}","row":${row.replaceAll('\n', ' ')}}`, table)
        }
      }
      const end = seal.end()
      await write(JSON.stringify(end))
      return { tenant_id: tenantId, exported_at, rows: end.end.rows }
    },
    { readOnly: true, snapshot: true, statementTimeoutMs: hourMs },
  )
}

async function selections(tx: EngineTransaction): Promise<{ table: string; text: string }[]> {
  const keys = `select row_to_json(t)::text as row from (
    select kid, public_jwk, created_at from signing_keys k where exists (select from certificates c where c.tenant_id = $1 and c.kid = k.kid)) t`
  const selected = [{ table: publicKeys, text: keys }]
  for (const table of await listTenantTables(tx)) selected.push({ table, text: await selectionOf(tx, table) })
  return selected
}

const ofScope = 'tenant_id = t.tenant_id and scope_no = t.scope_no'

async function selectionOf(tx: EngineTransaction, table: string): Promise<string> {
  const select = `select row_to_json(t)::text as row from ${table} t where t.tenant_id = $1`
  if (table === 'events') {
    return `${select} and (t.scope_no = 0 or t.seq >= coalesce(
      (select oldest_seq from scope_heads where ${ofScope}), (select oldest_seq from scope_tombstones where ${ofScope}))) order by t.xid, t.id`
  }
  if (table === 'policy_sets') {
    // Sets of the service that decided for the tenant go along as its own: the service it goes to may never have had them.
    return `select row_to_json(t)::text as row from (
      select * from policy_sets where tenant_id = $1
      union all
      select $1, p.hash, p.policies, p.created_at from policy_sets p
      where p.tenant_id = '-' and exists (select from decisions where tenant_id = $1 and policy_hash = p.hash)
        and not exists (select from policy_sets where tenant_id = $1 and hash = p.hash)) t`
  }
  const columns = await columnsOf(tx, table)
  const ofGeneration = columns.includes('generation') && !['scopes', 'scope_tombstones', 'certificates'].includes(table)
  return ofGeneration ? `${select} and exists (select from scopes where ${ofScope} and generation = t.generation)` : select
}
