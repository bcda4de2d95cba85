/** One document: its text with every claim marked, its revisions, and what each claim was read as. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { countOf, documentState } from '../src/contract/field-words.js'
import { placeInFile } from '../src/contract/finding-words.js'
import type { Schema } from '../src/contract/types.js'
import { documentNames, documentText, textsForgotten } from './document-text'
import { DocumentActs } from './documents'
import { into } from './into'
import { LegalHold } from './legal-hold'
import { passageAt } from './marked-text'
import { expect, kindOf, Original, type PlacedPassage, showsText, waitsForText } from './original'
import { ActButton, Badge, DocumentLink, Failure, Loading, Name } from './parts'
import { pageNear, passageAtAddress } from './passage-address'
import { ReadAgain } from './read-again'
import { PassageBar } from './report-passages'
import { hrefTo } from './route'
import { nameOfOriginal, save } from './save'
import type { ScanWord } from './scan-marks'
import { isScan, ScanPanel } from './scan-panel'
import { client, may } from './session'
import { bindShortcuts } from './shortcuts'
import { TextSwitch } from './text-switch'
import { isBeingRead, useLoaded } from './use-loaded'
import { Moment } from './when'
import { moment, periodWords } from './wording'

const mostClaims = 10_000

interface DocumentViewProps {
  scopeId: string
  documentId: string
  /** The statement an address leads to, or the address of a passage. */
  part: string | undefined
}

export function DocumentView({ scopeId, documentId, part }: DocumentViewProps) {
  const pane = useRef<HTMLDivElement>(null)
  const linked = useMemo(() => passageAtAddress(part), [part])
  const [revision, setRevision] = useState(linked?.revision)
  const [chosen, setChosen] = useState(part)
  const [chosenWord, setWord] = useState<ScanWord & { revision: number }>()
  useEffect(() => {
    setChosen(part)
    if (linked !== null) setRevision(linked.revision)
  }, [part])
  useEffect(() => expect(documentNames.peek().get(documentId) ?? documentId), [documentId])
  useEffect(() => bindShortcuts({ t: () => into(showsText)(!showsText.value) }), [])
  const revisions = useLoaded(
    () => client.value.revisions(scopeId, documentId, { limit: 100 }).toArray(100),
    [scopeId, documentId],
    /^(document\.|legal_hold\.|scope\.reset$)/,
  )
  const newest = revisions.data?.[0]
  const shown = revision ?? newest?.revision
  const document = revisions.data?.find(each => each.revision === shown)
  const text = useLoaded(
    async () => (shown === undefined ? undefined : documentText(scopeId, documentId, shown)),
    [scopeId, documentId, shown, textsForgotten.value],
  )
  const claims = useLoaded(
    () => client.value.claims(scopeId, { document_id: documentId, state: 'all', limit: 200 }).toArray(mostClaims),
    [scopeId, documentId],
    /^(document|claim|contradiction)\./,
  )
  const own = useMemo(() => (claims.data ?? []).filter(claim => claim.revision === shown), [claims.data, shown])
  const passages = useMemo(() => {
    const statements = own.map(each => toPassage(each, chosen))
    if (linked === null || chosen !== part || linked.revision !== shown) return statements
    return [{ start: linked.start, end: linked.end, kind: 'main' as const, page: pageNear(linked, own) }, ...statements]
  }, [own, chosen, linked, shown])
  const claim = own.find(each => each.claim_id === chosen)
  // Another revision has other words at that place.
  const word = chosenWord?.revision === shown ? chosenWord : undefined
  const chooseWord = (each: ScanWord | undefined) => setWord(each && document && { ...each, revision: document.revision })
  const mayCorrect = document !== undefined && document === newest && document.erased_at === null && isScan(document) && may('decide')
  const revised = async () => {
    setRevision(undefined)
    await revisions.reload()
  }
  return (
    <div class="page">
      <p class="kicker">
        <a href={hrefTo('cases', scopeId, 'documents')}>Documents</a>
      </p>
      <Failure text={revisions.failure ?? claims.failure} />
      {document === undefined ? (
        revisions.failure === undefined && <Loading what="the document" />
      ) : (
        <>
          <h2>
            <Name>{document.name}</Name>{' '}
            <Badge kind={document.erased_at === null ? document.status : undefined}>{documentState(document)}</Badge>
          </h2>
          <p class="muted">
            {documentId !== document.name && (
              <>
                <bdi>{documentId}</bdi>,{' '}
              </>
            )}
            handed in <Moment time={document.timings.received_at} />
            {document.source !== null && (
              <>
                , from <bdi>{document.source}</bdi>
              </>
            )}
            {claims.data !== undefined && `, ${countOf(own.length, 'statement')}`}, <bdi>{document.compared_by.words}</bdi>
          </p>
          {document.part_of !== null && (
            <p>
              Came with <DocumentLink scopeId={scopeId} id={document.part_of} />
            </p>
          )}
          {document.same_as.length > 0 && (
            <p>
              The same file as{' '}
              {document.same_as.map(id => (
                <DocumentLink key={id} class="listed" scopeId={scopeId} id={id} />
              ))}
            </p>
          )}
          {[document.provenance, document.reason, ...(document.file?.notes ?? [])].map(line => line && <p key={line}>{line}</p>)}
          {document === newest && <LegalHold {...{ scopeId, documentId, hold: document.legal_hold, reload: revisions.reload }} />}
          <div class="tools">
            {(revisions.data?.length ?? 0) > 1 && (
              <div class="field">
                <label for="revision">Revision</label>
                <select id="revision" value={String(shown)} onChange={event => setRevision(Number(event.currentTarget.value))}>
                  {revisions.data?.map(each => (
                    <option key={each.revision} value={each.revision}>
                      {each.revision}, {moment(each.timings.received_at)}
                    </option>
                  ))}
                </select>
              </div>
            )}
            <div class="acts">
              <TextSwitch document={document} />
              {document.file?.kept && <ActButton act={() => saveOriginal(scopeId, document)}>Download the original</ActButton>}
              {document === newest && document.erased_at === null && <ReadAgain {...{ scopeId, document }} onRevised={revised} />}
              {document === newest && <DocumentActs document={document} scopeId={scopeId} reload={revisions.reload} />}
            </div>
          </div>
          <div class="with-aside">
            {text.data === undefined && (text.failure === undefined ? waitsForText(document) : kindOf(document) !== 'pdf') ? (
              <div class="text tall">
                {text.failure === undefined && <Loading what="the text" />}
                {text.isMissing ? <p class="muted">Its text is not stored here.</p> : <Failure text={text.failure} />}
              </div>
            ) : (
              <div class="tall-original" ref={pane}>
                <PassageBar {...{ scopeId, document, text: text.data, pane, claim, isNewest: document === newest }} />
                {!text.isMissing && <Failure text={text.failure} />}
                {mayCorrect && <ScanPanel key={shown} {...{ scopeId, document, word }} onChoose={chooseWord} onRevised={revised} />}
                <Original
                  key={`${documentId} ${shown}`}
                  label="Text"
                  scopeId={scopeId}
                  document={document}
                  text={text.data}
                  passages={passages}
                  isUnplaced={part !== undefined && isBeingRead(claims)}
                  onWord={mayCorrect ? chooseWord : undefined}
                  onChoose={event => setChosen(before => passageAt(event) ?? before)}
                />
              </div>
            )}
            {isBeingRead(claims) && <Loading what="the statements" />}
            {claims.data !== undefined && <ClaimCard claim={claim} claims={own} onChoose={setChosen} />}
          </div>
        </>
      )}
    </div>
  )
}

