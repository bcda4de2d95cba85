/** All cases of the tenant: what is open in each, how far it is settled, and a way to begin another. */

import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { ProblemError } from '../src/client/index.js'
import { countOf, finalityWords } from '../src/contract/field-words.js'
import type { Schema } from '../src/contract/types.js'
import { into } from './into'
import { followCases } from './live'
import { Badge, Choice, Failure, Field, Loading, SmallLine } from './parts'
import { go, hrefTo } from './route'
import { client, isOperator, may, me, sayFailure } from './session'
import { FileDrop } from './upload'
import { listRestMs, useLoaded } from './use-loaded'
import { ago, moment, sentence } from './wording'

type Scope = Schema['Scope']

const shownCases = 400
/** The stream of a tenant has the events of its cases: a pause of the tenant or the service is seen so often. */
const unheardMs = 20_000
const search = signal('')
const finality = signal('')

const finalities: [string, string][] = [
  ['', 'any'],
  ['active', 'open'],
  ['review', 'needs a person'],
  ['escalated', 'escalated'],
  ['blocked', 'blocked'],
  ['resolved', 'review complete'],
]

export function Cases() {
  const q = search.value.trim()
  const status = finality.value as Schema['FinalityStatus'] | ''
  const query = { limit: 200, ...(q === '' ? {} : { q }), ...(status === '' ? {} : { finality: status }) }
  const cases = useLoaded(() => client.value.scopes(query).toArray(shownCases), [client.value, q, status], /./, listRestMs)
  useEffect(followCases, [client.value])
  useEffect(() => {
    const timer = window.setInterval(() => document.hidden || void cases.reload(), unheardMs)
    return () => window.clearInterval(timer)
  }, [client.value])
  const items = [...(cases.data ?? [])].sort(byUrgency)
  return (
    <div class="page">
      <h1>Cases</h1>
      <div class="tools">
        <Field label="Search" type="search" value={search.value} onInput={into(search)} />
        <Choice label="Status" value={finality.value} options={finalities} onChange={into(finality)} />
      </div>
      <Failure text={cases.failure} />
      {cases.data === undefined ? (
        cases.failure === undefined && <Loading what="the cases" />
      ) : (
        <CaseList items={items} filtered={q !== '' || status !== ''} />
      )}
      {items.length === shownCases && <p class="muted">The first {shownCases} are shown; search for others.</p>}
      {may('ingest') && <NewCase />}
    </div>
  )
}

function byUrgency(a: Scope, b: Scope): number {
  const open = (scope: Scope) => Number(scope.counts.open_contradictions + scope.counts.possible_conflicts > 0)
  return open(b) - open(a) || Date.parse(b.updated_at) - Date.parse(a.updated_at)
}

function CaseList({ items, filtered }: { items: Scope[]; filtered: boolean }) {
  if (items.length === 0) return <p>{filtered ? 'No case fits.' : 'There is no case yet: begin one below.'}</p>
  const now = Date.now()
  return (
    <ul class="cases">
      {items.map(item => (
        <li key={item.scope_id} class="case-row">
          <div class="case-name">
            <a href={hrefTo('cases', item.scope_id)} aria-label={item.scope_id}>
              {item.scope_id}
            </a>
            {item.display_name !== null && <bdi class="muted">{item.display_name}</bdi>}
            <p class="muted small">
              {sentence(item.examined.words)} {sentence(item.examined.compared)}
            </p>
          </div>
          <div>
            <Badge kind={item.finality}>{finalityWords[item.finality]}</Badge>
            {item.runtime !== 'running' && <Badge kind="held">{item.runtime}</Badge>}
            {item.needs_reread && <Badge kind="held">needs reading again</Badge>}
          </div>
          <dl class="figures">
            <Figure name="contradictions" number={item.counts.open_contradictions} kind="bad" />
            <Figure name="possible" number={item.counts.possible_conflicts} kind="warn" />
            <Figure name="documents" number={item.counts.documents.total} />
          </dl>
          {isOperator.value ? <SmallLine scores={item.trajectory} /> : <span />}
          <time class="muted" dateTime={item.updated_at} title={moment(item.updated_at)}>
            {waiting(item) || ago(item.updated_at, now)}
          </time>
        </li>
      ))}
    </ul>
  )
}

function waiting({ runtime, counts: { documents } }: Scope): string {
  const number = documents.queued + documents.processing
  return number === 0 ? '' : runtime === 'running' ? `reading ${number}` : `${number} waiting`
}

function Figure({ name, number, kind = '' }: { name: string; number: number; kind?: string }) {
  return (
    <div class={number > 0 ? kind : ''}>
      <dt>{name}</dt>
      <dd>{number.toLocaleString('en')}</dd>
    </div>
  )
}

function NewCase() {
  const [id, setId] = useState('')
  const [name, setName] = useState('')
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
    <section class="panel" aria-labelledby="new-case">
      <h2 id="new-case">New case</h2>
      <form class="tools" onSubmit={create}>
        <Field
          label="Case id"
          value={id}
          onInput={value =>
            setId(
              value
                .toLowerCase()
                .replaceAll(/[^a-z0-9-]+/g, '-')
                .slice(0, 120),
            )
          }
          hint="Small letters, digits and hyphens."
          required
        />
        <Field label="Name" value={name} onInput={setName} maxLength={500} hint="As people call it; may be left out." />
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
      {isNamed && <FileDrop scopeId={id} before={() => createUnlessSame(asked)} onFirst={() => go('cases', id)} />}
      {limits?.documents != null && <p class="hint">At most {countOf(limits.documents, 'document')} may be kept.</p>}
    </section>
  )
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
