/** Answers that several operations share: health, pages, what carries an ETag, and control of the runtime. */

import type { RuntimeOperation } from '../contract/runtime-operations.js'
import type { ControlTarget } from '../hatchery/control.js'
import { AppError } from '../platform/errors.js'
import { type ListIdentity, type PageRequest, pageOf, readPaging } from '../scopes/cursors.js'
import { getSummary } from '../scopes/summary.js'
import type { Caller } from './auth.js'
import type { Answer, Call } from './handler.js'
import type { Services } from './services.js'

/** Health answers have their own body in every state: 503 when unavailable, else 200. */
export function answerHealth(body: { status: string; [figure: string]: unknown }): Answer {
  return { status: body.status === 'unavailable' ? 503 : 200, body, headers: body.status === 'unavailable' ? { 'retry-after': '1' } : {} }
}

type Tier = 'admin' | 'internals'

export async function tierHealth(services: Services, tier: Tier, caller: Caller): Promise<Answer> {
  return answerHealth(healthOf(services, tier, caller, (await services.isReady()) ? 'ok' : 'unavailable'))
}

export async function checkedHealth(services: Services, tier: Tier, caller: Caller, part: 'control-plane' | 'kernel'): Promise<Answer> {
  const { status, checks } = await services.health(part)
  return answerHealth({ ...healthOf(services, tier, caller, status), checks })
}

function healthOf({ version, clock }: Services, tier: Tier, caller: Caller, status: string) {
  return { status, tier, authTier: caller.tier, version, time: clock.now().toISOString() }
}

interface ScopeCall {
  tenantId: string
  params: { scopeId: string }
}

export function nameOf({ tenantId, params: { scopeId } }: ScopeCall) {
  return { tenantId, scopeId }
}

export async function summaryAnswer({ scopes }: Services, call: ScopeCall & Pick<Call, 'headers'>): Promise<Answer> {
  return taggedAnswer(await getSummary(scopes, { ...nameOf(call), ifNoneMatch: call.headers['if-none-match'] }))
}

export function taggedAnswer({ etag, body }: { etag: string; body: unknown }): Answer {
  const headers = { etag, 'cache-control': 'private, no-cache' }
  return body === null ? { status: 304, headers } : { body, headers }
}

/** What is read behind the id of the last row of the page before: one more than is shown tells whether there is a next page. */
export interface PageRead {
  after: string | null
  limit: number
}

/** A page of a list whose rows are in the order of one id. */
export async function pageAnswer<Row, Item = Row>(
  request: PageRequest,
  list: ListIdentity,
  read: (page: PageRead) => Promise<readonly Row[]>,
  make: { id: (row: Row) => string; item?: (row: Row) => Item },
): Promise<Answer> {
  const paging = readPaging(request, list, ['string'])
  const rows = await read({ after: (paging.after?.[0] as string | undefined) ?? null, limit: paging.limit + 1 })
  const { id, item = (row: Row) => row as unknown as Item } = make
  return { body: pageOf(rows, paging, list, { place: row => [id(row)], item }) }
}

interface RuntimeCall {
  tenantId: string
  body: { scope_id?: string | undefined } | undefined
}

export function runtimeHandler(services: Services, operation: RuntimeOperation) {
  return async (call: RuntimeCall): Promise<Answer> => ({ body: await services.control(operation, targetOf(call)) })
}

function targetOf({ tenantId, body }: RuntimeCall): ControlTarget {
  const scopeId = body?.scope_id
  if (tenantId === '') {
    if (scopeId !== undefined) throw new AppError('TENANT_KEY_MISSING', { detail: 'A case is addressed together with its tenant’s key.' })
    return { level: 'service' }
  }
  return scopeId === undefined ? { level: 'tenant', tenantId } : { level: 'scope', tenantId, scopeId }
}