async function saveOriginal(scopeId: string, document: Schema['Document']): Promise<void> {
  save(await client.value.original(scopeId, document.document_id, { revision: document.revision }), nameOfOriginal(document))
}

function toPassage({ start, end, claim_id: id, page }: Schema['Claim'], chosen: string | undefined): PlacedPassage {
  return { start, end, kind: id === chosen ? 'main' : 'claim', id, page }
}

const listedClaims = 100

function ClaimCard({
  claim,
  claims,
  onChoose,
}: {
  claim: Schema['Claim'] | undefined
  claims: readonly Schema['Claim'][]
  onChoose: (id: string) => void
}) {
  return (
    <aside class="aside" aria-label="Statements of this document">
      {claim !== undefined && <ClaimDetails claim={claim} />}
      <ul class="items">
        {claims.slice(0, listedClaims).map(each => (
          <li key={each.claim_id}>
            <button type="button" class="plain" aria-pressed={each === claim} onClick={() => onChoose(each.claim_id)}>
              <bdi class="about">{each.attribute || each.subject}</bdi> <bdi class="values">{each.value || each.quote}</bdi>
            </button>
          </li>
        ))}
      </ul>
      {claims.length > listedClaims && (
        <p class="muted small">
          The first {listedClaims} of {claims.length.toLocaleString('en')}; all are marked in the text.
        </p>
      )}
      {claims.length === 0 && <p class="muted">No statement was read in it.</p>}
    </aside>
  )
}

export function ClaimDetails({ claim }: { claim: Schema['Claim'] }) {
  const facts: [string, string | null][] = [
    ['says of', claim.subject],
    ['what', claim.attribute],
    ['value', claim.value],
    ['period', periodWords(claim.period)],
    ['role', claim.role === 'actual' ? null : claim.role],
    ['holds', claim.polarity === 'negated' ? 'denied' : null],
    ['in the file', placeInFile(claim)],
    ['confidence', claim.confidence.toFixed(2)],
    ['no longer counts', claim.superseded_at === null ? null : `${moment(claim.superseded_at)} ${claim.superseded_reason ?? ''}`],
  ]
  return (
    <dl class="evidence">
      {facts.map(([name, value]) =>
        value === null || value === '' ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ),
      )}
    </dl>
  )
}
