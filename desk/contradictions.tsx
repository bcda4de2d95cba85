/** Contradictions: the list on one side, on the other the chosen one with both documents and what a person decides. */

import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { countOf } from '../src/contract/field-words.js'
import { bySeverity, decidedWords, effectWords, saysWords } from '../src/contract/finding-words.js'
import type { Schema } from '../src/contract/types.js'
import { Contradiction } from './contradiction'
import { documentNames } from './document-text'
import { sourceOf, titleOf } from './finding-words'
import { into } from './into'
import { nameNow, OwnName } from './judgement'
import { KeysButton } from './key-list'
import { Papers } from './papers'
import { Badge, Choice, Failure, Field, Loading } from './parts'
import { ReadMore, useMost } from './read-more'
import { go, hrefTo } from './route'
import { caseKey, client } from './session'
import { bindShortcuts } from './shortcuts'
import { AssignedTo } from './together'
import { UndecidedOnes } from './undecided'
import { FirstFiles } from './upload'
import { isBeingRead, useLoaded } from './use-loaded'
import { finderWords } from './wording'

type Item = Schema['Contradiction']

const search = signal('')
const status = signal('open')
const severity = signal('')
/** The document that all shown ones are about, with its case. */
const ofDocument = signal({ of: '', documentId: '' })
const foundBy = signal('')
const whose = signal('')
const atOnce = 500

