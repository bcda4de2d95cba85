/** Why, and who says so: the two fields every decision needs. The name stays for the next one. */

import { signal } from '@preact/signals'
import { into } from './into'
import { Field } from './parts'

export const personName = signal('')

export function Judgement({ reason, onReason }: { reason: string; onReason: (reason: string) => void }) {
  return (
    <>
      <Field class="reason" label="Reason" value={reason} onInput={onReason} maxLength={2000} required />
      <Field class="person" label="Your name" value={personName.value} onInput={into(personName)} maxLength={200} required />
    </>
  )
}

export function isComplete(reason: string): boolean {
  return reason.trim() !== '' && personName.value.trim() !== ''
}

export function said(reason: string): { reason: string; by: string } {
  return { reason: reason.trim(), by: personName.value.trim() }
}
