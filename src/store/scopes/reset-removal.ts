/**
 * Gives back what resets, deleted scopes and deleted tenants left behind: rows nobody can see, in batches that hold no lock
 * for long. Which tables hold such rows is read from the catalogue, so a new table cannot be forgotten.
 */

import { appendServiceEvents, blankWordsOfEvents, lockScopes, serviceTenant } from '../events/events.js'
import { countIn } from '../events/events-reading.js'
import { inOrderOfReferences } from '../maintenance/table-rows.js'
import { across, type Database, type EngineTransaction } from '../server/database.js'
import { keyOf, type NamedPlace, ofPlace, placeOf, type ScopePlace } from './scopes.js'

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

/** What one call may still do, and what it has done. */
export interface Budget extends RemovalLimits {
  rows: number
}

/** Certificates outlive the generation they were issued in. */
const keptAcrossGenerations = ['scopes', 'scope_tombstones', 'certificates']

/** Rows of generations that a reset ended, and the reasons in their events: nobody could erase those with their documents any more. */
export async function removeOldGenerations(db: Database, limits: RemovalLimits): Promise<RemovalResult> {
  const tables = await listGenerations(db)
  const budget: Budget = { ...limits, rows: 0 }
  for (;;) {
    const scopes = await across(db).rows<ResetScope>(
      `select tenant_id as "tenantId", scope_no as "scopeNo", generation, oldest_generation as oldest from scopes
       where oldest_generation < generation order by tenant_id, scope_no limit 100`,
    )
    if (scopes.length === 0) return { rows: budget.rows, more: false }
    for (const scope of scopes) {
      const rows = { where: 'tenant_id = $1 and scope_no = $2 and generation < $3', values: placeOf(scope) }
      // What is clear already costs little, the log of the scope is walked anew by each call: so it comes last.
      const cleared = (await clearTables(db, tables, rows, budget)) && (await blankEvents(db, scope, budget))
      if (!cleared) return { rows: budget.rows, more: true }
      await db.engineQuery('update scopes set oldest_generation = $3 where tenant_id = $1 and scope_no = $2', rows.values)
    }
  }
}

async function listGenerations(db: Database): Promise<string[]> {
  return db.engine(tx => listTables(tx, ['tenant_id', 'scope_no', 'generation'], keptAcrossGenerations), { readOnly: true })
}

interface ResetScope extends ScopePlace {
  /** The oldest generation that has rows. */
  oldest: number
}

/** Events between the last reset that was cleared and the present one, as many in a statement as its rows. False when the budget ended first. */
async function blankEvents(db: Database, scope: ResetScope, budget: Budget): Promise<boolean> {
  const { first, end } = await across(db).one<{ first: number | null; end: number | null }>(
    `select coalesce(max(seq) filter (where reset_to <= $4), min(oldest_seq)) as first, max(seq) as end
     from (select e.seq, ${countIn('e', 'generation')} as reset_to, h.oldest_seq from scope_heads h
       join events e on e.tenant_id = h.tenant_id and e.scope_no = h.scope_no and e.type = 'scope.reset'
       where h.tenant_id = $1 and h.scope_no = $2) r
     where reset_to <= $3`,
    [...placeOf(scope), scope.oldest],
  )
  if (end === null) return true
  for (let seq = first ?? 0; seq < end; seq += budget.batchRows) {
    if (budget.batches === 0) return false
    const values = [...keyOf(scope), seq, Math.min(seq + budget.batchRows, end)]
    const rowCount = await db.engine(tx => tx.run(blankWordsOfEvents('seq >= $3 and seq < $4 and subject is not null'), values))
    spend(budget, rowCount)
  }
  return true
}

/**
 * What deleted scopes held, their idempotency keys and events included; certificates and the events of the deletion stay. The
 * name may be in use again by now: what belongs to it since is of a later generation.
 */
