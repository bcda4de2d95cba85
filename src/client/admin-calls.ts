/** What an operator does, with an admin or internals key, and the tenant key where a tenant is acted for. */

import { type Api, answered, answeredHealth, type CallOptions, type KeyedOptions, keyed, type QueryOf, type Schema } from './api.js'
import { listOf } from './pages.js'

export type RuntimeOperation = 'start' | 'pause' | 'resume' | 'stop' | 'restart'

/** Whom an operation or a policy set is for. `tenant` and `scope` need the client's tenant key. */
export type Target = { level: 'service' } | { level: 'tenant' } | { level: 'scope'; scopeId: string }

export function adminCalls(api: Api, tenantKey: string | undefined) {
  return {
    health: (options: CallOptions = {}) => answeredHealth(api.GET('/admin/health', { ...options })),
    controlPlaneHealth: (options: CallOptions = {}) => answeredHealth(api.GET('/admin/control-plane/health', { ...options })),
    audit: (query: QueryOf<'listAudit'> = {}) =>
      listOf(cursor => answered(api.GET('/admin/audit', { params: { query: { ...query, cursor } } }))),
    runtime: (operation: RuntimeOperation, target: Target) =>
      answered(
        // The five routes share their types.
        api.POST(`/admin/runtime/${operation}` as '/admin/runtime/start', {
          body: target.level === 'scope' ? { scope_id: target.scopeId } : {},
          ...actingFor(target, tenantKey),
        }),
      ),
    ...tenantAdministration(api),
    ...scopeAdministration(api),
    ...policyAdministration(api, tenantKey),
    ...quarantine(api, tenantKey),
  }
}

function actingFor(target: Target, tenantKey: string | undefined) {
  // Without it the service would take the act for one on all tenants.
  if (target.level === 'tenant' && tenantKey === undefined) throw new Error('acting for a tenant needs its key')
  return target.level === 'service' || tenantKey === undefined ? {} : { headers: { 'x-tenant-api-key': tenantKey } }
}

function tenantAdministration(api: Api) {
  const of = (tenantId: string) => ({ params: { path: { tenantId } } })
  const page = <Query>(tenantId: string, query: Query, cursor?: string) => ({ params: { path: { tenantId }, query: { ...query, cursor } } })
  return {
    tenants: (query: QueryOf<'listTenants'> = {}) =>
      listOf(cursor => answered(api.GET('/admin/tenants', { params: { query: { ...query, cursor } } }))),
    createTenant: (tenant: Schema['CreateTenantRequest']) => answered(api.POST('/admin/tenants', { body: tenant })),
    deleteTenant: (tenantId: string) => answered(api.DELETE('/admin/tenants/{tenantId}', of(tenantId))),
    keys: (tenantId: string, query: QueryOf<'listTenantKeys'> = {}) =>
      listOf(cursor => answered(api.GET('/admin/tenants/{tenantId}/keys', page(tenantId, query, cursor)))),
    createKey: (tenantId: string, key: Schema['CreateKeyRequest'] = {}) =>
      answered(api.POST('/admin/tenants/{tenantId}/keys', { ...of(tenantId), body: key })),
    revokeKey: (tenantId: string, keyId: string) =>
      answered(api.DELETE('/admin/tenants/{tenantId}/keys/{keyId}', { params: { path: { tenantId, keyId } } })),
    sessions: (tenantId: string, query: QueryOf<'listTenantSessions'> = {}) =>
      listOf(cursor => answered(api.GET('/admin/tenants/{tenantId}/sessions', page(tenantId, query, cursor)))),
    revokeSession: (tenantId: string, sessionId: string) =>
      answered(api.DELETE('/admin/tenants/{tenantId}/sessions/{sessionId}', { params: { path: { tenantId, sessionId } } })),
    limits: (tenantId: string) => answered(api.GET('/admin/tenants/{tenantId}/limits', of(tenantId))),
    setLimits: (tenantId: string, limits: Schema['TenantLimits']) =>
      answered(api.PUT('/admin/tenants/{tenantId}/limits', { ...of(tenantId), body: limits })),
  }
}

