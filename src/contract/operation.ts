/**
 * What an operation of the API is: one value holds its address, credential, input, answer and refusals. Routes,
 * validation, the OpenAPI document and the conformance tests are all made from these values.
 */

import type { TObject, TSchema } from 'typebox'
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
  /** Headers beyond credentials. */
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
  /** Describes 202 without a body, where some of what is sent has no answer. */
  accepted?: string
  /** A body of its own instead of a problem when the service is not healthy. */
  unavailable?: TSchema
  /** Refusals beyond those that follow from the credential, the body and the parameters. */
  refusals: readonly ProblemCode[]
  stream?: boolean
  replacement?: string
  /** Not recorded in the audit log: health reads and scrapes. */
  unaudited?: boolean
}

/** An operation as it is written down: method and path in one, and without the refusals that follow from its parameters. */
export interface OperationDraft extends Omit<Operation, 'id' | 'method' | 'path' | 'refusals'> {
  route: `${Operation['method']} /${string}`
  refusals?: readonly ProblemCode[]
}

type Defined<T> = { [K in keyof T]: Omit<T[K], 'route'> & Pick<Operation, 'id' | 'method' | 'path' | 'refusals'> }

export function defineOperations<const T extends Record<string, OperationDraft>>(drafts: T): Defined<T> {
  const defined = Object.entries(drafts).map(([id, { route, refusals = [], ...rest }]) => {
    const [method, path] = route.split(' ')
    return [id, { ...rest, id, method, path, refusals }]
  })
  return Object.fromEntries(defined) as Defined<T>
}

/** What most operations of the public tier ask for. */
export function forTenants<const T extends string>(tag: T) {
  return { tier: 'public', credential: 'tenant-key', tag } as const
}

/** All codes an operation can answer with, in the order of the statuses. */
export function refusalsOf(operation: Operation): ProblemCode[] {
  const codes = new Set<ProblemCode>(operation.refusals)
  for (const code of byCredential[operation.credential]) codes.add(code)
  if (operation.body) for (const code of bodyRefusals) codes.add(code)
  if (operation.upload) for (const code of bodyRefusals) if (code !== 'JSON_INVALID') codes.add(code)
  if (operation.query || operation.headers) codes.add('VALIDATION_FAILED')
  if (operation.params && 'scopeId' in operation.params.properties) codes.add('SCOPE_NOT_FOUND')
  if (operation.query && ('cursor' in operation.query.properties || 'after' in operation.query.properties)) codes.add('CURSOR_INVALID')
  for (const code of ['RATE_LIMITED', 'INTERNAL', 'OVERLOADED', 'STORAGE_UNAVAILABLE'] as const) codes.add(code)
  return [...codes]
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
