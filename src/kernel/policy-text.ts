/**
 * Reading policy text: canonical form, the single policies with their annotations, strict validation against the
 * schema, and every fault with its line and column.
 */
import type { DetailedError, PolicyJson } from '@cedar-policy/cedar-wasm/nodejs'
import { sha256 } from './canonical.js'
import { cedar, orReplace } from './cedar.js'
import { proposalKinds, unpermittedKinds } from './policy-reach.js'
import { POLICY_SCHEMA } from './policy-schema.js'
import { findOverlong } from './policy-shape.js'
import type { PolicyCompilation, PolicyFault, PolicyInfo, PolicySet } from './proposals.js'

/** A set larger than this is no policy a person could answer for; it would also hold up the process while it is parsed. */
const MAX_CHARACTERS = 200_000

/** A set that is handed in: bounded, and with something to admit of every kind, where one that was accepted before is taken as it is. */
export function compileHandedIn(source: string): PolicyCompilation {
  if (source.length > MAX_CHARACTERS) return refuse({ line: 1, column: 1, message: `longer than ${MAX_CHARACTERS} characters` })
  const text = canonicalText(source)
  const overlong = findOverlong(text)
  if (overlong !== undefined) return refuse({ ...at(text, overlong.offset), message: overlong.message })
  const compilation = compilePolicySet(source)
  const unpermitted = compilation.ok ? unpermittedKinds(compilation.set.policies) : []
  return unpermitted.length === 0 ? compilation : refuse({ line: 1, column: 1, message: wordsOfUnpermitted(unpermitted) })
}

/** Rules that only forbid are meant to be added to a set, and would lock the scope they are put on alone. */
function wordsOfUnpermitted(kinds: readonly string[]): string {
  const actions = kinds.map(kind => `Action::"${kind}"`).join(', ')
  return `no policy permits ${kinds.join(', ')}: all of that would be rejected. Put your policies below those in force, or add permit (principal, action in [${actions}], resource);`
}

/** What a text compiles to depends on nothing else. A replay meets the set that was handed in, or that another replay met. */
const compilations = new Map<string, PolicyCompilation>()
const keptCompilations = 8

export function compilePolicySet(source: string): PolicyCompilation {
  const text = canonicalText(source)
  const known = compilations.get(text)
  if (known !== undefined) return known
  const compilation = orReplace(() => compile(text))
  if (compilation?.ok) keep(compilations, keptCompilations, text, compilation)
  return compilation ?? refuse({ line: 1, column: 1, message: 'too long an expression' })
}

function compile(text: string): PolicyCompilation {
  const split = splitPolicies(text)
  if (!split.ok) return { ok: false, errors: split.errors }
  const checked = cedar().validate({ validationSettings: { mode: 'strict' }, schema: POLICY_SCHEMA, policies: { staticPolicies: text } })
  if (checked.type === 'failure') return { ok: false, errors: checked.errors.map(error => faultOf(error, text)) }
  const name = (id: string) => split.policies.find(policy => policy.cedarId === id)?.info.id ?? id
  const named = ({ policyId, error }: { policyId: string; error: DetailedError }) => ({
    ...faultOf(error, text),
    message: wordsOf(error).replaceAll(`\`${policyId}\``, `\`${name(policyId)}\``),
  })
  if (checked.validationErrors.length > 0) return { ok: false, errors: inOrder(checked.validationErrors.map(named)) }
  return { ok: true, set: setOf(text, split.policies), warnings: inOrder(checked.validationWarnings.map(named)) }
}

const keptSets = 64
const setsRead = new Map<string, PolicySet>()

/**
 * A set that was compiled before: checking it against the schema again would cost four times the reading. Sets are named by
 * their content, so that a kept one is never out of date.
 */
export function readPolicySet(source: string): PolicySet {
  const known = setsRead.get(source)
  if (known !== undefined) return known
  const text = canonicalText(source)
  const split = splitPolicies(text)
  if (!split.ok) throw new Error('a policy set that was checked before no longer parses')
  const set = setOf(text, split.policies)
  keep(setsRead, keptSets, source, set)
  return set
}

/** In place of the oldest, where there are many. */
function keep<T>(kept: Map<string, T>, most: number, source: string, made: T): void {
  const oldest = kept.size >= most ? kept.keys().next().value : undefined
  if (oldest !== undefined) kept.delete(oldest)
  kept.set(source, made)
}

function setOf(text: string, policies: readonly SplitPolicy[]): PolicySet {
  return { hash: sha256(text), text, policies: policies.map(({ info }) => info) }
}

/** Under which hash a text is known, without reading it. */
export function policySetDigest(source: string): { hash: string; text: string } {
  const text = canonicalText(source)
  return { hash: sha256(text), text }
}

