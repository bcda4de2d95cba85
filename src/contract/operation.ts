/**
 * What an operation of the API is: one value holds its address, credential, input, answer and refusals. Routes,
 * validation, the OpenAPI document and the conformance tests are all made from these values.
 */

import type { TObject, TSchema, TString } from 'typebox'
import { Type } from '../platform/schema.js'
import type { ProblemCode } from './problems.js'

export type Tier = 'public' | 'admin' | 'internals'

/**
 * - `none`: no credential
 * - `tenant`: X-Tenant-ID, and a tenant key where PUBLIC_AUTH asks for it; or a tenant key alone
 * - `tenant-key`: a tenant key, as bearer or in X-Tenant-API-Key
 *   A person's session stands for a tenant key everywhere: its token in the same headers, or the cookie of a browser where
 *   no key is presented, except for `tier+optional-tenant-key`, where that would narrow what an operator asked for.
 * - `any-key`: a tenant key like that, or a bearer key of any tier
 * - `tier`: a bearer key of the operation's tier or above
 * - `tier+tenant-key`: that, and X-Tenant-API-Key
 * - `tier+optional-tenant-key`: that, and X-Tenant-API-Key where the caller wants to act for one tenant
 */
export type Credential = 'none' | 'tenant' | 'tenant-key' | 'any-key' | 'tier' | 'tier+tenant-key' | 'tier+optional-tenant-key'

export interface Operation {
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With parameters in braces, as OpenAPI writes them. */
  path: string
  tier: Tier
  tag: string
  summary: string
  description?: string
  credential: Credential
  params?: TObject
  query?: TObject
  headers?: TObject
  body?: {
    schema: TSchema
    required: boolean
    examples?: Record<string, unknown>[]
    /** Where each item of the body is answered on its own: what alone is checked of the whole. The operation checks the items. */
    outer?: TSchema
    /** A body of this operation may be this large, whatever the limit of others. */
    limitBytes?: number
  }
  /** A file with fields before it, as multipart/form-data, in place of a JSON body. */
  upload?: { fields: TObject }
  success: {
    status: 200 | 201 | 202 | 204 | 304
    description: string
    schema?: TSchema
    mediaType?: string
    headers?: Record<string, string>
  }
  /** Describes 206, where a part can be asked for with the header Range. */
  partial?: string
  /** Describes 202 without a body, where some of what is sent has no answer. */
  accepted?: string
  /** A body of its own instead of a problem when the service is not healthy. */
  unavailable?: TSchema
  /** Refusals beyond those that follow from the credential, the body and the parameters. */
  refusals: readonly ProblemCode[]
  stream?: boolean
  replacement?: string
  /** Not recorded in the audit log: health reads, what is wrong among them, and scrapes, which have to answer when nothing can be written. */
  unaudited?: boolean
  /** Of the public tier: recorded like an act of an operator, because it takes something away, lets it be taken away or sends it elsewhere. */
  audited?: boolean
  /** What a reader gets to see, for the record of who saw what; `decisions` are about findings, each of which is seen by them, and `passages` are of the documents that the body names. */
  seen?: 'document' | 'passages' | 'finding' | 'findings' | 'decisions' | 'statements' | 'certificate' | 'report'
}

type Common = Pick<Operation, 'tier' | 'credential' | 'tag'>

/** An operation as it is written down: method and path in one, without what it shares with its group and what follows from the path. */
export interface OperationDraft extends Partial<Common>, Omit<Operation, keyof Common | 'id' | 'method' | 'path' | 'params' | 'refusals'> {
  route: `${Operation['method']} /${string}`
  refusals?: readonly ProblemCode[]
}

type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
export type Defined<T extends Record<string, OperationDraft>> = {
  [K in keyof T]: Omit<T[K], 'route'> &
    Pick<Operation, 'id' | 'method' | 'path' | 'refusals' | keyof Common> & { params: TObject<Record<NamesIn<T[K]['route']>, TString>> }
}

export function defineOperations<const T extends Record<string, OperationDraft>>(common: Common, drafts: T): Defined<T> {
  const defined = Object.entries(drafts).map(([id, { route, refusals = [], ...rest }]) => {
    const [method, path = ''] = route.split(' ')
    return [id, { ...common, ...rest, id, method, path, ...pathParams(path), refusals }]
  })
  return Object.fromEntries(defined) as Defined<T>
}

