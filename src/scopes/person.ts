/** Who acts, as decisions record it. */

import type { Actor } from '../kernel/proposals.js'
import { invalidMember } from '../platform/errors.js'

/** What a person says. `bound`: the key that acts is this person's alone and vouches for who it is; otherwise the request names somebody. */
export interface Said {
  by: string
  reason: string
  bound?: boolean
}

/** Answers name the service itself `system` where something closed without anybody's word. */
const ownName = 'system'

export function personOf({ by, bound }: Pick<Said, 'by' | 'bound'>): Actor {
  if (by === ownName) throw invalidMember('/by', `must not be ${ownName}: that is what closes by itself`)
  return bound ? { kind: 'person', id: by, bound } : { kind: 'person', id: by }
}