export interface SplitPolicy {
  info: PolicyInfo
  text: string
  /** The id Cedar gives the policy in a set of text. */
  cedarId: string
}

export type Split = { ok: true; policies: SplitPolicy[] } | { ok: false; errors: PolicyFault[] }

/** The policies of a canonical text in its order, each under its `@id`, or `policyN` where it has none. */
export function splitPolicies(text: string): Split {
  const parts = cedar().policySetTextToParts(text)
  if (parts.type === 'failure') return { ok: false, errors: parts.errors.map(error => faultOf(error, text)) }
  const [template] = parts.policy_templates
  if (template !== undefined) return refuse({ ...at(text, text.indexOf(template)), message: 'templates are not supported' })
  if (parts.policies.length === 0) return refuse({ line: 1, column: 1, message: 'holds no policy: everything would be rejected' })
  const errors: PolicyFault[] = []
  const taken = new Set<string>()
  const policies = locate(text, parts.policies).flatMap(({ start, part }, index) => {
    const fault = (message: string) => errors.push({ ...at(text, start), message })
    const parsed = cedar().policyToJson(part)
    if (parsed.type === 'failure') {
      fault(parsed.errors[0]?.message ?? 'does not parse')
      return []
    }
    const info = readInfo(parsed.json, `policy${index}`, fault)
    if (taken.has(info.id)) fault(`a second policy with the id "${info.id}"`)
    taken.add(info.id)
    return [{ info, text: part, cedarId: `policy${index}` }]
  })
  return errors.length === 0 ? { ok: true, policies } : { ok: false, errors }
}

/** The parts come sorted by name, `policy10` before `policy2`; equal parts are found one after the other. */
function locate(text: string, parts: readonly string[]): { start: number; part: string }[] {
  const ends = new Map<string, number>()
  const located = parts.map(part => {
    const start = text.indexOf(part, ends.get(part) ?? 0)
    ends.set(part, start + part.length)
    return { start, part }
  })
  return located.sort((a, b) => a.start - b.start)
}

function readInfo(
  { effect, principal, action, resource, conditions, annotations = {} }: PolicyJson,
  fallback: string,
  fault: (message: string) => void,
): PolicyInfo {
  const { id = fallback, outcome, reason, obligation } = annotations
  if (outcome !== undefined && effect === 'permit') fault('@outcome belongs to a forbid: a permit admits')
  else if (outcome !== undefined && outcome !== 'hold' && outcome !== 'reject') fault(`@outcome is "hold" or "reject", not "${outcome}"`)
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(id)) fault('@id is 1 to 100 letters, digits, dots, hyphens or underscores')
  return {
    id,
    effect,
    outcome: effect === 'permit' ? null : outcome === 'hold' ? 'hold' : 'reject',
    reason: reason || null,
    obligations: (obligation ?? '').split(',').flatMap(each => each.trim() || []),
    actions: actionsOf(action),
    always: principal.op === 'All' && resource.op === 'All' && conditions.length === 0,
  }
}

/** No action is a group of others. */
function actionsOf(action: PolicyJson['action']): PolicyInfo['actions'] {
  if (action.op === 'All') return [...proposalKinds]
  const entities = 'entities' in action ? action.entities : 'entity' in action ? [action.entity] : []
  const named = entities.map(entity => ('__entity' in entity ? entity.__entity.id : entity.id))
  return proposalKinds.filter(kind => named.includes(kind))
}

/** Blanks at line ends and the kind of line ends do not make another policy; lines and columns stay where they were. */
function canonicalText(source: string): string {
  const lines = source
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n')
  return `${lines
    .map(line => line.trimEnd())
    .join('\n')
    .trimEnd()}\n`
}

function faultOf(error: DetailedError, text: string): PolicyFault {
  const start = error.sourceLocations?.[0]?.start ?? 0
  return { ...at(text, unitsOf(text, start)), message: wordsOf(error) }
}

function wordsOf({ message, help, sourceLocations }: DetailedError): string {
  return [message, sourceLocations?.[0]?.label, help].filter(Boolean).join('; ')
}

/** Cedar counts UTF-8 bytes, JavaScript UTF-16 code units. */
function unitsOf(text: string, bytes: number): number {
  return Buffer.from(text, 'utf8').subarray(0, bytes).toString('utf8').length
}

function at(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, Math.max(0, offset)).split('\n')
  return { line: before.length, column: before.at(-1)!.length + 1 }
}

function inOrder(faults: PolicyFault[]): PolicyFault[] {
  return faults.sort((a, b) => a.line - b.line || a.column - b.column)
}

function refuse(fault: PolicyFault): { ok: false; errors: PolicyFault[] } {
  return { ok: false, errors: [fault] }
}
