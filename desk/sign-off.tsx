/** Signing a case off: what has to be said about papers that were not read, who signed so far, and taking one back. */

import { useState } from 'preact/hooks'
import { countOf, statusWords } from '../src/contract/field-words.js'
import { leftOpenWords, vouchedWords } from '../src/contract/finding-words.js'
import type { Schema } from '../src/contract/types.js'
import { isComplete, JudgedButton, Judgement, said } from './judgement'
import { ActButton, Badge, Choice, DocumentLink, Failure, Field, Loading } from './parts'
import { client, may } from './session'
import { canBeSignedOff } from './signable'
import { isBeingRead, useLoaded } from './use-loaded'
import { Moment } from './when'
import { sentence } from './wording'

type SignOff = Schema['SignOff']
type How = Schema['SignOff']['unread'][number]['how']

/** As many as one sign-off may name. */
const mostUnread = 1000
const mostShown = 100

export function SignOffs({ summary }: { summary: Schema['ScopeSummary'] }) {
  const { scope_id: scopeId, documents, examined, finality } = summary
  const list = useLoaded(
    () => client.value.signOffs(scopeId, { limit: mostShown }).toArray(mostShown),
    [scopeId, client.value],
    /^scope\.|^finality\./,
  )
  return (
    <section id="sign-off" aria-labelledby="sign-offs" tabIndex={-1}>
      <h3 id="sign-offs">Sign-off</h3>
      <p>
        {sentence(examined.words)} {sentence(examined.compared)}
        {examined.signatures > 1 && ` ${countOf(examined.signatures, 'person')} have to sign.`.replace('persons', 'people')}
      </p>
      {finality.status !== 'resolved' &&
        (canBeSignedOff(finality.gates, documents.attached + documents.quarantined) ? (
          may('decide') && <SignOffForm scopeId={scopeId} reload={list.reload} />
        ) : (
          <p class="muted">It can be signed off once the other conditions are met.</p>
        ))}
      <Failure text={list.failure} />
      {isBeingRead(list) && <Loading what="the sign-offs" />}
      {list.data?.length === 0 && <p class="muted">Nobody has signed yet.</p>}
      {list.data !== undefined && list.data.length > 0 && (
        <ul class="rows">
          {list.data.map(each => (
            <SignOffRow key={each.sign_off_id} signOff={each} scopeId={scopeId} reload={list.reload} />
          ))}
        </ul>
      )}
    </section>
  )
}

interface SaidOfPaper {
  how: How | ''
  reason: string
}

function SignOffForm({ scopeId, reload }: { scopeId: string; reload: () => Promise<unknown> }) {
  const [reason, setReason] = useState('')
  const [papers, setPapers] = useState<Readonly<Record<string, SaidOfPaper>>>({})
  const unread = useLoaded(() => readUnread(scopeId), [scopeId, client.value], /^(document|scope)\./)
  if (isBeingRead(unread)) return <Loading what="the papers that were not read" />
  if (unread.data === undefined) return <Failure text={unread.failure} />
  const of = (id: string): SaidOfPaper => papers[id] ?? { how: '', reason: '' }
  const change = (id: string, part: Partial<SaidOfPaper>) => setPapers(before => ({ ...before, [id]: { ...of(id), ...part } }))
  const isSaid = unread.data.every(({ document_id: id }) => of(id).how !== '' && of(id).reason.trim() !== '')
  const sign = async () => {
    const named = (unread.data ?? []).map(({ document_id: id }) => ({
      document_id: id,
      how: of(id).how as How,
      reason: of(id).reason.trim(),
    }))
    await client.value.signOff(scopeId, { ...said(reason), ...(named.length === 0 ? {} : { unread: named }) })
    setReason('')
    setPapers({})
    await reload()
  }
  return (
    <div class="panel" role="group" aria-label="Sign the case off">
      <p>Who signs says that they examined the case as it stands: every paper, what counts, and what is left open.</p>
      {unread.data.length > 0 && (
        <>
          <p>{countOf(unread.data.length, 'paper')} could not be read here. Say of each what was done about it.</p>
          <ul class="rows">
            {unread.data.map(document => (
              <li key={document.document_id} class="row unread-row">
                <div>
                  <DocumentLink scopeId={scopeId} id={document.document_id} />{' '}
                  <Badge kind={document.status}>{statusWords(document.status)}</Badge>
                </div>
                <Choice
                  label="What was done"
                  value={of(document.document_id).how}
                  options={[
                    ['', 'choose'],
                    ['read_by_eye', 'I read it myself'],
                    ['set_aside', 'the case does not rest on it'],
                  ]}
                  onChange={how => change(document.document_id, { how: how as How | '' })}
                />
                <Field
                  label="Why"
                  value={of(document.document_id).reason}
                  onInput={text => change(document.document_id, { reason: text })}
                  maxLength={2000}
                  required
                />
              </li>
            ))}
          </ul>
        </>
      )}
      <div class="decide">
        <Judgement reason={reason} onReason={setReason} />
        <ActButton class="primary" act={sign} disabled={!isComplete(reason) || !isSaid}>
          Sign off
        </ActButton>
      </div>
    </div>
  )
}

async function readUnread(scopeId: string): Promise<Schema['Document'][]> {
  const of = (status: 'quarantined' | 'attached') => client.value.documents(scopeId, { status, limit: 200 }).toArray(mostUnread)
  return (await Promise.all([of('quarantined'), of('attached')])).flat().filter(each => each.erased_at === null)
}

function SignOffRow({ signOff, scopeId, reload }: { signOff: SignOff; scopeId: string; reload: () => Promise<unknown> }) {
  const { by, vouched, signed_at, current, withdrawn, covers, unread } = signOff
  const state = withdrawn !== null ? 'withdrawn' : current ? 'covers what counts' : 'something else counts since'
  return (
    <li class="row">
      <div>
        <strong>
          <bdi>{by}</bdi>
        </strong>{' '}
        <span class="muted">{vouchedWords(vouched)}</span> <Badge kind={current ? 'resolved' : ''}>{state}</Badge>
        <p class="small">
          <Moment time={signed_at} />,{' '}
          {[countOf(covers.documents.count, 'document'), leftOpenWords(covers.left_open)].filter(Boolean).join(', ')}
          {signOff.reason !== '' && (
            <>
              : <bdi>{signOff.reason}</bdi>
            </>
          )}
        </p>
        {unread.map(each => (
          <p key={each.document_id} class="small">
            <DocumentLink scopeId={scopeId} id={each.document_id} /> {each.how === 'read_by_eye' ? 'read by eye' : 'set aside'}
            {each.reason !== '' && (
              <>
                : <bdi>{each.reason}</bdi>
              </>
            )}
          </p>
        ))}
        {withdrawn !== null && (
          <p class="small">
            Withdrawn <Moment time={withdrawn.withdrawn_at} /> by <bdi>{withdrawn.by}</bdi>
            {withdrawn.reason !== '' && (
              <>
                : <bdi>{withdrawn.reason}</bdi>
              </>
            )}
          </p>
        )}
      </div>
      {withdrawn === null && may('decide') && (
        <div class="acts">
          <JudgedButton
            question="Take this sign-off back?"
            act={judgement => client.value.withdrawSignOff(scopeId, signOff.sign_off_id, judgement).then(reload)}
          >
            Withdraw
          </JudgedButton>
        </div>
      )}
    </li>
  )
}
