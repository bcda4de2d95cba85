/** Rows of legal holds: at most one stands on a case, and one on each document of it; lifted ones stay on record. */

import type { EngineTransaction, TenantTransaction } from '../server/database.js'
import { inPlace, keyOf, ofPlace, placeOf, type ScopePlace } from './scopes.js'
import { keepsDocumentSql } from './standing-hold.js'

export interface LegalHoldRow {
  hold_no: number
  hold_id: string
  /** Null: the whole case. */
  document_id: string | null
  set_by: string
  set_bound: boolean
  reason: string | null
  set_at: string
  lifted_by: string | null
  lifted_bound: boolean | null
  lifted_reason: string | null
  lifted_at: string | null
}

const columns = 'hold_no, hold_id, document_id, set_by, set_bound, reason, set_at, lifted_by, lifted_bound, lifted_reason, lifted_at'

/** The one that stands on exactly this: the case where `documentId` is null. */
export async function findStandingHold(tx: TenantTransaction, scope: ScopePlace, documentId: string | null): Promise<LegalHoldRow | null> {
  return tx.row<LegalHoldRow>(
    `select ${columns} from legal_holds
     where tenant_id = $1 and scope_no = $2 and coalesce(document_id, '') = coalesce($3::text, '') and lifted_at is null`,
    [...keyOf(scope), documentId],
  )
}

/** What keeps a document, or with null anything of the case, from being removed; the case's own first. */
export async function findObstacle(tx: TenantTransaction, scope: ScopePlace, documentId: string | null): Promise<LegalHoldRow | null> {
  return tx.row<LegalHoldRow>(
    `select ${columns} from legal_holds l
     where tenant_id = $1 and scope_no = $2 and lifted_at is null
       and ($4::text is null or ${keepsDocumentSql('l', { sharesPlace: inPlace, documentId: '$4' })})
     order by document_id nulls first limit 1`,
    [...placeOf(scope), documentId],
  )
}

export interface TenantObstacle extends LegalHoldRow {
  scope_id: string
  others: number
}

/** A case of the tenant that something stands on, and who set it. */
export async function findObstacleOfTenant(tx: EngineTransaction, tenantId: string): Promise<TenantObstacle | null> {
  return tx.row<TenantObstacle>(
    `select ${columns}, (select scope_id from scopes s where s.tenant_id = h.tenant_id and s.scope_no = h.scope_no) as scope_id,
       count(*) over () - 1 as others
     from legal_holds h where tenant_id = $1 and lifted_at is null order by set_at, hold_id limit 1`,
    [tenantId],
  )
}

export interface HoldWrite {
  holdId: string
  documentId: string | null
  by: string
  bound: boolean
  reason: string
}

/** Under the scope's lock, where none stands yet. */
export async function insertHold(tx: TenantTransaction, scope: ScopePlace, hold: HoldWrite): Promise<void> {
  await tx.run(
    `insert into legal_holds (tenant_id, scope_no, generation, hold_no, hold_id, document_id, set_by, set_bound, reason)
     select $1, $2, $3, coalesce(max(hold_no), 0) + 1, $4, $5, $6, $7, $8 from legal_holds where ${ofPlace}`,
    [...placeOf(scope), hold.holdId, hold.documentId, hold.by, hold.bound, hold.reason],
  )
}

export async function liftHold(tx: TenantTransaction, holdId: string, lift: { by: string; bound: boolean; reason: string }): Promise<void> {
  await tx.run(
    `update legal_holds set lifted_by = $3, lifted_bound = $4, lifted_reason = $5, lifted_at = clock_timestamp()
     where tenant_id = $1 and hold_id = $2 and lifted_at is null`,
    [tx.tenantId, holdId, lift.by, lift.bound, lift.reason],
  )
}

/** Those of the scope in the order they were set, lifted ones included unless `standing`. */
export async function listHoldRows(
  tx: TenantTransaction,
  scope: ScopePlace,
  page: { standing: boolean; after: number; limit: number },
): Promise<LegalHoldRow[]> {
  return tx.rows<LegalHoldRow>(
    `select ${columns} from legal_holds
     where ${ofPlace} and (not $4 or lifted_at is null) and hold_no > $5 order by hold_no limit $6`,
    [...placeOf(scope), page.standing, page.after, page.limit],
  )
}

/** Reasons can tell of the document: they go with its words, who and when stay. */
export async function blankHoldReasons(tx: TenantTransaction, scope: ScopePlace, documentId: string): Promise<void> {
  await tx.run(`update legal_holds set reason = null, lifted_reason = null where tenant_id = $1 and scope_no = $2 and document_id = $3`, [
    ...keyOf(scope),
    documentId,
  ])
}

/** The newest of the lifted ones on exactly this. */
export async function readLastLifted(tx: TenantTransaction, scope: ScopePlace, documentId: string | null): Promise<LegalHoldRow | null> {
  return tx.row<LegalHoldRow>(
    `select ${columns} from legal_holds
     where ${ofPlace} and coalesce(document_id, '') = coalesce($4::text, '') and lifted_at is not null order by hold_no desc limit 1`,
    [...placeOf(scope), documentId],
  )
}
