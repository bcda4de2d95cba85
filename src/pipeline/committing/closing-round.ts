/**
 * The round that follows when a document goes into quarantine, or will not be read again after all, and nothing else waits. Rounds
 * before it counted that document as waiting: without this one the scope would stay unsettled until something else happens to it.
 * Whatever waits, a round records what somebody approved of a revision in quarantine once a later one came, and when the first document came
 * after a certificate, where that is the one that waits no more: readers were told that the certificate was good until then.
 */

import { saltsFrom } from '../../kernel/decision-record.js'
import { DEFAULT_POLICIES } from '../../kernel/policies/default.js'
import { readPolicySet } from '../../kernel/policy-text.js'
import { restoreScope } from '../../kernel/restore.js'
import type { GivenUpRound, RoundResult } from '../../kernel/round-types.js'
import { runRound } from '../../kernel/scope-round.js'
import { newSecret } from '../../platform/ids.js'
import type { RevisionRef } from '../../store/documents/documents.js'
import { listOvertaken } from '../../store/documents/overtaken-approvals.js'
import { isUnsettledBy } from '../../store/scopes/examination.js'
import { type Certify, loadScope, type RoundWrite, readWorkload, type StoredScope, saveRounds } from '../../store/scopes/rounds.js'
import type { ScopeKey } from '../../store/scopes/scopes.js'
import type { TenantTransaction } from '../../store/server/database.js'
import { effectivePolicy } from '../../store/tenants/policies.js'

interface ClosedCommit {
  before: StoredScope
  earlier: readonly RoundResult[]
  last: RevisionRef
  unread: readonly RevisionRef[]
  coming: number
}

/**
 * Under the scope's lock, behind the guard and everything else of the commit, which started from `before`, but what it queues: so many
 * documents are `coming`. `earlier` are its rounds so far.
 */
export async function closeRound(
  tx: TenantTransaction,
  { tenantId, scopeNo }: ScopeKey,
  { before, earlier, last, unread, coming }: ClosedCommit,
  certify: Certify,
): Promise<void> {
  const loaded = await loadScope(tx, tenantId, scopeNo)
  if (loaded === undefined) return
  const stored = { ...loaded, counts: { ...loaded.counts, queued: loaded.counts.queued + coming } }
  const isLeft = (await isUnsettledBy(tx, stored, unread)) || (await wasWaitedFor(tx, stored))
  // A round of this commit has told it, else none has yet.
  const waitingSince = before.kept.kept?.round === stored.kept.kept?.round ? before.waitingSince : stored.waitingSince
  const isOver = waitingSince !== null && waitingSince !== stored.waitingSince
  const rounds = await roundsOf(tx, stored, { unread, closing: isLeft || isOver ? { ...last, unread: isLeft && unread.length > 0 } : null })
  if (rounds.length === 0) return
  const policies = await effectivePolicy(tx, stored)
  const context = {
    policySet: readPolicySet(policies?.text ?? DEFAULT_POLICIES),
    workload: { ...stored.counts, held: stored.counts.held + stored.pending },
    saltOf: saltsFrom(newSecret()),
  }
  let scope = restoreScope(stored.kept)
  const writes = rounds.map((input): RoundWrite => {
    const result = runRound(scope, input, context)
    scope = result.scope
    return { result, document: input.document, detail: {} }
  })
  const final = writes.at(-1)
  if (final?.result.finality.to === 'resolved') {
    const results = writes.map(({ result }) => result)
    final.certificate = await certify(tx, stored, [...earlier, ...results])
  }
  await saveRounds(tx, { ...stored, waitingSince }, writes)
}

/** One for each document of which approvals are to be recorded, for decisions are about a document; else the one that closes. */
async function roundsOf(
  tx: TenantTransaction,
  stored: StoredScope,
  { unread, closing }: { unread: readonly RevisionRef[]; closing: (RevisionRef & { unread: boolean }) | null },
): Promise<GivenUpRound[]> {
  const newest = new Map(unread.map(({ documentId, revision }) => [documentId, revision]))
  const approvals = await listOvertaken(tx, stored, [...newest.keys()])
  const recording = [...newest].flatMap(([documentId, revision]): GivenUpRound[] => {
    const overtaken = approvals.filter(each => each.documentId === documentId)
    return overtaken.length === 0 ? [] : [{ kind: 'given_up', document: { documentId, revision }, overtaken }]
  })
  if (closing === null) return recording
  const { documentId, revision, unread: isUnread } = closing
  const [first = { kind: 'given_up', document: { documentId, revision } }, ...rest] = recording
  return [{ ...first, unread: isUnread }, ...rest]
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
