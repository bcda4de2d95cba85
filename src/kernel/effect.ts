/**
 * What a round would do to a scope's numbers, whatever kind of input it is: claims begin and end, contradictions open
 * and close, goals and risks come and go. The result is hypothetical until policy admits it.
 */
import type { SlotClaim, SlotMove, SlotStanding } from './slots.js'
import { moveSlots } from './slots.js'
import type { RoundChange, ScopeAggregates, Severity, SeverityCounts } from './types.js'

export interface ContentCounts {
  goals: number
  goalsDone: number
  risks: SeverityCounts
}

export interface EffectParts {
  /** Every slot that `begun` and `ended` touch, as it stood before; a missing one was empty. */
  slots: readonly SlotStanding[]
  begun: readonly SlotClaim[]
  ended: readonly SlotClaim[]
  /** Slots that were live before and whose value a new claim changes, refines, supersedes or disputes. */
  slotsChanged: number
  opened: readonly Severity[]
  /** How many of these a model found. */
  openedByModel: number
  /** Replacements by a model that act by themselves. */
  replacedByModel?: number
  reopened: readonly Severity[]
  closed: readonly Severity[]
  /** Possible conflicts that open, again or for the first time, and that are undecided no more. */
  possibleOpened: number
  possibleClosed: number
  /** Goals and risks that come and go. */
  gains: ContentCounts
  losses: ContentCounts
  /** 1 for the first admitted revision of a document, -1 for its erasure. */
  documents: -1 | 0 | 1
}

export interface Effect {
  aggregates: ScopeAggregates
  change: RoundChange
  slots: SlotMove['after']
}

export function noContent(): ContentCounts {
  return { goals: 0, goalsDone: 0, risks: { low: 0, medium: 0, high: 0, critical: 0 } }
}

export function noParts(): EffectParts {
  return {
    slots: [],
    begun: [],
    ended: [],
    slotsChanged: 0,
    opened: [],
    openedByModel: 0,
    reopened: [],
    closed: [],
    possibleOpened: 0,
    possibleClosed: 0,
    gains: noContent(),
    losses: noContent(),
    documents: 0,
  }
}

export function effectOf(before: ScopeAggregates, parts: EffectParts): Effect {
  const move = moveSlots(parts.slots, parts.begun, parts.ended)
  const open = { ...before.contradictionsOpen }
  for (const severity of [...parts.opened, ...parts.reopened]) open[severity]++
  for (const severity of parts.closed) open[severity]--
  const risks = { ...before.risks }
  for (const level of Object.keys(risks) as Severity[]) risks[level] += parts.gains.risks[level] - parts.losses.risks[level]
  const byModel = (before.contradictionsByModel ?? 0) + parts.openedByModel
  const replacements = (before.replacementsByModel ?? 0) + (parts.replacedByModel ?? 0)
  return {
    aggregates: {
      documentsIndexed: before.documentsIndexed + parts.documents,
      claimsLive: before.claimsLive + move.claimsLive,
      slotsLive: before.slotsLive + move.slotsLive,
      bestConfidenceMicros: before.bestConfidenceMicros + move.bestConfidenceMicros,
      contradictionsTotal: before.contradictionsTotal + parts.opened.length,
      contradictionsOpen: open,
      ...(byModel > 0 && { contradictionsByModel: byModel }),
      ...(replacements > 0 && { replacementsByModel: replacements }),
      possibleOpen: before.possibleOpen + parts.possibleOpened - parts.possibleClosed,
      goalsTotal: before.goalsTotal + parts.gains.goals - parts.losses.goals,
      goalsDone: before.goalsDone + parts.gains.goalsDone - parts.losses.goalsDone,
      risks,
    },
    change: {
      slotsAdded: move.slotsAdded,
      slotsChanged: parts.slotsChanged,
      slotsDropped: move.slotsDropped,
      contradictionsAdded: parts.opened.length + parts.reopened.length,
      contradictionsClosed: parts.closed.length,
      settingsChanged: false,
    },
    slots: move.after,
  }
}