export function Contradictions({
  scopeId,
  chosenId,
  summary,
}: {
  scopeId: string
  chosenId: string | undefined
  summary: Schema['ScopeSummary']
}) {
  const documentId = ofDocument.value.of === caseKey(scopeId) ? ofDocument.value.documentId : ''
  const finder = foundBy.value as '' | 'rules' | 'model' | 'person'
  const mine = whose.value === 'me' ? nameNow().trim() : ''
  const only = {
    ...(documentId === '' ? {} : { document_id: documentId }),
    ...(finder === '' ? {} : { found_by: finder }),
    ...(mine === '' ? {} : { assigned_to: mine }),
  }
  const isNarrowed = Object.keys(only).length > 0
  const most = useMost(atOnce)
  const read = (wanted: 'open' | 'resolved' | 'dismissed', narrowed: object = only) =>
    client.value.contradictions(scopeId, { status: wanted, limit: 200, ...narrowed }).toArray(most.current.most)
  const open = useLoaded(() => read('open'), [scopeId, documentId, finder, mine, client.value], /^(contradiction|document|scope)\./)
  // Without a choice the first is shown, and stays: what arrives or is decided meanwhile must not move what is being read.
  const shown = useRef<string | undefined>(undefined)
  const wantedId = chosenId ?? shown.current
  // What is closed is read only where it is asked for, or when the one on the screen was decided.
  const isGone = wantedId !== undefined && open.data !== undefined && !open.data.some(item => item.contradiction_id === wantedId)
  const wantsClosed = status.value !== 'open' || isGone
  const closed = useLoaded(
    async () => (wantsClosed ? [await read('resolved'), await read('dismissed')] : undefined),
    [scopeId, documentId, finder, mine, client.value, wantsClosed],
    /^(contradiction|scope)\./,
  )
  // A verdict closes others whatever the list is narrowed to.
  const whole = useLoaded(
    async () => (isNarrowed ? read('open', {}) : undefined),
    [scopeId, isNarrowed, client.value],
    /^(contradiction|document|scope)\./,
  )
  const openOfCase = isNarrowed ? whole.data : open.data
  const isReading = isBeingRead(open) || (wantsClosed && isBeingRead(closed))
  const all = useMemo(() => together(open.data ?? [], (closed.data ?? []).flat()), [open.data, closed.data])
  const listed = all.filter(item => isListed(item))
  const found = all.find(item => item.contradiction_id === wantedId) ?? (wantedId === undefined ? listed[0] : undefined)
  // An address may lead to one that what is read of the list, or its filter, leaves out.
  const aloneId = found === undefined && !isReading ? chosenId : undefined
  const alone = useLoaded(
    async () => (aloneId === undefined ? undefined : client.value.contradiction(aloneId)),
    [aloneId, client.value],
    /^(contradiction|document|scope)\./,
  )
  const first = chosenId === undefined && !isReading ? listed[0] : undefined
  const chosen = found ?? (alone.data?.scope_id === scopeId ? alone.data : first)
  const isNothing = chosen === undefined && open.data !== undefined && !isReading && !(aloneId !== undefined && isBeingRead(alone))
  const isEmpty = summary.documents.total === 0
  shown.current = chosen?.contradiction_id ?? wantedId
  const reload = async () => (await Promise.all([open.reload(), whole.reload(), closed.reload(), alone.reload()])).every(works => works)
  const place = listed.findIndex(item => item.contradiction_id === chosen?.contradiction_id)
  const step = (by: number) => {
    const next = listed[place < 0 ? 0 : Math.min(Math.max(place + by, 0), listed.length - 1)]
    if (next !== undefined) go('cases', scopeId, 'contradictions', next.contradiction_id)
  }
  const searchField = useRef<HTMLDivElement>(null)
  const steps = useRef(step)
  steps.current = step
  useEffect(
    () =>
      bindShortcuts({
        j: () => steps.current(1),
        k: () => steps.current(-1),
        '/': () => searchField.current?.querySelector('input')?.focus(),
      }),
    [],
  )
  const chooseDocument = (value: string) => {
    into(ofDocument)({ of: caseKey(scopeId), documentId: value })
    // The one that is shown need not be about it.
    shown.current = undefined
    go('cases', scopeId, 'contradictions')
  }
  // Where list and finding are below each other, whoever chooses one is led to it.
  const detail = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = detail
    if (chosenId !== undefined && current !== null && current.offsetLeft < 100) current.scrollIntoView()
  }, [chosenId, chosen === undefined])
  // On a narrow screen the papers come before what narrows the list.
  const [isRoomy] = useState(() => window.matchMedia('(min-width: 40.01rem)').matches)
  const documents = [...documentNames.value].sort(([, a], [, b]) => a.localeCompare(b))
  const nextOpen = all.find(item => item.status === 'open' && item !== chosen && fits(item))
  return (
    <div class="split">
      <section class="list" aria-labelledby="contradictions-title">
        <h2 id="contradictions-title">Contradictions</h2>
        <div class="tools" ref={searchField}>
          <Field label="Search" type="search" value={search.value} onInput={into(search)} maxLength={200} />
          <details class="filters" open={isRoomy}>
            <summary>Filter</summary>
            <div class="tools">
              <Choice
                label="Status"
                value={status.value}
                onChange={into(status)}
                options={[
                  ['open', 'open'],
                  ['decided', 'decided'],
                  ['all', 'all'],
                ]}
              />
              <Choice
                label="Severity"
                value={severity.value}
                onChange={into(severity)}
                options={[
                  ['', 'any'],
                  ['critical', 'critical'],
                  ['high', 'high'],
                  ['medium', 'medium'],
                  ['low', 'low'],
                ]}
              />
              <Choice label="Document" value={documentId} onChange={chooseDocument} options={[['', 'any'], ...documents]} />
              <Choice
                label="Found by"
                value={finder}
                onChange={into(foundBy)}
                options={[
                  ['', 'anybody'],
                  ['rules', 'the rules'],
                  ['model', 'a model'],
                  ['person', 'a person'],
                ]}
              />
              <Choice
                label="Assigned to"
                value={whose.value}
                onChange={into(whose)}
                options={[
                  ['', 'anybody'],
                  ['me', nameNow() === '' ? 'me' : `me (${nameNow()})`],
                ]}
              />
              {whose.value === 'me' && <OwnName />}
            </div>
          </details>
        </div>
        <Failure text={open.failure ?? closed.failure ?? whole.failure} />
        {isReading && <Loading what="the contradictions" />}
        <ul class="items">
          {listed.map(item => (
            <Entry key={item.contradiction_id} item={item} scopeId={scopeId} isChosen={item === chosen} />
          ))}
        </ul>
        {open.data !== undefined && !isReading && listed.length === 0 && (
          <p>{open.data.length === 0 && status.value === 'open' && !isNarrowed ? 'No contradiction is open.' : 'None fits.'}</p>
        )}
        <ReadMore of={most} read={[open.data, ...(closed.data ?? [])]} reload={reload} isSearched />
        <Papers
          scopeId={scopeId}
          filters={{
            status: status.value as 'open' | 'decided' | 'all',
            ...only,
            ...(severity.value === '' ? {} : { severity: severity.value as Item['severity'] }),
            ...(search.value.trim() === '' ? {} : { q: search.value.trim() }),
          }}
        />
        <KeysButton />
      </section>
      <div class="detail" ref={detail}>
        <UndecidedOnes scopeId={scopeId} open={openOfCase} />
        <FirstFiles scopeId={scopeId} isWanted={isNothing && isEmpty}>
          What they say is compared as soon as they are read; contradictions appear here.
        </FirstFiles>
        {chosen === undefined ? (
          isNothing && !isEmpty && <Nothing scopeId={scopeId} summary={summary} />
        ) : (
          <Contradiction
            key={chosen.contradiction_id}
            item={chosen}
            scopeId={scopeId}
            reload={reload}
            onLater={listed.length > 1 ? () => step(place === listed.length - 1 ? -place : 1) : undefined}
            nextId={nextOpen?.contradiction_id}
            open={openOfCase}
          />
        )}
      </div>
    </div>
  )
}

