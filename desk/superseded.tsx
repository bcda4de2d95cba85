/** What replaced what, and why; who disagrees objects, and the two stand in an open contradiction. */

import { useState } from 'preact/hooks'
import { aboutOf } from '../src/contract/finding-words.js'
import type { Schema } from '../src/contract/types.js'
import { EvidenceList } from './contradiction'
import { InView } from './in-view'
import { isComplete, Judgement, said } from './judgement'
import { ActButton, Badge, Failure, Loading } from './parts'
import { Quote } from './quote'
import { ReadMore, useMost } from './read-more'
import { client, may } from './session'
import { useLoaded } from './use-loaded'
import { Moment } from './when'

type Item = Schema['Supersession']
const atOnce = 300
const kindWords: Record<Item['kind'], string> = { words: 'openly corrected', later_issue: 'later issue', revision: 'revision' }

export function Superseded({ scopeId }: { scopeId: string }) {
  const most = useMost(atOnce)
  const list = useLoaded(
    () => client.value.supersessions(scopeId, { limit: 200 }).toArray(most.current.most),
    [scopeId, client.value],
    /^(supersession|claim|document|scope)\./,
  )
  return (
    <div class="page">
      <h2>Replaced</h2>
      <p class="muted">Statements that others replaced. Objecting makes a replaced statement count again, in an open contradiction.</p>
      <Failure text={list.failure} />
      {list.data === undefined && list.failure === undefined && <Loading what="what was replaced" />}
      {list.data?.length === 0 && <p>No statement was replaced by another.</p>}
      <InView
        items={list.data ?? []}
        draw={item => <Entry key={`${item.supersession_id} ${item.status}`} item={item} reload={list.reload} />}
      />
      <ReadMore of={most} read={[list.data]} reload={list.reload} />
    </div>
  )
}

/** Begins anew with its status: a reason to object is none to take the objection back. */
function Entry({ item, reload }: { item: Item; reload: () => Promise<unknown> }) {
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const isObjected = item.status === 'objected'
  const act = async () => {
    const call = isObjected ? client.value.withdrawObjection : client.value.object
    await call(item.supersession_id, said(reason))
    setOpen(false)
    await reload()
  }
  return (
    <article class="panel">
      <h3>
        <bdi>{aboutOf(item.claim)}</bdi> <Badge>{kindWords[item.kind]}</Badge> {isObjected && <Badge kind="review">objected to</Badge>}
        {item.status === 'withdrawn' && <Badge>no longer stands</Badge>}
      </h3>
      <div class="quotes">
        <Quote letter="Replaced" claim={item.claim} scopeId={item.scope_id} />
        <Quote letter="By" claim={item.superseded_by} scopeId={item.scope_id} />
      </div>
      <p>{item.reason}</p>
      <EvidenceList evidence={item.evidence} />
      {item.objection && (
        <p class="muted">
          <bdi>{item.objection.by}</bdi> objected <Moment time={item.objection.decided_at} />: <bdi>{item.objection.reason}</bdi>
        </p>
      )}
      {may('decide') &&
        item.status !== 'withdrawn' &&
        (isOpen ? (
          <div class="decide">
            <Judgement reason={reason} onReason={setReason} />
            <div class="acts">
              <ActButton class="primary" act={act} disabled={!isComplete(reason)}>
                {isObjected ? 'Take the objection back' : 'Object'}
              </ActButton>
              <button type="button" onClick={() => setOpen(false)}>
                Leave it
              </button>
            </div>
          </div>
        ) : (
          <button type="button" onClick={() => setOpen(true)}>
            {isObjected ? 'Take the objection back …' : 'Object …'}
          </button>
        ))}
    </article>
  )
}
