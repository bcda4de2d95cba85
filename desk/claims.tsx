/** What the documents claim: searched, filtered, and as it was known or held on a day. */

import { useState } from 'preact/hooks'
import { countOf } from '../src/contract/field-words.js'
import { aboutOf } from '../src/contract/finding-words.js'
import { InView } from './in-view'
import { instantOfDay } from './moments'
import { Badge, Choice, DocumentLink, Failure, Field, Loading } from './parts'
import { ReadMore, useMost } from './read-more'
import { client } from './session'
import { useLoaded } from './use-loaded'
import { periodWords } from './wording'

const atOnce = 200

export function Claims({ scopeId, words = '' }: { scopeId: string; words?: string | undefined }) {
  const [text, setText] = useState(words.slice(0, 200))
  const [state, setState] = useState<'live' | 'superseded' | 'all'>('live')
  const [heldOn, setHeldOn] = useState('')
  const [knownOn, setKnownOn] = useState('')
  const q = text.trim()
  const most = useMost(atOnce)
  const list = useLoaded(
    async () => {
      const query = {
        limit: 200,
        ...(q === '' ? {} : { q }),
        state,
        ...(heldOn === '' ? {} : { as_of: heldOn }),
        ...(knownOn === '' ? {} : { known_at: instantOfDay(knownOn, '23:59:59') }),
      }
      return client.value.claims(scopeId, query).toArray(most.current.most)
    },
    [scopeId, client.value, q, state, heldOn, knownOn],
    /^(document|claim|contradiction|scope)\./,
  )
  const found = list.data ?? []
  return (
    <div class="page">
      <h2>Statements</h2>
      <div class="tools">
        <Field label="Search" type="search" value={text} onInput={setText} maxLength={200} />
        <Choice
          label="State"
          value={state}
          onChange={value => setState(value as typeof state)}
          options={[
            ['live', 'counts'],
            ['superseded', 'no longer counting'],
            ['all', 'all'],
          ]}
        />
        <Field label="Held on" type="date" value={heldOn} onInput={setHeldOn} />
        <Field label="As known on" type="date" value={knownOn} onInput={setKnownOn} />
      </div>
      <Failure text={list.failure} />
      {list.data === undefined ? (
        list.failure === undefined && <Loading what="the statements" />
      ) : (
        <p class="muted" role="status">
          {shownWords(found.length, found.length >= most.current.shown, q !== '')}
        </p>
      )}
      <ul class="rows">
        <InView
          as="li"
          key={`${q} ${state}`}
          items={found}
          draw={claim => (
            <li key={claim.claim_id} class="row claim-row">
              <div>
                <bdi class="about">{aboutOf(claim)}</bdi>{' '}
                <strong>
                  <bdi>{claim.value}</bdi>
                </strong>{' '}
                {claim.period !== null && <Badge>{periodWords(claim.period)}</Badge>}
                {claim.superseded_at !== null && <Badge>no longer counts</Badge>}
                <blockquote class="small">
                  <bdi>{claim.quote ?? 'erased'}</bdi>
                </blockquote>
              </div>
              <DocumentLink class="small" scopeId={scopeId} id={claim.document_id} claimId={claim.claim_id} />
            </li>
          )}
        />
      </ul>
      <ReadMore of={most} read={[list.data]} reload={list.reload} />
    </div>
  )
}

function shownWords(count: number, isMore: boolean, isSearch: boolean): string {
  if (isMore) return `The first ${countOf(count, 'statement')}`
  if (count === 0) return isSearch ? 'No statement says this.' : 'There are none.'
  return isSearch ? `${countOf(count, 'statement')}, the best first` : countOf(count, 'statement')
}
