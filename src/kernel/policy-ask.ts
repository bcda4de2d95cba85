/**
 * Asks Cedar. Most documents of a scope look alike to its policies, because they read few figures: answers are kept by
 * exactly what was asked, bounded, so that a kept answer cannot be told from a new one.
 */
import { statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs'
import type { ParsedPart } from './policy-cache.js'
import { prune } from './policy-needs.js'
import type { PolicyRequest } from './policy-request.js'

export interface Answer {
  allowed: boolean
  /** Sorted, because Cedar answers in no particular order. */
  determining: readonly string[]
  erring: readonly string[]
  /** Cedar could not read the request at all. */
  malformed: boolean
}

/** Some hundred bytes each. */
const KEPT = 8192

const answers = new Map<string, Answer>()

export function ask(request: PolicyRequest, part: ParsedPart): Answer {
  const pruned = prune(request, part.needs)
  const uids = part.needs.uids ? [pruned.principal.id, pruned.resource.id] : null
  const key = JSON.stringify([part.key, uids, pruned.context, pruned.entities.map(({ attrs, parents }) => [attrs, parents])])
  const kept = answers.get(key)
  if (kept !== undefined) return kept
  const answer = answerOf(pruned, part.name)
  if (answers.size >= KEPT) answers.delete(answers.keys().next().value!)
  answers.set(key, answer)
  return answer
}

function answerOf(request: PolicyRequest, name: string): Answer {
  const answer = statefulIsAuthorized({ ...request, preparsedPolicySetId: name })
  if (answer.type === 'failure') return { allowed: false, determining: [], erring: [], malformed: true }
  const { decision, diagnostics } = answer.response
  return {
    allowed: decision === 'allow',
    determining: [...diagnostics.reason].sort(),
    erring: [...new Set(diagnostics.errors.map(error => error.policyId))].sort(),
    malformed: false,
  }
}
