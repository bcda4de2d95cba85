/** The certificates of a case: the newest with what it says, the earlier ones with what became of each, and which are withdrawn, signed. */

import { useState } from 'preact/hooks'
import { type CertificateLine, certificateLines } from '../src/client/index.js'
import { causeWords, countOf, statusWords } from '../src/contract/field-words.js'
import type { Schema } from '../src/contract/types.js'
import { checkChain, checkSignature, nameOf, payloadText, type Signed } from './certificate'
import { ActButton, Badge, DocumentLink, Failure, Loading } from './parts'
import { save } from './save'
import { client } from './session'
import { isBeingRead, useLoaded } from './use-loaded'
import { Moment } from './when'
import { moment } from './wording'

type Certificate = Schema['Certificate']
const mostShown = 1000

export function Certificates({ newest, scopeId }: { newest: Certificate | null; scopeId: string }) {
  const list = useLoaded(
    () => client.value.certificates(scopeId, { limit: 200 }).toArray(mostShown),
    [scopeId, client.value],
    /^(certificate|finality|scope)\./,
  )
  return (
    <section aria-labelledby="certificate">
      <h3 id="certificate">Certificate</h3>
      {newest === null ? (
        <p>There is none yet: it is issued when every condition is met.</p>
      ) : (
        <Newest key={newest.certificate_id} certificate={newest} scopeId={scopeId} />
      )}
      <Failure text={list.failure} />
      {isBeingRead(list) && <Loading what="the certificates" />}
      {list.data?.some(each => isEarlier(each, newest)) && (
        // What was checked or asked of these is not said of others.
        <Earlier key={list.data.map(statusOf).join()} all={list.data} newest={newest} scopeId={scopeId} />
      )}
    </section>
  )
}

function Newest({ certificate, scopeId }: { certificate: Certificate; scopeId: string }) {
  const lines = certificateLines(certificate)
  return (
    <>
      {lines !== null && (
        <ul class="examined">
          {lines.map(line => (
            <Line key={line.text} line={line} scopeId={scopeId} />
          ))}
        </ul>
      )}
      <p>
        <Status of={certificate} /> <code>{certificate.certificate_id}</code>, step {certificate.round}, issued{' '}
        <Moment time={certificate.issued_at} />
        {certificate.status === 'superseded' && `, no longer current since ${sinceWords(certificate)}`}
      </p>
      <SignedActs signed={signedOf(certificate)} fileName={fileNameOf(certificate, scopeId)} class="primary" />
      <p class="muted small">
        Anybody can check it without this service:{' '}
        <code>
          concord verify certificate {fileNameOf(certificate, scopeId)} --jwks {window.location.origin}/.well-known/jwks.json
        </code>
      </p>
      <details>
        <summary>What it says</summary>
        <pre tabIndex={0}>{payloadText(certificate.certificate)}</pre>
      </details>
    </>
  )
}

function Line({ line: { text, papers = [], more = 0 }, scopeId }: { line: CertificateLine; scopeId: string }) {
  return (
    <li>
      {text}
      {papers.map(({ document_id: id, why }, index) => (
        <span key={id}>
          {index === 0 ? ' ' : ', '}
          <DocumentLink scopeId={scopeId} id={id} />
          {why !== '' && ` (${why})`}
        </span>
      ))}
      {papers.length > 0 && `${more === 0 ? '' : ` and ${more} more`}.`}
    </li>
  )
}

function sinceWords({ superseded_at: at, superseded_cause: cause }: Certificate): string {
  const words = causeWords(cause)
  return `${moment(at)}${words === null ? '' : `: ${words}`}`
}

function statusOf({ certificate_id: id, status }: Certificate): string {
  return `${id} ${status}`
}

/** The two are asked for apart, and one can be issued in between: what was current then is not shown beside what is current now. */
function isEarlier(certificate: Certificate, newest: Certificate | null): boolean {
  return certificate.status !== 'current' && certificate.certificate_id !== newest?.certificate_id
}

function Earlier({ all, newest, scopeId }: { all: readonly Certificate[]; newest: Certificate | null; scopeId: string }) {
  const earlier = all.filter(each => isEarlier(each, newest)).reverse()
  const [checked, setChecked] = useState<string>()
  const [withdrawn, setWithdrawn] = useState<Schema['WithdrawnCertificates']>()
  return (
    <section aria-labelledby="earlier-certificates">
      <h3 id="earlier-certificates">Earlier certificates</h3>
      <p class="muted">
        Each names the one before it, so that none can be left out unseen.
        {all.length === mostShown && ` The first ${mostShown} are shown.`}
      </p>
      <div class="acts">
        <ActButton
          act={async () => {
            setChecked(undefined)
            setChecked(await checkChain(all, await client.value.jwks()))
          }}
        >
          Check all
        </ActButton>
        <ActButton act={async () => setWithdrawn(await client.value.withdrawnCertificates(scopeId))}>Which are withdrawn?</ActButton>
      </div>
      {checked !== undefined && <p role="status">{checked}</p>}
      {withdrawn && (
        <div class="panel" role="group" aria-label="Withdrawn certificates">
          <p>
            {withdrawn.count === 0 ? 'None is withdrawn' : `${countOf(withdrawn.count, 'certificate')} withdrawn`}, signed{' '}
            <Moment time={withdrawn.issued_at} />.
          </p>
          <SignedActs
            key={withdrawn.statement}
            signed={{ jws: withdrawn.statement, kid: withdrawn.kid }}
            fileName={`${scopeId}-withdrawn.jws`}
            of="the list"
          />
        </div>
      )}
      <ul class="rows">
        {earlier.map(each => (
          <li key={each.certificate_id} class="row certificate-row">
            <div>
              <strong>{nameOf(each)}</strong> <Status of={each} />
              <p class="muted small">
                issued <Moment time={each.issued_at} />
                {each.withdrawn_at !== null && `, withdrawn ${moment(each.withdrawn_at)}: ${each.withdrawn_reason ?? ''}`}
                {each.withdrawn_at === null && each.superseded_at !== null && `, no longer current since ${sinceWords(each)}`}
              </p>
            </div>
            <SignedActs signed={signedOf(each)} fileName={fileNameOf(each, scopeId)} of={nameOf(each)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Status({ of: { status } }: { of: Certificate }) {
  return <Badge kind={status === 'current' ? 'resolved' : status === 'withdrawn' ? 'blocked' : ''}>{statusWords(status)}</Badge>
}

/** Where there are several, `of` tells them apart for those who hear their names. */
function SignedActs({ signed, fileName, of, class: className }: { signed: Signed; fileName: string; of?: string; class?: string }) {
  const [checked, setChecked] = useState<string>()
  const more = of === undefined ? null : <span class="heard"> of {of}</span>
  return (
    <div>
      <div class="acts">
        <ActButton class={className} act={async () => save(new Blob([signed.jws], { type: 'application/jose' }), fileName)}>
          Download{more}
        </ActButton>
        <ActButton
          act={async () => {
            setChecked(undefined)
            setChecked(await checkSignature(signed, await client.value.jwks()))
          }}
        >
          Check the signature{more}
        </ActButton>
      </div>
      {checked !== undefined && <p role="status">{checked}</p>}
    </div>
  )
}

function signedOf({ certificate, kid }: Certificate): Signed {
  return { jws: certificate, kid }
}

function fileNameOf({ generation, round }: Certificate, scopeId: string): string {
  return `${scopeId}${generation === 1 ? '' : `-generation-${generation}`}-step-${round}.jws`
}
