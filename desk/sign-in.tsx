/** The first view: the issuer where there is one, a key or several. And the same over a page whose session has ended. */

import { useEffect, useState } from 'preact/hooks'
import { ActButton, Failure } from './parts'
import { go, path } from './route'
import { goOnFromOtherTab, issuerName, me, sayFailure, signIn, signInAgainWithIssuer, signInWithIssuer } from './session'

interface SignInProps {
  isAdding?: boolean
  /** The session has ended: whoever sits there signs in where they are. */
  isAgain?: boolean
  reason?: string | undefined
}

export function SignIn({ isAdding = false, isAgain = false, reason }: SignInProps) {
  const [failure, setFailure] = useState(reason)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    if (!isAgain) return
    window.addEventListener('focus', goOnFromOtherTab)
    return () => window.removeEventListener('focus', goOnFromOtherTab)
  }, [isAgain])
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('key') as HTMLInputElement
    setBusy(true)
    setFailure(undefined)
    try {
      await signIn(field.value)
      field.value = ''
      // An address that names a case leads there, once its reader may see it.
      if (!isAgain && (isAdding || me.value === undefined || path.value[0] !== 'cases')) go(me.value ? 'cases' : 'operations')
    } catch (error) {
      setFailure(sayFailure(error))
      field.focus()
    } finally {
      setBusy(false)
    }
  }
  const form = (
    <form class="sign-in" onSubmit={submit}>
      <p class="kicker">{isAdding ? 'Another key' : isAgain ? 'Your session has ended' : 'Concord'}</p>
      <h1>{isAdding ? 'Add a key' : isAgain ? 'Sign in again' : 'Where do your documents contradict each other?'}</h1>
      {!isAdding && issuerName.value !== undefined && (
        <ActButton class="primary" act={isAgain ? signInAgainWithIssuer : signInWithIssuer}>
          Sign in with {issuerName.value}
        </ActButton>
      )}
      <div class="field">
        <label for="key">Key</label>
        <input
          id="key"
          name="key"
          class="secret"
          type="text"
          required
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-describedby="key-hint"
          aria-invalid={failure !== undefined}
        />
        <p id="key-hint" class="hint">
          A tenant key (<code>cnk_…</code>), an admin or an internals key; several are separated by a space. A tenant key is exchanged for a
          session that a reload goes on with; the others stay in this page alone.
        </p>
      </div>
      <Failure text={failure} />
      <button type="submit" class={issuerName.value === undefined || isAdding ? 'primary' : ''} disabled={isBusy}>
        {isAdding ? 'Add' : 'Sign in'}
      </button>
    </form>
  )
  return isAdding || isAgain ? form : <main id="content">{form}</main>
}
