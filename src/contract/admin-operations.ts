/** The operations of the admin tier: tenants, keys, scopes, policies, quarantine, audit and the runtime. */

import { Type } from '../platform/schema.js'
import { etagHeader, idempotencyHeader, pageQuery, ScopeId, Time } from './common.js'
import {
  AttachDocumentRequest,
  DocumentRecord,
  documentId,
  QuarantinePage,
  QuarantineRetryRequest,
  QuarantineRetryResponse,
  TriggerIngestRequest,
  TriggerIngestResponse,
} from './documents.js'
import { adminFileOperations } from './file-operations.js'
import { CheckedHealthResponse, TierHealthResponse } from './health.js'
import { DocumentModel, DocumentModelRequest } from './model-use.js'
import { defineOperations, forOperators } from './operation.js'
import { PolicyDryRunRequest, PolicyDryRunResult, PolicyPutResult, PolicyView, PutPoliciesRequest } from './policies.js'
import { streamed, streamHeaders, streamQuery } from './public-operations.js'
import { runtimeOperations } from './runtime-operations.js'
import {
  CreateScopeRequest,
  Glossary,
  GlossaryView,
  PatchScopeRequest,
  ResetResult,
  Scope,
  ScopeDetail,
  ScopeMetrics,
  ScopePage,
  ScopeSummary,
} from './scopes.js'
import { sessionOperations } from './sign-in-operations.js'
import {
  AuditPage,
  CreateKeyRequest,
  CreateKeyResponse,
  CreateTenantRequest,
  CreateTenantResponse,
  TenantDeleted,
  TenantKey,
  TenantKeyPage,
  TenantLimits,
  TenantLimitsView,
  TenantPage,
} from './tenants.js'

const health = defineOperations(forOperators('Health'), {
  getAdminHealth: {
    route: 'GET /admin/health',
    summary: 'Health of the admin tier',
    success: { status: 200, description: 'The tier answers.', schema: TierHealthResponse },
    unavailable: TierHealthResponse,
    unaudited: true,
  },
  getAdminControlPlaneHealth: {
    route: 'GET /admin/control-plane/health',
    summary: 'Health of the control plane',
    success: { status: 200, description: 'Every check with its figures.', schema: CheckedHealthResponse },
    unavailable: CheckedHealthResponse,
    unaudited: true,
  },
})

const tenants = defineOperations(forOperators('Tenants'), {
  createTenant: {
    route: 'POST /admin/tenants',
    summary: 'Create a tenant and its first key',
    body: { schema: CreateTenantRequest, required: true },
    success: { status: 201, description: 'The tenant and its key, shown once.', schema: CreateTenantResponse },
  },
  listTenants: {
    route: 'GET /admin/tenants',
    summary: 'List tenants',
    query: Type.Object(pageQuery),
    success: { status: 200, description: 'A page of tenants.', schema: TenantPage },
  },
  deleteTenant: {
    route: 'DELETE /admin/tenants/{tenantId}',
    summary: 'Delete a tenant and everything it owns',
    description:
      'Its keys stop working at once; rows are removed in batches behind, and `tenant.removed` on the kernel stream says when; a tombstone stays in the audit log.',
    success: { status: 200, description: 'The tenant is gone.', schema: TenantDeleted },
    refusals: ['TENANT_NOT_FOUND', 'LEGAL_HOLD'],
  },
  listTenantKeys: {
    route: 'GET /admin/tenants/{tenantId}/keys',
    summary: 'List a tenant’s keys',
    query: Type.Object(pageQuery),
    success: { status: 200, description: 'A page of keys, without the keys themselves.', schema: TenantKeyPage },
    refusals: ['TENANT_NOT_FOUND'],
  },
  createTenantKey: {
    route: 'POST /admin/tenants/{tenantId}/keys',
    summary: 'Create another key of a tenant',
    body: { schema: CreateKeyRequest, required: false },
    success: { status: 201, description: 'The key, shown once.', schema: CreateKeyResponse },
    refusals: ['TENANT_NOT_FOUND'],
  },
  revokeTenantKey: {
    route: 'DELETE /admin/tenants/{tenantId}/keys/{keyId}',
    summary: 'Revoke a key',
    description: 'Effective within one second on every node; streams opened with it end.',
    success: { status: 200, description: 'The key, revoked.', schema: TenantKey },
    refusals: ['TENANT_NOT_FOUND'],
  },
  getTenantLimits: {
    route: 'GET /admin/tenants/{tenantId}/limits',
    summary: 'Read a tenant’s limits and usage',
    success: { status: 200, description: 'Limits and usage.', schema: TenantLimitsView },
    refusals: ['TENANT_NOT_FOUND'],
  },
  putTenantLimits: {
    route: 'PUT /admin/tenants/{tenantId}/limits',
    summary: 'Set a tenant’s limits',
    description: 'What is left out is unlimited, or has its default.',
    body: { schema: TenantLimits, required: true },
    success: { status: 200, description: 'Limits and usage.', schema: TenantLimitsView },
    refusals: ['TENANT_NOT_FOUND'],
  },
})

