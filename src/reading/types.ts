/**
 * The values that flow through reading a document: what comes in, what a document claims, what reconciling
 * with the rest of the scope concludes. Plain data: everything here survives JSON and structured clone.
 */

export interface DocumentInput {
  documentId: string
  revision: number
  name: string
  /** As submitted: txt, md, html, csv, json, a synonym or a MIME type; anything unknown is read as text. */
  type: string
  /** As submitted; a hint for the issuer. */
  source: string | null
  text: string
  /** Words of a scan whose recognition is doubtful: from, to, in code points, and how sure it was, 0 to 1. */
  doubtful?: readonly DoubtfulWord[]
}

export type DoubtfulWord = readonly [start: number, end: number, confidence: number]

/** Facts about the document itself. They qualify claims and are never claims. */
export interface DocumentProfile {
  title: string | null
  kind: string | null
  issuer: string | null
  /** ISO date of issue, day or coarser. */
  issuedOn: string | null
  period: Period | null
  version: string | null
  reference: string | null
  /** Names, titles or references of documents this one says it replaces. */
  supersedes: string[]
  principalSubject: string | null
}

/** What a document is about. */
export interface Topic {
  /** Lemmas of title and labels that say what the document is about. */
  words: string[]
  names: string[]
  identifiers: string[]
  /** Numbers of the document itself: they cover, and tell nothing apart. */
  references: string[]
  /** Days and periods the title or a label gives. */
  periods: Period[]
  things: NamedThing[]
}

/** A heading or label with a name in it: two of the same words with other names head two things. */
export type NamedThing = [words: string, names: string[]]

/** Half-open validity as ISO dates; `label` is how people write it (FY2024, Q1 2025, 2024-12-31). */
export interface Period {
  label: string
  from: string
  to: string
  grain: 'day' | 'month' | 'quarter' | 'half' | 'year' | 'range'
}

export type ClaimValue =
  | { type: 'money'; currency: string | null; low: number; high: number; precision: number; approximate: boolean }
  | { type: 'percent'; points: boolean; low: number; high: number; precision: number; approximate: boolean }
  | { type: 'quantity'; unit: string | null; low: number; high: number; precision: number; approximate: boolean }
  | { type: 'date'; from: string; to: string; grain: Period['grain'] }
  | { type: 'category'; set: string; value: string; rank: number | null }
  | { type: 'boolean'; value: boolean }
  | { type: 'name'; value: string }

export type NumberValue = Extract<ClaimValue, { precision: number }>

export type ClaimRole =
  | 'actual'
  | 'target'
  | 'limit'
  | 'budget'
  | 'forecast'
  | 'estimate'
  | 'proposed'
  | 'hypothetical'
  | 'prior'
  /** What was taken out of the document, and what somebody remarked on it: neither is said by it. */
  | 'deleted'
  | 'comment'

export interface ExtractedClaim {
  /** Code points of the submitted text; `quote` is exactly that slice. */
  start: number
  end: number
  quote: string
  subject: string
  subjectKey: string
  attribute: string
  attributeKey: string
  role: ClaimRole
  unit: string | null
  period: Period | null
  polarity: 'affirmed' | 'negated'
  value: ClaimValue
  /** The value as a person would write it back. */
  valueText: string
  confidence: number
  /** Of the words it rests on, where one was recognised with little confidence: the least, which is also that of the claim. */
  recognised?: number
}

export interface Goal {
  start: number
  end: number
  quote: string
  what: string
  owner: string | null
  due: string | null
  done: boolean
}

export interface Risk {
  start: number
  end: number
  quote: string
  what: string
  level: 'low' | 'medium' | 'high' | 'critical'
}

export interface Extraction {
  extractor: string
  version: string
  profile: DocumentProfile
  claims: ExtractedClaim[]
  goals: Goal[]
  risks: Risk[]
}

/** What a scope's user says about words: canonical term → other ways to write it; and entities likewise. */
export interface Glossary {
  terms: Record<string, string[]>
  entities: Record<string, string[]>
}

export interface DocumentFacts {
  title: string | null
  name: string
  issuer: string | null
  issuedOn: string | null
  reference: string | null
  version: string | null
  revision: number
  kind: string | null
  /** What the document says it replaces. */
  supersedes?: string[]
  /** Says in its title or a label that it corrects or replaces something. */
  corrects?: boolean
  period?: Period | null
  topic?: Topic
  /** Names and identifiers it has anywhere. */
  named?: string[]
  /** Version of the reader it was read by. */
  reader?: string
  /** How many passages it has: one of many speaks of many things. */
  passages?: number
  /** What its submitter says it is about. */
  about?: string | null
}

