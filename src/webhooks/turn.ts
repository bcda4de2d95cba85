/**
 * One turn of an endpoint under its lease: tests and redeliveries that were asked for, then the next page of its events.
 * Events of one scope go one after the other, scopes beside each other. A failure ends its own scope, and the others go on for
 * some hundred events; one of a second scope ends the turn, and so does its time: what is left waits for the next. The cursor
 * moves over what was delivered without a gap; what was delivered ahead of it is remembered by its row and not sent again. How far
 * that reaches is remembered by the node, so that the next turn looks on from there, however much lies between.
 *
 * A message that has failed is tried when its own wait is over, beside the others and never before them: however slowly it
 * fails, they go ahead. As long as it alone fails, the endpoint has turns at least every minute for what is new.
 */

import { comparePositions } from '../events/cursor.js'
import { eventId } from '../events/frame.js'
import type { Clock } from '../platform/clock.js'
import type { LogPosition, PlacedEvent } from '../store/events/events-reading.js'
import type { Database } from '../store/server/database.js'
import type { DeliveryRow } from '../store/webhooks/webhook-deliveries.js'
import { type EventPage, readEndpointPage, readEvent } from '../store/webhooks/webhook-feed.js'
import { type AttemptRecord, findTried, type LeasedEndpoint, readAsked, type TurnRecord } from '../store/webhooks/webhook-leases.js'
import { deliveryId, eventMessage, gapMessage, testMessage } from './message.js'
import { afterFailure, isRetryDue, jittered } from './retry-schedule.js'
import type { Message, Sender, SendResult } from './send.js'

/** Requests of one endpoint at once. */
export const lanesPerEndpoint = 4
const pageEvents = 50
/** Events of everybody that one statement looks at, and how many such statements a turn may need to find one. */
const lookEvents = 5000
const looksPerTurn = 20
const pageSize = { most: pageEvents, look: lookEvents }
const askedPerTurn = 5
/** How far other scopes go ahead of one that fails: well below the thousand deliveries that are remembered. */
const eventsAhead = 500
/** While one message fails, the endpoint has a turn at least so often: events of other scopes do not wait for it. */
const aheadWaitMs = 60_000

/** Everything for the endpoint up to this place was delivered, or is of the scope that fails. */
interface Reached {
  upTo: LogPosition
  events: number
}

/** How far the others have gone ahead of a message that fails. */
export interface Ahead extends Reached {
  /** The message, and what the endpoint asked for. */
  of: string
}

export interface TurnDeps {
  db: Database
  /** What ids of events are made with. */
  idKey: string
  clock: Clock
  sender: Sender
  /** No request begins once it gives false. */
  mayBegin(): boolean
  /** Requests were cut off: what did not arrive was not tried. */
  wasCut(): boolean
  random(): number
  /** By endpoint. A node without it looks again. */
  ahead: Map<string, Ahead>
}

export async function runTurn(deps: TurnDeps, endpoint: LeasedEndpoint): Promise<TurnRecord> {
  const asked = await sendAsked(deps, endpoint)
  if (!endpoint.enabled || !deps.mayBegin()) {
    return { cursor: endpoint.cursor, cursorAt: null, attempts: asked, next: { kind: 'keep' } }
  }
  const turn = await sendEvents(deps, endpoint)
  return { ...turn, attempts: [...asked, ...turn.attempts] }
}

/** One attempt each, whatever comes of it. */
async function sendAsked(deps: TurnDeps, endpoint: LeasedEndpoint): Promise<AttemptRecord[]> {
  const attempts: AttemptRecord[] = []
  for (const asked of await readAsked(deps.db, endpoint, askedPerTurn)) {
    if (!deps.mayBegin()) break
    const message = await askedMessage(deps, endpoint, asked)
    const result = message === null ? gone : await deps.sender.send(message)
    if (result.delivered || !deps.wasCut()) attempts.push(attemptOf(asked, result, 'failed'))
  }
  return attempts
}

/** The event to be sent again left the log since, or the endpoint is no longer about its scope. */
const gone: SendResult = { delivered: false, status: null, reason: null, durationMs: 0 }

