/** The first view: a key, or several. They stay in this page's memory. */

import { useState } from 'preact/hooks'
import { Failure } from './parts'
import { go } from './route'
import { me, sayFailure, signIn } from './session'

export function SignIn({ isAdding = false }: { isAdding?: boolean }) {
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('key') as HTMLInputElement
    setBusy(true)
    setFailure(undefined)
    try {
      await signIn(field.value)
      field.value = ''
      go(me.value ? 'cases' : 'operations')
    } catch (error) {
      setFailure(sayFailure(error))
      field.focus()
    } finally {
      setBusy(false)
    }
  }
  const form = (
    <form class="sign-in" onSubmit={submit}>
      <p class="kicker">{isAdding ? 'Another key' : 'Concord'}</p>
      <h1>{isAdding ? 'Add a key' : 'Where do your documents contradict each other?'}</h1>
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
          A tenant key (<code>cnk_…</code>), an admin or an internals key; several are separated by a space. Keys stay in this page alone: a
          reload asks again.
        </p>
      </div>
      <Failure text={failure} />
      <button type="submit" class="primary" disabled={isBusy}>
        {isAdding ? 'Add' : 'Sign in'}
      </button>
    </form>
  )
  return isAdding ? form : <main id="content">{form}</main>
}
