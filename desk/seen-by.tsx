/** Who else has opened a contradiction or possible conflict. Asking for it is what opening it leaves in the record. */

import { client } from './session'
import { useLoaded } from './use-loaded'
import { moment } from './wording'

export function SeenBy({ id, isPossible = false }: { id: string; isPossible?: boolean }) {
  const { contradiction, possibleConflict } = client.value
  const seen = useLoaded(async () => (await (isPossible ? possibleConflict : contradiction)(id)).seen_by, [id])
  // Nothing of a decision depends on it: where it cannot be read, the finding is shown without.
  if (seen.data === undefined || seen.data.length === 0) return null
  return (
    <p class="small muted seen-by">
      Opened before by{' '}
      {seen.data.map(({ by, last_at }, place) => (
        <span key={by} title={moment(last_at)}>
          {place > 0 && ', '}
          <bdi>{by}</bdi>
        </span>
      ))}
    </p>
  )
}
