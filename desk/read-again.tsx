/** "Read again with …": a scan in other languages than it was read in. It becomes a new revision. */

import { useState } from 'preact/hooks'
import type { Schema } from '../src/contract/types.js'
import { nameNow, OwnName } from './judgement'
import { ActButton, Failure, Field, Loading, useQuestion } from './parts'
import { isScan } from './scan-panel'
import { client, may } from './session'
import { useLoaded } from './use-loaded'

/** Kinds that may be nothing but pictures of pages. */
const pictured = ['pdf', 'png', 'jpeg', 'webp', 'tiff']

interface ReadAgainProps {
  scopeId: string
  document: Schema['Document']
  onRevised: () => Promise<unknown>
}

/** Null where the document has no picture whose letters were, or would be, recognised. */
export function ReadAgain({ scopeId, document, onRevised }: ReadAgainProps) {
  const { asks, open, close, button, group } = useQuestion()
  const isUnread = document.status === 'quarantined' && pictured.includes(document.type)
  if (!document.file?.kept || !(isScan(document) || isUnread) || !may('decide')) return null
  if (!asks) {
    return (
      <button type="button" ref={button} onClick={open}>
        Read again with …
      </button>
    )
  }
  return (
    <div class="decide judged" role="group" aria-label="Read again with" ref={group} tabIndex={-1}>
      <Languages {...{ scopeId, document, onRevised }} onClose={close} />
    </div>
  )
}

function Languages({ scopeId, document, onRevised, onClose }: ReadAgainProps & { onClose: () => void }) {
  const known = useLoaded(() => client.value.scanLanguages(), [])
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [reason, setReason] = useState('')
  const readAgain = async () => {
    const said = { by: nameNow().trim(), ...(reason.trim() !== '' && { reason: reason.trim() }) }
    await client.value.recogniseAgain(scopeId, document.document_id, { languages: [...chosen], ...said })
    onClose()
    await onRevised()
  }
  const toggle = (language: string) =>
    setChosen(before => (before.includes(language) ? before.filter(each => each !== language) : [...before, language]))
  const missing = known.data?.languages.filter(each => !each.installed) ?? []
  return (
    <>
      <p>
        Its pages are recognised again, as a new revision; words that were corrected are read anew. The language most of it is in comes
        first.
      </p>
      <Failure text={known.failure} />
      {known.data === undefined && known.failure === undefined && <Loading what="the languages" />}
      {known.data?.languages.map(
        ({ language, name, installed }) =>
          installed && (
            <label key={language} class="check">
              <input type="checkbox" checked={chosen.includes(language)} onChange={() => toggle(language)} /> {name}
            </label>
          ),
      )}
      {missing.length > 0 && (
        <details>
          <summary>Others are installed by the operator</summary>
          <ul class="small">
            {missing.map(({ language, name, install }) => (
              <li key={language}>
                {name}: <code>{install}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
      <Field class="reason" label="Reason (if any)" value={reason} onInput={setReason} maxLength={2000} />
      <OwnName />
      <ActButton class="primary" act={readAgain} disabled={chosen.length === 0 || chosen.length > 4 || nameNow().trim() === ''}>
        {chosen.length === 0 ? 'Read it again' : `Read it again with ${chosen.join('+')}`}
      </ActButton>
      <button type="button" onClick={onClose}>
        Leave it
      </button>
    </>
  )
}
