/**
 * How surely two claims are about the same thing. Names match when the words one has more than the other are neutral or
 * stand around the other; marks, bases and subjects must not disagree.
 */
import { distance } from './compare.js'
import { BASIS, BY_UNIT, EMPTY_HEADS, GENERIC_HEADS, NEUTRAL } from './lexicon.js'
import { isEntityMark, isMarkKind, markKind } from './marks.js'
import { allIn, anyRelated, wordsOf } from './names-alike.js'
import { isOrganisation, type Situation } from './relation.js'
import type { ClaimValue } from './types.js'
import type { View } from './view.js'
import { stem } from './words.js'

/** Marks of one kind that differ: "Type 1" against "Type 2", another patient, another site. */
export function marksConflict(a: View, b: View, anyEvent = false): boolean {
  if (!a.allMarks.size && !b.allMarks.size) return false
  return conflictOneWay(a, b, anyEvent) || conflictOneWay(b, a, anyEvent)
}

/** Marks that tell two dates apart only where both have one: how many, where, by whom, to where. */
const APART = new Set(['n', 'at', 'by', 'to'])

const DUE = 'event:due'
const EXPIRE = 'event:expire'

const isTime = (kind: string): boolean => kind === 'at' || kind === 'at month'

/** Each says on which day or in which month, and not the same. */
export function timesDiffer(a: View, b: View): boolean {
  return a.marks.some(
    mark => isTime(markKind(mark)) && !b.marks.includes(mark) && b.marks.some(other => markKind(other) === markKind(mark)),
  )
}

function conflictOneWay(a: View, b: View, anyEvent: boolean): boolean {
  const all = b.allMarks
  for (const mark of a.marks) {
    if (all.has(mark)) continue
    const kind = markKind(mark)
    // Figures of different days are of different periods.
    if (isTime(kind) && a.claim.value.type !== 'date') continue
    if (APART.has(kind)) {
      if ([...all].some(other => markKind(other) === kind)) return true
      continue
    }
    // What happens at a date need not be said; that something is due says nothing else.
    if (kind === 'event' && (anyEvent || mark === DUE || all.has(DUE) || ![...all].some(other => markKind(other) === 'event'))) continue
    // A mark of the name itself must be known on the other side.
    return true
  }
  for (const mark of a.above) {
    if (all.has(mark)) continue
    const kind = markKind(mark)
    // Another word for the event is no other event.
    if (kind === 'event') continue
    let same = false
    let rival = false
    for (const other of all) {
      if (markKind(other) !== kind) continue
      if (a.above.includes(other) || a.marks.includes(other)) same = true
      else rival = true
    }
    if (rival && !same) return true
  }
  return false
}

/** One value is of a single site, patient or unit, the other names none: whole and part. */
export function scopesDiffer(a: View, b: View): boolean {
  if (!a.allMarks.size && !b.allMarks.size) return false
  const single = (x: View, y: View): boolean =>
    [...x.marks, ...x.above].some(mark => isEntityMark(mark) && ![...y.marks, ...y.above].some(other => markKind(other) === markKind(mark)))
  return single(a, b) || single(b, a)
}

function subjectFrom({ claim }: View): string {
  const written = String(claim.hints?.['subjectFrom'] ?? 'document')
  return written === 'section' ? 'own' : written
}

/** The subjects cannot be the same: two entities, or one entity against another document's. */
export function subjectsConflict(a: View, b: View, s: Situation): boolean {
  // The other's subject may stand in the name itself: "Alpha revenue" in the report of the group.
  const x = a.claim.subjectKey
  const y = b.claim.subjectKey
  if (!x || !y || x === y || within(a.subject, b.subject) || within(b.subject, a.subject)) return false
  if (allIn(b.subject, a.termSet) || allIn(a.subject, b.termSet)) return false
  const fx = subjectFrom(a)
  const fy = subjectFrom(b)
  if (fx === 'document' && fy === 'document')
    // What a whole document is about may be no more than its title.
    return isOrganisation(a.claim, s) && isOrganisation(b.claim, s) && !anyRelated(a.principals, b.principals)
  if (fx === 'own' && fy === 'own') return true
  const explicit = fx === 'document' ? b : a
  const other = fx === 'document' ? a : b
  const key = explicit.claim.subjectKey
  if (fx !== 'document' && fy !== 'document') {
    // One name in the phrase, another somewhere in the sentence: decided by whether either knows the other's.
    return !mentions(a, y) && !mentions(b, x)
  }
  if (anyRelated(other.principals, [key])) return false
  if (subjectFrom(explicit) === 'near') return explicit.claim.hints?.['subjectKind'] === 'organisation' && !mentions(other, key)
  return !mentions(other, key)
}

function within(part: readonly string[], whole: readonly string[]): boolean {
  return part.every(word => whole.includes(word))
}

function mentions(view: View, key: string): boolean {
  return allIn(wordsOf(key), view.context)
}

export type Strength = 'same' | 'close' | 'weak' | 'none'

