/**
 * What the claims of one document are to those of others and to each other. Two statements whose words are the same but for
 * the value contradict each other, unless one says itself that it speaks of another thing; nearly the same words are a
 * possible conflict, and so is what differs between papers that are otherwise the same. A pure function of the claims and their
 * documents: nothing that was found or decided before enters, and the order in which documents came changes nothing.
 */
import { PREDICATE, type SaidWord } from '../document/says.js'
import type { ConflictKind, DocumentFacts, PlacedClaim, Relation } from '../types.js'
import { meets, samePeriod, shareTime } from '../values/compare-values.js'
import {
  agreeInFigures,
  type Difference,
  differenceOf,
  isStated,
  isWhereabouts,
  looseDifference,
  type Overlap,
  overlapOf,
  sharedDays,
  sharedThings,
  sharesNamesAlone,
} from './differences.js'
import { made } from './made.js'
import { NearStatements } from './near-statements.js'
import { doubtful, leastRecognised } from './recognised.js'
import { givesAsBefore, replacementOf, sameIssuer } from './replacing.js'
import { isNamed, type Said, SaidIn, saidIn } from './said.js'
import { areOfTwo, separationOf } from './separations.js'
import { type Twins, twinsOf } from './twins.js'

export interface CompareInput {
  document: DocumentFacts & { documentId: string }
  claims: readonly PlacedClaim[]
  /** Claims of other documents. */
  rivals: readonly PlacedClaim[]
  /** What is known of the documents of `rivals`, by document id. */
  documents: Readonly<Record<string, DocumentFacts>>
}

/** Of the stems in all, how many must be in common for a contradiction. */
const SURE = 0.5
/** The same where the words themselves are what differs. */
const SURE_WORDS = 0.6
/** In documents that say more than a few things. */
const SURE_MIDDLING = 0.75
/** Of the shorter side, for a possible conflict. */
const POSSIBLE = 0.6
const NEAR_DAYS = 100
const LEAST_WORD_FOR_WORD = 3
/** Kinds of papers that are no report of how things stand: what one says may be meant to hold until another says otherwise. */
const HOLDS =
  /^(?:letter|memo|memorandum|agreement|contract|lease|policy|opinion|offer|proposal|quotation|quote|confirmation|affidavit|declaration)$/
/** In a long document. */
const SAME = 0.85

/** `watch` is shown every pair that is looked at, with the verdict on it: for whoever wants to know why. */
export function compareClaims(
  { document: { documentId, ...facts }, claims, rivals, documents }: CompareInput,
  watch?: (a: Said, b: Said, verdict: Verdict) => void,
): Relation[] {
  const own = new SaidIn(documentId, facts)
  const fresh = saidIn(own, claims)
  const index = new NearStatements(fresh)
  const found: Found[] = []
  const meet = (side: Said, other: Said): void => {
    const [a, b] = inOrder(side, other)
    const verdict = relationOf(a, b)
    watch?.(a, b, verdict)
    if (verdict.relation) found.push({ relation: verdict.relation, a, b })
  }
  index.near(fresh, (side, other) => {
    if (isEntryOfItsOwn(side, other)) meet(side, other)
  })
  for (const [id, said] of byDocument(rivals)) {
    const other = documents[id]
    // Another version of the reader kept other things of a statement.
    if (id === documentId || !other || other.reader !== facts.reader) continue
    const document = new SaidIn(id, other)
    if (areOfTwo(own, document)) continue
    const statements = saidIn(document, said)
    const before = found.length
    index.near(statements, meet)
    const isFound = (one: Said, two: Said): boolean =>
      found.slice(before).some(({ a, b }) => (a === one && b === two) || (a === two && b === one))
    for (const twins of twinsOf(fresh, statements, [own, document])) {
      if (isFound(twins.own, twins.other)) continue
      const { a, b, relation } = asked(twins)
      watch?.(a, b, { because: 'papers that are otherwise the same', relation })
      found.push({ a, b, relation })
    }
  }
  return best(found)
}

interface Found {
  relation: Relation
  a: Said
  b: Said
}

function byDocument(claims: readonly PlacedClaim[]): Map<string, PlacedClaim[]> {
  const found = new Map<string, PlacedClaim[]>()
  for (const claim of claims) {
    const known = found.get(claim.documentId)
    if (known) known.push(claim)
    else found.set(claim.documentId, [claim])
  }
  return found
}

/** Rows and labels of one document stand beside each other; the same one twice, under the same headings, may say two things. */
function isEntryOfItsOwn(a: Said, b: Said): boolean {
  if (a.start === b.start || a.says.kind === 'cell' || b.says.kind === 'cell') return false
  if (a.claims[0]!.subjectKey !== b.claims[0]!.subjectKey) return false
  return a.says.above.heads.join() === b.says.above.heads.join()
}

