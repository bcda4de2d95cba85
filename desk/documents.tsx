/** The documents of a case: their states, why one waits, and what can be done about it. */

import { signal } from '@preact/signals'
import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { decisionWords, documentState, statusWords } from '../src/contract/field-words.js'
import type { Schema } from '../src/contract/types.js'
import { InView } from './in-view'
import { into } from './into'
import { isComplete, JudgedButton, Judgement, said } from './judgement'
import { instantOfDay } from './moments'
import { ActButton, Badge, Choice, ConfirmButton, DocumentLink, Failure, Field, Loading, Name } from './parts'
import { ReadMore, useMost } from './read-more'
import { hrefTo } from './route'
import { client, may } from './session'
import { FileDrop } from './upload'
import { useLoaded } from './use-loaded'
import { Moment } from './when'

type Document = Schema['Document']
const atOnce = 600
const status = signal('')
const from = signal('')
const statuses = ['queued', 'processing', 'indexed', 'held', 'rejected', 'quarantined', 'attached', 'registered']

export function Documents({ scopeId }: { scopeId: string }) {
  const wanted = status.value as Schema['DocumentStatus'] | ''
  const most = useMost(atOnce)
  const list = useLoaded(
    async () => {
      const since = from.value === '' ? {} : { received_from: instantOfDay(from.value, '00:00:00') }
      const query = { limit: 200, ...(wanted === '' ? {} : { status: wanted }), ...since }
      return client.value.documents(scopeId, query).toArray(most.current.most)
    },
    [scopeId, client.value, status.value, from.value],
    /^(document|scope|legal_hold)\./,
  )
  return (
    <div class="page">
      <h2>Documents</h2>
      {may('ingest') && <FileDrop scopeId={scopeId} />}
      <HeldDecisions scopeId={scopeId} />
      <div class="tools">
        <Choice
          label="State"
          value={status.value}
          onChange={into(status)}
          options={[['', 'any'], ...statuses.map(each => [each, statusWords(each)] as const)]}
        />
        <Field label="Handed in since" type="date" value={from.value} onInput={into(from)} />
      </div>
      <Failure text={list.failure} />
      {list.data === undefined ? (
        list.failure === undefined && <Loading what="the documents" />
      ) : (
        <DocumentTable documents={list.data} scopeId={scopeId} reload={list.reload} />
      )}
      <ReadMore of={most} read={[list.data]} reload={list.reload} />
    </div>
  )
}

function DocumentTable({ documents, scopeId, reload }: { documents: Document[]; scopeId: string; reload: () => Promise<unknown> }) {
  if (documents.length === 0) return <p>{status.value === '' && from.value === '' ? 'No document has come yet.' : 'None fits.'}</p>
  return (
    <ul class="rows">
      <InView
        as="li"
        items={documents}
        draw={document => (
          <li key={document.document_id} class="row document-row">
            <div>
              <a href={hrefTo('cases', scopeId, 'documents', document.document_id)}>
                <Name>{document.name}</Name>
              </a>
              <div class="muted small">
                {[
                  document.document_id === document.name ? '' : document.document_id,
                  document.revision > 1 && `revision ${document.revision}`,
                ]
                  .filter(Boolean)
                  .map((each, place) => (
                    <Fragment key={each}>
                      {place > 0 && ', '}
                      <bdi>{each}</bdi>
                    </Fragment>
                  ))}
              </div>
              {document.reason !== null && document.status !== 'indexed' && <p class="small">{document.reason}</p>}
            </div>
            <div>
              <Badge kind={document.erased_at === null ? document.status : undefined}>{documentState(document)}</Badge>
              {document.same_as.length > 0 && <Badge>same file twice</Badge>}
              {document.legal_hold !== null && <Badge>on legal hold</Badge>}
            </div>
            <div class="small muted counts">
              {(
                [
                  [document.counts.claims, 'statement'],
                  [document.counts.contradictions, 'contradiction'],
                ] as const
              ).map(([count, noun]) => (
                <Fragment key={noun}>
                  <span class="number">{count.toLocaleString('en')}</span> <span>{`${noun}${count === 1 ? '' : 's'}`}</span>
                </Fragment>
              ))}
              <bdi>{document.compared_by.words}</bdi>
            </div>
            <Moment class="small muted" time={document.timings.received_at} />
            <div class="acts">
              <DocumentActs document={document} scopeId={scopeId} reload={reload} />
            </div>
          </li>
        )}
      />
    </ul>
  )
}