/** Compares the names of two measured values. What can be refused by the words themselves is refused before the words around are asked. */
export function nameStrength(a: View, b: View, anyBasis = false): Strength {
  if (bothOnce(a, b)) return 'same'
  const byRole = a.claim.role === b.claim.role && ROLE_SLOTS.has(a.claim.role) && (isBare(a) || isBare(b))
  let telling = 0
  if (!byRole) {
    const shared = a.terms.filter(term => b.termSet.has(term))
    if (!shared.length || a.termSet.has('change') !== b.termSet.has('change')) return 'none'
    telling = shared.filter(
      term => !NEUTRAL.has(term) && !GENERIC_HEADS.has(term) && term !== 'change' && !(a.did.has(term) && b.did.has(term)),
    ).length
    if (!headsMeet(a, b, telling)) return 'none'
  }
  const left = leftover(a, b)
  const right = leftover(b, a)
  if (!anyBasis && (left.basis || right.basis)) return 'none'
  const missing = left.missing + right.missing
  if (byRole) return missing === 0 ? 'same' : 'weak'
  const around = left.around + right.around
  if (missing === 0 && (telling || (a.terms.length === b.terms.length && around === 0)))
    return around <= 2 || telling >= 2 ? 'same' : 'close'
  if (missing <= 1 && telling >= 2) return a.claim.value.type === 'date' ? 'same' : 'close'
  if (missing <= 2 && telling >= 1 && isWithin(a, b)) return missing === 1 ? 'same' : 'close'
  return telling >= 1 ? 'weak' : 'none'
}

/** "Date of admission" and "the patient was admitted": that the events are one was seen by their marks. */
const bothOnce = (a: View, b: View): boolean =>
  a.claim.hints?.['once'] !== undefined && b.claim.hints?.['once'] !== undefined && (isUnnamed(a) || isUnnamed(b))

const isUnnamed = ({ claim }: View): boolean => claim.hints?.['bare'] === true

/** "The contract was signed" and "the contract with the carrier was signed": the same happens to the same noun, of which one says more. */
function isWithin(a: View, b: View): boolean {
  if (a.claim.value.type !== 'date' || b.claim.value.type !== 'date') return false
  const [x, y] = [eventOf(a), eventOf(b)]
  const deadlines = (x === DUE || y === DUE) && (isDeadline(a) || x === EXPIRE) && (isDeadline(b) || y === EXPIRE)
  if (
    !deadlines &&
    (x === undefined || y === undefined || x === 'event:held' || y === 'event:held' || !b.allMarks.has(x) || !a.allMarks.has(y))
  )
    return false
  const [part, whole] = a.terms.length <= b.terms.length ? [a, b] : [b, a]
  return (
    a.head === b.head &&
    part.terms.every(term => whole.termSet.has(term)) &&
    !whole.terms.some(term => !part.termSet.has(term) && SORTS.has(term))
  )
}

const eventOf = (view: View): string | undefined => view.marks.find(mark => mark.startsWith('event:'))

const isDeadline = ({ claim }: View): boolean => /^(?:due|bound|limit|plan)$/.test(String(claim.hints?.['mood'] ?? ''))

/** Words that tell one of a sort from the others. */
const SORTS = new Set(
  `first second third fourth last next previous new old north south east west northern southern eastern western left right upper lower inner outer main side interim annual
   quarterly monthly partial final provisional draft original internal external primary secondary`
    .split(/\s+/)
    .map(word => stem(word)),
)

/** Figures under different names that may still be one: of one size, no change of it, on no other basis, and hardly a word of either unknown to the other. */
export function mayAlign(a: View, b: View, likeness: number): boolean {
  if (a.termSet.has('change') !== b.termSet.has('change') || !ofOneSize(a.claim.value, b.claim.value)) return false
  const [left, right] = [leftover(a, b), leftover(b, a)]
  if (left.basis || right.basis) return false
  // "The meeting of the council", "the meeting of the board", "the lease", "the loan": each says of what.
  if (a.claim.value.type === 'date' && left.missing > 0 && right.missing > 0) return false
  if (likeness >= VERY_ALIKE) return left.missing + right.missing <= 2 && !names(a, b) && !names(b, a)
  return isKnownTo(b, a.head) && isKnownTo(a, b.head) && left.missing <= 1 && right.missing <= 1
}

/** "Price" and "price limit": a further noun at the end makes it a name of something else. */
const names = (whole: View, part: View): boolean =>
  !isKnownTo(part, whole.head) &&
  part.terms.length > 0 &&
  part.terms.every(term => whole.termSet.has(term) || BASIS.has(term) || NEUTRAL.has(term))

const isKnownTo = (view: View, term: string): boolean =>
  view.termSet.has(term) || view.context.has(term) || NEUTRAL.has(term) || GENERIC_HEADS.has(term)

const SIZES_APART = 3
/** Then the words around are as good as a name. */
const VERY_ALIKE = 0.5

