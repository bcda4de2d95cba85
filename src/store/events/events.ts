/**
 * The event log, written in the caller's transaction. Whoever appends to a scope holds that scope's lock from before
 * its first write until its commit: only then do `seq`, commit order and `(xid, id)` agree. `lockScopes` comes first,
 * then anything else.
 */

import { invariant } from '../../platform/errors.js'
import { storableJson } from '../../platform/storable-text.js'
import type { ScopeKey } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'

export interface EventDraft {
  type: string
  /** The document_id where there is one. */
  subject?: string | null
  /** Ids and figures, never text, quotes or names of documents: erasing must stay possible. */
  data: object
}

/** The service itself, where a tenant is asked for. */
export const serviceTenant = '-'

/**
 * Waits for the scopes in ascending order, so that two transactions never wait for each other in a circle. Must run
 * before the first write (which takes the transaction's id) and before the reads that the writes rest on: a statement
 * that locks and reads at once sees the state from before the lock.
 */
export async function lockScopes(tx: Transaction, scopeNos: readonly number[]): Promise<void> {
  const ordered = [...new Set(scopeNos)].sort((a, b) => a - b)
  if (ordered.length === 0) return
  await tx.run(
    'select pg_advisory_xact_lock(scope_no) from (select scope_no from unnest($1::bigint[]) as t(scope_no) order by scope_no) as ordered',
    [ordered],
  )
}

/** Behind everybody who has the scope's lock, beside others who only read behind them. What it waits for is seen by statements that follow. */
export async function waitForWriters(tx: Transaction, scopeNo: number): Promise<void> {
  await tx.run('select pg_advisory_xact_lock_shared($1)', [scopeNo])
}

/** Gives up after half a second where somebody else has the lock (`isTableTaken`): for work that others wait behind, and that can be tried again. */
export async function lockScopeSoon(tx: Transaction, scopeNo: number): Promise<void> {
  await tx.run('select concord_lock_soon($1)', [scopeNo])
}

/**
 * For chores in scopes of many tenants: those of them whose lock is to be had now. Whoever waited with the locks of some for that of
 * another would keep everybody out of them meanwhile. Where none is to be had it waits for the first, and holds no other.
 */
export async function lockFreeScopes(tx: Transaction, scopeNos: readonly number[]): Promise<Set<number>> {
  const free = await tx.column<number>(
    'select scope_no from (select scope_no from unnest($1::bigint[]) as t(scope_no) order by scope_no) as ordered where pg_try_advisory_xact_lock(scope_no)',
    [[...new Set(scopeNos)]],
  )
  if (free.length > 0) return new Set(free)
  const first = scopeNos.slice(0, 1)
  await lockScopes(tx, first)
  return new Set(first)
}

const appendToScope = `
with head as (
  update scope_heads set next_seq = next_seq + cardinality($3::text[])
  where tenant_id = $1 and scope_no = $2
  returning next_seq - cardinality($3::text[]) as first_seq
), added as (
  insert into events (tenant_id, scope_no, seq, type, subject, data)
  select $1, $2, head.first_seq + draft.place - 1, draft.type, draft.subject, draft.data::json
  from head, unnest($3::text[], $4::text[], $5::text[]) with ordinality as draft(type, subject, data, place)
  order by draft.place
)
select first_seq from head`

/** Appends in the order given and answers the `seq` of the first; the others follow without a gap. */
export async function appendEvents(tx: Transaction, scope: ScopeKey, drafts: readonly EventDraft[]): Promise<{ firstSeq: number }> {
  const head = await tx.row<{ first_seq: number }>(appendToScope, [scope.tenantId, scope.scopeNo, ...draftColumns(drafts)])
  invariant(head !== null, 'events were appended to a scope that does not exist')
  return { firstSeq: head.first_seq }
}

const appendToService = `
insert into events (tenant_id, scope_no, seq, type, subject, data)
select $1, 0, nextval('service_events'), draft.type, draft.subject, draft.data::json
from unnest($2::text[], $3::text[], $4::text[]) with ordinality as draft(type, subject, data, place)
order by draft.place`

/**
 * Events of a tenant as a whole, or of the service (`serviceTenant`): they appear on the kernel stream only and have
 * no gapless number. `scope.created` is one of them (`data.scope_id` names the scope), so that the log of a scope
 * begins with its first document.
 */
export async function appendServiceEvents(tx: Transaction, tenantId: string, drafts: readonly EventDraft[]): Promise<void> {
  if (drafts.length === 0) return
  await tx.run(appendToService, [tenantId, ...draftColumns(drafts)])
}

function draftColumns(drafts: readonly EventDraft[]): [string[], (string | null)[], string[]] {
  return [drafts.map(draft => draft.type), drafts.map(draft => draft.subject ?? null), drafts.map(draft => storableJson(draft.data))]
}

/**
 * Takes away what events about documents (`which`) say in words: why one was held, refused or
 * put back. Parameters 1 and 2 are the tenant and the scope.
 */
export function blankWordsOfEvents(which: string): string {
  return `update events set data = (data::jsonb - 'reason')::json
    where tenant_id = $1 and scope_no = $2 and ${which} and data->>'reason' is not null`
}
