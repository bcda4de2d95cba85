/** What is proposed to a scope, the policies that are asked, what they answer, and the record of it in the chain. Plain data. */
import type { ScopeIdentity } from './derived-ids.js'
import type { SpokenVerdict } from './standing.js'
import type {
  DimensionScores,
  Drift,
  DriftLevel,
  FinalityStatus,
  Mode,
  Outcome,
  ScopeAggregates,
  Severity,
  SeverityCounts,
} from './types.js'

/** Who proposes: the pipeline (`system`), a named person, the tenant's own key, or an operator with an admin key. */
export interface Actor {
  kind: 'system' | 'person' | 'tenant' | 'admin'
  id: string
  /** The key that acted is this person's and speaks for nobody else. Absent where a request only named the person. */
  bound?: true
}

/** One per document revision. Figures only: the content is bound by the digests. */
export interface DocumentProposal {
  kind: 'document'
  actor: Actor
  round: number
  document: {
    documentId: string
    revision: number
    type: string
    source: string | null
    issuer: string | null
    /** SHA-256 of the text as submitted, lower-case hex. */
    textHash: string
    /** `digest` of the placed claims. */
    claimsDigest: string
    extractor: string
  }
  claims: {
    total: number
    /** Claims in slots that were empty. */
    new: number
    repeated: number
    /** Claims that change, refine or supersede what was live. */
    changed: number
    contradicting: number
    /** Possible conflicts this revision would open. */
    unsure: number
    /** Live claims this revision ends without a successor. */
    dropped: number
    /** 0 to 1; null without claims. */
    minConfidence: number | null
    meanConfidence: number | null
  }
  /** Contradictions this revision would open. */
  contradictions: SeverityCounts
  /** How many of these a model found. Absent where there is none. */
  byModel?: number
  /** Contradictions this revision would close by itself. */
  closes: number
  goals: number
  risks: SeverityCounts
  drift: Drift
}

/**
 * What is spoken, and `reopen`, is about a contradiction. `promote` makes a contradiction of a possible conflict, `object` of a
 * supersession, `accept` a supersession of a replacement that was proposed; `dismiss` also closes a possible conflict, and
 * `withdraw` takes one of these back. The last two are about the scope as a whole: signing it off, and taking that back.
 */
export type ResolutionVerdict = SpokenVerdict | 'reopen' | 'promote' | 'accept' | 'object' | 'withdraw' | 'sign_off' | 'withdraw_sign_off'

export interface ResolutionProposal {
  kind: 'resolution'
  actor: Actor
  round: number
  /** Or the possible conflict, supersession or sign-off that is decided on. */
  contradictionId: string
  verdict: ResolutionVerdict
  severity: Severity
  /** Claims that would be retired. */
  retires: number
  reason: string
}

/** A person's answer to what is held. */
export interface ReviewProposal {
  kind: 'review'
  actor: Actor
  round: number
  /** `seq` and `hash` of the record that held. */
  decisionSeq: number
  decisionHash: string
  held: 'document' | 'resolution' | 'finality' | 'settings'
  verdict: 'approve' | 'reject'
  reason: string
  /** The person whose act is held, where it is a person's. */
  proposedBy?: Actor
  /** Before a worker could conclude the approval, the document was taken out (`true`), or a later revision of it came. */
  overtaken?: true | 'revision'
}

export interface FinalityProposal {
  kind: 'finality'
  actor: Actor
  round: number
  from: FinalityStatus
  to: FinalityStatus
  scores: DimensionScores
  /** Names of the gates that do not hold. */
  failing: string[]
  drift: DriftLevel
  /** Contradictions a model found since the last reset, open or closed, and what the settings say of them. Absent where there is none. */
  byModel?: { found: number; setting: 'report' | 'hold' }
}

export interface SettingsProposal {
  kind: 'settings'
  actor: Actor
  round: number
  mode: { from: Mode; to: Mode }
  settingsDigest: { from: string; to: string }
  policyHash: { from: string; to: string }
  glossaryDigest: { from: string; to: string }
  /** The set of the scope is replaced, which the set in force may have wait and cannot refuse. Absent where that was not so yet. */
  replaces?: true
}

export type Proposal = DocumentProposal | ResolutionProposal | ReviewProposal | FinalityProposal | SettingsProposal

/** The scope as policy sees it: as it stood before the proposal. */
export interface ScopeState extends ScopeIdentity {
  mode: Mode
  finality: FinalityStatus
  aggregates: ScopeAggregates
}

export interface Decision {
  outcome: Outcome
  /** Ids of the policies that determined it, sorted; empty when nothing permitted. */
  policies: string[]
  /** In words, one per policy or fault, in the order of `policies`. */
  reasons: string[]
  /** What the outcome asks of others, sorted, from `@obligation` of the determining policies. */
  obligations: string[]
}

export interface PolicyInfo {
  id: string
  effect: 'permit' | 'forbid'
  /** What a forbid leads to; null for a permit. */
  outcome: 'hold' | 'reject' | null
  reason: string | null
  obligations: string[]
  /** The kinds of proposals it can be about. */
  actions: Proposal['kind'][]
  /** Whoever proposes, in whatever scope, under no condition. */
  always: boolean
}

/** A validated policy set. Plain data: can be cloned to threads; the parsed form is found again by `hash`. */
export interface PolicySet {
  /** SHA-256 of the canonical text, lower-case hex. */
  hash: string
  /** Canonical text: line ends are `\n`, no trailing blanks, one final newline. */
  text: string
  policies: PolicyInfo[]
}

export interface PolicyFault {
  /** 1-based, in the text as handed in; columns count UTF-16 code units. */
  line: number
  column: number
  message: string
}

export type PolicyCompilation = { ok: true; set: PolicySet; warnings: PolicyFault[] } | { ok: false; errors: PolicyFault[] }

/**
 * The hash covers digests of the words, salted, and not the words: words and salt can be erased and the chain still
 * verifies.
 */
export interface DecisionRecord extends Decision {
  seq: number
  proposal_digest: string
  state_digest: string
  policy_hash: string
  /** Salted digest of the reasons, which are empty once erased. */
  reasons_digest: string
  /** Null once erased. */
  salt: string | null
  prev_hash: string
  /** SHA-256 of the canonical JSON of all members but `reasons` and `salt`. */
  hash: string
}

/** Where the next record of a chain attaches: `seq` is -1 and `hash` the genesis hash before the first. */
export interface ChainHead {
  seq: number
  hash: string
}

export type ChainVerdict = { ok: true; head: ChainHead } | { ok: false; index: number; seq: number; fault: string }

export interface RecordedDecision {
  proposal: Proposal
  state: ScopeState
  record: DecisionRecord
  /** Its words are gone: what is left is its place in the chain. */
  erased?: boolean
}

export type ReplayResult =
  | { ok: true; checked: number; erased: number }
  | { ok: false; checked: number; index: number; member: string; recorded: string; computed: string }