const scopes = defineOperations(forOperators('Scopes', 'tier+tenant-key'), {
  listScopes: {
    route: 'GET /admin/scopes',
    summary: 'List the scopes of the tenant',
    query: Type.Object(pageQuery),
    success: { status: 200, description: 'A page of scopes.', schema: ScopePage },
  },
  createScope: {
    route: 'POST /admin/scopes',
    summary: 'Create a scope',
    body: { schema: CreateScopeRequest, required: true },
    success: { status: 201, description: 'The scope.', schema: Scope },
    refusals: ['SCOPE_EXISTS', 'QUOTA_EXCEEDED'],
  },
  getScope: {
    route: 'GET /admin/scopes/{scopeId}',
    summary: 'Read a scope and its settings',
    success: { status: 200, description: 'The scope.', schema: ScopeDetail },
  },
  patchScope: {
    route: 'PATCH /admin/scopes/{scopeId}',
    summary: 'Change name, mode or settings of a scope',
    body: { schema: PatchScopeRequest, required: true },
    success: { status: 200, description: 'The scope.', schema: ScopeDetail },
    refusals: ['STATE_CONFLICT'],
  },
  attachDocument: {
    route: 'POST /admin/scopes/{scopeId}/documents',
    summary: 'Attach a document without processing it yet',
    headers: idempotencyHeader,
    body: { schema: AttachDocumentRequest, required: true },
    success: { status: 201, description: 'The record, with status `attached`.', schema: DocumentRecord },
    refusals: ['QUOTA_EXCEEDED', 'IDEMPOTENCY_KEY_REUSED'],
  },
  ...adminFileOperations,
  putDocumentModel: {
    route: 'PUT /admin/scopes/{scopeId}/documents/{documentId}/model',
    summary: 'Keep a document from models, or let them read it again',
    description:
      'Off, no model is asked about it or shown it from now on; what was sent before is listed. On again, a model is asked about it when it is read the next time.',
    query: Type.Object({ document_id: Type.Optional(documentId) }),
    body: { schema: DocumentModelRequest, required: true },
    success: { status: 200, description: 'Whether models may read it, and what they were shown.', schema: DocumentModel },
  },
  triggerIngest: {
    route: 'POST /admin/scopes/{scopeId}/ingest',
    summary: 'Queue attached documents',
    body: { schema: TriggerIngestRequest, required: false },
    success: { status: 200, description: 'How many were queued, and which.', schema: TriggerIngestResponse },
    refusals: ['DOCUMENT_NOT_FOUND'],
  },
  getSummary: {
    route: 'GET /admin/scopes/{scopeId}/summary',
    summary: 'Everything about a scope on one page',
    headers: etagHeader,
    success: { status: 200, description: 'The summary.', schema: ScopeSummary, headers: { ETag: 'Changes when the summary does.' } },
  },
  getMetrics: {
    route: 'GET /admin/scopes/{scopeId}/metrics',
    summary: 'Numbers of a scope over a period',
    query: Type.Object({ from: Type.Optional(Time), to: Type.Optional(Time) }),
    headers: etagHeader,
    success: {
      status: 200,
      description: 'The numbers; the last 24 hours unless asked otherwise.',
      schema: ScopeMetrics,
      headers: { ETag: 'Changes when the scope or the period does.' },
    },
  },
  streamScope: {
    tag: 'Events',
    route: 'GET /admin/scopes/{scopeId}/events',
    summary: 'Follow the events of a scope',
    query: Type.Object(streamQuery),
    headers: streamHeaders,
    success: streamed,
    stream: true,
  },
  resetScope: {
    route: 'POST /admin/scopes/{scopeId}/reset',
    summary: 'Reset the data of a scope',
    description: 'Documents, claims, contradictions and decisions are gone for every reader at once; the scope and its event log stay.',
    success: { status: 200, description: 'The scope starts over.', schema: ResetResult },
    refusals: ['LEGAL_HOLD'],
  },
  getGlossary: {
    route: 'GET /admin/scopes/{scopeId}/glossary',
    summary: 'Read the glossary of a scope',
    success: { status: 200, description: 'The glossary.', schema: GlossaryView },
  },
  putGlossary: {
    route: 'PUT /admin/scopes/{scopeId}/glossary',
    summary: 'Set the glossary of a scope',
    body: { schema: Glossary, required: true },
    success: { status: 200, description: 'The glossary.', schema: GlossaryView },
    refusals: ['STATE_CONFLICT'],
  },
})

