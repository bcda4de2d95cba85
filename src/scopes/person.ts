/** Who acts, as decisions record it. */

import type { Actor } from '../kernel/proposals.js'
import { invalidMember } from '../platform/errors.js'
import { isPersonName, nameAsked } from '../platform/person-name.js'

/** What a person says. `bound`: the key that acts is this person's alone and vouches for who it is; otherwise the request names somebody. */
export interface Said {
  by: string
  reason: string
  bound?: boolean
}

export function personOf({ by, bound }: Pick<Said, 'by' | 'bound'>): Actor {
  if (!isPersonName(by)) throw invalidMember('/by', nameAsked)
  return bound ? { kind: 'person', id: by, bound } : { kind: 'person', id: by }
}
