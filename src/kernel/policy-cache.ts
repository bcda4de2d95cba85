/**
 * Parsed policy sets, kept because parsing costs ten times a decision. Addressed by content, so nobody can tell a kept
 * set from a newly parsed one; bounded, because the parser keeps what it is given: the least recently used set gives
 * its place to the next.
 */
import { preparsePolicySet } from '@cedar-policy/cedar-wasm/nodejs'
import { inMode, isFor, needsOf, type RequestNeeds } from './policy-needs.js'
import { type SplitPolicy, splitPolicies } from './policy-text.js'
import type { Mode, PolicySet, Proposal } from './types.js'

/** About 100 kB each; a node that serves more tenants with sets of their own parses one now and then. */
const PLACES = 64

/** The part of a set that can matter for one kind of proposal in a scope of one mode. */
export interface ParsedPart {
  /** What it is, by content. */
  key: string
  /** The name under which the parser knows it. */
  name: string
  needs: RequestNeeds
}

interface ParsedSet {
  place: string
  policies: readonly SplitPolicy[]
  /** Parsed when first asked for. */
  parts: Map<string, ParsedPart>
}

/** By hash; a Map keeps the order of use. */
const parsed = new Map<string, ParsedSet>()

export function parsedPart(set: PolicySet, kind: Proposal['kind'], mode: Mode): ParsedPart {
  const found = parsed.get(set.hash) ?? admit(set)
  parsed.delete(set.hash)
  parsed.set(set.hash, found)
  return found.parts.get(`${kind}/${mode}`) ?? parsePart(found, set.hash, { kind, mode })
}

/** Takes a free place, made free by forgetting the set used longest ago. */
function admit(set: PolicySet): ParsedSet {
  const split = splitPolicies(set.text)
  if (!split.ok) throw new Error(`policy set ${set.hash} does not parse`)
  if (parsed.size >= PLACES) parsed.delete(parsed.keys().next().value!)
  const taken = new Set([...parsed.values()].map(({ place }) => place))
  const place = Array.from({ length: PLACES }, (_, index) => `set-${index}`).find(name => !taken.has(name))!
  return { place, policies: split.policies, parts: new Map() }
}

function parsePart(set: ParsedSet, hash: string, { kind, mode }: { kind: Proposal['kind']; mode: Mode }): ParsedPart {
  const name = `${set.place}/${kind}/${mode}`
  const policies = set.policies.flatMap(({ info, json, text }) => {
    const read = isFor(json, kind) ? inMode(json, mode) : null
    return read === null ? [] : [{ id: info.id, read, source: read === json ? text : read }]
  })
  const answer = preparsePolicySet(name, { staticPolicies: Object.fromEntries(policies.map(({ id, source }) => [id, source])) })
  if (answer.type === 'failure') throw new Error(`policy set ${hash} does not parse: ${answer.errors[0]?.message}`)
  const part = { key: `${hash}/${kind}/${mode}`, name, needs: needsOf(policies.map(({ read }) => read)) }
  set.parts.set(`${kind}/${mode}`, part)
  return part
}
