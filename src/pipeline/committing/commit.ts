/**
 * Writes a planned batch: claims and their ends, contradictions, goals and risks, decisions, rounds, the scope's state,
 * document states, failures, events, and at the end of a lease the lease itself, in one transaction behind one guard.
 *
 * committed  everything is written
 * lost       the lease is lost: the work is dropped, another worker has it or will take it
 * changed    a person, a setting, a policy or the queue moved on: plan again, what was read stays good
 * paused     only the current document may be finished: plan that one alone
 */

import { documentStatuses } from '../../kernel/round-events.js'
import { comparedBy } from '../../models/model-read.js'
import type { CutDocument } from '../../models/passages.js'
import { storable, storableJson } from '../../platform/storable-text.js'
import { type ClaimEnd, endClaims } from '../../store/claims/claim-ends.js'
import { insertTerms, removeTerms } from '../../store/claims/claim-terms.js'
import { type ClaimWrite, insertClaims } from '../../store/claims/claims.js'
import { documentMoved, finishDocuments, reopenReviews, replaceContent, retireHolds } from '../../store/claims/claims-documents.js'
import { distinctParts, type EndedRevision, listFormerParts, retireParts } from '../../store/documents/former-parts.js'
import { insertModelReadings, type ModelReadingWrite } from '../../store/documents/model-readings.js'
import { lendClaims, type PassagesWrite, replacePassages } from '../../store/documents/passages.js'
import { type FailedDocument, failDocuments, giveBackDocuments } from '../../store/documents/quarantine.js'
import { finishReread } from '../../store/documents/rereads.js'
import { lockScopes } from '../../store/events/events.js'
import { insertFindings, insertPossible, insertSupersessions, movePossible } from '../../store/findings/finding-rows.js'
import { moveFindings } from '../../store/findings/later-readings.js'
import {
  guardCommit,
  holdsLease,
  type Lease,
  type LeasedDocument,
  leaseLost,
  releaseLease,
  requireNothingWaits,
  restScope,
  scopeChanged,
  scopePaused,
  settleTurns,
} from '../../store/leases/leases.js'
import { type Certify, type RoundWrite, recordFromNow, type StoredScope, saveRounds } from '../../store/scopes/rounds.js'
import type { Database, TenantTransaction, Transaction } from '../../store/server/database.js'
import { failureCode } from '../../store/server/failures.js'
import { type BatchPlan, leavesComparison, type PlannedWrite } from '../planning/batch-plan.js'
import { closeRound } from './closing-round.js'
import { depthOf, planAfterDocuments, settleRound } from './settling-round.js'

export interface CommitInput {
  lease: Lease
  plan: BatchPlan
  failures: readonly FailedDocument[]
  certify: Certify
  /** The last commit of the lease: the scope goes back to the tail of the queue, documents not begun to where they were. */
  release: { giveBack: readonly LeasedDocument[]; reason: string } | null
}

export type CommitOutcome = 'committed' | 'lost' | 'changed' | 'paused'

export async function commitBatch(db: Database, input: CommitInput): Promise<CommitOutcome> {
  try {
    await db.inTenant(input.lease.tenantId, tx => writeBatch(tx, input))
    return 'committed'
  } catch (error) {
    const code = failureCode(error)
    if (code === leaseLost) return 'lost'
    if (code === scopeChanged || code === documentMoved) return 'changed'
    if (code === scopePaused) return 'paused'
    throw error
  }
}

/** Gives documents that were not finished back, and the scope with them. False when the lease is not ours any more. */
export async function giveBackLease(
  db: Database,
  lease: Lease,
  documents: readonly LeasedDocument[],
  { reason, restMs = null }: { reason: string; restMs?: number | null },
): Promise<boolean> {
  try {
    const isOurs = await db.inTenant(lease.tenantId, async tx => {
      await lockScopes(tx, [lease.scopeNo])
      if (!(await holdsLease(tx, lease))) return false
      await giveBackDocuments(tx, lease, documents, reason)
      await releaseLease(tx, lease)
      if (restMs !== null) await restScope(tx, lease, restMs)
      return true
    })
    if (isOurs && restMs !== null) await settleTurns(db, [lease.tenantId])
    return isOurs
  } catch (error) {
    if (failureCode(error) === documentMoved) return false
    throw error
  }
}

