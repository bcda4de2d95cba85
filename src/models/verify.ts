/**
 * Takes a model's answer apart and keeps what code can confirm. A quote is a slice of the document; an id was listed; a value
 * stands in its quote as whole words, and what it is worth is read by our own code; the subject is named in the document or in
 * what was listed; equal values and periods that cannot overlap are no contradiction; what replaces says so in words or comes
 * later from the same issuer. What fails is dropped, and counted by reason; nothing existing is ever changed by an answer.
 */
import { cut } from '../platform/storable-text.js'
import type { ExtractedClaim, Period, PlacedClaim } from '../reading/types.js'
import { CORRECTION } from '../reading/words/lists.js'
import type { Answer, AnsweredLink, AnsweredNoConflict, AnsweredWithin, NoConflictReason } from './answer-schema.js'
import { ownClaims } from './own-claims.js'
import type { EarlierStatement } from './question.js'
import { type LocatedQuote, quoteFinder } from './quotes.js'
import { searchWords } from './search-words.js'
import { findWords, folded, isFigure, saysTheSame, type TypedValue, typedValue } from './typed-value.js'

export type DropReason =
  | 'malformed'
  | 'quote_not_in_document'
  | 'statement_not_listed'
  | 'value_not_in_quote'
  | 'unknown_subject'
  | 'equal_values'
  | 'disjoint_periods'
  | 'one_passage'
  | 'too_many'
  | 'number_not_listed'
  | 'refuted'
  | 'repeated'

type KnownClaim = Pick<PlacedClaim, 'claimId' | 'quote' | 'value' | 'valueText' | 'period' | 'slotKey'>

/** A statement as it was listed, with the claims made of it. */
export interface ListedStatement extends Pick<EarlierStatement, 'documentId' | 'issuer' | 'issuedOn' | 'quote'> {
  claims: readonly KnownClaim[]
}

/** A contradiction of the rules as it was numbered. */
export interface NumberedContradiction {
  a: ExtractedClaim & { claimId: string }
  b: ExtractedClaim & { claimId: string }
}

export interface VerifyInput {
  answer: Answer
  document: { text: string; issuer: string | null; issuedOn: string | null; claims: readonly ExtractedClaim[] }
  listed: readonly ListedStatement[]
  contradictions: readonly NumberedContradiction[]
}

export interface VerifiedLink {
  /** Index among the claims of the document: those of the rules, then the added ones. */
  own: number
  /** Id of the earlier claim, or index of another own claim. */
  other: string | number
  /** Where the earlier claim stands, for whoever reads it again. */
  slotKey: string | null
  relation: 'contradicts' | 'supersedes' | 'possible'
  subject: string
  attribute: string
  value: string
  otherValue: string
  reason: string
  confidence: number
}

export interface VerifiedReading {
  /** Claims the rules do not have. */
  added: ExtractedClaim[]
  links: VerifiedLink[]
  /** Contradictions of the rules that are possible conflicts now: the two claims and why. */
  acquitted: { a: string; b: string; reason: NoConflictReason }[]
  dropped: Partial<Record<DropReason, number>>
}

/** Below it a contradiction is only a possible one. */
const sureConfidence = 0.7
const longestReason = 200

export function verifyAnswer(input: VerifyInput): VerifiedReading {
  return new Verification(input).run()
}

class Verification {
  private readonly input: VerifyInput
  private readonly finder: ReturnType<typeof quoteFinder>
  private readonly points: readonly string[]
  private readonly own: ReturnType<typeof ownClaims>
  private readonly year: number | null
  private readonly ownWords: ReadonlySet<string>
  private readonly known: ReadonlySet<string>
  private readonly dropped: VerifiedReading['dropped'] = {}
  private readonly links = new Map<string, VerifiedLink>()

  constructor(input: VerifyInput) {
    const { document, listed } = input
    this.input = input
    this.finder = quoteFinder(document.text)
    this.points = [...document.text]
    this.year = yearOf(document.issuedOn)
    this.own = ownClaims(document.claims)
    this.ownWords = new Set(searchWords(`${document.text} ${document.issuer ?? ''}`))
    this.known = new Set([...this.ownWords, ...listed.flatMap(wordsIn)])
  }

