/** The legal hold of a case or a document: who set it and why, setting it, and lifting it. All of it stays on record. */

import { holdWords } from '../src/contract/hold-words.js'
import type { Schema } from '../src/contract/types.js'
import { JudgedButton } from './judgement'
import { client, may } from './session'
import { moment } from './wording'

interface LegalHoldProps {
  scopeId: string
  /** Of this document; without it, of the case. */
  documentId?: string
  hold: Schema['Document']['legal_hold']
  reload: () => Promise<unknown>
}

export function LegalHold({ scopeId, documentId, hold, reload }: LegalHoldProps) {
  const named = documentId === undefined ? {} : { documentId }
  const what = documentId === undefined ? 'case' : 'document'
  const isOwn = hold?.of === what
  return (
    <div class="legal-hold small">
      {hold !== null && (
        <p>
          <bdi>{holdWords(hold, what, moment)}</bdi>
        </p>
      )}
      {may('hold') && isOwn && (
        <JudgedButton
          class="quiet"
          question={`Lift the legal hold? The ${what} can be removed then.`}
          act={judgement => client.value.liftHold(scopeId, judgement, named).then(reload)}
        >
          Lift the legal hold
        </JudgedButton>
      )}
      {may('hold') && !isOwn && (
        <JudgedButton
          class="quiet"
          question={`Put the ${what} on legal hold? Nothing removes it until the hold is lifted.`}
          act={judgement => client.value.hold(scopeId, judgement, named).then(reload)}
        >
          Put on legal hold
        </JudgedButton>
      )}
    </div>
  )
}
