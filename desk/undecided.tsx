/** Which of several findings that were to be decided alike were not, and why: said where they are listed, while they are open. */

import { signal } from '@preact/signals'
import type { Schema } from '../src/contract/types.js'
import { type DecidedTogether, decidedTogetherWords } from './alike'
import { documentNames } from './document-text'
import { sourceOf, titleOf } from './finding-words'
import { into } from './into'
import { hrefTo } from './route'
import { caseKey, sayFailure } from './session'

type Item = Schema['Contradiction']

interface Undecided {
  of: string
  words: string
  left: { item: Item; why: string }[]
}

const undecided = signal<Undecided>()

export function tellUndecided(scopeId: string, outcome: DecidedTogether): void {
  const left = outcome.left.map(({ item, failure }) => ({ item, why: sayFailure(failure) }))
  undecided.value = { of: caseKey(scopeId), words: decidedTogetherWords(outcome), left }
}

/** `open`: those that are by now, where that is known. */
export function UndecidedOnes({ scopeId, open }: { scopeId: string; open: readonly Item[] | undefined }) {
  const told = undecided.value
  if (told === undefined || told.of !== caseKey(scopeId)) return null
  const left = told.left.filter(
    ({ item: { contradiction_id: id } }) => open === undefined || open.some(each => each.contradiction_id === id),
  )
  if (left.length === 0) return null
  return (
    <div class="panel" role="alert">
      <p>{told.words}</p>
      <ul>
        {left.map(({ item, why }) => (
          <li key={item.contradiction_id}>
            <a href={hrefTo('cases', scopeId, 'contradictions', item.contradiction_id)}>
              <bdi>{titleOf(item)}</bdi>
            </a>{' '}
            (<bdi>{sourceOf(item.a, documentNames.value)}</bdi> and <bdi>{sourceOf(item.b, documentNames.value)}</bdi>): {why}
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => into(undecided)(undefined)}>
        Close
      </button>
    </div>
  )
}