  run(): VerifiedReading {
    const { answer } = this.input
    if (answer.malformed > 0) this.dropped.malformed = answer.malformed
    for (const link of answer.links) this.drop(this.addLink(link))
    for (const pair of answer.within) this.drop(this.addWithin(pair))
    for (const { quote, value, subject, attribute } of answer.claims) {
      const side = this.ownSide(quote, value, { subject, attribute })
      if (typeof side === 'string') this.drop(side)
    }
    const acquitted = answer.noConflict.flatMap(each => this.acquit(each))
    return { added: this.own.added, links: [...this.links.values()], acquitted, dropped: this.dropped }
  }

  private drop(reason: DropReason | null): void {
    if (reason !== null) this.dropped[reason] = (this.dropped[reason] ?? 0) + 1
  }

  /** Why it is not taken; null when it is. */
  private addLink(link: AnsweredLink): DropReason | null {
    const listed = this.input.listed[Number(link.statement.slice(1)) - 1]
    if (listed === undefined || !/^S\d+$/.test(link.statement)) return 'statement_not_listed'
    const meant = claimFor(listed.claims, link.other_value)
    if (meant === null) return 'value_not_in_quote'
    const { claim, isCertain } = meant
    const other = typedValue(claim.quote, link.other_value, yearOf(listed.issuedOn))
    if (other === null) return 'value_not_in_quote'
    const own = this.ownSide(link.quote, link.value, link)
    if (typeof own === 'string') return own
    if (saysTheSame(own.typed, other, link.relation === 'supersedes')) return 'equal_values'
    const said = { typed: other, period: claim.period, quote: claim.quote }
    if (link.relation === 'contradicts' && areDisjoint(own, said)) return 'disjoint_periods'
    const isSure = link.relation === 'supersedes' ? this.replaces(link, listed, own) : link.confidence >= sureConfidence
    return this.keep({
      own: own.index,
      other: claim.claimId,
      slotKey: claim.slotKey,
      relation: isSure && isCertain ? link.relation : 'possible',
      value: own.typed.text,
      otherValue: other.text,
      ...this.wordsOf(link, new Set([...this.ownWords, ...wordsIn(listed)])),
    })
  }

  private addWithin(pair: AnsweredWithin): DropReason | null {
    const own = this.ownSide(pair.quote, pair.value, pair)
    if (typeof own === 'string') return own
    const other = this.ownSide(pair.other_quote, pair.other_value, pair, own.index)
    if (typeof other === 'string') return other
    if (saysTheSame(own.typed, other.typed, pair.relation === 'supersedes')) return 'equal_values'
    if (pair.relation === 'contradicts' && areDisjoint(own, other)) return 'disjoint_periods'
    // A sentence that tells of a change ("from 38 to 44") stands as a whole: what it replaces is said elsewhere.
    if (pair.relation === 'supersedes' && own.start < other.end && other.start < own.end) return 'one_passage'
    const isPlaced = !this.finder.isRepeated(own) && !this.finder.isRepeated(other)
    const isSure = pair.relation === 'supersedes' ? isPlaced && this.tellsOfChange(pair, own, beside) : pair.confidence >= sureConfidence
    return this.keep({
      own: own.index,
      other: other.index,
      slotKey: null,
      relation: isSure ? pair.relation : 'possible',
      value: own.typed.text,
      otherValue: other.typed.text,
      ...this.wordsOf(pair, this.ownWords),
    })
  }

  private keep(link: VerifiedLink): DropReason | null {
    // Two passages of the document are a pair whichever of them is named first.
    const within = typeof link.other === 'number' ? [link.own, link.other].sort((a, b) => a - b) : null
    const key = within === null ? `${link.own} ${link.other}` : `within ${within.join(' ')}`
    if (this.links.has(key)) return 'repeated'
    this.links.set(key, link)
    return null
  }

  /** The model's words about a pair, as far as they name nothing but what the two documents do: the words of a third could not be erased. */
  private wordsOf({ subject, attribute, reason, confidence }: AnsweredLink | AnsweredWithin, among: ReadonlySet<string>) {
    return {
      subject: namesOnly(subject, among) ? subject : '',
      attribute: namesOnly(attribute, among) ? attribute : '',
      reason: namesOnly(reason, among) ? cut(reason, longestReason) : 'The two passages do not agree.',
      confidence,
    }
  }