async function writeBatch(tx: TenantTransaction, { lease, plan, failures, certify, release }: CommitInput): Promise<void> {
  const { before, planned } = plan
  const [, recordedAt] = await Promise.all([lockScopes(tx, [lease.scopeNo]), recordFromNow(tx, lease)])
  // The guard refuses the commit where the scope is gone.
  const after = { ...plan.after, recordedAt: recordedAt ?? plan.after.recordedAt }
  const last = planned.at(-1)
  const results = planned.map(({ result }) => result)
  const comingIn = planned.filter(each => !isReread(each))
  const documents = comingIn.map(({ read }) => read.document)
  // Only a verdict of resolved rests on an empty queue; anything else is as good a moment later.
  const resolved = last?.result.finality.to === 'resolved'
  const guarded = guardCommit(tx, {
    tenantId: lease.tenantId,
    scopeNo: lease.scopeNo,
    owner: lease.owner,
    fence: lease.fence,
    generation: lease.generation,
    version: before.version,
    round: before.kept.kept?.round ?? 0,
    policyHash: plan.policyHash,
    waiting: resolved ? before.counts.queued + before.counts.processing + before.counts.held : null,
    // A paused scope lets one document more through, in the commit that ends the lease: any other has more behind it.
    documents: release === null ? Math.max(2, planned.length) : planned.length,
  })
  // The statements share round trips and run in this order; when the guard fails, none behind it does anything.
  const written = [
    guarded,
    writeClaims(tx, after, planned),
    writeTerms(tx, after, planned),
    insertModelReadings(tx, after, planned.flatMap(toModelReading)),
    writeFindings(tx, after, planned),
    movePossible(tx, after, results),
    replaceContent(tx, after, contentWrites(planned)),
    finishDocuments(tx, after, comingIn.map(toFinished)),
    lendClaims(
      tx,
      after,
      planned.flatMap(each => each.lent),
    ),
    ...planned.filter(isReread).map(each => replaceReading(tx, after, each)),
    retireHolds(tx, after, [...documents, ...failures.filter(isQuarantined)]),
    reopenReviews(tx, after, planned.flatMap(refusedApprovals)),
    ...(resolved ? [] : [saveRounds(tx, after, planned.map(toRoundWrite))]),
  ]
  const failing = failDocuments(tx, after, failures)
  await Promise.all([...written, failing])
  // Queued last, and counted from here on. What failed may be tried again: nothing follows from that.
  const retiring = distinctParts(await listFormerParts(tx, after, comingIn.flatMap(toEnded)))
  const coming = retiring.filter(({ waits }) => !waits).length
  const writePassages = () => replacePassages(tx, after, planned.flatMap(toPassages))
  if (!resolved) await writePassages()
  const settling = await planAfterDocuments(tx, after, planned)
  if (resolved && last !== undefined) {
    await requireNothingWaits(tx, after, coming)
    // Where more is to be settled, the round that does it is certified.
    const certificate = settling === null ? await certify(tx, after, results) : undefined
    const rounds = planned.map(each => ({ ...toRoundWrite(each), ...(each === last && certificate !== undefined ? { certificate } : {}) }))
    await saveRounds(tx, after, rounds)
    await writePassages()
  }
  const settled =
    settling === null ? [] : await settleRound(tx, lease, { settling, depth: depthOf(planned), coming, earlier: results }, certify)
  const givenUp = await failing
  const left = givenUp.at(-1)
  const unread = givenUp.filter(({ reread }) => reread === null)
  if (left !== undefined) await closeRound(tx, lease, { before, earlier: [...results, ...settled], last: left, unread, coming }, certify)
  await retireParts(tx, after, retiring)
  if (release !== null) {
    await giveBackDocuments(tx, after, release.giveBack, release.reason)
    await releaseLease(tx, lease)
  }
}

