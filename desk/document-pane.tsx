/** One document beside another: as its author made it, scrolled to the passage, with who issued it, when, and under which heading. */

import { useEffect, useMemo } from 'preact/hooks'
import { placeInFile } from '../src/contract/finding-words.js'
import type { Schema } from '../src/contract/types.js'
import { documentNames, documentOf, documentText, textsForgotten } from './document-text'
import { expect, Original, type PlacedPassage, waitsForText } from './original'
import { DocumentLink, Failure, Loading, Name } from './parts'
import { headingAbove, saidInHead } from './passages'
import { useLoaded } from './use-loaded'
import { periodWords } from './wording'

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
  /** What this side says otherwise than the other. */
  differing?: readonly string[]
}

export function DocumentPane({ letter, side, supporters = [], issuer, time, scopeId, won = false, differing = [] }: PaneProps) {
  return (
    <section class={`pane ${won ? 'won' : ''}`} aria-label={`Side ${letter}`}>
      {'claim_id' in side ? (
        <ClaimSide {...{ letter, side, supporters, issuer, time, scopeId, won, differing }} />
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

function ClaimSide({ letter, side, supporters = [], issuer, time, scopeId, won, differing = [] }: PaneProps & { side: Claim }) {
  const { document_id: documentId, revision } = side
  useEffect(() => expect(documentNames.peek().get(documentId) ?? documentId), [documentId])
  const text = useLoaded(() => documentText(scopeId, documentId, revision), [scopeId, documentId, revision, textsForgotten.value])
  const document = useLoaded(() => documentOf(scopeId, documentId, revision), [scopeId, documentId, revision, textsForgotten.value])
  const lost = text.failure === undefined ? document : text
  const known = useMemo(() => (text.data === undefined ? [] : headOf(text.data, side.start)), [text.data, side.start])
  const passages = useMemo(() => passagesOf(side, supporters, differing), [side.claim_id, supporters.length, differing.join()])
  const [statedIssuer, statedTime, heading] = known
  return (
    <>
      <header class="pane-head">
        <strong class="letter">{letter}</strong> <DocumentLink scopeId={scopeId} id={documentId} claimId={side.claim_id} />
        {won && <span class="badge resolved">holds</span>}
        <p class="muted">
          {[
            issuer ?? statedIssuer,
            periodWords(time ?? statedTime),
            heading,
            placeInFile(side),
            revision > 1 ? `revision ${revision}` : null,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </header>
      {/* On paper a window into a document shows nothing: there the quote stands by itself. */}
      <blockquote class="printed">
        <bdi>{side.quote ?? 'erased'}</bdi>
      </blockquote>
      {document.data === undefined || (text.data === undefined && (text.failure !== undefined || waitsForText(document.data))) ? (
        <div class="text">
          {side.quote !== null && (
            <blockquote>
              <mark class="main">{side.quote}</mark>
            </blockquote>
          )}
          {lost.failure === undefined && <Loading what="the document" />}
          {lost.isMissing ? <p class="muted">The text is no longer kept; the quote is.</p> : <Failure text={lost.failure} />}
        </div>
      ) : (
        <Original
          key={side.claim_id}
          label={`Document ${letter}`}
          scopeId={scopeId}
          document={document.data}
          text={text.data}
          passages={passages}
        />
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

function passagesOf(side: Claim, supporters: readonly Claim[], differing: readonly string[]): PlacedPassage[] {
  const same = supporters.filter(claim => claim.document_id === side.document_id && claim.revision === side.revision)
  return [
    { start: side.start, end: side.end, kind: 'main', page: side.page },
    ...differing.flatMap(each => within(side, each)),
    ...same.map(({ start, end, page }): PlacedPassage => ({ start, end, kind: 'soft', page })),
  ]
}

/** The words that differ, where they stand in the sentence. */
function within({ quote, start, page }: Claim, words: string): PlacedPassage[] {
  const at = words === '' || quote === null ? -1 : quote.toLowerCase().indexOf(words.toLowerCase())
  if (at < 0 || quote === null) return []
  const from = start + [...quote.slice(0, at)].length
  return [{ start: from, end: from + [...quote.slice(at, at + words.length)].length, kind: 'differs', page }]
}
