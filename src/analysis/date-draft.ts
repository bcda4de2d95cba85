/** How a date with the name of its event becomes a draft, and whether it tells what was, what is planned or until when it is due. */
import type { Block } from './blocks.js'
import { squeeze } from './characters.js'
import { type Draft, type ReadContext, surroundingsOf } from './draft.js'
import { eventOf, isOnce, isSet, kinOf, namesEvent, namesHappening } from './events.js'
import { marksOf } from './marks.js'
import { pattern } from './pattern.js'
import { inDays, type Mood, type Times } from './relate-dates.js'
import { modalityIn, roleIn, stanceIn, versionIn } from './roles.js'
import { contextTerms, termsOf } from './slots.js'
import { isTopic } from './topics.js'
import type { Period } from './types.js'
import { stem, wordsOf } from './words.js'

export interface DateParts {
  start: number
  end: number
  text: string
  name: string
  terms: string[]
  head?: string | undefined
  event: string | null
  /** Which time of several it is, and whether there may be several. */
  marks?: string[]
  times?: Times
  /** Other words for the event. */
  alike?: string[]
  period: Period
  /** The older date of the same event that is cited beside it. */
  prior?: Period | null
  confidence: number
  frame: Draft['frame']
  weak?: boolean
  /** Words near the date that may say it is only expected. */
  near: string
  /** Sentences: the verb and how it leads to the date. */
  verb?: string
  /** A label that names the event alone: "Date of birth". */
  bare?: boolean
  /** The date was moved to. */
  moved?: boolean
}

const AHEAD = pattern(/\b(?:expected|estimated|target(?:ed)?|projected|anticipated|planned|forecast|proposed)\b/i)
const COMING = pattern(/\b(?:will|next|upcoming|scheduled|foreseen|intends?|fixed|set|now planned|on (?:course|track|schedule))\b/i)
const BOUND = pattern(/\b(?:must|required?|requires|obliged|(?:is|are) (?:asked|requested) to)\b/i)
const LATEST = pattern(/\b(?:at the latest|(?:no|not) later than|latest (?:date|by))\b/i)
const DUE = pattern(/\b(?:due|deadline|by when|to be|action by|complete by)\b/i)
const TO_DO = pattern(/\b(?:due|to|shall|should|can|undertakes?|commits?|(?:is|are|was|were) be)\b/i)
const PAST = pattern(/\b(?:was|were|had|has|have|did|been|last|\p{L}+ed)\b/iu)

const PRESENT = pattern(/\b(?:is|are|\p{L}{2,}[^\Wsu]s)\b/iu)

/** Labels say that it was by a word for it: "Review completed", "Last drill", but not "Date agreed". */
const isDone = (label: string): boolean =>
  /\blast\b/i.test(label) || wordsOf(label).some(({ lower }) => /(?:ed|nt|lt|en)$/.test(lower) && eventOf(lower) !== null)

/** Whether the words say that it was, that it is planned, until when it is due, or the last day somebody allows. */
function moodOf(context: ReadContext, { near, verb, event, period, frame, moved }: DateParts): Mood {
  if (isSet(event)) return 'open'
  // A date that somebody moves lies ahead of them, whenever they tell it.
  if (moved) return 'due'
  const ahead = context.profile.issuedOn !== null && period.from > context.profile.issuedOn
  const told = verb ?? near
  if (LATEST.test(told)) return 'limit'
  if (BOUND.test(told)) return 'bound'
  if (AHEAD.test(near) || COMING.test(near)) return 'plan'
  const past = verb === undefined ? isDone(near) : PAST.test(verb)
  const by = BY.test(told)
  if (event === 'due' || DUE.test(near) || (verb !== undefined && TO_DO.test(verb)) || (by && !past)) return 'due'
  if (ahead) return by ? 'due' : 'plan'
  // "The season starts on": told for good, whenever it is.
  if (verb !== undefined && !past && PRESENT.test(verb)) return 'open'
  return past || frame === 'prose' || context.profile.issuedOn !== null ? 'fact' : 'open'
}

export function buildDate(context: ReadContext, block: Block, parts: DateParts): Draft | null {
  const around = surroundingsOf(context, block)
  const { period, event } = parts
  // The event is a mark: two dates of one thing meet only when the same happens at them.
  const terms = parts.terms.filter(term => !namesEvent(term, event))
  const kept = terms.some(term => tells(term, event)) ? terms : parts.terms
  const head = parts.head && kept.includes(parts.head) ? parts.head : kept.at(-1)
  if (!head) return null
  const written = roleIn(parts.name)
  const once = isOnce(event) && (parts.bare || kept.every(term => CONCERNED.has(term))) ? event : null
  return {
    start: parts.start,
    end: parts.end,
    terms: kept,
    head,
    attribute: squeeze(parts.name).slice(0, 120),
    marks: [...marksOf(parts.name), ...(parts.marks ?? []), ...(event ? [`event:${event}`] : [])],
    // What is scheduled for a day begins on it.
    aboveMarks: [
      ...around.marks,
      ...context.profile.marks,
      ...(event === 'held' ? ['event:start'] : event === 'start' ? ['event:held'] : []),
      ...[...(parts.alike ?? []), ...kinOfDate(parts.name, event, kept)].map(other => `event:${other}`),
    ],
    context: [...new Set([...contextTerms(parts.text, 32), ...around.context])].slice(0, 56),
    role: written === 'scenario' || written === 'hypothetical' ? written : AHEAD.test(parts.near) ? 'forecast' : 'actual',
    period: null,
    periodExplicit: false,
    polarity: 'affirmed',
    modality: modalityIn(parts.text),
    value: { type: 'date', from: period.from, to: period.to, grain: period.grain },
    valueText: period.label,
    confidence: parts.confidence,
    stance: parts.moved ? { ...stanceIn(parts.text, false), corrects: true } : stanceIn(parts.text, false),
    prior: parts.prior ? inDays(parts.prior) : null,
    version: parts.frame === 'prose' && !OF_A_DATE.test(parts.name) ? null : versionIn(parts.name),
    frame: parts.frame,
    subjectText: parts.text,
    part: null,
    parents: [...block.path].reverse(),
    denominator: null,
    mood: moodOf(context, parts),
    ...(parts.times ? { times: parts.times } : {}),
    // "Completion is scheduled for" names the event alone, which is enough; a bare "contract" is not.
    weak: parts.weak === true && !once && !marksOf(parts.name).length,
    ...(once ? { once, ...(parts.bare ? { bare: true } : {}) } : {}),
  }
}

