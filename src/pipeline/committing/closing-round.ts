/**
 * The round that follows when a document goes into quarantine, or will not be read again after all, and nothing else waits. Rounds
 * before it counted that document as waiting: without this one the scope would stay unsettled until something else happens to it.
 */

import { saltsFrom } from '../../kernel/decision-record.js'
import { DEFAULT_POLICIES } from '../../kernel/policies/default.js'
import { readPolicySet } from '../../kernel/policy-text.js'
import { restoreScope } from '../../kernel/restore.js'
import { runRound } from '../../kernel/scope-round.js'
import { newSecret } from '../../platform/ids.js'
import type { RevisionRef } from '../../store/documents/documents.js'
import { isUnsettledBy } from '../../store/scopes/examination.js'
import { type Certify, loadScope, readWorkload, type StoredScope, saveRounds } from '../../store/scopes/rounds.js'
import type { ScopeKey } from '../../store/scopes/scopes.js'
import type { TenantTransaction } from '../../store/server/database.js'
import { effectivePolicy } from '../../store/tenants/policies.js'

/**
 * Under the scope's lock, behind the guard and everything else of the commit, which started from `before`, but what it queues: so many
 * documents are `coming`.
 */
export async function closeRound(
  tx: TenantTransaction,
  { tenantId, scopeNo }: ScopeKey,
  { before, last, unread, coming }: { before: StoredScope; last: RevisionRef; unread: readonly RevisionRef[]; coming: number },
  certify: Certify,
): Promise<void> {
  const loaded = await loadScope(tx, tenantId, scopeNo)
  if (loaded === undefined) return
  const stored = { ...loaded, counts: { ...loaded.counts, queued: loaded.counts.queued + coming } }
  if (!((await isUnsettledBy(tx, stored, unread)) || (await wasWaitedFor(tx, stored)))) return
  const document = { documentId: last.documentId, revision: last.revision }
  const policies = await effectivePolicy(tx, stored)
  const result = runRound(
    restoreScope(stored.kept),
    { kind: 'given_up', document, unread: unread.length > 0 },
    {
      policySet: readPolicySet(policies?.text ?? DEFAULT_POLICIES),
      workload: { ...stored.counts, held: stored.counts.held + stored.pending },
      saltOf: saltsFrom(newSecret()),
    },
  )
  const certificate = result.finality.to === 'resolved' ? await certify(tx, stored, result) : undefined
  // It waits no more by now, and where it was the first to come after a certificate, that was good until it came.
  const waitingSince = before.kept.kept?.round === stored.kept.kept?.round ? before.waitingSince : stored.waitingSince
  await saveRounds(tx, { ...stored, waitingSince }, [
    { result, document, detail: {}, ...(certificate === undefined ? {} : { certificate }) },
  ])
}

/** Nothing waits any more, and the last round counted something as waiting. */
async function wasWaitedFor(tx: TenantTransaction, stored: StoredScope): Promise<boolean> {
  if (stored.counts.queued + stored.counts.processing > 0) return false
  // Where the last round counted nothing as waiting, its verdict stands.
  if (!stored.gates.some(({ gate, ok }) => gate === 'quiescent' && !ok)) return false
  const counted = await readWorkload(tx, stored)
  // And where it counted what is held, and no less of that waits now. A round that changes nothing would only be one more without progress.
  return counted === null || counted.queued + counted.processing > 0 || counted.held > stored.counts.held + stored.pending
}
