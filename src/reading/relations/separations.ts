/** What shows that two statements speak of two things: another role, topic, label or part. */
import { ANSWER, ATTRIBUTIVE, type Frame, type FrameWord, IS_ADJECTIVE, IS_VERB, LABEL, PREDICATE } from '../document/frames.js'
import { isOpposite, isSame, partsOf } from '../words/dictionary.js'
import { isContrast, NEUTRAL } from '../words/lists.js'
import type { Found } from './differences.js'
import { covers, has, massOf, type Rest, sharedWords, weightOf } from './overlap.js'
import type { DocumentView, StatementView } from './views.js'
import { wordOf } from './vocabulary.js'

/** Roles that one has and the other has not. What is said to be a limit is no measurement. */
export function otherRole(a: Frame, b: Frame): boolean {
  if ((a.rates.length > 0 || b.rates.length > 0) && a.rates.join() !== b.rates.join()) return true
  if (a.partial !== b.partial) return true
  if (a.average !== b.average && a.numbers.length > 0 && b.numbers.length > 0) return true
  if (a.bases.some(([sign, of]) => b.bases.some(([other, what]) => of === what && sign !== other))) return true
  if (a.roles.length === 0 && b.roles.length === 0) return false
  const [x, y] = [firm(a), firm(b)]
  if (x.length === 0 && y.length === 0) return false
  return !x.some(role => y.includes(role)) || x.includes('condition') !== y.includes('condition')
}

const firm = ({ roles }: Frame): string[] => roles.filter(role => role !== 'estimate')

/** An early figure and a settled one: the one may replace the other, and does not contradict it. */
export const isOneProvisional = (a: Frame, b: Frame): boolean => a.roles.includes('estimate') !== b.roles.includes('estimate')

/** Another month, season, weekday or part of the day. */
export function otherWhen(a: Frame, b: Frame): boolean {
  if (a.whens.length === 0 || b.whens.length === 0) return false
  const kinds = new Map<string, Set<string>>()
  for (const when of a.whens) kinds.set(when.split(' ')[0]!, (kinds.get(when.split(' ')[0]!) ?? new Set()).add(when))
  return [...kinds].some(([kind, own]) => {
    const other = b.whens.filter(when => when.startsWith(`${kind} `))
    return other.length > 0 && !other.some(when => own.has(when))
  })
}

/** "A seat costs 12", "45 seats cost 540". */
export const isOneOfMany = (a: Frame, b: Frame): boolean => isOneOf(a, b) || isOneOf(b, a)

function isOneOf(one: Frame, many: Frame): boolean {
  return one.single !== null && many.single === null && many.numbers.some(({ counted, low }) => low > 1 && counted === one.single)
}

/**
 * Two things: labels or headings that differ in nothing but the name they give ("Patient", "Building survey"), or two
 * documents that are about names of which the other does not speak, with nothing that ties the statements together.
 */
export function otherTopic(s: StatementView, t: StatementView, found: Found): boolean {
  const speaks = (view: StatementView, name: string): boolean => has(view.all, name) || view.allIdentifiers.has(name)
  const parallel = s.slots.some(([words, names]) =>
    t.slots.some(
      ([others, otherNames]) =>
        words === others &&
        names.some(name => !otherNames.includes(name) && !speaks(t, name)) &&
        otherNames.some(name => !names.includes(name) && !speaks(s, name)),
    ),
  )
  if (parallel) return true
  if (s.document === t.document) return false
  const x = found.left ? s.subjectsBut(found.left) : s.subjects
  const y = found.right ? t.subjectsBut(found.right) : t.subjects
  if (x.length > 0 && y.length > 0 && !x.some(name => speaks(t, name)) && !y.some(name => speaks(s, name))) return true
  const free = (a: StatementView, b: StatementView): string[] =>
    a.codes.filter(id => !b.allIdentifiers.has(id) && !b.document.named.has(id))
  return hasOneShape(free(s, t), free(t, s))
}

/** The same for all statements of two documents, by what they are about alone. */
export function areOfTwo(a: DocumentView, b: DocumentView): boolean {
  const codes = a.codesBut(b)
  return codes.length > 0 && hasOneShape(codes, b.codesBut(a))
}

