/**
 * Parsed policy sets, kept because parsing costs ten times a decision. Addressed by content, so nobody can tell a kept
 * set from a newly parsed one; bounded, because the parser keeps what it is given: the least recently used set gives
 * its place to the next.
 */
import { preparsePolicySet, preparseSchema } from '@cedar-policy/cedar-wasm/nodejs'
import { POLICY_SCHEMA } from './policy-schema.js'
import { splitPolicies } from './policy-text.js'
import type { PolicySet } from './types.js'

export const SCHEMA_NAME = 'concord'

/** About 100 kB each; a node that serves more tenants with sets of their own parses one now and then. */
const PLACES = 64

/** Hash to place; a Map keeps the order of use. */
const places = new Map<string, string>()

/** The name under which the parser knows the set. */
export function ensureParsed(set: PolicySet): string {
  if (places.size === 0) parseSchema()
  const place = places.get(set.hash) ?? admit(set)
  places.delete(set.hash)
  places.set(set.hash, place)
  return place
}

/** Takes a new place or that of the set used longest ago, which is forgotten only once the new one has parsed. */
function admit(set: PolicySet): string {
  const [oldest, taken] = places.entries().next().value ?? ['', '']
  const full = places.size >= PLACES
  const place = full ? taken : `set-${places.size}`
  parseInto(place, set)
  if (full) places.delete(oldest)
  return place
}

function parseInto(place: string, set: PolicySet): void {
  const split = splitPolicies(set.text)
  if (!split.ok) throw new Error(`policy set ${set.hash} does not parse`)
  const staticPolicies = Object.fromEntries(split.policies.map(({ info, text }) => [info.id, text]))
  const answer = preparsePolicySet(place, { staticPolicies })
  if (answer.type === 'failure') throw new Error(`policy set ${set.hash} does not parse: ${answer.errors[0]?.message}`)
}

function parseSchema(): void {
  const answer = preparseSchema(SCHEMA_NAME, POLICY_SCHEMA)
  if (answer.type === 'failure') throw new Error(`policy schema does not parse: ${answer.errors[0]?.message}`)
}
