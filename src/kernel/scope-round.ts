/**
 * One round of a scope, whatever its input: a document revision, a document read again, a resolution, a review, a reported
 * contradiction, a change of settings, an erasure, what follows from earlier words, a document taken out unread or not read again after all. From the scope as it stands and the input to the
 * decisions, the new numbers, the convergence point, the verdict and the events. Pure: the same input gives the same bytes.
 *
 * What policy does not admit leaves the scope's numbers as they were; it is a round all the same. Reports, erasures,
 * discards, new readings of what was admitted and the end of what a mail carries no more are facts, not proposals: no policy is asked about them.
 */
import { HISTORY_TAIL } from './convergence.js'
import { appendRecord } from './decision-record.js'
import { derivedIds } from './derived-ids.js'
import { DIMENSIONS } from './dimensions.js'
import { effectOf, noParts } from './effect.js'
import { changesWhatCounts, examinedAfter } from './examination.js'
import { settleFinality } from './finality.js'
import { decide } from './policy.js'
import type { ChainHead, DecisionRecord, FinalityProposal, Proposal, ReviewProposal, ScopeState } from './proposals.js'
import { propose } from './propose.js'
import { concludeRound, noChange } from './round.js'
import { roundEvents } from './round-events.js'
import type { OvertakenApproval, RoundContext, RoundDecision, RoundInput, RoundResult, RoundScope } from './round-types.js'
import type { ScopeSettings } from './settings.js'
import type { ConvergencePoint, Drift, FinalityStatus, FinalityVerdict, RoundChange } from './types.js'

export function runRound(scope: RoundScope, input: RoundInput, context: RoundContext): RoundResult {
  const round = scope.round + 1
  const ids = derivedIds('decision', scope)
  const proposed = propose(scope, input, round)
  const decisions: RoundDecision[] = []
  const ask: Ask = (proposal, { tenantId, scopeId, generation, mode, finality, aggregates, chain }) => {
    const { policySet, saltOf } = context
    const state: ScopeState = { tenantId, scopeId, generation, mode, finality, aggregates }
    const decision = decide(proposal, state, policySet)
    const record = appendRecord(chain, { proposal, state, policyHash: policySet.hash, decision, salt: saltOf(chain.seq + 1) })
    decisions.push({ decisionId: ids.idOf(record.seq), proposal, state, record })
    return record
  }
  const asked = proposed.proposal === null ? null : ask(proposed.proposal, scope)
  const head = recordOvertaken(asked === null ? scope : { ...scope, chain: headOf(asked) }, input, ask)
  context.lap?.('govern')
  const outcome = asked?.outcome ?? 'admit'
  const applied = outcome === 'admit'
  const workload = typeof context.workload === 'function' ? context.workload(outcome) : context.workload
  const effect = effectOf(scope.aggregates, applied ? proposed.parts : noParts())
  const inForce = applied ? { mode: proposed.puts?.mode ?? scope.mode, settings: proposed.puts?.settings ?? scope.settings } : scope
  const puts = applied && proposed.puts !== undefined
  const change: RoundChange = applied
    ? { ...effect.change, settingsChanged: puts && measuresDiffer(scope.settings, inForce.settings) }
    : noChange()
  const changed = changesWhatCounts(input, outcome, { parts: proposed.parts, before: scope.settings, after: inForce.settings })
  const asksModel = inForce.settings.finality.examination === 'model'
  const examination = context.recorded ?? examinedAfter(scope.examination, input, { outcome, changed, asksModel })
  const { drift, point, verdict } = concludeRound({
    round,
    before: scope.aggregates,
    after: effect.aggregates,
    change,
    tail: scope.points,
    workload,
    settings: inForce.settings,
    examination,
  })
  const after = {
    ...scope,
    round,
    mode: inForce.mode,
    settings: inForce.settings,
    aggregates: effect.aggregates,
    drift,
    chain: head,
    examination,
  }
  const granted = applied && input.kind === 'review' && input.held.kind === 'finality'
  const signer = applied ? signerOf(input) : null
  const finality = granted
    ? { status: verdict.status, reasons: verdict.reasons, head }
    : settle(after, verdict, { point, drift, signer }, ask)
  const closes = applied ? proposed.closes : []
  const possible = (applied ? proposed.possible : undefined) ?? { closes: [], reopens: [] }
  const result: RoundResult = {
    round,
    kind: input.kind,
    outcome,
    applied,
    puts,
    changesWhatCounts: changed,
    decisions,
    change,
    workload,
    point,
    drift,
    verdict,
    finality: { from: scope.finality, to: finality.status, reasons: finality.reasons },
    closes,
    possible,
    slots: effect.slots,
    scope: { ...after, chain: finality.head, points: [...scope.points, point].slice(-HISTORY_TAIL), finality: finality.status },
    events: [],
  }
  result.events = roundEvents(scope.scopeId, input, result)
  context.lap?.('converge')
  return result
}

