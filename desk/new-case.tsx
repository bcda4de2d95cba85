/** A case is begun: its name, how strictly it takes what comes, and its first papers. */

import { useState } from 'preact/hooks'
import { ProblemError } from '../src/client/index.js'
import { countOf } from '../src/contract/field-words.js'
import type { Schema } from '../src/contract/types.js'
import { Choice, Failure, Field } from './parts'
import { go } from './route'
import { client, may, me, sayFailure } from './session'
import { FileDrop } from './upload'

export function NewCase() {
  const [ownId, setOwnId] = useState('')
  const [name, setName] = useState('')
  const id = ownId === '' ? idOf(name).replaceAll(/^-|-$/g, '') : ownId
  const [mode, setMode] = useState('auto')
  const [failure, setFailure] = useState<string>()
  const asked = { scope_id: id, mode: mode as Schema['ScopeMode'], ...(name.trim() === '' ? {} : { display_name: name.trim() }) }
  const create = async (event: Event) => {
    event.preventDefault()
    setFailure(undefined)
    try {
      await client.value.createScope(asked)
      go('cases', id, 'documents')
    } catch (error) {
      setFailure(sayFailure(error))
    }
  }
  const isNamed = /^[a-z0-9][a-z0-9-]{0,119}$/.test(id)
  const limits = me.value?.limits
  return (
    <div class="page">
      <h1>New case</h1>
      <form class="tools" onSubmit={create}>
        <Field label="Name" value={name} onInput={setName} maxLength={500} hint="As people call it." />
        <Field
          label="Case id"
          value={id}
          onInput={value => setOwnId(idOf(value))}
          hint="Small letters, digits and hyphens; made of the name where nothing else is said."
          required
        />
        <Choice
          label="Mode"
          value={mode}
          onChange={setMode}
          options={[
            ['auto', 'auto: admit unless forbidden'],
            ['review', 'review: a person approves what is material'],
            ['strict', 'strict: refuse what is uncertain'],
          ]}
        />
        <button type="submit" class="primary" disabled={!isNamed}>
          Create case
        </button>
      </form>
      <Failure text={failure} />
      <h2>Its first papers</h2>
      {isNamed ? (
        <FileDrop scopeId={id} before={() => createUnlessSame(asked)} onFirst={() => go('cases', id)} />
      ) : (
        <p class="muted">Name the case, then hand them in here: that makes the case too.</p>
      )}
      {limits?.documents != null && <p class="hint">At most {countOf(limits.documents, 'document')} may be kept.</p>}
    </div>
  )
}

/** As an id may be written. */
function idOf(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .slice(0, 120)
}

/** Files go into a case that exists only where it is as it was asked for: another mode may admit what was to be refused. */
async function createUnlessSame(asked: Schema['CreateScopeRequest']): Promise<void> {
  try {
    await client.value.createScope(asked)
  } catch (error) {
    if (!(error instanceof ProblemError && error.code === 'SCOPE_EXISTS')) throw error
    if (!may('read')) {
      // How the case is cannot be told. A form that was left as it is asks for nothing that could be missing.
      if (asked.mode === 'auto' && asked.display_name === undefined) return
      throw error
    }
    const { mode, display_name: name } = await client.value.summary(asked.scope_id)
    if (mode === asked.mode && name === (asked.display_name ?? name)) return
    const called = name === null ? 'without a name' : `named “\u2068${name}\u2069”`
    throw new Error(`The case ${asked.scope_id} exists already, in mode ${mode} and ${called}. Ask for the same, or choose another id.`)
  }
}
