/**
 * Asks Cedar. A set is parsed once and kept under a name of its own, because parsing costs ten times a decision; bounded,
 * because the parser keeps what it is given: the set used longest ago gives its place to the next.
 */
import { type Cedar, cedar, orReplace } from './cedar.js'
import type { PolicyRequest } from './policy-request.js'
import { splitPolicies } from './policy-text.js'
import type { PolicySet } from './proposals.js'

export interface Answer {
  allowed: boolean
  /** Sorted, because Cedar answers in no particular order. */
  determining: readonly string[]
  erring: readonly string[]
  /** Cedar could not read the request at all, or did not get through with it. */
  malformed: boolean
}

/** About 100 kB each; a node that serves more tenants with sets of their own parses one now and then. */
const places = Array.from({ length: 64 }, (_, index) => `set-${index}`)

/** The name under which an engine knows a set, by the set's hash; a Map keeps the order of use. */
const parsedBy = new WeakMap<Cedar, Map<string, string>>()

function parsedSets(): Map<string, string> {
  const engine = cedar()
  const known = parsedBy.get(engine) ?? new Map<string, string>()
  parsedBy.set(engine, known)
  return known
}

export function ask(request: PolicyRequest, set: PolicySet): Answer {
  const answer = orReplace(() => cedar().statefulIsAuthorized({ ...request, preparsedPolicySetId: prepare(set) }))
  if (answer === null || answer.type === 'failure') return { allowed: false, determining: [], erring: [], malformed: true }
  const { decision, diagnostics } = answer.response
  return {
    allowed: decision === 'allow',
    determining: [...diagnostics.reason].sort(),
    erring: [...new Set(diagnostics.errors.map(error => error.policyId))].sort(),
    malformed: false,
  }
}

/** What `ask` would otherwise do when it is first asked about a set. */
export function prepare(set: PolicySet): string {
  const parsed = parsedSets()
  const known = parsed.get(set.hash) ?? parse(set, parsed)
  parsed.delete(set.hash)
  parsed.set(set.hash, known)
  return known
}

function parse({ hash, text }: PolicySet, parsed: Map<string, string>): string {
  const split = splitPolicies(text)
  if (!split.ok) throw new Error(`policy set ${hash} does not parse`)
  if (parsed.size >= places.length) parsed.delete(parsed.keys().next().value as string)
  const taken = new Set(parsed.values())
  const place = places.find(name => !taken.has(name)) as string
  const policies = split.policies.map(({ info, text: policy }) => [info.id, policy])
  const answer = cedar().preparsePolicySet(place, { staticPolicies: Object.fromEntries(policies) })
  if (answer.type === 'failure') throw new Error(`policy set ${hash} does not parse: ${answer.errors[0]?.message}`)
  return place
}
