/** Replacements that a model proposes: those of one document by another together, with what accepting them would do. */

import { useState } from 'preact/hooks'
import { countOf } from '../src/contract/field-words.js'
import type { Schema } from '../src/contract/types.js'
import { InView } from './in-view'
import { isComplete, Judgement, said } from './judgement'
import { ActButton, DocumentLink, Failure, Loading } from './parts'
import { Quote } from './quote'
import { client, may } from './session'
import { isBeingRead, useLoaded } from './use-loaded'

type Group = Schema['ProposedReplacement']

export function Replacements({ scopeId }: { scopeId: string }) {
  const list = useLoaded(
    () => client.value.replacements(scopeId, { limit: 50 }).toArray(50),
    [scopeId, client.value],
    /^(possible_conflict|document|contradiction|scope)\./,
  )
  return (
    <>
      <Failure text={list.failure} />
      {isBeingRead(list) && <Loading what="the proposed replacements" />}
      <InView
        items={list.data ?? []}
        draw={group => <GroupEntry key={`${group.document_id} ${group.by_document_id}`} group={group} reload={list.reload} />}
      />
    </>
  )
}

function GroupEntry({ group, reload }: { group: Group; reload: () => Promise<unknown> }) {
  const { scope_id: scopeId, document_id, by_document_id, items, accepting } = group
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [reason, setReason] = useState('')
  const [kept, setKept] = useState<string>()
  const chosen = items.filter(item => !left.has(item.possible_conflict_id))
  const toggle = (id: string) => setLeft(before => new Set(before.has(id) ? [...before].filter(each => each !== id) : [...before, id]))
  const decide = async (verdict: 'accept' | 'dismiss') => {
    const possible_conflict_ids = chosen.map(item => item.possible_conflict_id)
    const answer = await client.value.decideReplacements(scopeId, {
      ...{ document_id, by_document_id, verdict, possible_conflict_ids },
      ...said(reason),
    })
    const more = answer.more > 0 ? [`${answer.more} more are undecided: decide again.`] : []
    // Said of these: what is chosen next has a reason of its own.
    setReason('')
    setKept([...answer.left.map(each => each.reason), ...more].join(' ') || undefined)
    await reload()
  }
  return (
    <article class="panel">
      <h3>
        <DocumentLink scopeId={scopeId} id={by_document_id} /> may replace {countOf(group.count, 'statement')} of{' '}
        <DocumentLink scopeId={scopeId} id={document_id} />
      </h3>
      <p class="muted">
        If all are accepted, {countOf(accepting.retires, 'statement')} count no longer
        {accepting.closes.length > 0 && `, and ${countOf(accepting.closes.length, 'contradiction')} close`}.
      </p>
      {items.map(item => (
        <div class="quotes" key={item.possible_conflict_id}>
          {may('decide') && (
            <label class="check">
              <input
                type="checkbox"
                checked={!left.has(item.possible_conflict_id)}
                onChange={() => toggle(item.possible_conflict_id)}
                aria-label="Decide this one too"
              />
            </label>
          )}
          <Quote letter="A" claim={item.a} scopeId={scopeId} />
          <Quote letter="B" claim={item.b} scopeId={scopeId} />
          <p class="muted small">{item.reason}</p>
        </div>
      ))}
      <Failure text={kept} />
      {may('decide') && (
        <div class="decide" role="group" aria-label="The replacements">
          <Judgement reason={reason} onReason={setReason} />
          <div class="acts">
            <ActButton class="primary" disabled={!isComplete(reason) || chosen.length === 0} act={() => decide('accept')}>
              Accept {countOf(chosen.length, 'replacement')}
            </ActButton>
            <ActButton disabled={!isComplete(reason) || chosen.length === 0} act={() => decide('dismiss')}>
              Dismiss
            </ActButton>
          </div>
        </div>
      )}
    </article>
  )
}
