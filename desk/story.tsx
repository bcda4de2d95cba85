/** What happened in the case, newest first: the events of the stream, with the finding, the person and the reason of each. */

import type { ServiceEvent } from '../src/client/index.js'
import type { Schema } from '../src/contract/types.js'
import { documentNames } from './document-text'
import { InView } from './in-view'
import { liveState, recentEvents } from './live'
import { Failure, Loading } from './parts'
import { hrefTo } from './route'
import { client } from './session'
import { assignmentKey, type StoryContext, sentenceOf } from './story-words'
import { listRestMs, useLoaded } from './use-loaded'
import { Moment } from './when'

/** Steps that say nothing a reader asks about. */
const silent = new Set(['document.processing', 'convergence.updated', 'decision.recorded'])
const mostRead = 2000
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
  const about = useLoaded(
    () => readContext(scopeId, commented.slice(0, mostCommented), given),
    [scopeId, client.value, commented.join(), given.length],
    /^(contradiction|possible_conflict|supersession|decision|legal_hold|scope)\./,
    listRestMs,
  )
  const context: StoryContext = { ...(about.data ?? nothing), names: documentNames.value }
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

type Read = Omit<StoryContext, 'names'>
interface Given {
  id: string
  time: string
}

const nothing: Read = {
  ...{ contradictions: new Map(), possible: new Map(), supersessions: new Map(), comments: new Map() },
  ...{ assignments: new Map(), holds: new Map(), said: new Map() },
}

async function readContext(scopeId: string, commented: readonly string[], given: readonly Given[]): Promise<Read> {
  const [contradictions, possible, holds, supersessions, decisions, comments] = await Promise.all([
    client.value.contradictions(scopeId, { status: 'all', limit: 200 }).toArray(mostRead),
    client.value.possibleConflicts(scopeId, { status: 'all', limit: 200 }).toArray(mostRead),
    client.value.holds(scopeId, { limit: 200 }).toArray(mostRead),
    client.value.supersessions(scopeId, { limit: 200 }).toArray(mostRead),
    client.value.decisions(scopeId, { by: 'person', limit: 200 }).toArray(mostRead),
    Promise.all(commented.map(id => client.value.comments(id, { limit: 200 }).toArray(500))),
  ])
  return {
    contradictions: new Map(contradictions.map(each => [each.contradiction_id, each])),
    supersessions: new Map(supersessions.map(each => [each.supersession_id, each])),
    possible: new Map(possible.map(each => [each.possible_conflict_id, each])),
    holds: new Map(holds.map(each => [each.hold_id, each])),
    assignments: await readAssignments(scopeId, contradictions, given),
    comments: new Map(comments.flat().map(each => [each.comment_id, each])),
    said: new Map(decisions.flatMap(({ round, said }) => (said === undefined ? [] : [[round, said] as const]))),
  }
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
    const then = await client.value.contradictions(scopeId, { status: 'all', known_at: time, limit: 200 }).toArray(mostRead)
    const assignment = then.find(item => item.contradiction_id === id)?.assignment
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
