/** The case as it was at a moment: what was held, what counted, what was open, what people had decided, and the same signed or to print. */

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { countOf } from '../src/contract/field-words.js'
import { aboutOf, coversWords, decidedWords, unknownThen, unopenedWords } from '../src/contract/finding-words.js'
import type { Schema } from '../src/contract/types.js'
import { InView } from './in-view'
import { fieldOf, momentAsked } from './moments'
import { ActButton, DocumentLink, Failure, Field, Loading, Name } from './parts'
import { save } from './save'
import { client } from './session'
import { useLoaded } from './use-loaded'
import { moment, readerWords } from './wording'

type AsOf = Schema['AsOf']
type ListName = 'papers' | 'statements' | 'contradictions' | 'possible_conflicts' | 'decisions' | 'sign_offs'

/** Of each list at once; more when they are asked for. */
const limit = 50

export function AsItWas({ scopeId }: { scopeId: string }) {
  const [field, setField] = useState(() => fieldOf(Date.now()))
  const [subject, setSubject] = useState('')
  const at = momentAsked(field, Date.now())
  const then = useLoaded(
    async () => (at === null ? undefined : client.value.asOf(scopeId, { at, ...about(subject), limit })),
    [scopeId, client.value, field, subject],
  )
  return (
    <div class="page">
      <h2>As it was on …</h2>
      <div class="tools">
        <Field label="Day and time" type="datetime-local" value={field} onInput={setField} />
        <Field label="About whom or what" value={subject} onInput={setSubject} maxLength={500} />
        {then.data !== undefined && <Takeaway scopeId={scopeId} then={then.data} />}
      </div>
      <Failure text={then.failure} />
      {then.data === undefined ? (
        then.failure === undefined && (at === null ? <p>Name a day and a time.</p> : <Loading what="the case as it was" />)
      ) : (
        // Lists of another moment or subject begin anew.
        <WhatWas key={`${then.data.at} ${then.data.subject}`} then={then.data} scopeId={scopeId} />
      )}
    </div>
  )
}

const about = (subject: string | null) => (subject === null || subject.trim() === '' ? {} : { subject: subject.trim() })

function Takeaway({ scopeId, then }: { scopeId: string; then: AsOf }) {
  const query = { at: then.at, ...about(then.subject) }
  const name = `${scopeId} as of ${then.at.slice(0, 16).replace(':', '.')}`
  const page = async () => save(new Blob([await client.value.asOfPage(scopeId, query)], { type: 'text/html' }), `${name}.html`)
  const signed = async () => save(new Blob([(await client.value.signedAsOf(scopeId, query)).statement]), `${name}.jws`)
  return (
    <div class="acts">
      <ActButton act={page}>Page to print</ActButton>
      <ActButton act={signed}>Signed document</ActButton>
    </div>
  )
}

function WhatWas({ then, scopeId }: { then: AsOf; scopeId: string }) {
  const unknown = unknownThen(then, moment)
  if (unknown !== null) return <p>{unknown}</p>
  const query = { at: then.at, ...about(then.subject), limit }
  const given = <Name extends ListName>(list: Name) => ({
    page: then[list],
    more: async (cursor: string) => (await client.value.asOf(scopeId, { ...query, list, cursor }))[list],
  })
  return (
    <>
      <p class="muted" role="status">
        As it was on {moment(then.at)}, after {then.chain?.length.toLocaleString('en')} decisions. What was erased since is named without
        its words.
      </p>
      <Section title="Open contradictions" {...given('contradictions')}>
        {({ contradiction_id, a, b, detected_at, opened_by, reads_kept, ...item }) => (
          <li key={contradiction_id} class="row">
            <div>
              <bdi class="about">{aboutOf(item)}</bdi>
              <Side letter="A" side={a} scopeId={scopeId} />
              <Side letter="B" side={b} scopeId={scopeId} />
              <Found at={detected_at} openedBy={opened_by} kept={reads_kept} />
              <Written {...item} />
            </div>
          </li>
        )}
      </Section>
      <Section title="What people had decided" {...given('decisions')}>
        {({ decision_id, by, verdict, kind, recorded_at, reason, erased_at }) => (
          <li key={decision_id} class="row">
            <div>
              <strong>
                <bdi>{by}</bdi>
              </strong>
              , {moment(recorded_at)}: {decidedWords({ verdict: verdict ?? kind }).replaceAll('_', ' ')}.{' '}
              <bdi>{reason ?? (erased_at === null ? '' : 'erased')}</bdi>
            </div>
          </li>
        )}
      </Section>
      <Section title="Signed off by" {...given('sign_offs')}>
        {({ sign_off_id, by, signed_at, reason, current }) => (
          <li key={sign_off_id} class="row">
            <div>
              <strong>
                <bdi>{by}</bdi>
              </strong>
              , {moment(signed_at)}: <bdi>{reason || 'erased'}</bdi> <span class="small muted">Covers {coversWords(current)}.</span>
            </div>
          </li>
        )}
      </Section>
      <Section title="Papers" {...given('papers')}>
        {({ document_id, name, revision, received_at, erased_at }) => (
          <li key={document_id} class="row">
            <div>
              <Name>{name}</Name>{' '}
              <span class="small muted">
                <bdi>{document_id}</bdi>, revision {revision}, received {moment(received_at)}
                {erased_at !== null && <>, erased {moment(erased_at)}</>}
              </span>
            </div>
          </li>
        )}
      </Section>
      <Section title="Statements that counted" {...given('statements')}>
        {({ claim_id, quote, document_id }) => (
          <li key={claim_id} class="row">
            <div>
              <bdi>{quote ?? 'erased'}</bdi> <DocumentLink class="small" scopeId={scopeId} id={document_id} />
            </div>
          </li>
        )}
      </Section>
      <Section title="Possible conflicts that nobody had decided" {...given('possible_conflicts')}>
        {({ possible_conflict_id, a, b, detected_at, opened_by, reads_kept }) => (
          <li key={possible_conflict_id} class="row">
            <div>
              <Side letter="A" side={a} scopeId={scopeId} />
              <Side letter="B" side={b} scopeId={scopeId} />
              <Found at={detected_at} openedBy={opened_by} kept={reads_kept} />
            </div>
          </li>
        )}
      </Section>
    </>
  )
}

