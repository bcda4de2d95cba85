/** Several possible conflicts with one word: each is a round and a decision of its own, so that each can be taken back alone. */

import { isAppError } from '../../platform/errors.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import type { Said } from '../person.js'
import type { DecidedTogether } from '../types.js'
import { decidePossibleConflict } from './finding-act.js'

export const mostTogether = 100

interface Together {
  ids: readonly string[]
  /** By who asks; what is not among the ids is left. */
  named?: readonly string[] | undefined
  unknown: string
}

/** One after the other: what has moved on meanwhile is left, and says why. */
export async function decideEach(
  deps: ScopesDeps,
  input: ScopeName & Said & { verdict: 'promote' | 'dismiss' | 'accept' },
  { ids, named = [], unknown }: Together,
): Promise<DecidedTogether> {
  const { tenantId, scopeId, verdict, reason, by, bound } = input
  const left = named.filter(id => !ids.includes(id)).map(id => ({ possible_conflict_id: id, reason: unknown }))
  const answer: DecidedTogether = { scope_id: scopeId, decided: [], left, more: Math.max(0, ids.length - mostTogether) }
  for (const findingId of ids.slice(0, mostTogether)) {
    try {
      const { decision_id } = await decidePossibleConflict(deps, { tenantId, findingId, verdict, reason, by, bound })
      answer.decided.push({ possible_conflict_id: findingId, decision_id })
    } catch (error) {
      if (!isAppError(error, 'STATE_CONFLICT')) throw error
      answer.left.push({ possible_conflict_id: findingId, reason: error.detail ?? '' })
    }
  }
  return answer
}
