/** Who acts, as decisions record it. */

import type { Actor } from '../kernel/proposals.js'

/** `bound`: the key vouches for who it is; otherwise the request names somebody. */
export function personOf({ by, bound }: { by: string; bound?: boolean }): Actor {
  return bound ? { kind: 'person', id: by, bound } : { kind: 'person', id: by }
}