interface FoundProps {
  at: string
  openedBy: readonly { by: string; first_at: string }[]
  kept: Parameters<typeof unopenedWords>[0]
}

function Found({ at, openedBy, kept }: FoundProps) {
  return (
    <p class="small muted">
      Found {moment(at)}.
      {openedBy.length === 0 ? (
        ` ${unopenedWords(kept)}.`
      ) : (
        <>
          {' '}
          Opened by <bdi>{openedBy.map(({ by, first_at }) => `${readerWords(by)} (${moment(first_at)})`).join(', ')}</bdi>.
        </>
      )}
    </p>
  )
}

/** Who was to look at it, and what people had written about it by then. */
function Written({ assignment, comments = 0, discussion }: Pick<Contradiction, 'assignment' | 'comments' | 'discussion'>) {
  return (
    <>
      {assignment !== undefined && (
        <p class="small">
          <bdi>{assignment.to}</bdi> was to look at it.
        </p>
      )}
      {discussion.map(({ by, text, said_at }) => (
        <p key={`${said_at} ${by}`} class="small">
          <strong>
            <bdi>{by}</bdi>
          </strong>
          , {moment(said_at)}: <bdi>{text ?? 'erased'}</bdi>
        </p>
      ))}
      {comments > discussion.length && <p class="small muted">And {countOf(comments - discussion.length, 'more comment')}.</p>}
    </>
  )
}

interface Page<T> {
  items: T[]
  next: string | null
}

interface SectionProps<T> {
  title: string
  page: Page<T> | undefined
  more: (cursor: string) => Promise<Page<T> | undefined>
  children: (item: T) => ComponentChildren
}

function Section<T>({ title, page, more, children }: SectionProps<T>) {
  const [shown, setShown] = useState<Page<T>>(page ?? { items: [], next: null })
  const { items, next } = shown
  const showMore = async () => {
    const further = next === null ? undefined : await more(next)
    if (further !== undefined) setShown({ items: [...items, ...further.items], next: further.next })
  }
  return (
    <section>
      <h3>
        {title}: {next === null ? items.length : `more than ${items.length}`}
      </h3>
      {items.length === 0 ? (
        <p class="muted">None.</p>
      ) : (
        <ul class="rows">
          <InView as="li" items={items} draw={children} />
        </ul>
      )}
      {next !== null && <ActButton act={showMore}>Show more</ActButton>}
    </section>
  )
}

type Contradiction = NonNullable<AsOf['contradictions']>['items'][number]

function Side({ letter, side, scopeId }: { letter: string; side: Contradiction['a']; scopeId: string }) {
  return (
    <blockquote>
      <strong class="letter">{letter}</strong> <bdi>{side.quote || 'erased'}</bdi>
      <footer class="muted small">
        {'claim_id' in side ? <DocumentLink scopeId={scopeId} id={side.document_id} /> : <bdi>{side.source}</bdi>}
      </footer>
    </blockquote>
  )
}
