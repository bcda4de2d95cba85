/** Who else has opened a contradiction or possible conflict. Asking for it is what opening it leaves in the record. */

import { unopenedWords } from '../src/contract/finding-words.js'
import { client } from './session'
import { useLoaded } from './use-loaded'
import { moment } from './wording'

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
      {seen_by.map(({ by, last_at }, place) => (
        <span key={by} title={moment(last_at)}>
          {place > 0 && ', '}
          <bdi>{by}</bdi>
        </span>
      ))}
    </p>
  )
}
