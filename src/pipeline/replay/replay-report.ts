/** What a replay moves through and reports, and how one recorded value is held against a computed one. */

import { canonicalJson } from '../../kernel/canonical.js'
import type { RoundScope } from '../../kernel/round-types.js'
import type { ScopeSettings } from '../../kernel/settings.js'
import type { ConvergencePoint, Examination, FinalityStatus, Mode, RoundChange, ScopeAggregates, Workload } from '../../kernel/types.js'

export interface ReplayReport {
  ok: boolean
  scopeId: string
  generation: number
  rounds: number
  decisions: number
  /** Whose words were erased: only their place in the chain was checked. */
  decisionsErased: number
  documents: {
    /** Reconciled again from their claims. */
    reconciled: number
    /** Of these, read again from their text. */
    read: number
    /** Links of models that were erased with the documents they were about. */
    linksErased: number
    notRead: NotRead
  }
  /** Every document was reconciled again: nothing was erased or replaced by a new reading, and today's reader read all of it. Only then does `ok` speak for all of the scope. */
  complete: boolean
  difference: ReplayDifference | null
}

/**
 * Why documents were not read again from their text. What was erased, read by another version of the reader or replaced by a new
 * reading, and what came after these, is not reconciled again: of it only decisions, figures and verdicts are checked. The rest is reconciled from
 * stored claims.
 */
export interface NotRead {
  erased: number
  otherReader: number
  /** A later round read the document again: what its reading before rested on is replaced. */
  readAgain: number
  /** After a document that was erased, read again or read by another version of the reader. */
  afterLoss: number
  /** The text is past its time. */
  textRemoved: number
  otherExtractor: number
  unchanged: number
}

export interface Difference {
  member: string
  recorded: string
  computed: string
}

export interface ReplayDifference extends Difference {
  round: number
  kind: string
  documentId: string | null
}

/** What a round starts from; only what was recorded moves it on. */
export interface ReplayState extends Pick<RoundScope, 'round' | 'mode' | 'settings' | 'aggregates' | 'chain' | 'finality'> {
  points: ConvergencePoint[]
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
  examination: Examination
  /** It put mode and settings in place. */
  puts?: boolean
  mode?: Mode
  settings?: ScopeSettings
  [member: string]: unknown
}

export function differs(member: string, recorded: unknown, computed: unknown): Difference | null {
  const [then, now] = [canonicalJson(recorded ?? null), canonicalJson(computed ?? null)]
  return then === now ? null : { member, recorded: then, computed: now }
}
