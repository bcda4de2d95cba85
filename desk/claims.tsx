/** What the documents claim: searched, filtered, and as it was known or held on a day. */

import { useState } from 'preact/hooks'
import type { Schema } from '../src/client/index.js'
import { Badge, Choice, DocumentLink, Failure, Field, Loading } from './parts'
import { client } from './session'
import { useLoaded } from './use-loaded'
import { about } from './wording'

type Claim = Schema['Claim']
const mostRead = 2000
const mostShown = 300

export function Claims({ scopeId }: { scopeId: string }) {
  const [text, setText] = useState('')
  const [state, setState] = useState<'live' | 'superseded' | 'all'>('live')
  const [heldOn, setHeldOn] = useState('')
  const [knownOn, setKnownOn] = useState('')
  const query = {
    limit: 200,
    state,
    ...(heldOn === '' ? {} : { as_of: heldOn }),
    ...(knownOn === '' ? {} : { known_at: new Date(`${knownOn}T23:59:59`).toISOString() }),
  }
  const list = useLoaded(
    () => client.value.claims(scopeId, query).toArray(mostRead),
    [scopeId, client.value, state, heldOn, knownOn],
    /^(document|claim|contradiction|scope)\./,
  )
  const found = (list.data ?? []).filter(claim => says(claim, text))
  return (
    <div class="page">
      <h2>Claims</h2>
      <div class="tools">
        <Field label="Search" type="search" value={text} onInput={setText} />
        <Choice
          label="State"
          value={state}
          onChange={value => setState(value as typeof state)}
          options={[
            ['live', 'counts'],
            ['superseded', 'replaced'],
            ['all', 'all'],
          ]}
        />
        <Field label="Held on" type="date" value={heldOn} onInput={setHeldOn} />
        <Field label="As known on" type="date" value={knownOn} onInput={setKnownOn} />
      </div>
      <Failure text={list.failure} />
      {list.data === undefined ? (
        list.failure === undefined && <Loading what="the claims" />
      ) : (
        <p class="muted" role="status">
          {found.length.toLocaleString('en')} of {list.data.length.toLocaleString('en')}
          {list.data.length === mostRead && ' (the first that were read)'}
        </p>
      )}
      <ul class="rows">
        {found.slice(0, mostShown).map(claim => (
          <li key={claim.claim_id} class="row claim-row">
            <div>
              <bdi class="about">{about(claim)}</bdi>{' '}
              <strong>
                <bdi>{claim.value}</bdi>
              </strong>{' '}
              {claim.period !== null && <Badge>{claim.period}</Badge>}
              {claim.superseded_at !== null && <Badge>replaced</Badge>}
              <blockquote class="small">
                <bdi>{claim.quote ?? 'erased'}</bdi>
              </blockquote>
            </div>
            <DocumentLink class="small" scopeId={scopeId} id={claim.document_id} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function says({ subject, attribute, value, quote, period }: Claim, text: string): boolean {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean)
  const all = [subject, attribute, value, quote, period].join(' ').toLowerCase()
  return wanted.every(word => all.includes(word))
}
