/**
 * The API as openapi-fetch sees it, with credentials put where each route wants them, retries beneath, and answers as
 * values: what is refused is thrown.
 */

import createOpenApiClient, { type Client as OpenApiClient } from 'openapi-fetch'
import type { components, operations, paths } from './api-types.js'
import { problemFrom } from './problem-error.js'
import { defaultRetries, type Fetch, type RetryPolicy, retryingFetch } from './retrying-fetch.js'

export type Api = OpenApiClient<paths>
export type Schema = components['schemas']

export interface Credentials {
  tenantId?: string | undefined
  tenantKey?: string | undefined
  adminKey?: string | undefined
  internalsKey?: string | undefined
  /** Of a browser's session, where no tenant key is given. */
  csrfToken?: string | undefined
}

export interface ApiOptions extends Credentials {
  url: string
  fetch?: Fetch | undefined
  retries?: number | Partial<RetryPolicy> | undefined
}

export function createApi({ url, fetch = (input, init) => globalThis.fetch(input, init), retries, ...credentials }: ApiOptions): Api {
  const policy = { ...defaultRetries, ...(typeof retries === 'number' ? { attempts: retries + 1 } : retries) }
  const api = createOpenApiClient<paths>({ baseUrl: url, fetch: retryingFetch(fetch, policy) })
  api.use({
    onRequest: ({ request, schemaPath }) => {
      for (const [name, value] of Object.entries(credentialHeaders(schemaPath, credentials))) {
        if (value !== undefined && !request.headers.has(name)) request.headers.set(name, value)
      }
      if (credentials.csrfToken !== undefined && request.method !== 'GET') request.headers.set('x-csrf-token', credentials.csrfToken)
    },
  })
  return api
}

/** Routes that act on the whole service without a tenant key get one only when the caller says so. */
function credentialHeaders(path: string, credentials: Credentials): Record<string, string | undefined> {
  const { tenantId, tenantKey, adminKey, internalsKey } = credentials
  const bearer = (key: string | undefined) => (key === undefined ? undefined : `Bearer ${key}`)
  // Any key may ask what it is.
  if (path === '/api/me' && tenantKey === undefined) return { authorization: bearer(adminKey ?? internalsKey) }
  if (path.startsWith('/api/')) return path === '/api/health' ? {} : { 'x-tenant-id': tenantId, 'x-tenant-api-key': tenantKey }
  if (path.startsWith('/admin/scopes')) return { authorization: bearer(adminKey ?? internalsKey), 'x-tenant-api-key': tenantKey }
  if (path.startsWith('/admin/')) return { authorization: bearer(adminKey ?? internalsKey) }
  if (path.startsWith('/internals/kernel/runtime')) return { authorization: bearer(internalsKey), 'x-tenant-api-key': tenantKey }
  if (path.startsWith('/internals/') || path === '/metrics') return { authorization: bearer(internalsKey) }
  return {}
}

interface Called {
  data?: unknown
  error?: unknown
  response: Response
}

/** The answer's body, or a ProblemError. */
export async function answered<T extends Called>(call: Promise<T>): Promise<NonNullable<T['data']>> {
  const { data, error, response } = await call
  if (!response.ok) throw problemFrom(error, response)
  return data as NonNullable<T['data']>
}

/** Health routes answer 503 with the same body: unhealthy is an answer, not a failure of the call. */
export async function answeredHealth<T extends Called>(call: Promise<T>): Promise<NonNullable<T['data']>> {
  const { data, error, response } = await call
  if (response.ok) return data as NonNullable<T['data']>
  const isHealth = response.status === 503 && typeof error === 'object' && error !== null && !('code' in error)
  if (!isHealth) throw problemFrom(error, response)
  return error as NonNullable<T['data']>
}

export interface CallOptions {
  signal?: AbortSignal
}

export interface KeyedOptions extends CallOptions {
  /** Repeating a call with the same key and body does nothing twice; one is made when none is given. */
  idempotencyKey?: string
}

/** The filters of a list. */
export type QueryOf<Id extends keyof operations> = Omit<NonNullable<operations[Id]['parameters']['query']>, 'cursor'>

/** `model: 'off'`: no model is asked about the documents or shown them. `about`: what they are about. */
export interface IntakeOptions extends KeyedOptions {
  model?: 'off' | undefined
  about?: string | undefined
}

/** What is said beside bodies of closed form. */
export function marksOf({ model, about }: Pick<IntakeOptions, 'model' | 'about'>) {
  return { ...(model && { 'X-Document-Model': model }), ...(about && { 'X-Document-About': encodeURIComponent(about) }) }
}

export function keyed({ idempotencyKey, signal, ...marks }: IntakeOptions, bodyKey?: string) {
  const header = { 'Idempotency-Key': idempotencyKey ?? bodyKey ?? newIdempotencyKey(), ...marksOf(marks) }
  return { params: { header }, ...(signal ? { signal } : {}) }
}

export function streaming(signal: AbortSignal) {
  return { headers: { accept: 'text/event-stream' }, parseAs: 'stream', signal } as const
}

export async function streamed(call: Promise<Called>): Promise<ReadableStream<Uint8Array>> {
  return (await answered(call)) as ReadableStream<Uint8Array>
}

/** 128 random bits; `crypto.randomUUID` is missing on pages that are not served securely. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