function pathParams(path: string): Pick<Operation, 'params'> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  if (names.length === 0) return {}
  return { params: Type.Object(Object.fromEntries(names.map(name => [name, Type.String(described[name])]))) }
}

const described: Record<string, { description: string }> = {
  scopeId: { description: 'The scope; a malformed one is answered like a missing one.' },
  documentId: { description: 'The document; `-` when it is named by `document_id` instead.' },
}

/** What most operations of the public tier ask for. */
export function forTenants(tag: string): Common {
  return { tier: 'public', credential: 'tenant-key', tag }
}

export function forOperators(tag: string, credential: Credential = 'tier'): Common {
  return { tier: 'admin', credential, tag }
}

/** All codes an operation can answer with, in the order of the statuses. */
export function refusalsOf(operation: Operation): ProblemCode[] {
  const codes = new Set<ProblemCode>(operation.refusals)
  for (const code of byCredential[operation.credential]) codes.add(code)
  if (operation.body) for (const code of bodyRefusals) codes.add(code)
  if (operation.upload) for (const code of bodyRefusals) if (code !== 'JSON_INVALID') codes.add(code)
  if (operation.query || operation.headers) codes.add('VALIDATION_FAILED')
  for (const name of Object.keys(operation.params?.properties ?? {})) for (const code of notFound[name] ?? []) codes.add(code)
  if (operation.query && ('cursor' in operation.query.properties || 'after' in operation.query.properties)) codes.add('CURSOR_INVALID')
  for (const code of ['RATE_LIMITED', 'INTERNAL', 'OVERLOADED', 'STORAGE_UNAVAILABLE'] as const) codes.add(code)
  return [...codes]
}

const notFound: Record<string, ProblemCode[]> = {
  scopeId: ['SCOPE_NOT_FOUND'],
  documentId: ['SCOPE_NOT_FOUND', 'DOCUMENT_NOT_FOUND'],
  contradictionId: ['CONTRADICTION_NOT_FOUND'],
  possibleConflictId: ['POSSIBLE_CONFLICT_NOT_FOUND'],
  supersessionId: ['SUPERSESSION_NOT_FOUND'],
  decisionId: ['DECISION_NOT_FOUND'],
  signOffId: ['SIGN_OFF_NOT_FOUND'],
  keyId: ['KEY_NOT_FOUND'],
  sessionId: ['SESSION_NOT_FOUND'],
  webhookId: ['WEBHOOK_NOT_FOUND'],
  deliveryId: ['DELIVERY_NOT_FOUND'],
}
const bodyRefusals: ProblemCode[] = ['VALIDATION_FAILED', 'JSON_INVALID', 'REQUEST_TIMEOUT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']
const tierRefusals: ProblemCode[] = ['AUTH_MISSING', 'AUTH_INVALID', 'TIER_INSUFFICIENT', 'TIER_DISABLED']

const sessionRefusals: ProblemCode[] = ['SESSION_INVALID', 'CSRF_INVALID']

const byCredential: Record<Credential, ProblemCode[]> = {
  none: [],
  tenant: [
    'VALIDATION_FAILED',
    'TENANT_ID_MISSING',
    'AUTH_MISSING',
    'TENANT_UNKNOWN',
    'TENANT_KEY_INVALID',
    'TENANT_MISMATCH',
    'RIGHTS_INSUFFICIENT',
    ...sessionRefusals,
  ],
  'tenant-key': ['VALIDATION_FAILED', 'AUTH_MISSING', 'TENANT_KEY_INVALID', 'TENANT_MISMATCH', 'RIGHTS_INSUFFICIENT', ...sessionRefusals],
  'any-key': ['VALIDATION_FAILED', 'AUTH_MISSING', 'TENANT_KEY_INVALID', 'TENANT_MISMATCH', 'SESSION_INVALID'],
  tier: tierRefusals,
  'tier+tenant-key': [...tierRefusals, 'TENANT_KEY_MISSING', 'TENANT_KEY_INVALID', 'RIGHTS_INSUFFICIENT', ...sessionRefusals],
  'tier+optional-tenant-key': [...tierRefusals, 'TENANT_KEY_INVALID', 'RIGHTS_INSUFFICIENT', 'SESSION_INVALID'],
}
