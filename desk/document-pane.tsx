/** One document beside another: its text, scrolled to the passage, with who issued it, when, and under which heading. */

import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { Schema } from '../src/client/index.js'
import { documentText, textsForgotten } from './document-text'
import { MarkedText } from './marked-text'
import { DocumentLink, Loading, Name } from './parts'
import { headingAbove, type Passage, saidInHead } from './passages'
import { useLoaded } from './use-loaded'
import { placeInFile } from './wording'

type Claim = Schema['Claim']
type Side = Schema['Contradiction']['a']

interface PaneProps {
  letter: string
  side: Side
  supporters?: readonly Claim[]
  issuer?: string | null | undefined
  time?: string | null | undefined
  scopeId: string
  won?: boolean
}

export function DocumentPane({ letter, side, supporters = [], issuer, time, scopeId, won = false }: PaneProps) {
  return (
    <section class={`pane ${won ? 'won' : ''}`} aria-label={`Side ${letter}`}>
      {'claim_id' in side ? (
        <ClaimSide {...{ letter, side, supporters, issuer, time, scopeId, won }} />
      ) : (
        <>
          <header class="pane-head">
            <strong class="letter">{letter}</strong> <Name>{side.source}</Name>
          </header>
          <blockquote class="text">
            <mark class="main">{side.quote}</mark>
          </blockquote>
        </>
      )}
    </section>
  )
}

function ClaimSide({ letter, side, supporters = [], issuer, time, scopeId, won }: PaneProps & { side: Claim }) {
  const { document_id: documentId, revision } = side
  const text = useLoaded(() => documentText(scopeId, documentId, revision), [scopeId, documentId, revision, textsForgotten.value])
  const known = useMemo(() => (text.data === undefined ? [] : headOf(text.data, side.start)), [text.data, side.start])
  const [statedIssuer, statedTime, heading] = known
  return (
    <>
      <header class="pane-head">
        <strong class="letter">{letter}</strong> <DocumentLink scopeId={scopeId} id={documentId} />
        {won && <span class="badge resolved">holds</span>}
        <p class="muted">
          {[issuer ?? statedIssuer, time ?? statedTime, heading, placeInFile(side), revision > 1 ? `revision ${revision}` : null]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </header>
      {text.data === undefined ? (
        <div class="text">
          {side.quote !== null && (
            <blockquote>
              <mark class="main">{side.quote}</mark>
            </blockquote>
          )}
          {text.failure === undefined ? <Loading what="the document" /> : <p class="muted">The text is no longer kept; the quote is.</p>}
        </div>
      ) : (
        <ScrolledText key={side.claim_id} label={`Document ${letter}`} text={text.data} side={side} supporters={supporters} />
      )}
    </>
  )
}

/** Issuer, day and heading, as the document states them. */
function headOf(text: string, start: number): [issuer: string | null, time: string | null, heading: string | null] {
  return [
    saidInHead(text, /^(issuer|issued by|author|from)$/i),
    saidInHead(text, /^(date|dated|issued|issued on)$/i),
    headingAbove(text, start),
  ]
}

function ScrolledText({ label, text, side, supporters }: { label: string; text: string; side: Claim; supporters: readonly Claim[] }) {
  const pane = useRef<HTMLDivElement>(null)
  const passages = useMemo(() => passagesOf(side, supporters), [side.claim_id, supporters.length])
  useLayoutEffect(() => scrollToMark(pane.current), [text, passages])
  return (
    <div class="text" ref={pane} tabIndex={0} role="region" aria-label={label}>
      <MarkedText text={text} passages={passages} />
    </div>
  )
}

function passagesOf(side: Claim, supporters: readonly Claim[]): Passage[] {
  const same = supporters.filter(claim => claim.document_id === side.document_id && claim.revision === side.revision)
  return [{ start: side.start, end: side.end, kind: 'main' }, ...same.map(({ start, end }): Passage => ({ start, end, kind: 'soft' }))]
}

/** Within the pane alone: the page itself stays where the reader is. */
function scrollToMark(pane: HTMLElement | null): void {
  const mark = pane?.querySelector<HTMLElement>('mark.main')
  if (!pane || !mark) return
  const offset = mark.getBoundingClientRect().top - pane.getBoundingClientRect().top
  pane.scrollTop += offset - pane.clientHeight / 3
}