/** A claim with its place in the scope: final subject and attribute, and the key its slot is found by. */
export interface PlacedClaim extends ExtractedClaim {
  claimId: string
  documentId: string
  revision: number
  /** Which fact it is about: what repeats it shares the key. */
  slotKey: string
  /** The words its rivals are looked up by. */
  lookupKeys: string[]
  /** Set on a fetched claim that something has replaced: still comparable, no longer part of what the scope holds. */
  superseded?: boolean
}

export interface ExistingFinding {
  contradictionId: string
  slotKey: string
  /** Closed: not decided by a person, but without a claim that counts on one of its sides. */
  status: 'open' | 'resolved' | 'dismissed' | 'closed'
  /** What each side says, as far as two sides can say the same. */
  groupA: string
  groupB: string
  claimIdsA: string[]
  claimIdsB: string[]
}

export interface ReconcileInput {
  document: DocumentFacts & { documentId: string }
  claims: PlacedClaim[]
  /** Claims of the scope that share words with `claims`, newest first; replaced ones are flagged. */
  live: PlacedClaim[]
  /** Claims of the previous revision of this same document that are still live; they end with this revision. */
  previousRevision: PlacedClaim[]
  findings: ExistingFinding[]
  /** Pairs `loser winner` of claims that a person said do not replace each other. */
  objected?: ReadonlySet<string>
  /** What is known of the documents of `live`, by document id. */
  documents: Readonly<Record<string, DocumentFacts>>
}

/**
 * Why two claims were taken to speak of the same thing, and what differs: data a person can check and the reason is made
 * from. Bounded: at most 12 shared words, one difference, strings of at most 120 characters. It holds words of the text,
 * so it is erased with the quotes.
 */
export interface Evidence {
  subject: string | null
  shared: string[]
  differs: { a: string; b: string }[]
  /** The day or period each side speaks of. */
  times: { a: string | null; b: string | null }
  issuers: { a: string | null; b: string | null }
}

export type ConflictKind = 'numeric' | 'categorical' | 'negation' | 'date'

export interface Supersession {
  claimId: string
  /** Null when the new revision simply no longer says it. */
  byClaimId: string | null
  reason: string
  /** Open words of replacement, a later issue of the same document, or a new revision of it; a listed one has it. */
  kind?: 'words' | 'later_issue' | 'revision'
  evidence?: Evidence
  /** `model:<name>` where a model found it; absent where the rules did. */
  foundBy?: string
  /** False where the claim ends without a supersession of its own: it is on record already, or a person decided it. */
  listed?: false
  /** The round that ended the claim, where that was an earlier one. */
  round?: number
}

export interface ContradictionFound {
  slotKey: string
  kind: ConflictKind
  severity: 'low' | 'medium' | 'high' | 'critical'
  subject: string
  attribute: string
  a: string
  b: string
  supportersA: string[]
  supportersB: string[]
  /** What each side says, as far as two sides can say the same. */
  groupA: string
  groupB: string
  reason: string
  evidence?: Evidence
  /** `model:<name>` where a model found it; absent where the rules did. */
  foundBy?: string
  /** 0 to 1, as the model gave it. */
  confidence?: number
}

/**
 * What two claims are to each other, by themselves and their documents alone: no finding, decision or order of arrival
 * enters. Side a is the earlier by date of issue; where one replaces the other, a is replaced by b.
 */
export interface Relation extends Omit<ContradictionFound, 'kind' | 'supportersA' | 'supportersB' | 'foundBy' | 'confidence'> {
  kind: 'contradicts' | 'replaces' | 'possible' | 'evolves'
  conflict: ConflictKind
  evidence: Evidence
  /** 0 to 1: how much of their words the two have in common. */
  score: number
  /** Where one replaces the other: by open words, or as a later version. */
  by?: 'words' | 'later_issue'
}

export interface SupporterAdded {
  contradictionId: string
  side: 'a' | 'b'
  claimId: string
}

/** Two claims that may disagree, but not surely enough to say so: for a person to look at. */
export interface Unsure {
  a: string
  b: string
  reason: string
  kind: ConflictKind
  severity?: ContradictionFound['severity']
  /** 0 to 1: how likely it is a contradiction; lists show the best first. */
  score?: number
  evidence?: Evidence
  /** As on a contradiction, for the case that a person makes it one; otherwise the two claims stand for themselves. */
  slotKey?: string
  groupA?: string
  groupB?: string
  foundBy?: string
  /** That `b` takes the place of `a`, which a person is asked to accept; absent where the two may contradict each other. */
  proposes?: 'replacement'
  /** Which model finds the two compatible, and why: then nobody is asked. */
  cleared?: { by: string; reason: string }
}

export interface Reconciliation {
  supersessions: Supersession[]
  contradictions: ContradictionFound[]
  supporters: SupporterAdded[]
  unsure: Unsure[]
  /** How each new claim relates to what was known. */
  relations: { claimId: string; relation: 'new' | 'repeated' | 'evolving' | 'superseding' | 'contradicting' | 'unsure' }[]
}
