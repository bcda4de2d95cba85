/**
 * Attempts of one tenant to reach another: every operation of the contract, every parameter and member filled from the
 * names the other one owns. An attempt that looks something up has a twin in which the foreign names are replaced by
 * names that nobody has: both must be answered alike.
 */

import fc, { type Arbitrary } from 'fast-check'
import type { TObject, TSchema } from 'typebox'
import type { Operation } from '../../src/contract/operation.js'
import { operations } from '../../src/contract/operations.js'
import { csrfTokenOf } from '../../src/http/session-cookie.js'
import { validValue } from '../support/from-schema.js'
import { type Household, randomLetters, sharedDocuments, sharedKeys, sharedScopes } from './household.js'

export interface Request {
  method: string
  path: string
  headers: Record<string, string>
  body?: unknown
  /** The body is the fields of a form with a file. */
  form?: boolean
}

export interface Attempt {
  operation: Operation
  request: Request
  /** The same with names nobody has, and which name stands for which; null when nothing foreign is looked up. */
  twin: { request: Request; names: [foreign: string, missing: string][] } | null
}

export interface Parties {
  attacker: Household
  victim: Household
  adminKey: string
  internalsKey: string
}

/** Operations that answer an operator about everybody are no way from tenant to tenant; tenants meet their walls only. */
const attacked = Object.values(operations).filter(operation => operation.credential !== 'none')

export function attempts(parties: Parties): Arbitrary<Attempt> {
  // What asks for a tier key alone only ever answers 403 here, so it is tried less often.
  return fc.oneof(
    ...attacked.map(operation => ({ arbitrary: attemptAt(operation, parties), weight: operation.credential === 'tier' ? 1 : 4 })),
  )
}

function attemptAt(operation: Operation, parties: Parties): Arbitrary<Attempt> {
  const names = namesOf(parties)
  // A name that creates what it names is the attacker's own from then on, so only names both have are tried there.
  const creates = [
    'ingestDocument',
    'ingestBatch',
    'createDocument',
    'createContradiction',
    'createScope',
    'createOwnScope',
    'attachDocument',
    'ingestFile',
    'ingestScopeFile',
    'createWebhook',
    'changeWebhook',
  ].includes(operation.id)
  const inBody = (name: string) => (creates ? names.shared(name) : names.any(name))
  const from = (schema: TObject | undefined): Arbitrary<Record<string, unknown>> =>
    schema === undefined ? fc.constant({}) : (validValue(schema as TSchema, names.any) as Arbitrary<Record<string, unknown>>)
  const sent = operation.body?.schema ?? (operation.upload?.fields as TSchema | undefined)
  const body = sent === undefined ? fc.constant(undefined) : validValue(sent, inBody)
  return fc
    .record({
      params: from(operation.params),
      query: from(operation.query),
      smuggled: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: smuggled(parties.victim) }),
      headers: from(operation.headers),
      body,
      credential: credentials(operation, parties),
    })
    .map(parts => {
      const request: Request = {
        method: operation.method,
        path: pathOf(operation.path, parts.params) + queryOf({ ...parts.smuggled, ...parts.query }),
        headers: { ...(textual(parts.headers) as Record<string, string>), ...parts.credential },
        body: parts.body,
        ...(operation.upload === undefined ? {} : { form: true }),
      }
      return { operation, request, twin: twinOf(request, parties.victim) }
    })
}

/** Names of what the service works out by itself, in a query that declares none of them. */
function smuggled(victim: Household): Arbitrary<Record<string, unknown>> {
  const finding = fc.constantFrom(...victim.contradictions, ...victim.possibleConflicts, ...victim.supersessions)
  return fc.record({
    tenantId: fc.constant(victim.tenantId),
    scopeId: fc.constant(victim.scope),
    documentId: fc.constantFrom(...victim.documents),
    contradictionId: finding,
    findingId: finding,
    decisionId: fc.constantFrom(...victim.decisions),
    signOffId: fc.constantFrom(...victim.signOffs),
    bound: fc.constant('true'),
  })
}

/** What an attacker can present: its own key everywhere, in every place, and the victim's id beside it. */
function credentials(operation: Operation, { attacker, victim, adminKey, internalsKey }: Parties): Arbitrary<Record<string, string>> {
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
  const key = { 'x-tenant-api-key': attacker.key }
  const session = { cookie: `concord_session=${attacker.session}`, 'x-csrf-token': csrfTokenOf(attacker.session) }
  const tier = operation.tier === 'internals' ? internalsKey : adminKey
  switch (operation.credential) {
    case 'tenant':
      return fc.constantFrom<Record<string, string>[]>(
        { 'x-tenant-id': attacker.tenantId },
        { 'x-tenant-id': attacker.tenantId, ...key },
        key,
        { 'x-tenant-id': victim.tenantId, ...key },
        { 'x-tenant-id': victim.tenantId, ...bearer(attacker.key) },
        bearer(attacker.session),
        session,
        { 'x-tenant-id': victim.tenantId, ...session },
      )
    case 'tenant-key':
      return fc.constantFrom<Record<string, string>[]>(
        key,
        bearer(attacker.key),
        { ...key, 'x-tenant-id': victim.tenantId },
        bearer(attacker.session),
        session,
        { ...session, 'x-tenant-id': victim.tenantId },
      )
    case 'any-key':
      // A session that ends itself could not be used for the next attempt.
      return fc.constantFrom<Record<string, string>[]>(key, bearer(attacker.key), { ...key, 'x-tenant-id': victim.tenantId })
    case 'tier':
      return fc.constantFrom<Record<string, string>[]>(bearer(attacker.key), { ...bearer(attacker.key), ...key })
    default:
      return fc.oneof(
        { weight: 5, arbitrary: fc.constant({ ...bearer(tier), ...key }) },
        { weight: 1, arbitrary: fc.constant({ ...bearer(attacker.key), ...key }) },
      )
  }
}