function scopeAdministration(api: Api) {
  const of = (scopeId: string) => ({ params: { path: { scopeId } } })
  return {
    scopes: (query: QueryOf<'listScopes'> = {}) =>
      listOf(cursor => answered(api.GET('/admin/scopes', { params: { query: { ...query, cursor } } }))),
    createScope: (scope: Schema['CreateScopeRequest']) => answered(api.POST('/admin/scopes', { body: scope })),
    scope: (scopeId: string) => answered(api.GET('/admin/scopes/{scopeId}', of(scopeId))),
    patchScope: (scopeId: string, change: Schema['PatchScopeRequest']) =>
      answered(api.PATCH('/admin/scopes/{scopeId}', { ...of(scopeId), body: change })),
    /** Keeps a document from models, or lets them read it again. */
    setDocumentModel: (scopeId: string, documentId: string, model: 'on' | 'off') =>
      answered(
        api.PUT('/admin/scopes/{scopeId}/documents/{documentId}/model', {
          params: { path: { scopeId, documentId: '-' }, query: { document_id: documentId } },
          body: { model },
        }),
      ),
    attach: (scopeId: string, document: Schema['AttachDocumentRequest'], options: KeyedOptions = {}) => {
      const { params, ...rest } = keyed(options, document.idempotency_key)
      return answered(api.POST('/admin/scopes/{scopeId}/documents', { params: { path: { scopeId }, ...params }, body: document, ...rest }))
    },
    triggerIngest: (scopeId: string, chosen: Schema['TriggerIngestRequest'] = {}) =>
      answered(api.POST('/admin/scopes/{scopeId}/ingest', { ...of(scopeId), body: chosen })),
    summary: (scopeId: string) => answered(api.GET('/admin/scopes/{scopeId}/summary', of(scopeId))),
    metrics: (scopeId: string, query: QueryOf<'getMetrics'> = {}) =>
      answered(api.GET('/admin/scopes/{scopeId}/metrics', { params: { path: { scopeId }, query } })),
    reset: (scopeId: string) => answered(api.POST('/admin/scopes/{scopeId}/reset', of(scopeId))),
    glossary: (scopeId: string) => answered(api.GET('/admin/scopes/{scopeId}/glossary', of(scopeId))),
    setGlossary: (scopeId: string, glossary: Schema['Glossary']) =>
      answered(api.PUT('/admin/scopes/{scopeId}/glossary', { ...of(scopeId), body: glossary })),
  }
}

function policyAdministration(api: Api, tenantKey: string | undefined) {
  const path = (target: Target & { level: 'scope' }) => ({ params: { path: { scopeId: target.scopeId } } })
  return {
    policies: (target: Target) =>
      target.level === 'scope'
        ? answered(api.GET('/admin/scopes/{scopeId}/policies', path(target)))
        : answered(api.GET('/admin/policies', actingFor(target, tenantKey))),
    setPolicies: (target: Target, policies: string) =>
      target.level === 'scope'
        ? answered(api.PUT('/admin/scopes/{scopeId}/policies', { ...path(target), body: { policies } }))
        : answered(api.PUT('/admin/policies', { body: { policies }, ...actingFor(target, tenantKey) })),
    dryRunPolicies: (target: Target, body: Schema['PolicyDryRunRequest']) =>
      target.level === 'scope'
        ? answered(api.POST('/admin/scopes/{scopeId}/policies/dry-run', { ...path(target), body }))
        : answered(api.POST('/admin/policies/dry-run', { body, ...actingFor(target, tenantKey) })),
  }
}

function quarantine(api: Api, tenantKey: string | undefined) {
  return {
    quarantine: (target: Target, query: Omit<QueryOf<'listQuarantine'>, 'scope_id'> = {}) =>
      listOf(cursor =>
        answered(
          api.GET('/admin/quarantine', {
            params: { query: { ...query, ...scopeOf(target), cursor } },
            ...actingFor(target, tenantKey),
          }),
        ),
      ),
    retryQuarantine: (target: Target, documentIds?: string[]) =>
      answered(
        api.POST('/admin/quarantine/retry', {
          body: { ...scopeOf(target), ...(documentIds === undefined ? {} : { document_ids: documentIds }) },
          ...actingFor(target, tenantKey),
        }),
      ),
  }
}

function scopeOf(target: Target): { scope_id?: string } {
  return target.level === 'scope' ? { scope_id: target.scopeId } : {}
}
