/**
 * Approvals that no worker concludes any more: their document is taken out, or their revision is in quarantine and a later one came, so that
 * nobody can have it tried again. The next round about the document records them.
 */

import type { OvertakenApproval } from '../../kernel/round-types.js'
import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'

const columns = `approval->'actor' as actor, approval->>'reason' as reason, (approval->>'decision_seq')::bigint as "decisionSeq",
  approval->>'decision_hash' as "decisionHash"`

/** All that the document's revisions have, where it is taken out. */
export async function listApprovals(tx: Transaction, scope: ScopePlace, documentId: string): Promise<OvertakenApproval[]> {
  return tx.rows<OvertakenApproval>(
    `select ${columns} from documents where ${ofPlace} and document_id = $4 and approval is not null order by revision`,
    [...placeOf(scope), documentId],
  )
}

export interface OvertakenRevision extends OvertakenApproval {
  documentId: string
}

/** Of these documents, where a later revision came. */
export async function listOvertaken(tx: Transaction, scope: ScopePlace, documentIds: readonly string[]): Promise<OvertakenRevision[]> {
  if (documentIds.length === 0) return []
  return tx.rows<OvertakenRevision>(
    `select document_id as "documentId", ${columns} from documents
     where ${ofPlace} and document_id = any ($4::text[]) and status = 'quarantined' and not current and approval is not null
     order by document_id, revision`,
    [...placeOf(scope), documentIds],
  )
}

/** With the round that records them: what they answered waits for nobody. */
export async function settleApprovals(
  tx: Transaction,
  scope: ScopePlace,
  { documentIds, decisionSeqs }: { documentIds: readonly string[]; decisionSeqs: readonly number[] },
): Promise<void> {
  if (decisionSeqs.length === 0) return
  await tx.run(
    `with cleared as (
       update documents d set approval = null
       where ${inPlace('d')} and d.document_id = any ($4::text[]) and (d.approval->>'decision_seq')::bigint = any ($5::bigint[])
     )
     update decisions set review = 'obsolete' where ${ofPlace} and review = 'approved' and seq = any ($5::bigint[])`,
    [...placeOf(scope), documentIds, decisionSeqs],
  )
}
