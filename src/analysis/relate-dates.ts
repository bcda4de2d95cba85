/** When two dates of one event could be held against each other: what was against what was, plans against plans. */
import type { Situation } from './relation.js'
import type { DocumentFacts, PlacedClaim } from './types.js'

/** What was, what is planned, until when it is due, must be done, or may be done at the latest; open where the words do not say. */
export type Mood = 'fact' | 'plan' | 'due' | 'bound' | 'limit' | 'open'

/** Of some thing of many, what comes again and again, or the last time of several. */
export type Times = 'some' | 'many' | 'last'

const DAY = 86_400_000

/** Days as numbers, so that a cited date is kept like a cited figure. */
export const inDays = ({ from, to }: { from: string; to: string }): { low: number; high: number } => ({
  low: Date.parse(from) / DAY,
  high: Date.parse(to) / DAY,
})

const moodOf = (claim: PlacedClaim): string => String(claim.hints?.['mood'] ?? 'open')

const eventsOf = (claim: PlacedClaim): string[] =>
  String(claim.hints?.['marks'] ?? '')
    .split(';')
    .filter(mark => mark.startsWith('event:'))

/** Events that end what others begin: on the day after the one the other is. */
const ENDS = new Set(['event:expire', 'event:pause'])
const BEGINS = new Set(['event:start', 'event:resume', 'event:open'])

function followsOn(a: PlacedClaim, b: PlacedClaim): boolean {
  if (a.value.type !== 'date' || b.value.type !== 'date' || a.value.to !== b.value.from) return false
  return eventsOf(a).some(event => ENDS.has(event)) && eventsOf(b).some(event => BEGINS.has(event))
}

/** How long what was filed or sent may be on its way. */
const ON_ITS_WAY: Record<string, number> = { 'event:file': 3, 'event:send': 10, 'event:depart': 10, 'event:pay': 5 }
const RECEIVED = new Set(['event:receive', 'event:arrive', 'event:reach', 'event:deliver', 'event:serve'])

function isOnItsWay(a: PlacedClaim, b: PlacedClaim): boolean {
  const days = Math.max(...eventsOf(a).map(event => ON_ITS_WAY[event] ?? -1))
  if (days < 0 || a.value.type !== 'date' || b.value.type !== 'date' || !eventsOf(b).some(event => RECEIVED.has(event))) return false
  const away = inDays(b.value).high - inDays(a.value).low - 1
  return away >= 0 && away <= days
}

const AGAIN_DAYS = 31

/** "A door was repaired", "the pump failed": days that lie far apart are those of two times. */
function mayRecur(a: PlacedClaim, b: PlacedClaim, s: Situation): boolean {
  const [x, y] = [a.hints?.['times'], b.hints?.['times']]
  if (a.value.type !== 'date' || b.value.type !== 'date') return false
  if (x === 'last' || y === 'last')
    return (
      (x === 'last' && isOtherTime(a.value, b.value, s.oldDocument, y)) || (y === 'last' && isOtherTime(b.value, a.value, s.newDocument, x))
    )
  if (x === 'some' || y === 'some') return true
  if (x !== 'many' && y !== 'many') return false
  return Math.abs(inDays(a.value).low - inDays(b.value).low) > AGAIN_DAYS
}

/** Before the last time, or after it was called so. */
function isOtherTime(last: Dated, other: Dated, said: DocumentFacts | null, times: unknown): boolean {
  if (said?.issuedOn && other.from > said.issuedOn) return true
  return times !== 'last' && other.to <= last.from
}

const isNext = ({ attribute }: PlacedClaim): boolean => /^(?:date of )?next\b/i.test(attribute)

type Dated = Extract<PlacedClaim['value'], { type: 'date' }>

/** What is set once stays set: the end of a term, the year something was built. */
const FOR_GOOD = new Set(['event:expire', 'event:pause', 'event:build', 'event:found'])
const isForGood = (claim: PlacedClaim): boolean => eventsOf(claim).some(event => FOR_GOOD.has(event))

/** What was, or is told without saying whether it was. */
const TELLS = new Set(['fact', 'open'])

/** A deadline is kept or missed and not contradicted by what was done; a plan within the last day allowed keeps it. */
export function datesMeet(a: PlacedClaim, b: PlacedClaim, s: Situation): boolean {
  if (a.value.type !== 'date' || b.value.type !== 'date') return true
  const [x, y] = [moodOf(a), moodOf(b)]
  if (followsOn(a, b) || followsOn(b, a) || isOnItsWay(a, b) || isOnItsWay(b, a)) return false
  if (TELLS.has(x) && TELLS.has(y) && !isForGood(a) && !isForGood(b) && mayRecur(a, b, s)) return false
  // The next one of then has taken place.
  if (isNext(a) && isNext(b) && s.newDocument.issuedOn && a.value.from <= s.newDocument.issuedOn) return false
  if (x === y || x === 'open' || y === 'open') return true
  if (x === 'fact' || y === 'fact') return false
  if (!LIMITS.has(x) && !LIMITS.has(y)) return true
  if (x === 'plan' || y === 'plan') return false
  if (x !== 'limit' && y !== 'limit') return true
  const [limit, other] = x === 'limit' ? [a.value, b.value] : [b.value, a.value]
  return other.from >= limit.to
}

/** What somebody demands; a plan may keep it. */
const LIMITS = new Set(['bound', 'limit'])

/** The cited day, or the month or quarter it lies in. */
export function citesDate(cited: { from: string; to: string }, low: number, high: number): boolean {
  const days = inDays(cited)
  return (days.low >= low && days.high <= high) || (days.low <= low && days.high >= high)
}
