/** Relates names given for one label: the same name in other words, a revised wording, or two that exclude each other. */
import { isAspect } from './aspects.js'
import { sameCountry } from './demonyms.js'
import { NOBODY } from './holders.js'
import { NEUTRAL } from './lexicon.js'
import { acquainted } from './opposition.js'
import { pattern } from './pattern.js'
import { atOtherTimes, type Make, type Relation, type Situation } from './relation.js'
import { marksConflict, subjectsConflict } from './similar.js'
import { termsOf } from './slots.js'
import type { PlacedClaim } from './types.js'
import { amends } from './verdict.js'
import type { View } from './view.js'
import { MONTH_NAMES, stem } from './words.js'

/** The later holder of a post: "since 1 July", "the new chair", "took over". */
const SINCE = pattern(
  new RegExp(
    `\\b(?:since|now|new|newly|succeed(?:s|ed)|took over|takes over|taken over|with effect from|became|replace[sd]|(?:from|as of|as from) (?:\\d{1,2}\\s)?(?:${MONTH_NAMES}|\\d{4}))\\b`,
    'i',
  ),
)

const nameOf = (claim: PlacedClaim): string => (claim.value.type === 'name' ? claim.value.value : '')

const CLASS = /^(?:\p{Lu}[+-]?|[A-D]{1,3}[+-]?|\d{1,2}|[IVX]{1,4}|\d{1,4}(?:\.\d{1,4})+)$/u
const TITLES = new Set(
  'mr ms mrs miss dr prof professor capt captain sir dame lord lady cllr councillor judge justice'.split(' ').map(word => stem(word)),
)
/** Legal forms and what firms call themselves: shared by firms that have nothing to do with each other. */
const FORMS = new Set(
  'ltd limited llp llc plc inc corp gmbh ag sa sarl bv nv oy ab as aps spa srl co partners associates consulting consultants engineering services group holding holdings international bank insurance mutual warehouse construction logistics properties estates trust fund capital solutions systems industries shipping energy hospital university company warehouse depot terminal port'
    .split(' ')
    .map(word => stem(word)),
)

/** The words that tell one name from another; all of them where none does. */
function tellingIn(name: string): string[] {
  const terms = termsOf(name)
  const telling = terms.filter(term => !NEUTRAL.has(term) && !TITLES.has(term) && !FORMS.has(term))
  // "the Company" may be anybody; "comparison" is a wording.
  return telling.length || !/^\p{Ll}/u.test(name) || /^(?:the|our|an?)\s/.test(name) ? telling : terms
}

