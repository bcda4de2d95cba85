/**
 * Convergence: how close a scope is to telling one consistent story, as numbers over rounds.
 * V(t) = Σ w · max(0, target − score)² falls to 0 as the scores reach their targets; everything else here watches how V
 * and the scores move inside the current segment. A round that adds a slot or a contradiction opens a new segment,
 * because more to settle is not a step backwards.
 */
import { DIMENSIONS, perDimension } from './dimensions.js'
import type { ScopeSettings } from './settings.js'
import type { ConvergencePoint, Dimension, DimensionScores, RoundChange } from './types.js'

/** How many of a scope's last points `converge` looks at: twenty moves have twenty-one ends. More do no harm. */
export const HISTORY_TAIL = 21

const V_FLOOR = 1e-6
const ESTIMATE_CAP = 1000
/** Below this a score has not moved: far under one millionth of confidence in any scope. */
const STILL = 1e-9

/** The point of this round. `tail` holds the last points of the scope, oldest first; earlier segments in it are ignored. */
export function converge(
  tail: readonly ConvergencePoint[],
  input: { round: number; scores: DimensionScores; opensSegment: boolean },
  settings: ScopeSettings,
): ConvergencePoint {
  const last = tail.at(-1)
  const segment = last === undefined ? 0 : last.segment + (input.opensSegment ? 1 : 0)
  const past = tail.filter(point => point.segment === segment).slice(-(HISTORY_TAIL - 1))
  const now = measure(input.scores, settings)
  const previous = past.at(-1)
  const vs = [...past.map(point => point.v), now.v]
  const scores = [...past.map(point => point.score), now.score]
  const segmentRounds = (previous?.segmentRounds ?? 0) + 1
  const rate = averageRate(vs, settings.convergence.rate_rounds)
  const turns = countTurns(previous, now.score, settings.convergence.monotone_tolerance)
  const autocorrelation = autocorrelate(movesOf(scores))
  return {
    round: input.round,
    segment,
    segmentRounds,
    scores: input.scores,
    score: now.score,
    v: now.v,
    rate,
    estimatedRounds: estimateRounds(now.v, rate, settings.convergence.epsilon),
    monotone: isMonotone(vs, scores, settings.convergence),
    ...watchPlateau(previous, now.v, settings.convergence),
    stalledRounds: previous !== undefined && isStill(previous.scores, input.scores) ? previous.stalledRounds + 1 : 0,
    ...turns,
    autocorrelation,
    oscillating: turns.directionChanges >= 2 && (autocorrelation ?? 0) < settings.convergence.oscillation_autocorrelation,
    quality: segmentRounds < 3 ? 1 : 1 - turns.directionChanges / (segmentRounds - 2),
    pressure: now.pressure,
    bottleneck: now.bottleneck,
    worstPressure: now.worstPressure,
  }
}

export function opensSegment(change: RoundChange): boolean {
  return change.slotsAdded > 0 || change.contradictionsAdded > 0 || change.settingsChanged
}

function measure(scores: DimensionScores, { weights, targets }: ScopeSettings) {
  const gap = (dimension: Dimension) => Math.max(0, targets[dimension] - scores[dimension])
  const pressure = perDimension(dimension => weights[dimension] * gap(dimension))
  const worst = DIMENSIONS.reduce((a, b) => (pressure[b] > pressure[a] ? b : a))
  return {
    v: DIMENSIONS.reduce((sum, dimension) => sum + pressure[dimension] * gap(dimension), 0),
    score: 1 - DIMENSIONS.reduce((sum, dimension) => sum + pressure[dimension], 0),
    pressure,
    bottleneck: pressure[worst] > 0 ? worst : null,
    worstPressure: pressure[worst],
  }
}

function averageRate(vs: readonly number[], rounds: number): number {
  const window = vs.slice(-(rounds + 1)).map(v => Math.max(v, V_FLOOR))
  if (window.length < 2) return 0
  // The logarithms of neighbours cancel: the mean of the steps is the step from end to end, shared out.
  const rate = -Math.log(window.at(-1)! / window[0]!) / (window.length - 1)
  return Math.round(rate * 1e12) / 1e12 + 0
}

function estimateRounds(v: number, rate: number, epsilon: number): number | null {
  if (v <= epsilon) return 0
  if (rate <= STILL) return null
  return Math.min(ESTIMATE_CAP, Math.ceil(Math.log(v / epsilon) / rate))
}

/** Both are asked: a dimension that rises while another falls can keep the score and still raise V. */
function isMonotone(vs: readonly number[], scores: readonly number[], settings: ScopeSettings['convergence']): boolean {
  const { monotone_rounds: rounds, monotone_tolerance: tolerance } = settings
  const rises = movesOf(vs.slice(-(rounds + 1))).some(move => move > tolerance)
  const falls = movesOf(scores.slice(-(rounds + 1))).some(move => move < -tolerance)
  return !rises && !falls
}

/** A scope within ε of its targets has arrived, which is not the same as being stuck. */
function watchPlateau(previous: ConvergencePoint | undefined, v: number, settings: ScopeSettings['convergence']) {
  if (previous === undefined) return { plateau: false, progressEma: null, plateauRounds: 0 }
  const ratio = (previous.v - v) / Math.max(previous.v, V_FLOOR)
  const { plateau_alpha: alpha, plateau_ratio: bound } = settings
  const progressEma = previous.progressEma === null ? ratio : alpha * ratio + (1 - alpha) * previous.progressEma
  const plateauRounds = progressEma < bound ? previous.plateauRounds + 1 : 0
  return { plateau: plateauRounds >= settings.plateau_rounds && v > settings.epsilon, progressEma, plateauRounds }
}

/** Moves within the tolerance have no direction: noise is not oscillation. */
function countTurns(previous: ConvergencePoint | undefined, score: number, tolerance: number) {
  if (previous === undefined) return { direction: 0 as const, directionChanges: 0 }
  const move = score - previous.score
  if (Math.abs(move) <= tolerance) return { direction: previous.direction, directionChanges: previous.directionChanges }
  const direction = move > 0 ? (1 as const) : (-1 as const)
  const turned = previous.direction !== 0 && previous.direction !== direction
  return { direction, directionChanges: previous.directionChanges + (turned ? 1 : 0) }
}

function autocorrelate(moves: readonly number[]): number | null {
  if (moves.length < 3) return null
  const mean = moves.reduce((sum, move) => sum + move, 0) / moves.length
  const deviations = moves.map(move => move - mean)
  const variance = deviations.reduce((sum, each) => sum + each * each, 0)
  if (variance <= STILL * STILL) return null
  return movesWithNext(deviations).reduce((sum, [a, b]) => sum + a * b, 0) / variance
}

function movesOf(values: readonly number[]): number[] {
  return movesWithNext(values).map(([a, b]) => b - a)
}

function movesWithNext(values: readonly number[]): [number, number][] {
  return values.slice(1).map((value, index) => [values[index]!, value])
}

function isStill(a: DimensionScores, b: DimensionScores): boolean {
  return DIMENSIONS.every(dimension => Math.abs(a[dimension] - b[dimension]) <= STILL)
}
