/** A case: what is open comes first. The stream of its events is followed as long as it is on the screen. */

import { useEffect } from 'preact/hooks'
import type { Schema } from '../src/client/index.js'
import { Claims } from './claims'
import { Contradictions } from './contradictions'
import { forgetTexts, readNames } from './document-text'
import { DocumentView } from './document-view'
import { Documents } from './documents'
import { followCase } from './live'
import { Badge, Failure, Loading } from './parts'
import { PolicyView } from './policy'
import { Possible } from './possible'
import { hrefTo } from './route'
import { client } from './session'
import { Settled } from './settled'
import { Story } from './story'
import { Superseded } from './superseded'
import { useLoaded } from './use-loaded'
import { finalityWords } from './wording'

export type Summary = Schema['ScopeSummary']

export function CaseView({ scopeId, rest }: { scopeId: string; rest: string[] }) {
  useEffect(() => {
    const stop = followCase(scopeId)
    return () => {
      stop()
      forgetTexts()
    }
  }, [scopeId, client.value])
  useLoaded(() => readNames(scopeId), [scopeId, client.value], /^document\.(queued|attached|registered|erased)$/)
  const summary = useLoaded(() => client.value.summary(scopeId), [scopeId, client.value], /./)
  if (summary.data === undefined) {
    return (
      <div class="page">
        <Failure text={summary.failure} />
        {summary.failure === undefined && <Loading what="the case" />}
      </div>
    )
  }
  const [tab = 'contradictions', ...inner] = rest
  return (
    <>
      <CaseHead summary={summary.data} tab={tab} />
      <div class="case-body">
        <Tab scopeId={scopeId} tab={tab} inner={inner} summary={summary.data} />
      </div>
    </>
  )
}

function CaseHead({ summary, tab }: { summary: Summary; tab: string }) {
  const { contradictions, documents } = summary
  const waiting = documents.queued + documents.processing
  const tabs: [name: string, text: string, number: number | null][] = [
    ['contradictions', 'Contradictions', contradictions.open],
    ['possible', 'Possible', contradictions.unsure],
    ['superseded', 'Superseded', null],
    ['documents', 'Documents', documents.total],
    ['claims', 'Claims', summary.claims.live],
    ['story', 'Story', null],
    ['settled', 'Settled?', null],
    ['policy', 'Policy', null],
  ]
  return (
    <div class="case-head">
      <p class="kicker">
        <a href={hrefTo('cases')}>Cases</a> / {summary.scope_id}
      </p>
      <h1>
        <bdi>{summary.display_name ?? summary.scope_id}</bdi>{' '}
        <Badge kind={summary.finality.status}>{finalityWords[summary.finality.status]}</Badge>
        {summary.runtime.state !== 'running' && <Badge kind="held">{summary.runtime.state}</Badge>}
        {waiting > 0 && (
          <span class="muted small">
            reading {waiting} of {documents.total}
          </span>
        )}
      </h1>
      <nav class="tabs" aria-label="Case">
        {tabs.map(([name, text, number]) => (
          <a key={name} href={hrefTo('cases', summary.scope_id, name)} aria-current={tab === name ? 'page' : undefined}>
            {text}
            {number !== null && (
              <span class={`count ${number > 0 && (name === 'contradictions' || name === 'possible') ? 'some' : ''}`}>
                {number.toLocaleString('en')}
              </span>
            )}
          </a>
        ))}
      </nav>
    </div>
  )
}

function Tab({ scopeId, tab, inner, summary }: { scopeId: string; tab: string; inner: string[]; summary: Summary }) {
  switch (tab) {
    case 'possible':
      return <Possible scopeId={scopeId} />
    case 'superseded':
      return <Superseded scopeId={scopeId} />
    case 'documents':
      return inner[0] === undefined ? (
        <Documents scopeId={scopeId} />
      ) : (
        <DocumentView key={inner[0]} scopeId={scopeId} documentId={inner[0]} />
      )
    case 'claims':
      return <Claims scopeId={scopeId} />
    case 'story':
      return <Story />
    case 'settled':
      return <Settled summary={summary} />
    case 'policy':
      return <PolicyView scopeId={scopeId} />
    default:
      return <Contradictions scopeId={scopeId} chosenId={inner[0]} summary={summary} />
  }
}