async function askedMessage({ db, clock }: TurnDeps, endpoint: LeasedEndpoint, asked: DeliveryRow): Promise<Message | null> {
  if (asked.kind === 'test') return testMessage(endpoint, asked.event_id, clock.now())
  const { scope_no: scopeNo, seq } = asked
  const event = scopeNo === null || seq === null ? null : await readEvent(db, { tenantId: endpoint.tenantId, scopeNo, seq })
  const isWanted = endpoint.scopes === null || endpoint.scopes.some(scope => scope === event?.scopeId)
  return event === null || !isWanted ? null : eventMessage(asked.event_id, endpoint.tenantId, event)
}

interface Entry {
  event: PlacedEvent
  message: Message
  delivered: boolean
  /** Since it failed; undefined when it was not tried. */
  failedMs: number | undefined
}

async function sendEvents(deps: TurnDeps, endpoint: LeasedEndpoint): Promise<TurnRecord> {
  const page = await nextPage(deps, endpoint)
  const attempts: AttemptRecord[] = []
  if (page.gap) {
    const result = await sendGap(deps, endpoint, page, attempts)
    if (result !== 'before' && !result.delivered) {
      const failing = deps.wasCut() ? [] : [result]
      return ended(deps, endpoint, { attempts, cursor: endpoint.cursor, cursorAt: null, failing })
    }
  }
  const { entries, last: seen, failing, held, wasCut, isWhole } = await sendPages(deps, endpoint, page, attempts)
  const first = entries.findIndex(entry => !entry.delivered)
  if (first < 0) {
    const cursorAt = seen.atEnd ? deps.clock.now().toISOString() : (entries.at(-1)?.event.time ?? null)
    return { attempts, cursor: seen.upTo, cursorAt, next: { kind: seen.atEnd ? 'rest' : 'again' } }
  }
  const last = entries[first - 1]?.event
  if (wasCut) return { attempts, cursor: last ?? beforeEvents(page), cursorAt: last?.time ?? null, next: { kind: 'keep' } }
  const isAlone = failing.size + Number(held) === 1
  // The wait of a message that has failed for long is not that of another, which failed just now.
  const soonMs = held || isAlone ? jittered(aheadWaitMs, deps.random()) : Number.POSITIVE_INFINITY
  const aheadMs = isAlone && !isWhole ? 0 : soonMs
  const cursor = { cursor: last ?? beforeEvents(page), cursorAt: last?.time ?? null }
  return ended(deps, endpoint, { attempts, ...cursor, failing: [...failing.values()], held, aheadMs })
}

/** Behind what was removed, unless an event of a case on legal hold is left before that. */
function beforeEvents({ gap, removed, after, events: [first] }: EventPage & { after: LogPosition }): LogPosition {
  const isHeldBefore = first !== undefined && comparePositions(first, removed) <= 0
  return gap && !isHeldBefore && comparePositions(removed, after) > 0 ? removed : after
}

/** By scope: what its next message came to. */
type Failing = Map<string | null, SendResult>

/** One page, and the next ones as long as one scope fails at most. */
async function sendPages(deps: TurnDeps, endpoint: LeasedEndpoint, first: EventPage, attempts: AttemptRecord[]) {
  const entries = await entriesOf(deps, endpoint, first)
  const failing: Failing = new Map()
  const head = entries.find(entry => !entry.delivered)
  const isFailing = head?.failedMs !== undefined && endpoint.failingMs !== null
  const tries = isFailing && isDue(endpoint, head) && deps.mayBegin()
  const lanes = lanesPerEndpoint - Number(tries)
  const lane: Lane = { attempts, failing, skipped: isFailing ? head.event.scopeId : undefined, lanes }
  const trying = tries ? sendEntry(deps, head, lane) : undefined
  const before = isFailing ? deps.ahead.get(endpoint.webhookId) : undefined
  const isKnown = before?.of === aheadOf(endpoint, head) && comparePositions(before.upTo, first.upTo) > 0
  const { reached, ...sent } = await sendAhead(deps, endpoint, { first, entries, lane, known: isKnown ? before : undefined })
  await trying
  const stuck = entries.find(entry => !entry.delivered)
  if (stuck === undefined || reached === undefined) deps.ahead.delete(endpoint.webhookId)
  else deps.ahead.set(endpoint.webhookId, { ...reached, of: aheadOf(endpoint, stuck) })
  // Cut off, it was not tried: whatever else arrived, it is due as before.
  const wasCut = trying !== undefined && head?.delivered === false && !failing.has(head.event.scopeId)
  return { entries, failing, ...sent, held: isFailing && trying === undefined, wasCut }
}