export async function removeDeletedScopes(db: Database, limits: RemovalLimits): Promise<RemovalResult> {
  const tables = await listGenerations(db)
  const budget: Budget = { ...limits, rows: 0 }
  const scopes = await across(db).rows<NamedPlace & { oldestSeq: number }>(
    `select tenant_id as "tenantId", scope_no as "scopeNo", scope_id as "scopeId", generation, oldest_seq as "oldestSeq" from scope_tombstones
     where not cleared order by tenant_id, scope_no limit 100`,
  )
  for (const scope of scopes) {
    const held = { where: 'tenant_id = $1 and scope_no = $2 and generation < $3', values: placeOf(scope) }
    const log = { where: 'tenant_id = $1 and scope_no = $2 and seq < $3', values: [...keyOf(scope), scope.oldestSeq] }
    const cleared = (await clearTables(db, tables, held, budget)) && (await clearTables(db, ['events'], log, budget))
    if (!cleared) return { rows: budget.rows, more: true }
    await db.engineQuery(
      `update events set data = (data::jsonb - 'display_name')::json
       where tenant_id = $1 and scope_no = 0 and type = 'scope.created' and data ->> 'scope_id' = $2 and data ->> 'display_name' is not null
         and time < (select deleted_at from scope_tombstones where tenant_id = $1 and scope_id = $2)`,
      [scope.tenantId, scope.scopeId],
    )
    const done = `update scope_tombstones set cleared = true where ${ofPlace}`
    await db.engineQuery(done, held.values)
  }
  return { rows: budget.rows, more: scopes.length === 100 }
}

/** Everything of tenants that were deleted; their row stays as a tombstone without a name, so that an id never comes back. */
export async function removeDeletedTenants(db: Database, limits: RemovalLimits): Promise<RemovalResult> {
  const budget: Budget = { ...limits, rows: 0 }
  const tenants = await across(db).column<string>(
    'select tenant_id from tenants where deleted_at is not null and removed_at is null order by tenant_id limit 100',
  )
  for (const tenantId of tenants) {
    // Whoever makes a scope saw the tenant alive while holding this lock (`holdOffRemoval`, `concord_make_scopes`): those are waited for, and nobody can follow.
    await db.engine(tx => tx.run('select concord_lock_quota($1)', [tenantId]))
    if (!(await clearTenant(db, tenantId, budget))) return { rows: budget.rows, more: true }
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
export async function clearTenant(db: Database, tenantId: string, budget: Budget): Promise<boolean> {
  const tables = await db.engine(async tx => inOrderOfReferences(tx, await listTables(tx, ['tenant_id'], ['tenants', 'audit_log'])), {
    readOnly: true,
  })
  const rows = { where: 'tenant_id = $1', values: [tenantId] }
  return (await closeScopes(db, tenantId, budget)) && (await clearTables(db, tables, rows, budget))
}

/**
 * Takes the scopes of a deleted tenant away from everybody, before anything else of it is removed. Whoever writes to a scope
 * holds its lock and has seen its row behind it: those under way are waited for, and nobody can follow. False when the
 * budget ended first.
 */
async function closeScopes(db: Database, tenantId: string, budget: Budget): Promise<boolean> {
  for (;;) {
    const next = 'select scope_no from scopes where tenant_id = $1 order by scope_no limit $2'
    const scopeNos = await across(db).column<number>(next, [tenantId, budget.batchRows])
    if (scopeNos.length === 0) return true
    if (budget.batches === 0) return false
    await db.engine(async tx => {
      await lockScopes(tx, scopeNos)
      for (const table of ['scope_heads', 'scope_leases', 'scopes']) {
        await tx.query({ text: `delete from ${table} where tenant_id = $1 and scope_no = any ($2)`, values: [tenantId, scopeNos] })
      }
    })
    spend(budget, scopeNos.length)
  }
}

interface Rows {
  where: string
  values: readonly unknown[]
}

/** True when nothing is left; false when the budget ended first. */
async function clearTables(db: Database, tables: readonly string[], rows: Rows, budget: Budget): Promise<boolean> {
  for (const table of tables) {
    for (;;) {
      if (budget.batches === 0) return false
      const text = `delete from ${table} where ctid = any (array(select ctid from ${table} where ${rows.where} limit ${budget.batchRows}))`
      const { rowCount } = await db.engine(tx => tx.query({ text, values: rows.values }))
      spend(budget, rowCount)
      if (rowCount < budget.batchRows) break
    }
  }
  return true
}

/** A table that is clear already costs nothing, or a small budget would never reach the last table. */
function spend(budget: Budget, rows: number): void {
  if (rows > 0) budget.batches--
  budget.rows += rows
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
