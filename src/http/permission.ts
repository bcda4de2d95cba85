/**
 * What the key of a caller permits: the right an operation asks for, the scope it names, and for whom it speaks. A
 * refusal is the same whether the scope exists or not. What an operation reaches by the id of a finding is looked up,
 * for keys that do not reach every scope.
 */

import type { Operation } from '../contract/operation.js'
import { type Right, rightsOfCall } from '../contract/rights.js'
import { webhookOperations } from '../contract/webhook-operations.js'
import { AppError } from '../platform/errors.js'
import { personKey } from '../platform/person-name.js'
import { scopeOfFinding } from '../store/findings/finding-scope.js'
import type { Database } from '../store/server/database.js'
import type { Caller, Permission } from './auth.js'
import type { Answer, Call } from './handler.js'

/** The scopes a caller is limited to; null: none. */
export function reachOf({ permission }: Pick<Caller, 'permission'>): string[] | null {
  return permission?.scopes ?? null
}

/** Whether who acts is vouched for by the key, and not only named in the request. */
export function isBound({ permission }: Pick<Caller, 'permission'>): boolean {
  return permission !== null && !permission.speak_for
}

/**
 * What an act answers, for whoever called: how a word of a scan was read before, which `provenance` of a document tells, is for who may
 * read. Of every operation alike, so that none is forgotten.
 */
export function createAnswerFilter(operation: Operation): (caller: Pick<Caller, 'permission'>, answer: Answer) => Answer {
  if (operation.method === 'GET' || !hasProvenance(operation.success.schema)) return (_caller, answer) => answer
  return ({ permission }, answer) =>
    permission === null || permission.rights.includes('read') ? answer : { ...answer, body: withoutProvenance(answer.body) }
}

/** In a schema it stands among `properties`, whatever it is part of. */
export function hasProvenance(schema: unknown): boolean {
  if (schema === null || typeof schema !== 'object') return false
  return 'provenance' in schema || Object.values(schema).some(hasProvenance)
}

function withoutProvenance(shown: unknown): unknown {
  if (Array.isArray(shown)) return shown.map(withoutProvenance)
  if (shown === null || typeof shown !== 'object') return shown
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, name === 'provenance' ? null : withoutProvenance(value)]))
}

/** For operations that learn only later which scope is meant. */
export function checkReach(caller: Pick<Caller, 'permission'>, scopeId: string): void {
  if (!(reachOf(caller) ?? [scopeId]).includes(scopeId)) throw refused('This key does not reach the case.')
}

/**
 * Checks a call whose parameters and body have been checked. Does not wait for a key without limits. Who names a tenant and
 * presents no key may hand in, and nothing else: what judges documents answers with their words.
 */
export function createPermissionCheck(operation: Operation, db: Database): (call: Call) => Promise<void> | undefined {
  return call => {
    const { permission } = call.caller
    const rights = rightsOfCall(operation, call.body)
    if (rights.length === 0) return undefined
    if (permission === null) {
      if (operation.credential === 'tenant' && !rights.includes('ingest')) throw new AppError('AUTH_MISSING', { detail: needsKey })
      return undefined
    }
    const missing = rights.find(right => !permission.rights.includes(right))
    if (missing !== undefined) throw lacks(missing)
    // Who reads speaks for nobody: `by` of a list is a filter.
    if (operation.method !== 'GET') checkSpeaker(permission, call)
    return permission.scopes === null ? undefined : checkScope(permission.scopes, call, operation, db)
  }
}

const needsKey = 'Naming passages (`a`, `b`) needs a tenant key.'

/** Who acts, where the operation lets somebody be named: on record as the key spells them, however the request does. */
function checkSpeaker({ speak_for: speaksForAnybody, person }: Permission, { body, query }: Call): void {
  if (speaksForAnybody) return
  for (const given of [body, query] as ({ by?: unknown } | undefined | null)[]) {
    if (given?.by === undefined) continue
    if (person === null || typeof given.by !== 'string' || personKey(given.by) !== personKey(person)) {
      throw refused(`This key acts for ${JSON.stringify(person)} alone; \`by\` names somebody else.`)
    }
    given.by = person
  }
}

async function checkScope(scopes: readonly string[], call: Call, operation: Operation, db: Database): Promise<void> {
  const params = call.params as Record<string, string>
  const id = findingParams.find(name => name in params)
  if (id !== undefined) {
    const scope = await db.inTenant(call.tenantId, tx => scopeOfFinding(tx, params[id] as string), { readOnly: true })
    // Then it is looked for by a name that nothing has, and answered like one that does not exist.
    if (scope !== null && !scopes.includes(scope)) params[id] = '\ufffd'
    return
  }
  const named = scopeNamed(call)
  if (named !== undefined) return checkReach(call.caller, named)
  if (!reachesScopesAlone.has(operation.id)) throw refused('This key is limited to some cases; this operation concerns all of them.')
}

/** Operations that leave out the scopes a key does not reach, learn from what is sent which one is meant, or tell of none. */
const reachesScopesAlone = new Set([
  'listOwnScopes',
  'listScanLanguages',
  'listScopes',
  'streamOwnScopes',
  'ingestFile',
  'ingestBatch',
  ...Object.keys(webhookOperations),
])

const findingParams = ['contradictionId', 'possibleConflictId', 'supersessionId', 'decisionId'] as const

function scopeNamed({ params, query, body }: Call): string | undefined {
  const { scopeId } = params as { scopeId?: string }
  const inQuery = (query as { scope_id?: string }).scope_id
  const inBody = (body as { scope_id?: unknown } | undefined | null)?.scope_id
  return scopeId ?? inQuery ?? (typeof inBody === 'string' ? inBody : undefined)
}

function lacks(right: Right): AppError {
  return refused(`This key has no right to \`${right}\`.`)
}

function refused(detail: string): AppError {
  return new AppError('RIGHTS_INSUFFICIENT', { detail })
}
