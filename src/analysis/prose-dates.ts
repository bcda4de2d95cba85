/** Claims about when something happens in sentences: a verb or a noun of happening before a date, and what it happens to. */
import type { Block } from './blocks.js'
import { type Clause, clauseOf } from './clause.js'
import { buildDate, thingOf } from './date-draft.js'
import { isShort } from './dates.js'
import type { Draft, ReadContext } from './draft.js'
import { eventIn, eventOf, isEventNoun, namesEvent } from './events.js'
import { datesTold, type ToldDate } from './moved-dates.js'
import { phraseLeft } from './phrases.js'
import { sentencesOf } from './sentences.js'
import { nameTerms } from './slots.js'
import type { Tok } from './tagging.js'
import type { Period } from './types.js'
import { AUXILIARIES, stem } from './words.js'

const isVerb = (tok: Tok | undefined): boolean =>
  tok !== undefined && (tok.tag === 'X' || (tok.tag === 'N' && (/^[a-z]{3,}ed$/.test(tok.lower) || VERBS.has(tok.lower))))
const VERBS = new Set(
  'valid due effective take takes took place sent built held left given made taken brought begun arrived scheduled foreseen set'.split(' '),
)
/** "was last changed in June", "has not been changed since" */
const RECENT = new Set('last first next finally originally now not never again only since'.split(' '))
const STOP = /[,;:()—–|]/
const BE = new Set('is are was were be been being'.split(' '))
const PRONOUNS = new Set('we i they he she it you who which this'.split(' '))

/** Who or what is said to do or undergo what. */
interface Group {
  verbs: Tok[]
  /** Where the phrase ends that says what it happens to. */
  before: number
  /** Nouns behind the verb that belong to it: "was appointed head of the works". */
  said: Tok[]
  negated: boolean
}

/** The verb group that ends at `j`, with a place between it and the date skipped: "arrived at Leixoes on". */
function verbsBefore(toks: readonly Tok[], at: number): Group | null {
  let j = at
  while (j >= 0 && (toks[j]!.tag === 'P' || toks[j]!.tag === 'D' || toks[j]!.tag === 'A') && !STOP.test(toks[j + 1]!.gap)) j--
  if (j < 0 || STOP.test(toks[j + 1]!.gap)) return null
  if (!isVerb(toks[j])) {
    let k = j
    while (k > 0 && toks[k]!.tag === 'N' && !isVerb(toks[k]) && !STOP.test(toks[k]!.gap) && j - k < 4) k--
    while (k > 0 && toks[k]!.tag === 'D') k--
    if (toks[k]?.tag !== 'P' || toks[k]!.lower === 'of' || !isVerb(toks[k - 1])) return { verbs: [], before: j, said: [], negated: false }
    j = k - 1
  }
  return groupAt(toks, j)
}

