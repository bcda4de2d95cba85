/** Possible conflicts: a person says of one, or of several at once, whether they are contradictions. */

import type { ComponentChildren } from 'preact'
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
import { ReadMore, useMost } from './read-more'
import { Replacements } from './replacements'
import { SeenBy } from './seen-by'
import { client, may } from './session'
import { useLoaded } from './use-loaded'

type Item = Schema['PossibleConflict']
type Fact = Omit<Schema['PossibleFact'], 'scope_id'>
const atOnce = 200

export function Possible({ scopeId }: { scopeId: string }) {
  const [status, setStatus] = useState<'open' | 'promoted' | 'accepted' | 'dismissed' | 'cleared'>('open')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [reason, setReason] = useState('')
  const [kept, setKept] = useState<string>()
  const most = useMost(atOnce)
  const list = useLoaded(
    () => readFacts(scopeId, status, most.current.most),
    [scopeId, status, client.value],
    /^(possible_conflict|document|contradiction|scope)\./,
  )
  const facts = list.data ?? []
  const free = facts.flatMap(({ items }) => items.filter(mayBeJudged))
  const picked = free.filter(isPicked)
  const number = facts.reduce((sum, fact) => sum + pickedOf(fact), 0)
  function isPicked({ possible_conflict_id: id }: Item): boolean {
    return chosen.has(id)
  }
  /** Chosen as a whole, with those that are not shown. */
  function isWhole(fact: Fact): boolean {
    return chosen.has(wholeOf(fact)) && fact.items.every(isPicked)
  }
  function pickedOf(fact: Fact): number {
    return isWhole(fact) ? fact.count : fact.items.filter(isPicked).length
  }
  const toggle = (ids: readonly string[]) =>
    setChosen(before => new Set(ids.every(id => before.has(id)) ? [...before].filter(id => !ids.includes(id)) : [...before, ...ids]))
  const toggleWhole = (fact: Fact) => {
    const all = [...fact.items.map(idOf), wholeOf(fact)]
    setChosen(before => new Set(isWhole(fact) ? [...before].filter(id => !all.includes(id)) : [...before, ...all]))
  }
  /** What was decided is no longer in the list that is read next, and its reason is none for the next. */
  const afterwards = async (decide: () => Promise<string | undefined>) => {
    try {
      setKept(await decide())
      setChosen(new Set())
      setReason('')
    } finally {
      await list.reload()
    }
  }
  const judge = (verdict: 'promote' | 'dismiss') =>
    afterwards(async () => {
      const word = said(reason)
      const left: string[] = []
      for (const fact of facts.filter(each => pickedOf(each) > 0)) {
        const { items } = fact
        const possible_conflict_ids = items.filter(isPicked).map(idOf)
        const whole_fact = isWhole(fact)
        const answer = await client.value.decidePossible(scopeId, { verdict, possible_conflict_ids, whole_fact, ...word })
        left.push(...answer.left.map(each => each.reason))
        if (answer.more > 0) left.push(`${answer.more} more of “${aboutOf(items[0]!)}” are undecided: decide again.`)
      }
      return left.join(' ') || undefined
    })
  const withdraw = (item: Item) => {
    const { withdrawPromotion, withdrawAcceptance, withdrawDismissal } = client.value
    const call = item.status === 'promoted' ? withdrawPromotion : item.status === 'accepted' ? withdrawAcceptance : withdrawDismissal
    return call(item.possible_conflict_id, said(reason))
  }
  /** One after the other: each is a round of its own. */
  const takeBack = () =>
    afterwards(async () => {
      for (const item of picked) await withdraw(item)
      return undefined
    })
  return (
    <div class="page">
      <h2>Possible conflicts</h2>
      <p class="muted">
        These may be contradictions, and enter no score. The likeliest come first, ten of each paper; others come up as these are decided.
      </p>
      <div class="tools">
        <Choice
          label="Status"
          value={status}
          onChange={value => {
            setStatus(value as typeof status)
            setKept(undefined)
            // A reason to promote is none to take it back.
            setReason('')
          }}
          options={[
            ['open', 'undecided'],
            ['promoted', 'promoted'],
            ['accepted', 'replacements accepted'],
            ['dismissed', 'dismissed'],
            ['cleared', 'cleared by a model'],
          ]}
        />
        {free.length > 1 && may('decide') && (
          <button type="button" onClick={() => toggle(free.map(idOf))}>
            {picked.length === free.length ? 'Choose none' : 'Choose all'}
          </button>
        )}
      </div>
      <Failure text={list.failure ?? kept} />
      {list.data === undefined && list.failure === undefined && <Loading what="the possible conflicts" />}
      {list.data?.length === 0 && <p>{status === 'open' ? 'No possible conflict is undecided.' : 'None.'}</p>}
      {picked.length > 0 && (
        <div class="decide sticky" role="group" aria-label="What is chosen">
          <p>
            <strong>{countOf(number, 'possible conflict')} chosen</strong>
          </p>
          <Judgement reason={reason} onReason={setReason} />
          <div class="acts">
            {status === 'open' ? (
              <>
                <ActButton class="primary" disabled={!isComplete(reason)} act={() => judge('promote')}>
                  Promote to contradiction
                </ActButton>
                <ActButton disabled={!isComplete(reason)} act={() => judge('dismiss')}>
                  Dismiss
                </ActButton>
              </>
            ) : (
              <ActButton class="primary" disabled={!isComplete(reason)} act={takeBack}>
                Take it back
              </ActButton>
            )}
          </div>
        </div>
      )}
      {status === 'open' && <Replacements scopeId={scopeId} />}
      <InView
        key={status}
        items={facts}
        draw={fact => {
          const entries = fact.items.map(item => (
            <Entry
              key={item.possible_conflict_id}
              item={item}
              scopeId={scopeId}
              isChosen={isPicked(item)}
              onToggle={() => toggle([idOf(item)])}
            />
          ))
          return fact.count === 1 ? (
            entries
          ) : (
            <FactGroup
              key={fact.items[0]?.possible_conflict_id}
              fact={fact}
              isChosen={isWhole(fact)}
              onToggle={() => toggleWhole(fact)}
              entries={entries}
            />
          )
        }}
      />
      <ReadMore of={most} read={[list.data]} reload={list.reload} />
    </div>
  )
}

