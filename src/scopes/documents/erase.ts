/**
 * Erasing a document: its claims no longer count, what they had replaced counts again, a document that waits is taken out of the
 * queue, and every word of all its revisions goes (`store/maintenance/erasure.ts`); ids, hashes and audit remain. A fact and not a proposal, so no policy is asked; a round
 * all the same.
 */

import { recordOf } from '../../kernel/standing-difference.js'
import { AppError } from '../../platform/errors.js'
import type { ClaimRange } from '../../store/claims/claims.js'
import { readPreviousRevisions } from '../../store/claims/claims-documents.js'
import { type DocumentRow, findDocument } from '../../store/documents/documents.js'
import { countMove } from '../../store/documents/documents-intake.js'
import {
  dropQueued,
  isInHand,
  listClaimRanges,
  listPendingDecisions,
  markErased,
  markRejected,
  readContribution,
  waitsForReread,
} from '../../store/documents/documents-outcome.js'
import { listParts } from '../../store/documents/files.js'
import { listApprovals } from '../../store/documents/overtaken-approvals.js'
import { listReportsOf } from '../../store/findings/reports.js'
import { planSettling, queueSettled, type Settling, writeSettling } from '../../store/findings/settling.js'
import { eraseWords } from '../../store/maintenance/erasure.js'
import { countUnexamined, listNamedUnread } from '../../store/scopes/examination.js'
import { blankHoldReasons } from '../../store/scopes/legal-holds.js'
import { moveReader, type StoredScope } from '../../store/scopes/rounds.js'
import { raiseVersion, type ScopeRef } from '../../store/scopes/scopes.js'
import { readTenant, type TenantTransaction } from '../../store/server/database.js'
import { concludeAct, loadStored } from '../act.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import { lockScope } from '../idempotent.js'
import { refuseOnHold } from '../legal-holds.js'
import { resolveScope } from '../lifecycle.js'
import type { ErasedDocument } from '../types.js'
import { requireDocument, toDocumentRecord } from './documents.js'

/** As often as attachments may come in while a mail is being erased. */
const mostPasses = 5

/** Erasing twice is erasing once; the second time looks for words again and finds none. While a worker has the document there is a `STATE_CONFLICT`. */
export async function eraseDocument(deps: ScopesDeps, input: ScopeName & { documentId: string }): Promise<ErasedDocument> {
  for (let pass = 0; pass < mostPasses; pass++) {
    for (const documentId of await partsToErase(deps, input)) await eraseDocument(deps, { ...input, documentId })
    const erased = await eraseWithoutParts(deps, input)
    if (erased !== null) return erased
  }
  throw new AppError('STATE_CONFLICT', { detail: 'The document is being processed. Retry once processing has finished.' })
}

/** Null when a worker has read the mail since its attachments were erased, and found some. */
async function eraseWithoutParts(deps: ScopesDeps, input: ScopeName & { documentId: string }): Promise<ErasedDocument | null> {
  const erased = await deps.db.inTenant(input.tenantId, async tx => {
    const scope = await lockScope(tx, input.scopeId)
    const row = await requireDocument(tx, scope, input.documentId)
    if (await isInHand(tx, scope, input.documentId)) {
      throw new AppError('STATE_CONFLICT', { detail: 'The document is being processed. Retry once processing has finished.' })
    }
    await refuseOnHold(tx, scope, input.documentId)
    if ((await listParts(tx, scope, input.documentId)).length > 0) return null
    const claims = await erase(deps, tx, scope, row)
    const after = await requireDocument(tx, scope, input.documentId)
    const holders = await listHolders(tx, scope, row)
    return { ...toDocumentRecord(after, scope.scopeId), claims_erased: claims, ...(holders.length > 0 && { still_held_by: holders }) }
  })
  if (erased === null) return null
  deps.hints.notify('events')
  deps.hints.notify('backlog')
  return erased
}

/** The mail it came in, and what that came in: their originals hold what was attached to them. */
async function listHolders(tx: TenantTransaction, scope: ScopeRef, { part_of: mail }: DocumentRow): Promise<string[]> {
  if (mail === null) return []
  const row = await findDocument(tx, scope, mail)
  if (row === null) return []
  const above = await listHolders(tx, scope, row)
  return row.erased_at === null ? [mail, ...above] : above
}

/**
 * A mail is erased with its attachments, those first: an erased mail no longer leads to them. A hold on any of them is looked for
 * before the first is erased, and again with each under the lock.
 */
