/**
 * A person answers what is held. Rejecting, and approving anything but a document, takes effect at once as a round. An
 * approved document goes back into the queue: its worker reconciles it with the claims of that moment and concludes it
 * as this review.
 */

import { digest } from '../kernel/canonical.js'
import type { ReviewRound, RoundDocument } from '../kernel/round-types.js'
import { effectiveSettings } from '../kernel/settings.js'
import { AppError, invariant } from '../platform/errors.js'
import { type DocumentRow, findDocument } from '../store/documents/documents.js'
import { countMove, enqueue } from '../store/documents/documents-intake.js'
import { markApproved, markRejected } from '../store/documents/documents-outcome.js'
import { listRetiring, retireParts } from '../store/documents/former-parts.js'
import { appendEvents } from '../store/events/events.js'
import { type DecisionRow, findDecision } from '../store/findings/findings.js'
import { readRoundInput, settleReview } from '../store/findings/findings-resolution.js'
import { isLeftUnexamined, listNamedUnread } from '../store/scopes/examination.js'
import type { StoredScope } from '../store/scopes/rounds.js'
import { raiseVersion, type ScopeRef } from '../store/scopes/scopes.js'
import type { TenantTransaction } from '../store/server/database.js'
import { type Act, type Concluded, commitAct, concludeAct, loadStored, reviewRefused } from './act.js'
import { heldSignOff } from './certificates/sign-off.js'
import { toDecisionRecord } from './decisions.js'
import type { ScopesDeps } from './deps.js'
import { toDocumentRecord } from './documents/documents.js'
import { heldFinding } from './findings/finding-act.js'
import { heldResolution } from './findings/resolution.js'
import { lockFound } from './idempotent.js'
import { personOf, type Said } from './person.js'
import { newlyUnexamined, type ProposedSettings, proposedNow, putProposed, type ScopePatch } from './settings.js'
import type { ReviewResult } from './types.js'

export interface ReviewInput extends Said {
  tenantId: string
  decisionId: string
  verdict: 'approve' | 'reject'
}

interface Case {
  tx: TenantTransaction
  scope: ScopeRef
  stored: StoredScope
  decision: DecisionRow
  input: ReviewInput
}

/** What a review leads to: the round that recorded it, or null when a worker will. */
type Reviewed = Concluded | null

export async function reviewDecision(deps: ScopesDeps, input: ReviewInput): Promise<ReviewResult> {
  const result = await commitAct(deps, input.tenantId, async tx => {
    const { scope, row: decision } = await lockFound(tx, input.decisionId, { name: 'decision', find: findDecision })
    if (decision.review !== 'pending') throw notPending()
    const stored = await loadStored(tx, scope.scopeNo)
    const reviewed = await reviewHeld(deps, { tx, scope, stored, decision, input })
    if (reviewed !== null && reviewed.result.outcome === 'hold') return reviewRefused(reviewed.result, input.decisionId)
    return readReviewed(tx, scope, input.decisionId, reviewed)
  })
  deps.hints.notify('backlog')
  return result
}

function reviewHeld(deps: ScopesDeps, held: Case): Promise<Reviewed> {
  switch (held.decision.kind) {
    case 'document':
      return reviewDocument(deps, held)
    case 'resolution':
      return reviewWord(deps, held)
    case 'settings':
      return reviewSettings(deps, held)
    default:
      return concludeReview(deps, held, { kind: 'finality' }, {})
  }
}

async function reviewDocument(deps: ScopesDeps, held: Case): Promise<Reviewed> {
  const { tx, scope, stored, decision, input } = held
  const row = decision.document_id === null ? null : await findDocument(tx, scope, decision.document_id, decision.revision)
  if (row === null || !row.current || row.status !== 'held') throw notPending()
  if (input.verdict === 'approve') return approveDocument(held, row)
  const document = { documentId: row.document_id, revision: row.revision }
  const reason = `Rejected by ${input.by}: ${input.reason}`
  const unexamined = { admitted: false, refused: await isLeftUnexamined(tx, scope, row.document_id) }
  const named = (await listNamedUnread(tx, scope, [row.document_id])).length > 0
  const part = { kind: 'document' as const, document: { ...toRoundDocument(row), unexamined, named }, content: null }
  const settle: Act['settle'] = async ({ outcome, round }) => {
    if (outcome !== 'hold') await markRejected(tx, stored, document, { reason, round })
  }
  const retiring = await listRetiring(tx, scope, row.document_id, [row.revision])
  const reviewed = await concludeReview(deps, held, part, { documents: 1 }, {}, { settle, queuesUnlessHeld: retiring.coming })
  if (reviewed.result.outcome === 'hold') return reviewed
  await countMove(tx, scope, { from: 'held', to: 'rejected', documents: 1 })
  await retireParts(tx, scope, retiring.parts)
  return reviewed
}

