/** Small pieces that many views share. */

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { documentNames } from './document-text'
import { hrefTo } from './route'
import { sayFailure } from './session'

export function Badge({ kind, children }: { kind?: string; children: ComponentChildren }) {
  return <span class={`badge ${kind ?? ''}`}>{children}</span>
}

export function Failure({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="failure" role="alert">
      {text}
    </p>
  )
}

export function Loading({ what }: { what: string }) {
  return (
    <p class="muted" role="status">
      Reading {what} …
    </p>
  )
}

/** Names come from documents: what direction they have stays with them. */
export function Name({ children }: { children: string | null }) {
  return <bdi>{children ?? 'erased'}</bdi>
}

let lastField = 0

interface FieldProps {
  label: string
  value: string
  onInput: (value: string) => void
  type?: 'text' | 'search' | 'date' | 'datetime-local'
  class?: string
  hint?: string
  required?: boolean
  maxLength?: number
  readOnly?: boolean
  placeholder?: string
}

export function Field({
  label,
  value,
  onInput,
  type = 'text',
  class: className = '',
  hint,
  required = false,
  maxLength,
  readOnly = false,
  placeholder,
}: FieldProps) {
  const [id] = useState(() => `field-${++lastField}`)
  return (
    <div class={`field ${className}`}>
      <label for={id}>{label}</label>
      <input
        id={id}
        type={type}
        // Browsers let years have six digits otherwise.
        max={type === 'date' ? '9999-12-31' : type === 'datetime-local' ? '9999-12-31T23:59' : undefined}
        value={value}
        required={required}
        maxLength={maxLength}
        readOnly={readOnly}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onInput={event => onInput(event.currentTarget.value)}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: readonly (readonly [value: string, text: string])[]
  onChange: (value: string) => void
}

export function Choice({ label, value, options, onChange }: ChoiceProps) {
  const [id] = useState(() => `field-${++lastField}`)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={event => onChange(event.currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

/** A button for an act of the service: says that it is under way, and what went wrong. */
export function ActButton({
  act,
  children,
  class: className = '',
  disabled = false,
}: {
  act: () => Promise<unknown>
  children: ComponentChildren
  class?: string
  disabled?: boolean
}) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const isThere = useRef(true)
  useEffect(() => {
    isThere.current = true
    return () => {
      isThere.current = false
    }
  }, [])
  const run = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await act()
    } catch (error) {
      if (isThere.current) setFailure(sayFailure(error))
    } finally {
      if (isThere.current) setBusy(false)
    }
  }
  return (
    <>
      <button type="button" class={className} disabled={isBusy || disabled} onClick={run}>
        {children}
      </button>
      <Failure text={failure} />
    </>
  )
}

/** A question in the place of the button that asked for it. Focus follows, so that nobody at a keyboard loses their place. */
export function useQuestion() {
  const [asks, setAsks] = useState<boolean>()
  const button = useRef<HTMLButtonElement>(null)
  const group = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (asks === true) group.current?.focus()
    if (asks === false) button.current?.focus()
  }, [asks])
  return { asks, open: () => setAsks(true), close: () => setAsks(false), button, group }
}

/** Asks once more before what costs or cannot be undone. */
export function ConfirmButton({
  act,
  children,
  question,
  class: className = '',
}: {
  act: () => Promise<unknown>
  children: ComponentChildren
  question: string
  class?: string
}) {
  const { asks, open, close, button, group } = useQuestion()
  if (!asks) {
    return (
      <button type="button" ref={button} class={className} onClick={open}>
        {children}
      </button>
    )
  }
  return (
    <div class="confirm" role="group" aria-label={question} ref={group} tabIndex={-1}>
      <span>{question}</span>
      <ActButton act={() => act().then(close)} class="danger">
        Yes
      </ActButton>
      <button type="button" onClick={close}>
        No
      </button>
    </div>
  )
}

/** Goal scores as a line a few letters wide; 1 is the upper edge. */
export function SmallLine({ scores }: { scores: readonly number[] }) {
  const last = scores.at(-1)
  if (last === undefined) return <span class="muted">–</span>
  const x = (index: number) => (scores.length === 1 ? 100 : (index / (scores.length - 1)) * 100)
  const y = (score: number) => 22 - Math.max(0, Math.min(1, score)) * 20
  const line = scores.map((score, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(score).toFixed(1)}`).join('')
  return (
    <svg class="small-line" viewBox="-2 0 104 24" role="img" aria-label={`Convergence ${last.toFixed(2)} of 1`}>
      <line class="grid" x1="0" x2="100" y1="2" y2="2" />
      <path class="line" d={line} />
      <circle class="dot" cx={x(scores.length - 1)} cy={y(last)} r="2.5" />
    </svg>
  )
}

/** A document by the name people know it by. */
export function DocumentLink({
  scopeId,
  id,
  class: className = '',
  claimId,
}: {
  scopeId: string
  id: string
  class?: string
  /** The statement to lead to within it. */
  claimId?: string
}) {
  return (
    <a class={className} href={hrefTo('cases', scopeId, 'documents', id, ...(claimId === undefined ? [] : [claimId]))}>
      <bdi>{documentNames.value.get(id) ?? id}</bdi>
    </a>
  )
}
