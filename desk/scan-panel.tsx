/**
 * Beside a scan: which of its words are in doubt, and correcting one, chosen here or on the page itself. What a person reads on the page
 * becomes a new revision.
 */

import { useEffect, useState } from 'preact/hooks'
import { sureRecognition } from '../src/contract/finding-words.js'
import type { Schema } from '../src/contract/types.js'
import { nameNow, OwnName } from './judgement'
import { ActButton, Failure, Field } from './parts'
import type { ScanWord } from './scan-marks'
import { client } from './session'
import { useLoaded } from './use-loaded'

const mostShown = 200

/** Whether its letters were recognised here. */
export function isScan({ file }: Pick<Schema['Document'], 'file'>): boolean {
  return file?.extractor?.startsWith('scan@') === true
}

interface ScanPanelProps {
  scopeId: string
  document: Schema['Document']
  word: ScanWord | undefined
  onChoose: (word: ScanWord | undefined) => void
  /** A new revision has come. */
  onRevised: () => Promise<unknown>
}

export function ScanPanel({ scopeId, document, word, onChoose, onRevised }: ScanPanelProps) {
  const { document_id: documentId, revision } = document
  const doubtful = useLoaded(
    () => client.value.words(scopeId, documentId, { revision, below: sureRecognition, limit: mostShown }).toArray(mostShown),
    [scopeId, documentId, revision, document.status],
  )
  const words = doubtful.data ?? []
  return (
    <section class="scan-panel" aria-label="Recognised words">
      <Failure text={doubtful.failure} />
      {doubtful.data !== undefined && (
        <p class="small muted">
          {words.length === 0
            ? 'No word is in doubt. Press a word on the page to correct it.'
            : 'Words that are in doubt. Press one here, or any on the page, to correct it:'}
        </p>
      )}
      {words.length > 0 && (
        <div class="doubtful-words">
          {words.map(each => (
            <button key={each.start} type="button" aria-pressed={each.start === word?.start} onClick={() => onChoose(each)}>
              <bdi>{each.text}</bdi> <span class="muted small">{Math.round(each.confidence * 100)} %</span>
            </button>
          ))}
        </div>
      )}
      {words.length === mostShown && <p class="small muted">The first {mostShown} are shown.</p>}
      {word !== undefined && (
        <Correction key={word.start} {...{ scopeId, document, word }} onRevised={onRevised} onClose={() => onChoose(undefined)} />
      )}
    </section>
  )
}

interface CorrectionProps extends Pick<ScanPanelProps, 'scopeId' | 'document' | 'onRevised'> {
  word: ScanWord
  onClose: () => void
}

function Correction({ scopeId, document, word, onRevised, onClose }: CorrectionProps) {
  const [text, setText] = useState(word.text ?? '')
  const [reason, setReason] = useState('')
  useEffect(() => setText(word.text ?? ''), [word])
  const correct = async () => {
    const said = { text: text.trim(), by: nameNow().trim(), ...(reason.trim() !== '' && { reason: reason.trim() }) }
    await client.value.correctWord(scopeId, document.document_id, { revision: document.revision, start: word.start, ...said })
    onClose()
    await onRevised()
  }
  const isSame = text.trim() === word.text
  return (
    <div class="decide" role="group" aria-label="Correct a word">
      <p>
        “<bdi>{word.text}</bdi>” on page {word.page},{' '}
        {word.corrected ? 'read by a person' : `recognised ${Math.round(word.confidence * 100)} %`}
      </p>
      <Field label="The page says" value={text} onInput={setText} maxLength={200} required />
      <Field class="reason" label="Reason (if any)" value={reason} onInput={setReason} maxLength={2000} />
      <OwnName />
      <ActButton class="primary" act={correct} disabled={text.trim() === '' || nameNow().trim() === '' || (isSame && word.corrected)}>
        {isSame ? 'It was read rightly' : 'Correct the word'}
      </ActButton>
      <button type="button" onClick={onClose}>
        Leave it
      </button>
    </div>
  )
}
