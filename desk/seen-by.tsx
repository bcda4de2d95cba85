/** Who else has opened a contradiction or possible conflict. Asking for it is what opening it leaves in the record. */

import { unopenedWords } from '../src/contract/finding-words.js'
import { client } from './session'
import { useLoaded } from './use-loaded'
import { moment, readerWords } from './wording'

type Seen = Pick<Awaited<ReturnType<typeof client.value.contradiction>>, 'seen_by' | 'reads_kept'>

export function SeenBy({ id, isPossible = false }: { id: string; isPossible?: boolean }) {
  const { contradiction, possibleConflict } = client.value
  const seen = useLoaded<Seen>(() => (isPossible ? possibleConflict : contradiction)(id), [id])
  // Nothing of a decision depends on it: where it cannot be read, the finding is shown without.
  if (seen.data === undefined) return null
  const { seen_by, reads_kept } = seen.data
  if (seen_by.length === 0) {
    const isKnown = reads_kept === 'all' || reads_kept === 'people'
    return isKnown ? null : <p class="small muted seen-by">{unopenedWords(reads_kept)}.</p>
  }
  return (
    <p class="small muted seen-by">
      Opened before by{' '}
      {readersOf(seen_by).map(([words, readings], place) => (
        <span key={words} title={readings.map(({ by, last_at }) => `${by}, ${moment(last_at)}`).join('\n')}>
          {place > 0 && ', '}
          <bdi>{words}</bdi>
          {readings.length > 1 && ` (${readings.length} sessions)`}
        </span>
      ))}
    </p>
  )
}

/** Those of the same words together. */
function readersOf(seen: Seen['seen_by']): [words: string, readings: Seen['seen_by']][] {
  const words = [...new Set(seen.map(({ by }) => readerWords(by)))]
  return words.map(each => [each, seen.filter(({ by }) => readerWords(by) === each)])
}