/** What is written and handed in: the days of sending it and of receiving it are held against each other. */
const PAPERS = new Set(
  `notice notification letter claim report return application complaint request form statement reply response appeal tender bid offer petition objection certificate
   document submission account questionnaire declaration dossier plan`
    .split(/\s+/)
    .map(word => stem(word)),
)
/** Who is told of something is not what is filed. */
const TOLD = new Set(
  'agency authority regulator commission insurer underwriter bank board committee council police ministry court client customer tenant employer owner office department'
    .split(' ')
    .map(word => stem(word)),
)

const SUMS = new Set(
  'deposit payment instalment installment fee premium rent sum amount price money fund dividend'.split(' ').map(word => stem(word)),
)

function kinOfDate(name: string, event: string | null, terms: readonly string[]): string[] {
  if (WORKED_ON.test(name) || (event === 'notify' && terms.some(term => TOLD.has(term)))) return []
  return kinOf(
    event,
    terms.some(isPaper),
    terms.some(term => SUMS.has(term)),
  )
}

const isPaper = (term: string): boolean => PAPERS.has(term)

/** "The old date", but not "the old boiler", is an older date. */
const OF_A_DATE = pattern(/\b(?:date|deadline|limit|target|timetable|schedule|plan|completion|term|period)\b/i)

const BY = pattern(/\b(?:by|before|until)$/i)

/** Words that say which date of an event it is, not of what. */
const THIN = new Set(
  'time milestone next last target original confirmed actual latest completed held course track year result status date deadline limit period'
    .split(' ')
    .map(word => stem(word)),
)

export const tells = (term: string, event: string | null): boolean => !namesEvent(term, event) && !THIN.has(term)

/** Whom or what a whole document is about is mostly called so. */
const CONCERNED = new Set(
  `patient applicant insured person deceased claimant company firm vessel ship aircraft vehicle plant building property house flat unit machine device system breach incident
   accident loss defect fault damage intrusion attack leak fraud error deviation child employee worker`
    .split(/\s+/)
    .map(word => stem(word)),
)

/** Words by which headings say what kind of section follows. */
const SECTIONS = new Set(
  `term report summary overview detail data key figure date timetable schedule update information position status table list note general current corrected result comment
   remark observation finding action decision matter item introduction background conclusion recommendation secretary chair point fact issue`
    .split(/\s+/)
    .map(word => stem(word)),
)

const headingTerms = (heading: string): string[] => termsOf(heading.slice(0, 160)).filter(term => !SECTIONS.has(term))

interface Thing {
  terms: string[]
  /** Too little to tell it from others. */
  weak: boolean
}

/** What is done to a thing begins and ends on other days than the thing: "construction of the annex started", "the annex opened". */
const WORKED_ON = pattern(/\b(?:works?|construction|process|procedure)\b/i)

/** Words for whatever is done to a thing: "work on the annex", "construction of the annex". */
const WORKS = new Set(['work', 'works', 'construction', 'operation', 'process', 'procedure'].map(word => stem(word)))

/**
 * What the event is of. A name that is only an event takes what stands above it: "Target completion" of what? A bare "the plan" is
 * the one its heading names.
 */
export function thingOf(own: readonly string[], event: string | null, path: readonly string[], title: string | null): Thing {
  const all = own.filter(term => tells(term, event))
  const things = all.filter(term => !WORKS.has(term))
  const telling = things.some(isTopic) ? things : all
  if (!telling.length) {
    if (own.some(namesHappening)) return { terms: [...own], weak: false }
    const above = headingTerms(path.at(-1) ?? '')
    return { terms: above.length ? above : [...own], weak: above.length === 0 }
  }
  const bare = telling.length === 1 && !isTopic(telling[0]!) ? telling[0]! : null
  if (bare === null) return { terms: telling, weak: false }
  for (const heading of [...[...path].reverse().slice(0, 3), title ?? '']) {
    const above = headingTerms(heading)
    if (above.length > 1 && above.at(-1) === bare) return { terms: [...new Set([...above.slice(-4), ...telling])], weak: false }
  }
  return { terms: telling, weak: true }
}
