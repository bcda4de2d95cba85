/** Claims about when something happens in sentences: a verb or a noun of happening before a date, and what it happens to. */
import type { Block } from './blocks.js'
import { type Clause, clauseOf } from './clause.js'
import { buildDate, thingOf } from './date-draft.js'
import { edgeOf, happening, LIGHT, movedEvent } from './date-events.js'
import { frameOf } from './date-frames.js'
import { sidesOf } from './date-sides.js'
import {
  actBefore,
  actBehind,
  antecedent,
  type Group,
  groupAt,
  headOf,
  isVerb,
  type Lead,
  leadTo,
  nounBefore,
  retagged,
  stateBefore,
  subjectOf,
  timeMarks,
  timesOf,
  verbsBefore,
} from './date-verbs.js'
import { isShort, withBegin } from './dates.js'
import type { Draft, ReadContext } from './draft.js'
import { eventIn, eventOf, happeningIn, isEventNoun, isKnown, isOccasion, namesEvent, recurs } from './events.js'
import { datesTold, type ToldDate } from './moved-dates.js'
import { NOMINALS } from './nominals.js'
import { phraseLeft } from './phrases.js'
import { sentencesOf } from './sentences.js'
import { nameTerms } from './slots.js'
import type { Tok } from './tagging.js'
import type { Period } from './types.js'
import { AUXILIARIES, stem } from './words.js'

const ONLY_HOW = new Set('course schedule track target time line way date'.split(' '))

/** The words that name what the event is of. */
function namedBy(toks: readonly Tok[], group: Group, noun: boolean): Tok[] {
  const at = antecedent(toks, group.before)
  // "Boiler 2 was": the number belongs to the noun.
  const phrase = phraseLeft(toks, toks[at]?.tag === 'V' && toks[at - 1]?.tag === 'N' ? at - 1 : at)
  const owner = phrase && toks[phrase.from - 1]?.lower === 'whose' ? (phraseLeft(toks, phrase.from - 2)?.words ?? []) : []
  const words = [...owner, ...(phrase?.words ?? [])].filter(word => word.tag === 'N' && !isVerb(word))
  if (!noun) return words
  const own = words.filter(word => !ONLY_HOW.has(word.lower) && !isEventNoun(word.lower) && eventOf(word.lower) === null)
  const rest = words.filter(word => !ONLY_HOW.has(word.lower))
  return own.length ? rest : [...subjectOf(toks, group.before), ...rest]
}

const MONTH_END = /-01$/

/** Days that begin and end something, not the months or quarters a figure is for. */
const isSpan = ({ grain, from, to }: Period): boolean => grain === 'range' && !(MONTH_END.test(from) && MONTH_END.test(to))

/** Long periods mostly date a figure; only words of happening make them values. */
function mayBeValue(period: Period, group: Group, event: string | null, noun: boolean, moved: boolean): boolean {
  const { grain } = period
  if (moved || grain === 'day' || isShort(period) || group.event) return true
  const telling = group.verbs.filter(verb => !AUXILIARIES.has(verb.lower))
  if (grain === 'range') return (isSpan(period) || event === 'expire') && telling.length > 0
  if (grain === 'month') return telling.length > 0 || noun
  const known = telling.length > 0 && event !== null && isKnown(event)
  return known || noun || group.last === true || (group.negated && telling.length > 0)
}

/** "The last renewal of the roof was in 2009": a noun says what happened. */
const isTold = (group: Group, lead: Lead, name: string): boolean =>
  /^(?:in|on)$/.test(lead.by) &&
  group.verbs.length > 0 &&
  group.verbs.every(tok => AUXILIARIES.has(tok.lower)) &&
  ((eventIn(name) ?? happeningIn(name)) !== null || isOccasion(name))

/** The words of happening that belong to a date. */
function groupOf(toks: readonly Tok[], i: number, lead: Lead, period: Period, noun: boolean): Group | null {
  const { at, within } = lead
  if (at < 1) return actBehind(toks, i, period.grain === 'day' ? 'on' : 'in')
  const frame = period.grain === 'day' || period.grain === 'month' ? frameOf(toks, i, lead) : null
  if (frame) return frame
  // "The letter of 3 May": the day says which letter; "at 3 May" when a figure held.
  if (lead.by === 'at' || (toks[at]!.lower === 'of' && !DATED.has(toks[at - 1]!.lower))) return null
  const near = within ? null : verbsBefore(toks, at)
  const told = near?.verbs.some(verb => !AUXILIARIES.has(verb.lower)) === true
  const state = !told && (isSpan(period) || lead.by === 'since') ? stateBefore(toks, at) : null
  if (!state && (near?.verbs.length || noun)) return near
  return state ?? (near === null && !within ? null : actBefore(toks, at)) ?? near
}

