/** One contradiction: both documents at their passages, why they are about the same thing, and the decision. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { countOf } from '../src/contract/field-words.js'
import { decidedWords, effectWords, othersOf, replacedWords, sayWord, whyDecided } from '../src/contract/finding-words.js'
import type { Schema } from '../src/contract/types.js'
import { Decide } from './decide'
import { DocumentPane } from './document-pane'
import { documentNames } from './document-text'
import { FindingContext } from './finding-context'
import { differenceOf, sourceOf, titleOf } from './finding-words'
import { into } from './into'
import { isComplete, Judgement, said } from './judgement'
import { showsText } from './original'
import { ActButton, Badge, DocumentLink } from './parts'
import { hrefTo } from './route'
import { SeenBy } from './seen-by'
import { client, may } from './session'
import { bindShortcuts } from './shortcuts'
import { TextSwitch } from './text-switch'
import { AssignedTo, Together } from './together'
import { Moment } from './when'
import { finderWords } from './wording'

type Item = Schema['Contradiction']

interface ContradictionProps {
  item: Item
  scopeId: string
  reload: () => Promise<unknown>
  onLater: (() => void) | undefined
  nextId: string | undefined
  /** Those still open in the case; undefined until they are known. */
  open: readonly Item[] | undefined
}

export function Contradiction({ item, scopeId, reload, onLater, nextId, open }: ContradictionProps) {
  const { evidence } = item
  const [shownSide, setShownSide] = useState<'A' | 'B'>('A')
  const difference = differenceOf(item.a, item.b)
  useEffect(
    () => bindShortcuts({ t: () => into(showsText)(!showsText.value), s: () => setShownSide(side => (side === 'A' ? 'B' : 'A')) }),
    [],
  )
  // A decision without effect leaves it open: neither side holds.
  const verdict = item.status === 'open' ? undefined : item.resolution?.verdict
  return (
    <article aria-labelledby="about">
      <div class="finding-head">
        <h3 id="about">
          <bdi>{titleOf(item)}</bdi>
        </h3>
        <p>
          <Badge kind={item.severity}>{item.severity}</Badge>{' '}
          <Badge kind={item.status}>{item.status === 'open' ? 'open' : 'decided'}</Badge>{' '}
          {difference !== null && <strong class="difference">{difference} apart</strong>}{' '}
          {item.assignment !== undefined && (
            <Badge kind="held">
              <AssignedTo assignment={item.assignment} />
            </Badge>
          )}{' '}
          <span class="muted small">
            {item.subject !== null && item.subject !== '' && item.attribute !== '' && (
              <>
                <bdi>{item.subject}</bdi>,{' '}
              </>
            )}
            found <Moment time={item.detected_at} /> {finderWords(item.found_by)}
            {item.confidence !== null && ` (${Math.round(item.confidence * 100)} % sure)`}
          </span>{' '}
          <TextSwitch />
        </p>
        <div class="side-switch" role="group" aria-label="Paper">
          {(['A', 'B'] as const).map(letter => (
            <button key={letter} type="button" aria-pressed={shownSide === letter} onClick={() => setShownSide(letter)}>
              {letter}: {sourceOf(letter === 'A' ? item.a : item.b, documentNames.value)}
            </button>
          ))}
        </div>
      </div>
      <div class={`panes shows-${shownSide}`}>
        <DocumentPane
          letter="A"
          side={item.a}
          supporters={item.supporters_a}
          issuer={evidence?.issuers.a}
          differing={evidence?.differs.map(each => each.a) ?? []}
          time={evidence?.times.a}
          scopeId={scopeId}
          won={verdict === 'a'}
        />
        <DocumentPane
          letter="B"
          side={item.b}
          supporters={item.supporters_b}
          issuer={evidence?.issuers.b}
          differing={evidence?.differs.map(each => each.b) ?? []}
          time={evidence?.times.b}
          scopeId={scopeId}
          won={verdict === 'b'}
        />
      </div>
      {item.status === 'open' ? (
        may('decide') && <Decide item={item} reload={reload} onLater={onLater} open={open} />
      ) : (
        // What somebody writes against a decision is not said of the next one.
        <Decided key={item.resolution?.resolved_at} item={item} scopeId={scopeId} reload={reload} nextId={nextId} />
      )}
      <SeenBy id={item.contradiction_id} />
      <Why item={item} scopeId={scopeId} />
      <Together item={item} reload={reload} />
      <FindingContext item={item} scopeId={scopeId} />
    </article>
  )
}

