/** The recognised words of a page, each where it stands: those in doubt can be seen, and all can be chosen. */

import { sureRecognition } from '../src/contract/finding-words.js'
import type { ScanWord } from './scan-marks'

export function ScanWords({ words, onChoose }: { words: readonly ScanWord[]; onChoose: (word: ScanWord) => void }) {
  return (
    <div class="scan-words">
      {words.map(word => {
        const isDoubtful = word.confidence < sureRecognition
        return (
          <button
            key={word.start}
            type="button"
            class={isDoubtful ? 'doubtful' : ''}
            // By keyboard those in doubt are reached, here and in the list beside the page; a page has hundreds.
            tabIndex={isDoubtful ? 0 : -1}
            title={word.corrected ? 'read by a person' : `recognised ${Math.round(word.confidence * 100)} %`}
            aria-label={word.text ?? ''}
            onClick={() => onChoose(word)}
            ref={each => place(each, word)}
          />
        )
      })}
    </div>
  )
}

/** Set one by one: the page's policy allows no style written into it. */
function place(element: HTMLElement | null, { left, top, width, height }: ScanWord): void {
  const share = (value: number) => `${value * 100}%`
  if (element !== null) Object.assign(element.style, { left: share(left), top: share(top), width: share(width), height: share(height) })
}