/** Side a is the earlier by date of issue, then by document, then by place in the text. */
function inOrder(x: Said, y: Said): [Said, Said] {
  if (x.document !== y.document) return x.document.order < y.document.order ? [x, y] : [y, x]
  return x.start <= y.start ? [x, y] : [y, x]
}

/** For a person to look at. */
function asked({ own, other, difference, share }: Twins): Found {
  const [a, b] = inOrder(own, other)
  return { relation: made('possible', a, b, overlapOf(a, b), a === own ? difference : turn(difference), share), a, b }
}

/** Which rule decided, by a short name that stays, and what came of it. */
export interface Verdict {
  because: string
  relation: Relation | null
}

function relationOf(a: Said, b: Said): Verdict {
  const isLong = a.document.isLong || b.document.isLong
  // Of most pairs of long documents this is all there is to ask.
  if (isLong && !mayBeSameInLong(a, b)) return { because: 'long documents, not of one named subject and time', relation: null }
  const overlap = overlapOf(a, b)
  const difference = differenceOf(a, b, overlap)
  const perhaps = (because: string): Verdict => ({ because, relation: possible(a, b, overlap, difference) })
  if (difference === null) return perhaps('nothing surely differs')
  if (sharesNamesAlone(a, b, overlap) && !isStated(difference)) return perhaps('only names in common')
  const { share, short } = sharesOf(a, b, overlap, difference)
  const isNear = overlap.common.size >= 2 && short >= POSSIBLE
  const isSame =
    isSameFact(a, b, overlap, difference, share) ||
    (isNear && share >= SURE && (givesAsBefore(a, b, difference) || givesAsBefore(b, a, difference)))
  if (!isNear && !isSame) return perhaps('too few words in common')
  const separation = separationOf(a, b, overlap, difference)
  if (separation?.kind === 'apart') return perhaps(separation.because)
  const as = (kind: Relation['kind']): Relation => made(kind, a, b, overlap, difference, share)
  if (difference.kind !== 'date' && mayEvolve(a, b))
    return HOLDS.test(a.document.facts.kind ?? '')
      ? perhaps('papers of successive days')
      : { because: 'reports of successive days', relation: as('evolves') }
  if (isLong && share < SAME) return { because: 'long documents, not the same words', relation: null }
  if (!isSame) return perhaps('nearly the same words')
  const replacement = replacementOf(a, b, difference)
  if (replacement?.by !== 'words') {
    if (!isPlain(a, b, overlap, difference)) return perhaps('one of many things in its document')
    if (separation !== null) return perhaps(separation.because)
  }
  if (difference.unsure) return perhaps('several values could be meant')
  if (a.document.namesNoFact(a.entryKey) || b.document.namesNoFact(b.entryKey)) return perhaps('a label with several answers')
  if (a.document === b.document && share < SAME) return perhaps('one document, not the same words')
  const doubt = leastRecognised(a, b)
  if (doubt !== null) return { because: 'a doubtful word of a scan', relation: doubtful(as('possible'), doubt) }
  if (replacement === null) return { because: 'the same words, another value', relation: as('contradicts') }
  const [older, newer] = replacement.winner === 'b' ? [a, b] : [b, a]
  const turned = replacement.winner === 'b' ? difference : turn(difference)
  const relation = { ...made('replaces', older, newer, overlap, turned, share), reason: replacement.reason, by: replacement.by }
  return { because: replacement.by === 'words' ? 'words of replacement' : 'a later version', relation }
}

/** Nearly the same words and another value, whatever else each says: for a person to look at. */
function possible(a: Said, b: Said, overlap: Overlap, sure: Difference | null): Relation | null {
  if (a.document === b.document || a.document.isLong || b.document.isLong) return null
  const difference = sure ?? looseDifference(a, b, overlap)
  if (difference === null || separationOf(a, b, overlap, difference, true)?.kind === 'apart') return null
  const shared = sharedBy(a, b, overlap)
  const alone = overlap.left.length + overlap.right.length
  // One word is enough where nothing but what is told differs: a figure, a day, or in a note another word in its place.
  const isBare =
    (alone === 0 && (sure?.kind === 'numeric' || sure?.kind === 'date')) ||
    (!a.document.isMiddling && !b.document.isMiddling && isToldAlone(a, b, overlap, difference))
  const [x, y] = isBare ? [0, 0] : [overlap.left.length, overlap.right.length]
  const share = shared / (shared + x + y)
  if (shared < (isBare ? 1 : 2) || shared / (shared + Math.min(x, y)) < POSSIBLE) return null
  if (share < SURE && (a.document.isMiddling || b.document.isMiddling)) return null
  return made('possible', a, b, overlap, difference, share)
}