/** "The permit takes effect on": the noun is what happens, not what it happens to. */
function ofSubject(toks: readonly Tok[], { verbs, before }: Group): Tok[] | null {
  const verb = verbs.at(-1)
  if (!verb || !LIGHT.has(verb.lower) || toks[before]!.start < verb.start) return null
  const v = toks.indexOf(verb)
  const noun = toks.slice(v + 1, v + 4).find(tok => tok.tag === 'N')
  if (eventOf(toks[before]!.lower) === null && eventOf(noun?.lower ?? '') === null) return null
  const at = groupAt(toks, v)?.before ?? -1
  const own = phraseLeft(toks, antecedent(toks, at))?.words.filter(word => word.tag === 'N' && !isVerb(word))
  return own?.length ? own : subjectOf(toks, before)
}

/** "The meeting is on 9 June": that it is then is all that happens. */
const isThen = (verbs: readonly Tok[], lead: Lead): boolean =>
  lead.by === 'on' && verbs.length > 0 && verbs.every(tok => AUXILIARIES.has(tok.lower))

const GIVEN = new Set('given stated recorded shown put reported entered'.split(' '))
const DAYS = /\b(?:date|day|cut-?off|limit|milestone)\b/i

/** "The data cut-off was 30 November", "is given as 15 December": the date is what the name asks for. */
const isGiven = (verbs: readonly Tok[], { by }: Lead, name: string): boolean =>
  DAYS.test(name) && (AUXILIARIES.has(by) || (by === 'as' && verbs.some(({ lower }) => GIVEN.has(lower))))

function eventAt(group: Group, lead: Lead, name: string, said: string, noun: boolean): string | null {
  if (isGiven(group.verbs, lead, name)) return eventIn(name)
  const told = happening(group.verbs, name, said, lead.by === 'by')
  const event = told !== null && !group.negated && !noun ? edgeOf(told, lead.by) : told
  return event ?? (noun || isThen(group.verbs, lead) || (group.verbs.length > 0 && lead.by === 'in' && isOccasion(name)) ? 'held' : null)
}

function sentenceDate(context: ReadContext, block: Block, clause: Clause, date: ToldDate, before: Before): Draft | null {
  const { toks } = clause
  const { found, period, moved } = date
  const i = toks.findIndex(tok => tok.tag === 'T' && tok.start <= found.start && tok.end >= found.end)
  const lead = leadTo(toks, i)
  const noun = lead.at > 0 && nounBefore(toks, lead.at)
  const group = groupOf(toks, i, lead, period, noun)
  if (!group || group.before < 0) return null
  if ((group.negated && !NOT_BEFORE.has(lead.by)) || isSupposed(clause.text, group)) return null
  const named = group.words ?? ofSubject(toks, group) ?? namedBy(toks, group, noun)
  const words = named.length ? named : referred(toks, group.before, before)
  if (!words.length || (!group.verbs.length && !noun && !group.event)) return null
  const number = toks[toks.indexOf(words.at(-1)!) + 1]
  const end = number?.tag === 'V' && !number.gap ? number.end : words.at(-1)!.end
  const name = named.length && !noun ? clause.text.slice(words[0]!.start, end) : words.map(word => word.text).join(' ')
  const last = group.verbs.at(-1)
  const said = last && last.end <= found.start ? clause.text.slice(last.end, found.start) : ''
  const event = group.event ?? (moved ? movedEvent(name) : eventAt(group, lead, name, said, noun))
  if (
    (!event && !moved && !isGiven(group.verbs, lead, name)) ||
    !(mayBeValue(period, group, event, noun, moved) || isTold(group, lead, name))
  )
    return null
  const after = group.verbs[0]?.start ?? words.at(-1)!.end
  if (!lead.within && !moved && clause.values.some(value => value.start >= after && value.end <= found.start)) return null
  // "The start has been postponed": the heading says of what.
  const first = group.first || FOR_THE_FIRST.test(said) ? nameTerms('first') : []
  const own = [...first, ...termsIn([...words, ...group.said])]
  const { terms, weak } = thingOf(own, event, aboveOf(block), context.profile.title)
  if (!terms.length || isOwnDate(words, event)) return null
  const isLast = group.last || (group.negated && lead.by === 'since') || LAST.test(name)
  const many = (recurs(event) || isSpan(period)) && !ONE.test(name) ? 'many' : undefined
  const times = isLast ? 'last' : (timesOf(toks, words) ?? many)
  const verb = `${group.verbs.map(tok => tok.lower).join(' ')}${group.ahead ? ' to' : ''}`
  return buildDate(context, block, {
    start: clause.base,
    end: clause.base + clause.length,
    text: clause.text,
    name: `${name} ${verb}`.trim(),
    terms: [...new Set(terms)],
    event,
    period,
    prior: date.prior,
    head: noun ? undefined : nameTerms(headOf(toks, words)?.lower ?? '').at(-1),
    marks: [...timeMarks(toks, words, group.verbs, i), ...placeIn(said), ...sidesOf(toks, group, said)],
    ...(times ? { times } : {}),
    alike: otherWords(event, words),
    confidence: 0.6,
    frame: 'prose',
    near: `${name} ${verb}`,
    verb: `${verb}${/^,? at the latest\b/i.test(clause.text.slice(found.end, found.end + 20)) ? ' at the latest' : ''} ${lead.by}`,
    ...(moved ? { moved } : {}),
    weak: weak && own.filter(term => !namesEvent(term, event)).length <= 1,
  })
}

