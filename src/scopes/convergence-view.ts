/** The kernel's figures as readers see them. A scope without rounds has nothing against it: every score is 1. */

import { DIMENSIONS } from '../kernel/dimensions.js'
import type { ScopeSettings } from '../kernel/settings.js'
import type { ConvergencePoint, Dimension, Drift } from '../kernel/types.js'
import type { ConvergenceView, DimensionView, DriftView } from './types.js'

export function toConvergenceView(point: ConvergencePoint | null, settings: ScopeSettings): ConvergenceView {
  const dimensions = Object.fromEntries(DIMENSIONS.map(dimension => [dimension, toDimension(dimension, point, settings)]))
  return {
    round: point?.round ?? 0,
    value: point?.v ?? 0,
    goal_score: point?.score ?? 1,
    rate: rateOf(point),
    estimated_rounds: point?.estimatedRounds ?? (point === null ? 0 : null),
    monotone: point?.monotone ?? true,
    plateau: point?.plateau ?? false,
    oscillating: point?.oscillating ?? false,
    trajectory_quality: point?.quality ?? 1,
    segment_start: point === null ? 0 : point.round - point.segmentRounds + 1,
    pressure: point?.worstPressure ?? 0,
    bottleneck: point?.bottleneck ?? null,
    dimensions: dimensions as Record<Dimension, DimensionView>,
  }
}

/** A rate needs two rounds of a segment. */
export function rateOf(point: ConvergencePoint | null): number | null {
  return point === null || point.segmentRounds < 2 ? null : point.rate
}

export function toDriftView(drift: Drift | null, round: number): DriftView | null {
  if (drift === null) return null
  const { level, value, factual, contradiction, goal, entropy } = drift
  return { level, score: value, factual, contradiction, goal, entropy, round }
}

function toDimension(dimension: Dimension, point: ConvergencePoint | null, settings: ScopeSettings): DimensionView {
  return {
    score: point?.scores[dimension] ?? 1,
    target: settings.targets[dimension],
    weight: settings.weights[dimension],
    threshold: settings.thresholds[dimension],
    pressure: point?.pressure[dimension] ?? 0,
  }
}
