/**
 * Takes a model's verdicts apart and keeps what code can confirm: every pair was asked about and is answered once, words of
 * change stand in the newer document, and what a model says of a pair names nothing but what its two documents do. Meaning is
 * the model's: code holds no list of words against it.
 */
import { cut } from '../platform/storable-text.js'
import { leastWithin } from '../reading/document/doubtful-words.js'
import { doubtfulReason } from '../reading/relations/recognised.js'
import type { DoubtfulWord, ExtractedClaim } from '../reading/types.js'
import type { Answer, AnsweredVerdict } from './answer-schema.js'
import type { Candidate, Dropped, Side } from './candidates.js'
import { claimAt, claimOf, type KnownClaim, type Passage, typedIn } from './passage-claims.js'
import type { ShownDocument } from './question.js'
import { searchWords } from './search-words.js'
import { findWords } from './typed-value.js'

/** A candidate and what a model said about it. */
export interface Judged {
  candidate: Candidate
  verdict: AnsweredVerdict['verdict']
  newer: 'own' | 'other' | null
  words: string | null
  confidence: number
  reason: string
}

/** A pair as it was shown: side A is the one of the document that came first. */
export interface AskedPair {
  candidate: Candidate
  /** Whether A is the side of the document that is asked about. */
  ownIsA: boolean
}

export function judgedOf(
  { pairs, malformed }: Answer<AnsweredVerdict>,
  asked: readonly AskedPair[],
): { judged: Judged[]; dropped: Dropped } {
  const answers = new Map<number, AnsweredVerdict>()
  const dropped: Dropped = malformed === 0 ? {} : { malformed }
  for (const each of pairs) {
    const index = /^P\d+$/.test(each.pair) ? Number(each.pair.slice(1)) - 1 : -1
    if (asked[index] === undefined) dropped.pair_not_listed = (dropped.pair_not_listed ?? 0) + 1
    else if (answers.has(index)) dropped.repeated = (dropped.repeated ?? 0) + 1
    else answers.set(index, each)
  }
  const judged = asked.flatMap(({ candidate, ownIsA }, index): Judged[] => {
    const answer = answers.get(index)
    if (answer === undefined) return []
    const { verdict, words, confidence, reason } = answer
    const newer = answer.newer === null ? null : (answer.newer === 'A') === ownIsA ? 'own' : 'other'
    return [{ candidate, verdict, newer, words, confidence, reason }]
  })
  if (judged.length < asked.length) dropped.unanswered = asked.length - judged.length
  return { judged, dropped }
}

/** How sure a model has to be for a contradiction, a replacement, and for clearing what the rules were not sure of. */
export interface Thresholds {
  contradicts: number
  replaces: number
  compatible: number
}

/** Not sure enough for its verdict: asked once more. */
export function isUnsure({ verdict, confidence }: Pick<Judged, 'verdict' | 'confidence'>, thresholds: Thresholds): boolean {
  return confidence < thresholds[verdict === 'updates' ? 'replaces' : verdict]
}

/** The later answer about a pair holds. But what it alone calls a contradiction is none: of nine such on four long cases gold had none. */
export function settled(first: Judged, later: Judged | undefined): Judged {
  return later === undefined || (later.verdict === 'contradicts' && first.verdict !== 'contradicts') ? first : later
}

export interface VerifiedLink {
  /** Index among the claims of the document: those of the rules, then the added ones. */
  own: number
  /** Id of a claim of another document, `lent:<n>` for one that is made of it, or index of another own claim. */
  other: string | number
  /** The other document; null within one. */
  document: string | null
  /** Where the earlier claim stands, for whoever reads it again. */
  slotKey: string | null
  relation: 'contradicts' | 'supersedes' | 'possible'
  /** Of what supersedes, the side that holds now; absent: the document's own. */
  newer?: 'own' | 'other'
  /** Of what is newer: whether its document says so in words of its own. */
  says?: boolean
  /** What the rules held the two for. */
  rules?: 'contradiction' | 'possible'
  subject: string
  attribute: string
  value: string
  otherValue: string
  reason: string
  confidence: number
}

/** A pair of the rules that a model finds compatible. */
export interface Acquitted {
  own: number
  other: string | number
  document: string | null
  reason: string
}

/** A claim made of a passage of another document. */
export interface LentClaim {
  key: string
  documentId: string
  revision: number
  claim: ExtractedClaim
}

export interface VerifiedReading {
  /** Claims of the document that the rules do not have. */
  added: ExtractedClaim[]
  lent: LentClaim[]
  links: VerifiedLink[]
  /** Contradictions of the rules that are possible conflicts now. */
  acquitted: Acquitted[]
  /** Possible conflicts of the rules that are none. */
  cleared: Acquitted[]
}

/** A claim of another document that may be the one meant. */
export interface EarlierClaim extends KnownClaim {
  claimId: string
  documentId: string
  slotKey: string
}

