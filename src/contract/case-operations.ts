/** What a tenant sees of its key and of its scopes as a whole. */

import { Type } from '../platform/schema.js'
import { etagHeader, FinalityStatus, pageQuery } from './common.js'
import { OwnConvergence } from './convergence.js'
import { defineOperations, forTenants } from './operation.js'
import { PolicyView } from './policies.js'
import { CreateScopeRequest, DeletedScope, RereadRequest, RereadResult, Scope, ScopePage, ScopeSummary } from './scopes.js'
import { Me } from './tenants.js'

export const caseOperations = defineOperations(forTenants('Scopes'), {
  getMe: {
    tag: 'Tenants',
    credential: 'any-key',
    route: 'GET /api/me',
    summary: 'What the key presented may do',
    description:
      'Takes a key of any tier. `tenant_id`, quotas and `usage` are null for an admin or internals key, which belongs to no tenant.',
    success: { status: 200, description: 'Whose key it is, its rights and the limits it works under.', schema: Me },
  },
  listOwnScopes: {
    route: 'GET /api/scopes',
    summary: 'List the tenant’s scopes',
    query: Type.Object({
      q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the id or the display name, in any case.' })),
      finality: Type.Optional(FinalityStatus),
      ...pageQuery,
    }),
    success: { status: 200, description: 'A page of scopes.', schema: ScopePage },
  },
  createOwnScope: {
    route: 'POST /api/scopes',
    summary: 'Create a scope',
    body: { schema: CreateScopeRequest, required: true },
    success: { status: 201, description: 'The scope.', schema: Scope },
    refusals: ['SCOPE_EXISTS', 'QUOTA_EXCEEDED'],
  },
  deleteOwnScope: {
    audited: true,
    route: 'DELETE /api/scopes/{scopeId}',
    summary: 'Delete a scope with everything in it',
    description:
      'Everything of the scope is gone for every reader at once and removed from the database within seconds: documents, originals, claims, findings, decisions, settings, policies of its own, events. Work under way is dropped. Certificates stay readable, marked withdrawn, and `scope.deleted` is the last event of its log. Using the name again goes on from there: `seq` and generation continue.',
    success: { status: 200, description: 'What is gone.', schema: DeletedScope },
    refusals: ['LEGAL_HOLD'],
  },
  getOwnSummary: {
    route: 'GET /api/scopes/{scopeId}/summary',
    summary: 'Everything about a scope on one page',
    seen: 'findings',
    headers: etagHeader,
    success: { status: 200, description: 'The summary.', schema: ScopeSummary, headers: { ETag: 'Changes when the summary does.' } },
  },
  rereadScope: {
    route: 'POST /api/scopes/{scopeId}/reread',
    summary: 'Read the documents of a scope again',
    description:
      'Queues every admitted document behind what comes in. Each is read by the reader in use, in a round of its own, and takes the place of its reading before at once; its revision stays. What people decided stays with the same statements; findings whose statements are gone are named in the event `document.reread`. With `model` only the documents that no model has answered about are read, and the model is asked.',
    body: { schema: RereadRequest, required: false },
    success: { status: 202, description: 'How many were queued.', schema: RereadResult },
    refusals: ['STATE_CONFLICT'],
  },
  getOwnConvergence: {
    route: 'GET /api/scopes/{scopeId}/convergence',
    summary: 'How close a scope is to one consistent story, with its history',
    query: Type.Object(pageQuery),
    success: { status: 200, description: 'The figures, the gates and a page of rounds, newest first.', schema: OwnConvergence },
  },
  getOwnPolicies: {
    tag: 'Policies',
    route: 'GET /api/scopes/{scopeId}/policies',
    summary: 'Read the policy set in force for a scope',
    success: { status: 200, description: 'The set and where it comes from.', schema: PolicyView },
  },
})
