/** The records of the contract as types, by their names in the OpenAPI document, for those who read answers. */

import type { Static } from 'typebox'
import type * as asOf from './as-of.js'
import type * as assignments from './assignments.js'
import type * as certificates from './certificates.js'
import type * as common from './common.js'
import type * as convergence from './convergence.js'
import type * as documents from './documents.js'
import type * as findings from './findings.js'
import type * as modelUse from './model-use.js'
import type * as overview from './overview.js'
import type * as policies from './policies.js'
import type * as runtime from './runtime.js'
import type * as scans from './scan-operations.js'
import type * as scopes from './scopes.js'
import type * as signIn from './sign-in.js'
import type * as signOffs from './sign-offs.js'
import type * as tenants from './tenants.js'
import type * as together from './together.js'
import type * as troubles from './troubles.js'
import type * as webhooks from './webhooks.js'

export interface Schema {
  AsOf: Static<typeof asOf.AsOf>
  AssignmentRequest: Static<typeof assignments.AssignmentRequest>
  CaseOverview: Static<typeof overview.CaseOverview>
  Certificate: Static<typeof certificates.CertificateView>
  Claim: Static<typeof findings.ClaimRecord>
  Comment: Static<typeof assignments.Comment>
  CommentRequest: Static<typeof assignments.CommentRequest>
  Contradiction: Static<typeof findings.ContradictionRecord>
  ConvergencePayload: Static<typeof convergence.ConvergencePayload>
  CreatedDeviceSession: Static<typeof signIn.CreatedDeviceSession>
  CreateKeyRequest: Static<typeof tenants.CreateKeyRequest>
  CreateScopeRequest: Static<typeof scopes.CreateScopeRequest>
  CreateTenantResponse: Static<typeof tenants.CreateTenantResponse>
  CreateWebhookRequest: Static<typeof webhooks.CreateWebhookRequest>
  DecidedTogether: Static<typeof together.DecidedTogether>
  Decision: Static<typeof findings.DecisionRecord>
  Document: Static<typeof documents.DocumentRecord>
  DocumentModel: Static<typeof modelUse.DocumentModel>
  DocumentStatus: Static<typeof common.DocumentStatus>
  Evidence: Static<typeof findings.Evidence>
  FinalityStatus: Static<typeof common.FinalityStatus>
  FindingRequest: Static<typeof findings.FindingRequest>
  Gate: Static<typeof convergence.GateView>
  HatcherySnapshot: Static<typeof runtime.HatcherySnapshot>
  IngestDocumentRequest: Static<typeof documents.IngestDocumentRequest>
  Jwks: Static<typeof certificates.Jwks>
  Me: Static<typeof tenants.Me>
  OwnConvergence: Static<typeof convergence.OwnConvergence>
  PolicyDryRunResult: Static<typeof policies.PolicyDryRunResult>
  PossibleConflict: Static<typeof findings.PossibleConflict>
  PossibleConflictResult: Static<typeof findings.PossibleConflictResult>
  PossibleFact: Static<typeof together.PossibleFact>
  ProposedReplacement: Static<typeof together.ProposedReplacement>
  QuarantinedDocument: Static<typeof documents.QuarantinedDocument>
  RecognisedWord: Static<typeof scans.RecognisedWord>
  Resolution: Static<typeof findings.Resolution>
  ResolveContradictionRequest: Static<typeof findings.ResolveContradictionRequest>
  RuntimeResponse: Static<typeof runtime.RuntimeResponse>
  RuntimeState: Static<typeof common.RuntimeState>
  Scope: Static<typeof scopes.Scope>
  ScopeMode: Static<typeof common.ScopeMode>
  ScopeSummary: Static<typeof scopes.ScopeSummary>
  Severity: Static<typeof common.Severity>
  SignOff: Static<typeof signOffs.SignOff>
  Supersession: Static<typeof findings.Supersession>
  SupersessionResult: Static<typeof findings.SupersessionResult>
  Tenant: Static<typeof tenants.Tenant>
  TenantKey: Static<typeof tenants.TenantKey>
  TenantLimits: Static<typeof tenants.TenantLimits>
  TenantLimitsView: Static<typeof tenants.TenantLimitsView>
  TroubleList: Static<typeof troubles.TroubleList>
  Webhook: Static<typeof webhooks.Webhook>
  WebhookDelivery: Static<typeof webhooks.WebhookDelivery>
  WithdrawnCertificates: Static<typeof certificates.WithdrawnCertificates>
}