/** "The property is freehold.", "The property is leasehold.": as many words, and those that differ are what is told. */
function isToldAlone(a: Said, b: Said, overlap: Overlap, { left, right }: Difference): boolean {
  return (
    a.says.words.length === b.says.words.length &&
    overlap.left.length === overlap.right.length &&
    overlap.left.every(word => left.includes(word)) &&
    overlap.right.every(word => right.includes(word))
  )
}

/** What both say or have above them, and a day of both. Two that share only names tell two things of what they name. */
function sharedBy(a: Said, b: Said, { common, confirmed }: Overlap): number {
  const names = a.says.words.filter(word => isNamed(word) && common.has(word[0])).length
  if (common.size === names) return 0
  return common.size + confirmed + sharedDays(a, b)
}

const turn = (difference: Difference): Difference => ({
  ...difference,
  a: difference.b,
  b: difference.a,
  left: difference.right,
  right: difference.left,
  ...(difference.figures && { figures: [difference.figures[1], difference.figures[0]] }),
  ...(difference.whole && { whole: [difference.whole[1], difference.whole[0]] }),
})

/** How much of all stems, and of those of the shorter side, both have; the words that differ as the value are not counted. */
function sharesOf(a: Said, b: Said, { common, confirmed, left, right }: Overlap, difference: Difference): { share: number; short: number } {
  const rest = (words: Overlap['left'], told: Difference['left']): number =>
    words.filter(([stem]) => !told.some(([own]) => own === stem)).length
  const [x, y] = [rest(left, difference.left), rest(right, difference.right)]
  if (common.size === 0) return { share: 0, short: 0 }
  const shared = common.size + (a.isLabel !== b.isLabel ? confirmed : 0) + (difference.kind === 'date' ? 0 : sharedDays(a, b))
  const names = a.isLabel && b.isLabel ? labelShare(a, b) : 1
  return { share: (shared / (shared + x + y)) * names, short: shared / (shared + Math.min(x, y)) }
}

/** Two labels must ask for the same, whatever their answers share. */
function labelShare(a: Said, b: Said): number {
  const [x, y] = [a, b].map(side => new Set(side.labelWords.map(([stem]) => stem)))
  if (x!.size === 0 || y!.size === 0) return 1
  const shared = [...x!].filter(stem => y!.has(stem)).length
  const missed =
    [...x!].filter(stem => !y!.has(stem) && !b.around.has(stem)).length +
    [...y!].filter(stem => !x!.has(stem) && !a.around.has(stem)).length
  return shared === 0 ? 0 : shared / (shared + missed / 2)
}

function isSameFact(a: Said, b: Said, { common, confirmed }: Overlap, difference: Difference, share: number): boolean {
  const { kind, left, right } = difference
  const isMiddling = a.document.isMiddling || b.document.isMiddling
  if (a.isLabel && b.isLabel && a.labelKey === b.labelKey) return a.labelKey !== '' && share >= (isMiddling ? SURE_MIDDLING : SURE)
  if (isMiddling) return common.size >= 3 && share >= (kind === 'numeric' ? SURE_MIDDLING : SAME)
  const least = kind === 'categorical' && left.length + right.length > 0 && !(a.isLabel && b.isLabel) ? SURE_WORDS : SURE
  if (a.isLabel !== b.isLabel && isContained(a.isLabel ? a : b, a.isLabel ? b : a, kind)) return true
  const beside = kind === 'date' ? Number(agreeInFigures(a, b)) : sharedDays(a, b)
  const things = sharedThings(a, common)
  const known = things + (a.isLabel !== b.isLabel ? confirmed : 0) + beside
  if (share === 1 && a.document !== b.document && !a.isLabel && !b.isLabel && isToldOfOne(a, b, common, difference)) return true
  return known >= 2 && (kind !== 'categorical' || (a.isLabel === b.isLabel ? common.size : things) >= 2) && share >= least
}

/** Where nothing but the value differs: of a thing, for what is done, and what is counted ("0936 stop"), comes again. */
function isToldOfOne(a: Said, b: Said, common: ReadonlySet<string>, { kind, left, right, figures }: Difference): boolean {
  if (kind === 'categorical') return [...left, ...right].every(isWhereabouts)
  if (figures && [a.says.numbers[figures[0]]!, b.says.numbers[figures[1]]!].some(({ counted }) => counted.length > 0)) return false
  const isThing = ([stem, flags, form]: SaidWord): boolean => common.has(stem) && (flags & PREDICATE) === 0 && !form.endsWith('ed')
  return common.size >= 2 || a.says.words.some(isThing)
}

