/**
 * How a scope stands: its numbers, drift, convergence, finality and settings. Plain data: everything here survives JSON. Names in
 * snake_case are members of published JSON (settings, gates); everything else is ours. What is proposed to it: `proposals.ts`.
 */

import type { Dimension, DimensionScores, Severity, SeverityCounts } from './dimensions.js'
import type { ScopeSettings } from './settings.js'

export type { Dimension, DimensionScores, Severity, SeverityCounts }

/** `auto` admits unless forbidden, `review` lets material changes wait for a person, `strict` refuses what is uncertain. */
export type Mode = 'auto' | 'review' | 'strict'
export type Outcome = 'admit' | 'hold' | 'reject'
export type FinalityStatus = 'active' | 'review' | 'resolved' | 'escalated' | 'blocked'

/**
 * All the kernel ever needs to know of a scope's content. Every member can be kept by adding and subtracting, so a
 * round costs the same in a scope of a hundred thousand claims as in one of ten.
 */
export interface ScopeAggregates {
  /** Documents whose current revision is indexed. */
  documentsIndexed: number
  claimsLive: number
  /** Slots with at least one live claim. */
  slotsLive: number
  /** Σ over live slots of the best live claim's confidence, in millionths (`confidenceMicros`): integers add exactly in any order. */
  bestConfidenceMicros: number
  /** Every contradiction ever found since the last reset, open or closed. */
  contradictionsTotal: number
  contradictionsOpen: SeverityCounts
  /** Of all of these, those a model found. Absent where there is none. */
  contradictionsByModel?: number
  /** Replacements a model found that acted by themselves. Absent where there is none. */
  replacementsByModel?: number
  /** Possible conflicts nobody has decided. In no score; a gate counts them. */
  possibleOpen: number
  goalsTotal: number
  goalsDone: number
  /** Live risks by level. */
  risks: SeverityCounts
}

/** What one round did to the scope; all zero when its proposal was held or rejected. */
export interface RoundChange {
  /** Slots that had no live claim before. */
  slotsAdded: number
  /** Slots that were live before and whose value a new claim changes, refines, supersedes or disputes. */
  slotsChanged: number
  /** Slots that lost their last live claim. */
  slotsDropped: number
  contradictionsAdded: number
  contradictionsClosed: number
  /** Weights or targets changed: V before and after cannot be compared. */
  settingsChanged: boolean
}

export type DriftLevel = 'none' | 'low' | 'medium' | 'high' | 'critical'

/** How far one round moves a scope, each part 0 to 1; `value` is the largest part and gives the level. */
export interface Drift {
  factual: number
  contradiction: number
  goal: number
  entropy: number
  value: number
  level: DriftLevel
}

/** What waits around the scope when a round closes, not counting the round's own input. */
export interface Workload {
  queued: number
  processing: number
  /** Documents and decisions that wait for a person. */
  held: number
}

/** One per round, stored whole. What a longer history would be needed for is carried along, so a short tail suffices. */
export interface ConvergencePoint {
  round: number
  segment: number
  /** Points of the segment so far, this one included. */
  segmentRounds: number
  scores: DimensionScores
  /** 1 − Σ w · max(0, target − score); with targets 1 the weighted mean of the scores. */
  score: number
  v: number
  /** Mean of −ln(V(t)/V(t−1)) over up to five rounds of the segment; 0 before there are two. */
  rate: number
  /** Rounds until V ≤ ε at this rate; 0 when there, null when not converging. */
  estimatedRounds: number | null
  monotone: boolean
  plateau: boolean
  /** EMA of the progress ratio; null at the start of a segment. */
  progressEma: number | null
  /** How many rounds in a row the EMA has been below the plateau's bound. */
  plateauRounds: number
  /** How many rounds in a row no score moved at all. */
  stalledRounds: number
  direction: -1 | 0 | 1
  directionChanges: number
  /** Of the last up to 20 moves of the segment at lag 1; null below three moves or without variance. */
  autocorrelation: number | null
  oscillating: boolean
  quality: number
  /** w · max(0, target − score) per dimension. */
  pressure: DimensionScores
  /** The dimension with the highest pressure; null when there is none. */
  bottleneck: Dimension | null
  worstPressure: number
}

/** Who has examined a scope as it stands after a round. Figures alone: who they are is with the sign-offs. */
export interface Examination {
  /** Different people whose sign-off covers what counts now. */
  signers: number
  /** Documents without a reading that they read by eye. */
  readByEye: number
  /** Documents that neither a model compared in full nor a person signed for; 0 unless the settings ask for a model. */
  unexamined: number
}

export interface FinalityInput {
  aggregates: ScopeAggregates
  /** The point of the latest round; null before the first. */
  point: ConvergencePoint | null
  workload: Workload
  settings: ScopeSettings
  examination: Examination
}

export interface Gate {
  gate: string
  ok: boolean
  value: number | boolean | string | null
  /** What the gate asks for, in words. */
  needs: string
  /** What would close it, in words; says so when it holds. */
  how: string
}

export interface FinalityVerdict {
  status: FinalityStatus
  /** The status when policy does not grant `resolved`. Equal to `status` otherwise. */
  otherwise: FinalityStatus
  gates: Gate[]
  /** Why this status, in words. */
  reasons: string[]
}
