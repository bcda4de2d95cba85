/** What a replay moves through and reports, and how one recorded value is held against a computed one. */

import { canonicalJson } from '../kernel/canonical.js'
import type {
  ChainHead,
  ConvergencePoint,
  FinalityStatus,
  Mode,
  RoundChange,
  ScopeAggregates,
  ScopeSettings,
  Workload,
} from '../kernel/types.js'

export interface ReplayReport {
  ok: boolean
  scopeId: string
  generation: number
  rounds: number
  decisions: number
  documents: {
    /** Reconciled again from their claims. */
    reconciled: number
    /** Of these, read again from their text. */
    read: number
    notRead: { erased: number; otherExtractor: number; afterErasure: number; unchanged: number }
  }
  difference: ReplayDifference | null
}

export interface ReplayDifference {
  round: number
  kind: string
  documentId: string | null
  member: string
  recorded: string
  computed: string
}

/** What a round starts from; only what was recorded moves it on. */
export interface ReplayState {
  round: number
  mode: Mode
  settings: ScopeSettings
  aggregates: ScopeAggregates
  chain: ChainHead
  points: ConvergencePoint[]
  finality: FinalityStatus
}

/** The recorded part of a round, as `saveRounds` wrote it. */
export interface RecordedInput {
  outcome: string
  applied: boolean
  change: RoundChange
  aggregates: ScopeAggregates
  workload: Workload
  status: FinalityStatus
  finality: FinalityStatus
  /** It put mode and settings in place. */
  puts?: boolean
  mode?: Mode
  settings?: ScopeSettings
  [member: string]: unknown
}

export interface Difference {
  member: string
  recorded: string
  computed: string
}

export function differs(member: string, recorded: unknown, computed: unknown): Difference | null {
  const [then, now] = [canonicalJson(recorded ?? null), canonicalJson(computed ?? null)]
  return then === now ? null : { member, recorded: then, computed: now }
}
