/**
 * The round that follows when what was read meets what people said before: a statement joins a side that lost, is said again by another
 * revision, or no longer replaces another. What counts is `standing` of the facts, and this round writes where that is not what
 * the rounds of the documents left.
 */

import { saltsFrom } from '../../kernel/decision-record.js'
import { DEFAULT_POLICIES } from '../../kernel/policies/default.js'
import { readPolicySet } from '../../kernel/policy-text.js'
import { restoreScope } from '../../kernel/restore.js'
import type { RoundResult } from '../../kernel/round-types.js'
import { runRound } from '../../kernel/scope-round.js'
import { isNothing, recordOf } from '../../kernel/standing-difference.js'
import { newSecret } from '../../platform/ids.js'
import type { ClaimRange } from '../../store/claims/claims.js'
import { inheritStatements, joinStatements, listDivided } from '../../store/claims/statements.js'
import { markWords, movePossible } from '../../store/findings/finding-rows.js'
import { goOnWith, lapseFindings } from '../../store/findings/later-readings.js'
import { planSettling, queueSettled, type Settling, writeSettling } from '../../store/findings/settling.js'
import { type Certify, loadScope, type StoredScope, saveRounds } from '../../store/scopes/rounds.js'
import type { ScopeKey } from '../../store/scopes/scopes.js'
import type { TenantTransaction } from '../../store/server/database.js'
import { effectivePolicy } from '../../store/tenants/policies.js'
import type { PlannedWrite } from '../planning/batch-plan.js'

/** Behind everything the documents bring. Null where nothing is left to settle. */
export async function planAfterDocuments(
  tx: TenantTransaction,
  after: StoredScope,
  planned: readonly PlannedWrite[],
): Promise<Settling | null> {
  const admitted = planned.filter(({ result, content }) => result.applied && content !== null)
  for (const { replaces, carried, firstClaimNo, claimCount, compared, settles, read } of admitted) {
    if (replaces === null) continue
    const { documentId, reread } = read.document
    const own = { firstClaimNo: firstClaimNo ?? 0, count: claimCount }
    const moves = await inheritStatements(tx, after, { former: replaces, own, moves: reread === null ? null : (carried?.moves ?? []) })
    await lapseFindings(tx, after, { documentId, former: replaces, own, compared })
    if (reread === null && settles) await goOnWith(tx, after, moves, null)
  }
  await joinStatements(tx, after, madeOfPassages(admitted))
  const made = admitted.flatMap(each => (isMade(each) && !each.settles ? numbersBy(each) : []))
  // What a revision says no more is said by nobody.
  const ended = admitted.flatMap(({ ends, replaces }) => ends.map(each => each.claimNo).filter(no => !isWithin(replaces, no)))
  const claimNos = [
    ...admitted.filter(each => each.settles).flatMap(each => [...numbersOf(each.replaces), ...numbersBy(each)]),
    ...(await listDivided(tx, after, [...ended, ...made])),
  ]
  if (claimNos.length === 0) return null
  // Written and counted with their rounds, which may be still to come: a word that had no effect is on record then.
  const closing = new Set(planned.flatMap(({ result }) => result.closes))
  const settled = await planSettling(tx, after, { claimNos }, kept => ({
    ...kept,
    contradictions: kept.contradictions.map(each =>
      each.kept === 'open' && closing.has(each.id) ? { ...each, kept: each.word === null ? 'closed' : 'decided' } : each,
    ),
  }))
  if (isNothing(settled.difference)) {
    await markWords(tx, after, settled.difference.words, planned.at(-1)?.result.round ?? 0)
    return null
  }
  // What is read again for what it says itself would be read again for ever.
  const again = new Set(planned.flatMap(({ read: { document } }) => (document.reread === null ? [] : document.documentId)))
  if (depthOf(planned) >= mostDepth) return { ...settled, rereads: [], waiting: [] }
  return { ...settled, rereads: settled.rereads.filter(each => !again.has(each.document_id)) }
}

/** Claims were made of passages, of its own or of other documents. */
function isMade({ lent, read: { document, model } }: PlannedWrite): boolean {
  return document.reread !== null || lent.length > 0 || (model?.reading?.added.length ?? 0) > 0
}

function madeOfPassages(planned: readonly PlannedWrite[]): string[] {
  const made = planned.filter(isMade)
  return [...new Set(made.flatMap(({ lent, read }) => [read.document.documentId, ...lent.map(each => each.documentId)]))]
}

/** Of its reading, and of those that were made of passages of others for it. */
function numbersBy({ firstClaimNo, claimCount, lent }: PlannedWrite): number[] {
  return [...numbersOf({ firstClaimNo: firstClaimNo ?? 0, count: claimCount }), ...lent.flatMap(numbersOf)]
}

/**
 * As often as a comparison leads to another. What is dropped here goes uncompared, so it is far more than papers that each let the next
 * count again; it ends two that would go round for ever.
 */
const mostDepth = 16

export function depthOf(planned: readonly PlannedWrite[]): number {
  return Math.max(0, ...planned.map(({ read }) => read.document.reread?.depth ?? 0))
}

function isWithin(range: ClaimRange | null, no: number): boolean {
  return range !== null && no >= range.firstClaimNo && no < range.firstClaimNo + range.count
}

function numbersOf(range: ClaimRange | null): number[] {
  return range === null ? [] : Array.from({ length: range.count }, (_, index) => range.firstClaimNo + index)
}

/**
 * Under the scope's lock, behind the rounds of the documents. No policy is asked: it admitted what this follows from. `coming` is how many
 * documents the commit queues behind it, `earlier` its rounds so far. Answers the round.
 */
export async function settleRound(
  tx: TenantTransaction,
  { tenantId, scopeNo }: ScopeKey,
  { settling, depth, coming, earlier }: { settling: Settling; depth: number; coming: number; earlier: readonly RoundResult[] },
  certify: Certify,
): Promise<RoundResult[]> {
  const stored = await loadScope(tx, tenantId, scopeNo)
  if (stored === undefined) return []
  const { difference, parts, rereads } = settling
  const retired = difference.ended.map(({ claim: { claimId }, byClaimId }) => ({ claimId, byClaimId }))
  const { counts, pending } = stored
  const policies = await effectivePolicy(tx, stored)
  const result = runRound(
    restoreScope(stored.kept),
    {
      kind: 'settling',
      parts,
      retired,
      closes: difference.closes.map(each => each.id),
      possible: difference.possible,
      withdrawn: difference.withdrawn.map(each => each.id),
    },
    {
      policySet: readPolicySet(policies?.text ?? DEFAULT_POLICIES),
      workload: { queued: counts.queued + rereads.length + coming, processing: counts.processing, held: counts.held + pending },
      saltOf: saltsFrom(newSecret()),
    },
  )
  await writeSettling(tx, stored, settling, { round: result.round, reason: 'What people decided no longer lets it count.' })
  await queueSettled(tx, stored, settling, { reason: 'Statements of it count again, and other documents came meanwhile.', depth })
  await movePossible(tx, stored, [result])
  const certificate = result.finality.to === 'resolved' ? await certify(tx, stored, [...earlier, result]) : undefined
  await saveRounds(tx, stored, [
    { result, document: null, detail: recordOf(difference), ...(certificate === undefined ? {} : { certificate }) },
  ])
  return [result]
}
