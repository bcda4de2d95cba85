/**
 * Gives back what resets, deleted scopes and deleted tenants left behind: rows nobody can see, in batches that hold no lock
 * for long. Which tables hold such rows is read from the catalogue, so a new table cannot be forgotten.
 */

import { appendServiceEvents, blankWordsOfEvents, lockScopes, serviceTenant } from '../events/events.js'
import { inOrderOfReferences } from '../maintenance/table-rows.js'
import type { Database, EngineTransaction } from '../server/database.js'

export interface RemovalLimits {
  /** Rows of one statement. */
  batchRows: number
  /** Statements of one call that remove anything: the rest is for the next. */
  batches: number
}

export interface RemovalResult {
  rows: number
  /** Whether anything is left for the next call. */
  more: boolean
}

/** Certificates outlive the generation they were issued in. */
const keptAcrossGenerations = ['scopes', 'scope_tombstones', 'certificates']

/** Rows of generations that a reset ended, and the reasons in their events: nobody could erase those with their documents any more. */
export async function removeOldGenerations(db: Database, limits: RemovalLimits): Promise<RemovalResult> {
  const tables = await db.engine(tx => listTables(tx, ['tenant_id', 'scope_no', 'generation'], keptAcrossGenerations), { readOnly: true })
  const budget = { left: limits.batches, rows: 0 }
  for (;;) {
    const { rows: scopes } = await db.engineQuery<ResetScope>(
      `select tenant_id, scope_no, generation, oldest_generation from scopes where oldest_generation < generation
       order by tenant_id, scope_no limit 100`,
    )
    if (scopes.length === 0) return { rows: budget.rows, more: false }
    for (const scope of scopes) {
      const rows = {
        where: 'tenant_id = $1 and scope_no = $2 and generation < $3',
        values: [scope.tenant_id, scope.scope_no, scope.generation],
      }
      const cleared = (await blankEvents(db, scope, limits, budget)) && (await clearTables(db, tables, rows, limits, budget))
      if (!cleared) return { rows: budget.rows, more: true }
      await db.engineQuery('update scopes set oldest_generation = $3 where tenant_id = $1 and scope_no = $2', [
        scope.tenant_id,
        scope.scope_no,
        scope.generation,
      ])
    }
  }
}

interface ResetScope {
  tenant_id: string
  scope_no: number
  generation: number
  oldest_generation: number
}

/** Events between the last reset that was cleared and the present one, as many in a statement as its rows. False when the budget ended first. */
async function blankEvents(
  db: Database,
  { tenant_id, scope_no, generation, oldest_generation }: ResetScope,
  limits: RemovalLimits,
  budget: { left: number; rows: number },
): Promise<boolean> {
  const { rows: bounds } = await db.engineQuery<{ first: number | null; end: number | null }>(
    `select coalesce(max(seq) filter (where reset_to <= $4), min(oldest_seq)) as first, max(seq) as end
     from (select e.seq, (e.data->>'generation')::integer as reset_to, h.oldest_seq from scope_heads h
       join events e on e.tenant_id = h.tenant_id and e.scope_no = h.scope_no and e.type = 'scope.reset'
       where h.tenant_id = $1 and h.scope_no = $2) r
     where reset_to <= $3`,
    [tenant_id, scope_no, generation, oldest_generation],
  )
  const end = bounds[0]?.end ?? 0
  for (let seq = bounds[0]?.first ?? 0; seq < end; seq += limits.batchRows) {
    if (budget.left === 0) return false
    const values = [tenant_id, scope_no, seq, Math.min(seq + limits.batchRows, end)]
    const rowCount = await db.engine(tx => tx.run(blankWordsOfEvents('seq >= $3 and seq < $4 and subject is not null'), values))
    if (rowCount > 0) budget.left--
    budget.rows += rowCount
  }
  return true
}

/**
 * What deleted scopes held, their idempotency keys and events included; certificates and the events of the deletion stay. The
 * name may be in use again by now: what belongs to it since is of a later generation.
 */
export async function removeDeletedScopes(db: Database, limits: RemovalLimits): Promise<RemovalResult> {
  const tables = await db.engine(
    tx => listTables(tx, ['tenant_id', 'scope_no', 'generation'], ['scopes', 'scope_tombstones', 'certificates']),
    { readOnly: true },
  )
  const budget = { left: limits.batches, rows: 0 }
  const { rows: scopes } = await db.engineQuery<{
    tenant_id: string
    scope_no: number
    scope_id: string
    generation: number
    oldest_seq: number
  }>(
    'select tenant_id, scope_no, scope_id, generation, oldest_seq from scope_tombstones where not cleared order by tenant_id, scope_no limit 100',
  )
  for (const { tenant_id, scope_no, scope_id, generation, oldest_seq } of scopes) {
    const place = [tenant_id, scope_no]
    const held = { where: 'tenant_id = $1 and scope_no = $2 and generation < $3', values: [...place, generation] }
    const log = { where: 'tenant_id = $1 and scope_no = $2 and seq < $3', values: [...place, oldest_seq] }
    const cleared = (await clearTables(db, tables, held, limits, budget)) && (await clearTables(db, ['events'], log, limits, budget))
    if (!cleared) return { rows: budget.rows, more: true }
    await db.engineQuery(
      `update events set data = (data::jsonb - 'display_name')::json
       where tenant_id = $1 and scope_no = 0 and type = 'scope.created' and data ->> 'scope_id' = $2 and data ->> 'display_name' is not null
         and time < (select deleted_at from scope_tombstones where tenant_id = $1 and scope_id = $2)`,
      [tenant_id, scope_id],
    )
    await db.engineQuery('update scope_tombstones set cleared = true where tenant_id = $1 and scope_no = $2 and generation = $3', [
      ...place,
      generation,
    ])
  }
  return { rows: budget.rows, more: scopes.length === 100 }
}

