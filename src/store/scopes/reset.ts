/**
 * Resetting a scope in constant time: its generation rises and the rows of older ones are no longer there for any
 * reader. What they occupy is given back in batches by `reset-removal`.
 */

import { invariant } from '../../platform/errors.js'
import type { TenantTransaction } from '../server/database.js'
import { keyOf, type ScopePlace } from './scopes.js'

/** What a worker of the old generation, and the chain that ends, leave behind. */
export interface ResetFigures {
  generation: number
  version: number
  /** Null when the chain had no record and continued nothing. */
  chainHead: string | null
  chainLength: number
  documents: number
  certificates: string[]
}

/** Under the scope's lock. Whoever holds the lease loses it: the fence rises with the generation. */
export async function resetScopeRows(tx: TenantTransaction, scope: ScopePlace, reason: string): Promise<ResetFigures> {
  const place = keyOf(scope)
  const chain = await readChain(tx, scope)
  const raised = await tx.row<{ generation: number; version: number }>(
    `update scopes set generation = generation + 1, version = version + 1, chain_hash = $3, reset_at = clock_timestamp()
     where tenant_id = $1 and scope_no = $2 returning generation, version`,
    [...place, chain.head],
  )
  await tx.run(
    `update scope_leases set fence = fence + 1, owner = null, leased_until = null, in_hand_seq = null
     where tenant_id = $1 and scope_no = $2`,
    place,
  )
  const documents = await tx.value<number | null>(
    `with old as (
       select registered + attached + queued + processing + indexed + held + rejected + quarantined as documents
       from scope_heads where tenant_id = $1 and scope_no = $2)
     update scope_heads set has_backlog = false, bytes = 0, registered = 0, attached = 0, queued = 0, processing = 0, indexed = 0, held = 0,
       rejected = 0, quarantined = 0, rereads = 0, derived_bytes = 0, finality = 'active', pressure = 0
     where tenant_id = $1 and scope_no = $2 returning (select documents from old) as documents`,
    place,
  )
  const certificates = await tx.column<string>(
    `update certificates set withdrawn_at = clock_timestamp(), withdrawn_reason = $3
     where tenant_id = $1 and scope_no = $2 and withdrawn_at is null returning certificate_id`,
    [...place, reason],
  )
  invariant(raised !== null && documents !== null, 'a scope that is reset has no head')
  return { ...raised, chainHead: chain.head, chainLength: chain.length, documents, certificates }
}

/** The newest record of the generation, or what its chain started from. */
async function readChain(tx: TenantTransaction, scope: ScopePlace): Promise<{ head: string | null; length: number }> {
  const row = await tx.row<{ chain_hash: string | null; seq: number | null; hash: string | null }>(
    `select s.chain_hash, d.seq, d.hash from scopes s
     left join lateral (
       select seq, hash from decisions d
       where d.tenant_id = s.tenant_id and d.scope_no = s.scope_no and d.generation = s.generation order by seq desc limit 1) d on true
     where s.tenant_id = $1 and s.scope_no = $2`,
    keyOf(scope),
  )
  return { head: row?.hash ?? row?.chain_hash ?? null, length: (row?.seq ?? -1) + 1 }
}