  /** The passage as a claim of the document, or why not. */
  private ownSide(
    quote: string,
    words: string | null,
    { subject, attribute }: { subject: string; attribute: string },
    besides: number | null = null,
  ): OwnSide | DropReason {
    const place = this.finder.find(quote)
    if (place === null) return 'quote_not_in_document'
    const typed = typedValue(place.quote, words, this.year)
    if (typed === null) return 'value_not_in_quote'
    if (!namesOnly(subject, this.known)) return 'unknown_subject'
    // Words of other documents must not outlive them in a claim of this one.
    const own = {
      subject: namesOnly(subject, this.ownWords, 0) ? subject : '',
      attribute: namesOnly(attribute, this.ownWords, 0) ? attribute : '',
    }
    const claim = this.own.claimOf({ place, typed, words, ...own }, besides)
    return claim === null ? 'too_many' : { ...claim, typed, ...place }
  }

  /**
   * It retires a claim only where the document says so in its own words beside the passage, or the same issuer says it later.
   * Another party's words count only right at the passage: a word such as "now" somewhere in a pleading retires nothing.
   */
  private replaces(link: AnsweredLink, listed: ListedStatement, own: OwnSide): boolean {
    const { issuer, issuedOn } = this.input.document
    if (this.finder.isRepeated(own)) return false
    if (issuedOn !== null && listed.issuedOn !== null && issuedOn < listed.issuedOn) return false
    const isLater = issuedOn !== null && listed.issuedOn !== null
    if (isLater && isSameIssuer(issuer, listed.issuer)) return true
    const isOther = issuer !== null && listed.issuer !== null && !isSameIssuer(issuer, listed.issuer)
    return this.tellsOfChange(link, own, isOther ? rightAt : beside)
  }

  /** The document says in words of its own, so near the passage or in its title, that something took the place of something else. */
  private tellsOfChange({ words }: Pick<AnsweredLink, 'words'>, own: OwnSide, near: number): boolean {
    if (words === null || !(CORRECTION.test(words) || replacing.test(words) || settling.test(words))) return false
    const stands = (start: number, end: number) => findWords(this.points.slice(Math.max(0, start), end).join(''), words) !== null
    return stands(own.start - near, own.end + near) || (near === beside && stands(0, beside))
  }

  /** Only what code cannot refute acquits; silence acquits nobody. */
  private acquit({ number, reason }: AnsweredNoConflict): VerifiedReading['acquitted'] {
    const pair = /^C\d+$/.test(number) ? this.input.contradictions[Number(number.slice(1)) - 1] : undefined
    if (pair !== undefined && !isRefuted(pair, reason)) return [{ a: pair.a.claimId, b: pair.b.claimId, reason }]
    this.drop(pair === undefined ? 'number_not_listed' : 'refuted')
    return []
  }
}

interface OwnSide extends LocatedQuote {
  index: number
  typed: TypedValue
  period: Period | null
}

/** Words by which a text says that something takes the place of something else. */
const replacing =
  /\b(?:supersed\w+|replac\w+|in place of|place of|instead|in lieu of|no longer|henceforth|withdr[ae]w\w*|rescind\w*|revok\w+|cancel\w*|vacat\w+|surrender\w*|delet\w+|revis\w+|amend\w*|alter(?:ed|s|ation)|restat\w+|correct\w*|corrigend\w+|errat\w+|oversight|updat\w+|var(?:y|ies|ied|iation)|shall (?:now )?read|succeed\w*|moved|postpon\w+|adjourn\w*|extend\w*|previously|formerly|originally|chang(?:ed?|es)|risen|fallen|re-?count\w*|re-?calculat\w+|re-?assess\w+|re-?measur\w+|re-?classif\w+|terminat\w+|reschedul\w+|deferred|downgrad\w+|upgrad\w+|rais(?:ed?|es)|lower(?:ed|s)|increas(?:ed?|es)|reduc(?:ed?|es)|falls to|rises to|by way of exception|after all|now|not (?:[A-Z]{3} )?[£€$]?\d)\b/iu

/** Words by which a text says how something stands now. */
const settling =
  /\b(?:previous|original|initial|interim|preliminary|final\w*|version \d+|resol(?:ve[sd]?|ution)|adjudicat\w+|adjusted|contrary to|was wrong|remed\w+|implement\w+|complet\w+|signed|filed|closed|settled|confirmed|approved|agreed?|accept\w*|delivered|released|removed|renewed|stopped|validated|in force|to date|ha(?:s|ve)(?: (?:now|since|also|all))? been)\b/iu
/** Characters between such words and the passage they speak of; of another party's statement, they stand in its own line. */
const beside = 300
const rightAt = 120

