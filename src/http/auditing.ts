/** What of a request goes into the audit log. */

import type { FastifyRequest } from 'fastify'
import type { Operation } from '../contract/operation.js'
import { type ProblemCode, problems } from '../contract/problems.js'
import type { AppError } from '../platform/errors.js'
import { newId, newTenantId } from '../platform/ids.js'
import type { Logger } from '../platform/logger.js'
import { networkOf } from '../platform/network.js'
import { cut } from '../platform/storable-text.js'
import type { Audit } from '../tenancy/audit.js'
import type { NewIds } from '../tenancy/tenants.js'
import { type Caller, refusedCaller } from './auth.js'

interface AuditingDeps {
  audit: Audit
  logger: Logger
}

/** Acts of operators, and of tenants those that erase, set or lift a legal hold, assign, comment, sign out or tell a webhook where to send what. */
export function isRecorded({ tier, audited, unaudited }: Operation): boolean {
  return tier === 'public' ? audited === true : !unaudited
}

/** What an act gives access with is named before it is made, so that its row says what it was, whatever dies meanwhile. */
export function newIdsOf({ id }: Operation): NewIds {
  if (id === 'createTenant') return { tenantId: newTenantId(), keyId: newId('key') }
  return id === 'createTenantKey' ? { keyId: newId('key') } : {}
}

/** Of a request that was checked, so that `by` is a name. Never its reason, which can have words of a document. */
export function checkedDraft(operation: Operation, request: FastifyRequest, { tenantId, keyId }: NewIds = {}) {
  const asked = auditDraft(operation, request)
  const made = {
    tenantId: asked.tenantId ?? tenantId ?? null,
    detail: { ...asked.detail, ...(keyId === undefined ? {} : { key_id: keyId }) },
  }
  const draft = { ...asked, ...made }
  const { by } = { ...(request.query as object), ...(request.body as object | null | undefined) } as { by?: unknown }
  return operation.tier === 'public' && typeof by === 'string' ? { ...draft, detail: { ...draft.detail, by } } : draft
}

function auditDraft(operation: Operation, request: FastifyRequest, caller = request.caller as Caller) {
  const params = request.params as Partial<
    Record<'scopeId' | 'tenantId' | 'keyId' | 'sessionId' | 'documentId' | 'webhookId' | 'contradictionId', string>
  >
  const body = request.body as { scope_id?: unknown } | undefined | null
  const query = request.query as { scope_id?: unknown; document_id?: unknown } | undefined
  const scopeId = params.scopeId ?? textOf(body?.scope_id) ?? textOf(query?.scope_id)
  // The path has `-` for an id that may not survive in one.
  const documentId = textOf(query?.document_id) ?? params.documentId ?? null
  return {
    tier: operation.tier,
    actor: actorOf(caller),
    action: operation.id,
    outcome: 'allowed' as const,
    tenantId: caller.tenantId ?? shortened(params.tenantId, 100),
    scopeId: shortened(scopeId, 200),
    requestId: request.id,
    address: request.ip,
    detail: {
      ...(params.keyId === undefined ? {} : { key_id: cut(params.keyId, 100) }),
      ...(documentId === null ? {} : { document_id: cut(documentId, 200) }),
      ...(params.webhookId === undefined ? {} : { webhook_id: cut(params.webhookId, 100) }),
      ...(params.contradictionId === undefined ? {} : { contradiction_id: cut(params.contradictionId, 100) }),
      ...(params.sessionId === undefined ? {} : { session_id: cut(params.sessionId, 100) }),
      ...(caller.permission === null
        ? {}
        : { [caller.permission.key_id.startsWith('ses_') ? 'session' : 'tenant_key']: caller.permission.key_id }),
      ...(caller.permission?.person == null ? {} : { person: caller.permission.person }),
    },
  }
}

/** Of a tenant, which key or session it was; both are named by their ids. */
export function actorOf({ tier, fingerprint, permission }: Caller): string {
  if (tier !== null || permission === null) return fingerprint
  return `${permission.key_id.startsWith('ses_') ? 'session' : 'key'}:${permission.key_id}`
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** As far as a name of ours may be long: of what a request calls by its own names, no more is kept. */
function shortened(name: string | null | undefined, most: number): string | null {
  return name == null ? null : cut(name, most)
}

/** Refusals before the act: by a valid key they get a row of their own, without one or by a limit they are counted, which nobody waits for. */
export async function auditRefusal(request: FastifyRequest, error: AppError, deps: AuditingDeps): Promise<void> {
  const { operation } = request
  if (operation === null || request.auditId !== null) return
  const caller = request.caller ?? refusedCaller(error)
  const { status } = problems[error.code]
  const kept = refusalKept(operation, caller, error.code)
  if (kept === 'count') {
    // By network: one IPv6 customer has more addresses than a table has rows.
    const actor = caller === undefined ? 'nobody' : actorOf(caller)
    deps.audit.count({ tier: operation.tier, action: operation.id, status, actor, address: networkOf(request.ip) })
  }
  if (kept !== 'row') return
  await deps.audit
    .begin({ ...auditDraft(operation, request, caller), outcome: 'refused' }, status)
    .catch((failure: unknown) => deps.logger.warn({ err: failure, request_id: request.id }, 'audit write failed'))
}

function refusalKept(operation: Operation, caller: Caller | undefined, code: ProblemCode): 'row' | 'count' | 'nothing' {
  const isOurs = problems[code].status >= 500
  // Naming a tenant is no key. On the public tier whose call it was is not known while nothing can be looked up.
  if (caller === undefined || code === 'AUTH_MISSING') return operation.tier === 'public' && isOurs ? 'nothing' : 'count'
  if (!isRecorded(operation)) return 'nothing'
  // Every act waits for the rows before its own: those of a flood would hold up everybody.
  if (code === 'RATE_LIMITED' || code === 'OVERLOADED') return 'count'
  return isOurs ? 'nothing' : 'row'
}
