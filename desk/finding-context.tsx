/** Beside two papers, on demand: what else the case says on the fact, who wrote each paper and when, and what was decided before. */

import { useState } from 'preact/hooks'
import { decidedWords, whyDecided } from '../src/contract/finding-words.js'
import type { Schema } from '../src/contract/types.js'
import { questionTo } from './alike'
import { CopyButton } from './copy-button'
import { documentNames, documentsOfCase } from './document-text'
import { DocumentLink, Failure, Loading } from './parts'
import { client } from './session'
import { isBeingRead, useLoaded } from './use-loaded'
import { Moment } from './when'

type Item = Schema['Contradiction']
const mostListed = 50

export function FindingContext({ item, scopeId }: { item: Item; scopeId: string }) {
  return (
    <>
      <Opened title="Everything the case says on this">
        <SameFact item={item} scopeId={scopeId} />
      </Opened>
      <Opened title="The two papers">
        <Papers item={item} scopeId={scopeId} />
      </Opened>
      <Opened title="Earlier decisions on this">
        <Earlier item={item} scopeId={scopeId} />
      </Opened>
      <Opened title="Ask the author">
        <AskAuthor item={item} />
      </Opened>
    </>
  )
}

/** Read when it is opened. */
function Opened({ title, children }: { title: string; children: preact.ComponentChildren }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  )
}

function SameFact({ item, scopeId }: { item: Item; scopeId: string }) {
  const words = [item.attribute, item.subject].filter(Boolean).join(' ').slice(0, 200)
  const claims = useLoaded(
    async () => (words === '' ? [] : client.value.claims(scopeId, { q: words, state: 'live', limit: mostListed }).toArray(mostListed)),
    [scopeId, words],
    /^(claim|document|contradiction)\./,
  )
  return (
    <>
      <Failure text={claims.failure} />
      {isBeingRead(claims) && <Loading what="the statements" />}
      {claims.data?.length === 0 && <p class="muted">Nothing else is said on it.</p>}
      <ul class="items">
        {onceEach(claims.data ?? []).map(claim => (
          <li key={claim.claim_id} class="said">
            <bdi>{claim.quote ?? 'erased'}</bdi>{' '}
            <DocumentLink class="small" scopeId={scopeId} id={claim.document_id} claimId={claim.claim_id} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** Several statements may be read in one sentence. */
function onceEach(claims: readonly Schema['Claim'][]): Schema['Claim'][] {
  return [...new Map(claims.map(claim => [JSON.stringify([claim.document_id, claim.quote ?? claim.claim_id]), claim])).values()]
}

function Papers({ item, scopeId }: { item: Item; scopeId: string }) {
  const sides = [
    ['A', item.a, item.evidence?.issuers.a, item.evidence?.times.a],
    ['B', item.b, item.evidence?.issuers.b, item.evidence?.times.b],
  ] as const
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="The two papers">
      <table>
        <thead>
          <tr>
            <th>side</th>
            <th>paper</th>
            <th>by</th>
            <th>kind</th>
            <th>written</th>
            <th>received</th>
          </tr>
        </thead>
        <tbody>
          {sides.map(([letter, side, issuer, time]) => {
            const document = 'claim_id' in side ? documentsOfCase.value.get(side.document_id) : undefined
            return (
              <tr key={letter}>
                <td>{letter}</td>
                <td>
                  {'claim_id' in side ? <DocumentLink scopeId={scopeId} id={side.document_id} claimId={side.claim_id} /> : side.source}
                </td>
                <td>{issuer ?? document?.source ?? '–'}</td>
                <td>{document?.type ?? '–'}</td>
                <td>{time ?? '–'}</td>
                <td>
                  <Moment time={document?.timings.received_at} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Earlier({ item, scopeId }: { item: Item; scopeId: string }) {
  const decided = useLoaded(
    async () =>
      [
        ...(await client.value.contradictions(scopeId, { status: 'resolved', limit: 200 }).toArray(500)),
        ...(await client.value.contradictions(scopeId, { status: 'dismissed', limit: 200 }).toArray(500)),
      ].filter(each => isSameFact(each, item)),
    [scopeId, item.contradiction_id],
    /^contradiction\./,
  )
  return (
    <>
      <Failure text={decided.failure} />
      {isBeingRead(decided) && <Loading what="the decisions" />}
      {decided.data?.length === 0 && <p class="muted">None.</p>}
      {decided.data?.map(each => (
        <p key={each.contradiction_id}>
          {decidedWords(each.resolution)}, by <bdi>{each.resolution?.by}</bdi> <Moment time={each.resolution?.resolved_at} />:{' '}
          <bdi>{whyDecided(each)}</bdi>
        </p>
      ))}
    </>
  )
}

function isSameFact(a: Item, b: Item): boolean {
  return a.contradiction_id !== b.contradiction_id && a.attribute !== null && a.attribute === b.attribute && a.subject === b.subject
}

/** Drafted, to be changed and copied: the service sends nothing. */
function AskAuthor({ item }: { item: Item }) {
  const [side, setSide] = useState<'a' | 'b'>('a')
  const [text, setText] = useState(() => questionTo(item, 'a', documentNames.value))
  const ask = (of: 'a' | 'b') => {
    setSide(of)
    setText(questionTo(item, of, documentNames.value))
  }
  return (
    <div class="ask">
      <div class="acts" role="group" aria-label="Whose author">
        {(['a', 'b'] as const).map(each => (
          <button key={each} type="button" aria-pressed={side === each} onClick={() => ask(each)}>
            Of {each.toUpperCase()}
          </button>
        ))}
      </div>
      <textarea aria-label="Question" rows={12} value={text} onInput={event => setText(event.currentTarget.value)} />
      <CopyButton text={() => text}>Copy the question</CopyButton>
    </div>
  )
}
