/**
 * Which figures of a request a policy can look at at all. Handing a figure to Cedar costs more than evaluating a policy
 * over it, so a decision hands over only what some policy for its action reads. Errs on the side of handing over: what
 * is not plainly a path like `context.claims.total` counts as reading everything below it.
 */
import type { Clause, EntityJson, PolicyJson } from '@cedar-policy/cedar-wasm/nodejs'
import type { PolicyContext, PolicyRequest } from './policy-request.js'

/** A tree of member names; `true` means everything from here on. */
export type Needs = true | { [member: string]: Needs }

export interface RequestNeeds {
  principal: Needs
  resource: Needs
  context: Needs
  /** Some policy names a tenant, so the scope must be handed over with the one it belongs to. */
  tenant: boolean
}

export function needsOf(policies: readonly PolicyJson[]): RequestNeeds {
  const paths = policies.flatMap(policy => policy.conditions.flatMap(pathsOf))
  const under = (root: string) => paths.filter(path => path[0] === root).reduce<Needs>((tree, path) => grow(tree, path.slice(1)), {})
  return {
    principal: under('principal'),
    resource: under('resource'),
    context: under('context'),
    tenant: JSON.stringify(policies).includes('"Tenant"'),
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
