/** Closes a round: drift, scores, the convergence point and the verdict, from the scope's numbers before and after. */
import { converge, opensSegment } from './convergence.js'
import { measureDrift } from './drift.js'
import { evaluateFinality } from './finality.js'
import { score } from './scores.js'
import type { ScopeSettings } from './settings.js'
import type { ConvergencePoint, Examination, RoundChange, ScopeAggregates, Workload } from './types.js'

interface RoundFigures {
  round: number
  before: ScopeAggregates
  after: ScopeAggregates
  change: RoundChange
  /** The scope's last points, oldest first: `HISTORY_TAIL` of them suffice. */
  tail: readonly ConvergencePoint[]
  workload: Workload
  settings: ScopeSettings
  examination: Examination
}

export function concludeRound({ round, before, after, change, tail, workload, settings, examination }: RoundFigures) {
  const point = converge(tail, { round, scores: score(after), opensSegment: opensSegment(change) }, settings)
  const verdict = evaluateFinality({ aggregates: after, point, workload, settings, examination })
  return { drift: measureDrift({ before, after, change }), point, verdict }
}

/** The change of a round that left the scope as it was: held, rejected, repeated. */
export function noChange(): RoundChange {
  return { slotsAdded: 0, slotsChanged: 0, slotsDropped: 0, contradictionsAdded: 0, contradictionsClosed: 0, settingsChanged: false }
}
