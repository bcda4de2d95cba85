/**
 * Finality: the verdict on a scope. A vector test, every gate must hold and no dimension buys out another.
 *
 * Precedence: `resolved` (every gate holds) · `escalated` (diverging, too much risk, too many critical contradictions) ·
 * `blocked` (nothing moves and contradictions stay open) · `review` (a plateau, a policy, or only a person can go on) · `active`.
 * An empty scope is `active`.
 */

import { gatesOf } from './finality-gates.js'
import type { Decision } from './proposals.js'
import { openContradictions, riskOf } from './scores.js'
import type { FinalityInput, FinalityStatus, FinalityVerdict, Gate } from './types.js'

export function evaluateFinality(input: FinalityInput): FinalityVerdict {
  const gates = gatesOf(input)
  const unresolved = classify(input, gates)
  const resolved = gates.every(gate => gate.ok)
  return {
    status: resolved ? 'resolved' : unresolved.status,
    otherwise: unresolved.status,
    gates,
    reasons: resolved ? ['Every condition holds.'] : unresolved.reasons,
  }
}

/**
 * The status after policy was asked about the change. Holding `resolved` asks for a person; rejecting it leaves the
 * status the numbers give without it. Policy cannot talk an alarm away: `escalated` and `blocked` stand.
 */
export function settleFinality(verdict: FinalityVerdict, decision: Decision): { status: FinalityStatus; reasons: string[] } {
  if (decision.outcome === 'admit') return { status: verdict.status, reasons: verdict.reasons }
  const { otherwise } = verdict
  const alarmed = otherwise === 'escalated' || otherwise === 'blocked'
  const status = decision.outcome === 'hold' && !alarmed ? 'review' : otherwise
  return { status, reasons: decision.reasons }
}

interface Unresolved {
  status: Exclude<FinalityStatus, 'resolved'>
  reasons: string[]
}

function classify(input: FinalityInput, gates: readonly Gate[]): Unresolved {
  if (isEmpty(input)) return { status: 'active', reasons: ['The case is empty.'] }
  const candidates: Unresolved[] = [
    { status: 'escalated', reasons: escalations(input) },
    { status: 'blocked', reasons: blockages(input) },
    { status: 'review', reasons: [...reviews(input), ...unexamined(input, gates)] },
  ]
  return candidates.find(({ reasons }) => reasons.length > 0) ?? { status: 'active', reasons: ['Work goes on.'] }
}

function escalations({ aggregates, point, settings }: FinalityInput): string[] {
  const { divergence_rate: divergence, escalation_risk: riskBound, escalation_critical: criticalBound } = settings.finality
  const risk = riskOf(aggregates)
  const critical = aggregates.contradictionsOpen.critical
  const reasons: string[] = []
  if (point !== null && point.rate < divergence) reasons.push(`The case diverges: rate ${fixed(point.rate)} is below ${divergence}.`)
  if (risk >= riskBound) reasons.push(`Risk ${fixed(risk)} has reached ${riskBound}.`)
  if (critical >= criticalBound) reasons.push(`${critical} critical contradictions are open; ${criticalBound} escalate.`)
  return reasons
}

function blockages({ aggregates, point, workload, settings }: FinalityInput): string[] {
  const open = openContradictions(aggregates)
  const rounds = point?.stalledRounds ?? 0
  const quiescent = workload.queued + workload.processing + workload.held === 0
  if (!quiescent || open === 0 || rounds < settings.convergence.plateau_rounds) return []
  return [`Nothing moved for ${rounds} steps and ${open} contradictions stay open.`]
}

function reviews({ aggregates, point, workload, settings }: FinalityInput): string[] {
  const { plateau_low: low, plateau_high: high } = settings.finality
  const idle = workload.queued + workload.processing === 0
  const open = openContradictions(aggregates)
  const reasons: string[] = []
  if (point?.plateau && point.score >= low && point.score <= high) reasons.push(`Progress has come to a plateau at ${fixed(point.score)}.`)
  if (idle && workload.held > 0) reasons.push(`${workload.held} held decisions wait for a person.`)
  if (idle && open > 0) reasons.push(`${open} open contradictions wait for a person.`)
  const possible = settings.finality.possible_conflicts === 'wait' ? aggregates.possibleOpen : 0
  if (idle && possible > 0) reasons.push(`${possible} possible conflicts wait for a person.`)
  return reasons
}

/** Where nothing else is left to do, it is a person's turn. */
function unexamined({ aggregates }: FinalityInput, gates: readonly Gate[]): string[] {
  const failing = gates.filter(gate => !gate.ok)
  if (failing.length !== 1 || failing[0]?.gate !== 'examined') return []
  const left = openContradictions(aggregates) + aggregates.possibleOpen
  return [
    left === 0 ? 'Nothing is left to decide, and nobody has signed it off.' : 'All other conditions hold, and nobody has signed it off.',
  ]
}

/** What is held is not part of the scope yet, but someone has to look at it. */
function isEmpty({ aggregates, workload }: FinalityInput): boolean {
  const { documentsIndexed, claimsLive, contradictionsTotal, goalsTotal } = aggregates
  return documentsIndexed + claimsLive + contradictionsTotal + goalsTotal === 0 && riskOf(aggregates) === 0 && workload.held === 0
}

function fixed(value: number): string {
  return String(Number(value.toFixed(3)))
}