async function partsToErase(deps: ScopesDeps, { tenantId, scopeId, documentId }: ScopeName & { documentId: string }): Promise<string[]> {
  return readTenant(deps.db, tenantId, async tx => {
    const scope = await resolveScope(tx, scopeId)
    await requireDocument(tx, scope, documentId)
    await refuseOnHold(tx, scope, documentId)
    return listParts(tx, scope, documentId)
  })
}

async function erase(deps: ScopesDeps, tx: TenantTransaction, scope: ScopeRef, row: DocumentRow): Promise<number> {
  const stored = await loadStored(tx, scope.scopeNo)
  // Somebody may have reported a contradiction of it since, in words: that closes, as it did with the first erasure.
  if (row.erased_at !== null && (await listReportsOf(tx, stored, row.document_id)).length === 0) {
    // A worker may hold words that go with it now: it reads them again.
    await raiseVersion(tx, scope.scopeNo)
    return (await eraseWords(tx, stored, row.document_id)).claims
  }
  const document = { documentId: row.document_id, revision: row.revision }
  const ranges = await listClaimRanges(tx, scope, row.document_id)
  const settling = await planErasure(tx, stored, row.document_id, ranges)
  const { difference, parts, rereads, isAdmitted } = settling
  const pending = await listPendingDecisions(tx, scope, row.document_id)
  const [reading] = await readPreviousRevisions(tx, scope, [row.document_id])
  const waiting = (row.status === 'queued' ? 1 : 0) + ((await waitsForReread(tx, scope, row.document_id)) ? 1 : 0)
  const reason = 'The document was erased.'
  // Without its text it can never be read again.
  const unread = ['queued', 'held', 'attached', 'quarantined'].includes(row.status)
  await concludeAct(deps, tx, stored, {
    input: {
      kind: 'erasure',
      actor: { kind: 'tenant', id: scope.tenantId },
      document,
      parts,
      closes: difference.closes.map(each => each.id),
      possible: difference.possible,
      withdrawn: difference.withdrawn.map(each => each.id),
      leaves: {
        counted:
          isAdmitted ||
          ['indexed', 'registered', 'attached', 'quarantined'].includes(row.status) ||
          // Reported in words of a paper that was never read.
          difference.closes.length + difference.words.lapse.length > 0 ||
          (await listNamedUnread(tx, scope, [row.document_id])).length > 0,
        unexamined: await countUnexamined(tx, scope, row.document_id),
      },
      overtaken: await listApprovals(tx, scope, row.document_id),
    },
    detail: recordOf(difference),
    document,
    reviews: pending.map(seq => ({ seq, review: 'obsolete' })),
    settles: { documents: row.status === 'held' ? 1 : 0, queued: waiting },
    queues: rereads.length,
    moves: { readers: moveReader(stored.readers, { from: reading?.extractorVersion ?? null, to: null }) },
    async settle({ round }) {
      await markErased(tx, stored, row.document_id)
      await dropQueued(tx, stored, row.document_id, { reason, rereads: true })
      await writeSettling(tx, stored, settling, { round, reason })
      if (unread) await markRejected(tx, stored, document, { reason, round })
    },
  })
  const { bytes, claims } = await eraseWords(tx, stored, row.document_id)
  await blankHoldReasons(tx, stored, row.document_id)
  await countMove(tx, scope, { from: row.status, to: unread ? 'rejected' : row.status, documents: 1, bytes: -bytes })
  // Last, for erasing words takes seconds in a large case.
  await queueSettled(tx, stored, settling, { reason: 'A document that had replaced statements of it was erased.' })
  return claims
}

/** What it said is no longer said; what counts follows from that. */
async function planErasure(
  tx: TenantTransaction,
  stored: StoredScope,
  documentId: string,
  ranges: readonly ClaimRange[],
): Promise<Settling & { isAdmitted: boolean }> {
  const claimNos = ranges.flatMap(({ firstClaimNo, count }) => Array.from({ length: count }, (_, index) => firstClaimNo + index))
  const contradictionNos = await listReportsOf(tx, stored, documentId)
  const settling = await planSettling(tx, stored, { claimNos, contradictionNos }, kept => ({
    ...kept,
    contradictions: kept.contradictions.map(each => (contradictionNos.includes(each.no) ? { ...each, reported: { said: false } } : each)),
    statements: kept.statements.map(each => (each.documentId === documentId ? { ...each, said: false } : each)),
  }))
  const given = await readContribution(tx, stored, documentId)
  const parts: Settling['parts'] = { ...settling.parts, losses: given.content, documents: given.admitted ? -1 : 0 }
  return { ...settling, parts, isAdmitted: given.admitted }
}
