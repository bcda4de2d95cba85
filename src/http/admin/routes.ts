/** The admin tier: tenants, keys, scopes, policies, quarantine, audit and the runtime. */

import { adminOperations } from '../../contract/admin-operations.js'
import { pageOf, readPaging } from '../../scopes/cursors.js'
import { attachDocument } from '../../scopes/documents/attach.js'
import { setDocumentModel } from '../../scopes/documents/model-use.js'
import { listQuarantine, retryQuarantine } from '../../scopes/documents/quarantine.js'
import { triggerIngest } from '../../scopes/documents/trigger.js'
import { getGlossary, putGlossary } from '../../scopes/glossary.js'
import { createScope, getScope, listScopes } from '../../scopes/lifecycle.js'
import { getMetrics } from '../../scopes/metrics.js'
import { dryRunPolicies, getPolicies, putPolicies, putScopePolicies } from '../../scopes/policies.js'
import { resetScope } from '../../scopes/reset.js'
import { patchScope } from '../../scopes/settings.js'
import { listAuditRows } from '../../store/tenants/audit.js'
import { checkedHealth, nameOf, pageAnswer, runtimeHandler, summaryAnswer, taggedAnswer, tierHealth } from '../answers.js'
import { documentNamed } from '../document-call.js'
import type { HandlersOf } from '../handler.js'
import { idempotencyKeyOf, replayed } from '../idempotency.js'
import { checkedKey } from '../key-request.js'
import { reachOf } from '../permission.js'
import type { Services } from '../services.js'
import { streamScope } from '../stream-answer.js'

type AdminHandlers = HandlersOf<typeof adminOperations>

export function adminHandlers(services: Services): AdminHandlers {
  return {
    getAdminHealth: call => tierHealth(services, 'admin', call.caller),
    getAdminControlPlaneHealth: call => checkedHealth(services, 'admin', call.caller, 'control-plane'),
    ...tenantHandlers(services),
    ...scopeHandlers(services),
    ...governanceHandlers(services),
    startAdminRuntime: runtimeHandler(services, 'start'),
    pauseAdminRuntime: runtimeHandler(services, 'pause'),
    resumeAdminRuntime: runtimeHandler(services, 'resume'),
    stopAdminRuntime: runtimeHandler(services, 'stop'),
    restartAdminRuntime: runtimeHandler(services, 'restart'),
  }
}

function tenantHandlers({ tenants, sessions, clock }: Services) {
  return {
    createTenant: async call => ({ body: await tenants.create(call.body.name, call.newIds) }),
    listTenants: call => pageAnswer(call.query, ['tenants'], page => tenants.list(page), { id: row => row.tenant_id }),
    deleteTenant: async call => ({ body: await tenants.delete(call.params.tenantId) }),
    listTenantKeys: async call => {
      const { tenantId } = call.params
      return pageAnswer(call.query, ['tenant-keys', tenantId], page => tenants.listKeys(tenantId, page), { id: row => row.key_id })
    },
    createTenantKey: async call => {
      const wanted = checkedKey(call.body ?? {}, clock.now())
      return { body: await tenants.createKey(call.params.tenantId, wanted, call.newIds) }
    },
    revokeTenantKey: async call => ({ body: await tenants.revokeKey(call.params.tenantId, call.params.keyId) }),
    listTenantSessions: async call => {
      const { tenantId } = call.params
      return pageAnswer(call.query, ['tenant-sessions', tenantId], page => sessions.list(tenantId, page), { id: row => row.session_id })
    },
    revokeTenantSession: async call => ({ body: await sessions.revoke(call.params.tenantId, call.params.sessionId) }),
    getTenantLimits: async call => ({ body: await tenants.limits(call.params.tenantId) }),
    putTenantLimits: async call => ({ body: await tenants.setLimits(call.params.tenantId, call.body) }),
  } satisfies Partial<AdminHandlers>
}

function scopeHandlers(services: Services) {
  const { scopes } = services
  return {
    listScopes: async call => ({ body: await listScopes(scopes, call.tenantId, { ...call.query, within: reachOf(call.caller) }) }),
    createScope: async call => ({ body: await createScope(scopes, call.tenantId, call.body) }),
    getScope: async call => ({ body: await getScope(scopes, nameOf(call)) }),
    patchScope: async call => ({ body: await patchScope(scopes, nameOf(call), call.body) }),
    attachDocument: async call => {
      const { idempotency_key: inBody, ...document } = call.body
      const answer = await attachDocument(scopes, nameOf(call), document, idempotencyKeyOf(call.headers, inBody))
      return { body: answer.body, headers: replayed(answer.replayed) }
    },
    ingestScopeFile: call => {
      const { scopeId } = call.params
      return services.files.receive(call, { ...adminOperations.ingestScopeFile.upload, scopeId })
    },
    putDocumentModel: async call => {
      const document = documentNamed({ ...call, query: { ...call.query, scope_id: call.params.scopeId } })
      return { body: await setDocumentModel(scopes, { ...document, ...call.body }) }
    },
    triggerIngest: async call => ({ body: await triggerIngest(scopes, nameOf(call), call.body?.document_ids) }),
    getSummary: call => summaryAnswer(services, call),
    getMetrics: async call => {
      const { from, to } = call.query
      return taggedAnswer(await getMetrics(scopes, { ...nameOf(call), from, to, ifNoneMatch: call.headers['if-none-match'] }))
    },
    streamScope: call => streamScope(services, call),
    resetScope: async call => ({ body: await resetScope(scopes, nameOf(call)) }),
    getGlossary: async call => ({ body: await getGlossary(scopes, nameOf(call)) }),
    putGlossary: async call => ({ body: await putGlossary(scopes, nameOf(call), call.body) }),
  } satisfies Partial<AdminHandlers>
}

function governanceHandlers({ scopes, db }: Services) {
  const whose = ({ tenantId }: { tenantId: string }) => ({ tenantId: tenantId || null })
  return {
    getPolicies: async call => ({ body: await getPolicies(scopes, whose(call)) }),
    putPolicies: async call => ({ body: await putPolicies(scopes, whose(call), call.body.policies) }),
    dryRunPolicies: async call => ({ body: await dryRunPolicies(scopes, whose(call), call.body) }),
    getScopePolicies: async call => ({ body: await getPolicies(scopes, nameOf(call)) }),
    putScopePolicies: async call => ({ body: await putScopePolicies(scopes, nameOf(call), call.body.policies) }),
    dryRunScopePolicies: async call => ({ body: await dryRunPolicies(scopes, nameOf(call), call.body) }),
    listQuarantine: async call => ({ body: await listQuarantine(scopes, { ...call.query, ...whose(call) }) }),
    retryQuarantine: async call => ({ body: await retryQuarantine(scopes, { ...call.body, ...whose(call) }) }),
    listAudit: async call => {
      const {
        tenant_id: tenantId = null,
        action = null,
        scope_id: scopeId = null,
        document_id: documentId = null,
        person = null,
      } = call.query
      const filter = { tenantId, action, scopeId, documentId, person }
      const list = ['audit', ...Object.values(filter)]
      const paging = readPaging(call.query, list, ['number'])
      const before = (paging.after?.[0] as number | undefined) ?? null
      const rows = await listAuditRows(db, { before, limit: paging.limit + 1, ...filter })
      return { body: pageOf(rows, paging, list, { place: row => [row.id], item: row => ({ ...row, id: String(row.id) }) }) }
    },
  } satisfies Partial<AdminHandlers>
}