const policies = defineOperations(forOperators('Policies', 'tier+optional-tenant-key'), {
  getPolicies: {
    route: 'GET /admin/policies',
    summary: 'Read the policy set of the tenant, or of the service',
    success: { status: 200, description: 'The set in force.', schema: PolicyView },
  },
  putPolicies: {
    route: 'PUT /admin/policies',
    summary: 'Set the policy set of the tenant, or of the service',
    body: { schema: PutPoliciesRequest, required: true },
    success: { status: 200, description: 'The set in force.', schema: PolicyPutResult },
    refusals: ['POLICY_INVALID'],
  },
  dryRunPolicies: {
    route: 'POST /admin/policies/dry-run',
    summary: 'See what a policy set would have decided',
    body: { schema: PolicyDryRunRequest, required: true },
    success: { status: 200, description: 'Which of the last decisions would have been others.', schema: PolicyDryRunResult },
    refusals: ['POLICY_INVALID'],
  },
})

const scopePolicies = defineOperations(forOperators('Policies', 'tier+tenant-key'), {
  getScopePolicies: {
    route: 'GET /admin/scopes/{scopeId}/policies',
    summary: 'Read the policy set of a scope',
    success: { status: 200, description: 'The set in force.', schema: PolicyView },
  },
  putScopePolicies: {
    route: 'PUT /admin/scopes/{scopeId}/policies',
    summary: 'Set the policy set of a scope',
    description:
      'Replaces the whole set. The set in force until then is asked: what it holds answers 409 and takes effect once somebody approves it; what it would reject is admitted, with a record that says so, because nobody could lift that otherwise.',
    body: { schema: PutPoliciesRequest, required: true },
    success: { status: 200, description: 'The set in force.', schema: PolicyPutResult },
    refusals: ['POLICY_INVALID', 'STATE_CONFLICT'],
  },
  dryRunScopePolicies: {
    route: 'POST /admin/scopes/{scopeId}/policies/dry-run',
    summary: 'See what a policy set would have decided in a scope',
    body: { schema: PolicyDryRunRequest, required: true },
    success: { status: 200, description: 'Which of the last decisions would have been others.', schema: PolicyDryRunResult },
    refusals: ['POLICY_INVALID'],
  },
})

const quarantine = defineOperations(forOperators('Quarantine', 'tier+optional-tenant-key'), {
  listQuarantine: {
    route: 'GET /admin/quarantine',
    summary: 'List documents that failed after all attempts',
    query: Type.Object({ scope_id: Type.Optional(ScopeId), ...pageQuery }),
    success: { status: 200, description: 'A page of documents, of the tenant or of all.', schema: QuarantinePage },
    refusals: ['SCOPE_NOT_FOUND', 'TENANT_KEY_MISSING'],
  },
  retryQuarantine: {
    route: 'POST /admin/quarantine/retry',
    summary: 'Queue quarantined documents again',
    body: { schema: QuarantineRetryRequest, required: false },
    success: { status: 200, description: 'Which were queued again.', schema: QuarantineRetryResponse },
    refusals: ['SCOPE_NOT_FOUND', 'DOCUMENT_NOT_FOUND', 'TENANT_KEY_MISSING'],
  },
})

const audit = defineOperations(forOperators('Audit'), {
  listAudit: {
    route: 'GET /admin/audit',
    summary: 'Read the audit log',
    query: Type.Object({
      tenant_id: Type.Optional(Type.String({ maxLength: 100 })),
      action: Type.Optional(Type.String({ maxLength: 100 })),
      scope_id: Type.Optional(Type.String({ maxLength: 200, description: 'Acts on this case and reads of what is in it.' })),
      document_id: Type.Optional(Type.String({ maxLength: 200, description: 'Acts on this document and reads of it.' })),
      person: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'What this person read or did, and what was done in this name; or a key, as `reader`.',
        }),
      ),
      ...pageQuery,
    }),
    success: { status: 200, description: 'A page of entries, newest first.', schema: AuditPage },
  },
})

export const adminOperations = {
  ...health,
  ...tenants,
  ...scopes,
  ...policies,
  ...scopePolicies,
  ...quarantine,
  ...audit,
  ...sessionOperations,
  ...runtimeOperations('admin', '/admin/runtime'),
}
