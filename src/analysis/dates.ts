/** Claims about when something happens: a label or a cell with a date behind it, or a verb of happening before one. */
import type { Block } from './blocks.js'
import { squeeze } from './characters.js'
import { type Clause, clauseOf } from './clause.js'
import { type Draft, type ReadContext, surroundingsOf } from './draft.js'
import { eventIn, eventOf, namesEvent } from './events.js'
import { marksOf } from './marks.js'
import { pattern } from './pattern.js'
import type { FoundPeriod } from './periods.js'
import { phraseLeft } from './phrases.js'
import { modalityIn, roleIn, stanceIn, versionIn } from './roles.js'
import { sentencesOf } from './sentences.js'
import { contextTerms, nameTerms, termsOf } from './slots.js'
import { listsThings } from './table-numbers.js'
import type { Tok } from './tagging.js'
import { isTopic } from './topics.js'
import type { Period } from './types.js'
import { AUXILIARIES, stem } from './words.js'

interface Parts {
  start: number
  end: number
  text: string
  name: string
  terms: string[]
  head?: string | undefined
  event: string | null
  period: Period
  confidence: number
  frame: Draft['frame']
  weak?: boolean
  /** Words near the date that may say it is only expected. */
  near: string
}

const AHEAD = pattern(/\b(?:expected|estimated|target(?:ed)?|projected|anticipated|planned|forecast|proposed)\b/i)

function build(context: ReadContext, block: Block, parts: Parts): Draft | null {
  const around = surroundingsOf(context, block)
  const { period } = parts
  // The event is a mark: two dates of one thing meet only when the same happens at them.
  const terms = parts.terms.filter(term => !namesEvent(term, parts.event))
  const kept = terms.length ? terms : parts.terms
  const head = parts.head && kept.includes(parts.head) ? parts.head : kept.at(-1)
  if (!head) return null
  return {
    start: parts.start,
    end: parts.end,
    terms: kept,
    head,
    attribute: squeeze(parts.name).slice(0, 120),
    marks: [...marksOf(parts.name), ...(parts.event ? [`event:${parts.event}`] : [])],
    // What is scheduled for a day begins on it.
    aboveMarks: [
      ...around.marks,
      ...context.profile.marks,
      ...(parts.event === 'held' ? ['event:start'] : parts.event === 'start' ? ['event:held'] : []),
    ],
    context: [...new Set([...contextTerms(parts.text, 32), ...around.context])].slice(0, 56),
    role: roleIn(parts.name) === 'scenario' ? 'scenario' : AHEAD.test(parts.near) ? 'forecast' : 'actual',
    period: null,
    periodExplicit: false,
    polarity: 'affirmed',
    modality: modalityIn(parts.text),
    value: { type: 'date', from: period.from, to: period.to, grain: period.grain },
    valueText: period.label,
    confidence: parts.confidence,
    stance: stanceIn(parts.text, false),
    prior: null,
    version: versionIn(parts.name),
    frame: parts.frame,
    subjectText: parts.text,
    part: null,
    parents: [...block.path].reverse(),
    denominator: null,
    // "Completion is scheduled for" names the event alone, which is enough; a bare "contract" is not.
    weak: parts.weak === true && !marksOf(parts.name).length,
  }
}

