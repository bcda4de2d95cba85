/** Approvals that no worker concludes any more, because their document is taken out: the round that takes it out records them. */

import type { OvertakenApproval } from '../../kernel/round-types.js'
import { takeApprovals } from '../../store/documents/documents-outcome.js'
import type { ScopePlace } from '../../store/scopes/scopes.js'
import type { Transaction } from '../../store/server/database.js'

export async function overtakeApprovals(tx: Transaction, scope: ScopePlace, documentId: string): Promise<OvertakenApproval[]> {
  const approvals = await takeApprovals(tx, scope, documentId)
  return approvals.map(({ decision_seq: decisionSeq, decision_hash: decisionHash, actor, reason }) => ({
    actor,
    reason,
    decisionSeq,
    decisionHash,
  }))
}
