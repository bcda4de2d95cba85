/** Deleting a case, with everything in it. Its id has to be typed: there is no way back. While a document of it is on legal hold, who set that is said instead. */

import { useState } from 'preact/hooks'
import { ActButton, Failure, Field, useQuestion } from './parts'
import { go } from './route'
import { client } from './session'
import { isBeingRead, useLoaded } from './use-loaded'
import { moment } from './wording'

export function DeleteCase({ scopeId }: { scopeId: string }) {
  const { asks, open, close, button, group } = useQuestion()
  if (!asks) {
    return (
      <button type="button" class="quiet" ref={button} onClick={open}>
        Delete case
      </button>
    )
  }
  return (
    <div class="decide judged" role="group" aria-label="Delete the case" ref={group} tabIndex={-1}>
      <Asked scopeId={scopeId} />
      <button type="button" onClick={close}>
        Keep it
      </button>
    </div>
  )
}

function Asked({ scopeId }: { scopeId: string }) {
  const [typed, setTyped] = useState('')
  const holds = useLoaded(() => client.value.holds(scopeId, { standing: true }).toArray(20), [scopeId])
  if (isBeingRead(holds)) return null
  if (holds.data !== undefined && holds.data.length > 0) {
    return (
      <>
        <p>
          <strong>The case cannot be deleted</strong> while something of it is on legal hold:
        </p>
        <ul>
          {holds.data.map(({ hold_id, document_id, by, set_at, reason }) => (
            <li key={hold_id}>
              {document_id === null ? 'the case' : <bdi>{document_id}</bdi>}, set by <bdi>{by}</bdi> on {moment(set_at)}:{' '}
              <bdi>{reason ?? 'the reason was erased'}</bdi>
            </li>
          ))}
        </ul>
      </>
    )
  }
  const remove = async () => {
    await client.value.deleteScope(scopeId)
    go('cases')
  }
  return (
    <>
      <Failure text={holds.failure} />
      <p>
        <strong>Delete the case?</strong> Its documents, statements, findings and decisions are removed for good. Certificates stay, marked
        withdrawn.
      </p>
      <Field class="reason" label={`Type ${scopeId} to confirm`} value={typed} onInput={setTyped} />
      <ActButton class="danger" act={remove} disabled={typed !== scopeId}>
        Delete for good
      </ActButton>
    </>
  )
}
