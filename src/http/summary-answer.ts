/** The summary of a scope, which two tiers offer, with its ETag. */

import { getSummary } from '../scopes/summary.js'
import type { Answer } from './handler.js'
import type { Services } from './services.js'

interface SummaryCall {
  tenantId: string
  params: { scopeId: string }
  headers: Record<string, string | undefined>
}

export async function summaryAnswer(services: Services, call: SummaryCall): Promise<Answer> {
  const tagged = await getSummary(services.scopes, {
    tenantId: call.tenantId,
    scopeId: call.params.scopeId,
    ifNoneMatch: call.headers['if-none-match'],
  })
  return taggedAnswer(tagged)
}

export function taggedAnswer({ etag, body }: { etag: string; body: unknown }): Answer {
  const headers = { etag, 'cache-control': 'private, no-cache' }
  return body === null ? { status: 304, headers } : { body, headers }
}
