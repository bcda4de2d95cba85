/** A scope as it was stored, as a round takes it: defaults for a scope that had no round yet. */
import { genesis } from './decision-record.js'
import type { ScopeIdentity } from './derived-ids.js'
import type { RoundScope } from './round-types.js'
import { emptyAggregates } from './scores.js'
import { effectiveSettings } from './settings.js'
import type { ConvergencePoint, Drift, Examination, FinalityStatus, Mode, ScopeAggregates } from './types.js'

export interface KeptScope extends ScopeIdentity {
  mode: Mode
  /** As stored: what is not set falls back to the default. */
  settings: unknown
  /** Head of the chain a reset ended; null before the first reset. */
  chainHash: string | null
  /** Null before the first round. */
  kept: {
    round: number
    aggregates: ScopeAggregates
    /** Number of decisions so far. */
    decisionSeq: number
    decisionHash: string
    drift: Drift | null
    finality: FinalityStatus
  } | null
  examination: Examination
  points: ConvergencePoint[]
}

export function restoreScope({ settings, chainHash, kept, ...scope }: KeptScope): RoundScope {
  return {
    ...scope,
    round: kept?.round ?? 0,
    settings: effectiveSettings(settings),
    aggregates: { ...emptyAggregates(), ...kept?.aggregates },
    chain: kept === null ? genesis(chainHash ?? undefined) : { seq: kept.decisionSeq - 1, hash: kept.decisionHash },
    finality: kept?.finality ?? 'active',
    drift: kept?.drift ?? null,
  }
}
