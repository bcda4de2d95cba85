/**
 * Erasing a document: text and quotes of all its revisions are gone, its claims no longer count, hash and audit remain.
 * A fact and not a proposal, so no policy is asked; a round all the same.
 */

import { AppError, invariant } from '../platform/errors.js'
import { endClaims, readLiveByRanges, type StoredClaim } from '../store/claims.js'
import type { TenantTransaction } from '../store/database.js'
import { type DocumentRow, findDocument } from '../store/documents.js'
import { countMove } from '../store/documents-intake.js'
import { eraseText, findPendingDecision, isUnderWay, listClaimRanges, markRejected, readContribution } from '../store/documents-outcome.js'
import { eraseEvidence } from '../store/findings-erasure.js'
import type { StoredScope } from '../store/rounds.js'
import type { ScopeRef } from '../store/scopes.js'
import { concludeAct, loadStored } from './act.js'
import { moveClaims } from './claim-moves.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { documentNotFound, toDocumentRecord } from './documents.js'
import { lockScope } from './idempotent.js'
import { isStorable } from './storable.js'
import type { ErasedDocument } from './types.js'

/** Erasing twice is erasing once. While a worker has the document there is a `STATE_CONFLICT`. */
export async function eraseDocument(deps: ScopesDeps, input: ScopeName & { documentId: string }): Promise<ErasedDocument> {
  const erased = await deps.db.inTenant(input.tenantId, async tx => {
    const scope = await lockScope(tx, input.scopeId)
    const row = isStorable(input.documentId) ? await findDocument(tx, scope, input.documentId) : null
    if (row === null) throw documentNotFound()
    if (await isUnderWay(tx, scope, input.documentId)) {
      throw new AppError('STATE_CONFLICT', { detail: 'The document is being processed. Erase it when that has ended.' })
    }
    const claims = row.erased_at === null ? await erase(deps, tx, scope, row) : 0
    const after = await findDocument(tx, scope, input.documentId)
    invariant(after !== null, 'an erased document disappeared')
    return { ...toDocumentRecord(after, scope.scopeId), claims_erased: claims }
  })
  deps.hints.notify('events')
  return erased
}

async function erase(deps: ScopesDeps, tx: TenantTransaction, scope: ScopeRef, row: DocumentRow): Promise<number> {
  const stored = await loadStored(tx, scope.scopeNo)
  const document = { documentId: row.document_id, revision: row.revision, name: row.name }
  const ranges = await listClaimRanges(tx, scope, row.document_id)
  const live = await readLiveByRanges(tx, scope, ranges)
  const { parts, closes, possible } = await planErasure(tx, stored, row.document_id, live)
  const waits = row.status === 'held' ? await findPendingDecision(tx, scope, document) : null
  const { result } = await concludeAct(deps, tx, stored, {
    input: { kind: 'erasure', actor: { kind: 'tenant', id: scope.tenantId }, document, parts, closes, possible },
    detail: { claims: live.map(claim => claim.claimId) },
    document,
    reviews: waits === null ? [] : [{ seq: waits, review: 'obsolete' }],
    settles: { documents: row.status === 'held' ? 1 : 0 },
  })
  const reason = 'The document was erased.'
  await endClaims(
    tx,
    stored,
    live.map(claim => ({ claimNo: claim.claimNo, byClaimId: null, reason, round: result.round })),
  )
  const { bytes, claims } = await eraseText(tx, stored, row.document_id, ranges)
  await eraseEvidence(tx, stored, ranges)
  // Without its text it can never be read any more.
  const unread = row.status === 'held' || row.status === 'attached' || row.status === 'quarantined'
  if (unread) await markRejected(tx, stored, document, { reason, round: result.round })
  await countMove(tx, scope, { from: row.status, to: unread ? 'rejected' : row.status, documents: 1, bytes: -bytes })
  return claims
}

async function planErasure(tx: TenantTransaction, stored: StoredScope, documentId: string, live: readonly StoredClaim[]) {
  const ended = live.map(claim => ({
    claim_no: claim.claimNo,
    claim_id: claim.claimId,
    slot_key: claim.slotKey,
    confidence: claim.confidence,
  }))
  const moves = await moveClaims(tx, stored, { ended, revived: [], except: new Set() })
  const given = await readContribution(tx, stored, documentId)
  const { low, medium, high, critical } = given
  return {
    ...moves,
    parts: {
      ...moves.parts,
      losses: { goals: given.goals, goalsDone: given.goals_done, risks: { low, medium, high, critical } },
      documents: given.admitted ? (-1 as const) : (0 as const),
    },
  }
}