/** Where a wording goes on to say how it is measured. */
const MEASURED = /\s(?:per|by|according|as|with|in|at|from|over|under|during|within|until|after|using|on)\s.*$|[,(;].*$/i

/** "time to first fracture" and "time to first fall": wordings of one kind that end in another thing. */
function otherWording(a: string, b: string): boolean {
  const [left, right] = [a, b].map(text => termsOf(text.replace(MEASURED, '')))
  if (left!.length < 3 || right!.length < 3 || !/^\p{Ll}/u.test(a) || !/^\p{Ll}/u.test(b)) return false
  return !termsOf(b).includes(left!.at(-1)!) && !termsOf(a).includes(right!.at(-1)!)
}

/** One name is short for the other, or they share a word that names. */
function alike(a: string, b: string): boolean {
  if (otherWording(a, b)) return false
  // Letters of a class are themselves: "B" and "D".
  if (CLASS.test(a) && CLASS.test(b)) return a === b
  const left = tellingIn(a)
  const right = tellingIn(b)
  if (!left.length || !right.length || left.some(term => right.includes(term))) return true
  return shortFor(a, b) || shortFor(b, a)
}

function shortFor(short: string, long: string): boolean {
  const letters = short.replace(/[^\p{L}]/gu, '').toLowerCase()
  const initials = long
    .split(/[\s-]+/)
    .map(word => word[0] ?? '')
    .join('')
    .toLowerCase()
  return letters.length >= 2 && letters.length <= 6 && (initials.startsWith(letters) || new RegExp(`\\(${letters}\\)`, 'i').test(long))
}

/** Both labels name the same; a word one has more stands around the other. */
function sameLabel(a: View, b: View): boolean {
  const left = a.terms.filter(term => !NEUTRAL.has(term))
  const right = b.terms.filter(term => !NEUTRAL.has(term))
  const shared = left.filter(term => b.termSet.has(term)).length
  if (!shared) return false
  const extra = (terms: string[], other: View): string[] => terms.filter(term => !other.termSet.has(term))
  const more = [...extra(left, b), ...extra(right, a)]
  // "Chair" in the minutes of the works committee is the chair of that committee.
  const bare =
    (left.length === 1 && extra(right, a).every(term => a.context.has(term))) ||
    (right.length === 1 && extra(left, b).every(term => b.context.has(term)))
  return (
    !more.length ||
    (bare && more.length <= 3) ||
    (shared >= 2 &&
      more.length <= 2 &&
      extra(left, b).every(term => b.context.has(term)) &&
      extra(right, a).every(term => a.context.has(term)))
  )
}

/** The same aspect of the same thing: of equal words, of one word less, or of what the other is all about. */
function sameAspect(a: View, b: View, s: Situation): boolean {
  if (a.head !== b.head) return false
  const [left, right] = [a, b].map(view => view.terms.filter(term => !isAspect(term) && !NEUTRAL.has(term)))
  const one = a.claim.subjectKey !== '' && a.claim.subjectKey === b.claim.subjectKey
  if (!left!.length || !right!.length || (a.claim.polarity !== b.claim.polarity && (one || s.replaces))) return one || s.replaces
  const within = (terms: readonly string[], other: View): boolean => terms.every(term => other.termSet.has(term) || other.context.has(term))
  if (a.head === '@purpose') return within(left!, b) && within(right!, a)
  return left!.some(term => b.termSet.has(term)) && (within(left!, b) || within(right!, a))
}

/** Every method is one, and many officers are chief. */
const KINDLESS = new Set(['@method', '@superior'])
const KIND_WORDS = /\b(?:chief|officer|method|approach|model|basis|formula|technique|standard|the)\b/gi

function sameKindless(a: string, b: string): boolean {
  const [left, right] = [a, b].map(name => name.replace(KIND_WORDS, ' ').replace(/\s+/g, ' ').trim().toLowerCase())
  return left!.includes(right!) || right!.includes(left!)
}

/** Two names for an aspect: one denied by whoever gives it elsewhere, or another in its place. */
function relateAspects(old: View, fresh: View, s: Situation, make: Make): Relation | null {
  const a = old.claim
  const b = fresh.claim
  // "the contractor" may be the firm that the other names.
  if (old.head === '@by' && /^\p{Lu}/u.test(nameOf(a)) !== /^\p{Lu}/u.test(nameOf(b))) return null
  const same = KINDLESS.has(old.head) ? sameKindless(nameOf(a), nameOf(b)) : alike(nameOf(a), nameOf(b))
  if (a.polarity !== b.polarity ? !same : a.polarity === 'negated') return null
  if (a.polarity === b.polarity && same) return { kind: 'repeated', loser: 'old', weight: 2, reason: 'the names agree' }
  if (s.later && (s.sameIssuer || s.replaces || b.stance.corrects || b.stance.supersedes || b.hints?.['version'] === 'new'))
    return make('superseding', a.polarity === b.polarity ? 'the later document names another' : 'the later document denies it')
  return make('contradicting', a.polarity === b.polarity ? 'they name different ones' : 'one denies what the other says')
}

/** One of several: "the first consignment", "the former manager". */
const ONE_OF = pattern(/\b(?:first|second|third|fourth|last|next|former|previous|other|another|deputy|acting|interim)\b/i)
const NESTED = /\sof\s.*\sof\s/

/** The one speaks of one of several, or of something of what the other speaks of. */
function otherOf(a: PlacedClaim, b: PlacedClaim): boolean {
  const [left, right] = [a, b].map(({ attribute }) => ONE_OF.exec(attribute)?.[0].toLowerCase())
  if (left !== right) return true
  return a.hints?.['head'] === '@by' && NESTED.test(a.attribute) !== NESTED.test(b.attribute)
}

/** Fields that a country answers, by its name or its adjective. */
const LANDS = pattern(/\b(?:law|flag|nationality|citizenship|residen\w+|country|jurisdiction)\b/i)

/** Somebody gives the name that the other takes away: a later word of it ends what held. */
function relateDenied(s: Situation, make: Make): Relation {
  return s.later ? make('superseding', 'the later document denies it') : make('contradicting', 'one denies what the other says')
}

export function relateNames(old: View, fresh: View, s: Situation): Relation | null {
  const a = old.claim
  const b = fresh.claim
  const aspect = isAspect(old.head) || isAspect(fresh.head)
  if (!(aspect ? sameAspect(old, fresh, s) : sameLabel(old, fresh)) || marksConflict(old, fresh) || otherOf(a, b)) return null
  const make = (kind: Relation['kind'], why: string): Relation => ({
    kind,
    loser: 'old',
    weight: 2,
    reason: `${b.attribute}: "${nameOf(a)}" against "${nameOf(b)}"; ${why}`,
  })
  const revised = a.hints?.['version'] === 'old' && b.hints?.['version'] === 'new'
  if (s.sameDocument)
    return revised && nameOf(a) !== nameOf(b)
      ? make('superseding', 'the text marks one as the earlier and the other as the revised one')
      : null
  if (a.hints?.['version']) return null
  // Two letterheads are no two matters when one names whom the other is about.
  const whole = a.hints?.['subjectFrom'] === 'document' && b.hints?.['subjectFrom'] === 'document'
  if (!(whole && acquainted(old, fresh, s)) && subjectsConflict(old, fresh, s)) return null
  if (aspect) return relateAspects(old, fresh, s, make)
  const same = alike(nameOf(a), nameOf(b)) || (LANDS.test(b.attribute) && sameCountry(nameOf(a), nameOf(b)))
  if (a.polarity !== b.polarity || a.polarity === 'negated') return same && a.polarity !== b.polarity ? relateDenied(s, make) : null
  if (same) return { kind: 'repeated', loser: 'old', weight: 2, reason: 'the names agree' }
  // "A single buyer with experience" may be the firm that the other names.
  const named = (claim: PlacedClaim): boolean => /^[\p{Lu}\d"'“*]/u.test(nameOf(claim)) || nameOf(claim) === NOBODY
  if (named(a) !== named(b)) return null
  // A post that was vacant may be filled; one that somebody else calls vacant is disputed.
  const unheld = nameOf(b) === NOBODY && !s.sameIssuer
  if (nameOf(a) === NOBODY && s.later) return make('superseding', 'the post has been filled since')
  const revises = s.sameIssuer || s.replaces || b.stance.corrects || b.hints?.['version'] === 'new' || amends(s.newDocument)
  if (s.later && !unheld && (revises || SINCE.test(b.quote))) return make('superseding', 'the later document names another')
  // "Auditor for 2019": the label says when; a year in the answer is of something else.
  const dated = /\b(?:19|20)\d\d\b/.test(`${a.attribute} ${b.attribute}`)
  return s.sameIssuer || (dated && atOtherTimes(a, b, s))
    ? null
    : make(a.hints?.['frame'] === 'state' ? 'contradicting' : 'unsure', 'different issuers name different ones')
}
