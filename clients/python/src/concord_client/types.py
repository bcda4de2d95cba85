"""The records of the API, made from openapi.json by `npm run client-types`. Not edited by hand."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

DocumentStatus = Literal["registered", "attached", "queued", "processing", "indexed", "held", "rejected", "quarantined"]


EventPattern = Literal["*", "scope.*", "document.*", "claim.*", "contradiction.*", "possible_conflict.*", "supersession.*", "decision.*", "convergence.*", "finality.*", "certificate.*", "legal_hold.*", "runtime.*", "webhook.*", "scope.created", "scope.reset", "scope.deleted", "document.registered", "document.attached", "document.queued", "document.requeued", "document.processing", "document.indexed", "document.held", "document.rejected", "document.quarantined", "document.erased", "document.reread_queued", "document.reread", "document.reread_failed", "claim.superseded", "contradiction.detected", "contradiction.resolved", "contradiction.reopened", "possible_conflict.detected", "possible_conflict.promoted", "possible_conflict.dismissed", "possible_conflict.reopened", "supersession.objected", "supersession.restored", "supersession.withdrawn", "decision.recorded", "convergence.updated", "finality.changed", "certificate.issued", "certificate.withdrawn", "legal_hold.set", "legal_hold.lifted", "scope.changed", "runtime.changed", "webhook.disabled"]


FinalityStatus = Literal["active", "review", "resolved", "escalated", "blocked"]


RuntimeState = Literal["running", "paused", "stopped"]


ScopeId = str


ScopeMode = Literal["auto", "review", "strict"]


Severity = Literal["low", "medium", "high", "critical"]


TenantId = str


class BegunSignIn(TypedDict):
    authorization_url: str
    expires_at: str


class Certificate(TypedDict):
    certificate_id: str
    scope_id: ScopeId
    generation: int
    round: int
    certificate: str
    sha256: str
    previous: Optional[str]
    kid: str
    issued_at: str
    status: Literal["current", "superseded", "withdrawn"]
    superseded_at: Optional[str]
    withdrawn_at: Optional[str]
    withdrawn_reason: Optional[str]


class CertificatePage(TypedDict):
    items: List[Certificate]
    next: Optional[str]


class Claim(TypedDict):
    claim_id: str
    document_id: str
    revision: int
    quote: Optional[str]
    start: int
    end: int
    page: Optional[int]
    cell: Optional[str]
    paragraph: Optional[int]
    subject: str
    attribute: str
    value: str
    normalized: Dict[str, Any]
    unit: Optional[str]
    period: Optional[str]
    role: str
    polarity: Literal["affirmed", "negated"]
    confidence: float
    valid_from: Optional[str]
    valid_to: Optional[str]
    recorded_at: str
    superseded_at: Optional[str]
    superseded_by: Optional[str]
    superseded_reason: Optional[str]


class ClaimPage(TypedDict):
    items: List[Claim]
    next: Optional[str]


class _Contradiction(TypedDict):
    contradiction_id: str
    scope_id: ScopeId
    severity: Severity
    subject: Optional[str]
    attribute: Optional[str]
    supporters_a: List[Claim]
    supporters_b: List[Claim]
    supporters: ContradictionSupporters
    reason: str
    evidence: Optional[Evidence]
    found_by: str
    detected_at: str
    round: int
    status: Literal["open", "resolved", "dismissed"]
    kind: Literal["numeric", "categorical", "negation", "date", "reported"]
    a: Union[Claim, ReportedSide]
    b: Union[Claim, ReportedSide]
    confidence: Optional[float]


class Contradiction(_Contradiction, total=False):
    resolution: Resolution


class ContradictionPage(TypedDict):
    items: List[Contradiction]
    next: Optional[str]


class ContradictionSupporters(TypedDict):
    a: int
    b: int


class Convergence(TypedDict):
    round: int
    value: float
    goal_score: float
    rate: Optional[float]
    estimated_rounds: Optional[float]
    monotone: bool
    plateau: bool
    oscillating: bool
    trajectory_quality: float
    segment_start: int
    pressure: float
    bottleneck: Optional[Literal["claim_confidence", "contradiction_resolution", "goal_completion", "risk_inverse"]]
    dimensions: ConvergenceDimensions


class ConvergenceDimensions(TypedDict):
    claim_confidence: Dimension
    contradiction_resolution: Dimension
    goal_completion: Dimension
    risk_inverse: Dimension


class CreatedDeviceSession(TypedDict):
    session_id: str
    tenant_id: TenantId
    kind: Literal["desk", "device"]
    person: str
    subject: str
    rights: List[Literal["read", "ingest", "decide", "erase", "manage", "hold"]]
    scopes: Optional[List[str]]
    created_at: str
    expires_at: str
    revoked_at: Optional[str]
    token: str


class CreatedSession(TypedDict):
    session_id: str
    tenant_id: TenantId
    kind: Literal["desk", "device"]
    person: str
    subject: str
    rights: List[Literal["read", "ingest", "decide", "erase", "manage", "hold"]]
    scopes: Optional[List[str]]
    created_at: str
    expires_at: str
    revoked_at: Optional[str]
    csrf_token: str


class CreatedWebhook(TypedDict):
    webhook_id: str
    url: str
    description: Optional[str]
    events: List[str]
    scope_id: Optional[str]
    scopes: Optional[List[str]]
    enabled: bool
    disabled_reason: Optional[Literal["asked", "failing", "gone"]]
    failing_since: Optional[str]
    failed_attempts: int
    next_attempt_at: Optional[str]
    last_delivered_at: Optional[str]
    previous_secret_until: Optional[str]
    created_at: str
    secret: str


class Decision(TypedDict):
    decision_id: str
    seq: int
    round: int
    kind: str
    document_id: Optional[str]
    revision: Optional[int]
    outcome: Literal["admit", "hold", "reject"]
    policy_hash: str
    policies: List[str]
    reasons: List[str]
    reasons_digest: Optional[str]
    salt: Optional[str]
    obligations: List[str]
    proposal_digest: str
    state_digest: str
    prev_hash: str
    hash: str
    review: Optional[Literal["pending", "approved", "rejected", "obsolete"]]
    recorded_at: str
    erased_at: Optional[str]


class DecisionPage(TypedDict):
    items: List[Decision]
    next: Optional[str]


class DeletedScope(TypedDict):
    scope_id: ScopeId
    generation: int
    seq: int
    chain: DeletedScopeChain
    documents: int
    certificates_withdrawn: int
    message: str


class DeletedScopeChain(TypedDict):
    head: str
    length: int


class DeviceSignIn(TypedDict):
    device_code: str
    user_code: str
    verification_uri: str
    verification_uri_complete: Optional[str]
    expires_in: float
    interval: float


class Dimension(TypedDict):
    score: float
    target: float
    weight: float
    threshold: float
    pressure: float


class Document(TypedDict):
    document_id: str
    scope_id: ScopeId
    revision: int
    status: DocumentStatus
    name: Optional[str]
    type: str
    source: Optional[str]
    provenance: Optional[str]
    content_hash: Optional[str]
    unchanged: bool
    seq: Optional[int]
    round: Optional[int]
    attempts: int
    reason: Optional[str]
    failure: Optional[DocumentFailure]
    timings: DocumentTimings
    counts: DocumentCounts
    file: Optional[DocumentFile]
    model: Optional[str]
    part_of: Optional[str]
    legal_hold: Optional[DocumentLegalHold]
    erased_at: Optional[str]


class DocumentCounts(TypedDict):
    claims: int
    contradictions: int


class DocumentFailure(TypedDict):
    stage: Optional[str]
    error_class: Optional[str]


class DocumentFile(TypedDict):
    sha256: str
    media_type: str
    bytes: int
    kept: bool
    extractor: Optional[str]
    notes: List[str]


class DocumentLegalHold(TypedDict):
    of: Literal["case", "document"]
    hold_id: str
    by: str
    reason: Optional[str]
    set_at: str


class DocumentPage(TypedDict):
    items: List[Document]
    next: Optional[str]


class DocumentTimings(TypedDict):
    received_at: str
    queued_at: Optional[str]
    started_at: Optional[str]
    finished_at: Optional[str]
    waiting_ms: Optional[float]
    processing_ms: Optional[float]
    stages: Dict[str, float]


class Drift(TypedDict):
    level: Literal["none", "low", "medium", "high", "critical"]
    score: float
    factual: float
    contradiction: float
    goal: float
    entropy: float
    round: int


class ErasedDocument(TypedDict):
    document_id: str
    scope_id: ScopeId
    revision: int
    status: DocumentStatus
    name: Optional[str]
    type: str
    source: Optional[str]
    provenance: Optional[str]
    content_hash: Optional[str]
    unchanged: bool
    seq: Optional[int]
    round: Optional[int]
    attempts: int
    reason: Optional[str]
    failure: Optional[ErasedDocumentFailure]
    timings: ErasedDocumentTimings
    counts: ErasedDocumentCounts
    file: Optional[ErasedDocumentFile]
    model: Optional[str]
    part_of: Optional[str]
    legal_hold: Optional[ErasedDocumentLegalHold]
    erased_at: Optional[str]
    claims_erased: int


class ErasedDocumentCounts(TypedDict):
    claims: int
    contradictions: int


class ErasedDocumentFailure(TypedDict):
    stage: Optional[str]
    error_class: Optional[str]


class ErasedDocumentFile(TypedDict):
    sha256: str
    media_type: str
    bytes: int
    kept: bool
    extractor: Optional[str]
    notes: List[str]


class ErasedDocumentLegalHold(TypedDict):
    of: Literal["case", "document"]
    hold_id: str
    by: str
    reason: Optional[str]
    set_at: str


class ErasedDocumentTimings(TypedDict):
    received_at: str
    queued_at: Optional[str]
    started_at: Optional[str]
    finished_at: Optional[str]
    waiting_ms: Optional[float]
    processing_ms: Optional[float]
    stages: Dict[str, float]


class _Event(TypedDict):
    specversion: Literal["1.0"]
    id: str
    source: str
    type: Literal["scope.created", "scope.reset", "scope.deleted", "document.registered", "document.attached", "document.queued", "document.requeued", "document.processing", "document.indexed", "document.held", "document.rejected", "document.quarantined", "document.erased", "document.reread_queued", "document.reread", "document.reread_failed", "claim.superseded", "contradiction.detected", "contradiction.resolved", "contradiction.reopened", "possible_conflict.detected", "possible_conflict.promoted", "possible_conflict.dismissed", "possible_conflict.reopened", "supersession.objected", "supersession.restored", "supersession.withdrawn", "decision.recorded", "convergence.updated", "finality.changed", "certificate.issued", "certificate.withdrawn", "legal_hold.set", "legal_hold.lifted", "scope.changed", "runtime.changed", "worker.spawned", "worker.drained", "worker.restarted", "worker.circuit", "tenant.removed", "webhook.disabled", "webhook.test", "stream.gap"]
    time: str
    datacontenttype: Literal["application/json"]
    data: Dict[str, Any]


class Event(_Event, total=False):
    subject: str


class Evidence(TypedDict):
    subject: Optional[str]
    shared: List[str]
    differs: List[EvidenceDiffersItem]
    times: EvidenceTimes
    issuers: EvidenceIssuers


class EvidenceDiffersItem(TypedDict):
    a: str
    b: str


class EvidenceIssuers(TypedDict):
    a: Optional[str]
    b: Optional[str]


class EvidenceTimes(TypedDict):
    a: Optional[str]
    b: Optional[str]


class FileIngestResponse(TypedDict):
    scope_id: ScopeId
    name: str
    type: str
    document_id: Optional[str]
    idempotency_key: Optional[str]
    queued: Literal[True]
    seq: Optional[int]
    integration_version: Literal["v1"]
    message: str
    file: FileIngestResponseFile


class FileIngestResponseFile(TypedDict):
    sha256: str
    media_type: str
    bytes: int


class Gate(TypedDict):
    gate: str
    ok: bool
    value: Optional[Union[float, str, bool]]
    needs: str
    how: str


class HealthResponse(TypedDict):
    status: str
    version: str
    time: str


class IngestBatchResponse(TypedDict):
    accepted: int
    refused: int
    items: List[Union[IngestDocumentResponse, Problem]]
    replayed: List[int]


class _IngestDocumentRequest(TypedDict):
    scope_id: ScopeId
    name: str
    text: str


class IngestDocumentRequest(_IngestDocumentRequest, total=False):
    type: str
    document_id: str
    source: str
    idempotency_key: str


class IngestDocumentResponse(TypedDict):
    scope_id: ScopeId
    name: str
    type: str
    document_id: Optional[str]
    idempotency_key: Optional[str]
    queued: Literal[True]
    seq: Optional[int]
    integration_version: Literal["v1"]
    message: str


class Jwks(TypedDict):
    keys: List[Dict[str, Any]]


class LegalHold(TypedDict):
    hold_id: str
    scope_id: ScopeId
    document_id: Optional[str]
    by: str
    vouched: bool
    reason: Optional[str]
    set_at: str
    lifted: Optional[LegalHoldLifted]


class LegalHoldLifted(TypedDict):
    by: str
    vouched: bool
    reason: Optional[str]
    at: str


class LegalHoldPage(TypedDict):
    items: List[LegalHold]
    next: Optional[str]


class LegalHoldResult(TypedDict):
    hold_id: str
    scope_id: ScopeId
    document_id: Optional[str]
    by: str
    vouched: bool
    reason: Optional[str]
    set_at: str
    lifted: Optional[LegalHoldResultLifted]
    changed: bool


class LegalHoldResultLifted(TypedDict):
    by: str
    vouched: bool
    reason: Optional[str]
    at: str


class Me(TypedDict):
    tenant_id: Optional[TenantId]
    tier: Literal["public", "admin", "internals"]
    rights: List[Literal["read", "ingest", "decide", "erase", "manage", "hold"]]
    reach: Optional[List[str]]
    person: Optional[str]
    speak_for: bool
    expires_at: Optional[str]
    session: Optional[MeSession]
    limits: MeLimits
    usage: Optional[MeUsage]


class MeLimits(TypedDict):
    text_characters: int
    body_bytes: int
    file_bytes: int
    documents: Optional[int]
    bytes: Optional[int]
    scopes: Optional[int]
    requests_per_second: Optional[int]


class MeSession(TypedDict):
    session_id: str
    csrf_token: Optional[str]


class MeUsage(TypedDict):
    documents: int
    bytes: int
    scopes: int


class OwnConvergence(TypedDict):
    scope_id: ScopeId
    generation: int
    finality: FinalityStatus
    convergence: Convergence
    drift: Optional[Drift]
    open_contradictions: int
    updated_at: str
    gates: List[Gate]
    history: OwnConvergenceHistory


class OwnConvergenceHistory(TypedDict):
    items: List[OwnConvergenceHistoryItemsItem]
    next: Optional[str]


class OwnConvergenceHistoryItemsItem(TypedDict):
    round: int
    kind: str
    document_id: Optional[str]
    recorded_at: str
    value: float
    rate: Optional[float]
    pressure: float
    finality: Optional[FinalityStatus]
    scores: Dict[str, float]


class PolicyView(TypedDict):
    level: Literal["service", "tenant", "scope"]
    tenant_id: Optional[str]
    scope_id: Optional[str]
    inherited_from: Optional[Literal["shipped", "service", "tenant"]]
    hash: str
    policies: str
    changed_at: Optional[str]


class _PossibleConflict(TypedDict):
    possible_conflict_id: str
    scope_id: ScopeId
    severity: Severity
    subject: Optional[str]
    attribute: Optional[str]
    supporters_a: List[Claim]
    supporters_b: List[Claim]
    supporters: PossibleConflictSupporters
    reason: str
    evidence: Optional[Evidence]
    found_by: str
    detected_at: str
    round: int
    status: Literal["open", "promoted", "dismissed"]
    kind: Literal["numeric", "categorical", "negation", "date"]
    score: float
    a: Claim
    b: Claim
    contradiction_id: Optional[str]


class PossibleConflict(_PossibleConflict, total=False):
    decision: PossibleConflictDecision


class PossibleConflictDecision(TypedDict):
    verdict: Literal["promote", "dismiss", "superseded"]
    reason: str
    by: str
    decided_at: str
    round: int


class PossibleConflictPage(TypedDict):
    items: List[PossibleConflict]
    next: Optional[str]


class _PossibleConflictResult(TypedDict):
    possible_conflict_id: str
    scope_id: ScopeId
    severity: Severity
    subject: Optional[str]
    attribute: Optional[str]
    supporters_a: List[Claim]
    supporters_b: List[Claim]
    supporters: PossibleConflictResultSupporters
    reason: str
    evidence: Optional[Evidence]
    found_by: str
    detected_at: str
    round: int
    status: Literal["open", "promoted", "dismissed"]
    kind: Literal["numeric", "categorical", "negation", "date"]
    score: float
    a: Claim
    b: Claim
    contradiction_id: Optional[str]
    decision_id: str


class PossibleConflictResult(_PossibleConflictResult, total=False):
    decision: PossibleConflictResultDecision


class PossibleConflictResultDecision(TypedDict):
    verdict: Literal["promote", "dismiss", "superseded"]
    reason: str
    by: str
    decided_at: str
    round: int


class PossibleConflictResultSupporters(TypedDict):
    a: int
    b: int


class PossibleConflictSupporters(TypedDict):
    a: int
    b: int


class _Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: Literal["VALIDATION_FAILED", "JSON_INVALID", "CURSOR_INVALID", "POLICY_INVALID", "TENANT_ID_MISSING", "TENANT_KEY_MISSING", "TENANT_UNKNOWN", "TENANT_KEY_INVALID", "AUTH_MISSING", "AUTH_INVALID", "SESSION_INVALID", "SIGN_IN_FAILED", "TENANT_MISMATCH", "TIER_INSUFFICIENT", "RIGHTS_INSUFFICIENT", "CSRF_INVALID", "SIGN_IN_REFUSED", "ORIGIN_NOT_ALLOWED", "QUOTA_EXCEEDED", "ROUTE_NOT_FOUND", "TENANT_NOT_FOUND", "KEY_NOT_FOUND", "SESSION_NOT_FOUND", "SIGN_IN_DISABLED", "SCOPE_NOT_FOUND", "DOCUMENT_NOT_FOUND", "CONTRADICTION_NOT_FOUND", "POSSIBLE_CONFLICT_NOT_FOUND", "SUPERSESSION_NOT_FOUND", "DECISION_NOT_FOUND", "CERTIFICATE_NOT_FOUND", "ORIGINAL_NOT_FOUND", "WEBHOOK_NOT_FOUND", "HOLD_NOT_FOUND", "DELIVERY_NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "SCOPE_EXISTS", "RUNTIME_CONFLICT", "STATE_CONFLICT", "LEGAL_HOLD", "PAYLOAD_TOO_LARGE", "URI_TOO_LONG", "UNSUPPORTED_MEDIA_TYPE", "EXPECTATION_FAILED", "IDEMPOTENCY_KEY_REUSED", "RATE_LIMITED", "HEADERS_TOO_LARGE", "INTERNAL", "OVERLOADED", "STORAGE_UNAVAILABLE", "ISSUER_UNAVAILABLE", "TIER_DISABLED"]
    request_id: str


class Problem(_Problem, total=False):
    errors: List[ProblemErrorsItem]


class ProblemErrorsItem(TypedDict):
    pointer: str
    detail: str


class ReopenedContradiction(TypedDict):
    contradiction_id: str
    scope_id: ScopeId
    severity: Severity
    subject: Optional[str]
    attribute: Optional[str]
    supporters_a: List[Claim]
    supporters_b: List[Claim]
    supporters: ReopenedContradictionSupporters
    reason: str
    evidence: Optional[Evidence]
    found_by: str
    detected_at: str
    round: int
    status: Literal["open", "resolved", "dismissed"]
    kind: Literal["numeric", "categorical", "negation", "date", "reported"]
    a: Union[Claim, ReportedSide]
    b: Union[Claim, ReportedSide]
    confidence: Optional[float]
    claims_revived: List[str]
    decision_id: str


class ReopenedContradictionSupporters(TypedDict):
    a: int
    b: int


class ReportedSide(TypedDict):
    quote: str
    source: str


class RereadResult(TypedDict):
    scope_id: ScopeId
    queued: int
    waiting: int
    model: bool


class Resolution(TypedDict):
    verdict: Literal["a", "b", "both", "neither", "dismiss", "superseded"]
    reason: str
    by: str
    resolved_at: str
    round: int


class ResolutionResult(TypedDict):
    contradiction_id: str
    scope_id: ScopeId
    severity: Severity
    subject: Optional[str]
    attribute: Optional[str]
    supporters_a: List[Claim]
    supporters_b: List[Claim]
    supporters: ResolutionResultSupporters
    reason: str
    evidence: Optional[Evidence]
    found_by: str
    detected_at: str
    round: int
    status: Literal["open", "resolved", "dismissed"]
    kind: Literal["numeric", "categorical", "negation", "date", "reported"]
    a: Union[Claim, ReportedSide]
    b: Union[Claim, ReportedSide]
    confidence: Optional[float]
    resolution: Resolution
    claims_retired: List[str]
    claims_revived: List[str]
    decision_id: str


class ResolutionResultSupporters(TypedDict):
    a: int
    b: int


class ReviewResult(TypedDict):
    decision_id: str
    seq: int
    round: int
    kind: str
    document_id: Optional[str]
    revision: Optional[int]
    outcome: Literal["admit", "hold", "reject"]
    policy_hash: str
    policies: List[str]
    reasons: List[str]
    reasons_digest: Optional[str]
    salt: Optional[str]
    obligations: List[str]
    proposal_digest: str
    state_digest: str
    prev_hash: str
    hash: str
    review: Optional[Literal["pending", "approved", "rejected", "obsolete"]]
    recorded_at: str
    erased_at: Optional[str]
    review_decision_id: Optional[str]
    document: Optional[Document]


class RotatedSecret(TypedDict):
    webhook_id: str
    secret: str
    previous_secret_until: Optional[str]


class Scope(TypedDict):
    scope_id: ScopeId
    display_name: Optional[str]
    mode: ScopeMode
    generation: int
    runtime: RuntimeState
    finality: FinalityStatus
    counts: ScopeCounts
    needs_reread: bool
    trajectory: List[float]
    legal_hold: Optional[ScopeLegalHold]
    created_at: str
    updated_at: str


class ScopeCounts(TypedDict):
    documents: DocumentCounts
    claims: int
    open_contradictions: int
    possible_conflicts: int


class ScopeLegalHold(TypedDict):
    of: Literal["case", "document"]
    hold_id: str
    by: str
    reason: Optional[str]
    set_at: str


class ScopePage(TypedDict):
    items: List[Scope]
    next: Optional[str]


class ScopeSummary(TypedDict):
    scope_id: ScopeId
    display_name: Optional[str]
    mode: ScopeMode
    generation: int
    version: int
    round: int
    last_seq: Optional[int]
    created_at: str
    updated_at: str
    runtime: ScopeSummaryRuntime
    documents: DocumentCounts
    reading: ScopeSummaryReading
    claims: ScopeSummaryClaims
    goals: ScopeSummaryGoals
    risks: ScopeSummaryRisks
    contradictions: ScopeSummaryContradictions
    legal_hold: Optional[ScopeSummaryLegalHold]
    drift: Optional[Drift]
    finality: ScopeSummaryFinality
    convergence: Convergence
    policy_hash: str
    decisions: List[Decision]
    certificate: Optional[Certificate]


class ScopeSummaryClaims(TypedDict):
    live: int
    superseded: int
    total: int


class ScopeSummaryContradictions(TypedDict):
    open: int
    resolved: int
    dismissed: int
    open_critical: int
    unsure: int
    items: List[Contradiction]


class ScopeSummaryFinality(TypedDict):
    status: FinalityStatus
    gates: List[Gate]


class ScopeSummaryGoals(TypedDict):
    total: int
    done: int
    items: List[ScopeSummaryGoalsItemsItem]


class ScopeSummaryGoalsItemsItem(TypedDict):
    document_id: str
    revision: int
    quote: Optional[str]
    start: int
    end: int
    what: Optional[str]
    owner: Optional[str]
    due: Optional[str]
    done: bool


class ScopeSummaryLegalHold(TypedDict):
    of: Literal["case", "document"]
    hold_id: str
    by: str
    reason: Optional[str]
    set_at: str


class ScopeSummaryReading(TypedDict):
    reader: str
    needs_reread: bool
    outdated: int
    waiting: int
    without_model: int


class ScopeSummaryRisks(TypedDict):
    total: int
    low: int
    medium: int
    high: int
    critical: int
    items: List[ScopeSummaryRisksItemsItem]


class ScopeSummaryRisksItemsItem(TypedDict):
    document_id: str
    revision: int
    quote: Optional[str]
    start: int
    end: int
    what: Optional[str]
    level: Severity


class ScopeSummaryRuntime(TypedDict):
    state: RuntimeState
    service: RuntimeState
    tenant: RuntimeState
    scope: RuntimeState
    run: int


class Session(TypedDict):
    session_id: str
    tenant_id: TenantId
    kind: Literal["desk", "device"]
    person: str
    subject: str
    rights: List[Literal["read", "ingest", "decide", "erase", "manage", "hold"]]
    scopes: Optional[List[str]]
    created_at: str
    expires_at: str
    revoked_at: Optional[str]


class SignInOffer(TypedDict):
    oidc: Optional[SignInOfferOidc]
    has_session: bool


class SignInOfferOidc(TypedDict):
    name: str


class _Supersession(TypedDict):
    supersession_id: str
    scope_id: ScopeId
    status: Literal["standing", "objected", "withdrawn"]
    kind: Literal["words", "later_issue", "revision"]
    claim: Claim
    superseded_by: Claim
    reason: str
    evidence: Optional[Evidence]
    found_by: str
    detected_at: str
    round: int
    contradiction_id: Optional[str]


class Supersession(_Supersession, total=False):
    objection: SupersessionObjection


class SupersessionObjection(TypedDict):
    reason: str
    by: str
    decided_at: str
    round: int


class SupersessionPage(TypedDict):
    items: List[Supersession]
    next: Optional[str]


class _SupersessionResult(TypedDict):
    supersession_id: str
    scope_id: ScopeId
    status: Literal["standing", "objected", "withdrawn"]
    kind: Literal["words", "later_issue", "revision"]
    claim: Claim
    superseded_by: Claim
    reason: str
    evidence: Optional[Evidence]
    found_by: str
    detected_at: str
    round: int
    contradiction_id: Optional[str]
    decision_id: str


class SupersessionResult(_SupersessionResult, total=False):
    objection: SupersessionResultObjection


class SupersessionResultObjection(TypedDict):
    reason: str
    by: str
    decided_at: str
    round: int


class Webhook(TypedDict):
    webhook_id: str
    url: str
    description: Optional[str]
    events: List[str]
    scope_id: Optional[str]
    scopes: Optional[List[str]]
    enabled: bool
    disabled_reason: Optional[Literal["asked", "failing", "gone"]]
    failing_since: Optional[str]
    failed_attempts: int
    next_attempt_at: Optional[str]
    last_delivered_at: Optional[str]
    previous_secret_until: Optional[str]
    created_at: str


class WebhookDeleted(TypedDict):
    webhook_id: str
    message: str


class WebhookDelivery(TypedDict):
    delivery_id: str
    webhook_id: str
    kind: Literal["event", "test", "redelivery"]
    event_id: str
    type: str
    scope_id: Optional[str]
    status: Literal["pending", "delivered", "failed"]
    attempts: int
    response_status: Optional[int]
    reason: Optional[Literal["status", "redirect", "timeout", "dns", "address", "tls", "connection"]]
    duration_ms: Optional[int]
    created_at: str
    attempted_at: Optional[str]


class WebhookDeliveryPage(TypedDict):
    items: List[WebhookDelivery]
    next: Optional[str]


class WebhookPage(TypedDict):
    items: List[Webhook]
    next: Optional[str]


class WithdrawnCertificates(TypedDict):
    scope_id: ScopeId
    count: int
    statement: str
    kid: str
    issued_at: str
