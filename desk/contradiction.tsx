/** One contradiction: both documents at their passages, why they are about the same thing, and the decision. */

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Schema } from '../src/client/index.js'
import { DocumentPane } from './document-pane'
import { isComplete, Judgement, said } from './judgement'
import { ActButton, Badge, DocumentLink, Failure } from './parts'
import { hrefTo } from './route'
import { client, may, sayFailure } from './session'
import { bindShortcuts } from './shortcuts'
import { about, countOf, moment, verdictWords } from './wording'

type Item = Schema['Contradiction']
type Verdict = 'a' | 'b' | 'both' | 'neither'

interface ContradictionProps {
  item: Item
  scopeId: string
  reload: () => Promise<unknown>
  onLater: (() => void) | undefined
  nextId: string | undefined
}

export function Contradiction({ item, scopeId, reload, onLater, nextId }: ContradictionProps) {
  const { evidence } = item
  const verdict = item.resolution?.verdict
  return (
    <article aria-labelledby="about">
      <h3 id="about">
        <bdi>{about(item)}</bdi>
      </h3>
      <p>
        <Badge kind={item.severity}>{item.severity}</Badge> <Badge>{item.kind}</Badge> <Badge kind={item.status}>{item.status}</Badge>{' '}
        <span class="muted small">
          found {moment(item.detected_at)}, round {item.round}
          {`, by ${item.found_by}`}
          {item.confidence !== null && ` (${Math.round(item.confidence * 100)} % sure)`}
        </span>
      </p>
      <div class="panes">
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
        may('decide') && <Decide item={item} reload={reload} onLater={onLater} />
      ) : (
        <Decided item={item} scopeId={scopeId} reload={reload} nextId={nextId} />
      )}
      <Why item={item} scopeId={scopeId} />
    </article>
  )
}

function Why({ item, scopeId }: { item: Item; scopeId: string }) {
  return (
    <section class="why" aria-label="Why they conflict">
      <h4>Why both are about the same thing</h4>
      <p>{item.reason}</p>
      <EvidenceList evidence={item.evidence} />
      <Supporters letter="A" claims={item.supporters_a} count={item.supporters.a} scopeId={scopeId} />
      <Supporters letter="B" claims={item.supporters_b} count={item.supporters.b} scopeId={scopeId} />
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
  claims,
  count,
  scopeId,
}: {
  letter: string
  claims: readonly Schema['Claim'][]
  count: number
  scopeId: string
}) {
  if (count === 0) return null
  const documents = [...new Set(claims.map(claim => claim.document_id))]
  return (
    <p class="muted">
      {countOf(count, 'other claim')} say the same as {letter}:{' '}
      {documents.map(id => (
        <DocumentLink key={id} class="listed" scopeId={scopeId} id={id} />
      ))}
    </p>
  )
}

const verdicts: [Verdict, string][] = [
  ['a', 'A is right'],
  ['b', 'B is right'],
  ['both', 'Both stand'],
  ['neither', 'Neither'],
]

function Decide({ item, reload, onLater }: { item: Item; reload: () => Promise<unknown>; onLater: (() => void) | undefined }) {
  const [verdict, setVerdict] = useState<Verdict>()
  const [reason, setReason] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const choose = (chosen: Verdict) => () => {
      setVerdict(chosen)
      form.current?.querySelector<HTMLButtonElement>(`[data-verdict=${chosen}]`)?.focus()
    }
    return bindShortcuts({ a: choose('a'), b: choose('b'), x: choose('neither') })
  }, [])
  const decide = async (event: Event) => {
    event.preventDefault()
    if (verdict === undefined || !isComplete(reason)) return
    setBusy(true)
    setFailure(undefined)
    try {
      await client.value.resolve(item.contradiction_id, { verdict, ...said(reason) })
      await reload()
    } catch (error) {
      setFailure(sayFailure(error))
      setBusy(false)
    }
  }
  return (
    <form class="decide" ref={form} onSubmit={decide} aria-label="Decision">
      <div class="verdicts" role="group" aria-label="Verdict">
        {verdicts.map(([each, text]) => (
          <button key={each} type="button" data-verdict={each} aria-pressed={verdict === each} onClick={() => setVerdict(each)}>
            {text}
          </button>
        ))}
      </div>
      <Judgement reason={reason} onReason={setReason} />
      <div class="acts">
        <button type="submit" class="primary" disabled={isBusy || verdict === undefined || !isComplete(reason)}>
          Decide
        </button>
        {onLater && (
          <button type="button" onClick={onLater}>
            Later
          </button>
        )}
      </div>
      <Failure text={failure} />
    </form>
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
        <strong>{verdictWords[item.resolution?.verdict ?? ''] ?? 'Decided'}</strong>
        {item.resolution && (
          <>
            , decided by <bdi>{item.resolution.by}</bdi> {moment(item.resolution.resolved_at)}: <bdi>{item.resolution.reason}</bdi>
          </>
        )}
      </p>
      <div class="acts">
        {nextId !== undefined && (
          <a class="button primary" href={hrefTo('cases', scopeId, 'contradictions', nextId)}>
            Next
          </a>
        )}
        {nextId === undefined && (
          <a class="button" href={hrefTo('cases', scopeId, 'settled')}>
            Is it settled?
          </a>
        )}
        {canUndo && !isUndoing && (
          <button type="button" onClick={() => setUndoing(true)}>
            Undo
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
