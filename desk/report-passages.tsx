/**
 * Two passages that contradict each other, reported by whoever saw them: one is selected, "contradicts…", then the other, in the same
 * document or another. What was chosen first stays while one looks for the other, on whatever page of the case.
 */

import { signal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Schema } from '../src/contract/types.js'
import { CopyButton } from './copy-button'
import { isComplete, Judgement, said } from './judgement'
import { ActButton, Choice } from './parts'
import { addressOf } from './passage-address'
import { type Chosen, chosenBetween, chosenByWords, isTooLong, tooLong } from './passage-choice'
import { go, hrefTo } from './route'
import { caseKey, client, may } from './session'

interface FoundPassage extends Chosen {
  of: string
  documentId: string
  revision: number
  name: string
}

const first = signal<FoundPassage>()
const second = signal<FoundPassage>()

function forget(): void {
  first.value = undefined
  second.value = undefined
}

/** What is selected in a text, or why it cannot be taken. */
function useSelected(pane: RefObject<HTMLElement>, text: string | undefined): Chosen | string | null {
  const [selected, setSelected] = useState<Chosen | string | null>(null)
  useEffect(() => {
    setSelected(null)
    if (text === undefined) return
    const look = () => {
      const range = rangeIn(pane.current)
      if (range !== null && !range.collapsed) setSelected(chosenIn(range, pane.current as HTMLElement, text))
    }
    // What is selected elsewhere, or lost because the statements marked in the text came in, leaves what was chosen here; a press in the
    // text lets it go.
    const press = (event: Event) => {
      if (event.target instanceof Element && event.target.closest('.text') !== null && pane.current?.contains(event.target))
        setSelected(null)
    }
    document.addEventListener('selectionchange', look)
    document.addEventListener('pointerdown', press)
    // A quick hand selects before this listens.
    look()
    return () => {
      document.removeEventListener('selectionchange', look)
      document.removeEventListener('pointerdown', press)
    }
  }, [text])
  return selected
}

function rangeIn(pane: HTMLElement | null): Range | null {
  const selection = document.getSelection()
  if (pane === null || selection === null || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  return pane.contains(range.commonAncestorContainer) ? range : null
}

/** The text as it was read stands letter for letter in its pane; elsewhere words are looked for, and the signs between them count too. */
function chosenIn(range: Range, pane: HTMLElement, text: string): Chosen | string {
  const raw = pane.querySelector('.text.raw')
  const words = range.toString()
  if (isTooLong(words)) return tooLong
  if (raw === null) {
    const found = chosenByWords(text, words)
    if (found === null) return 'Where these words stand is not clear: select them in the text as read (key t).'
    return isTooLong(found.quote) ? tooLong : found
  }
  const before = document.createRange()
  before.selectNodeContents(raw)
  before.setEnd(range.startContainer, range.startOffset)
  const from = before.toString().length
  return chosenBetween(text, from, from + words.length) ?? 'Only blanks are selected.'
}

interface Source {
  scopeId: string
  document: Schema['Document']
  text: string | undefined
}

/** Beside the text of a document whose revision counts. By keyboard the statement that is chosen in the list is the passage. */
export function PassageBar({
  scopeId,
  document,
  text,
  pane,
  claim,
  isNewest,
}: Source & { pane: RefObject<HTMLElement>; claim: Schema['Claim'] | undefined; isNewest: boolean }) {
  const selected = useSelected(pane, text)
  if (document.erased_at !== null) return null
  const mayReport = may('decide') && document.status === 'indexed' && isNewest
  const ofClaim = claim?.quote == null ? null : { start: claim.start, end: claim.end, quote: claim.quote }
  const passage = selected ?? ofClaim
  const isOther = first.value?.of === caseKey(scopeId)
  const choose = () => {
    if (passage === null || typeof passage === 'string') return
    const { document_id: documentId, revision } = document
    const found = { ...passage, of: caseKey(scopeId), documentId, revision, name: document.name ?? documentId }
    if (isOther) second.value = found
    else first.value = found
  }
  return (
    <div class="passage-bar">
      {passage === null && !isOther && (
        <p class="muted small">
          Select a passage to search the case for it, link to it{mayReport ? ' or report what it contradicts' : ''}.
        </p>
      )}
      {typeof passage === 'string' && <p role="status">{passage}</p>}
      {passage !== null && typeof passage !== 'string' && (
        <>
          {mayReport && (
            // Pressing it leaves what is selected as it is.
            <button type="button" onMouseDown={event => event.preventDefault()} onClick={choose}>
              {isOther ? 'It is contradicted by this passage' : 'Contradicts…'}
            </button>
          )}
          <a class="button" href={hrefTo('cases', scopeId, 'claims', searchWords(passage.quote))}>
            Search the case for it
          </a>
          <CopyButton text={() => linkTo(scopeId, document, passage)}>Copy a link to it</CopyButton>
        </>
      )}
    </div>
  )
}

/** As many words as a search takes. */
function searchWords(quote: string): string {
  const words = quote.replaceAll(/\s+/g, ' ')
  return words.length <= 200 ? words : words.slice(0, 200).replace(/ \S*$/, '')
}

function linkTo(scopeId: string, { document_id: documentId, revision }: Schema['Document'], { start, end }: Chosen): string {
  const { origin, pathname } = window.location
  return `${origin}${pathname}${hrefTo('cases', scopeId, 'documents', documentId, addressOf({ revision, start, end }))}`
}

const severities = ['medium', 'high', 'critical', 'low'] as const

/** What was chosen, on every page of the case until it is reported or let go. */
export function ReportPanel({ scopeId }: { scopeId: string }) {
  const [reason, setReason] = useState('')
  const [severity, setSeverity] = useState<string>('medium')
  const [a, b] = [first.value, second.value]
  // What is written and chosen here is about these two passages.
  useEffect(() => {
    setReason('')
    setSeverity('medium')
  }, [a])
  if (a === undefined || a.of !== caseKey(scopeId)) return null
  const report = async (other: FoundPassage) => {
    const found = await client.value.reportContradiction({
      scope_id: scopeId,
      a: placeOf(a),
      b: placeOf(other),
      severity: severity as Schema['Severity'],
      ...said(reason),
    })
    forget()
    go('cases', scopeId, 'contradictions', found.contradiction_id)
  }
  return (
    <section class="decide report-panel" aria-label="Report a contradiction">
      <p>
        <Quoted passage={a} /> contradicts{' '}
        {b === undefined ? <em>… select the other passage, in this document or another one.</em> : <Quoted passage={b} />}
      </p>
      {b !== undefined && (
        <>
          <Choice label="Severity" value={severity} onChange={setSeverity} options={severities.map(each => [each, each] as const)} />
          <Judgement reason={reason} onReason={setReason} />
          <ActButton class="primary" act={() => report(b)} disabled={!isComplete(reason)}>
            Report the contradiction
          </ActButton>
        </>
      )}
      <button type="button" onClick={forget}>
        Let go
      </button>
    </section>
  )
}

function Quoted({ passage: { quote, name } }: { passage: FoundPassage }) {
  return (
    <>
      “<bdi>{quote.length > 160 ? `${quote.slice(0, 160)}…` : quote}</bdi>” of <bdi>{name}</bdi>
    </>
  )
}

function placeOf({ documentId, revision, start, end }: FoundPassage) {
  return { document_id: documentId, revision, start, end }
}
