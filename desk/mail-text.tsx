/** A mail: who wrote to whom when and about what, what it says, and what was attached to it. */

import { useMemo } from 'preact/hooks'
import type { Schema } from '../src/contract/types.js'
import { documentsOfCase, readParts } from './document-text'
import { FormattedText } from './formatted-text'
import { DocumentLink } from './parts'
import type { Passage } from './passages'
import { markedBetween, spansOf } from './spans'
import { useLoaded } from './use-loaded'

interface MailProps {
  scopeId: string
  document: Schema['Document']
  text: string
  passages: readonly Passage[]
}

export function MailText({ scopeId, document, text, passages }: MailProps) {
  const { lines, end } = useMemo(() => headOf(text), [text])
  const spans = useMemo(() => spansOf(text, passages), [text, passages])
  const offset = useMemo(() => [...text.slice(0, end)].length, [text, end])
  const below = useMemo(
    () =>
      passages
        .filter(each => each.end > offset)
        .map(each => ({ ...each, start: Math.max(0, each.start - offset), end: each.end - offset })),
    [passages, offset],
  )
  useLoaded(() => readParts(scopeId, document.document_id), [scopeId, document.document_id])
  const attached = [...documentsOfCase.value.values()].filter(each => each.part_of === document.document_id)
  return (
    <>
      {lines.length > 0 && (
        <dl class="mail-head">
          {lines.map(line => (
            <div key={line.from}>
              <dt>{text.slice(line.from, line.colon)}</dt>
              <dd>
                <bdi>{markedBetween(text, line.colon + 2, line.to, spans)}</bdi>
              </dd>
            </div>
          ))}
          {attached.length > 0 && (
            <div>
              <dt>Attached</dt>
              <dd>
                {attached.map(each => (
                  <DocumentLink key={each.document_id} class="listed" scopeId={scopeId} id={each.document_id} />
                ))}
              </dd>
            </div>
          )}
        </dl>
      )}
      <FormattedText text={text.slice(end)} passages={below} />
    </>
  )
}

/** The lines before the first blank one, as the text of a mail begins. */
function headOf(text: string): { lines: { from: number; colon: number; to: number }[]; end: number } {
  const lines: { from: number; colon: number; to: number }[] = []
  let from = 0
  while (from < text.length) {
    const newline = text.indexOf('\n', from)
    const to = newline < 0 ? text.length : newline
    if (!/^(From|To|Cc|Date|Subject): /.test(text.slice(from, to))) break
    lines.push({ from, colon: text.indexOf(':', from), to })
    from = to + 1
  }
  return { lines, end: from }
}
