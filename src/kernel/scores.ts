/**
 * A scope's four scores, each 0 to 1, from kept counts alone. With nothing to judge a score is 1: a scope without
 * contradictions, goals or risks is not held back by them.
 */
import { noSeverities, SEVERITIES, totalOf } from './dimensions.js'
import type { DimensionScores, ScopeAggregates, SeverityCounts } from './types.js'

const MICROS = 1_000_000

/**
 * What risks of a level weigh at most. Each further risk of the level closes half of what is left, so that one critical
 * risk counts 0.5 and the second brings the scope to the escalation bound of 0.75, while any number of low and medium
 * ones stays within the shipped threshold. The worst level counts alone: many small risks neither add up to a large
 * one nor dilute it.
 */
const RISK_WEIGHT: SeverityCounts = { low: 0.1, medium: 0.2, high: 0.7, critical: 1 }

export function score(aggregates: ScopeAggregates): DimensionScores {
  const { slotsLive, bestConfidenceMicros, contradictionsTotal, goalsTotal, goalsDone } = aggregates
  const closed = contradictionsTotal - openContradictions(aggregates)
  return {
    claim_confidence: share(bestConfidenceMicros, slotsLive * MICROS),
    contradiction_resolution: share(closed, contradictionsTotal),
    goal_completion: share(goalsDone, goalsTotal),
    risk_inverse: 1 - riskOf(aggregates),
  }
}

/** The scope's risk, 0 to 1. */
export function riskOf(aggregates: ScopeAggregates): number {
  return SEVERITIES.reduce((worst, level) => Math.max(worst, RISK_WEIGHT[level] * (1 - 2 ** -aggregates.risks[level])), 0)
}

export function openContradictions(aggregates: ScopeAggregates): number {
  return totalOf(aggregates.contradictionsOpen)
}

/** A confidence as the integer that `bestConfidenceMicros` adds up. */
export function confidenceMicros(confidence: number): number {
  return Math.round(Math.min(1, Math.max(0, confidence)) * MICROS)
}

export function emptyAggregates(): ScopeAggregates {
  return {
    documentsIndexed: 0,
    claimsLive: 0,
    slotsLive: 0,
    bestConfidenceMicros: 0,
    contradictionsTotal: 0,
    contradictionsOpen: noSeverities(),
    possibleOpen: 0,
    goalsTotal: 0,
    goalsDone: 0,
    risks: noSeverities(),
  }
}

function share(part: number, whole: number): number {
  return whole <= 0 ? 1 : Math.min(1, Math.max(0, part / whole))
}