export function ofOneSize(a: ClaimValue, b: ClaimValue): boolean {
  const away = distance(a, b)
  return away === null || away <= 1 - 1 / SIZES_APART
}

const PERSONS = new Set(['person', 'individual', 'head'].map(word => stem(word)))
const PEOPLE = new Set([
  ...PERSONS,
  ...'patient headcount client member resident passenger worker student visitor guest investor tenant user subscriber volunteer applicant candidate nurse teacher operator driver child adult victim'
    .split(' ')
    .map(word => stem(word)),
])

function headsMeet(a: View, b: View, telling: number): boolean {
  if (a.head === b.head || (b.termSet.has(a.head) && a.termSet.has(b.head))) return true
  // "Business interruption loss" and "business interruption" in euros.
  if (a.termSet.has(b.head) && isSaidByUnit(a.claim.value, a.head, b)) return true
  if (b.termSet.has(a.head) && isSaidByUnit(b.claim.value, b.head, a)) return true
  if (telling >= 2 && isKnownTo(a, b.head) && isKnownTo(b, a.head)) return true
  // "486 persons enrolled", "512 patients had been enrolled".
  if (telling > 0 && ((PERSONS.has(a.head) && PEOPLE.has(b.head)) || (PERSONS.has(b.head) && PEOPLE.has(a.head)))) return true
  // The event of a date is a mark already: what is left of its name may end with any word.
  return a.claim.value.type === 'date' && telling > 0
}

const ROLE_NAMES = new Set('budget forecast target estimate guidance'.split(' ').map(word => stem(word)))
const ROLE_SLOTS = new Set(['target', 'minimum', 'maximum', 'limit', 'budget'])

/** "The internal target", "the board minimum": the role is the name. */
function isBare(view: View): boolean {
  return view.terms.every(
    term => NEUTRAL.has(term) || ROLE_NAMES.has(term) || term === 'intern' || term === 'below' || EMPTY_HEADS.has(term),
  )
}

/** Words of a's name that b lacks: neutral ones do not count, a basis always does. */
function leftover(a: View, b: View): { missing: number; around: number; basis: boolean } {
  let missing = 0
  let around = 0
  let basis = false
  // "Alpha revenue" loses nothing in Alpha's own report.
  const owner = b.owner
  for (const term of a.termSet) {
    if (owner.has(term)) continue
    if (b.termSet.has(term) || NEUTRAL.has(term) || EMPTY_HEADS.has(term) || ROLE_NAMES.has(term)) continue
    if (PEOPLE.has(term) && PEOPLE.has(b.head) && (PERSONS.has(term) || PERSONS.has(b.head))) continue
    // "Batch" beside the batch's code says nothing more.
    if (isMarkKind(term) && a.marks.some(mark => !mark.startsWith('event:'))) continue
    if (isSaidByUnit(a.claim.value, term, b)) continue
    // "Deposits not covered" are others than those covered.
    if (term.startsWith('non') && b.termSet.has(term.slice(3))) basis = true
    if (BASIS.has(term)) {
      if (isSoft(term, RHYTHMS, b) || isSoft(term, AVERAGES, b) || (a.terms.length > 3 && isSoft(term, ORDINALS, b))) around++
      else if (b.context.has(term) && !hasRivalBasis(b)) around++
      else basis = true
    } else if (b.context.has(term) || (a.did.has(term) && !b.did.size && a.claim.hints?.['ofPart'] !== true)) around++
    else missing++
  }
  return { missing, around, basis }
}

/** "Volume of diesel" and "diesel" in litres, "repair cost" and "repair" in euros: the unit says so already. */
const BY_MONEY = new Set('cost expense expenditure loss'.split(' ').map(word => stem(word)))
const OTHER_MONEY = new Set(
  'price revenue income profit fee budget rent saving benefit charge payment provision tax interest premium debt sale turnover receipt refund'
    .split(' ')
    .map(word => stem(word)),
)

function isSaidByUnit(value: ClaimValue, term: string, other: View): boolean {
  if (value.type === 'quantity') return value.unit !== null && isSoft(term, BY_UNIT, other)
  return value.type === 'money' && isSoft(term, BY_MONEY, other) && !other.terms.some(its => OTHER_MONEY.has(its))
}

const isSoft = (term: string, kind: ReadonlySet<string>, other: View): boolean => kind.has(term) && !other.terms.some(its => kind.has(its))

/** "Mean content" and "content" are one unless the other is a median or a peak. */
const AVERAGES = new Set(['average', 'mean', 'peak', 'cumulative'].map(word => stem(word)))

/** In a long name "to first treatment" and "to treatment" are one. */
const ORDINALS = new Set(['first', 'last', 'next'].map(word => stem(word)))

/** "Annual rent" and "rent" are one unless the other is a monthly one. */
const RHYTHMS = new Set(['annual', 'yearly', 'monthly', 'quarterly', 'weekly', 'daily'].map(word => stem(word)))

function hasRivalBasis(view: View): boolean {
  for (const term of view.termSet) if (BASIS.has(term)) return true
  return false
}
