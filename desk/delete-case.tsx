/** Deleting a case, with everything in it. Its id has to be typed: there is no way back. */

import { useState } from 'preact/hooks'
import { ActButton, Field, useQuestion } from './parts'
import { go } from './route'
import { client } from './session'

export function DeleteCase({ scopeId }: { scopeId: string }) {
  const [typed, setTyped] = useState('')
  const { asks, open, close, button, group } = useQuestion()
  if (!asks) {
    return (
      <button type="button" class="quiet" ref={button} onClick={open}>
        Delete case
      </button>
    )
  }
  const remove = async () => {
    await client.value.deleteScope(scopeId)
    go('cases')
  }
  return (
    <div class="decide judged" role="group" aria-label="Delete the case" ref={group} tabIndex={-1}>
      <p>
        <strong>Delete the case?</strong> Its documents, statements, findings and decisions are removed for good. Certificates stay, marked
        withdrawn.
      </p>
      <Field class="reason" label={`Type ${scopeId} to confirm`} value={typed} onInput={setTyped} />
      <ActButton class="danger" act={remove} disabled={typed !== scopeId}>
        Delete for good
      </ActButton>
      <button type="button" onClick={close}>
        Keep it
      </button>
    </div>
  )
}