function aheadOf({ events, scopes }: LeasedEndpoint, entry: Entry | undefined): string {
  return JSON.stringify([entry?.message.id, events, scopes])
}

function isDue({ attempts, failingMs }: LeasedEndpoint, { failedMs = 0 }: Entry): boolean {
  return isRetryDue({ attempts, failingMs: failingMs ?? 0, sinceMs: failedMs })
}

interface Lane {
  attempts: AttemptRecord[]
  failing: Failing
  /** The scope of the message that has failed before. */
  skipped: string | null | undefined
  /** Requests of others at once. */
  lanes: number
}

interface AheadAsked {
  first: EventPage
  /** Of the first page. Those of later ones are added where nothing was left out between them. */
  entries: Entry[]
  lane: Lane
  /** From turns before: behind the first page, the look goes on there. */
  known: Reached | undefined
}

interface AheadSent {
  /** The last page whose entries were added. */
  last: EventPage
  /** Nothing of the others is left that may be sent before the first one arrives. */
  isWhole: boolean
  reached: Reached | undefined
}

/** Sends the pages of the other scopes. Pages without events count for nothing: the time of the turn ends the look. */
async function sendAhead(deps: TurnDeps, endpoint: LeasedEndpoint, { first, entries, lane, known }: AheadAsked): Promise<AheadSent> {
  const isOut = ({ event: { scopeId } }: Entry) => lane.failing.has(scopeId) || scopeId === lane.skipped
  let reached = known
  let last = first
  let more: readonly Entry[] = entries
  for (let page = first; ; ) {
    await sendLanes(deps, more, lane)
    // What was left out of a scope that does not fail comes before anything of a later page.
    const isWhole = more.every(entry => entry.delivered || isOut(entry))
    const count = lane.failing.size + Number(lane.skipped !== undefined && !lane.failing.has(lane.skipped))
    if (count !== 1 || !isWhole) return { last, isWhole, reached }
    if (page !== first || known === undefined) reached = { upTo: page.upTo, events: (reached?.events ?? 0) + more.length }
    if (page.atEnd || reached === undefined || reached.events >= eventsAhead) return { last, isWhole, reached }
    if (!deps.mayBegin()) return { last, isWhole: false, reached }
    page = await readEndpointPage(deps.db, endpoint, reached.upTo, pageSize)
    more = await entriesOf(deps, endpoint, page)
    if (known !== undefined) continue
    entries.push(...more)
    last = page
  }
}

/** Reads on until there is something to send, the log ends, or the turn has looked at enough. */
async function nextPage({ db }: TurnDeps, endpoint: LeasedEndpoint): Promise<EventPage & { after: LogPosition }> {
  const first = await readEndpointPage(db, endpoint, endpoint.cursor, pageSize)
  let page = first
  let after = endpoint.cursor
  for (let looks = 1; page.events.length === 0 && !page.atEnd && looks < looksPerTurn; looks++) {
    after = page.upTo
    page = await readEndpointPage(db, endpoint, after, pageSize)
  }
  return { ...page, gap: first.gap, after }
}

/** `before`: it has arrived in an earlier turn. */
async function sendGap(
  deps: TurnDeps,
  endpoint: LeasedEndpoint,
  { removed, events }: EventPage,
  attempts: AttemptRecord[],
): Promise<SendResult | 'before'> {
  const { db, sender, clock, idKey } = deps
  const message = gapMessage(endpoint, idKey, { removed, oldest: events[0]?.time ?? null, now: clock.now() })
  const id = deliveryId(message.id)
  if ((await findTried(db, endpoint, [id])).get(id)?.delivered) return 'before'
  const result = await sender.send(message)
  if (result.delivered || !deps.wasCut())
    attempts.push(attemptOf(aboutMessage(message, { type: 'stream.gap', scopeId: null, scopeNo: null, seq: null }), result, 'pending'))
  return result
}