export function DocumentActs({ document, scopeId, reload }: { document: Document; scopeId: string; reload: () => Promise<unknown> }) {
  const { document_id: id, status } = document
  return (
    <>
      {status === 'quarantined' && may('ingest') && (
        <ActButton act={() => client.value.retryDocument(scopeId, id).then(reload)}>Retry</ActButton>
      )}
      {status === 'quarantined' && may('decide') && (
        <JudgedButton
          question="Take it out of the case without reading it?"
          act={judgement => client.value.discardDocument(scopeId, id, judgement).then(reload)}
        >
          Discard
        </JudgedButton>
      )}
      {status === 'queued' && may('decide') && (
        <JudgedButton
          question="Take it out of the queue? It will not be read."
          act={judgement => client.value.cancelDocument(scopeId, id, judgement).then(reload)}
        >
          Cancel
        </JudgedButton>
      )}
      {document.erased_at === null && document.legal_hold === null && status !== 'registered' && may('erase') && (
        <ConfirmButton question={eraseWords(document)} act={() => client.value.eraseDocument(scopeId, id).then(reload)}>
          Erase
        </ConfirmButton>
      )}
    </>
  )
}

/** An attachment stays in the mail it came in. */
function eraseWords({ part_of: mail }: Schema['Document']): string {
  const all = 'Erase its text and quotes for good?'
  return mail === null ? all : `${all} The original of ${mail}, in which it came, holds it still until that is erased as well.`
}

/** What policy holds back until a person has looked: documents, resolutions, settings. */
function HeldDecisions({ scopeId }: { scopeId: string }) {
  const most = useMost(100)
  const list = useLoaded(
    () => client.value.decisions(scopeId, { review: 'pending', limit: 100 }).toArray(most.current.most),
    [scopeId, client.value],
    /^(decision|document)\./,
  )
  const [reason, setReason] = useState('')
  if (list.data === undefined || list.data.length === 0) return <Failure text={list.failure} />
  const answer = (id: string, verdict: 'approve' | 'reject') => async () => {
    await client.value.review(id, { verdict, ...said(reason) })
    // Said of this one: the next has a reason of its own.
    setReason('')
    await list.reload()
  }
  return (
    <section class="panel" aria-labelledby="held">
      <h3 id="held">Held until a person has looked</h3>
      {may('decide') && (
        <div class="decide">
          <Judgement reason={reason} onReason={setReason} />
        </div>
      )}
      <ul class="rows">
        {list.data.map(decision => (
          <li key={decision.decision_id} class="row">
            <div>
              <strong>{decisionWords(decision)}</strong>{' '}
              {decision.document_id !== null && <DocumentLink scopeId={scopeId} id={decision.document_id} />}
              <p>{decision.reasons.join(' ')}</p>
            </div>
            {may('decide') && (
              <div class="acts">
                <ActButton class="primary" act={answer(decision.decision_id, 'approve')} disabled={!isComplete(reason)}>
                  Approve
                </ActButton>
                <ActButton act={answer(decision.decision_id, 'reject')} disabled={!isComplete(reason)}>
                  Reject
                </ActButton>
              </div>
            )}
          </li>
        ))}
      </ul>
      <ReadMore of={most} read={[list.data]} reload={list.reload} />
    </section>
  )
}