/** Everything of tenants that were deleted; their row stays as a tombstone without a name, so that an id never comes back. */
export async function removeDeletedTenants(db: Database, limits: RemovalLimits): Promise<RemovalResult> {
  const budget = { left: limits.batches, rows: 0 }
  const { rows: tenants } = await db.engineQuery<{ tenant_id: string }>(
    'select tenant_id from tenants where deleted_at is not null and removed_at is null order by tenant_id limit 100',
  )
  for (const { tenant_id: tenantId } of tenants) {
    // Whoever makes a scope saw the tenant alive while holding this lock (`holdOffRemoval`, `concord_make_scopes`): those are waited for, and nobody can follow.
    await db.engine(tx => tx.run('select concord_lock_quota($1)', [tenantId]))
    if (!(await clearTenant(db, tenantId, limits, budget))) return { rows: budget.rows, more: true }
    await db.engine(async tx => {
      const isRemoved = await tx.touches(
        `update tenants set removed_at = clock_timestamp()
         where tenant_id = $1 and not exists (select from scopes where tenant_id = $1)`,
        [tenantId],
      )
      // Nothing of the tenant can follow: who keeps events in memory forgets them now.
      if (isRemoved) await appendServiceEvents(tx, serviceTenant, [{ type: 'tenant.removed', data: { tenant_id: tenantId } }])
    })
  }
  return { rows: budget.rows, more: tenants.length === 100 }
}

/** Everything a tenant owns, but for its row. False when the budget ended first. */
export async function clearTenant(
  db: Database,
  tenantId: string,
  limits: RemovalLimits,
  budget: { left: number; rows: number },
): Promise<boolean> {
  const tables = await db.engine(async tx => inOrderOfReferences(tx, await listTables(tx, ['tenant_id'], ['tenants', 'audit_log'])), {
    readOnly: true,
  })
  return (
    (await closeScopes(db, tenantId, limits, budget)) &&
    (await clearTables(db, tables, { where: 'tenant_id = $1', values: [tenantId] }, limits, budget))
  )
}

/**
 * Takes the scopes of a deleted tenant away from everybody, before anything else of it is removed. Whoever writes to a scope
 * holds its lock and has seen its row behind it: those under way are waited for, and nobody can follow. False when the
 * budget ended first.
 */
async function closeScopes(
  db: Database,
  tenantId: string,
  limits: RemovalLimits,
  budget: { left: number; rows: number },
): Promise<boolean> {
  for (;;) {
    const { rows: scopes } = await db.engineQuery<{ scope_no: number }>(
      'select scope_no from scopes where tenant_id = $1 order by scope_no limit $2',
      [tenantId, limits.batchRows],
    )
    if (scopes.length === 0) return true
    if (budget.left === 0) return false
    const scopeNos = scopes.map(scope => scope.scope_no)
    await db.engine(async tx => {
      await lockScopes(tx, scopeNos)
      for (const table of ['scope_heads', 'scope_leases', 'scopes']) {
        await tx.query({ text: `delete from ${table} where tenant_id = $1 and scope_no = any ($2)`, values: [tenantId, scopeNos] })
      }
    })
    budget.left--
    budget.rows += scopes.length
  }
}

interface Rows {
  where: string
  values: readonly unknown[]
}

/** True when nothing is left; false when the budget ended first. */
async function clearTables(
  db: Database,
  tables: readonly string[],
  rows: Rows,
  limits: RemovalLimits,
  budget: { left: number; rows: number },
): Promise<boolean> {
  for (const table of tables) {
    for (;;) {
      if (budget.left === 0) return false
      const removed = await db.engine(async tx => {
        const { rowCount } = await tx.query({
          text: `delete from ${table} where ctid = any (array(select ctid from ${table} where ${rows.where} limit ${limits.batchRows}))`,
          values: rows.values,
        })
        return rowCount
      })
      // A table that is clear already costs nothing, or a small budget would never reach the last table.
      if (removed > 0) budget.left--
      budget.rows += removed
      if (removed < limits.batchRows) break
    }
  }
  return true
}

/** Our own tables that have all of these columns. */
async function listTables(tx: EngineTransaction, columns: readonly string[], except: readonly string[]): Promise<string[]> {
  return tx.column<string>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all ($2::text[])
       and $1::text[] <@ array(select attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)
     order by c.relname`,
    [columns, except],
  )
}