/** What more it takes in documents that say more than a few things. */
function isPlain(a: Said, b: Said, { common }: Overlap, { kind, left, right }: Difference): boolean {
  if (!a.document.isMiddling && !b.document.isMiddling) return true
  if (a.document.repeats(a.labelKey) || b.document.repeats(b.labelKey)) return false
  const isLabel = a.isLabel && b.isLabel
  if (isLabel && a.labelWords.length < 2) return false
  if (kind === 'categorical' && (common.size < 4 || left.length > 2 || right.length > 2)) return false
  if (kind === 'numeric') return sharedDays(a, b) > 0 || isAboutThen(a.document, b.document)
  // Where one denies, the figures of both must be the same.
  return a.says.numbers.every(x => b.says.numbers.every(y => x.unit !== y.unit || meets(x, y)))
}

/** Two papers that are not long apart: what is told without a date is told of the same time. */
function isAboutThen(a: SaidIn, b: SaidIn): boolean {
  if (a === b || a.facts.issuedOn === null || b.facts.issuedOn === null) return true
  const day = (date: string): number => Date.parse(date.slice(0, 10).padEnd(7, '-01').padEnd(10, '-01'))
  return !(Math.abs(day(a.facts.issuedOn) - day(b.facts.issuedOn)) > NEAR_DAYS * 86_400_000)
}

/** "Living space: 79 m²", "offers 94 m² of living space": a sentence with all of a label and one figure of its kind. */
function isContained(label: Said, sentence: Said, kind: ConflictKind): boolean {
  const asked = new Set(label.labelWords.map(([stem]) => stem))
  if (kind !== 'numeric' || asked.size < 2 || ![...asked].every(stem => sentence.stems.has(stem) || sentence.around.has(stem))) return false
  const units = label.says.numbers.filter(number => !number.label).map(({ unit }) => unit)
  return units.length === 1 && sentence.says.numbers.filter(({ unit }) => unit === units[0]).length === 1
}

/** Nothing on suspicion: the same named subject, at the same told time or none; or the very same words, down to the day or the figure. */
function mayBeSameInLong(a: Said, b: Said): boolean {
  if (isWordForWord(a, b)) return true
  const [x, y] = [a.times, b.times]
  if ((x.length > 0 || y.length > 0) && !shareTime(x, y)) return false
  // What answers a label is not what it is about.
  const isOfOne = (a.isLabel ? a.labelWords : a.says.words).some(word => isNamed(word) && b.stems.has(word[0]))
  return isOfOne || a.says.ids.some(id => b.says.ids.includes(id))
}

/** Sentences of which nothing differs but one day, or one figure of the same day. */
function isWordForWord(a: Said, b: Said): boolean {
  if (a.isLabel || b.isLabel || a.says.negated !== b.says.negated || a.says.dates.length !== b.says.dates.length) return false
  if (a.stems.size !== b.stems.size || a.stems.size < LEAST_WORD_FOR_WORD) return false
  for (const stem of a.stems) if (!b.stems.has(stem)) return false
  const [x, y] = [a.says.dates, b.says.dates]
  const differ = x.filter((date, at) => !samePeriod(date, y[at]!)).length
  if (differ === 0) return true
  // One house tells of another time in each of its papers: that may have been twice.
  const isTwice = sameIssuer(a.document.facts.issuer, b.document.facts.issuer) && a.document.day !== b.document.day
  return differ === 1 && x.length === 1 && a.says.numbers.length === 0 && b.says.numbers.length === 0 && !isTwice
}

/** Reports of one house on successive days, entitled alike: what is told without a date is told of each one's own time. */
function mayEvolve(a: Said, b: Said): boolean {
  return a.says.dates.length === 0 && b.says.dates.length === 0 && areSuccessive(a.document, b.document)
}

function areSuccessive(x: SaidIn, y: SaidIn): boolean {
  if (x.day === null || y.day === null || x.day === y.day) return false
  if (x.facts.corrects === true || y.facts.corrects === true) return false
  if (x.title === '' || x.title !== y.title) return false
  return (x.facts.issuer === null && y.facts.issuer === null) || sameIssuer(x.facts.issuer, y.facts.issuer)
}

/** The best first; equally good ones by their place, which no order of arrival changes. */
function best(found: readonly Found[]): Relation[] {
  const place = ({ document, start }: Said): string => `${document.order} ${String(start).padStart(9, '0')}`
  return [...found]
    .sort((x, y) => y.relation.score - x.relation.score || (`${place(x.a)} ${place(x.b)}` < `${place(y.a)} ${place(y.b)}` ? -1 : 1))
    .map(({ relation }) => relation)
}
