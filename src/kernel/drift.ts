/**
 * Drift: how far one round moves a scope, in four parts of 0 to 1. The first facts of a scope are no drift, there was
 * nothing to move. The largest part gives the level, so a landslide in one part is not averaged away.
 */
import { openContradictions, score } from './scores.js'
import type { Drift, DriftLevel, RoundChange, ScopeAggregates } from './types.js'

/** Added to every denominator: one changed fact in a scope of one is not a landslide. */
const SMOOTHING = 4
/** New facts widen a scope more than they move it. */
const NEW_SLOT_WEIGHT = 0.25
/** The contested share counts as contradiction drift already. */
const ENTROPY_WEIGHT = 0.5

const LEVELS: readonly { below: number; level: DriftLevel }[] = [
  { below: 0.05, level: 'none' },
  { below: 0.15, level: 'low' },
  { below: 0.35, level: 'medium' },
  { below: 0.6, level: 'high' },
]

export function measureDrift({ before, after, change }: { before: ScopeAggregates; after: ScopeAggregates; change: RoundChange }): Drift {
  if (before.slotsLive === 0 && before.contradictionsTotal === 0) {
    return { factual: 0, contradiction: 0, goal: 0, entropy: 0, value: 0, level: 'none' }
  }
  const moved = change.slotsChanged + change.slotsDropped + NEW_SLOT_WEIGHT * change.slotsAdded
  const factual = unit(moved / (before.slotsLive + change.slotsAdded + SMOOTHING))
  const contradiction = unit((change.contradictionsAdded + change.contradictionsClosed) / (before.slotsLive + SMOOTHING))
  const goal = goalDrift(before, after)
  const entropy = ENTROPY_WEIGHT * Math.abs(disorder(after) - disorder(before))
  const value = Math.max(factual, contradiction, goal, entropy)
  return { factual, contradiction, goal, entropy, value, level: levelOf(value) }
}

function goalDrift(before: ScopeAggregates, after: ScopeAggregates): number {
  const moved = Math.abs(score(after).goal_completion - score(before).goal_completion)
  return moved * (before.goalsTotal / (before.goalsTotal + SMOOTHING))
}

/** Binary entropy of the contested share of slots, 0 with none contested and 1 with all. */
function disorder(aggregates: ScopeAggregates): number {
  const contested = unit(openContradictions(aggregates) / (aggregates.slotsLive + SMOOTHING)) / 2
  if (contested === 0) return 0
  const bits = -contested * Math.log2(contested) - (1 - contested) * Math.log2(1 - contested)
  // Rounded: the last bits of a logarithm are the engine's, and drift is part of a digest.
  return Math.round(bits * 1e9) / 1e9
}

function levelOf(value: number): DriftLevel {
  return LEVELS.find(({ below }) => value < below)?.level ?? 'critical'
}

function unit(value: number): number {
  return Math.min(1, Math.max(0, value))
}