export interface VerifyInput {
  judged: readonly Judged[]
  document: {
    /** What it says, without what was deleted and commented. */
    text: string
    /** Its words, where they are known already: to search a long text for them takes its time. */
    words?: Iterable<string>
    shown: ShownDocument
    claims: readonly (KnownClaim & { claimId: string })[]
  }
  /** Claims of other documents at the passages of the candidates. */
  earlier: readonly EarlierClaim[]
  /** What the questions showed of the other documents, for words of change. */
  textAround: (side: Side) => string
  thresholds: Thresholds
  /** Of each document that is a scan, its words that are in doubt. */
  doubtful?: ReadonlyMap<string, readonly DoubtfulWord[]>
  /** Whether a question showed the word in another document than these two; absent, any word may be of one. */
  isElsewhere?: (word: string, documentIds: readonly string[]) => boolean
}

const longestReason = 240

export function verifyVerdicts(input: VerifyInput): VerifiedReading {
  return new Verification(input).run()
}

class Verification {
  private readonly input: VerifyInput
  private readonly ownWords: ReadonlySet<string>
  private readonly ownHead: ReadonlySet<string>
  private readonly reading: VerifiedReading = { added: [], lent: [], links: [], acquitted: [], cleared: [] }

  constructor(input: VerifyInput) {
    this.input = input
    const { text, words = searchWords(text), shown } = input.document
    this.ownWords = new Set(words)
    this.ownHead = new Set(searchWords(`${shown.issuer ?? ''} ${shown.name}`))
  }

  run(): VerifiedReading {
    for (const judged of this.input.judged) this.take(judged)
    // Those of one document together, as they are numbered.
    this.reading.lent.sort((a, b) => (a.documentId < b.documentId ? -1 : a.documentId > b.documentId ? 1 : 0))
    return this.reading
  }

  private take(judged: Judged): void {
    const { candidate, verdict } = judged
    const isSure = !isUnsure(judged, this.input.thresholds)
    if (verdict === 'compatible') {
      if (candidate.rules === null || !isSure) return
      for (const each of [candidate, ...(candidate.twins ?? [])]) {
        const { own, other } = this.claimsOf({ ...judged, candidate: each })
        const acquitted = { own, other: other.ref, document: this.otherDocument(each), reason: this.worded(judged).reason }
        this.reading[each.rules === 'contradiction' ? 'acquitted' : 'cleared'].push(acquitted)
      }
      return
    }
    // That one may be the later state of the other is no conflict, and nothing to ask a person about.
    if (verdict === 'updates' && !isSure) return
    // What the rules hold for a contradiction and a model too is one already.
    if (verdict === 'contradicts' && candidate.rules === 'contradiction') return
    // Not sure of what the rules were not sure of: nothing new.
    if (!isSure && candidate.rules !== null) return
    this.link(judged, isSure)
  }

  private link(judged: Judged, isSure: boolean): void {
    const { candidate, verdict } = judged
    const { own, other } = this.claimsOf(judged)
    const [mine, theirs] = [this.passageOf(judged, 'own'), this.passageOf(judged, 'other')]
    const doubt = Math.min(mine.recognised ?? 1, theirs.recognised ?? 1)
    const isDoubtful = doubt < 1
    // What rests on a word that may be misread is for a person to look at, and replaces nothing by itself.
    const relation =
      !isSure || (isDoubtful && verdict === 'contradicts') ? 'possible' : verdict === 'contradicts' ? 'contradicts' : 'supersedes'
    const worded = this.worded(judged)
    this.reading.links.push({
      own,
      other: other.ref,
      document: this.otherDocument(candidate),
      slotKey: other.slotKey,
      relation,
      // What was right when it was written is never taken back in words: a person says whether the later state takes its place.
      ...(verdict !== 'contradicts' && {
        newer: judged.newer ?? laterOf(candidate),
        says: verdict === 'replaces' && !isDoubtful && this.saysSo(judged),
      }),
      ...(candidate.rules !== null && { rules: candidate.rules }),
      value: typedIn(mine).text,
      otherValue: typedIn(theirs).text,
      ...worded,
      ...(isDoubtful && { reason: doubtfulReason(worded.reason, doubt) }),
      confidence: judged.confidence,
    })
  }

  private otherDocument({ own, other }: Candidate): string | null {
    return own.document.documentId === other.document.documentId ? null : other.document.documentId
  }

  /** The newer document has the words, around the passage or, of the document that is asked about, anywhere. */
  private saysSo({ candidate, newer, words }: Judged): boolean {
    if (words === null || newer === null) return false
    const side = candidate[newer]
    const { document, textAround } = this.input
    const text = side.document.documentId === document.shown.documentId ? document.text : textAround(side)
    return findWords(text, words) !== null
  }

