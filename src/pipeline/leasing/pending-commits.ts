/**
 * The documents of a lease that are read and not committed yet, and what a try that came to nothing makes of them. Pure.
 *
 *   changed      the scope moved on: retry, at most `mostRepeats` times, then it costs the first document an attempt, and the others go back
 *   paused       one document more; the rest goes back
 *   unavailable  the database went away: retry. A server that answered the plan and is lost under the commit is lost because
 *                of it, sooner or later: after `mostLosses` in a row like failed
 *   failed       several documents: each is retried alone; one: it is the poison document; none, only failures to be written: the scope's failure
 */

import type { FailedDocument } from '../../store/documents/quarantine.js'
import type { LeasedDocument } from '../../store/leases/leases.js'
import type { HeldRead } from '../planning/batch-plan.js'

export interface Pending {
  rest: readonly HeldRead[]
  failed: readonly FailedDocument[]
  /** Documents in one commit: all, until one of them is found to fail it. */
  most: number
  repeats: number
  losses: number
}

export type Refusal = 'changed' | 'paused' | 'unavailable' | 'server_lost' | 'failed'

export type Next =
  | { to: 'retry' | 'drain'; pending: Pending }
  | { to: 'blame'; document: LeasedDocument; others: 'next' | 'go_back' }
  | { to: 'give_up' }

const mostRepeats = 20
const mostLosses = 10

export function pendingOf(rest: readonly HeldRead[], failed: readonly FailedDocument[], isAlone: boolean): Pending {
  return { rest, failed, most: isAlone ? 1 : Number.POSITIVE_INFINITY, repeats: 0, losses: 0 }
}

/** What is planned together. A document that has failed before is planned alone, so that it cannot fail its neighbours again. */
export function nextReads({ rest, most }: Pending): readonly HeldRead[] {
  const suspect = rest.findIndex(({ document }) => document.attempts > 0)
  return rest.slice(0, Math.min(most, suspect < 0 ? rest.length : Math.max(1, suspect)))
}

export function afterRefusal(pending: Pending, tried: readonly { document: LeasedDocument }[], refusal: Refusal): Next {
  switch (refusal) {
    case 'changed':
      return pending.repeats < mostRepeats ? retry(pending, { repeats: pending.repeats + 1 }) : blame(tried, 'go_back')
    case 'paused':
      return { to: 'drain', pending: { ...pending, rest: pending.rest.slice(0, 1) } }
    case 'unavailable':
      return retry(pending, {})
    case 'server_lost':
      return pending.losses < mostLosses ? retry(pending, { losses: pending.losses + 1 }) : afterRefusal(pending, tried, 'failed')
    case 'failed': {
      if (tried.length > 1) return retry(pending, { most: 1 })
      return blame(tried, 'next')
    }
  }
}

function blame([first]: readonly { document: LeasedDocument }[], others: 'next' | 'go_back'): Next {
  return first === undefined ? { to: 'give_up' } : { to: 'blame', document: first.document, others }
}

/** The document has failed: its failure is written with the next commit. */
export function blamed(pending: Pending, failure: FailedDocument): Pending {
  return {
    ...pending,
    rest: pending.rest.filter(({ document }) => document.seq !== failure.seq),
    failed: [...pending.failed, failure],
  }
}

function retry(pending: Pending, changed: Partial<Pending>): Next {
  return { to: 'retry', pending: { ...pending, ...changed } }
}
