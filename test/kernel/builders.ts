/** Builders for kernel tests: scopes in numbers, proposals, policy sets, and a walk through rounds. */
import { noSeverities } from '../../src/kernel/dimensions.js'
import { DEFAULT_POLICIES } from '../../src/kernel/policies/default.js'
import { compilePolicySet } from '../../src/kernel/policy-text.js'
import type {
  DocumentProposal,
  FinalityProposal,
  PolicySet,
  ResolutionProposal,
  ReviewProposal,
  ScopeState,
  SettingsProposal,
} from '../../src/kernel/proposals.js'
import { concludeRound, noChange } from '../../src/kernel/round.js'
import { emptyAggregates } from '../../src/kernel/scores.js'
import { DEFAULT_SETTINGS, type ScopeSettings } from '../../src/kernel/settings.js'
import type { ConvergencePoint, Examination, ScopeAggregates, SeverityCounts, Workload } from '../../src/kernel/types.js'

export const QUIET: Workload = { queued: 0, processing: 0, held: 0 }
/** Somebody signed off. */
export const SIGNED: Examination = { signers: 1, readByEye: 0, unexamined: 0 }

export interface ScopeFigures {
  confidence?: number
  slots?: number
  /** Ever found, and open of those. */
  contradictions?: { total: number; open: Partial<SeverityCounts> }
  goals?: { total: number; done: number }
  risks?: Partial<SeverityCounts>
  possible?: number
}

/** A scope of five documents whose best claims have this mean confidence. */
export function scopeWith({ confidence = 1, slots = 100, contradictions, goals, risks, possible = 0 }: ScopeFigures = {}): ScopeAggregates {
  return {
    documentsIndexed: 5,
    claimsLive: slots,
    slotsLive: slots,
    bestConfidenceMicros: Math.round(confidence * 1e6) * slots,
    contradictionsTotal: contradictions?.total ?? 0,
    possibleOpen: possible,
    contradictionsOpen: { ...noSeverities(), ...contradictions?.open },
    goalsTotal: goals?.total ?? 0,
    goalsDone: goals?.done ?? 0,
    risks: { ...noSeverities(), ...risks },
  }
}

/** Rounds one after the other as the pipeline would run them: what was added follows from the numbers. */
export function walk(
  scopes: readonly ScopeAggregates[],
  { settings = DEFAULT_SETTINGS, workload = QUIET }: { settings?: ScopeSettings; workload?: Workload } = {},
) {
  const tail: ConvergencePoint[] = []
  return scopes.map((after, round) => {
    const before = scopes[round - 1] ?? emptyAggregates()
    const change = {
      ...noChange(),
      slotsAdded: Math.max(0, after.slotsLive - before.slotsLive),
      contradictionsAdded: Math.max(0, after.contradictionsTotal - before.contradictionsTotal),
    }
    const conclusion = concludeRound({ round, before, after, change, tail, workload, settings, examination: SIGNED })
    tail.push(conclusion.point)
    return conclusion
  })
}

export function compiled(text: string = DEFAULT_POLICIES): PolicySet {
  const compilation = compilePolicySet(text)
  if (!compilation.ok) throw new Error(JSON.stringify(compilation.errors))
  return compilation.set
}

export function scopeState(over: Partial<ScopeState> = {}): ScopeState {
  return { tenantId: 'ten_a', scopeId: 'case-1', generation: 0, mode: 'auto', finality: 'active', aggregates: scopeWith(), ...over }
}

/** A document that repeats what is known and disturbs nothing. */
export function documentProposal(over: Partial<DocumentProposal> = {}): DocumentProposal {
  return {
    kind: 'document',
    actor: { kind: 'system', id: 'pipeline' },
    round: 3,
    document: {
      documentId: 'report',
      revision: 0,
      type: 'txt',
      source: null,
      issuer: 'Borealis',
      textHash: 'a'.repeat(64),
      claimsDigest: 'b'.repeat(64),
      extractor: 'rules/1',
    },
    claims: calmClaims(),
    contradictions: noSeverities(),
    closes: 0,
    goals: 0,
    risks: noSeverities(),
    drift: { factual: 0, contradiction: 0, goal: 0, entropy: 0, value: 0, level: 'none' },
    ...over,
  }
}

export function calmClaims(over: Partial<DocumentProposal['claims']> = {}): DocumentProposal['claims'] {
  const counts = { total: 4, new: 1, repeated: 3, changed: 0, contradicting: 0, unsure: 0, dropped: 0 }
  return { ...counts, minConfidence: 0.9, meanConfidence: 0.95, ...over }
}

export function resolutionProposal(over: Partial<ResolutionProposal> = {}): ResolutionProposal {
  return {
    kind: 'resolution',
    actor: { kind: 'person', id: 'Ada' },
    round: 4,
    contradictionId: 'con_1',
    verdict: 'b',
    severity: 'high',
    retires: 1,
    reason: 'the auditor saw the ledgers',
    ...over,
  }
}

export function reviewProposal(over: Partial<ReviewProposal> = {}): ReviewProposal {
  return {
    kind: 'review',
    actor: { kind: 'person', id: 'Ada' },
    round: 5,
    decisionSeq: 2,
    decisionHash: 'c'.repeat(64),
    held: 'document',
    verdict: 'approve',
    reason: 'checked by phone',
    ...over,
  }
}

export function finalityProposal(over: Partial<FinalityProposal> = {}): FinalityProposal {
  return {
    kind: 'finality',
    actor: { kind: 'system', id: 'kernel' },
    round: 6,
    from: 'active',
    to: 'resolved',
    scores: { claim_confidence: 0.9, contradiction_resolution: 1, goal_completion: 1, risk_inverse: 1 },
    failing: [],
    drift: 'none',
    ...over,
  }
}

export function settingsProposal(over: Partial<SettingsProposal> = {}): SettingsProposal {
  const same = { from: 'd'.repeat(64), to: 'd'.repeat(64) }
  return {
    kind: 'settings',
    actor: { kind: 'admin', id: 'admin' },
    round: 7,
    mode: { from: 'auto', to: 'strict' },
    settingsDigest: same,
    policyHash: same,
    glossaryDigest: same,
    ...over,
  }
}
