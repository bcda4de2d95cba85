/** All cases of the tenant: what is open in each, how far it is settled, and a way to begin another. */

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { finalityWords } from '../src/contract/field-words.js'
import type { Schema } from '../src/contract/types.js'
import { into } from './into'
import { followCases } from './live'
import { Badge, Choice, Failure, Field, Loading, SmallLine } from './parts'
import { ReadMore, useMost } from './read-more'
import { hrefTo } from './route'
import { client, isOperator, may, timesSignedIn } from './session'
import { listRestMs, useLoaded } from './use-loaded'
import { ago, exactMoment, sentence } from './wording'

type Scope = Schema['Scope']

const atOnce = 400
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
  const most = useMost(atOnce)
  const cases = useLoaded(() => client.value.scopes(query).toArray(most.current.most), [client.value, q, status], /./, listRestMs)
  useEffect(followCases, [client.value, timesSignedIn.value])
  useEffect(() => {
    const timer = window.setInterval(() => document.hidden || void cases.reload(), unheardMs)
    return () => window.clearInterval(timer)
  }, [client.value])
  const items = [...(cases.data ?? [])].sort(byUrgency)
  return (
    <div class="page">
      <div class="with-act">
        <h1>Cases</h1>
        {may('ingest') && (
          <a class="button primary" href={hrefTo('new-case')}>
            New case
          </a>
        )}
      </div>
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
      <ReadMore of={most} read={[cases.data]} reload={cases.reload} />
    </div>
  )
}

function byUrgency(a: Scope, b: Scope): number {
  const open = (scope: Scope) => Number(scope.counts.open_contradictions + scope.counts.possible_conflicts > 0)
  return open(b) - open(a) || Date.parse(b.updated_at) - Date.parse(a.updated_at)
}

function CaseList({ items, filtered }: { items: Scope[]; filtered: boolean }) {
  if (items.length === 0) return <p>{filtered ? 'No case fits.' : 'There is no case yet.'}</p>
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
          <time class="muted" dateTime={item.updated_at} title={exactMoment(item.updated_at)}>
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
