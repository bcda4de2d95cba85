/** Why, and who says so: the two fields every decision needs. The name stays for the next one; a key bound to a person says theirs. */

import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { into } from './into'
import { ActButton, Field, useQuestion } from './parts'
import { me } from './session'

const personName = signal('')

export function Judgement({ reason, onReason }: { reason: string; onReason: (reason: string) => void }) {
  return (
    <>
      <Field class="reason" label="Reason" placeholder="Reason" value={reason} onInput={onReason} maxLength={2000} required />
      <OwnName />
    </>
  )
}

export function OwnName() {
  return (
    <Field
      class="person"
      label="Your name"
      placeholder="Your name"
      value={nameNow()}
      onInput={into(personName)}
      maxLength={200}
      required
      readOnly={isBound()}
    />
  )
}

/** A key that may not speak for others decides in the name of its person. */
function isBound(): boolean {
  return me.value?.speak_for === false && me.value.person !== null
}

/** Who sits there: the person of the key, or the name that was entered last. */
export function nameNow(): string {
  return isBound() ? (me.value?.person ?? '') : personName.value
}

export function isComplete(reason: string): boolean {
  return reason.trim() !== '' && nameNow().trim() !== ''
}

export function said(reason: string): { reason: string; by: string } {
  return { reason: reason.trim(), by: nameNow().trim() }
}

/** Asks why, and who says so, before an act that stays on record. */
export function JudgedButton({
  act,
  children,
  question,
  class: className = '',
}: {
  act: (judgement: { reason: string; by: string }) => Promise<unknown>
  children: ComponentChildren
  question: string
  class?: string
}) {
  const [reason, setReason] = useState('')
  const { asks, open, close, button, group } = useQuestion()
  if (!asks) {
    return (
      <button type="button" class={className} ref={button} onClick={open}>
        {children}
      </button>
    )
  }
  return (
    <div class="decide judged" role="group" aria-label={question} ref={group} tabIndex={-1}>
      <p>{question}</p>
      <Judgement reason={reason} onReason={setReason} />
      <ActButton class="danger" act={() => act(said(reason)).then(close)} disabled={!isComplete(reason)}>
        Yes
      </ActButton>
      <button type="button" onClick={close}>
        No
      </button>
    </div>
  )
}
