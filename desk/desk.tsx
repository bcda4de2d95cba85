/** The frame of the page: sign in, then the view the address names. */

import { computed } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { CaseView } from './case-view'
import { Cases } from './cases'
import { KeyList } from './key-list'
import { type LiveState, liveFault, liveState, pollMs } from './live'
import { NewCase } from './new-case'
import { Operations } from './operations'
import { ActButton } from './parts'
import { hrefTo, path } from './route'
import { chooseTenant, hasEnded, isOperator, isSignedIn, may, me, resume, sayFailure, signOut, tenants } from './session'
import { SignIn } from './sign-in'

const title = computed(() => {
  const [area, name] = path.value
  return [area === 'cases' ? name : area === 'operations' ? 'Operations' : area === 'new-case' ? 'New case' : undefined, 'Concord']
    .filter(Boolean)
    .join(' – ')
})

function setTitle(text: string): void {
  document.title = text
}

export function Desk() {
  useEffect(() => title.subscribe(setTitle), [])
  const [start, setStart] = useState<{ failure?: string }>()
  useEffect(() => {
    resume().then(
      () => setStart({}),
      (error: unknown) => setStart({ failure: sayFailure(error) }),
    )
  }, [])
  if (start === undefined) return null
  if (!isSignedIn.value) return <SignIn reason={start.failure} />
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        To the content
      </button>
      <Head />
      <main id="content" tabIndex={-1}>
        <View />
      </main>
      <KeyList />
      {hasEnded.value && <SignInAgain />}
    </>
  )
}

/** Over the page, which stays as it is: what somebody has half written is there when they are back. */
function SignInAgain() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} aria-label="Sign in again" onCancel={event => event.preventDefault()}>
      <SignIn isAgain />
      <ActButton act={signOut}>Leave</ActButton>
    </dialog>
  )
}

/** The address after `#` names the view, so that focus has to be moved by hand. */
function skip(): void {
  document.getElementById('content')?.focus()
}

function View() {
  const [area, name, ...rest] = path.value
  if (area === 'add-key') return <SignIn isAdding />
  if (area === 'operations' && isOperator.value) return <Operations />
  if (me.value === undefined) return <Operations />
  if (area === 'new-case' && may('ingest')) return <NewCase />
  if (area === 'cases' && name !== undefined) return <CaseView key={name} scopeId={name} rest={rest} />
  return <Cases />
}

function Head() {
  const [area] = path.value
  return (
    <header class="top">
      <a class="brand" href={hrefTo(me.value ? 'cases' : 'operations')}>
        Concord
      </a>
      <nav aria-label="Desk">
        {me.value && (
          <a href={hrefTo('cases')} aria-current={area === 'cases' || area === 'new-case' || area === undefined ? 'page' : undefined}>
            Cases
          </a>
        )}
        {isOperator.value && (
          <a href={hrefTo('operations')} aria-current={area === 'operations' ? 'page' : undefined}>
            Operations
          </a>
        )}
      </nav>
      <Live />
      {tenants.value.length > 1 && (
        <select aria-label="Tenant" onChange={event => chooseTenant(event.currentTarget.selectedIndex)}>
          {tenants.value.map(each => (
            <option key={each.key ?? ''} selected={each.me === me.value}>
              {each.me.tenant_id}
            </option>
          ))}
        </select>
      )}
      <a href={hrefTo('add-key')}>Add key</a>
      {me.value?.session && me.value.person !== null && <span class="hint">{me.value.person}</span>}
      <ActButton act={signOut}>Sign out</ActButton>
    </header>
  )
}

function Live() {
  const state = liveState.value
  if (state === 'off') return <span class="not-followed" />
  return (
    <span class={`live ${state}`} role="status">
      {liveWords(state)}
    </span>
  )
}

function liveWords(state: LiveState): string {
  if (state === 'live') return 'Live'
  if (state === 'polled') return `Read again every ${pollMs / 1000} s`
  if (state === 'connecting') return 'Connecting …'
  return `Not live: what is shown may be old. ${liveFault.value ?? 'Connecting again …'}`
}
