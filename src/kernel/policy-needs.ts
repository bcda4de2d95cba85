/**
 * Which figures of a request a policy can look at at all. Handing a figure to Cedar costs more than evaluating a policy
 * over it, so a decision hands over only what some policy for its action reads. Errs on the side of handing over: what
 * is not plainly a path like `context.claims.total` counts as reading everything below it.
 */
import type { Clause, EntityJson, Expr, PolicyJson } from '@cedar-policy/cedar-wasm/nodejs'
import type { PolicyContext, PolicyRequest } from './policy-request.js'
import type { Mode } from './types.js'

/** A tree of member names; `true` means everything from here on. */
export type Needs = true | { [member: string]: Needs }

export interface RequestNeeds {
  principal: Needs
  resource: Needs
  context: Needs
  /** Some policy names a tenant, so the scope must be handed over with the one it belongs to. */
  tenant: boolean
  /** Some policy names an actor, a scope or a tenant, or compares one with another. */
  uids: boolean
}

export function needsOf(policies: readonly PolicyJson[]): RequestNeeds {
  const paths = policies.flatMap(policy => policy.conditions.flatMap(pathsOf))
  const under = (root: string) => paths.filter(path => path[0] === root).reduce<Needs>((tree, path) => grow(tree, path.slice(1)), {})
  const text = JSON.stringify(policies)
  const [principal, resource] = [under('principal'), under('resource')]
  return {
    principal,
    resource,
    context: under('context'),
    tenant: text.includes('"Tenant"'),
    uids: principal === true || resource === true || /"(?:Actor|Scope|Tenant)"/.test(text),
  }
}

export function prune(request: PolicyRequest, needs: RequestNeeds): PolicyRequest {
  const [principal, resource] = request.entities
  const actor = { ...principal!, attrs: pick(principal!.attrs, needs.principal) }
  const scope = { ...resource!, attrs: pick(resource!.attrs, needs.resource), parents: needs.tenant ? resource!.parents : [] }
  const isBare = (entity: EntityJson) => entity.parents.length === 0 && Object.keys(entity.attrs).length === 0
  return { ...request, context: pick(request.context, needs.context), entities: [actor, scope].filter(entity => !isBare(entity)) }
}

/** Actions have no groups in the schema, so a policy is for the actions it names, or for all. */
export function isFor({ action }: PolicyJson, kind: string): boolean {
  if (action.op === 'All') return true
  const named = 'entities' in action ? action.entities : 'entity' in action ? [action.entity] : null
  return named === null || named.some(uid => ('__entity' in uid ? uid.__entity.id : uid.id) === kind)
}

/**
 * The policy as it reads in a scope of this mode, or null where it cannot matter. Cedar evaluates a conjunction from the
 * left: one that begins with a comparison of the mode which fails can neither apply nor err, whatever follows, and one
 * that begins with a comparison which holds is what follows.
 */
export function inMode(policy: PolicyJson, mode: Mode): PolicyJson | null {
  const [clause, ...others] = policy.conditions
  if (clause?.kind !== 'when') return policy
  const holds = modeHolds(firstConjunct(clause.body), mode)
  if (holds === null) return policy
  if (!holds) return null
  if (!isFaithful(clause) || !isFaithful(others)) return policy
  const rest = withoutFirst(clause.body)
  return { ...policy, conditions: rest === null ? others : [{ kind: 'when', body: rest }, ...others] }
}

/** Whether the parsed form still says what the text said: Cedar's whole numbers go beyond those of JavaScript. */
function isFaithful(node: unknown): boolean {
  if (typeof node === 'number') return Number.isSafeInteger(node)
  return typeof node !== 'object' || node === null || Object.values(node).every(isFaithful)
}

function firstConjunct(expression: Expr): Expr {
  const pair = conjunction(expression)
  return pair === null ? expression : firstConjunct(pair.left)
}

function withoutFirst(expression: Expr): Expr | null {
  const pair = conjunction(expression)
  if (pair === null) return null
  const left = withoutFirst(pair.left)
  return left === null ? pair.right : { '&&': { left, right: pair.right } }
}

function conjunction(expression: Expr): { left: Expr; right: Expr } | null {
  return '&&' in expression ? (expression['&&'] as { left: Expr; right: Expr }) : null
}

/** Null where the expression is anything but a comparison of the mode with a literal. */
function modeHolds(expression: Expr, mode: Mode): boolean | null {
  const equal = '==' in expression
  const compared = equal ? expression['=='] : '!=' in expression ? expression['!='] : null
  const literal = compared === null ? null : comparedMode(compared)
  return literal === null ? null : (literal === mode) === equal
}

/** The literal `resource.mode` is compared with; null for any other comparison. */
function comparedMode(comparison: unknown): string | null {
  const { left, right } = comparison as { left: unknown; right: unknown }
  if (pathAt(left)?.join('.') !== 'resource.mode') return null
  const literal = typeof right === 'object' && right !== null && 'Value' in right ? right.Value : null
  return typeof literal === 'string' ? literal : null
}

function pathsOf(clause: Clause): string[][] {
  const found: string[][] = []
  collect(clause.body, found)
  return found
}

/** Expressions are trees of single-member objects; only `.` and `has` over a variable make a path, anything else is walked. */
function collect(node: unknown, found: string[][]): void {
  const path = pathAt(node)
  if (path !== null) found.push(path)
  else if (typeof node === 'object' && node !== null) for (const child of Object.values(node)) collect(child, found)
}

function pathAt(node: unknown): string[] | null {
  if (typeof node !== 'object' || node === null) return null
  if ('Var' in node) return [String(node.Var)]
  const access = '.' in node ? node['.'] : 'has' in node ? node.has : null
  if (typeof access !== 'object' || access === null || !('left' in access) || !('attr' in access)) return null
  const left = pathAt(access.left)
  const members = Array.isArray(access.attr) ? access.attr.map(String) : [String(access.attr)]
  return left === null ? null : [...left, ...members]
}

function grow(tree: Needs, [member, ...rest]: string[]): Needs {
  if (tree === true || member === undefined) return true
  return { ...tree, [member]: grow(tree[member] ?? {}, rest) }
}

function pick(record: PolicyContext, needs: Needs): PolicyContext {
  if (needs === true) return record
  const picked: PolicyContext = {}
  for (const [member, below] of Object.entries(needs)) {
    const value = record[member]
    if (value === undefined) continue
    picked[member] = below === true || !isRecord(value) ? value : pick(value, below)
  }
  return picked
}

function isRecord(value: unknown): value is PolicyContext {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
