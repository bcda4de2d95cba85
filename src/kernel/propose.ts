/** From the input of a round to what policy is asked about and what the round would change. */
import { type DocumentContent, type DocumentParts, partsOfDocument } from './document-content.js'
import { measureDrift } from './drift.js'
import { type EffectParts, effectOf, noParts } from './effect.js'
import type { DocumentProposal, Proposal, ReviewProposal } from './proposals.js'
import type {
  FindingRound,
  PossibleMoves,
  RereadRound,
  ResolutionRound,
  ReviewRound,
  RoundDocument,
  RoundInput,
  RoundScope,
  SettingsRound,
  SignOffRound,
} from './round-types.js'
import type { ScopeSettings } from './settings.js'
import type { Mode } from './types.js'

export interface Proposed {
  proposal: Proposal | null
  parts: EffectParts
  closes: readonly string[]
  possible?: PossibleMoves
  /** What a settings round or its approval puts in place. */
  puts?: { mode: Mode; settings: ScopeSettings }
}

export function propose(scope: RoundScope, input: RoundInput, round: number): Proposed {
  switch (input.kind) {
    case 'document': {
      const proposed = proposeDocument(scope, input.document, input.content, round)
      return input.follows ? { ...proposed, proposal: null } : proposed
    }
    case 'reread':
      return replaceReading(input)
    case 'resolution':
    case 'finding':
      return proposeResolution(input, round)
    case 'review':
      return proposeReview(scope, input, round)
    case 'report':
      return { proposal: null, parts: { ...noParts(), ...input.passages?.parts, opened: [input.severity] }, closes: [] }
    case 'settings':
      return proposeSettings(scope, input, round)
    case 'sign_off':
      return { proposal: signOffProposal(input, round), parts: noParts(), closes: [] }
    case 'discard':
    case 'given_up':
    case 'arrival':
      return { proposal: null, parts: noParts(), closes: [] }
    case 'erasure':
    case 'settling':
      return { proposal: null, parts: input.parts, closes: input.closes, possible: input.possible }
  }
}

function proposeDocument(scope: RoundScope, document: RoundDocument, content: DocumentContent | null, round: number): Proposed {
  const documentParts = content === null ? unchangedParts() : partsOfDocument(content)
  const { aggregates, change } = effectOf(scope.aggregates, documentParts.parts)
  const { documentId, revision, type, source, issuer, textHash, extractor } = document
  const proposal: DocumentProposal = {
    kind: 'document',
    actor: { kind: 'system', id: 'pipeline' },
    round,
    document: { documentId, revision, type, source, issuer, textHash, claimsDigest: content?.claimsDigest ?? '', extractor },
    ...documentParts.figures,
    drift: measureDrift({ before: scope.aggregates, after: aggregates, change }),
  }
  const { parts, closes, possibleCloses } = documentParts
  return { proposal, parts, closes, possible: { closes: possibleCloses, reopens: [] } }
}

function replaceReading({ content }: RereadRound): Proposed {
  const { parts, closes, possibleCloses } = partsOfDocument(content)
  return { proposal: null, parts, closes, possible: { closes: possibleCloses, reopens: [] } }
}

function unchangedParts(): DocumentParts {
  const none = { low: 0, medium: 0, high: 0, critical: 0 }
  const claims = {
    total: 0,
    new: 0,
    repeated: 0,
    changed: 0,
    contradicting: 0,
    unsure: 0,
    dropped: 0,
    minConfidence: null,
    meanConfidence: null,
  }
  return { parts: noParts(), closes: [], possibleCloses: [], figures: { claims, contradictions: none, closes: 0, goals: 0, risks: none } }
}

/** What a person says of a finding is to policies a resolution: what may be asked of people who decide contradictions may be asked of these. */
function proposeResolution(input: ResolutionRound | FindingRound, round: number): Proposed {
  const { actor, verdict, severity, retired, reason, parts, closes, possible } = input
  const contradictionId = input.kind === 'finding' ? input.findingId : input.contradictionId
  const proposal: Proposal = { kind: 'resolution', actor, round, contradictionId, verdict, severity, retires: retired.length, reason }
  return { proposal, parts, closes, possible }
}

/** Asked like any other word of a person, so that what is asked of people who decide is asked of those who sign. */
function signOffProposal({ actor, reason, signOffId, verdict }: SignOffRound, round: number): Proposal {
  return { kind: 'resolution', actor, round, contradictionId: signOffId, verdict, severity: 'low', retires: 0, reason }
}

function proposeReview(scope: RoundScope, input: ReviewRound, round: number): Proposed {
  const { actor, decisionSeq, decisionHash, held, verdict, reason, proposedBy } = input
  const first = proposedBy?.kind === 'person' ? { proposedBy } : {}
  const kind = held.kind === 'finding' || held.kind === 'sign_off' ? 'resolution' : held.kind
  const proposal: ReviewProposal = { kind: 'review', actor, round, decisionSeq, decisionHash, held: kind, verdict, reason, ...first }
  if (held.kind === 'document') return { ...proposeDocument(scope, held.document, held.content, round), proposal }
  if (held.kind === 'resolution' || held.kind === 'finding') {
    const { parts, closes, possible } = held
    return { proposal, parts, closes, possible }
  }
  if (held.kind === 'settings') return { proposal, parts: noParts(), closes: [], puts: { mode: held.mode, settings: held.settings } }
  return { proposal, parts: noParts(), closes: [] }
}

function proposeSettings(scope: RoundScope, input: SettingsRound, round: number): Proposed {
  const { actor, mode, settings, settingsDigest, policyHash, glossaryDigest, replaces } = input
  const digests = { settingsDigest, policyHash, glossaryDigest, ...(replaces && { replaces }) }
  return {
    proposal: { kind: 'settings', actor, round, mode: { from: scope.mode, to: mode }, ...digests },
    parts: noParts(),
    closes: [],
    puts: { mode, settings },
  }
}