async function entriesOf({ db, idKey }: TurnDeps, endpoint: LeasedEndpoint, page: EventPage): Promise<Entry[]> {
  const { tenantId } = endpoint
  const entries = page.events.map(event => ({ event, message: eventMessage(eventId({ ...event, tenantId }, idKey), tenantId, event) }))
  if (entries.length === 0) return []
  const ids = entries.map(entry => deliveryId(entry.message.id))
  const before = await findTried(db, endpoint, ids)
  return entries.map((entry, index) => {
    const tried = before.get(ids[index] as string)
    return { ...entry, delivered: tried?.delivered ?? false, failedMs: tried?.delivered === false ? tried.sinceMs : undefined }
  })
}

async function sendLanes(deps: TurnDeps, entries: readonly Entry[], lane: Lane): Promise<void> {
  const { failing, skipped } = lane
  const lanes = new Map<string | null, Entry[]>()
  for (const entry of entries) {
    const { scopeId } = entry.event
    if (!entry.delivered && !failing.has(scopeId) && scopeId !== skipped) lanes.set(scopeId, [...(lanes.get(scopeId) ?? []), entry])
  }
  const waiting = [...lanes.values()]
  const run = async () => {
    for (let some = waiting.shift(); some !== undefined; some = waiting.shift()) {
      for (const entry of some) {
        if (failing.size > 1 || !deps.mayBegin()) return
        await sendEntry(deps, entry, lane)
        if (!entry.delivered) break
      }
    }
  }
  await Promise.all(Array.from({ length: lane.lanes }, run))
}

/** A request that was cut off is no attempt. */
async function sendEntry(deps: TurnDeps, entry: Entry, { attempts, failing }: Lane): Promise<void> {
  const result = await deps.sender.send(entry.message)
  entry.delivered = result.delivered
  if (!result.delivered && deps.wasCut()) return
  attempts.push(attemptOf(aboutMessage(entry.message, entry.event), result, 'pending'))
  if (!result.delivered) failing.set(entry.event.scopeId, result)
}

interface Ended {
  attempts: AttemptRecord[]
  cursor: LogPosition
  cursorAt: string | null
  /** What each scope that fails came to. */
  failing: readonly SendResult[]
  /** The message at the cursor was not tried. */
  held?: boolean
  /** The longest wait that others allow. */
  aheadMs?: number
}

/** The turn ended before its page did. */
function ended(deps: TurnDeps, endpoint: LeasedEndpoint, { failing, held = false, aheadMs = Infinity, ...turn }: Ended): TurnRecord {
  const moved = turn.cursor.xid !== endpoint.cursor.xid || turn.cursor.id !== endpoint.cursor.id
  const failed = failing.find(({ status }) => status === 410) ?? failing[0]
  if (failed === undefined && !held) return { ...turn, next: { kind: turn.attempts.length > 0 ? 'again' : 'keep' } }
  const after = afterFailure({
    attempts: moved ? 1 : endpoint.attempts + Number(!held),
    failingMs: moved ? 0 : (endpoint.failingMs ?? 0),
    status: failed?.status ?? null,
    random: deps.random(),
  })
  if (after.kind === 'backoff') {
    const waitMs = Math.min(after.waitMs, aheadMs)
    return { ...turn, next: held ? { kind: 'hold', waitMs } : { kind: 'backoff', waitMs, moved } }
  }
  return {
    ...turn,
    attempts: turn.attempts.map(attempt => (attempt.status === 'pending' ? { ...attempt, status: 'failed' } : attempt)),
    next: { ...after, moved },
  }
}

type About = Omit<AttemptRecord, 'status' | 'responseStatus' | 'reason' | 'durationMs'>

function aboutMessage({ id }: Message, event: { type: string; scopeId: string | null; scopeNo: number | null; seq: number | null }): About {
  const { type, scopeId: scope_id, scopeNo: scope_no, seq } = event
  return { delivery_id: deliveryId(id), kind: 'event', event_id: id, type, scope_id, scope_no, seq }
}

function attemptOf(about: About, result: SendResult, otherwise: 'pending' | 'failed'): AttemptRecord {
  const { delivery_id, kind, event_id, type, scope_id, scope_no, seq } = about
  const { delivered, status: responseStatus, reason, durationMs } = result
  const status = delivered ? 'delivered' : otherwise
  return { delivery_id, kind, event_id, type, scope_id, scope_no, seq, status, responseStatus, reason, durationMs }
}