const FOR_THE_FIRST = /\bfor the first time\b/i
const LAST = /\b(?:last|latest|most recent)\b/i
const ONE = /\b(?:first|final|next)\b/i

/** "The report was issued on": papers tell when they were written, and each is another. */
const PAPERS = new Set(
  'report reports letter letters notice document documents memo email e-mail message statement minutes paper note'.split(' '),
)
const isOwnDate = (words: readonly Tok[], event: string | null): boolean =>
  words.every(word => PAPERS.has(word.lower)) && (event === 'issue' || event === 'send' || event === 'receive')

/** "The dismissal took place" and "was dismissed": a noun of happening stands for its verb. */
function otherWords(event: string | null, words: readonly Tok[]): string[] {
  if (event === null || event === 'due') return []
  if (event !== 'held') return isKnown(event) ? [] : ['held']
  return words.slice(0, 4).map(word => {
    const done = NOMINALS.get(word.lower) ?? word.lower
    return eventOf(done) ?? stem(done)
  })
}

/** Words that elsewhere say what kind of figure it is are all there is to name: "the report was due". */
function termsIn(words: readonly Tok[]): string[] {
  const terms = words.flatMap(word => nameTerms(word.lower))
  return terms.length ? terms : words.map(word => stem(word.lower))
}

/** "If the option is used, it ends on", "may be ended on": what could be is no date of anything. */
const isSupposed = (text: string, { verbs }: Group): boolean =>
  /^(?:if|unless|in case|provided|should)\b/i.test(text) || verbs.some(({ lower }) => /^(?:may|might|could|would)$/.test(lower))

/** Where it happens, if that is told: "approved in the EU on". */
const placeIn = (said: string): string[] => {
  const place = /\b(?:in|at)\s(?:the\s)?(\p{Lu}\p{L}+)/u.exec(said)?.[1]
  return place ? [`at:${place.toLowerCase()}`] : []
}

/** "By the deadline of 14 February": the day is the deadline. */
const DATED = new Set(['deadline', 'date', 'limit'])

/** What stands above a sentence, the label before it included: "Foundry Lane: completion is expected in May". */
const aboveOf = (block: Block): readonly string[] => (block.kind === 'pair' && block.label ? [...block.path, block.label.text] : block.path)

/** "Not revised since 2019", "not given until June": the day is that of the event. */
const NOT_BEFORE = new Set(['since', 'until', 'before'])

/** "It will be held": what the sentence before was about; "removes it and will be available": what this one is about. */
function referred(toks: readonly Tok[], at: number, before: Before): readonly Tok[] {
  if (at > 1 && /^(?:and|but)$/.test(toks[at]?.lower ?? '')) return subjectOf(toks, at)
  // "the crane was still standing; it was taken down"
  if (at > 1 && /^(?:it|they)$/.test(toks[at]!.lower) && /;/.test(toks[at]!.gap)) return subjectOf(toks, at)
  // "mistaken about the review: it was completed"
  if (at > 1 && /^(?:it|they)$/.test(toks[at]!.lower) && /:/.test(toks[at]!.gap)) return phraseLeft(toks, at - 1)?.words ?? []
  if (at > 1 || !/^(?:it|this|they)$/.test(toks[at]?.lower ?? '') || !before) return []
  return before.label ? (phraseLeft(before.toks, before.toks.length - 1)?.words ?? []) : subjectOf(before.toks, before.toks.length)
}

/** The sentence before, or the words before a colon. */
type Before = { toks: readonly Tok[]; label: boolean } | null

function labelBefore(context: ReadContext, block: Block): Before {
  if (block.kind !== 'pair' || !block.label) return null
  const { toks } = clauseOf(context.text, block.label.start, block.label.end, context.profile.year)
  return { toks, label: true }
}

export function sentenceDates(context: ReadContext, block: Block, start: number, end: number): Draft[] {
  const drafts: Draft[] = []
  let before = labelBefore(context, block)
  for (const span of sentencesOf(context.text, start, end)) {
    const read = clauseOf(context.text, span.start, span.end, context.profile.year)
    const clause = read.periods.length ? { ...read, toks: retagged(read.toks) } : read
    // A request says nothing of when anything happens.
    for (const date of clause.periods.length && !/^please\b/i.test(clause.text) ? datesTold(clause, context.profile.year) : []) {
      const draft = sentenceDate(context, block, clause, date, before)
      if (draft) drafts.push(...withBegin(draft))
    }
    before = { toks: clause.toks, label: false }
  }
  return drafts
}
