/** Claims about when something happens that stand behind a label or in a cell. */
import type { Block } from './blocks.js'
import { isNote } from './cell-kinds.js'
import { type Clause, clauseOf } from './clause.js'
import { buildDate, tells, thingOf } from './date-draft.js'
import type { Draft, ReadContext } from './draft.js'
import { eventIn, eventOf, happeningIn, tellingEvent } from './events.js'
import { isMarkKind } from './marks.js'
import { datesTold, type ToldDate } from './moved-dates.js'
import { inDays } from './relate-dates.js'
import { sentencesOf } from './sentences.js'
import { termsOf } from './slots.js'
import type { Period } from './types.js'
import { stem, wordsOf } from './words.js'

const LEADING = new Set(
  'since in use operation service place force by on from until due scheduled expected estimated approximately to for in end of immediate effective the no not later than now moved extended revised postponed at was is been has'.split(
    ' ',
  ),
)

/** Whether the words before a date only lead to it or say what happens then: "by", "expired on". */
function leads(lead: string): boolean {
  const words = wordsOf(lead)
  return words.length <= 5 && words.every(({ lower }) => LEADING.has(lower) || eventOf(lower) !== null) && !/[^\s("':\p{L}]/u.test(lead)
}

/** "in use since": what is in use began to be. */
const leadEvent = (lead: string): string | null =>
  /\bin (?:use|operation|service|place|force|effect)\b.{0,12}\bsince\b/i.test(lead) ? 'start' : eventIn(lead)

/** "Year of construction", "Year built": the year is what the label asks for. */
const YEARLY = /\byear\b|\b(?:built|constructed|founded|established|maturity|expiry|since)\b/i

/** Whether a label may be answered by a period as long as this one. */
function answers(label: string, { grain }: Period): boolean {
  if (grain === 'year')
    return (YEARLY.test(label) || LAST.test(label)) && !/^(?:financial |fiscal |reporting |calendar )?years?$/i.test(label.trim())
  return true
}

export function pairDates(context: ReadContext, block: Block): Draft[] {
  const label = block.label!.text
  const clause = clauseOf(context.text, block.body.start, Math.min(block.body.end, block.body.start + 200), context.profile.year)
  if (!clause.periods.length) return []
  const sentence = sentencesOf(context.text, block.body.start, block.body.end)[0]
  const end = sentence?.end ?? block.end
  const told = datesTold(clause, context.profile.year)
  const make = (date: ToldDate, event: string | null, near: string): Draft[] => {
    const own = termsOf(bare(label.replace(SPAN, ' '))).filter(term => term !== event)
    const { terms } = thingOf(own, event, block.path, context.profile.title)
    const text = `${label}: ${clause.text}`
    const head = headOf(label)
    const parts = { start: block.start, end, text, name: label, terms, head, event, near, period: date.period, prior: date.prior }
    const times = { ...(LAST.test(label) ? ({ times: 'last' } as const) : {}), bare: !own.some(term => tells(term, event)) }
    const draft = terms.length ? buildDate(context, block, { ...parts, ...times, confidence: 0.8, frame: 'pair' }) : null
    return draft ? withBegin(draft) : []
  }
  const first = told[0]
  if (!first) return []
  const span = SPAN.test(label) ? spanOf(clause, told) : null
  if (span) return make({ ...first, period: span }, 'expire', label)
  const lead = clause.text.slice(0, first.found.start)
  if (first.found.start <= 30 && leads(lead)) {
    if (!answers(`${label} ${eventIn(lead) ? 'year' : ''}`, first.period)) return []
    return make(
      first,
      /^\s*by\b/i.test(lead) ? 'due' : (tellingEvent(lead) ?? eventIn(label) ?? leadEvent(lead) ?? doneIn(label) ?? happeningIn(label)),
      `${label} ${lead}`,
    )
  }
  // "ISO 22000, valid until 30 November 2026": the body says what happens to the thing the label names.
  for (const date of told.slice(0, 3)) {
    if (!isDay(date.period)) continue
    const left = clause.text.slice(Math.max(0, date.found.start - 24), date.found.start)
    const said = /[^,;(]*$/.exec(left)?.[0] ?? ''
    if (/\bof\s$/i.test(said)) continue
    // "Head of works: T. Olsen, since 2 March": who holds a post was appointed to it.
    const since = /^\s?since\s$/i.test(said) && /^\p{Lu}/u.test(clause.text) ? 'appoint' : null
    const event = date.moved ? eventIn(label) : (eventIn(said) ?? since)
    const near = date.found.start <= 60 || (date.moved && date.prior !== null)
    if ((event || date.moved) && near && label.split(/\s+/).length <= 6) return make(date, event ?? 'due', left)
  }
  return []
}

/** "Year of construction (builder's plates)": what stands in parentheses does not name it. */
const bare = (label: string): string => {
  const outside = label.replace(/\([^()]{0,160}\)/g, ' ')
  return termsOf(outside).every(isMarkKind) ? label : outside
}

/** The noun that heads a label: what stands before its first preposition. */
const headOf = (label: string): string | undefined => termsOf(label.split(/\s(?:of|for|in|on|to|from|with|at|by|under)\s/i, 1)[0]!).at(-1)

const NO_PARTICIPLES = new Set('speed need seed feed breed garden kitchen children'.split(' '))

/** "Samples taken": what was done to the thing. */
function doneIn(label: string): string | null {
  const done = /\s(\p{Ll}{3,}(?:ed|en|wn))\s*$/u.exec(label)?.[1]
  return done && !NO_PARTICIPLES.has(done) ? stem(done) : null
}

/** A day, a month, or the few days something lasts. */
const isDay = (period: Period): boolean => period.grain === 'day' || period.grain === 'month' || isShort(period)

/** A hearing of some days is dated by them; a year or a quarter is not. */
export const isShort = ({ grain, from, to }: Period): boolean => grain === 'range' && Date.parse(to) - Date.parse(from) <= 31 * 86_400_000

const DEADLINE =
  /^(?:target(?: date)?|due(?: date| by| on)?|deadline|by|by when|time limit|planned (?:date|for|end)|to be done by|complete by|(?:new|old|original|revised|previous|current) (?:date|due date|deadline|target))$/i

/** Cells that are dates: row and column say of what and which. */
export function rowDates(context: ReadContext, block: Block): Draft[] {
  const label = block.label!.text
  const drafts: Draft[] = []
  for (const cell of block.cells.slice(0, 24)) {
    if (!/\d/.test(cell.text) || cell.text.length > 60) continue
    const clause = clauseOf(context.text, cell.start, cell.end, context.profile.year)
    const told = clause.periods.length ? datesTold(clause, context.profile.year) : []
    const date = told[0]
    const lead = clause.text.slice(0, date?.found.start ?? 0)
    if (!date || !leads(lead) || isNote(cell.header)) continue
    const name = [label, cell.header].filter(Boolean).join(' · ')
    const span = SPAN.test(label) || SPAN.test(cell.header) ? spanOf(clause, told) : null
    // A column of deadlines says when each row is due, whatever else its label names.
    const deadline = DEADLINE.test(cell.header.trim()) || /^by\b/i.test(lead)
    const event = span ? 'expire' : deadline ? 'due' : (leadEvent(lead) ?? eventIn(`${cell.header} ${label}`))
    const period = span ?? date.period
    if (!isDay(period) && !(event && answers(name, period))) continue
    const own = [...termsOf(bare(label.replace(SPAN, ' '))), ...(deadline || eventIn(lead) ? [] : termsOf(cell.header))]
    const { terms } = thingOf(own, event, block.path, context.profile.title)
    const near = deadline ? `due ${label}` : `${name} ${lead}`
    const parts = { start: block.start, end: block.end, text: name, name, terms, event, near, period, prior: date.prior }
    const head = headOf(label)
    const draft = buildDate(context, block, { ...parts, head, confidence: 0.8, frame: 'cell' })
    if (draft) drafts.push(...(span ? withBegin(draft) : [draft]))
  }
  return withOlder(drafts)
}

const LAST = /\b(?:last|latest)\b/i
const TERM =
  /\b(?:term|validity|duration|currency|runs|(?:policy|cover|insurance|contract|lease|warranty|guarantee|licence|license|permit|funding|grant|charter|subscription|tenancy) period|period of (?:insurance|cover|validity|the (?:lease|contract|licence|charter)))\b/i

/** "Contract start / end", "Payable from / until" */
const SPAN =
  /\b(?:from|start|begin|beginning|commencement|inception|first day)\s?(?:date\s?)?(?:\/|and|[-–—]|to|or)\s?(?:until|till|to|end|ending|expiry|termination|last day)\b/i
const JOINT = /^\s?(?:\/|;|,|and|to|until|[-–—])\s?$/

/** The two dates behind such a label as one stretch of time. */
function spanOf(clause: Clause, told: readonly ToldDate[]): Period | null {
  const [from, to] = told
  if (from?.period.grain === 'range') return from.period
  if (!from || !to || from.period.from >= to.period.from || !JOINT.test(clause.text.slice(from.found.end, to.found.start))) return null
  return { label: `${from.period.from} to ${to.period.label}`, from: from.period.from, to: to.period.to, grain: 'range' }
}

/** "The policy runs from D1 to D2": it begins on the one day and ends on the other. */
export function withBegin(draft: Draft): Draft[] {
  const { value, marks } = draft
  if (value.type !== 'date' || value.grain !== 'range' || !(marks.includes('event:expire') || TERM.test(draft.attribute))) return [draft]
  const others = marks.filter(mark => !mark.startsWith('event:'))
  const day = (at: string): Draft['value'] => ({ type: 'date', from: at, to: dayAfter(at, 1), grain: 'day' })
  const last = dayAfter(value.to, -1)
  return [
    { ...draft, value: day(last), valueText: last, marks: [...others, 'event:expire'], mood: 'open' },
    { ...draft, value: day(value.from), valueText: value.from, marks: [...others, 'event:start'] },
  ]
}

const dayAfter = (day: string, days: number): string => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/** A row that gives the older and the newer date of one event cites the one in the other. */
function withOlder(drafts: Draft[]): Draft[] {
  const fresh = drafts.filter(draft => draft.version === 'new')
  const old = drafts.filter(draft => draft.version === 'old')
  const [now, before] = [fresh[0], old[0]]
  if (!now || !before || fresh.length !== 1 || old.length !== 1 || before.value.type !== 'date') return drafts
  now.prior ??= inDays(before.value)
  return drafts
}
