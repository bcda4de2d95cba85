"""The calls of the public tier, made from openapi.json by `npm run client-types`. Not edited by hand."""

from __future__ import annotations

import json
import threading
from typing import Any, Dict, Iterator, List, Literal, Optional, Union

from . import types
from ._base import UNSET, Base, given, keyed, segment
from ._multipart import FileLike
from ._pages import Listing

VERSION = "0.1.0"


class Calls(Base):
    def begin_device_sign_in(self) -> types.DeviceSignIn:
        """The device flow (RFC 8628), for the command line: the person opens an address anywhere and types in a code."""
        return self._json("POST", "/api/sign-in/device", {})

    def begin_sign_in(self) -> types.BegunSignIn:
        """OpenID Connect, authorization code with PKCE. The cookie ties the answer of the issuer to this browser for ten minutes."""
        return self._json("POST", "/api/sign-in", {})

    def cancel_document(self, scope_id: types.ScopeId, document_id: str, *, reason: str, by: str) -> types.Document:
        """It will not be read and is `rejected`, with who cancelled it and why; its text stays until it is erased. Refused once a worker has it. Submitting it again is a new revision."""
        return self._json("POST", "/api/documents/-/cancellation", {"scope_id": scope_id, "document_id": document_id}, {}, given({"reason": reason, "by": by}))

    def change_webhook(self, webhook_id: str, *, url: Optional[str] = None, events: Optional[List[types.EventPattern]] = None, scope_id: Optional[types.ScopeId] = UNSET, description: Optional[str] = UNSET, enabled: Optional[bool] = None) -> types.Webhook:
        """A change also ends the wait after failures: what is due is tried at once."""
        return self._json("PATCH", f"/api/webhooks/{segment(webhook_id)}", {}, {}, given({"url": url, "events": events, "enabled": enabled}, {"scope_id": scope_id, "description": description}))

    def create_contradiction(self, *, scope_id: types.ScopeId, claim_a: str, claim_b: str, source_a: str, source_b: str, severity: types.Severity, round: Optional[int] = None, idempotency_key: Optional[str] = None) -> types.Contradiction:
        """Report a contradiction that was found elsewhere."""
        return self._json("POST", "/api/contradictions", {}, keyed(idempotency_key), given({"scope_id": scope_id, "claim_a": claim_a, "claim_b": claim_b, "source_a": source_a, "source_b": source_b, "severity": severity, "round": round}))

    def create_device_session(self, *, device_code: str, tenant_id: Optional[str] = None) -> types.CreatedDeviceSession:
        """Ask for the session of a sign-in with another device."""
        return self._json("POST", "/api/session/device", {}, {}, given({"device_code": device_code, "tenant_id": tenant_id}))

    def create_document(self, *, scope_id: types.ScopeId, name: str, type: str, status: Optional[Literal["registered", "indexed"]] = None, provenance: Optional[str] = None, idempotency_key: Optional[str] = None) -> types.Document:
        """Register a document that is processed elsewhere."""
        return self._json("POST", "/api/documents", {}, keyed(idempotency_key), given({"scope_id": scope_id, "name": name, "type": type, "status": status, "provenance": provenance}))

    def create_scope(self, *, scope_id: types.ScopeId, display_name: Optional[str] = None, mode: Optional[types.ScopeMode] = None) -> types.Scope:
        """Create a scope."""
        return self._json("POST", "/api/scopes", {}, {}, given({"scope_id": scope_id, "display_name": display_name, "mode": mode}))

    def create_session(self, *, code: str, state: str, iss: Optional[str] = None, tenant_id: Optional[str] = None) -> types.CreatedSession:
        """The service exchanges the code itself. The session is the cookie and no token is in the answer; it lasts an hour at most and acts for its person alone."""
        return self._json("POST", "/api/session", {}, {}, given({"code": code, "state": state, "iss": iss, "tenant_id": tenant_id}))

    def create_webhook(self, *, url: str, events: List[types.EventPattern], scope_id: Optional[types.ScopeId] = None, description: Optional[str] = None) -> types.CreatedWebhook:
        """From now on each event of the kinds named is posted at least once, in order within its scope, signed by the Standard Webhooks specification: `webhook-id` is the id of the event. Failures are repeated for three days, then the webhook is disabled and `webhook.disabled` says so."""
        return self._json("POST", "/api/webhooks", {}, {}, given({"url": url, "events": events, "scope_id": scope_id, "description": description}))

    def delete_scope(self, scope_id: str) -> types.DeletedScope:
        """Everything of the scope is gone for every reader at once and removed from the database within seconds: documents, originals, claims, findings, decisions, settings, policies of its own, events. Work under way is dropped. Certificates stay readable, marked withdrawn, and `scope.deleted` is the last event of its log. Using the name again goes on from there: `seq` and generation continue."""
        return self._json("DELETE", f"/api/scopes/{segment(scope_id)}", {})

    def delete_webhook(self, webhook_id: str) -> types.WebhookDeleted:
        """Delete a webhook with its secrets and deliveries."""
        return self._json("DELETE", f"/api/webhooks/{segment(webhook_id)}", {})

    def discard_document(self, scope_id: types.ScopeId, document_id: str, *, reason: str, by: str) -> types.Document:
        """It is `rejected`, with who discarded it and why, and no longer tried; its text stays until it is erased."""
        return self._json("POST", "/api/documents/-/discard", {"scope_id": scope_id, "document_id": document_id}, {}, given({"reason": reason, "by": by}))

    def dismiss_possible_conflict(self, possible_conflict_id: str, *, reason: str, by: str) -> types.PossibleConflictResult:
        """Dismiss a possible conflict."""
        return self._json("POST", f"/api/possible-conflicts/{segment(possible_conflict_id)}/dismissal", {}, {}, given({"reason": reason, "by": by}))

    def end_session(self) -> types.Session:
        """Ends the session the request came with, within one second on every node; streams opened with it end."""
        return self._json("DELETE", "/api/session", {})

    def erase_document(self, scope_id: types.ScopeId, document_id: str) -> types.ErasedDocument:
        """Text and quotes are gone, its claims no longer count; hash, decisions and audit remain. Claims of other documents that nothing else replaced count again; those documents are queued to be reread, so that they are compared with what came meanwhile."""
        return self._json("DELETE", "/api/documents/-", {"scope_id": scope_id, "document_id": document_id})

    def get_certificate(self, scope_id: str) -> types.Certificate:
        """Read the newest certificate of a scope."""
        return self._json("GET", f"/api/scopes/{segment(scope_id)}/certificate", {})

    def get_convergence(self, scope_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> types.OwnConvergence:
        """How close a scope is to one consistent story, with its history."""
        return self._json("GET", f"/api/scopes/{segment(scope_id)}/convergence", {"limit": limit, "cursor": cursor})

    def get_document(self, scope_id: types.ScopeId, document_id: str, *, wait: Optional[float] = None) -> types.Document:
        """Read a document’s state."""
        return self._json("GET", "/api/documents/-", {"scope_id": scope_id, "document_id": document_id, "wait": wait})

    def get_document_text(self, scope_id: types.ScopeId, document_id: str, *, revision: Optional[int] = None) -> str:
        """`start` and `end` of claims count its code points. A document without a text here (registered, erased, past its time) is answered like a missing one."""
        return self._bytes("GET", "/api/documents/-/text", {"scope_id": scope_id, "document_id": document_id, "revision": revision}).decode()

    def get_health(self) -> types.HealthResponse:
        """Whether the service is ready."""
        return self._health("/api/health")

    def get_jwks(self) -> types.Jwks:
        """Public keys of the certificates."""
        return self._json("GET", "/.well-known/jwks.json", {})

    def get_me(self) -> types.Me:
        """Takes a key of any tier. `tenant_id`, quotas and `usage` are null for an admin or internals key, which belongs to no tenant."""
        return self._json("GET", "/api/me", {})

    def get_original(self, scope_id: types.ScopeId, document_id: str, *, revision: Optional[int] = None) -> bytes:
        """The bytes as they came, for documents that came as files."""
        return self._bytes("GET", "/api/documents/-/original", {"scope_id": scope_id, "document_id": document_id, "revision": revision})

    def get_policies(self, scope_id: str) -> types.PolicyView:
        """Read the policy set in force for a scope."""
        return self._json("GET", f"/api/scopes/{segment(scope_id)}/policies", {})

    def get_sign_in(self) -> types.SignInOffer:
        """Whether people can sign in with an issuer."""
        return self._json("GET", "/api/sign-in", {})

    def get_summary(self, scope_id: str) -> types.ScopeSummary:
        """Everything about a scope on one page."""
        return self._json("GET", f"/api/scopes/{segment(scope_id)}/summary", {})

    def get_webhook(self, webhook_id: str) -> types.Webhook:
        """Read a webhook."""
        return self._json("GET", f"/api/webhooks/{segment(webhook_id)}", {})

    def get_withdrawn_certificates(self, scope_id: str) -> types.WithdrawnCertificates:
        """Signed at the time of the request like a certificate (`typ` `concord-withdrawals+jws`): the SHA-256 of each withdrawn certificate with its time, and length and head of the chain of certificates. For whoever holds a certificate and cannot ask the service."""
        return self._json("GET", f"/api/scopes/{segment(scope_id)}/certificates/withdrawn", {})

    def hold_document(self, scope_id: types.ScopeId, document_id: str, *, reason: str, by: str) -> types.LegalHoldResult:
        """Until it is lifted, erasing, resetting and deleting answer 409 `LEGAL_HOLD`, and no retention removes text or original. Setting it twice changes nothing. Its case can then be neither reset nor deleted; other documents of it can be erased."""
        return self._json("POST", "/api/documents/-/hold", {"scope_id": scope_id, "document_id": document_id}, {}, given({"reason": reason, "by": by}))

    def hold_scope(self, scope_id: str, *, reason: str, by: str) -> types.LegalHoldResult:
        """Until it is lifted, erasing, resetting and deleting answer 409 `LEGAL_HOLD`, and no retention removes text or original. Setting it twice changes nothing."""
        return self._json("POST", f"/api/scopes/{segment(scope_id)}/hold", {}, {}, given({"reason": reason, "by": by}))

    def ingest_batch(self, *, documents: List[types.IngestDocumentRequest]) -> types.IngestBatchResponse:
        """As POST /api/ingest for each document, in one request of at most 8 MiB. Each is counted against rates and quotas and answered on its own, with the status it alone would have had; one that is refused harms no other. Within a scope, `seq` follows the order of the array. Each may carry an `idempotency_key`: with keys the whole request is safe to repeat."""
        return self._json("POST", "/api/ingest/batch", {}, {}, given({"documents": documents}))

    def ingest_document(self, *, scope_id: types.ScopeId, name: str, text: str, type: Optional[str] = None, document_id: Optional[str] = None, source: Optional[str] = None, idempotency_key: Optional[str] = None) -> types.IngestDocumentResponse:
        """Answers 202 when the document, its event and its place in the queue are on disk. `seq` is the position of its `document.queued` event in the scope’s event log. A scope that does not exist is created on first use."""
        return self._json("POST", "/api/ingest", {}, keyed(idempotency_key), given({"scope_id": scope_id, "name": name, "type": type, "text": text, "document_id": document_id, "source": source}))

    def ingest_file(self, file: FileLike, *, scope_id: types.ScopeId, document_id: Optional[str] = None, name: Optional[str] = None, source: Optional[str] = None, idempotency_key: Optional[str] = None) -> types.FileIngestResponse:
        """PDF, DOCX, XLSX, EML, HTML, CSV, JSON, Markdown or plain text, recognised by their content. Answers 202 when the original, the document, its event and its place in the queue are on disk. The text is extracted when the document is processed."""
        return self._upload("/api/files", file, given({"scope_id": scope_id, "document_id": document_id, "name": name, "source": source}), keyed(idempotency_key))

    def lift_document_hold(self, scope_id: types.ScopeId, document_id: str, reason: str, by: str) -> types.LegalHoldResult:
        """Recorded with who lifted it and why. Lifting twice changes nothing. A hold on its case stays."""
        return self._json("DELETE", "/api/documents/-/hold", {"scope_id": scope_id, "document_id": document_id, "reason": reason, "by": by})

    def lift_scope_hold(self, scope_id: str, *, reason: str, by: str) -> types.LegalHoldResult:
        """Recorded with who lifted it and why. Lifting twice changes nothing. Holds on single documents of it stay."""
        return self._json("DELETE", f"/api/scopes/{segment(scope_id)}/hold", {"reason": reason, "by": by})

    def list_certificates(self, scope_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> Listing[types.Certificate]:
        """Also those of before a reset. `previous` of each is the `sha256` of the one before: with the newest all others can be checked."""
        return self._list(f"/api/scopes/{segment(scope_id)}/certificates", {"limit": limit, "cursor": cursor})

    def list_claims(self, scope_id: str, *, q: Optional[str] = None, state: Optional[Literal["live", "superseded", "all"]] = None, document_id: Optional[str] = None, subject: Optional[str] = None, attribute: Optional[str] = None, as_of: Optional[str] = None, known_at: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> Listing[types.Claim]:
        """In the order of arrival; with `q` the best answers first. A word is found in any of its forms, by itself or above the statement; of a word that very many claims have, the newest 200 are looked at, and no more than the best 100 claims are given. Where no claim has a word of it, the newest 2,000 claims are looked through for its parts as they are written. Claims of replaced revisions are listed and not searched."""
        return self._list(f"/api/scopes/{segment(scope_id)}/claims", {"q": q, "state": state, "document_id": document_id, "subject": subject, "attribute": attribute, "as_of": as_of, "known_at": known_at, "limit": limit, "cursor": cursor})

    def list_contradictions(self, scope_id: str, *, status: Optional[Literal["open", "resolved", "dismissed", "all"]] = None, severity: Optional[types.Severity] = None, document_id: Optional[str] = None, found_by: Optional[Literal["rules", "model", "person"]] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> Listing[types.Contradiction]:
        """List where the documents disagree."""
        return self._list(f"/api/scopes/{segment(scope_id)}/contradictions", {"status": status, "severity": severity, "document_id": document_id, "found_by": found_by, "limit": limit, "cursor": cursor})

    def list_decisions(self, scope_id: str, *, review: Optional[Literal["pending"]] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> Listing[types.Decision]:
        """List the decisions of a scope."""
        return self._list(f"/api/scopes/{segment(scope_id)}/decisions", {"review": review, "limit": limit, "cursor": cursor})

    def list_documents(self, scope_id: str, *, status: Optional[types.DocumentStatus] = None, received_from: Optional[str] = None, received_to: Optional[str] = None, read_without_model: Optional[bool] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> Listing[types.Document]:
        """List the documents of a scope."""
        return self._list(f"/api/scopes/{segment(scope_id)}/documents", {"status": status, "received_from": received_from, "received_to": received_to, "read_without_model": read_without_model, "limit": limit, "cursor": cursor})

    def list_holds(self, scope_id: str, *, standing: Optional[bool] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> Listing[types.LegalHold]:
        """List the legal holds of a case and its documents, oldest first."""
        return self._list(f"/api/scopes/{segment(scope_id)}/holds", {"standing": standing, "limit": limit, "cursor": cursor})

    def list_possible_conflicts(self, scope_id: str, *, status: Optional[Literal["open", "promoted", "dismissed", "all"]] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> Listing[types.PossibleConflict]:
        """List where the documents may disagree, best first."""
        return self._list(f"/api/scopes/{segment(scope_id)}/possible-conflicts", {"status": status, "limit": limit, "cursor": cursor})

    def list_revisions(self, scope_id: types.ScopeId, document_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> Listing[types.Document]:
        """List the revisions of a document, newest first."""
        return self._list("/api/documents/-/revisions", {"scope_id": scope_id, "document_id": document_id, "limit": limit, "cursor": cursor})

    def list_scopes(self, *, q: Optional[str] = None, finality: Optional[types.FinalityStatus] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> Listing[types.Scope]:
        """List the tenant’s scopes."""
        return self._list("/api/scopes", {"q": q, "finality": finality, "limit": limit, "cursor": cursor})

    def list_supersessions(self, scope_id: str, *, status: Optional[Literal["standing", "objected", "withdrawn", "all"]] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> Listing[types.Supersession]:
        """List what replaced what, and why."""
        return self._list(f"/api/scopes/{segment(scope_id)}/supersessions", {"status": status, "limit": limit, "cursor": cursor})

    def list_webhook_deliveries(self, webhook_id: str, *, status: Optional[Literal["pending", "delivered", "failed"]] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> Listing[types.WebhookDelivery]:
        """List what became of messages, newest first."""
        return self._list(f"/api/webhooks/{segment(webhook_id)}/deliveries", {"status": status, "limit": limit, "cursor": cursor})

    def list_webhooks(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> Listing[types.Webhook]:
        """List the tenant’s webhooks."""
        return self._list("/api/webhooks", {"limit": limit, "cursor": cursor})

    def object_to_supersession(self, supersession_id: str, *, reason: str, by: str) -> types.SupersessionResult:
        """The replaced claim counts again, and stands in an open contradiction with every live claim that had replaced it."""
        return self._json("POST", f"/api/supersessions/{segment(supersession_id)}/objection", {}, {}, given({"reason": reason, "by": by}))

    def promote_possible_conflict(self, possible_conflict_id: str, *, reason: str, by: str) -> types.PossibleConflictResult:
        """Promote a possible conflict to an open contradiction."""
        return self._json("POST", f"/api/possible-conflicts/{segment(possible_conflict_id)}/promotion", {}, {}, given({"reason": reason, "by": by}))

    def redeliver_webhook(self, webhook_id: str, delivery_id: str) -> types.WebhookDelivery:
        """One attempt, outside the order of its scope, with the `webhook-id` of the first time."""
        return self._json("POST", f"/api/webhooks/{segment(webhook_id)}/deliveries/{segment(delivery_id)}/redelivery", {})

    def reopen_contradiction(self, contradiction_id: str, *, reason: str, by: str) -> types.ReopenedContradiction:
        """The contradiction is open again and the claims the decision had retired count again, as far as their documents still make them. Recorded like every decision; refused when nobody has decided it."""
        return self._json("DELETE", f"/api/contradictions/{segment(contradiction_id)}/resolution", {"reason": reason, "by": by})

    def reread_scope(self, scope_id: str, *, model: Optional[bool] = None, by: Optional[str] = None, reason: Optional[str] = None) -> types.RereadResult:
        """Queues every admitted document behind what comes in. Each is read by the reader in use, in a round of its own, and takes the place of its reading before at once; its revision stays. What people decided stays with the same statements; findings whose statements are gone are named in the event `document.reread`. With `model` only the documents that no model has answered about are read, and the model is asked."""
        return self._json("POST", f"/api/scopes/{segment(scope_id)}/reread", {}, {}, given({"model": model, "by": by, "reason": reason}))

    def resolve_contradiction(self, contradiction_id: str, *, verdict: Literal["a", "b", "both", "neither", "dismiss"], reason: str, by: str) -> types.ResolutionResult:
        """`a` or `b` retires the losing claims; `both`, `neither` and `dismiss` leave both live and close the finding. Recorded, and reversible by deciding again; no claim is ever deleted."""
        return self._json("POST", f"/api/contradictions/{segment(contradiction_id)}/resolution", {}, {}, given({"verdict": verdict, "reason": reason, "by": by}))

    def retry_document(self, scope_id: types.ScopeId, document_id: str) -> types.Document:
        """Send a quarantined document back into the queue."""
        return self._json("POST", "/api/documents/-/retry", {"scope_id": scope_id, "document_id": document_id})

    def review_decision(self, decision_id: str, *, verdict: Literal["approve", "reject"], reason: str, by: str) -> types.ReviewResult:
        """Approve or reject what is held."""
        return self._json("POST", f"/api/decisions/{segment(decision_id)}/review", {}, {}, given({"verdict": verdict, "reason": reason, "by": by}))

    def rotate_webhook_secret(self, webhook_id: str, *, keep_hours: Optional[int] = None) -> types.RotatedSecret:
        """For `keep_hours` messages carry two signatures, of the new secret and of the one before."""
        return self._json("POST", f"/api/webhooks/{segment(webhook_id)}/secret", {}, {}, given({"keep_hours": keep_hours}))

    def stream_scope(self, scope_id: str, *, after: Union[int, str, None] = None, stop: Optional[threading.Event] = None) -> Iterator[types.Event]:
        """Follow the events of a scope."""
        return self._stream(f"/api/scopes/{segment(scope_id)}/events", after, stop, f"/api/scopes/{segment(scope_id)}/summary")

    def stream_scopes(self, *, stop: Optional[threading.Event] = None) -> Iterator[types.Event]:
        """For lists of scopes. Events are as webhooks have them: `source` names the scope, `sequence` is the place in its log. It begins with what is committed after the request and has no cursor: after a lost connection, read the lists again. Where no event may be missed, follow each scope, or have a webhook called."""
        return self._stream_live("/api/events", stop)

    def test_webhook(self, webhook_id: str) -> types.WebhookDelivery:
        """One attempt with an event `webhook.test`, also to a disabled webhook. What became of it is among the deliveries."""
        return self._json("POST", f"/api/webhooks/{segment(webhook_id)}/test", {})

    def withdraw_dismissal(self, possible_conflict_id: str, *, reason: str, by: str) -> types.PossibleConflictResult:
        """Withdraw a dismissal."""
        return self._json("DELETE", f"/api/possible-conflicts/{segment(possible_conflict_id)}/dismissal", {"reason": reason, "by": by})

    def withdraw_objection(self, supersession_id: str, *, reason: str, by: str) -> types.SupersessionResult:
        """The claim is replaced again and the contradictions of the objection are dismissed. Refused once one of them is decided."""
        return self._json("DELETE", f"/api/supersessions/{segment(supersession_id)}/objection", {"reason": reason, "by": by})

    def withdraw_promotion(self, possible_conflict_id: str, *, reason: str, by: str) -> types.PossibleConflictResult:
        """The contradiction it became is dismissed and the possible conflict is undecided again. Refused once the contradiction is decided."""
        return self._json("DELETE", f"/api/possible-conflicts/{segment(possible_conflict_id)}/promotion", {"reason": reason, "by": by})