/** The two are read apart: what was decided or opened again in between can be in both. */
function together(open: readonly Item[], closed: readonly Item[]): Item[] {
  const ids = new Set(open.map(item => item.contradiction_id))
  return [...[...open].sort(bySeverity), ...closed.filter(item => !ids.has(item.contradiction_id)).sort((a, b) => b.round - a.round)]
}

function isListed(item: Item): boolean {
  if (status.value === 'open' && item.status !== 'open') return false
  if (status.value === 'decided' && item.status === 'open') return false
  return fits(item)
}

/** By what it is about, whatever its status. */
function fits(item: Item): boolean {
  if (severity.value !== '' && item.severity !== severity.value) return false
  return saysWords(item, search.value)
}

function Entry({ item, scopeId, isChosen }: { item: Item; scopeId: string; isChosen: boolean }) {
  return (
    <li>
      <a href={hrefTo('cases', scopeId, 'contradictions', item.contradiction_id)} aria-current={isChosen ? 'true' : undefined}>
        <bdi class="about">{titleOf(item)}</bdi>
        <span class="values">
          <bdi>{sourceOf(item.a, documentNames.value)}</bdi> <span class="muted">and</span>{' '}
          <bdi>{sourceOf(item.b, documentNames.value)}</bdi>
        </span>
        <span>
          <Badge kind={item.severity}>{item.severity}</Badge> {item.found_by !== 'rules' && <Badge>{finderWords(item.found_by)}</Badge>}{' '}
          {item.resolution && <span class="muted small">{effectWords(item) ?? decidedWords(item.resolution)}</span>}
          {item.assignment && (
            <span class="small">
              <AssignedTo assignment={item.assignment} />
            </span>
          )}{' '}
          {item.comments !== undefined && <span class="muted small">{countOf(item.comments, 'comment')}</span>}
        </span>
      </a>
    </li>
  )
}

function Nothing({ scopeId, summary }: { scopeId: string; summary: Schema['ScopeSummary'] }) {
  const { contradictions, finality } = summary
  return (
    <div class="panel">
      <h3>
        {finality.status === 'resolved'
          ? 'The review is complete.'
          : contradictions.open > 0
            ? 'None of those that are open fits.'
            : 'Nothing is open here.'}
      </h3>
      <p>
        {contradictions.unsure > 0 && (
          <>
            <a href={hrefTo('cases', scopeId, 'possible')}>Possible conflicts</a> wait for a person.{' '}
          </>
        )}
        <a href={hrefTo('cases', scopeId, 'settled')}>{finality.status === 'resolved' ? 'See the certificate' : 'See what is missing'}</a>.
      </p>
    </div>
  )
}