/** Thresholds and modes leave V as it is; weights and targets do not. */
function measuresDiffer(a: ScopeSettings, b: ScopeSettings): boolean {
  return DIMENSIONS.some(dimension => a.weights[dimension] !== b.weights[dimension] || a.targets[dimension] !== b.targets[dimension])
}

/** Asks policy about a proposal to a scope; the record follows the scope's chain and is one of the round's decisions. */
type Ask = (proposal: Proposal, scope: RoundScope) => DecisionRecord

function headOf({ seq, hash }: DecisionRecord): ChainHead {
  return { seq, hash }
}

/** A person was told that the approval is kept: it is, with who and why, though nothing comes of it. Behind what the round itself decides. */
function recordOvertaken(scope: RoundScope, input: RoundInput, ask: Ask): ChainHead {
  const about = input.kind === 'review' ? input.held : input
  const approvals = 'overtaken' in about ? (about.overtaken ?? []) : []
  const overtaken = input.kind === 'discard' || input.kind === 'erasure' ? (true as const) : ('revision' as const)
  const first = { kind: 'review' as const, round: scope.round + 1, held: 'document' as const, verdict: 'approve' as const, overtaken }
  const record = (chain: ChainHead, { actor, reason, decisionSeq, decisionHash }: OvertakenApproval) =>
    headOf(ask({ ...first, actor, reason, decisionSeq, decisionHash }, { ...scope, chain }))
  return approvals.reduce(record, scope.chain)
}

/** A change of the verdict is a proposal of its own; without a change nobody is asked. */
function settle(
  scope: RoundScope,
  verdict: FinalityVerdict,
  { point, drift, signer }: { point: ConvergencePoint; drift: Drift; signer: Signer | null },
  ask: Ask,
): { status: FinalityStatus; reasons: string[]; head: ChainHead } {
  if (verdict.status === scope.finality) return { status: verdict.status, reasons: verdict.reasons, head: scope.chain }
  const proposal: FinalityProposal = {
    kind: 'finality',
    actor: { kind: 'system', id: 'kernel' },
    round: scope.round,
    from: scope.finality,
    to: verdict.status,
    scores: point.scores,
    failing: verdict.gates.filter(gate => !gate.ok).map(gate => gate.gate),
    drift: drift.level,
    ...byModelOf(scope),
  }
  const asked = ask(proposal, scope)
  const settled = { ...settleFinality(verdict, asked), head: headOf(asked) }
  if (signer === null || verdict.status !== 'resolved' || asked.outcome !== 'hold') return settled
  // Who signs off answers what is held for a person by the same act; policy says whether this person may.
  const answer = ask(
    {
      kind: 'review',
      ...signer,
      round: scope.round,
      decisionSeq: asked.seq,
      decisionHash: asked.hash,
      held: 'finality',
      verdict: 'approve',
    },
    { ...scope, chain: settled.head },
  )
  const head = headOf(answer)
  return answer.outcome === 'admit' ? { status: verdict.status, reasons: verdict.reasons, head } : { ...settled, head }
}

type Signer = Pick<ReviewProposal, 'actor' | 'reason'>

function signerOf(input: RoundInput): Signer | null {
  return input.kind === 'sign_off' && input.verdict === 'sign_off' ? { actor: input.actor, reason: input.reason } : null
}

function byModelOf({ aggregates, settings }: RoundScope): Pick<FinalityProposal, 'byModel'> {
  const found = (aggregates.contradictionsByModel ?? 0) + (aggregates.replacementsByModel ?? 0)
  return found === 0 ? {} : { byModel: { found, setting: settings.finality.model_findings } }
}