async function approveDocument({ tx, scope, decision, input }: Case, row: DocumentRow): Promise<null> {
  const document = { documentId: row.document_id, revision: row.revision }
  const approval = { decision_seq: decision.seq, decision_hash: decision.hash, actor: personOf(input), reason: input.reason }
  const data = { scope_id: scope.scopeId, document_id: row.document_id, revision: row.revision, status: 'queued' }
  const { firstSeq } = await appendEvents(tx, scope, [
    { type: 'document.requeued', subject: row.document_id, data: { ...data, reason: `Approved by ${input.by}.` } },
  ])
  await markApproved(tx, scope, document, approval)
  // Its own place in the queue again: what came in after it waits behind it, and `seq` stays the one its client was told.
  await enqueue(tx, scope, [{ ...document, seq: row.seq ?? firstSeq }])
  await countMove(tx, scope, { from: 'held', to: 'queued', documents: 1 })
  if (!(await settleReview(tx, scope, decision.seq, 'approved'))) throw notPending()
  await raiseVersion(tx, scope.scopeNo)
  return null
}

async function reviewWord(deps: ScopesDeps, held: Case): Promise<Reviewed> {
  const { tx, stored, decision, input } = held
  const recorded = await readRoundInput(tx, stored, decision.round)
  invariant(recorded !== null, 'a held act was not recorded')
  if (recorded.kind === 'sign_off') {
    const signed = await heldSignOff(tx, stored, { round: decision.round, ...recorded }, input.verdict === 'approve')
    const { round, detail, ...effects } = signed
    return concludeReview(deps, held, round, { pending: 1 }, detail, effects)
  }
  const wordOf = recorded.kind === 'finding' ? heldFinding : heldResolution
  const { round, detail, moves, queues, apply } = await wordOf(tx, stored, recorded.input, input.verdict === 'approve')
  return concludeReview(deps, held, round, { pending: 1 }, detail, { moves, queues, apply })
}

async function reviewSettings(deps: ScopesDeps, held: Case): Promise<Reviewed> {
  const { tx, scope, stored, decision, input } = held
  const recorded = await readRoundInput(tx, stored, decision.round)
  invariant(recorded !== null, 'a held change of settings was not recorded')
  const { proposed: before, patch } = recorded.input as unknown as { proposed: ProposedSettings; patch: ScopePatch }
  const proposed = input.verdict === 'approve' ? proposedNow(scope, before, patch) : before
  const part = {
    kind: 'settings' as const,
    settings: effectiveSettings(proposed.settings),
    mode: proposed.mode,
    glossaryChanges: digest(scope.glossary) !== digest(proposed.glossary),
    unexamined: await newlyUnexamined(tx, scope, proposed),
  }
  const reviewed = await concludeReview(deps, held, part, { pending: 1 }, { proposed })
  if (reviewed.result.applied) await putProposed(tx, stored.scopeNo, proposed)
  return reviewed
}

function concludeReview(
  deps: ScopesDeps,
  { tx, stored, decision, input }: Case,
  held: ReviewRound['held'],
  settles: { documents?: number; pending?: number },
  detail: Record<string, unknown> = {},
  effects: Pick<Act, 'moves' | 'queues' | 'queuesUnlessHeld' | 'apply' | 'settle' | 'require'> = {},
): Promise<Concluded> {
  const document =
    decision.document_id === null || decision.revision === null ? null : { documentId: decision.document_id, revision: decision.revision }
  return concludeAct(deps, tx, stored, {
    input: {
      kind: 'review',
      actor: personOf(input),
      proposedBy: decision.actor,
      decisionSeq: decision.seq,
      decisionHash: decision.hash,
      verdict: input.verdict,
      reason: input.reason,
      held,
    },
    detail: { decision_seq: decision.seq, verdict: input.verdict, reason: input.reason, by: input.by, held: held.kind, ...detail },
    document,
    reviews: [{ seq: decision.seq, review: input.verdict === 'approve' ? 'approved' : 'rejected' }],
    settles,
    ...effects,
  })
}

async function readReviewed(tx: TenantTransaction, scope: ScopeRef, decisionId: string, reviewed: Reviewed): Promise<ReviewResult> {
  const decision = await findDecision(tx, decisionId)
  invariant(decision !== null, 'a decision disappeared while it was reviewed')
  const row = decision.document_id === null ? null : await findDocument(tx, scope, decision.document_id, decision.revision)
  return {
    ...toDecisionRecord(decision),
    review_decision_id: reviewed?.decisionId ?? null,
    document: row === null ? null : toDocumentRecord(row, scope.scopeId),
  }
}

function toRoundDocument(row: DocumentRow): Omit<RoundDocument, 'unexamined'> {
  const { document_id: documentId, revision, name, type, source } = row
  return { documentId, revision, name, type, source, issuer: null, textHash: row.text_hash?.toString('hex') ?? '', extractor: '' }
}

function notPending(): AppError {
  return new AppError('STATE_CONFLICT', { detail: 'The decision is not waiting for review.' })
}