  /**
   * The model's words about a pair. A name or number stays where one of the two documents has it, and a word also where no document that was
   * shown has it, as most nouns of some languages are; the words of a third could not be erased with it.
   */
  private worded({ candidate, verdict, reason }: Judged): Pick<VerifiedLink, 'subject' | 'attribute' | 'reason'> {
    const around = this.wordsAround(candidate.other)
    const isKnown = (word: string) => this.isOwn(word) || around.has(word)
    const { isElsewhere = () => true } = this.input
    const documentIds = [candidate.own.document.documentId, candidate.other.document.documentId]
    const isFree = (word: string) => !isElsewhere(word, documentIds)
    const only = (text: string, otherwise: string) => (namesOnly(text, isKnown, isFree) ? text : otherwise)
    return {
      subject: only(candidate.subject, ''),
      attribute: only(candidate.attribute, ''),
      reason: cut(only(reason, verdict === 'compatible' ? 'Both can be true.' : 'The two passages do not agree.'), longestReason),
    }
  }

  private isOwn(word: string): boolean {
    return this.ownWords.has(word) || this.ownHead.has(word)
  }

  private wordsAround(side: Side): ReadonlySet<string> {
    const { issuer, name } = side.document
    return new Set(searchWords(`${this.input.textAround(side)} ${side.text} ${issuer ?? ''} ${name}`))
  }

  private claimsOf(judged: Judged): { own: number; other: { ref: string | number; slotKey: string | null } } {
    const { candidate } = judged
    const own = this.ownClaim(this.passageOf(judged, 'own'), candidate.own, null)
    if (this.otherDocument(candidate) === null)
      return { own, other: { ref: this.ownClaim(this.passageOf(judged, 'other'), candidate.other, own), slotKey: null } }
    return { own, other: this.earlierClaim(this.passageOf(judged, 'other'), candidate.other) }
  }

  private passageOf({ candidate }: Judged, of: 'own' | 'other'): Passage {
    const { start, end, text: quote, document } = candidate[of]
    const isOwn = document.documentId === this.input.document.shown.documentId
    // Words of one document must not outlive it in a claim of another.
    const around = isOwn ? null : this.wordsAround(candidate[of])
    const isKnown = (word: string) => around?.has(word) ?? this.isOwn(word)
    const only = (text: string) => (namesOnly(text, isKnown, () => false, 0) ? text : '')
    return {
      ...{ start, end, quote, subject: only(candidate.subject), attribute: only(candidate.attribute) },
      words: of === 'own' ? candidate.ownWords : candidate.otherWords,
      recognised: leastWithin(this.input.doubtful?.get(document.documentId) ?? [], { start, end }) ?? undefined,
      year: document.issuedOn === null ? null : Number(document.issuedOn.slice(0, 4)),
    }
  }

  /** Never the claim `besides`: two sides of one sentence are two claims. */
  private ownClaim(passage: Passage, side: Side, besides: number | null): number {
    const { claims } = this.input.document
    const { added } = this.reading
    const all: KnownClaim[] = [...claims, ...added]
    const meant = side.claimId === null ? -1 : claims.findIndex(each => each.claimId === side.claimId)
    const same =
      meant >= 0 ? (claims[meant] ?? null) : claimAt(besides === null ? all : all.filter((_, index) => index !== besides), passage)
    if (same !== null) return all.indexOf(same)
    added.push(claimOf(passage))
    return all.length
  }

  private earlierClaim(passage: Passage, { claimId, document }: Side): { ref: string; slotKey: string | null } {
    const { documentId, revision } = document
    const known = this.input.earlier.filter(each => each.documentId === documentId)
    const same = claimId === null ? claimAt(known, passage) : (known.find(each => each.claimId === claimId) ?? null)
    if (same !== null) return { ref: same.claimId, slotKey: same.slotKey }
    if (claimId !== null) return { ref: claimId, slotKey: null }
    const { lent } = this.reading
    const again = claimAt(
      lent.filter(each => each.documentId === documentId).map(each => ({ ...each.claim, key: each.key })),
      passage,
    )
    if (again !== null) return { ref: again.key, slotKey: null }
    const key = `lent:${lent.length}`
    lent.push({ key, documentId, revision, claim: claimOf(passage) })
    return { ref: key, slotKey: null }
  }
}

/** By date; of the same or no day the document that is asked about. */
function laterOf({ own, other }: Candidate): 'own' | 'other' {
  const [mine, theirs] = [own.document.issuedOn, other.document.issuedOn]
  return mine !== null && theirs !== null && theirs > mine ? 'other' : 'own'
}

/** Names and numbers, behind so many first words, are known, or words that are nobody's; plain words may be the model's. */
export function namesOnly(
  text: string,
  isKnown: (word: string) => boolean,
  isFree: (word: string) => boolean = () => false,
  skipped = /^\p{Lu}/u.test(text) ? 1 : 0,
): boolean {
  const named = text.match(/(?<![\p{L}\p{N}])(?:\p{Lu}[\p{L}\p{N}]*|\p{N}+(?:[.,'’]\p{N}+)*)/gu) ?? []
  return named.slice(skipped).every(name => searchWords(name).every(word => isKnown(word) || (!/\p{N}/u.test(word) && isFree(word))))
}
