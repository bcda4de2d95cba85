/**
 * The text of a document as text, with passages marked. Passages are given in code points, as the service counts them,
 * and may overlap. One listener serves all marks: a document may have ten thousand.
 */

import { memo } from './memo'
import { type Passage, piecesOf } from './passages'
import { strongest } from './spans'

interface MarkedTextProps {
  text: string
  passages: readonly Passage[]
}

export const MarkedText = memo(({ text, passages }: MarkedTextProps) => (
  <>
    {piecesOf(text, passages).map((pieces, index) => (
      <div key={index} class="block">
        {pieces.map(piece => {
          const first = strongest(piece.passages)
          if (first === undefined) return piece.text
          return (
            <mark key={piece.start} class={first.kind} data-id={first.id}>
              {piece.text}
            </mark>
          )
        })}
      </div>
    ))}
  </>
))

/** The passage under a click, by its id. */
export function passageAt(event: Event): string | undefined {
  return event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('mark[data-id], td[data-id]')?.dataset['id'] : undefined
}
