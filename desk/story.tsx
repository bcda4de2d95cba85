/** What happened in the case, newest first: the events of the stream, with the finding, the person and the reason of each. */

import { useRef } from 'preact/hooks'
import type { ServiceEvent } from '../src/client/index.js'
import type { Schema } from '../src/contract/types.js'
import { asksOf, documentNames } from './document-text'
import { InView } from './in-view'
import { liveState, recentEvents } from './live'
import { Failure, Loading } from './parts'
import { hrefTo } from './route'
import { client } from './session'
import { assignmentKey, type StoryContext, sentenceOf } from './story-words'
import { listRestMs, useLoaded, useRested } from './use-loaded'
import { Moment } from './when'

/** Steps that say nothing a reader asks about. */
const silent = new Set(['document.processing', 'convergence.updated', 'decision.recorded'])
const mostRead = 2000
/** Findings of the last decisions. */
const mostDecided = 250
/** Comments are read for so many contradictions of the events that are shown. */
const mostCommented = 20
/** So many times that a contradiction was passed on since are looked up. */
const mostPassedOn = 5

export function Story({ scopeId }: { scopeId: string }) {
  const events = recentEvents.value
    .filter(event => !silent.has(event.type))
    .slice(-250)
    .reverse()
  const commented = [...new Set(events.flatMap(({ type, data }) => (type === 'contradiction.commented' ? [idIn(data)] : [])))]
  const given = events.flatMap(({ type, data, time }) => (type === 'contradiction.assigned' ? [{ id: idIn(data), time }] : []))
  const told = idsOf(events)
  const asked = useRested([scopeId, ...told.contradictions, ...told.possible, ...told.supersessions].join(), listRestMs)
  const about = useLoaded(
    () => readContext(scopeId, told, commented.slice(0, mostCommented), given),
    [scopeId, client.value, asked, commented.join(), given.length],
    /^(contradiction|possible_conflict|supersession|decision|legal_hold|scope)\./,
    listRestMs,
  )
  // What was read stays until what further events are about has come.
  const known = useRef({ scopeId, read: nothing })
  if (about.data !== undefined) known.current = { scopeId, read: about.data }
  const read = known.current.scopeId === scopeId ? known.current.read : nothing
  const context: StoryContext = { ...read, names: documentNames.value }
  return (
    <div class="page">
      <h2>Story</h2>
      <Failure text={about.failure} />
      {events.length === 0 && <NoEvent />}
      <ol class="story">
        <InView as="li" items={events} draw={event => <Entry key={event.id} event={event} scopeId={scopeId} context={context} />} />
      </ol>
    </div>
  )
}

/** Events come over the stream: without it nobody knows whether there are any. */
function NoEvent() {
  if (liveState.value === 'live') return <p>Nothing has happened yet.</p>
  return liveState.value === 'lost' ? <Failure text="What happened cannot be read now." /> : <Loading what="the story" />
}

const idIn = (data: unknown) => String((data as { contradiction_id?: unknown }).contradiction_id)

/** The findings that the events are about: only these are read, however many the case has. */
function idsOf(events: readonly ServiceEvent[]) {
  const named = (member: string) => [
    ...new Set(events.map(({ data }) => (data as Record<string, unknown>)[member]).filter(id => typeof id === 'string')),
  ]
  return { contradictions: named('contradiction_id'), possible: named('possible_conflict_id'), supersessions: named('supersession_id') }
}

type Read = Omit<StoryContext, 'names'>
interface Given {
  id: string
  time: string
}

const nothing: Read = {
  ...{ contradictions: new Map(), possible: new Map(), supersessions: new Map(), comments: new Map() },
  ...{ assignments: new Map(), holds: new Map(), said: new Map() },
}