async function writeClaims(tx: Transaction, after: StoredScope, planned: readonly PlannedWrite[]): Promise<void> {
  const ends = new Map<number, ClaimEnd>()
  for (const { ends: ended, result } of planned) {
    for (const end of ended) if (!ends.has(end.claimNo)) ends.set(end.claimNo, { round: result.round, ...end })
  }
  const writes: ClaimWrite[] = planned.flatMap(({ claims, result }) =>
    claims.map(({ claim, body }) => ({
      claimNo: claim.claimNo,
      claim: storableClaim(claim),
      body,
      round: result.round,
      ended: ends.get(claim.claimNo) ?? null,
    })),
  )
  const own = new Set(writes.map(write => write.claimNo))
  const others = [...ends.values()].filter(end => !own.has(end.claimNo))
  await Promise.all([insertClaims(tx, after, writes), endClaims(tx, after, others)])
}

/** A batch may hold a revision and the one that replaces it: words are written first, then taken away. */
async function writeTerms(tx: Transaction, after: StoredScope, planned: readonly PlannedWrite[]): Promise<void> {
  const rows = planned.flatMap(({ terms }) => terms.map(row => ({ ...row, term: storable(row.term) })))
  const replaced = planned.flatMap(({ replacesTerms }) => replacesTerms ?? [])
  await Promise.all([insertTerms(tx, after, rows), removeTerms(tx, after, replaced)])
}

/** Of what is admitted, where a model is to be shown it. */
function toPassages({ read: { document, passages }, result, content }: PlannedWrite): PassagesWrite[] {
  if (passages == null || content === null || !result.applied) return []
  const { documentId, revision } = document
  const { passages: cut, terms } = JSON.parse(passages) as CutDocument
  return [{ documentId, revision, passages: cut, terms: new Map(terms) }]
}

/** A document that is held was not asked about: it will be when it is admitted. */
function toModelReading({ read: { document, model }, links }: PlannedWrite): ModelReadingWrite[] {
  if (model === undefined || model.outcome === 'not_admitted') return []
  const { documentId, revision } = document
  const { foundBy, promptVersion, outcome, shown, wholeCase, reading, dropped, usage } = model
  return [
    {
      ...{ documentId, revision, model: foundBy, promptVersion, outcome, shown, wholeCase, ...usage },
      reading: reading === null ? null : storableJson({ ...reading, links: links.flatMap(index => reading.links[index] ?? []) }),
      dropped: storableJson(dropped),
    },
  ]
}

/** With a text of its own. */
function isAdmitted({ result, content }: PlannedWrite): boolean {
  return result.applied && content !== null
}

/** What is held, or says nothing new, ends nothing. */
function toEnded(planned: PlannedWrite): EndedRevision[] {
  const { documentId, revision } = planned.read.document
  if (isAdmitted(planned)) return [{ documentId, revision, outcome: 'admitted' }]
  return planned.result.outcome === 'reject' ? [{ documentId, revision, outcome: 'given_up' }] : []
}

function isReread({ read }: PlannedWrite): boolean {
  return read.document.reread !== null
}

function isQuarantined({ retryAfterMs, reread }: FailedDocument): boolean {
  return retryAfterMs === null && reread === null
}

/** Behind the claims and findings of the new reading. */
async function replaceReading(tx: Transaction, after: StoredScope, planned: PlannedWrite): Promise<void> {
  const { carried, read } = planned
  const { status, reason, ...finished } = toFinished(planned)
  await finishReread(tx, after, { ...finished, modelOutcome: leavesComparison(read) ? null : (read.model?.outcome ?? null) })
  if (carried === null) return
  await moveFindings(tx, after, carried)
}

function storableClaim(claim: ClaimWrite['claim']): ClaimWrite['claim'] {
  const { subject, attribute, quote, period } = claim
  const dated = period === null || (isDate(period.from) && isDate(period.to)) ? period : null
  return { ...claim, subject: storable(subject), attribute: storable(attribute), quote: storable(quote), period: dated }
}

