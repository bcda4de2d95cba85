/**
 * What the functions of this folder answer with: the records of the contract, as types. The contract is the one place that
 * says which members there are.
 */

import type { Static } from 'typebox'
import type * as asOf from '../contract/as-of.js'
import type * as assignments from '../contract/assignments.js'
import type * as certificates from '../contract/certificates.js'
import type * as common from '../contract/common.js'
import type * as convergence from '../contract/convergence.js'
import type * as documents from '../contract/documents.js'
import type * as findings from '../contract/findings.js'
import type * as modelUse from '../contract/model-use.js'
import type * as overview from '../contract/overview.js'
import type * as policies from '../contract/policies.js'
import type * as scopes from '../contract/scopes.js'
import type * as signOffs from '../contract/sign-offs.js'
import type * as together from '../contract/together.js'

export type ScopeMode = Static<typeof common.ScopeMode>
export type FinalityStatus = Static<typeof common.FinalityStatus>
export type DocumentStatus = Static<typeof common.DocumentStatus>
export type Severity = Static<typeof common.Severity>

/** Every list: `next` is an opaque cursor, null at the end. */
export interface Page<T> {
  items: T[]
  next: string | null
}

/** With an ETag: `body` is null when the caller's tag still holds. */
export interface Tagged<T> {
  etag: string
  body: T | null
}

export type AttachInput = Omit<Static<typeof documents.AttachDocumentRequest>, 'idempotency_key'>
export type RegisterInput = Static<typeof documents.CreateDocumentBody>
export type ReportInput = Static<typeof findings.CreateContradictionBody>
export type CreateScopeInput = Static<typeof scopes.CreateScopeRequest>
export type PatchScopeInput = Static<typeof scopes.PatchScopeRequest>
export type GlossaryInput = Static<typeof scopes.Glossary>
export type RereadInput = Static<typeof scopes.RereadRequest>
export type DryRunInput = Static<typeof policies.PolicyDryRunRequest>

export type AssignmentResult = Static<typeof assignments.AssignmentResult>
export type CaseOverview = Static<typeof overview.CaseOverview>
export type CommentRecord = Static<typeof assignments.Comment>
export type ProposedReplacementRecord = Static<typeof together.ProposedReplacement>
export type DecidedTogether = Static<typeof together.DecidedTogether>
export type PossibleFactRecord = Static<typeof together.PossibleFact>
export type DocumentModelRecord = Static<typeof modelUse.DocumentModel>
export type ScopeModelRecord = Static<typeof modelUse.ScopeModel>
export type DocumentRecord = Static<typeof documents.DocumentRecord>
export type DocumentTimings = DocumentRecord['timings']
export type FileRecord = NonNullable<DocumentRecord['file']>
export type FileAnswer = Static<typeof documents.FileIngestResponse>
export type ErasedDocument = Static<typeof documents.ErasedDocument>
export type TriggerResult = Static<typeof documents.TriggerIngestResponse>
export type QuarantinedDocument = Static<typeof documents.QuarantinedDocument>
export type QuarantineRetryResult = Static<typeof documents.QuarantineRetryResponse>

export type DocumentCounts = Static<typeof scopes.DocumentCounts>
export type ScopeRecord = Static<typeof scopes.Scope>
export type ScopeDetail = Static<typeof scopes.ScopeDetail>
export type ResetResult = Static<typeof scopes.ResetResult>
export type DeletedScope = Static<typeof scopes.DeletedScope>
export type RereadResult = Static<typeof scopes.RereadResult>
export type GlossaryView = Static<typeof scopes.GlossaryView>
export type PolicyView = Static<typeof policies.PolicyView>
export type PolicyPutResult = Static<typeof policies.PolicyPutResult>
export type DryRunResult = Static<typeof policies.PolicyDryRunResult>

export type ScopeSummary = Static<typeof scopes.ScopeSummary>
export type ConvergenceView = Static<typeof convergence.ConvergenceView>
export type DimensionKey = keyof ConvergenceView['dimensions']
export type DimensionView = ConvergenceView['dimensions'][DimensionKey]
export type DriftView = Static<typeof convergence.DriftView>
export type ScopeMetrics = Static<typeof scopes.ScopeMetrics>
export type Percentiles = ScopeMetrics['latency'][string]
export type ConvergencePayload = Static<typeof convergence.ConvergencePayload>
export type ScopeConvergence = ConvergencePayload['items'][number]
export type OwnConvergence = Static<typeof convergence.OwnConvergence>
export type ConvergenceHistoryPoint = OwnConvergence['history']['items'][number]

export type ClaimRecord = Static<typeof findings.ClaimRecord>
export type ContradictionRecord = Static<typeof findings.ContradictionRecord>
export type SeenPossibleConflict = Static<typeof findings.SeenPossibleConflict>
export type SeenContradiction = Static<typeof findings.SeenContradiction>
export type Resolution = NonNullable<ContradictionRecord['resolution']>
export type Verdict = Static<typeof findings.ResolveContradictionRequest>['verdict']
/** `reopen` takes one of the others back. */
export type ResolutionAct = Verdict | 'reopen'
export type ResolutionResult = Static<typeof findings.ResolutionResult>
export type ReopenedContradiction = Static<typeof findings.ReopenedContradiction>
export type PossibleConflictRecord = Static<typeof findings.PossibleConflict>
export type PossibleConflictResult = Static<typeof findings.PossibleConflictResult>
export type SupersessionRecord = Static<typeof findings.Supersession>
export type SupersessionResult = Static<typeof findings.SupersessionResult>
export type DecisionRecord = Static<typeof findings.DecisionRecord>
export type ReviewResult = Static<typeof findings.ReviewResult>
export type CertificateView = Static<typeof certificates.CertificateView>
export type AsOf = Static<typeof asOf.AsOf>
export type AsOfPaper = Static<typeof asOf.AsOfPaper>
export type AsOfDecision = Static<typeof asOf.AsOfDecision>
export type AsOfSignOff = Static<typeof asOf.AsOfSignOff>
export type SignOffInput = Static<typeof signOffs.SignOffRequest>
export type SignOffRecord = Static<typeof signOffs.SignOff>
export type SignOffResult = Static<typeof signOffs.SignOffResult>

export interface JwksView {
  keys: Record<string, unknown>[]
}