const hasOneShape = (codes: readonly string[], others: readonly string[]): boolean =>
  codes.some(id => others.some(other => shapeOf(id) === shapeOf(other)))

/**
 * "The lump sum for Marna", "for Osten": each names what the other's own words do not, although both documents may be about
 * both. Words of the language are no such names: "the Handler" and "the Company" can be one.
 */
export function nameTwo(s: StatementView, t: StatementView): boolean {
  const names = (one: StatementView, other: StatementView): boolean =>
    one.terms.some(({ word, isName }) => isName && !other.lemmas.has(word) && partsOf(word.lemma) === 0)
  return names(s, t) && names(t, s)
}

/** Every word of a label must be said by the other side; two labels must stand under headings that fit. */
export function otherLabel(s: StatementView, t: StatementView, left: Rest, right: Rest): boolean {
  const labelled = (rest: Rest): number =>
    rest.words.reduce((sum, word) => sum + ((word[1] & LABEL) !== 0 && !NEUTRAL.has(word[0]) ? weightOf(word) : 0), 0)
  const [x, y] = [labelled(left), labelled(right)]
  const apart = (a: StatementView, b: StatementView): number =>
    a.frame.section.reduce(
      (sum, lemma) => sum + (covers(b.all, lemma) || b.frame.section.includes(lemma) || NEUTRAL.has(lemma) ? 0 : wordOf(lemma).rarity),
      0,
    )
  if (isUntold(s, t) || isUntold(t, s)) return true
  if (!s.isSentence && !t.isSentence) {
    if (x > 0 || y > 0) return true
    if (massOf(sharedWords(s, t)) >= 5) return false
    return apart(s, t) > 1.5 && apart(t, s) > 1.5
  }
  return x > 2.5 || y > 2.5
}

/** A label that stands for several things in its document, and nothing on the other side says which. */
export function isUntold({ claim: { tells } }: StatementView, t: StatementView): boolean {
  if (tells === null) return false
  let [shared, all] = [0, 0]
  for (const word of tells) {
    const { weight } = wordOf(word)
    all += weight
    if (covers(t.all, word) || t.allIdentifiers.has(word)) shared += weight
  }
  return all === 0 || shared < all / 2
}

/** "atlas-01" and "atlas-02" are two of a kind. */
export const shapeOf = (id: string): string => id.replace(/\d+/g, '9').replace(/(?<=9)[a-z]$/, '')

/** First and second, gross and net, upper and lower: words that name two parts, unless they are what is asserted. */
export function tellsApart(s: StatementView, t: StatementView, left: Rest, right: Rest): boolean {
  const isValue = (word: FrameWord, other: StatementView): boolean => isAsserted(word) || answersLabel(word, other)
  const apart = (a: FrameWord, b: FrameWord): boolean => !(isValue(a, t) && isValue(b, s))
  return left.words.some(a => right.words.some(b => (isContrast(a[0], b[0]) || isOpposite(a[0], b[0])) && apart(a, b)))
}

/** "the low-risk category" against "Risk category: high": it tells of the noun what the label asks for. */
export function answersLabel([, flags, , head]: FrameWord, other: StatementView): boolean {
  return (
    (flags & PREDICATE) !== 0 &&
    head !== undefined &&
    !other.isSentence &&
    other.frame.words.some(([lemma, at]) => (at & LABEL) !== 0 && isSame(lemma, head))
  )
}

/** Stands where a sentence or a label gives its answer. */
export function isAsserted([, flags, lead]: FrameWord): boolean {
  if ((flags & ANSWER) !== 0) return true
  if ((flags & LABEL) !== 0) return false
  // "is a freehold property" asserts it, "the freehold property is" does not.
  if ((flags & ATTRIBUTIVE) !== 0) return (flags & PREDICATE) !== 0 && lead === 'be' && (flags & IS_VERB) === 0
  return (flags & IS_VERB) !== 0 || ((flags & PREDICATE) !== 0 && (lead === 'be' || lead === '' || (flags & IS_ADJECTIVE) !== 0))
}