async function readContext(
  scopeId: string,
  told: ReturnType<typeof idsOf>,
  commented: readonly string[],
  given: readonly Given[],
): Promise<Read> {
  const { contradictions: list, possibleConflicts, supersessions: replacements, decisions, holds, comments } = client.value
  const [possible, replaced, held, decided, said] = await Promise.all([
    eachOf(told.possible, ids => possibleConflicts(scopeId, { status: 'all', ids, limit: 200 }).toArray(200)),
    eachOf(told.supersessions, ids => replacements(scopeId, { ids, limit: 200 }).toArray(200)),
    holds(scopeId, { limit: 200 }).toArray(mostRead),
    decisions(scopeId, { by: 'person', order: 'newest', limit: 200 }).toArray(mostRead),
    Promise.all(commented.map(id => comments(id, { limit: 200 }).toArray(500))),
  ])
  // A statement that ended by a decision is named by what was decided.
  const ofDecisions = decided.flatMap(({ said: act }) => (act?.finding_id ? [act.finding_id] : []))
  const asked = [...new Set([...told.contradictions, ...ofDecisions.slice(0, mostDecided)])]
  const contradictions = await eachOf(asked, ids => list(scopeId, { status: 'all', ids, limit: 200 }).toArray(200))
  return {
    contradictions: new Map(contradictions.map(each => [each.contradiction_id, each])),
    supersessions: new Map(replaced.map(each => [each.supersession_id, each])),
    possible: new Map(possible.map(each => [each.possible_conflict_id, each])),
    holds: new Map(held.map(each => [each.hold_id, each])),
    assignments: await readAssignments(scopeId, contradictions, given),
    comments: new Map(said.flat().map(each => [each.comment_id, each])),
    said: new Map(decided.flatMap(({ round, said: act }) => (act === undefined ? [] : [[round, act] as const]))),
  }
}

async function eachOf<T>(ids: readonly string[], read: (ids: string) => Promise<T[]>): Promise<T[]> {
  return (await Promise.all(asksOf(ids).map(read))).flat()
}

/** Who is to look at it now is told with the finding; who was before, by the case as it was known then. The newest comes first. */
async function readAssignments(scopeId: string, now: readonly Schema['Contradiction'][], given: readonly Given[]) {
  const told = new Map<string, NonNullable<Schema['Contradiction']['assignment']>>()
  const earlier = given.filter(each => {
    const assignment = now.find(item => item.contradiction_id === each.id)?.assignment
    const isNewest = given.find(({ id }) => id === each.id)?.time === each.time
    if (assignment === undefined || !isNewest) return true
    told.set(assignmentKey(each.id, each.time), assignment)
    return false
  })
  for (const { id, time } of earlier.slice(0, mostPassedOn)) {
    const then = await client.value.contradictions(scopeId, { status: 'all', known_at: time, ids: id, limit: 1 }).toArray(1)
    const assignment = then[0]?.assignment
    if (assignment !== undefined) told.set(assignmentKey(id, time), assignment)
  }
  return told
}

function Entry({ event, scopeId, context }: { event: ServiceEvent; scopeId: string; context: StoryContext }) {
  const data = event.data as Record<string, unknown>
  const documentId = event.type.startsWith('document.') ? String(data['document_id'] ?? event.subject ?? '') : ''
  const { text, finding, by, reason } = sentenceOf({ type: event.type, data, time: event.time }, context)
  return (
    <li class={event.type.split('.')[0]}>
      <Moment class="muted small" time={event.time} />
      <span>
        {documentId !== '' && (
          <>
            <a href={hrefTo('cases', scopeId, 'documents', documentId)}>
              <bdi>{String(data['name'] ?? documentId)}</bdi>
            </a>{' '}
          </>
        )}
        {finding !== undefined && (
          <>
            <a href={hrefTo('cases', scopeId, 'contradictions', finding.id)}>
              <bdi>{finding.title}</bdi>
            </a>{' '}
          </>
        )}
        {text}
        {by !== undefined && (
          <>
            , by <bdi>{by}</bdi>
          </>
        )}
        {reason !== undefined && (
          <>
            : <bdi>{reason}</bdi>
          </>
        )}
      </span>
    </li>
  )
}