const LEAD =
  /^[\s("]*(?:(?:by|on|from|until|due|scheduled|expected|estimated|approximately|to|begin|for|in|end|of|immediate|completed?|effective|the|valid|expires|expiring|no later than)[\s(:]*)*$/i

/** What a label names; a label that is only an event takes what stands above it: "Target completion" of what? */
function labelTerms(label: string, path: readonly string[]): string[] {
  const own = termsOf(label)
  const event = eventIn(label)
  return own.some(term => !namesEvent(term, event) && !THIN.has(term)) ? own : [...termsOf(path.at(-1) ?? ''), ...own]
}

const THIN = new Set('time milestone next target review original revised'.split(' ').map(word => stem(word)))

export function pairDates(context: ReadContext, block: Block): Draft[] {
  const label = block.label!.text
  const clause = clauseOf(context.text, block.body.start, Math.min(block.body.end, block.body.start + 200), context.profile.year)
  const sentence = sentencesOf(context.text, block.body.start, block.body.end)[0]
  const end = sentence?.end ?? block.end
  const make = (found: FoundPeriod, event: string | null, near: string): Draft[] => {
    const terms = labelTerms(label, block.path)
    const parts = { start: block.start, end, text: `${label}: ${clause.text}`, name: label, terms, event, near, period: found.period }
    const draft = terms.length ? build(context, block, { ...parts, confidence: 0.8, frame: 'pair' }) : null
    return draft ? [draft] : []
  }
  const first = clause.periods[0]
  if (!first) return []
  const lead = clause.text.slice(0, first.start)
  if (first.start <= 30 && LEAD.test(lead)) {
    if (first.period.grain === 'year' && !/\byear\b/i.test(label)) return []
    return make(first, /^\s*by\b/i.test(lead) ? 'due' : (eventIn(label) ?? eventIn(lead)), `${label} ${lead}`)
  }
  // "ISO 22000, valid until 30 November 2026": the body says what happens to the thing the label names.
  for (const found of clause.periods.slice(0, 3)) {
    if (!isDay(found.period)) continue
    const left = clause.text.slice(Math.max(0, found.start - 24), found.start)
    const event = eventIn(/[^,;(]*$/.exec(left)?.[0] ?? '')
    if (event && found.start <= 60 && label.split(/\s+/).length <= 6) return make(found, event, left)
  }
  return []
}

/** A day, a month, or the few days something lasts. */
const isDay = (period: Period): boolean => period.grain === 'day' || period.grain === 'month' || isShort(period)

const DEADLINE =
  /^(?:target(?: date)?|due(?: date| by| on)?|deadline|by when|time limit|planned (?:date|for|end)|to be done by|complete by)$/i

/** Cells that are dates: row and column say of what and which. */
export function rowDates(context: ReadContext, block: Block): Draft[] {
  const label = block.label!.text
  const drafts: Draft[] = []
  for (const cell of block.cells.slice(0, 24)) {
    if (!/\d/.test(cell.text) || cell.text.length > 40) continue
    const clause = clauseOf(context.text, cell.start, cell.end, context.profile.year)
    const found = clause.periods[0]
    const lead = clause.text.slice(0, found?.start ?? 0)
    if (!found || !LEAD.test(lead) || !isDay(found.period)) continue
    const name = [label, cell.header].filter(Boolean).join(' · ')
    // A column of deadlines says when each row is due, whatever else its label names.
    const deadline = DEADLINE.test(cell.header) || /^by\b/i.test(lead)
    const event = deadline ? 'due' : (eventIn(cell.header) ?? eventIn(label))
    const terms = [...termsOf(label), ...(deadline ? [] : termsOf(cell.header))]
    const near = deadline ? label : name
    const parts = { start: block.start, end: block.end, text: name, name, terms, event, near, period: found.period }
    const head = listsThings(block) ? termsOf(label).at(-1) : undefined
    const draft = build(context, block, { ...parts, head, confidence: 0.8, frame: 'cell' })
    if (draft) drafts.push(draft)
  }
  return drafts
}

const isVerb = (tok: Tok | undefined): boolean =>
  tok !== undefined && (tok.tag === 'X' || (tok.tag === 'N' && (/^[a-z]{3,}ed$/.test(tok.lower) || VERBS.has(tok.lower))))
const VERBS = new Set(
  'valid due effective take takes took place sent built held left given made taken brought begun arrived scheduled'.split(' '),
)
/** "was last changed in June" */
const RECENT = new Set('last first next finally originally'.split(' '))
const STOP = /[,;:()—–|]/

/** The verb group that ends at `j`, with a place between it and the date skipped: "arrived at Leixoes on". */
function verbsBefore(toks: readonly Tok[], at: number): { verbs: Tok[]; before: number } | null {
  let j = at
  while (j >= 0 && (toks[j]!.tag === 'P' || toks[j]!.tag === 'D' || toks[j]!.tag === 'A') && !STOP.test(toks[j + 1]!.gap)) j--
  if (j < 0 || STOP.test(toks[j + 1]!.gap)) return null
  if (!isVerb(toks[j])) {
    let k = j
    while (k > 0 && toks[k]!.tag === 'N' && !isVerb(toks[k]) && !STOP.test(toks[k]!.gap) && j - k < 4) k--
    while (k > 0 && toks[k]!.tag === 'D') k--
    if (toks[k]?.tag !== 'P' || toks[k]!.lower === 'of' || !isVerb(toks[k - 1])) return { verbs: [], before: j }
    j = k - 1
  }
  const verbs: Tok[] = []
  while (
    j >= 0 &&
    (isVerb(toks[j]) ||
      toks[j]!.tag === 'A' ||
      (RECENT.has(toks[j]!.lower) && isVerb(toks[j - 1])) ||
      (verbs.length > 0 && toks[j]!.lower === 'to' && isVerb(toks[j - 1])))
  ) {
    const tok = toks[j]!
    if (isVerb(tok)) verbs.unshift(tok)
    j--
    // "one warehouse, completed in 2006" may be said of anything before.
    if (STOP.test(tok.gap)) return AUXILIARIES.has(tok.lower) ? { verbs, before: j } : null
  }
  return { verbs, before: j }
}

/** What happens: the last telling verb, else a word of the phrase before it. */
function happening(verbs: readonly Tok[], phrase: string): string | null {
  for (const verb of [...verbs].reverse()) {
    if (AUXILIARIES.has(verb.lower)) continue
    const known = eventOf(verb.lower)
    if (known && known !== 'held') return known
    // "Completion is scheduled for": the noun says what.
    if (known) return eventIn(phrase) ?? known
    return stem(verb.lower)
  }
  return eventIn(phrase)
}

const MOVED = new Set('postponed moved extended rescheduled changed delayed deferred brought shifted'.split(' '))

function lastDay(range: Period): Period {
  const day = new Date(Date.parse(range.to) - 86_400_000).toISOString().slice(0, 10)
  return { label: day, from: day, to: range.to, grain: 'day' }
}

/** A hearing of some days is dated by them; a year or a quarter is not. */
const isShort = ({ grain, from, to }: Period): boolean => grain === 'range' && Date.parse(to) - Date.parse(from) <= 31 * 86_400_000

const PRONOUNS = new Set('we i they he she it you who which'.split(' '))

/** "We filed the report with the Authority on": the act lies further back; what it is done to, or else who is said to, names it. */
function actBefore(toks: readonly Tok[], at: number): { verbs: Tok[]; before: number } | null {
  let v = at
  while (v >= 0 && at - v < 12 && !(isVerb(toks[v]) && !AUXILIARIES.has(toks[v]!.lower))) {
    if (STOP.test(toks[v]!.gap) || toks[v]!.tag === 'V' || toks[v]!.tag === 'T' || toks[v]!.tag === 'C') return null
    v--
  }
  const verb = toks[v]
  if (!verb || at - v >= 12 || !isVerb(verb) || (v < at && STOP.test(toks[v + 1]!.gap))) return null
  const passive = BE.has(toks[v - 1]?.lower ?? '') || (toks[v - 1]?.tag === 'A' && BE.has(toks[v - 2]?.lower ?? ''))
  if (passive) return verbsBefore(toks, v)
  let end = v + 1
  while (end <= at && (toks[end]!.tag === 'D' || toks[end]!.tag === 'N' || toks[end]!.tag === 'A')) end++
  while (end - 1 > v && toks[end - 1]!.tag !== 'N') end--
  if (end - 1 > v) return { verbs: [verb], before: end - 1 }
  return PRONOUNS.has(toks[v - 1]?.lower ?? '') ? null : { verbs: [verb], before: v - 1 }
}

const BE = new Set('is are was were be been being'.split(' '))

function sentenceDate(context: ReadContext, block: Block, clause: Clause, found: FoundPeriod): Draft | null {
  const { grain } = found.period
  const i = clause.toks.findIndex(tok => tok.tag === 'T' && tok.start <= found.start && tok.end >= found.end)
  if (i < 1) return null
  const near = verbsBefore(clause.toks, i - 1)
  const act = near === null || near.verbs.length ? null : actBefore(clause.toks, i - 1)
  const group = act ?? near
  if (!group || group.before < 0) return null
  // "postponed from 1 June to 15 September" is a move, not a range.
  const moved = grain === 'range' && group.verbs.some(verb => MOVED.has(verb.lower)) ? lastDay(found.period) : null
  if (grain === 'range' && !moved && !isShort(found.period)) return null
  const phrase = phraseLeft(clause.toks, group.before)
  if (!phrase) return null
  const words = phrase.words.filter(word => word.tag === 'N' && !isVerb(word))
  const name = words.length ? clause.text.slice(words[0]!.start, words.at(-1)!.end) : ''
  const event = happening(group.verbs, name)
  if (!event || !name) return null
  // A quarter or year mostly dates a figure; only words of happening make it a value.
  if (grain !== 'day' && grain !== 'month' && !moved && !isShort(found.period) && !group.verbs.some(verb => eventOf(verb.lower) !== null))
    return null
  if (grain !== 'day' && !group.verbs.some(verb => !AUXILIARIES.has(verb.lower))) return null
  if (clause.values.some(value => value.start >= words[0]!.start && value.end <= found.start)) return null
  const own = words.flatMap(word => nameTerms(word.lower))
  // "The start has been postponed": the heading says of what.
  const terms = own.every(term => namesEvent(term, event)) ? [...termsOf(block.path.at(-1) ?? ''), ...own] : own
  if (!terms.length) return null
  const verb = group.verbs.map(tok => tok.lower).join(' ')
  return build(context, block, {
    start: clause.base,
    end: clause.base + clause.text.length,
    text: clause.text,
    name: `${name} ${verb}`.trim(),
    terms: [...new Set(terms)],
    event,
    period: moved ?? found.period,
    confidence: 0.6,
    frame: 'prose',
    near: `${name} ${verb}`,
    weak: own.filter(term => !namesEvent(term, event)).length === 1 && !own.some(term => isTopic(term) && !namesEvent(term, event)),
  })
}

export function sentenceDates(context: ReadContext, block: Block, start: number, end: number): Draft[] {
  const drafts: Draft[] = []
  for (const span of sentencesOf(context.text, start, end)) {
    const clause = clauseOf(context.text, span.start, span.end, context.profile.year)
    for (const found of clause.periods.slice(0, 6)) {
      const draft = sentenceDate(context, block, clause, found)
      if (draft) drafts.push(draft)
    }
  }
  return drafts
}
