/** Possible conflicts: a person says of one, or of several at once, whether they are contradictions. */

import { useState } from 'preact/hooks'
import { countOf } from '../src/contract/field-words.js'
import { aboutOf } from '../src/contract/finding-words.js'
import type { Schema } from '../src/contract/types.js'
import { EvidenceList } from './contradiction'
import { DocumentPane } from './document-pane'
import { InView } from './in-view'
import { isComplete, Judgement, said } from './judgement'
import { ActButton, Badge, Choice, Failure, Loading } from './parts'
import { Quote } from './quote'
import { Replacements } from './replacements'
import { SeenBy } from './seen-by'
import { client, may } from './session'
import { useLoaded } from './use-loaded'

type Item = Schema['PossibleConflict']
const mostShown = 200

export function Possible({ scopeId }: { scopeId: string }) {
  const [status, setStatus] = useState<'open' | 'promoted' | 'accepted' | 'dismissed' | 'cleared'>('open')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [reason, setReason] = useState('')
  const list = useLoaded(
    () => client.value.possibleConflicts(scopeId, { status, limit: 200 }).toArray(mostShown),
    [scopeId, status, client.value],
    /^(possible_conflict|document|contradiction|scope)\./,
  )
  const items = list.data ?? []
  const free = items.filter(item => mayBeJudged(item) && !isProposed(item))
  const picked = free.filter(item => chosen.has(item.possible_conflict_id))
  const toggle = (id: string) => setChosen(before => new Set(before.has(id) ? [...before].filter(each => each !== id) : [...before, id]))
  /** One after the other: each is a round of its own. */
  const judge = async (act: (item: Item) => Promise<unknown>) => {
    try {
      for (const item of picked) await act(item)
      setChosen(new Set())
    } finally {
      await list.reload()
    }
  }
  const withdraw = (item: Item) => {
    const { withdrawPromotion, withdrawAcceptance, withdrawDismissal } = client.value
    const call = item.status === 'promoted' ? withdrawPromotion : item.status === 'accepted' ? withdrawAcceptance : withdrawDismissal
    return call(item.possible_conflict_id, said(reason))
  }
  return (
    <div class="page">
      <h2>Possible conflicts</h2>
      <p class="muted">These may be contradictions, and enter no score. The likeliest come first.</p>
      <div class="tools">
        <Choice
          label="Status"
          value={status}
          onChange={value => setStatus(value as typeof status)}
          options={[
            ['open', 'undecided'],
            ['promoted', 'promoted'],
            ['accepted', 'replacements accepted'],
            ['dismissed', 'dismissed'],
            ['cleared', 'cleared by a model'],
          ]}
        />
        {free.length > 1 && may('decide') && (
          <button
            type="button"
            onClick={() => setChosen(picked.length === free.length ? new Set() : new Set(free.map(item => item.possible_conflict_id)))}
          >
            {picked.length === free.length ? 'Choose none' : 'Choose all'}
          </button>
        )}
      </div>
      <Failure text={list.failure} />
      {list.data === undefined && list.failure === undefined && <Loading what="the possible conflicts" />}
      {list.data !== undefined && items.every(isProposed) && (status !== 'open' || items.length === 0) && (
        <p>{status === 'open' ? 'No possible conflict is undecided.' : 'None.'}</p>
      )}
      {picked.length > 0 && (
        <div class="decide sticky" role="group" aria-label="What is chosen">
          <p>
            <strong>{countOf(picked.length, 'possible conflict')} chosen</strong>
          </p>
          <Judgement reason={reason} onReason={setReason} />
          <div class="acts">
            {status === 'open' ? (
              <>
                <ActButton
                  class="primary"
                  disabled={!isComplete(reason)}
                  act={() => judge(item => client.value.promote(item.possible_conflict_id, said(reason)))}
                >
                  Promote to contradiction
                </ActButton>
                <ActButton
                  disabled={!isComplete(reason)}
                  act={() => judge(item => client.value.dismiss(item.possible_conflict_id, said(reason)))}
                >
                  Dismiss
                </ActButton>
              </>
            ) : (
              <ActButton class="primary" disabled={!isComplete(reason)} act={() => judge(withdraw)}>
                Take it back
              </ActButton>
            )}
          </div>
        </div>
      )}
      {status === 'open' && <Replacements scopeId={scopeId} />}
      <InView
        key={status}
        items={items.filter(item => !isProposed(item))}
        draw={item => (
          <Entry
            key={item.possible_conflict_id}
            item={item}
            scopeId={scopeId}
            isChosen={chosen.has(item.possible_conflict_id)}
            onToggle={() => toggle(item.possible_conflict_id)}
          />
        )}
      />
    </div>
  )
}

/** Those are decided by pairs of documents. */
const isProposed = (item: Item): boolean => item.status === 'open' && item.proposes !== null

function Entry({ item, scopeId, isChosen, onToggle }: { item: Item; scopeId: string; isChosen: boolean; onToggle: () => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <article class={`panel ${isChosen ? 'chosen' : ''}`}>
      <h3>
        {may('decide') && mayBeJudged(item) ? (
          <label class="check">
            <input type="checkbox" checked={isChosen} onChange={onToggle} /> <bdi>{aboutOf(item)}</bdi>
          </label>
        ) : (
          <bdi>{aboutOf(item)}</bdi>
        )}{' '}
        <Badge>{item.kind}</Badge> {item.proposes !== null && <Badge>may replace</Badge>} {item.look && <Badge>look at this one</Badge>}{' '}
        <span class="muted small">score {item.score.toFixed(2)}</span>
      </h3>
      {isOpen ? (
        <div class="panes">
          <DocumentPane letter="A" side={item.a} issuer={item.evidence?.issuers.a} time={item.evidence?.times.a} scopeId={scopeId} />
          <DocumentPane letter="B" side={item.b} issuer={item.evidence?.issuers.b} time={item.evidence?.times.b} scopeId={scopeId} />
        </div>
      ) : (
        <div class="quotes">
          <Quote letter="A" claim={item.a} scopeId={scopeId} />
          <Quote letter="B" claim={item.b} scopeId={scopeId} />
        </div>
      )}
      <p>{item.reason}</p>
      <EvidenceList evidence={item.evidence} />
      {item.decision && <Decision decision={item.decision} />}
      {isOpen && <SeenBy id={item.possible_conflict_id} isPossible />}
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Close the documents' : 'Open the documents'}
      </button>
    </article>
  )
}

/** What was closed because a side no longer counts cannot be taken back: it opens by itself when the side counts again. */
const mayBeJudged = ({ decision }: Item): boolean => decision?.verdict !== 'superseded'

function Decision({ decision }: { decision: NonNullable<Item['decision']> }) {
  if (decision.verdict === 'superseded')
    return (
      <p class="muted">
        Closed automatically: <bdi>{decision.reason}</bdi>
      </p>
    )
  return (
    <p class="muted">
      {decision.verdict === 'promote' ? 'Promoted' : decision.verdict === 'accept' ? 'Accepted' : 'Dismissed'} by <bdi>{decision.by}</bdi>:{' '}
      <bdi>{decision.reason}</bdi>
    </p>
  )
}