const idOf = ({ possible_conflict_id: id }: Item): string => id
const wholeOf = ({ items }: Fact): string => `whole ${items[0]?.possible_conflict_id}`

/** Undecided ones as the service puts them together; what is decided stands alone. */
async function readFacts(
  scopeId: string,
  status: 'open' | 'promoted' | 'accepted' | 'dismissed' | 'cleared',
  most: number,
): Promise<Fact[]> {
  if (status === 'open') return client.value.possibleFacts(scopeId, { limit: 100 }).toArray(most)
  const items = await client.value.possibleConflicts(scopeId, { status, limit: 200 }).toArray(most)
  return items.map(item => ({ subject: item.subject, attribute: item.attribute, count: 1, items: [item] }))
}

interface FactGroupProps {
  fact: Fact
  isChosen: boolean
  onToggle: () => void
  entries: ComponentChildren
}

function FactGroup({ fact, isChosen, onToggle, entries }: FactGroupProps) {
  const further = fact.count - fact.items.length
  return (
    <section class="fact" aria-label={aboutOf(fact)}>
      <h3>
        {may('decide') ? (
          <label class="check">
            <input type="checkbox" checked={isChosen} onChange={onToggle} /> All {countOf(fact.count, 'possible conflict')} about{' '}
            <bdi>{aboutOf(fact)}</bdi>
          </label>
        ) : (
          <>
            {countOf(fact.count, 'possible conflict')} about <bdi>{aboutOf(fact)}</bdi>
          </>
        )}
      </h3>
      {entries}
      {further > 0 && (
        <p class="muted">{further} less likely ones of this fact are decided with all of it, or come up once these are decided.</p>
      )}
    </section>
  )
}

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
        {item.proposes !== null && <Badge>may replace</Badge>} {item.look && <Badge>look at this one</Badge>}{' '}
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