function Why({ item, scopeId }: { item: Item; scopeId: string }) {
  return (
    <section class="why" aria-label="Why they conflict">
      <h4>Why both are about the same thing</h4>
      <p>{item.reason}</p>
      <EvidenceList evidence={item.evidence} />
      <Supporters letter="A" side={item.a} claims={item.supporters_a} count={item.supporters.a} scopeId={scopeId} />
      <Supporters letter="B" side={item.b} claims={item.supporters_b} count={item.supporters.b} scopeId={scopeId} />
    </section>
  )
}

export function EvidenceList({ evidence }: { evidence: Schema['Evidence'] | null }) {
  if (evidence === null) return null
  const { subject, shared, differs } = evidence
  return (
    <dl class="evidence">
      {subject !== null && (
        <div>
          <dt>about</dt>
          <dd>
            <bdi>{subject}</bdi>
          </dd>
        </div>
      )}
      {shared.length > 0 && (
        <div>
          <dt>in both</dt>
          <dd>
            {shared.map(word => (
              <bdi key={word} class="word">
                {word}
              </bdi>
            ))}
          </dd>
        </div>
      )}
      {differs.length > 0 && (
        <div>
          <dt>differs</dt>
          <dd>
            {differs.map(({ a, b }, index) => (
              <span key={index} class="differs">
                <bdi>{a}</bdi> <span class="muted">against</span> <bdi>{b}</bdi>
              </span>
            ))}
          </dd>
        </div>
      )}
    </dl>
  )
}

function Supporters({
  letter,
  side,
  claims,
  count,
  scopeId,
}: {
  letter: string
  side: Item['a']
  claims: readonly Schema['Claim'][]
  count: number
  scopeId: string
}) {
  const { saying, replaced } = othersOf(side, claims, count)
  const documents = [...new Set(claims.filter(claim => !replaced.includes(claim)).map(claim => claim.document_id))]
  return (
    <>
      {saying > 0 && (
        <p class="muted">
          {countOf(saying, 'other statement')} {sayWord(side, saying)} the same as {letter}:{' '}
          {documents.map(id => (
            <DocumentLink key={id} class="listed" scopeId={scopeId} id={id} />
          ))}
        </p>
      )}
      {replaced.map(each => (
        <p key={each.claim_id} class="muted">
          {letter}: <bdi>{replacedWords(each, id => documentNames.value.get(id) ?? id)}</bdi>
        </p>
      ))}
    </>
  )
}

function Decided({
  item,
  scopeId,
  reload,
  nextId,
}: {
  item: Item
  scopeId: string
  reload: () => Promise<unknown>
  nextId: string | undefined
}) {
  const [isUndoing, setUndoing] = useState(false)
  const [reason, setReason] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const effect = effectWords(item)
  const canUndo = may('decide') && item.resolution !== undefined && item.resolution.by !== 'system'
  useEffect(() => bindShortcuts({ u: () => canUndo && setUndoing(true) }), [canUndo])
  useEffect(() => {
    if (isUndoing) box.current?.querySelector('input')?.focus()
  }, [isUndoing])
  const undo = async () => {
    await client.value.reopen(item.contradiction_id, said(reason))
    await reload()
  }
  return (
    <div class="decided" ref={box}>
      <p role="status">
        <strong>{decidedWords(item.resolution)}</strong>
        {item.resolution && (
          <>
            , decided by <bdi>{item.resolution.by}</bdi> <Moment time={item.resolution.resolved_at} />: <bdi>{whyDecided(item)}</bdi>
          </>
        )}
      </p>
      {effect !== null && <p class="effect">{effect}.</p>}
      <div class="acts">
        {nextId !== undefined && (
          <a class="button primary" href={hrefTo('cases', scopeId, 'contradictions', nextId)}>
            Next
          </a>
        )}
        {nextId === undefined && (
          <a class="button" href={hrefTo('cases', scopeId, 'settled')}>
            Is the review complete?
          </a>
        )}
        {canUndo && !isUndoing && (
          <button type="button" onClick={() => setUndoing(true)}>
            {item.resolution?.effect?.state === 'again' ? 'Object' : 'Undo'}
          </button>
        )}
      </div>
      {isUndoing && (
        <div class="decide">
          <Judgement reason={reason} onReason={setReason} />
          <div class="acts">
            <ActButton act={undo} class="primary" disabled={!isComplete(reason)}>
              Open it again
            </ActButton>
            <button type="button" onClick={() => setUndoing(false)}>
              Leave it
            </button>
          </div>
        </div>
      )}
    </div>
  )
}
