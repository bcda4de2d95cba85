/** Working on a contradiction together: who is to look at it and until when, and what people write to each other about it. */

import { useState } from 'preact/hooks'
import type { Schema } from '../src/contract/types.js'
import { nameNow, OwnName } from './judgement'
import { ActButton, Failure, Field, Loading } from './parts'
import { client, may } from './session'
import { isBeingRead, useLoaded } from './use-loaded'
import { Moment } from './when'
import { day } from './wording'

type Item = Schema['Contradiction']
type Assigned = NonNullable<Item['assignment']>

export function Together({ item, reload }: { item: Item; reload: () => Promise<unknown> }) {
  const [isOpen, setOpen] = useState(item.comments !== undefined)
  return (
    <details open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>Who looks at it, and comments{item.comments !== undefined && ` (${item.comments})`}</summary>
      {isOpen && (
        <div class="together">
          <Assignment item={item} reload={reload} />
          <Comments item={item} reload={reload} />
        </div>
      )}
    </details>
  )
}

/** `for R. Roe, due 31 Mar 2026` */
export function AssignedTo({ assignment: { to, due } }: { assignment: Assigned }) {
  return (
    <>
      for <bdi>{to}</bdi>
      {due !== null && <span class={due < today() ? 'no' : ''}>, due {day(due)}</span>}
    </>
  )
}

const today = () => new Date().toISOString().slice(0, 10)

function Assignment({ item, reload }: { item: Item; reload: () => Promise<unknown> }) {
  const { assignment, contradiction_id: id } = item
  const [to, setTo] = useState('')
  const [due, setDue] = useState('')
  const by = nameNow().trim()
  const named = by === '' ? {} : { by }
  const give = (person: string) => async () => {
    await client.value.assign(id, { to: person.trim(), ...(due === '' ? {} : { due }), ...named })
    await reload()
  }
  const takeBack = async () => {
    await client.value.unassign(id, named)
    await reload()
  }
  return (
    <div class="assignment">
      <h4>Who looks at it</h4>
      <p role="status">{assignment === undefined ? <span class="muted">Nobody yet.</span> : <AssignedTo assignment={assignment} />}</p>
      {may('decide') && (
        <div class="decide">
          <Field class="person" label="Person" value={to} onInput={setTo} maxLength={200} />
          <Field class="day" label="Due" type="date" value={due} onInput={setDue} />
          <div class="acts">
            <ActButton act={give(to)} disabled={to.trim() === ''}>
              Assign
            </ActButton>
            {by !== '' && assignment?.to !== by && <ActButton act={give(by)}>Assign to me</ActButton>}
            {assignment !== undefined && <ActButton act={takeBack}>Take back</ActButton>}
          </div>
        </div>
      )}
    </div>
  )
}

function Comments({ item, reload }: { item: Item; reload: () => Promise<unknown> }) {
  const { contradiction_id: id } = item
  const [text, setText] = useState('')
  const comments = useLoaded(
    () => client.value.comments(id, { limit: 200 }).toArray(500),
    [id, client.value, item.comments],
    /^contradiction\.commented$/,
  )
  const write = async () => {
    await client.value.comment(id, { by: nameNow().trim(), text: text.trim() })
    setText('')
    await Promise.all([comments.reload(), reload()])
  }
  return (
    <div class="comments">
      <h4>Comments</h4>
      <Failure text={comments.failure} />
      {isBeingRead(comments) && <Loading what="the comments" />}
      {comments.data?.length === 0 && <p class="muted">None yet.</p>}
      <ol class="rows">
        {comments.data?.map(comment => (
          <li key={comment.comment_id} class="said">
            <strong>
              <bdi>{comment.by}</bdi>
            </strong>{' '}
            <Moment class="muted small" time={comment.said_at} />
            <p>{comment.text === null ? <span class="muted">erased with a document</span> : <bdi>{comment.text}</bdi>}</p>
          </li>
        ))}
      </ol>
      {may('decide') && (
        <div class="decide">
          <Field class="reason" label="Comment" value={text} onInput={setText} maxLength={2000} />
          <OwnName />
          <ActButton act={write} disabled={text.trim() === '' || nameNow().trim() === ''}>
            Write
          </ActButton>
        </div>
      )}
    </div>
  )
}