function namesOf({ victim }: Parties) {
  const oneOf = (...groups: string[][]): Arbitrary<string> => fc.constantFrom(...groups.flat())
  const tables: Record<string, { any: Arbitrary<unknown>; shared?: Arbitrary<unknown> }> = {
    scopeId: { any: oneOf(sharedScopes, [victim.scope, victim.scope]) },
    scope_id: { any: oneOf(sharedScopes, [victim.scope, victim.scope]), shared: oneOf(sharedScopes) },
    documentId: { any: oneOf(sharedDocuments, victim.documents, ['-', '-']) },
    document_id: { any: oneOf(sharedDocuments, victim.documents), shared: oneOf(sharedDocuments) },
    document_ids: {
      any: fc.uniqueArray(oneOf(sharedDocuments, victim.documents), { minLength: 1, maxLength: 3 }),
      shared: fc.constant([...sharedDocuments]),
    },
    contradictionId: { any: oneOf(victim.contradictions) },
    possibleConflictId: { any: oneOf(victim.possibleConflicts) },
    supersessionId: { any: oneOf(victim.supersessions) },
    decisionId: { any: oneOf(victim.decisions) },
    signOffId: { any: oneOf(victim.signOffs) },
    webhookId: { any: oneOf(victim.webhooks) },
    deliveryId: { any: oneOf(victim.deliveries) },
    // A name that leads nowhere: nothing is sent out of a test.
    url: { any: oneOf(['https://receiver.invalid/']) },
    tenantId: { any: oneOf([victim.tenantId]) },
    tenant_id: { any: oneOf([victim.tenantId]) },
    keyId: { any: oneOf(victim.keys) },
    sessionId: { any: oneOf(victim.sessions) },
    cursor: { any: oneOf(victim.cursors) },
    after: { any: oneOf(['-1', '0', '3', '1000000'], victim.cursors) },
    'last-event-id': { any: oneOf(['-1', '0', '3', '1000000'], victim.cursors) },
    'if-none-match': { any: oneOf(victim.etags) },
    'idempotency-key': { any: oneOf(sharedKeys, victim.idempotencyKeys) },
    idempotency_key: { any: oneOf(sharedKeys, victim.idempotencyKeys) },
    wait: { any: fc.constantFrom(0, 0.01) },
    'mcp-protocol-version': { any: fc.constantFrom('2025-06-18', '2025-03-26') },
    method: { any: fc.constant('tools/call') },
    params: { any: toolCalls(victim) },
  }
  return {
    any: (name: string) => tables[name]?.any,
    shared: (name: string) => tables[name]?.shared ?? tables[name]?.any,
  }
}

/** What an agent of the attacker would ask for. */
function toolCalls(victim: Household): Arbitrary<unknown> {
  const inCase = { scope_id: victim.scope }
  const ofCase = ['get_summary', 'list_documents', 'search_claims', 'list_contradictions', 'list_possible_conflicts']
  const calls = [
    { name: 'list_cases', arguments: {} },
    ...ofCase.map(name => ({ name, arguments: inCase })),
    ...victim.documents.map(document_id => ({ name: 'read_document', arguments: { ...inCase, document_id } })),
    ...victim.cursors.map(cursor => ({ name: 'list_cases', arguments: { cursor } })),
  ]
  return fc.constantFrom(...calls)
}

function pathOf(template: string, params: Record<string, unknown>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(params[name])))
}

function queryOf(query: Record<string, unknown>): string {
  const text = new URLSearchParams(textual(query) as Record<string, string>).toString()
  return text === '' ? '' : `?${text}`
}

function textual(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}

/** Names the victim has and the attacker only guessed. */
function foreignNames(victim: Household): string[] {
  const {
    documents,
    contradictions,
    possibleConflicts,
    supersessions,
    decisions,
    signOffs,
    webhooks,
    deliveries,
    claims,
    certificates,
    keys,
    sessions,
    cursors,
    etags,
  } = victim
  return [
    victim.scope,
    victim.tenantId,
    ...documents,
    ...contradictions,
    ...possibleConflicts,
    ...supersessions,
    ...decisions,
    ...signOffs,
    ...webhooks,
    ...deliveries,
    ...claims,
    ...certificates,
    ...keys,
    ...sessions,
    ...cursors,
    ...etags,
  ]
}

function twinOf(request: Request, victim: Household): Attempt['twin'] {
  const text = JSON.stringify(request)
  const used = foreignNames(victim).filter(name => text.includes(escaped(name)))
  if (used.length === 0) return null
  const names = used.map((name): [string, string] => [name, missingLike(name)])
  const replaced = names.reduce((result, [foreign, missing]) => result.replaceAll(escaped(foreign), missing), text)
  return { request: JSON.parse(replaced) as Request, names }
}

function escaped(name: string): string {
  return JSON.stringify(name).slice(1, -1)
}

/** A name of the same shape that nobody has. */
export function missingLike(name: string): string {
  const prefix = /^(ten_|doc_|ctr_|pcf_|sup_|dec_|sgn_|whk_|dlv_|clm_|crt_|key_|ses_|only-|own-)/.exec(name)?.[0] ?? ''
  return prefix + randomLetters(name.length - prefix.length)
}

/** Everything of the victim that must not be seen by another. */
export function secretsOf(victim: Household): string[] {
  return [victim.mark, victim.session, victim.key, victim.key.slice(0, 12), ...foreignNames(victim)]
}