/**
 * The claim of a listed statement that a link speaks of: the one whose words they are, and of several the one with that value.
 * Not certain where the words do not tell which; null where no claim has them.
 */
function claimFor(claims: readonly KnownClaim[], words: string | null): { claim: KnownClaim; isCertain: boolean } | null {
  const named = words === null ? claims : claims.filter(each => findWords(each.quote, words) !== null)
  const valued = named.filter(each =>
    words === null ? each.value.type === 'boolean' : findWords(words, each.valueText) !== null || findWords(each.valueText, words) !== null,
  )
  const [claim] = valued.length > 0 ? valued : named
  if (claim === undefined) return null
  const isCertain = words !== null || new Set(claims.map(each => each.quote)).size === 1
  return { claim, isCertain }
}

function wordsIn({ quote, issuer }: ListedStatement): string[] {
  return searchWords(`${quote} ${issuer ?? ''}`)
}

/** Names and numbers, behind so many first words, are among these; plain words may be the model's. */
function namesOnly(text: string, among: ReadonlySet<string>, skipped = /^\p{Lu}/u.test(text) ? 1 : 0): boolean {
  const named = text.match(/(?<![\p{L}\p{N}])(?:\p{Lu}[\p{L}\p{N}]*|\p{N}+(?:[.,'’]\p{N}+)*)/gu) ?? []
  return named.slice(skipped).every(name => searchWords(name).every(word => among.has(word)))
}

type Timed = Pick<OwnSide, 'typed' | 'period' | 'quote'>

/**
 * Both name a period of their own in their very words, and the two cannot overlap: one that was taken from a column, a heading
 * or the date of a document may be wrong. A date that is itself what differs is no period.
 */
function areDisjoint(a: Timed, b: Timed): boolean {
  if (a.period === null || b.period === null || !isFigure(a.typed.value) || !isFigure(b.typed.value)) return false
  const isWritten = ({ quote, period }: Timed) => period !== null && quote.includes(period.from.slice(0, 4))
  if (!isWritten(a) || !isWritten(b)) return false
  const coarse = (period: Period) => period.grain !== 'day' && period.grain !== 'range'
  return coarse(a.period) && coarse(b.period) && (a.period.to <= b.period.from || b.period.to <= a.period.from)
}

/** What the reason says is plainly not so. */
function isRefuted({ a, b }: NumberedContradiction, reason: NoConflictReason): boolean {
  const typed = (claim: ExtractedClaim): TypedValue => ({
    value: claim.value,
    text: claim.valueText,
    negated: claim.polarity === 'negated',
  })
  switch (reason) {
    case 'same_value':
      return !saysTheSame(typed(a), typed(b))
    case 'other_time':
      return a.period !== null && b.period !== null && a.period.from === b.period.from && a.period.to === b.period.to
    case 'other_subject':
      return a.subjectCertain && b.subjectCertain && isNamedInBoth(a, b)
    case 'plan_not_actual':
      return a.role === 'actual' && b.role === 'actual' && folded(a.quote) === folded(b.quote)
    case 'replaced':
      return !replacing.test(a.quote) && !replacing.test(b.quote)
    default:
      return folded(a.quote) === folded(b.quote)
  }
}

/** Both quotes name the subject in full, and it is the same. */
function isNamedInBoth(a: ExtractedClaim, b: ExtractedClaim): boolean {
  return (
    a.subjectKey === b.subjectKey &&
    a.subject !== '' &&
    folded(a.quote).includes(folded(a.subject)) &&
    folded(b.quote).includes(folded(b.subject))
  )
}

/** "Brandt AG" and "Brandt AG, Treasury" are one house; "Claims, Alpha" and "Claims, Beta" are two, and so are two who share a town or a title. */
function isSameIssuer(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return false
  if (folded(a) === folded(b)) return true
  const parts = (issuer: string) =>
    issuer
      .split(/[,;()]|\s[-–—/]\s|\s—|—\s/)
      .map(folded)
      .filter(part => part !== '')
  const [[first = '', ...of], [other = '', ...further]] = [parts(a), parts(b)]
  if (first !== other || first.length < 6) return false
  return of.every(part => further.includes(part)) || further.every(part => of.includes(part))
}

function yearOf(issuedOn: string | null): number | null {
  return issuedOn === null ? null : Number(issuedOn.slice(0, 4))
}