/** The thirtieth of February is text, not a date; the columns only hold dates. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

async function writeFindings(tx: Transaction, after: StoredScope, planned: readonly PlannedWrite[]): Promise<void> {
  const admitted = planned.filter(isAdmitted)
  const findings = admitted.flatMap(({ contradictions, content, result }) =>
    contradictions.map((ids, index) => ({ ...ids, found: storableFinding(content!.contradictions[index]!), round: result.round })),
  )
  const written = <T extends { reason: string }>(found: readonly T[], round: number) =>
    found.map(each => ({ ...each, reason: storable(each.reason), round }))
  const sides = planned.flatMap(each => each.sides)
  const possible = admitted.flatMap(each => written(each.possible, each.result.round))
  const supersessions = admitted.flatMap(each => written(each.supersessions, each.result.round))
  await Promise.all([
    insertFindings(tx, after, findings, sides),
    insertPossible(tx, after, possible),
    insertSupersessions(tx, after, supersessions),
  ])
}

function storableFinding<T extends { subject: string; attribute: string; reason: string }>(found: T): T {
  return { ...found, subject: storable(found.subject), attribute: storable(found.attribute), reason: storable(found.reason) }
}

function contentWrites(planned: readonly PlannedWrite[]) {
  const admitted = planned.filter(isAdmitted)
  const newest = new Map(admitted.map(({ read }) => [read.document.documentId, read.document.revision]))
  return admitted.map(({ read, content, result }) => ({
    documentId: read.document.documentId,
    revision: read.document.revision,
    goals: content!.goals,
    risks: content!.risks,
    round: result.round,
    again: read.document.reread !== null,
    live: newest.get(read.document.documentId) === read.document.revision,
  }))
}

function toFinished({ read, result, content, firstClaimNo, claimCount, extractor, extractorVersion, profile }: PlannedWrite) {
  const { seq, documentId, revision } = read.document
  const { outcome } = result
  return {
    seq,
    documentId,
    revision,
    status: documentStatuses[outcome],
    round: result.round,
    reason: outcome === 'admit' ? null : (result.decisions[0]?.record.reasons.join(' ') ?? null),
    firstClaimNo,
    claimCount,
    contradictionCount: result.applied ? (content?.contradictions.length ?? 0) : 0,
    profile,
    timings: read.timings,
    extractor,
    extractorVersion,
    modelOutcome: read.model === undefined || read.model.outcome === 'not_admitted' ? null : read.model.outcome,
    comparedModel: read.model === undefined ? null : comparedBy(read.model),
  }
}

function refusedApprovals({ read, result }: PlannedWrite): number[] {
  const { approval } = read.document
  return approval !== null && result.outcome === 'hold' ? [approval.decision_seq] : []
}

function toRoundWrite({
  read,
  result,
  content,
  firstClaimNo,
  claimCount,
  lent,
  extractor,
  extractorVersion,
  carried,
}: PlannedWrite): RoundWrite {
  const { documentId, revision, textHash, approval, reread, follows } = read.document
  return {
    result,
    document: { documentId, revision },
    detail: {
      unchanged: content === null,
      text_hash: textHash,
      extractor,
      extractor_version: extractorVersion,
      first_claim_no: firstClaimNo,
      claim_count: claimCount,
      ...(lent.length > 0 && { lent_claims: lent.reduce((sum, each) => sum + each.count, 0), first_lent_no: lent[0]?.firstClaimNo }),
      claims_digest: content?.claimsDigest ?? null,
      ...(follows && { follows }),
      ...(reread === null ? {} : { ...reread, decisions_kept: carried?.kept ?? 0, detached: carried?.detached ?? [] }),
      ...(approval === null
        ? {}
        : { decision_seq: approval.decision_seq, verdict: 'approve', reason: approval.reason, by: approval.actor.id, held: 'document' }),
    },
  }
}
