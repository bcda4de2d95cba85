/** A case: what is open comes first. The stream of its events is followed as long as it is on the screen. */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { countOf, finalityWords } from '../src/contract/field-words.js'
import type { Schema } from '../src/contract/types.js'
import { AsItWas } from './as-it-was'
import { Claims } from './claims'
import { Contradictions } from './contradictions'
import { Convergence } from './convergence'
import { DeleteCase } from './delete-case'
import { followTexts, readNames } from './document-text'
import { DocumentView } from './document-view'
import { Documents } from './documents'
import { LegalHold } from './legal-hold'
import { followCase } from './live'
import { Overview } from './overview'
import { ActButton, Badge, Failure, Loading } from './parts'
import { PolicyView } from './policy'
import { Possible } from './possible'
import { ReportPanel } from './report-passages'
import { hrefTo } from './route'
import { client, isOperator, may, timesSignedIn } from './session'
import { Settled } from './settled'
import { Story } from './story'
import { Superseded } from './superseded'
import { isBeingRead, useLoaded } from './use-loaded'
import { sentence } from './wording'

type Summary = Schema['ScopeSummary']

export function CaseView({ scopeId, rest }: { scopeId: string; rest: string[] }) {
  const timesFollowed = useRef(0)
  useEffect(() => {
    const stops = [followTexts(), followCase(scopeId, timesFollowed.current++ > 0)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [scopeId, client.value, timesSignedIn.value])
  useLoaded(
    () => readNames(scopeId),
    [scopeId, client.value, timesSignedIn.value],
    /^(document\.(queued|attached|registered|erased)|scope\.reset)$/,
  )
  const summary = useLoaded(() => client.value.summary(scopeId), [scopeId, client.value], /./)
  if (summary.data === undefined) {
    return (
      <div class="page">
        <Failure text={summary.failure} />
        {summary.failure === undefined && <Loading what="the case" />}
      </div>
    )
  }
  const [tab = 'overview', ...inner] = rest
  return (
    <>
      {summary.failure !== undefined && (
        <div class="case-head">
          <Failure text={summary.failure} />
        </div>
      )}
      <CaseHead summary={summary.data} tab={tab} reload={summary.reload} />
      <div class="case-body">
        <ReportPanel scopeId={scopeId} />
        <Tab scopeId={scopeId} tab={tab} inner={inner} summary={summary.data} />
      </div>
    </>
  )
}

function CaseHead({ summary, tab, reload }: { summary: Summary; tab: string; reload: () => Promise<unknown> }) {
  const { contradictions, documents } = summary
  const waiting = documents.queued + documents.processing
  const tabs: [name: string, text: string, number: number | null][] = [
    ['overview', 'Overview', null],
    ['contradictions', 'Contradictions', contradictions.open],
    ['possible', 'Possible', contradictions.unsure],
    ['superseded', 'Replaced', null],
    ['documents', 'Documents', documents.total],
    ['claims', 'Statements', summary.claims.live],
    ['story', 'Story', null],
    ['as-it-was', 'As it was', null],
    ['settled', 'Review complete?', null],
    ['policy', 'Policy', null],
    ...(isOperator.value ? [['convergence', 'Convergence', null] as [string, string, null]] : []),
  ]
  // On a narrow screen the tabs are wider than it is.
  const nav = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const at = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (nav.current && at) nav.current.scrollLeft = at.offsetLeft - nav.current.offsetLeft - (nav.current.clientWidth - at.offsetWidth) / 2
  }, [tab])
  return (
    <div class="case-head">
      <div class="kicker with-act">
        <CaseSwitch scopeId={summary.scope_id} />
        {may('manage') && summary.legal_hold === null && <DeleteCase scopeId={summary.scope_id} />}
      </div>
      <h1>
        <bdi>{summary.display_name ?? summary.scope_id}</bdi>{' '}
        <Badge kind={summary.finality.status}>{finalityWords[summary.finality.status]}</Badge>
        {summary.runtime.state !== 'running' && <Badge kind="held">{summary.runtime.state}</Badge>}
        {waiting > 0 && (
          <span class="muted small">
            {summary.runtime.state === 'running' ? `reading ${waiting} of ${documents.total}` : `${waiting} of ${documents.total} waiting`}
          </span>
        )}
      </h1>
      <p class="muted small">
        {sentence(summary.examined.words)} {sentence(summary.examined.compared)}
      </p>
      {/* Heard by those who do not see the figures move. */}
      <p class="heard" role="status">
        {countOf(contradictions.open, 'open contradiction')}, {countOf(contradictions.unsure, 'possible conflict')}
        {waiting > 0 && `, ${countOf(waiting, 'document')} being read`}
      </p>
      <LegalHold scopeId={summary.scope_id} hold={summary.legal_hold} reload={reload} />
      <ReadAgain summary={summary} />
      <nav class="tabs" aria-label="Case" ref={nav}>
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

/** The way to another case, or a new one, without leaving through the list, which is read when somebody reaches for it. */
function CaseSwitch({ scopeId }: { scopeId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <span class="case-switch">
      <a href={hrefTo('cases')}>Cases</a> /{' '}
      <details onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>{scopeId}</summary>
        {isOpen && <OtherCases scopeId={scopeId} />}
      </details>
    </span>
  )
}

function OtherCases({ scopeId }: { scopeId: string }) {
  const cases = useLoaded(() => client.value.scopes({ limit: 100 }).toArray(100), [client.value], /^$/)
  return (
    <div class="panel">
      {may('ingest') && (
        <a class="button" href={hrefTo('new-case')}>
          New case
        </a>
      )}
      <Failure text={cases.failure} />
      {isBeingRead(cases) && <Loading what="the cases" />}
      <ul class="rows">
        {(cases.data ?? [])
          .filter(each => each.scope_id !== scopeId)
          .map(({ scope_id: id, display_name: name }) => (
            <li key={id}>
              <a href={hrefTo('cases', id)}>{id}</a> {name !== null && <bdi>{name}</bdi>}
            </li>
          ))}
      </ul>
    </div>
  )
}

/** What was read by another version of the reader is not compared; what a model gave no answer about it may read now. */
function ReadAgain({ summary: { scope_id: scopeId, reading } }: { summary: Summary }) {
  const { outdated, waiting, without_model: withoutModel } = reading
  if (waiting > 0) return <p class="muted small">{waiting.toLocaleString('en')} documents wait to be read again.</p>
  return (
    <>
      {outdated > 0 && (
        <p class="small">
          {outdated.toLocaleString('en')} documents were read by another version of the reader and are not compared with the others.{' '}
          {may('manage') && <ActButton act={() => client.value.reread(scopeId)}>Read the case again</ActButton>}
        </p>
      )}
      {withoutModel > 0 && (
        <p class="small">
          {withoutModel.toLocaleString('en')} documents were read without the model.{' '}
          {may('manage') && <ActButton act={() => client.value.reread(scopeId, { model: true })}>Ask it about them</ActButton>}
        </p>
      )}
    </>
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
        <DocumentView part={inner[1]} key={inner[0]} scopeId={scopeId} documentId={inner[0]} />
      )
    case 'claims':
      return <Claims key={inner[0]} scopeId={scopeId} words={inner[0]} />
    case 'story':
      return <Story scopeId={scopeId} />
    case 'as-it-was':
      return <AsItWas scopeId={scopeId} />
    case 'settled':
      return <Settled summary={summary} />
    case 'convergence':
      return <Convergence scopeId={scopeId} />
    case 'policy':
      return <PolicyView scopeId={scopeId} />
    case 'contradictions':
      return <Contradictions scopeId={scopeId} chosenId={inner[0]} summary={summary} />
    default:
      return <Overview scopeId={scopeId} summary={summary} />
  }
}