/** "The pumps, built in 2009"; "one warehouse and two sheds, completed in 2006" may be said of anything before. */
function isApposed(toks: readonly Tok[], j: number, verbs: readonly Tok[]): boolean {
  if (verbs.length !== 1 || eventOf(verbs[0]!.lower) === null || !/^[,(]$/.test(verbs[0]!.gap) || toks[j]?.tag === 'T') return false
  const phrase = phraseLeft(toks, j)
  return (
    phrase !== null &&
    phrase.words.length > 0 &&
    !phrase.words.some(word => isVerb(word)) &&
    !toks.slice(Math.max(0, phrase.from - 3), j).some(tok => tok.lower === 'and' || tok.lower === 'or')
  )
}

/** The words of the verb that ends here: "has not been revised". */
function groupAt(toks: readonly Tok[], at: number): Group | null {
  const verbs: Tok[] = []
  let negated = false
  let j = at
  while (
    j >= 0 &&
    (isVerb(toks[j]) ||
      toks[j]!.tag === 'A' ||
      (RECENT.has(toks[j]!.lower) && isVerb(toks[j - 1])) ||
      (verbs.length > 0 && toks[j]!.lower === 'to' && isVerb(toks[j - 1])))
  ) {
    const tok = toks[j]!
    // A pronoun is a function word and yet what the verb is said of.
    if (PRONOUNS.has(tok.lower)) break
    if (isVerb(tok)) verbs.unshift(tok)
    if (tok.lower === 'not' || tok.lower === 'never') negated = true
    j--
    if (STOP.test(tok.gap)) return AUXILIARIES.has(tok.lower) || isApposed(toks, j, verbs) ? { verbs, before: j, said: [], negated } : null
  }
  return { verbs, before: j, said: [], negated }
}

/** What happens: the last telling verb, else a word of the phrase before it. */
function happening(verbs: readonly Tok[], phrase: string, by: boolean): string | null {
  for (const verb of [...verbs].reverse()) {
    if (AUXILIARIES.has(verb.lower)) continue
    const known = eventOf(verb.lower)
    if (known && known !== 'held') return known
    // "Completion is scheduled for": the noun says what.
    if (known) return eventIn(phrase) ?? (by ? 'due' : known)
    return stem(verb.lower)
  }
  return eventIn(phrase)
}

/** Nouns of a time that is set: when they are extended, the date is when something is due. */
const TERMS = /\b(?:deadline|time limit|time for|period|date|timetable|timeline|schedule|term)\b/i
const LASTING = /\b(?:lease|licence|license|permit|facility|agreement|contract|mandate|policy|certificate|waiver|maturity|accreditation)\b/i

/** What is meant by a date that was moved: the noun says it, not the moving. */
function movedEvent(name: string): string | null {
  const known = eventIn(name)
  if (known) return known
  return LASTING.test(name) ? 'expire' : TERMS.test(name) ? 'due' : null
}

/** "We filed the report with the Authority on": the act lies further back; what it is done to, or else who is said to, names it. */
function actBefore(toks: readonly Tok[], at: number): Group | null {
  let v = at
  while (v >= 0 && at - v < 12 && !isAct(toks, v)) {
    if (STOP.test(toks[v]!.gap) || toks[v]!.tag === 'V' || toks[v]!.tag === 'T' || toks[v]!.tag === 'C') return null
    v--
  }
  const verb = toks[v]
  if (!verb || at - v >= 12 || (v < at && STOP.test(toks[v + 1]!.gap))) return null
  let end = v + 1
  while (end <= at && (toks[end]!.tag === 'D' || toks[end]!.tag === 'N' || toks[end]!.tag === 'A' || isOf(toks, end))) end++
  while (end - 1 > v && toks[end - 1]!.tag !== 'N') end--
  if (toks.slice(v, end).some(tok => tok.lower === 'no')) return null
  const passive = BE.has(toks[v - 1]?.lower ?? '') || (toks[v - 1]?.tag === 'A' && BE.has(toks[v - 2]?.lower ?? ''))
  if (passive) {
    const group = groupAt(toks, v)
    return group && { ...group, said: eventOf(verb.lower) === 'appoint' ? toks.slice(v + 1, at + 1).filter(tok => tok.tag === 'N') : [] }
  }
  if (end - 1 > v) return { verbs: [...asked(toks, v), verb], before: end - 1, said: [], negated: false }
  return PRONOUNS.has(toks[v - 1]?.lower ?? '') ? null : { verbs: [verb], before: v - 1, said: [], negated: false }
}

/** "the report of the study": the noun behind belongs to the name. */
const isOf = (toks: readonly Tok[], i: number): boolean =>
  (toks[i]!.lower === 'of' || toks[i]!.lower === 'for') &&
  (toks[i + 1]?.tag === 'D' || toks[i + 1]?.tag === 'N') &&
  !STOP.test(toks[i]!.gap)

/** A verb that is no auxiliary, also the plain form behind "shall", "will" or "to". */
function isAct(toks: readonly Tok[], v: number): boolean {
  const tok = toks[v]!
  if (isVerb(tok)) return !AUXILIARIES.has(tok.lower)
  const left = toks[v - 1]
  return tok.tag === 'N' && left !== undefined && (MODALS.has(left.lower) || (left.lower === 'to' && eventOf(tok.lower) !== null))
}

const MODALS = new Set('will shall must should'.split(' '))

/** "shall submit", "is required to submit": the words before a plain verb say that it lies ahead. */
const asked = (toks: readonly Tok[], v: number): Tok[] => {
  const left = toks[v - 1]
  if (left && MODALS.has(left.lower)) return [left]
  return left?.lower === 'to' ? toks.slice(Math.max(0, v - 2), v) : []
}

/** "Foundry Lane is on schedule for completion in Q1": a noun of happening stands before the date. */
function nounBefore(toks: readonly Tok[], at: number): boolean {
  let j = at
  while (j > 0 && toks[j]!.tag === 'P') j--
  return j < at && isEventNoun(toks[j]!.lower) && !STOP.test(toks[j + 1]!.gap)
}

/** What the sentence is about: the phrase before its first verb. */
function subjectOf(toks: readonly Tok[], until: number): Tok[] {
  const verb = toks.findIndex((tok, k) => k > 0 && k < until && isVerb(tok))
  return verb > 0 ? (phraseLeft(toks, verb - 1)?.words ?? []).filter(word => word.tag === 'N' && !isVerb(word)) : []
}

const ONLY_HOW = new Set('course schedule track target time line way date'.split(' '))

/** "nurses who handle the pump are to be trained": whom the clause between is about. */
function antecedent(toks: readonly Tok[], at: number): number {
  for (let r = at - 1; r > 0 && at - r < 7; r--) {
    if (STOP.test(toks[r + 1]!.gap) || toks[r]!.tag === 'T') return at
    if (/^(?:who|which)$/.test(toks[r]!.lower)) return toks[r - 1]!.tag === 'N' ? r - 1 : at
  }
  return at
}

/** The words that name what the event is of. */
function namedBy(toks: readonly Tok[], group: Group, noun: boolean): Tok[] {
  const phrase = phraseLeft(toks, antecedent(toks, group.before))
  const words = (phrase?.words ?? []).filter(word => word.tag === 'N' && !isVerb(word))
  if (!noun) return words
  const own = words.filter(word => !ONLY_HOW.has(word.lower) && !isEventNoun(word.lower) && eventOf(word.lower) === null)
  const rest = words.filter(word => !ONLY_HOW.has(word.lower))
  return own.length ? rest : [...subjectOf(toks, group.before), ...rest]
}

/** The end of a period that is counted to its end: "by the end of March". */
const EDGE = new Set('end beginning start middle course week early late mid'.split(' '))

/** Where the words before the date end: "by the end of" belongs to it. */
function beforeDate(toks: readonly Tok[], i: number): number {
  let j = i - 1
  while (
    j > 0 &&
    (EDGE.has(toks[j]!.lower) || (toks[j]!.lower === 'of' && EDGE.has(toks[j - 1]?.lower ?? '')) || (toks[j]!.tag === 'D' && j < i - 1))
  )
    j--
  return j
}

/** "was out of service from 3 May to 9 June": what something is for a while. */
function stateBefore(toks: readonly Tok[], at: number): Group | null {
  let j = at - 1
  while (j > 0 && at - j < 6 && !BE.has(toks[j]!.lower) && !STOP.test(toks[j + 1]!.gap) && toks[j]!.tag !== 'V') j--
  const noun = toks[at - 1]
  if (!BE.has(toks[j]?.lower ?? '') || at - j < 2 || noun?.tag !== 'N') return null
  return { verbs: [toks[j]!, { ...noun, tag: 'X' }], before: j - 1, said: [], negated: toks[j + 1]!.lower === 'not' }
}

const MONTH_END = /-01$/

/** Days that begin and end something, not the months or quarters a figure is for. */
const isSpan = ({ grain, from, to }: Period): boolean => grain === 'range' && !(MONTH_END.test(from) && MONTH_END.test(to))

/** Long periods mostly date a figure; only words of happening make them values. */
function mayBeValue(period: Period, group: Group, noun: boolean, moved: boolean): boolean {
  const { grain } = period
  if (moved || grain === 'day' || isShort(period)) return true
  const telling = group.verbs.filter(verb => !AUXILIARIES.has(verb.lower))
  if (grain === 'range') return isSpan(period) && telling.length > 0
  if (grain === 'month') return telling.length > 0 || noun
  return telling.some(verb => eventOf(verb.lower) !== null) || noun
}

function sentenceDate(context: ReadContext, block: Block, clause: Clause, date: ToldDate, before: readonly Tok[]): Draft | null {
  const { toks } = clause
  const { found, period, moved } = date
  const i = toks.findIndex(tok => tok.tag === 'T' && tok.start <= found.start && tok.end >= found.end)
  const at = beforeDate(toks, i)
  // "The letter of 3 May": the day says which letter; "at 3 May" when a figure held.
  if (at < 1 || toks[at]!.lower === 'at' || (toks[at]!.lower === 'of' && !DATED.has(toks[at - 1]!.lower))) return null
  const noun = nounBefore(toks, at)
  const near = verbsBefore(toks, at)
  const act = near === null || near.verbs.length || noun ? null : actBefore(toks, at)
  const group = act ?? (near?.verbs.length || noun || !isSpan(period) ? near : (stateBefore(toks, at) ?? near))
  if (!group || group.before < 0 || !mayBeValue(period, group, noun, moved)) return null
  if (group.negated && !NOT_BEFORE.has(toks[at]!.lower)) return null
  const named = namedBy(toks, group, noun)
  const words = named.length ? named : referred(toks, group.before, before)
  if (!words.length) return null
  const inside = words[0]!.start <= words.at(-1)!.start && words[0]!.start >= 0 && named.length > 0
  const name = inside && !noun ? clause.text.slice(words[0]!.start, words.at(-1)!.end) : words.map(word => word.text).join(' ')
  const event = moved ? movedEvent(name) : (happening(group.verbs, name, toks[at]!.lower === 'by') ?? (noun ? 'held' : null))
  if (!event && !moved) return null
  const after = group.verbs[0]?.start ?? words.at(-1)!.end
  if (clause.values.some(value => value.start >= after && value.end <= found.start)) return null
  const own = [...words, ...group.said].flatMap(word => nameTerms(word.lower))
  // "The start has been postponed": the heading says of what.
  const { terms, weak } = thingOf(own, event, aboveOf(block), context.profile.title)
  if (!terms.length) return null
  const verb = group.verbs.map(tok => tok.lower).join(' ')
  return buildDate(context, block, {
    start: clause.base,
    end: clause.base + clause.text.length,
    text: clause.text,
    name: `${name} ${verb}`.trim(),
    terms: [...new Set(terms)],
    event,
    period,
    prior: date.prior,
    confidence: 0.6,
    frame: 'prose',
    near: `${name} ${verb} ${toks[at]!.lower}`,
    weak: weak && own.filter(term => !namesEvent(term, event)).length <= 1,
  })
}

/** "By the deadline of 14 February": the day is the deadline. */
const DATED = new Set(['deadline', 'date', 'limit'])

/** What stands above a sentence, the label before it included: "Foundry Lane: completion is expected in May". */
const aboveOf = (block: Block): readonly string[] => (block.kind === 'pair' && block.label ? [...block.path, block.label.text] : block.path)

/** "Not revised since 2019", "not given until June": the day is that of the event. */
const NOT_BEFORE = new Set(['since', 'until', 'before'])

/** "It will be held": what the sentence before was about; "removes it and will be available": what this one is about. */
function referred(toks: readonly Tok[], at: number, before: readonly Tok[]): readonly Tok[] {
  if (at > 1 && /^(?:and|but)$/.test(toks[at]?.lower ?? '')) return subjectOf(toks, at)
  return at <= 1 && /^(?:it|this|they)$/.test(toks[at]?.lower ?? '') ? before : []
}

/** Adjectives that say what something is from a day on: "will be available from". */
const STATES = new Set('available open operational vacant live binding'.split(' '))

/** "all measures", "the estimates": behind a determiner stands no verb; behind "is" an adjective is part of it. */
const retagged = (toks: Tok[]): Tok[] =>
  toks.map((tok, i) => {
    const left = toks[i - 1]
    if (!left || tok.gap) return tok
    if (tok.tag === 'X' && left.tag === 'D' && !AUXILIARIES.has(tok.lower)) return { ...tok, tag: 'N' }
    return tok.tag === 'N' && STATES.has(tok.lower) && BE.has(left.lower) ? { ...tok, tag: 'X' } : tok
  })

export function sentenceDates(context: ReadContext, block: Block, start: number, end: number): Draft[] {
  const drafts: Draft[] = []
  let before: readonly Tok[] = []
  for (const span of sentencesOf(context.text, start, end)) {
    const read = clauseOf(context.text, span.start, span.end, context.profile.year)
    const clause = read.periods.length ? { ...read, toks: retagged(read.toks) } : read
    for (const date of clause.periods.length ? datesTold(clause, context.profile.year) : []) {
      const draft = sentenceDate(context, block, clause, date, before)
      if (draft) drafts.push(draft)
    }
    if (span.end < end) before = subjectOf(clause.toks, clause.toks.length)
  }
  return drafts
}
