/** The first page of a case: what is contested, what changed, what is missing, who looks at what, and how the papers stand to each other. */

import { type ComponentChildren, Fragment } from 'preact'
import { countOf, statusWords } from '../src/contract/field-words.js'
import { byPerson } from '../src/contract/finding-words.js'
import { asideWords, changeWords, decidedShare } from '../src/contract/overview-words.js'
import type { Schema } from '../src/contract/types.js'
import { titleBetween } from './finding-words'
import { PaperMatrix, TimeLine } from './overview-figures'
import { Badge, DocumentLink, Failure, Loading } from './parts'
import { hrefTo } from './route'
import { client } from './session'
import { AssignedTo } from './together'
import { FirstFiles } from './upload'
import { isBeingRead, listRestMs, useLoaded } from './use-loaded'
import { Moment } from './when'
import { day, sentence } from './wording'

type Data = Schema['CaseOverview']

export function Overview({ scopeId, summary }: { scopeId: string; summary: Schema['ScopeSummary'] }) {
  const overview = useLoaded(
    () => client.value.overview(scopeId),
    [scopeId, client.value],
    /^(contradiction|document|supersession|scope)\./,
    listRestMs,
  )
  const { data } = overview
  return (
    <div class="page wide">
      <h2>Overview</h2>
      <Failure text={overview.failure} />
      {isBeingRead(overview) && <Loading what="the overview" />}
      <FirstFiles scopeId={scopeId} isWanted={summary.documents.total === 0}>
        What they say is compared as soon as they are read; what is contested appears here.
      </FirstFiles>
      {data !== undefined && (
        <div class="overview">
          <Contested data={data} scopeId={scopeId} />
          <div>
            <Since data={data} scopeId={scopeId} />
            <Reviewed data={data} summary={summary} />
            <People data={data} />
            <Missing data={data} scopeId={scopeId} />
            <NotRead data={data} scopeId={scopeId} />
          </div>
          {data.papers.groups.length > 1 && (
            <>
              <TimeLine papers={data.papers} scopeId={scopeId} />
              <PaperMatrix papers={data.papers} />
            </>
          )}
        </div>
      )}
    </div>
  )
}

/** What there is none of is not shown. */
function Part({ title, count, children }: { title: string; count: number; children: ComponentChildren }) {
  if (count === 0) return null
  return (
    <section class="part" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

function Contested({ data: { contested }, scopeId }: { data: Data; scopeId: string }) {
  return (
    <section class="part" aria-label="Contested">
      <h3>Contested</h3>
      {contested.items.length === 0 && <p class="muted">Nothing is contested.</p>}
      <ul class="items">
        {contested.items.map(item => (
          <li key={item.contradiction_id}>
            <a href={hrefTo('cases', scopeId, 'contradictions', item.contradiction_id)}>
              <bdi class="about">{titleBetween(item)}</bdi>
              <span class="values">
                <bdi>{item.a.source}</bdi> <span class="muted">and</span> <bdi>{item.b.source}</bdi>
              </span>
              <span class="small">
                <Badge kind={item.severity}>{item.severity}</Badge> {item.why}{' '}
                {item.assignment !== undefined && <AssignedTo assignment={item.assignment} />}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {contested.open > contested.items.length && (
        <p>
          <a href={hrefTo('cases', scopeId, 'contradictions')}>All {contested.open.toLocaleString('en')}</a>
        </p>
      )}
    </section>
  )
}

function Since({ data: { since }, scopeId }: { data: Data; scopeId: string }) {
  if (since === null) return null
  const changes = changeWords(since.changes)
  return (
    <section class="part" aria-label="Since your last visit">
      <h3>
        Since your last visit <Moment class="muted small" time={since.at} />
      </h3>
      <p>{sentence(changes)}</p>
      {since.changes.length > 0 && <a href={hrefTo('cases', scopeId, 'story')}>The story</a>}
    </section>
  )
}

function Reviewed({ data: { reviewed }, summary }: { data: Data; summary: Schema['ScopeSummary'] }) {
  const { sign_offs: signed, words, compared } = summary.examined
  return (
    <section class="part" aria-label="Reviewed">
      <h3>Reviewed</h3>
      {(
        [
          ['Contradictions', reviewed.contradictions],
          ['Possible conflicts', reviewed.possible_conflicts],
        ] as const
      ).map(([what, share]) => (
        <div key={what} class="share">
          <span>{what}</span>
          <progress value={share.total === 0 ? 1 : share.decided} max={Math.max(1, share.total)} aria-label={`${what} decided`} />
          <span class="number">{decidedShare(share)}</span>
        </div>
      ))}
      <p class="muted small">
        {sentence(words)} {sentence(compared)}
      </p>
      {byPerson(signed).map(([last, ...before]) => (
        <p key={last.sign_off_id} class="small">
          <bdi>{last.by.trim()}</bdi> signed <Moment time={last.signed_at} />
          {before.map(({ sign_off_id: id, signed_at }) => (
            <Fragment key={id}>
              {' '}
              and <Moment time={signed_at} />
            </Fragment>
          ))}
          {!last.current && '; something else counts since'}
        </p>
      ))}
    </section>
  )
}

function People({ data: { people } }: { data: Data }) {
  return (
    <Part title="Who looks at what" count={people.items.length}>
      <div class="scroll" tabIndex={0} role="region" aria-label="Who looks at what">
        <table>
          <thead>
            <tr>
              <th>person</th>
              <th class="number">open</th>
              <th class="number">overdue</th>
              <th>next due</th>
            </tr>
          </thead>
          <tbody>
            {people.items.map(({ person, open, overdue, next_due: due }) => (
              <tr key={person}>
                <td>
                  <bdi>{person}</bdi>
                </td>
                <td class="number">{open}</td>
                <td class={`number ${overdue > 0 ? 'no' : ''}`}>{overdue}</td>
                <td>{due === null ? '–' : day(due)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {people.unassigned > 0 && <p class="muted small">{people.unassigned} are nobody’s yet.</p>}
    </Part>
  )
}

function Missing({ data: { missing }, scopeId }: { data: Data; scopeId: string }) {
  return (
    <Part title="Mentioned, and not there" count={missing.length}>
      <ul class="rows">
        {missing.map(({ mention, count, papers }) => (
          <li key={mention} class="said">
            <strong>
              <bdi>{mention}</bdi>
            </strong>{' '}
            <span class="small">
              in{' '}
              {papers.map(({ document_id: id }) => (
                <DocumentLink key={id} class="listed" scopeId={scopeId} id={id} />
              ))}
              {count > papers.length && <span class="muted">and {count - papers.length} more</span>}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function NotRead({ data: { not_read: notRead }, scopeId }: { data: Data; scopeId: string }) {
  return (
    <Part title="Not read, or set aside" count={notRead.count + notRead.set_aside.length}>
      <ul class="rows">
        {notRead.items.map(({ document_id: id, why }) => (
          <li key={id} class="said">
            <DocumentLink scopeId={scopeId} id={id} /> <span class="muted small">{statusWords(why)}</span>
          </li>
        ))}
        {notRead.set_aside.map(({ document_id: id, how, by, reason }) => (
          <li key={`${id} ${by}`} class="said">
            <DocumentLink scopeId={scopeId} id={id} />{' '}
            <span class="small">
              {asideWords(how)} by <bdi>{by}</bdi>: <bdi>{reason}</bdi>
            </span>
          </li>
        ))}
      </ul>
      {notRead.count > notRead.items.length && <p class="muted small">{countOf(notRead.count - notRead.items.length, 'more document')}.</p>}
    </Part>
  )
}
