/** What happened in the case, newest first, as the stream tells it. */

import type { ServiceEvent } from '../src/client/index.js'
import { decidedWords } from '../src/contract/finding-words.js'
import { liveState, recentEvents } from './live'
import { Badge, Loading } from './parts'
import { hrefTo, path } from './route'
import { countOf, moment } from './wording'

type Data = Record<string, unknown>

/** Steps that say nothing a reader asks about. */
const silent = new Set(['document.processing', 'convergence.updated', 'decision.recorded'])

const turns: Record<string, string> = {
  active: 'The case is open again',
  review: 'The case needs a person',
  resolved: 'The case is settled',
  escalated: 'The case was escalated',
  blocked: 'The case is blocked',
}

const sentences: Record<string, (data: Data) => string> = {
  'document.attached': () => 'was attached',
  'document.registered': () => 'was registered',
  'document.queued': () => 'was handed in',
  'document.requeued': data => `went back into the queue: ${data['reason'] ?? ''}`,
  'document.indexed': data =>
    `was read: ${countOf(Number(data['claims']), 'claim')}, ${countOf(Number(data['contradictions']), 'contradiction')}${
      data['possible_conflicts'] === undefined ? '' : `, ${countOf(Number(data['possible_conflicts']), 'possible conflict')}`
    }`,
  'document.held': data => `is held for a person: ${data['reason'] ?? ''}`,
  'document.rejected': data => `was rejected: ${data['reason'] ?? ''}`,
  'document.quarantined': data => `could not be read: ${data['reason'] ?? ''}`,
  'document.erased': () => 'was erased',
  'document.reread_queued': () => 'will be read again',
  'document.reread': data =>
    `was read again: ${countOf(Number(data['claims']), 'claim')}, ${countOf(Number(data['contradictions']), 'new contradiction')}${
      Number(data['decisions_detached']) > 0
        ? `; ${countOf(Number(data['decisions_detached']), 'decision')} no longer fit its statements`
        : ''
    }`,
  'document.reread_failed': data => `could not be read again and keeps its reading: ${data['reason'] ?? ''}`,
  'claim.superseded': () => 'A statement was replaced by a newer one',
  'contradiction.detected': data => `A contradiction was found (${data['severity']})`,
  'contradiction.resolved': data => `A contradiction was decided: ${decidedWords({ verdict: String(data['verdict']) })}`,
  'contradiction.reopened': () => 'A contradiction is open again',
  'possible_conflict.detected': () => 'A possible conflict was found',
  'possible_conflict.promoted': () => 'A possible conflict became a contradiction',
  'possible_conflict.dismissed': data =>
    data['by'] === 'system' ? 'A possible conflict closed automatically' : 'A possible conflict was dismissed',
  'possible_conflict.reopened': () => 'A possible conflict is undecided again',
  'supersession.objected': () => 'Somebody objected to a replacement',
  'supersession.restored': () => 'An objection was withdrawn',
  'supersession.withdrawn': () => 'A replacement no longer stands',
  'finality.changed': data => turns[String(data['to'])] ?? 'The standing of the case changed',
  'certificate.issued': () => 'A certificate was issued',
  'certificate.withdrawn': () => 'The certificate was withdrawn',
  'scope.signed_off': () => 'Somebody signed the case off',
  'scope.sign_off_withdrawn': () => 'A sign-off was withdrawn',
  'scope.created': () => 'The case was created',
  'scope.changed': () => 'The settings of the case changed',
  'scope.reset': () => 'The case was reset',
  'scope.deleted': () => 'The case was deleted',
  'stream.gap': () => 'What happened before is no longer kept',
  'runtime.changed': data => `Processing is ${data['state'] ?? data['to'] ?? 'changed'}`,
}

export function Story() {
  const events = recentEvents.value
    .filter(event => !silent.has(event.type))
    .slice(-250)
    .reverse()
  return (
    <div class="page">
      <h2>Story</h2>
      {events.length === 0 && (liveState.value === 'connecting' ? <Loading what="the story" /> : <p>Nothing has happened yet.</p>)}
      <ol class="story">
        {events.map(event => (
          <Entry key={event.id} event={event} />
        ))}
      </ol>
    </div>
  )
}

function Entry({ event }: { event: ServiceEvent }) {
  const [, scopeId = ''] = path.value
  const data = event.data as Data
  const documentId = event.type.startsWith('document.') ? String(data['document_id'] ?? event.subject ?? '') : ''
  const contradictionId = event.type.startsWith('contradiction.') ? String(data['contradiction_id'] ?? '') : ''
  const sentence = sentences[event.type]?.(data) ?? event.type
  return (
    <li class={event.type.split('.')[0]}>
      <time class="muted small" dateTime={event.time}>
        {moment(event.time)}
      </time>
      <span>
        {documentId !== '' && (
          <>
            <a href={hrefTo('cases', scopeId, 'documents', documentId)}>
              <bdi>{String(data['name'] ?? documentId)}</bdi>
            </a>{' '}
          </>
        )}
        {contradictionId === '' ? sentence : <a href={hrefTo('cases', scopeId, 'contradictions', contradictionId)}>{sentence}</a>}
        {data['by'] === 'person' && (
          <>
            {' '}
            <Badge>by a person</Badge>
          </>
        )}
      </span>
    </li>
  )
}
