/** The API as types, made from openapi.json by `npm run client-types`. Not edited by hand. */

export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Public keys of the certificates
         * @description Public keys of the certificates.
         */
        get: operations["getJwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit log
         * @description Read the audit log.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/control-plane/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health of the control plane
         * @description Health of the control plane.
         */
        get: operations["getAdminControlPlaneHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health of the admin tier
         * @description Health of the admin tier.
         */
        get: operations["getAdminHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the policy set of the tenant, or of the service
         * @description Read the policy set of the tenant, or of the service.
         */
        get: operations["getPolicies"];
        /**
         * Set the policy set of the tenant, or of the service
         * @description Set the policy set of the tenant, or of the service.
         */
        put: operations["putPolicies"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/policies/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * See what a policy set would have decided
         * @description See what a policy set would have decided.
         */
        post: operations["dryRunPolicies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/quarantine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List documents that failed after all attempts
         * @description List documents that failed after all attempts.
         */
        get: operations["listQuarantine"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/quarantine/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Queue quarantined documents again
         * @description Queue quarantined documents again.
         */
        post: operations["retryQuarantine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/runtime/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause the runtime: nothing new begins
         * @description With a scope and the tenant key: that scope. With the key alone: all scopes of the tenant. With neither: the whole service.
         */
        post: operations["pauseAdminRuntime"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/runtime/restart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restart the runtime under a new run number
         * @description With a scope and the tenant key: that scope. With the key alone: all scopes of the tenant. With neither: the whole service.
         */
        post: operations["restartAdminRuntime"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/runtime/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused runtime
         * @description With a scope and the tenant key: that scope. With the key alone: all scopes of the tenant. With neither: the whole service.
         */
        post: operations["resumeAdminRuntime"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/runtime/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start the runtime
         * @description With a scope and the tenant key: that scope. With the key alone: all scopes of the tenant. With neither: the whole service.
         */
        post: operations["startAdminRuntime"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/runtime/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop the runtime: documents in progress go back to the queue
         * @description With a scope and the tenant key: that scope. With the key alone: all scopes of the tenant. With neither: the whole service.
         */
        post: operations["stopAdminRuntime"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the scopes of the tenant
         * @description List the scopes of the tenant.
         */
        get: operations["listScopes"];
        put?: never;
        /**
         * Create a scope
         * @description Create a scope.
         */
        post: operations["createScope"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/scopes/{scopeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a scope and its settings
         * @description Read a scope and its settings.
         */
        get: operations["getScope"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change name, mode or settings of a scope
         * @description Change name, mode or settings of a scope.
         */
        patch: operations["patchScope"];
        trace?: never;
    };
    "/admin/scopes/{scopeId}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Attach a document without processing it yet
         * @description Attach a document without processing it yet.
         */
        post: operations["attachDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/scopes/{scopeId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events of a scope
         * @description Follow the events of a scope.
         */
        get: operations["streamScope"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/scopes/{scopeId}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Queue a file of a scope for processing
         * @description As POST /api/files, for the tenant of the key, into a scope that exists.
         */
        post: operations["ingestScopeFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/scopes/{scopeId}/glossary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the glossary of a scope
         * @description Read the glossary of a scope.
         */
        get: operations["getGlossary"];
        /**
         * Set the glossary of a scope
         * @description Set the glossary of a scope.
         */
        put: operations["putGlossary"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/scopes/{scopeId}/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Queue attached documents
         * @description Queue attached documents.
         */
        post: operations["triggerIngest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/scopes/{scopeId}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Numbers of a scope over a period
         * @description Numbers of a scope over a period.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/scopes/{scopeId}/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the policy set of a scope
         * @description Read the policy set of a scope.
         */
        get: operations["getScopePolicies"];
        /**
         * Set the policy set of a scope
         * @description Set the policy set of a scope.
         */
        put: operations["putScopePolicies"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/scopes/{scopeId}/policies/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * See what a policy set would have decided in a scope
         * @description See what a policy set would have decided in a scope.
         */
        post: operations["dryRunScopePolicies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/scopes/{scopeId}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset the data of a scope
         * @description Documents, claims, contradictions and decisions are gone for every reader at once; the scope and its event log stay.
         */
        post: operations["resetScope"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/scopes/{scopeId}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything about a scope on one page
         * @description Everything about a scope on one page.
         */
        get: operations["getSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tenants
         * @description List tenants.
         */
        get: operations["listTenants"];
        put?: never;
        /**
         * Create a tenant and its first key
         * @description Create a tenant and its first key.
         */
        post: operations["createTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tenants/{tenantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a tenant and everything it owns
         * @description Its keys stop working at once; rows are removed in batches behind, and `tenant.removed` on the kernel stream says when; a tombstone stays in the audit log.
         */
        delete: operations["deleteTenant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tenants/{tenantId}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a tenant’s keys
         * @description List a tenant’s keys.
         */
        get: operations["listTenantKeys"];
        put?: never;
        /**
         * Create another key of a tenant
         * @description Create another key of a tenant.
         */
        post: operations["createTenantKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tenants/{tenantId}/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description Effective within one second on every node; streams opened with it end.
         */
        delete: operations["revokeTenantKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tenants/{tenantId}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a tenant’s limits and usage
         * @description Read a tenant’s limits and usage.
         */
        get: operations["getTenantLimits"];
        /**
         * Set a tenant’s limits
         * @description What is left out is unlimited, or has its default.
         */
        put: operations["putTenantLimits"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tenants/{tenantId}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sessions of a tenant’s people
         * @description List the sessions of a tenant’s people.
         */
        get: operations["listTenantSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tenants/{tenantId}/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a person’s session
         * @description Effective within one second on every node; streams opened with it end. Who is mapped can sign in again.
         */
        delete: operations["revokeTenantSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/contradictions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a contradiction that was found elsewhere
         * @description Report a contradiction that was found elsewhere.
         */
        post: operations["createContradiction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/contradictions/{contradictionId}/resolution": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide a contradiction
         * @description `a` or `b` retires the losing claims; `both`, `neither` and `dismiss` leave both live and close the finding. Recorded, and reversible by deciding again; no claim is ever deleted.
         */
        post: operations["resolveContradiction"];
        /**
         * Withdraw a decision on a contradiction
         * @description The contradiction is open again and the claims the decision had retired count again, as far as their documents still make them. Recorded like every decision; refused when nobody has decided it.
         */
        delete: operations["reopenContradiction"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/decisions/{decisionId}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve or reject what is held
         * @description Approve or reject what is held.
         */
        post: operations["reviewDecision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a document’s state, whatever its id
         * @description Read a document’s state, whatever its id.
         */
        get: operations["getDocumentByQuery"];
        put?: never;
        /**
         * Register a document that is processed elsewhere
         * @description Register a document that is processed elsewhere.
         */
        post: operations["createDocument"];
        /**
         * Erase a document’s text and quotes, whatever its id
         * @description As the route with the id in its path.
         */
        delete: operations["eraseDocumentByQuery"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{documentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a document’s state
         * @description Read a document’s state.
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        /**
         * Erase a document’s text and quotes
         * @description Text and quotes are gone, its claims no longer count; hash, decisions and audit remain. Claims of other documents that nothing else replaced count again; those documents are queued to be reread, so that they are compared with what came meanwhile.
         */
        delete: operations["eraseDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{documentId}/cancellation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a document out of the queue
         * @description It will not be read and is `rejected`, with who cancelled it and why; its text stays until it is erased. Refused once a worker has it. Submitting it again is a new revision.
         */
        post: operations["cancelDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{documentId}/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a document out of quarantine for good
         * @description It is `rejected`, with who discarded it and why, and no longer tried; its text stays until it is erased.
         */
        post: operations["discardDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{documentId}/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a document on legal hold
         * @description Until it is lifted, erasing, resetting and deleting answer 409 `LEGAL_HOLD`, and no retention removes text or original. Setting it twice changes nothing. Its case can then be neither reset nor deleted; other documents of it can be erased.
         */
        post: operations["holdDocument"];
        /**
         * Lift the legal hold of a document
         * @description Recorded with who lifted it and why. Lifting twice changes nothing. A hold on its case stays.
         */
        delete: operations["liftDocumentHold"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{documentId}/original": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the original of a document back
         * @description The bytes as they came, for documents that came as files.
         */
        get: operations["getOriginal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{documentId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a quarantined document back into the queue
         * @description Send a quarantined document back into the queue.
         */
        post: operations["retryDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{documentId}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the revisions of a document, newest first
         * @description List the revisions of a document, newest first.
         */
        get: operations["listRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{documentId}/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a document’s text as it was submitted
         * @description `start` and `end` of claims count its code points. A document without a text here (registered, erased, past its time) is answered like a missing one.
         */
        get: operations["getDocumentText"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events of all scopes that the key reaches
         * @description For lists of scopes. Events are as webhooks have them: `source` names the scope, `sequence` is the place in its log. It begins with what is committed after the request and has no cursor: after a lost connection, read the lists again. Where no event may be missed, follow each scope, or have a webhook called.
         */
        get: operations["streamOwnScopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Queue a file for processing
         * @description PDF, DOCX, XLSX, EML, HTML, CSV, JSON, Markdown or plain text, recognised by their content. Answers 202 when the original, the document, its event and its place in the queue are on disk. The text is extracted when the document is processed.
         */
        post: operations["ingestFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the service is ready
         * @description Whether the service is ready.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Queue a document for processing
         * @description Answers 202 when the document, its event and its place in the queue are on disk. `seq` is the position of its `document.queued` event in the scope’s event log. A scope that does not exist is created on first use.
         */
        post: operations["ingestDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ingest/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Queue up to 200 documents
         * @description As POST /api/ingest for each document, in one request of at most 8 MiB. Each is counted against rates and quotas and answered on its own, with the status it alone would have had; one that is refused harms no other. Within a scope, `seq` follows the order of the array. Each may carry an `idempotency_key`: with keys the whole request is safe to repeat.
         */
        post: operations["ingestBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the key presented may do
         * @description Takes a key of any tier. `tenant_id`, quotas and `usage` are null for an admin or internals key, which belongs to no tenant.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/possible-conflicts/{possibleConflictId}/dismissal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Dismiss a possible conflict
         * @description Dismiss a possible conflict.
         */
        post: operations["dismissPossibleConflict"];
        /**
         * Withdraw a dismissal
         * @description Withdraw a dismissal.
         */
        delete: operations["withdrawDismissal"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/possible-conflicts/{possibleConflictId}/promotion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Promote a possible conflict to an open contradiction
         * @description Promote a possible conflict to an open contradiction.
         */
        post: operations["promotePossibleConflict"];
        /**
         * Withdraw a promotion
         * @description The contradiction it became is dismissed and the possible conflict is undecided again. Refused once the contradiction is decided.
         */
        delete: operations["withdrawPromotion"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tenant’s scopes
         * @description List the tenant’s scopes.
         */
        get: operations["listOwnScopes"];
        put?: never;
        /**
         * Create a scope
         * @description Create a scope.
         */
        post: operations["createOwnScope"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scopes/{scopeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a scope with everything in it
         * @description Everything of the scope is gone for every reader at once and removed from the database within seconds: documents, originals, claims, findings, decisions, settings, policies of its own, events. Work under way is dropped. Certificates stay readable, marked withdrawn, and `scope.deleted` is the last event of its log. Using the name again goes on from there: `seq` and generation continue.
         */
        delete: operations["deleteOwnScope"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scopes/{scopeId}/certificate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the newest certificate of a scope
         * @description Read the newest certificate of a scope.
         */
        get: operations["getCertificate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scopes/{scopeId}/certificates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every certificate of a scope, oldest first
         * @description Also those of before a reset. `previous` of each is the `sha256` of the one before: with the newest all others can be checked.
         */
        get: operations["listCertificates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scopes/{scopeId}/certificates/withdrawn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read which certificates of a scope are withdrawn, signed
         * @description Signed at the time of the request like a certificate (`typ` `concord-withdrawals+jws`): the SHA-256 of each withdrawn certificate with its time, and length and head of the chain of certificates. For whoever holds a certificate and cannot ask the service.
         */
        get: operations["getWithdrawnCertificates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scopes/{scopeId}/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or search what the documents claim
         * @description In the order of arrival; with `q` the best answers first. A word is found in any of its forms, by itself or above the statement; of a word that very many claims have, the newest 200 are looked at, and no more than the best 100 claims are given. Where no claim has a word of it, the newest 2,000 claims are looked through for its parts as they are written. Claims of replaced revisions are listed and not searched.
         */
        get: operations["listClaims"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scopes/{scopeId}/contradictions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List where the documents disagree
         * @description List where the documents disagree.
         */
        get: operations["listContradictions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scopes/{scopeId}/convergence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How close a scope is to one consistent story, with its history
         * @description How close a scope is to one consistent story, with its history.
         */
        get: operations["getOwnConvergence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scopes/{scopeId}/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the decisions of a scope
         * @description List the decisions of a scope.
         */
        get: operations["listDecisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scopes/{scopeId}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the documents of a scope
         * @description List the documents of a scope.
         */
        get: operations["listDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scopes/{scopeId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events of a scope
         * @description Follow the events of a scope.
         */
        get: operations["streamOwnScope"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scopes/{scopeId}/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a case on legal hold
         * @description Until it is lifted, erasing, resetting and deleting answer 409 `LEGAL_HOLD`, and no retention removes text or original. Setting it twice changes nothing.
         */
        post: operations["holdScope"];
        /**
         * Lift the legal hold of a case
         * @description Recorded with who lifted it and why. Lifting twice changes nothing. Holds on single documents of it stay.
         */
        delete: operations["liftScopeHold"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scopes/{scopeId}/holds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the legal holds of a case and its documents, oldest first
         * @description List the legal holds of a case and its documents, oldest first.
         */
        get: operations["listHolds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scopes/{scopeId}/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the policy set in force for a scope
         * @description Read the policy set in force for a scope.
         */
        get: operations["getOwnPolicies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scopes/{scopeId}/possible-conflicts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List where the documents may disagree, best first
         * @description List where the documents may disagree, best first.
         */
        get: operations["listPossibleConflicts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scopes/{scopeId}/reread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the documents of a scope again
         * @description Queues every admitted document behind what comes in. Each is read by the reader in use, in a round of its own, and takes the place of its reading before at once; its revision stays. What people decided stays with the same statements; findings whose statements are gone are named in the event `document.reread`. With `model` only the documents that no model has answered about are read, and the model is asked.
         */
        post: operations["rereadScope"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scopes/{scopeId}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything about a scope on one page
         * @description Everything about a scope on one page.
         */
        get: operations["getOwnSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scopes/{scopeId}/supersessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what replaced what, and why
         * @description List what replaced what, and why.
         */
        get: operations["listSupersessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange what the issuer gave the browser for a session
         * @description The service exchanges the code itself. The session is the cookie and no token is in the answer; it lasts an hour at most and acts for its person alone.
         */
        post: operations["createSession"];
        /**
         * Sign out
         * @description Ends the session the request came with, within one second on every node; streams opened with it end.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for the session of a sign-in with another device
         * @description Ask for the session of a sign-in with another device.
         */
        post: operations["createDeviceSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether people can sign in with an issuer
         * @description Whether people can sign in with an issuer.
         */
        get: operations["getSignIn"];
        put?: never;
        /**
         * Begin to sign in with a browser
         * @description OpenID Connect, authorization code with PKCE. The cookie ties the answer of the issuer to this browser for ten minutes.
         */
        post: operations["beginSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sign-in/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to sign in with another device
         * @description The device flow (RFC 8628), for the command line: the person opens an address anywhere and types in a code.
         */
        post: operations["beginDeviceSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/supersessions/{supersessionId}/objection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Object to a supersession
         * @description The replaced claim counts again, and stands in an open contradiction with every live claim that had replaced it.
         */
        post: operations["objectToSupersession"];
        /**
         * Withdraw an objection
         * @description The claim is replaced again and the contradictions of the objection are dismissed. Refused once one of them is decided.
         */
        delete: operations["withdrawObjection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tenant’s webhooks
         * @description List the tenant’s webhooks.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Have events posted to an address
         * @description From now on each event of the kinds named is posted at least once, in order within its scope, signed by the Standard Webhooks specification: `webhook-id` is the id of the event. Failures are repeated for three days, then the webhook is disabled and `webhook.disabled` says so.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook
         * @description Read a webhook.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook with its secrets and deliveries
         * @description Delete a webhook with its secrets and deliveries.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook, or switch it off and on
         * @description A change also ends the wait after failures: what is due is tried at once.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/api/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what became of messages, newest first
         * @description List what became of messages, newest first.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/deliveries/{deliveryId}/redelivery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the event of a delivery again
         * @description One attempt, outside the order of its scope, with the `webhook-id` of the first time.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign with a new secret
         * @description For `keep_hours` messages carry two signatures, of the new secret and of the one before.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message
         * @description One attempt with an event `webhook.test`, also to a disabled webhook. What became of it is among the deliveries.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internals/audit/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how far the audit log reaches, signed
         * @description Length and head of the chain of the audit log, signed like a certificate (`typ` `concord-audit-checkpoint+jws`). Kept elsewhere, it shows when the end of the log was cut off.
         */
        get: operations["getAuditCheckpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internals/control-plane/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health of the control plane (deprecated address)
         * @deprecated
         * @description Health of the control plane (deprecated address).
         */
        get: operations["getControlPlaneHealthAlias"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internals/convergence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Convergence of all scopes, worst pressure first (deprecated address)
         * @deprecated
         * @description Convergence of all scopes, worst pressure first (deprecated address).
         */
        get: operations["getConvergenceAlias"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internals/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events of all scopes and of the hatchery (deprecated address)
         * @deprecated
         * @description Follow the events of all scopes and of the hatchery (deprecated address).
         */
        get: operations["streamKernelAlias"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internals/hatchery/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Nodes, workers, queue and limits of the whole cluster (deprecated address)
         * @deprecated
         * @description Nodes, workers, queue and limits of the whole cluster (deprecated address).
         */
        get: operations["getHatcherySnapshotAlias"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internals/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health of the internals tier
         * @description Health of the internals tier.
         */
        get: operations["getInternalsHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internals/kernel/control-plane/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health of the control plane
         * @description Health of the control plane.
         */
        get: operations["getControlPlaneHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internals/kernel/convergence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Convergence of all scopes, worst pressure first
         * @description Convergence of all scopes, worst pressure first.
         */
        get: operations["getConvergence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internals/kernel/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events of all scopes and of the hatchery
         * @description Follow the events of all scopes and of the hatchery.
         */
        get: operations["streamKernel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internals/kernel/hatchery/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Nodes, workers, queue and limits of the whole cluster
         * @description Nodes, workers, queue and limits of the whole cluster.
         */
        get: operations["getHatcherySnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internals/kernel/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health of the kernel feed
         * @description Health of the kernel feed.
         */
        get: operations["getKernelHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internals/kernel/runtime/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause the runtime: nothing new begins
         * @description With a scope: that scope of the tenant whose key is given. Without: all its scopes.
         */
        post: operations["pauseInternalsRuntime"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internals/kernel/runtime/restart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restart the runtime under a new run number
         * @description With a scope: that scope of the tenant whose key is given. Without: all its scopes.
         */
        post: operations["restartInternalsRuntime"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internals/kernel/runtime/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused runtime
         * @description With a scope: that scope of the tenant whose key is given. Without: all its scopes.
         */
        post: operations["resumeInternalsRuntime"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internals/kernel/runtime/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start the runtime
         * @description With a scope: that scope of the tenant whose key is given. Without: all its scopes.
         */
        post: operations["startInternalsRuntime"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internals/kernel/runtime/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop the runtime: documents in progress go back to the queue
         * @description With a scope: that scope of the tenant whose key is given. Without: all its scopes.
         */
        post: operations["stopInternalsRuntime"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internals/signing-keys/rotation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign certificates with a new key
         * @description Every node signs with it within a second. Keys that were used before stay in /.well-known/jwks.json, so that what they signed can be verified. Refused while the key is given by SIGNING_KEY.
         */
        post: operations["rotateSigningKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange messages of the Model Context Protocol
         * @description Streamable HTTP without sessions: every message is answered by itself, as JSON, by any node. Each tool asks for the right of the operation it stands for; those that change something are there with MCP_ALLOW_WRITES alone. A request from a web page is refused unless its origin is one of CORS_ORIGINS.
         */
        post: operations["answerAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics for Prometheus
         * @description Metrics for Prometheus.
         */
        get: operations["getPrometheusMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description `result`, or `error` with a code of JSON-RPC. */
        AgentAnswer: {
            id?: (string | number) | null;
            /** @constant */
            jsonrpc: "2.0";
            result?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description One message of JSON-RPC 2.0. Several at once are not taken.
         * @example {
         *       "jsonrpc": "2.0",
         *       "id": 1,
         *       "method": "tools/call",
         *       "params": {
         *         "name": "list_cases",
         *         "arguments": {}
         *       }
         *     }
         */
        AgentMessage: {
            id?: string | number;
            /** @constant */
            jsonrpc: "2.0";
            method?: string;
            params?: {
                [key: string]: unknown;
            };
        };
        /**
         * @example {
         *       "name": "Audit memo",
         *       "text": "Revenue for FY2025 was EUR 33.9M."
         *     }
         */
        AttachDocumentRequest: {
            /** @description Omitted: one is made. Repeated: a new revision. */
            document_id?: string;
            idempotency_key?: string;
            name: string;
            /** @description A stable reference: content hash, source URI or external id. */
            provenance?: string;
            /** @description Where it comes from; a hint for the issuer. */
            source?: string;
            text: string;
            /**
             * @description txt, md, html, csv, json or a MIME type; anything else is read as text.
             * @default txt
             */
            type?: string;
        };
        AuditCheckpoint: {
            /** @description Lower-case hex SHA-256. */
            head: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            issued_at: string;
            kid: string;
            /** @description How many entries are chained. */
            length: number;
            /** @description Compact JWS, EdDSA over Ed25519; its key is in /.well-known/jwks.json under `kid`. */
            statement: string;
        };
        AuditEntry: {
            action: string;
            /** @description A fingerprint of the key that acted; `nobody` for counted calls without a valid key. */
            actor: string;
            address: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            at: string;
            detail: {
                [key: string]: unknown;
            };
            hash: string | null;
            id: string;
            /** @enum {unknown} */
            outcome: "allowed" | "refused" | "counted";
            prev_hash: string | null;
            request_id: string;
            scope_id: string | null;
            status: number | null;
            tenant_id: string | null;
            tier: string;
        };
        AuditPage: {
            items: components["schemas"]["AuditEntry"][];
            next: string | null;
        };
        BegunSignIn: {
            /** @description Where the browser goes; it comes back to the desk with `code` and `state`. */
            authorization_url: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            expires_at: string;
        };
        Certificate: {
            /** @description Compact JWS, EdDSA over Ed25519; its key is in /.well-known/jwks.json under `kid`. */
            certificate: string;
            certificate_id: string;
            generation: number;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            issued_at: string;
            kid: string;
            previous: string | null;
            round: number;
            scope_id: components["schemas"]["ScopeId"];
            /** @description SHA-256 of the compact JWS: what the next certificate names as `previous`. */
            sha256: string;
            /**
             * @description `current`: the scope still stands as certified. `superseded`: new evidence or an act has changed it since. `withdrawn`: the scope was reset. The signature stays right in every case.
             * @enum {unknown}
             */
            status: "current" | "superseded" | "withdrawn";
            superseded_at: string | null;
            withdrawn_at: string | null;
            withdrawn_reason: string | null;
        };
        CertificatePage: {
            items: components["schemas"]["Certificate"][];
            next: string | null;
        };
        /**
         * @description What is left out stays. A `scope_id` of null means every scope the key reaches.
         * @example {
         *       "enabled": true
         *     }
         */
        ChangeWebhookRequest: {
            description?: string | null;
            /** @description A webhook that is enabled again goes on where it stopped. */
            enabled?: boolean;
            /** @description Kinds of events, families such as `contradiction.*`, or `*` for all. */
            events?: components["schemas"]["EventPattern"][];
            scope_id?: components["schemas"]["ScopeId"] | null;
            /**
             * @description Where messages are posted: https, without user, password and fragment, at a public address.
             * @example https://example.com/hooks/concord
             */
            url?: string;
        };
        CheckedHealthResponse: {
            authTier: string | null;
            checks: components["schemas"]["HealthCheck"][];
            status: components["schemas"]["HealthStatus"];
            tier: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            time: string;
            version: string;
        };
        /** @description `start` and `end` count code points of the text as submitted. */
        Claim: {
            attribute: string;
            cell: string | null;
            claim_id: string;
            confidence: number;
            /** @example annual-report */
            document_id: string;
            end: number;
            normalized: {
                [key: string]: unknown;
            };
            page: number | null;
            paragraph: number | null;
            period: string | null;
            /** @enum {unknown} */
            polarity: "affirmed" | "negated";
            quote: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            recorded_at: string;
            revision: number;
            role: string;
            start: number;
            subject: string;
            superseded_at: string | null;
            superseded_by: string | null;
            superseded_reason: string | null;
            unit: string | null;
            valid_from: string | null;
            valid_to: string | null;
            value: string;
        };
        ClaimPage: {
            items: components["schemas"]["Claim"][];
            next: string | null;
        };
        /** @description Two live claims of a scope that cannot both hold, with the other claims that say the same as each side. */
        Contradiction: {
            /** @description The letter says nothing about who is right. Found by rules, `a` is of the document issued earlier (one without a date comes last), then of the lower document id, then what stands earlier in the text. Found by a model, `b` is of the document that was being read. Where a supersession was objected to, `b` is what had replaced `a`. Reported ones stay as reported. */
            a: components["schemas"]["Claim"] | components["schemas"]["ReportedSide"];
            attribute: string | null;
            /** @description The other side, see `a`. */
            b: components["schemas"]["Claim"] | components["schemas"]["ReportedSide"];
            confidence: number | null;
            contradiction_id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            detected_at: string;
            evidence: components["schemas"]["Evidence"] | null;
            /**
             * @description `rules`, `model:<name>` for a language model, `person` for a reported one. What a model finds is verified by code.
             * @example rules
             */
            found_by: string;
            /** @enum {unknown} */
            kind: "numeric" | "categorical" | "negation" | "date" | "reported";
            reason: string;
            resolution?: components["schemas"]["Resolution"];
            round: number;
            scope_id: components["schemas"]["ScopeId"];
            severity: components["schemas"]["Severity"];
            /** @enum {unknown} */
            status: "open" | "resolved" | "dismissed";
            subject: string | null;
            supporters: {
                a: number;
                b: number;
            };
            supporters_a: components["schemas"]["Claim"][];
            supporters_b: components["schemas"]["Claim"][];
        };
        ContradictionPage: {
            items: components["schemas"]["Contradiction"][];
            next: string | null;
        };
        Convergence: {
            bottleneck: ("claim_confidence" | "contradiction_resolution" | "goal_completion" | "risk_inverse") | null;
            dimensions: {
                claim_confidence: components["schemas"]["Dimension"];
                contradiction_resolution: components["schemas"]["Dimension"];
                goal_completion: components["schemas"]["Dimension"];
                risk_inverse: components["schemas"]["Dimension"];
            };
            estimated_rounds: number | null;
            goal_score: number;
            monotone: boolean;
            oscillating: boolean;
            plateau: boolean;
            pressure: number;
            rate: number | null;
            round: number;
            segment_start: number;
            trajectory_quality: number;
            value: number;
        };
        /** @description All scopes, worst pressure first. With tenant_id and scope_id: that one scope, its gates and its history. */
        ConvergencePayload: {
            by_finality: {
                active: number;
                blocked: number;
                escalated: number;
                resolved: number;
                review: number;
            };
            gates?: components["schemas"]["Gate"][];
            history?: {
                items: {
                    document_id: string | null;
                    finality: components["schemas"]["FinalityStatus"] | null;
                    kind: string;
                    pressure: number;
                    rate: number | null;
                    /**
                     * Format: date-time
                     * @example 2026-01-31T09:00:00.000Z
                     */
                    recorded_at: string;
                    round: number;
                    scores: {
                        [key: string]: number;
                    };
                    value: number;
                }[];
                next: string | null;
            };
            items: components["schemas"]["ScopeConvergence"][];
            next: string | null;
            scopes: number;
        };
        /**
         * @description Reports a contradiction that was found elsewhere.
         * @example {
         *       "scope_id": "case-1",
         *       "claim_a": "The roof was replaced in 2019.",
         *       "claim_b": "The roof is original.",
         *       "source_a": "survey",
         *       "source_b": "broker",
         *       "severity": "medium"
         *     }
         */
        CreateContradictionBody: {
            claim_a: string;
            claim_b: string;
            round?: number;
            scope_id: components["schemas"]["ScopeId"];
            severity: components["schemas"]["Severity"];
            source_a: string;
            source_b: string;
        };
        CreatedDeviceSession: {
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            expires_at: string;
            /**
             * @description `desk`: a cookie of a browser; `device`: a token of the command line.
             * @enum {unknown}
             */
            kind: "desk" | "device";
            /** @description The `by` of its acts. */
            person: string;
            revoked_at: string | null;
            rights: ("read" | "ingest" | "decide" | "erase" | "manage" | "hold")[];
            scopes: string[] | null;
            session_id: string;
            /** @description What the issuer calls the person. */
            subject: string;
            tenant_id: components["schemas"]["TenantId"];
            /** @description Used like a tenant key. Shown once; only its SHA-256 is kept. */
            token: string;
        };
        /**
         * @example {
         *       "device_code": "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS"
         *     }
         */
        CreateDeviceSessionRequest: {
            device_code: string;
            /** @description Which tenant, for people who are mapped to several; unset: the first. */
            tenant_id?: string;
        };
        /**
         * @description Registers a document that is processed elsewhere.
         * @example {
         *       "scope_id": "case-1",
         *       "name": "Land register extract",
         *       "type": "pdf",
         *       "provenance": "urn:register:4711"
         *     }
         */
        CreateDocumentBody: {
            name: string;
            /** @description A stable reference: content hash, source URI or external id. */
            provenance?: string;
            scope_id: components["schemas"]["ScopeId"];
            /**
             * @default registered
             * @enum {unknown}
             */
            status?: "registered" | "indexed";
            type: string;
        };
        CreatedSession: {
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            created_at: string;
            /** @description Goes into the header X-CSRF-Token of every request that changes something. */
            csrf_token: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            expires_at: string;
            /**
             * @description `desk`: a cookie of a browser; `device`: a token of the command line.
             * @enum {unknown}
             */
            kind: "desk" | "device";
            /** @description The `by` of its acts. */
            person: string;
            revoked_at: string | null;
            rights: ("read" | "ingest" | "decide" | "erase" | "manage" | "hold")[];
            scopes: string[] | null;
            session_id: string;
            /** @description What the issuer calls the person. */
            subject: string;
            tenant_id: components["schemas"]["TenantId"];
        };
        CreatedWebhook: {
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            created_at: string;
            description: string | null;
            disabled_reason: ("asked" | "failing" | "gone") | null;
            enabled: boolean;
            events: string[];
            /** @description Of the message that is due. */
            failed_attempts: number;
            failing_since: string | null;
            last_delivered_at: string | null;
            next_attempt_at: string | null;
            previous_secret_until: string | null;
            scope_id: string | null;
            scopes: string[] | null;
            /**
             * @description Shown once. Messages are signed with it by the Standard Webhooks specification.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
            url: string;
            webhook_id: string;
        };
        /**
         * @example {
         *       "label": "ci"
         *     }
         * @example {
         *       "label": "Ada at the desk",
         *       "person": "ada",
         *       "rights": [
         *         "read",
         *         "decide"
         *       ],
         *       "scopes": [
         *         "case-1"
         *       ]
         *     }
         */
        CreateKeyRequest: {
            /**
             * Format: date-time
             * @description From then on it is not valid, by the clock of the database.
             */
            expires_at?: string;
            label?: string;
            /** @description Whose key it is: the `by` of its acts. */
            person?: string;
            /** @description Unset: all. */
            rights?: ("read" | "ingest" | "decide" | "erase" | "manage" | "hold")[];
            /** @description The scopes it reaches; unset: all, those to come included. */
            scopes?: components["schemas"]["ScopeId"][];
            /** @description Whether `by` may name anybody. Unset: only where the key has no person; needs a person when false. */
            speak_for?: boolean;
        };
        CreateKeyResponse: {
            /** @description Shown once; only its SHA-256 is kept. */
            api_key: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            created_at: string;
            expires_at: string | null;
            key_id: string;
            key_prefix: string;
            label: string | null;
            message: string;
            person: string | null;
            rights: ("read" | "ingest" | "decide" | "erase" | "manage" | "hold")[];
            scopes: string[] | null;
            speak_for: boolean;
            tenant_id: components["schemas"]["TenantId"];
        };
        /**
         * @example {
         *       "scope_id": "case-1",
         *       "display_name": "Acquisition of Aurelia",
         *       "mode": "auto"
         *     }
         */
        CreateScopeRequest: {
            display_name?: string;
            mode?: components["schemas"]["ScopeMode"];
            scope_id: components["schemas"]["ScopeId"];
        };
        /**
         * @example {
         *       "code": "SplxlOBeZQQYbYS6WxSbIA",
         *       "state": "af0ifjsldkj"
         *     }
         */
        CreateSessionRequest: {
            code: string;
            /** @description As the issuer put it beside the code, if it did. */
            iss?: string;
            state: string;
            /** @description Which tenant, for people who are mapped to several; unset: the first. */
            tenant_id?: string;
        };
        /**
         * @example {
         *       "name": "Northwind Insurance"
         *     }
         */
        CreateTenantRequest: {
            name: string;
        };
        /**
         * @example {
         *       "tenant_id": "ten_0123456789abcdefghijkl",
         *       "api_key": "cnk_0123456789abcdefghijklmnopqrstuv012345",
         *       "key_prefix": "cnk_01234567",
         *       "message": "Tenant created. Keep the api_key: it is not shown again.",
         *       "key_id": "key_0123456789abcdefghijkl",
         *       "name": "Northwind Insurance",
         *       "created_at": "2026-01-31T09:00:00.000Z"
         *     }
         */
        CreateTenantResponse: {
            /** @description Shown once; only its SHA-256 is kept. */
            api_key: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            created_at: string;
            key_id: string;
            key_prefix: string;
            message: string;
            name: string;
            tenant_id: components["schemas"]["TenantId"];
        };
        /**
         * @description Without `scope_id` it is about every scope the key reaches.
         * @example {
         *       "url": "https://example.com/hooks/concord",
         *       "events": [
         *         "contradiction.*",
         *         "finality.changed"
         *       ],
         *       "scope_id": "case-1"
         *     }
         */
        CreateWebhookRequest: {
            description?: string;
            /** @description Kinds of events, families such as `contradiction.*`, or `*` for all. */
            events: components["schemas"]["EventPattern"][];
            scope_id?: components["schemas"]["ScopeId"];
            /**
             * @description Where messages are posted: https, without user, password and fragment, at a public address.
             * @example https://example.com/hooks/concord
             */
            url: string;
        };
        Decision: {
            decision_id: string;
            document_id: string | null;
            erased_at: string | null;
            /** @description Lower-case hex SHA-256. */
            hash: string;
            kind: string;
            obligations: string[];
            /** @enum {unknown} */
            outcome: "admit" | "hold" | "reject";
            policies: string[];
            /** @description Lower-case hex SHA-256. */
            policy_hash: string;
            /** @description Lower-case hex SHA-256. */
            prev_hash: string;
            /** @description Lower-case hex SHA-256. */
            proposal_digest: string;
            /** @description Empty once erased. */
            reasons: string[];
            reasons_digest: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            recorded_at: string;
            review: ("pending" | "approved" | "rejected" | "obsolete") | null;
            revision: number | null;
            round: number;
            salt: string | null;
            seq: number;
            /** @description Lower-case hex SHA-256. */
            state_digest: string;
        };
        DecisionPage: {
            items: components["schemas"]["Decision"][];
            next: string | null;
        };
        DeletedScope: {
            certificates_withdrawn: number;
            chain: {
                head: string;
                length: number;
            };
            documents: number;
            /** @description The generation that ended. */
            generation: number;
            message: string;
            scope_id: components["schemas"]["ScopeId"];
            /** @description Position of `scope.deleted` in the scope’s event log. */
            seq: number;
        };
        DeviceSignIn: {
            /** @description Only for the client that asked. */
            device_code: string;
            /** @description Seconds. */
            expires_in: number;
            /** @description Seconds to wait between asking for the session. */
            interval: number;
            /** @description For the person to type in. */
            user_code: string;
            /** @description Where the person signs in. */
            verification_uri: string;
            verification_uri_complete: string | null;
        };
        Dimension: {
            pressure: number;
            score: number;
            target: number;
            threshold: number;
            weight: number;
        };
        Document: {
            /** @description Attempts to process this revision that failed since it was queued; put back by a person, it begins at 0. */
            attempts: number;
            content_hash: string | null;
            counts: {
                claims: number;
                contradictions: number;
            };
            /** @example annual-report */
            document_id: string;
            erased_at: string | null;
            failure: {
                error_class: string | null;
                stage: string | null;
            } | null;
            file: {
                bytes: number;
                extractor: string | null;
                /** @description Whether the original can be read back. */
                kept: boolean;
                media_type: string;
                /** @description What to know about how the text was made. */
                notes: string[];
                /** @description Lower-case hex SHA-256. */
                sha256: string;
            } | null;
            legal_hold: {
                by: string;
                hold_id: string;
                /**
                 * @description What it was set on: a document is on hold with its case.
                 * @enum {unknown}
                 */
                of: "case" | "document";
                reason: string | null;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:00:00.000Z
                 */
                set_at: string;
            } | null;
            model: string | null;
            name: string | null;
            part_of: string | null;
            provenance: string | null;
            reason: string | null;
            revision: number;
            round: number | null;
            scope_id: components["schemas"]["ScopeId"];
            seq: number | null;
            source: string | null;
            status: components["schemas"]["DocumentStatus"];
            timings: {
                finished_at: string | null;
                processing_ms: number | null;
                queued_at: string | null;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:00:00.000Z
                 */
                received_at: string;
                stages: {
                    [key: string]: number;
                };
                started_at: string | null;
                waiting_ms: number | null;
            };
            type: string;
            /** @description The previous revision had the same text, so nothing was extracted again. */
            unchanged: boolean;
        };
        DocumentCounts: {
            attached: number;
            held: number;
            indexed: number;
            processing: number;
            quarantined: number;
            queued: number;
            registered: number;
            rejected: number;
            total: number;
        };
        DocumentPage: {
            items: components["schemas"]["Document"][];
            next: string | null;
        };
        /** @enum {unknown} */
        DocumentStatus: "registered" | "attached" | "queued" | "processing" | "indexed" | "held" | "rejected" | "quarantined";
        Drift: {
            contradiction: number;
            entropy: number;
            factual: number;
            goal: number;
            /** @enum {unknown} */
            level: "none" | "low" | "medium" | "high" | "critical";
            round: number;
            score: number;
        };
        /** @description The record after its text and quotes are gone; hash and audit remain. */
        ErasedDocument: {
            /** @description Attempts to process this revision that failed since it was queued; put back by a person, it begins at 0. */
            attempts: number;
            claims_erased: number;
            content_hash: string | null;
            counts: {
                claims: number;
                contradictions: number;
            };
            /** @example annual-report */
            document_id: string;
            erased_at: string | null;
            failure: {
                error_class: string | null;
                stage: string | null;
            } | null;
            file: {
                bytes: number;
                extractor: string | null;
                /** @description Whether the original can be read back. */
                kept: boolean;
                media_type: string;
                /** @description What to know about how the text was made. */
                notes: string[];
                /** @description Lower-case hex SHA-256. */
                sha256: string;
            } | null;
            legal_hold: {
                by: string;
                hold_id: string;
                /**
                 * @description What it was set on: a document is on hold with its case.
                 * @enum {unknown}
                 */
                of: "case" | "document";
                reason: string | null;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:00:00.000Z
                 */
                set_at: string;
            } | null;
            model: string | null;
            name: string | null;
            part_of: string | null;
            provenance: string | null;
            reason: string | null;
            revision: number;
            round: number | null;
            scope_id: components["schemas"]["ScopeId"];
            seq: number | null;
            source: string | null;
            status: components["schemas"]["DocumentStatus"];
            timings: {
                finished_at: string | null;
                processing_ms: number | null;
                queued_at: string | null;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:00:00.000Z
                 */
                received_at: string;
                stages: {
                    [key: string]: number;
                };
                started_at: string | null;
                waiting_ms: number | null;
            };
            type: string;
            /** @description The previous revision had the same text, so nothing was extracted again. */
            unchanged: boolean;
        };
        /**
         * @description The `data` of a frame. Ids and figures only, never text or quotes. The `name` of a document is looked up when the event is read and null once the document was erased.
         * @example {
         *       "specversion": "1.0",
         *       "id": "0",
         *       "source": "/scopes/case-1",
         *       "type": "document.queued",
         *       "subject": "annual-report",
         *       "time": "2026-01-31T09:00:00.000Z",
         *       "datacontenttype": "application/json",
         *       "data": {
         *         "scope_id": "case-1",
         *         "document_id": "annual-report",
         *         "revision": 1,
         *         "name": "Annual report",
         *         "status": "queued"
         *       }
         *     }
         */
        Event: {
            data: {
                [key: string]: unknown;
            };
            /** @constant */
            datacontenttype: "application/json";
            id: string;
            source: string;
            /** @constant */
            specversion: "1.0";
            subject?: string;
            /** Format: date-time */
            time: string;
            /** @enum {unknown} */
            type: "scope.created" | "scope.reset" | "scope.deleted" | "document.registered" | "document.attached" | "document.queued" | "document.requeued" | "document.processing" | "document.indexed" | "document.held" | "document.rejected" | "document.quarantined" | "document.erased" | "document.reread_queued" | "document.reread" | "document.reread_failed" | "claim.superseded" | "contradiction.detected" | "contradiction.resolved" | "contradiction.reopened" | "possible_conflict.detected" | "possible_conflict.promoted" | "possible_conflict.dismissed" | "possible_conflict.reopened" | "supersession.objected" | "supersession.restored" | "supersession.withdrawn" | "decision.recorded" | "convergence.updated" | "finality.changed" | "certificate.issued" | "certificate.withdrawn" | "legal_hold.set" | "legal_hold.lifted" | "scope.changed" | "runtime.changed" | "worker.spawned" | "worker.drained" | "worker.restarted" | "worker.circuit" | "tenant.removed" | "webhook.disabled" | "webhook.test" | "stream.gap";
        };
        /** @enum {unknown} */
        EventPattern: "*" | "scope.*" | "document.*" | "claim.*" | "contradiction.*" | "possible_conflict.*" | "supersession.*" | "decision.*" | "convergence.*" | "finality.*" | "certificate.*" | "legal_hold.*" | "runtime.*" | "webhook.*" | "scope.created" | "scope.reset" | "scope.deleted" | "document.registered" | "document.attached" | "document.queued" | "document.requeued" | "document.processing" | "document.indexed" | "document.held" | "document.rejected" | "document.quarantined" | "document.erased" | "document.reread_queued" | "document.reread" | "document.reread_failed" | "claim.superseded" | "contradiction.detected" | "contradiction.resolved" | "contradiction.reopened" | "possible_conflict.detected" | "possible_conflict.promoted" | "possible_conflict.dismissed" | "possible_conflict.reopened" | "supersession.objected" | "supersession.restored" | "supersession.withdrawn" | "decision.recorded" | "convergence.updated" | "finality.changed" | "certificate.issued" | "certificate.withdrawn" | "legal_hold.set" | "legal_hold.lifted" | "scope.changed" | "runtime.changed" | "webhook.disabled";
        /** @description Why two claims are considered to be about the same thing, and what differs: shared words, the day or period and the issuer of each. */
        Evidence: {
            differs: {
                a: string;
                b: string;
            }[];
            issuers: {
                a: string | null;
                b: string | null;
            };
            shared: string[];
            subject: string | null;
            times: {
                a: string | null;
                b: string | null;
            };
        };
        /** @description As for ingest, with what was received. `type` is the kind the file was found to be. */
        FileIngestResponse: {
            document_id: string | null;
            file: {
                bytes: number;
                media_type: string;
                /** @description Lower-case hex SHA-256. */
                sha256: string;
            };
            idempotency_key: string | null;
            /** @constant */
            integration_version: "v1";
            message: string;
            name: string;
            /** @constant */
            queued: true;
            scope_id: components["schemas"]["ScopeId"];
            seq: number | null;
            type: string;
        };
        /** @enum {unknown} */
        FinalityStatus: "active" | "review" | "resolved" | "escalated" | "blocked";
        /**
         * @example {
         *       "reason": "Two different sites.",
         *       "by": "j.doe"
         *     }
         */
        FindingRequest: {
            by: string;
            reason: string;
        };
        Gate: {
            gate: string;
            how: string;
            needs: string;
            ok: boolean;
            value: number | string | boolean | null;
        };
        /**
         * @example {
         *       "terms": {
         *         "net premium": [
         *           "NWP",
         *           "net written premium"
         *         ]
         *       },
         *       "entities": {
         *         "Aurelia Holding": [
         *           "Aurelia"
         *         ]
         *       }
         *     }
         */
        Glossary: {
            /** @description The word to use → other ways to write it. */
            entities?: {
                [key: string]: string[];
            };
            /** @description The word to use → other ways to write it. */
            terms?: {
                [key: string]: string[];
            };
        };
        GlossaryView: {
            entities: {
                [key: string]: string[];
            };
            scope_id: components["schemas"]["ScopeId"];
            terms: {
                [key: string]: string[];
            };
            version: number;
        };
        HatcherySnapshot: {
            leader: string | null;
            limits: {
                cooldown_seconds: number;
                evaluation_period_seconds: number;
                max: number;
                min: number;
                queue_age_limit_seconds: number;
                restart_intensity: number;
                restart_window_seconds: number;
                target_utilisation: number;
            };
            nodes: {
                actual: number;
                busy: number;
                /** @enum {unknown} */
                circuit: "closed" | "open" | "half_open";
                circuit_reason: string | null;
                completed: number;
                desired: number;
                draining: number;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:00:00.000Z
                 */
                heartbeat_at: string;
                leader: boolean;
                node_id: string;
                restarts: number;
                /** @enum {unknown} */
                role: "all" | "api" | "worker";
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:00:00.000Z
                 */
                started_at: string;
                /** @enum {unknown} */
                status: "alive" | "silent";
            }[];
            queue: {
                at_least: boolean;
                depth: number;
                oldest_age_seconds: number;
                runnable: number;
                runnable_scopes: number;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:00:00.000Z
                 */
                taken_at: string;
            };
            roles: {
                actual: number;
                arrival_rate: number;
                busy: number;
                completion_rate: number;
                desired: number;
                draining: number;
                evaluated_at: string | null;
                reason: string;
                restarts: number;
                /** @enum {unknown} */
                role: "pipeline";
                service_rate: number;
                utilisation: number;
            }[];
            runtime: {
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:00:00.000Z
                 */
                changed_at: string;
                run: number;
                scopes_paused: number;
                scopes_stopped: number;
                state: components["schemas"]["RuntimeState"];
                tenants_paused: number;
                tenants_stopped: number;
            };
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            taken_at: string;
            workers: {
                documents: number;
                node_id: string;
                /** @enum {unknown} */
                role: "pipeline";
                scope_id: string | null;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:00:00.000Z
                 */
                since: string;
                /** @enum {unknown} */
                state: "idle" | "busy" | "draining";
                tenant_id: string | null;
                worker_id: string;
            }[];
        };
        /** @description One thing that was checked, with its own figures. */
        HealthCheck: {
            detail?: string;
            figures: {
                [key: string]: unknown;
            };
            /** @example database */
            name: string;
            status: components["schemas"]["HealthStatus"];
        };
        /**
         * @example {
         *       "status": "ok",
         *       "version": "0.1.0",
         *       "time": "2026-01-31T09:00:00.000Z"
         *     }
         */
        HealthResponse: {
            /** @example ok */
            status: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            time: string;
            version: string;
        };
        /** @enum {unknown} */
        HealthStatus: "ok" | "degraded" | "unavailable";
        /**
         * @description Documents of any scopes. Each is checked, counted and answered on its own.
         * @example {
         *       "documents": [
         *         {
         *           "scope_id": "case-1",
         *           "name": "Audit memo",
         *           "text": "Revenue for FY2025 was EUR 33.9M."
         *         }
         *       ]
         *     }
         */
        IngestBatchRequest: {
            documents: components["schemas"]["IngestDocumentRequest"][];
        };
        IngestBatchResponse: {
            accepted: number;
            /** @description For each document, in their order, what it alone would have been answered with. Pointers in `errors` start at the document. */
            items: (components["schemas"]["IngestDocumentResponse"] | components["schemas"]["Problem"])[];
            refused: number;
            /** @description Places in `items`, from 0, whose document was submitted before under its key: these are the first answers. */
            replayed: number[];
        };
        /**
         * @example {
         *       "scope_id": "case-1",
         *       "name": "Annual report",
         *       "text": "Revenue for FY2025 was EUR 41.2M.",
         *       "document_id": "annual-report"
         *     }
         */
        IngestDocumentRequest: {
            /** @description Omitted: one is made. Repeated: a new revision. */
            document_id?: string;
            idempotency_key?: string;
            name: string;
            scope_id: components["schemas"]["ScopeId"];
            /** @description Where it comes from; a hint for the issuer. */
            source?: string;
            text: string;
            /**
             * @description txt, md, html, csv, json or a MIME type; anything else is read as text.
             * @default txt
             */
            type?: string;
        };
        /**
         * @example {
         *       "scope_id": "case-1",
         *       "name": "Annual report",
         *       "type": "txt",
         *       "document_id": "annual-report",
         *       "idempotency_key": null,
         *       "queued": true,
         *       "seq": 0,
         *       "integration_version": "v1",
         *       "message": "Document queued for processing."
         *     }
         */
        IngestDocumentResponse: {
            document_id: string | null;
            idempotency_key: string | null;
            /** @constant */
            integration_version: "v1";
            message: string;
            name: string;
            /** @constant */
            queued: true;
            scope_id: components["schemas"]["ScopeId"];
            seq: number | null;
            type: string;
        };
        Jwks: {
            keys: {
                [key: string]: unknown;
            }[];
        };
        LegalHold: {
            by: string;
            document_id: string | null;
            hold_id: string;
            lifted: {
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:00:00.000Z
                 */
                at: string;
                by: string;
                reason: string | null;
                vouched: boolean;
            } | null;
            reason: string | null;
            scope_id: components["schemas"]["ScopeId"];
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            set_at: string;
            /** @description Whether the key vouched for who set it; otherwise the request named somebody. */
            vouched: boolean;
        };
        LegalHoldPage: {
            items: components["schemas"]["LegalHold"][];
            next: string | null;
        };
        /**
         * @example {
         *       "reason": "Litigation over the north slab is expected.",
         *       "by": "j.doe"
         *     }
         */
        LegalHoldRequest: {
            by: string;
            reason: string;
        };
        LegalHoldResult: {
            by: string;
            /** @description False when it was so already. */
            changed: boolean;
            document_id: string | null;
            hold_id: string;
            lifted: {
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:00:00.000Z
                 */
                at: string;
                by: string;
                reason: string | null;
                vouched: boolean;
            } | null;
            reason: string | null;
            scope_id: components["schemas"]["ScopeId"];
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            set_at: string;
            /** @description Whether the key vouched for who set it; otherwise the request named somebody. */
            vouched: boolean;
        };
        /** @description A quota that is null is unlimited. */
        Me: {
            expires_at: string | null;
            limits: {
                /** @description Largest request body other than a file. */
                body_bytes: number;
                bytes: number | null;
                documents: number | null;
                /** @description Largest file. */
                file_bytes: number;
                requests_per_second: number | null;
                scopes: number | null;
                /** @description Longest text of a document, in code points. */
                text_characters: number;
            };
            person: string | null;
            reach: string[] | null;
            /** @description What a tenant key may do with its tenant’s scopes. */
            rights: ("read" | "ingest" | "decide" | "erase" | "manage" | "hold")[];
            session: {
                csrf_token: string | null;
                session_id: string;
            } | null;
            /** @description Whether `by` may name anybody; otherwise the person alone. */
            speak_for: boolean;
            tenant_id: components["schemas"]["TenantId"] | null;
            /** @enum {unknown} */
            tier: "public" | "admin" | "internals";
            usage: {
                bytes: number;
                documents: number;
                scopes: number;
            } | null;
        };
        /** @description The history is newest first; `cursor` takes its `next`. */
        OwnConvergence: {
            convergence: components["schemas"]["Convergence"];
            drift: components["schemas"]["Drift"] | null;
            finality: components["schemas"]["FinalityStatus"];
            gates: components["schemas"]["Gate"][];
            generation: number;
            history: {
                items: {
                    document_id: string | null;
                    finality: components["schemas"]["FinalityStatus"] | null;
                    kind: string;
                    pressure: number;
                    rate: number | null;
                    /**
                     * Format: date-time
                     * @example 2026-01-31T09:00:00.000Z
                     */
                    recorded_at: string;
                    round: number;
                    scores: {
                        [key: string]: number;
                    };
                    value: number;
                }[];
                next: string | null;
            };
            open_contradictions: number;
            scope_id: components["schemas"]["ScopeId"];
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * @example {
         *       "mode": "review"
         *     }
         */
        PatchScopeRequest: {
            display_name?: string | null;
            mode?: components["schemas"]["ScopeMode"];
            /** @description Weights, targets, thresholds, convergence and finality settings. */
            settings?: {
                [key: string]: unknown;
            };
        };
        Percentiles: {
            count: number;
            max_ms: number | null;
            p50_ms: number | null;
            p95_ms: number | null;
            p99_ms: number | null;
        };
        /**
         * @example {
         *       "policies": "@id(\"admit\")\npermit (principal, action, resource);",
         *       "last": 200
         *     }
         */
        PolicyDryRunRequest: {
            /** @default 200 */
            last?: number;
            policies: string;
        };
        PolicyDryRunResult: {
            changed: number;
            changes: {
                decision_id: string;
                document_id: string | null;
                kind: string;
                policies: string[];
                reasons: string[];
                /** @enum {unknown} */
                recorded: "admit" | "hold" | "reject";
                scope_id: components["schemas"]["ScopeId"];
                seq: number;
                /** @enum {unknown} */
                would_be: "admit" | "hold" | "reject";
            }[];
            examined: number;
            hash: string;
            message: string;
        };
        PolicyPutResult: {
            changed: boolean;
            changed_at: string | null;
            hash: string;
            inherited_from: ("shipped" | "service" | "tenant") | null;
            /** @enum {unknown} */
            level: "service" | "tenant" | "scope";
            policies: string;
            scope_id: string | null;
            tenant_id: string | null;
        };
        PolicyView: {
            changed_at: string | null;
            hash: string;
            inherited_from: ("shipped" | "service" | "tenant") | null;
            /** @enum {unknown} */
            level: "service" | "tenant" | "scope";
            policies: string;
            scope_id: string | null;
            tenant_id: string | null;
        };
        /** @description Two claims that may disagree, but not surely enough to say so: for a person to look at. In no score. Which is `a` is chosen as in a Contradiction. */
        PossibleConflict: {
            a: components["schemas"]["Claim"];
            attribute: string | null;
            b: components["schemas"]["Claim"];
            contradiction_id: string | null;
            decision?: {
                by: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:00:00.000Z
                 */
                decided_at: string;
                reason: string;
                round: number;
                /**
                 * @description `superseded`: a claim of it stopped counting.
                 * @enum {unknown}
                 */
                verdict: "promote" | "dismiss" | "superseded";
            };
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            detected_at: string;
            evidence: components["schemas"]["Evidence"] | null;
            /**
             * @description `rules`, `model:<name>` for a language model, `person` for a reported one. What a model finds is verified by code.
             * @example rules
             */
            found_by: string;
            /** @enum {unknown} */
            kind: "numeric" | "categorical" | "negation" | "date";
            possible_conflict_id: string;
            reason: string;
            round: number;
            scope_id: components["schemas"]["ScopeId"];
            score: number;
            severity: components["schemas"]["Severity"];
            /** @enum {unknown} */
            status: "open" | "promoted" | "dismissed";
            subject: string | null;
            supporters: {
                a: number;
                b: number;
            };
            supporters_a: components["schemas"]["Claim"][];
            supporters_b: components["schemas"]["Claim"][];
        };
        PossibleConflictPage: {
            items: components["schemas"]["PossibleConflict"][];
            next: string | null;
        };
        PossibleConflictResult: {
            a: components["schemas"]["Claim"];
            attribute: string | null;
            b: components["schemas"]["Claim"];
            contradiction_id: string | null;
            decision?: {
                by: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:00:00.000Z
                 */
                decided_at: string;
                reason: string;
                round: number;
                /**
                 * @description `superseded`: a claim of it stopped counting.
                 * @enum {unknown}
                 */
                verdict: "promote" | "dismiss" | "superseded";
            };
            decision_id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            detected_at: string;
            evidence: components["schemas"]["Evidence"] | null;
            /**
             * @description `rules`, `model:<name>` for a language model, `person` for a reported one. What a model finds is verified by code.
             * @example rules
             */
            found_by: string;
            /** @enum {unknown} */
            kind: "numeric" | "categorical" | "negation" | "date";
            possible_conflict_id: string;
            reason: string;
            round: number;
            scope_id: components["schemas"]["ScopeId"];
            score: number;
            severity: components["schemas"]["Severity"];
            /** @enum {unknown} */
            status: "open" | "promoted" | "dismissed";
            subject: string | null;
            supporters: {
                a: number;
                b: number;
            };
            supporters_a: components["schemas"]["Claim"][];
            supporters_b: components["schemas"]["Claim"][];
        };
        /**
         * @description Every refusal and failure has this shape (RFC 9457 members, and code, request_id and errors).
         * @example {
         *       "type": "/problems/VALIDATION_FAILED",
         *       "title": "The request does not match the contract",
         *       "status": 400,
         *       "detail": "/scope_id: must match pattern \"^[a-z0-9][a-z0-9-]*$\"",
         *       "code": "VALIDATION_FAILED",
         *       "request_id": "req_0123456789abcdefghijkl",
         *       "errors": [
         *         {
         *           "pointer": "/scope_id",
         *           "detail": "must match pattern \"^[a-z0-9][a-z0-9-]*$\""
         *         }
         *       ]
         *     }
         */
        Problem: {
            /**
             * @description Stable; made for programs.
             * @enum {unknown}
             */
            code: "VALIDATION_FAILED" | "JSON_INVALID" | "CURSOR_INVALID" | "POLICY_INVALID" | "TENANT_ID_MISSING" | "TENANT_KEY_MISSING" | "TENANT_UNKNOWN" | "TENANT_KEY_INVALID" | "AUTH_MISSING" | "AUTH_INVALID" | "SESSION_INVALID" | "SIGN_IN_FAILED" | "TENANT_MISMATCH" | "TIER_INSUFFICIENT" | "RIGHTS_INSUFFICIENT" | "CSRF_INVALID" | "SIGN_IN_REFUSED" | "ORIGIN_NOT_ALLOWED" | "QUOTA_EXCEEDED" | "ROUTE_NOT_FOUND" | "TENANT_NOT_FOUND" | "KEY_NOT_FOUND" | "SESSION_NOT_FOUND" | "SIGN_IN_DISABLED" | "SCOPE_NOT_FOUND" | "DOCUMENT_NOT_FOUND" | "CONTRADICTION_NOT_FOUND" | "POSSIBLE_CONFLICT_NOT_FOUND" | "SUPERSESSION_NOT_FOUND" | "DECISION_NOT_FOUND" | "CERTIFICATE_NOT_FOUND" | "ORIGINAL_NOT_FOUND" | "WEBHOOK_NOT_FOUND" | "HOLD_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "SCOPE_EXISTS" | "RUNTIME_CONFLICT" | "STATE_CONFLICT" | "LEGAL_HOLD" | "PAYLOAD_TOO_LARGE" | "URI_TOO_LONG" | "UNSUPPORTED_MEDIA_TYPE" | "EXPECTATION_FAILED" | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMITED" | "HEADERS_TOO_LARGE" | "INTERNAL" | "OVERLOADED" | "STORAGE_UNAVAILABLE" | "ISSUER_UNAVAILABLE" | "TIER_DISABLED";
            detail: string;
            errors?: {
                detail: string;
                /** @description JSON pointer to the value. */
                pointer: string;
            }[];
            request_id: string;
            status: number;
            title: string;
            /** @description Address of a page of this service that explains the code. */
            type: string;
        };
        /**
         * @example {
         *       "policies": "@id(\"admit\")\npermit (principal, action, resource);"
         *     }
         */
        PutPoliciesRequest: {
            /** @description A policy set in Cedar. */
            policies: string;
        };
        QuarantinedDocument: {
            /** @description Attempts to process this revision that failed since it was queued; put back by a person, it begins at 0. */
            attempts: number;
            /** @example annual-report */
            document_id: string;
            error_class: string | null;
            name: string;
            quarantined_at: string | null;
            reason: string | null;
            revision: number;
            scope_id: components["schemas"]["ScopeId"];
            stage: string | null;
            tenant_id: string;
        };
        QuarantinePage: {
            items: components["schemas"]["QuarantinedDocument"][];
            next: string | null;
        };
        /**
         * @description One or some documents of a scope, all of a scope, all of a tenant (with its key), or all.
         * @example {
         *       "scope_id": "case-1",
         *       "document_ids": [
         *         "annual-report"
         *       ]
         *     }
         */
        QuarantineRetryRequest: {
            document_ids?: string[];
            scope_id?: components["schemas"]["ScopeId"];
        };
        QuarantineRetryResponse: {
            documents: {
                /** @example annual-report */
                document_id: string;
                scope_id: components["schemas"]["ScopeId"];
            }[];
            requeued: number;
        };
        ReopenedContradiction: {
            /** @description The letter says nothing about who is right. Found by rules, `a` is of the document issued earlier (one without a date comes last), then of the lower document id, then what stands earlier in the text. Found by a model, `b` is of the document that was being read. Where a supersession was objected to, `b` is what had replaced `a`. Reported ones stay as reported. */
            a: components["schemas"]["Claim"] | components["schemas"]["ReportedSide"];
            attribute: string | null;
            /** @description The other side, see `a`. */
            b: components["schemas"]["Claim"] | components["schemas"]["ReportedSide"];
            claims_revived: string[];
            confidence: number | null;
            contradiction_id: string;
            decision_id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            detected_at: string;
            evidence: components["schemas"]["Evidence"] | null;
            /**
             * @description `rules`, `model:<name>` for a language model, `person` for a reported one. What a model finds is verified by code.
             * @example rules
             */
            found_by: string;
            /** @enum {unknown} */
            kind: "numeric" | "categorical" | "negation" | "date" | "reported";
            reason: string;
            round: number;
            scope_id: components["schemas"]["ScopeId"];
            severity: components["schemas"]["Severity"];
            /** @enum {unknown} */
            status: "open" | "resolved" | "dismissed";
            subject: string | null;
            supporters: {
                a: number;
                b: number;
            };
            supporters_a: components["schemas"]["Claim"][];
            supporters_b: components["schemas"]["Claim"][];
        };
        ReportedSide: {
            quote: string;
            source: string;
        };
        /**
         * @example {
         *       "model": true,
         *       "by": "j.doe",
         *       "reason": "The model is back."
         *     }
         */
        RereadRequest: {
            /** @description Who wants it; kept with the rounds. */
            by?: string;
            /**
             * @description Only the documents that no model has answered about, and ask it about them.
             * @default false
             */
            model?: boolean;
            reason?: string;
        };
        RereadResult: {
            model: boolean;
            /** @description Documents that this request queued. */
            queued: number;
            scope_id: components["schemas"]["ScopeId"];
            /** @description Documents that wait to be read again, those included. */
            waiting: number;
        };
        ResetResult: {
            certificates_withdrawn: number;
            chain: {
                head: string;
                length: number;
            };
            documents: number;
            generation: number;
            message: string;
            previous_generation: number;
            scope_id: components["schemas"]["ScopeId"];
            seq: number;
        };
        Resolution: {
            by: string;
            reason: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            resolved_at: string;
            round: number;
            /** @enum {unknown} */
            verdict: "a" | "b" | "both" | "neither" | "dismiss" | "superseded";
        };
        ResolutionResult: {
            /** @description The letter says nothing about who is right. Found by rules, `a` is of the document issued earlier (one without a date comes last), then of the lower document id, then what stands earlier in the text. Found by a model, `b` is of the document that was being read. Where a supersession was objected to, `b` is what had replaced `a`. Reported ones stay as reported. */
            a: components["schemas"]["Claim"] | components["schemas"]["ReportedSide"];
            attribute: string | null;
            /** @description The other side, see `a`. */
            b: components["schemas"]["Claim"] | components["schemas"]["ReportedSide"];
            claims_retired: string[];
            claims_revived: string[];
            confidence: number | null;
            contradiction_id: string;
            decision_id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            detected_at: string;
            evidence: components["schemas"]["Evidence"] | null;
            /**
             * @description `rules`, `model:<name>` for a language model, `person` for a reported one. What a model finds is verified by code.
             * @example rules
             */
            found_by: string;
            /** @enum {unknown} */
            kind: "numeric" | "categorical" | "negation" | "date" | "reported";
            reason: string;
            resolution: components["schemas"]["Resolution"];
            round: number;
            scope_id: components["schemas"]["ScopeId"];
            severity: components["schemas"]["Severity"];
            /** @enum {unknown} */
            status: "open" | "resolved" | "dismissed";
            subject: string | null;
            supporters: {
                a: number;
                b: number;
            };
            supporters_a: components["schemas"]["Claim"][];
            supporters_b: components["schemas"]["Claim"][];
        };
        /**
         * @example {
         *       "verdict": "b",
         *       "reason": "The audited figure holds.",
         *       "by": "j.doe"
         *     }
         */
        ResolveContradictionRequest: {
            by: string;
            reason: string;
            /** @enum {unknown} */
            verdict: "a" | "b" | "both" | "neither" | "dismiss";
        };
        /**
         * @example {
         *       "verdict": "approve",
         *       "reason": "Checked against the register.",
         *       "by": "j.doe"
         *     }
         */
        ReviewDecisionRequest: {
            by: string;
            reason: string;
            /** @enum {unknown} */
            verdict: "approve" | "reject";
        };
        ReviewResult: {
            decision_id: string;
            document: components["schemas"]["Document"] | null;
            document_id: string | null;
            erased_at: string | null;
            /** @description Lower-case hex SHA-256. */
            hash: string;
            kind: string;
            obligations: string[];
            /** @enum {unknown} */
            outcome: "admit" | "hold" | "reject";
            policies: string[];
            /** @description Lower-case hex SHA-256. */
            policy_hash: string;
            /** @description Lower-case hex SHA-256. */
            prev_hash: string;
            /** @description Lower-case hex SHA-256. */
            proposal_digest: string;
            /** @description Empty once erased. */
            reasons: string[];
            reasons_digest: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            recorded_at: string;
            review: ("pending" | "approved" | "rejected" | "obsolete") | null;
            review_decision_id: string | null;
            revision: number | null;
            round: number;
            salt: string | null;
            seq: number;
            /** @description Lower-case hex SHA-256. */
            state_digest: string;
        };
        RotatedKey: {
            /** @description The key that signs from now on. */
            kid: string;
        };
        RotatedSecret: {
            previous_secret_until: string | null;
            /**
             * @description Shown once. Messages are signed with it by the Standard Webhooks specification.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
            webhook_id: string;
        };
        /**
         * @example {
         *       "keep_hours": 24
         *     }
         */
        RotateSecretRequest: {
            /**
             * @description How long the secret before signs beside the new one.
             * @default 24
             */
            keep_hours?: number;
        };
        /**
         * @description A scope needs the tenant key beside it.
         * @example {
         *       "scope_id": "case-1"
         *     }
         * @example {}
         */
        RuntimeRequest: {
            scope_id?: components["schemas"]["ScopeId"];
        };
        RuntimeResponse: {
            addressed: {
                /** @enum {unknown} */
                level: "service" | "tenant" | "scope";
                scope_id?: string;
                tenant_id?: string;
            };
            changed: boolean;
            documents_requeued: number;
            effective: components["schemas"]["RuntimeState"];
            hatchery: {
                /** @enum {unknown} */
                circuit: "closed" | "open" | "half_open";
                nodes: number;
                queue_depth: number;
                queue_oldest_age_seconds: number;
                workers_actual: number;
                workers_busy: number;
                workers_desired: number;
            };
            /** @enum {unknown} */
            operation: "start" | "pause" | "resume" | "stop" | "restart";
            previous: components["schemas"]["RuntimeState"];
            run: number;
            scopes_affected: number;
            state: components["schemas"]["RuntimeState"];
        };
        /** @enum {unknown} */
        RuntimeState: "running" | "paused" | "stopped";
        Scope: {
            counts: {
                claims: number;
                documents: components["schemas"]["DocumentCounts"];
                open_contradictions: number;
                possible_conflicts: number;
            };
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            created_at: string;
            display_name: string | null;
            finality: components["schemas"]["FinalityStatus"];
            /** @description Raised by every reset. */
            generation: number;
            legal_hold: {
                by: string;
                hold_id: string;
                /**
                 * @description What it was set on: a document is on hold with its case.
                 * @enum {unknown}
                 */
                of: "case" | "document";
                reason: string | null;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:00:00.000Z
                 */
                set_at: string;
            } | null;
            mode: components["schemas"]["ScopeMode"];
            /** @description Some of its documents were read by another version of the reader: their claims are not compared. */
            needs_reread: boolean;
            runtime: components["schemas"]["RuntimeState"];
            scope_id: components["schemas"]["ScopeId"];
            /** @description The goal score of the last rounds, oldest first. */
            trajectory: number[];
            /**
             * Format: date-time
             * @description When its last round was recorded.
             * @example 2026-01-31T09:00:00.000Z
             */
            updated_at: string;
        };
        ScopeConvergence: {
            convergence: components["schemas"]["Convergence"];
            drift: components["schemas"]["Drift"] | null;
            finality: components["schemas"]["FinalityStatus"];
            generation: number;
            open_contradictions: number;
            scope_id: components["schemas"]["ScopeId"];
            tenant_id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            updated_at: string;
        };
        ScopeDetail: {
            counts: {
                claims: number;
                documents: components["schemas"]["DocumentCounts"];
                open_contradictions: number;
                possible_conflicts: number;
            };
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            created_at: string;
            display_name: string | null;
            effective_settings: {
                [key: string]: unknown;
            };
            finality: components["schemas"]["FinalityStatus"];
            /** @description Raised by every reset. */
            generation: number;
            legal_hold: {
                by: string;
                hold_id: string;
                /**
                 * @description What it was set on: a document is on hold with its case.
                 * @enum {unknown}
                 */
                of: "case" | "document";
                reason: string | null;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:00:00.000Z
                 */
                set_at: string;
            } | null;
            mode: components["schemas"]["ScopeMode"];
            /** @description Some of its documents were read by another version of the reader: their claims are not compared. */
            needs_reread: boolean;
            policy_hash: string;
            runtime: components["schemas"]["RuntimeState"];
            scope_id: components["schemas"]["ScopeId"];
            /** @description As given; what is absent has its default. */
            settings: {
                [key: string]: unknown;
            };
            /** @description The goal score of the last rounds, oldest first. */
            trajectory: number[];
            /**
             * Format: date-time
             * @description When its last round was recorded.
             * @example 2026-01-31T09:00:00.000Z
             */
            updated_at: string;
            version: number;
        };
        /**
         * @description Names a scope within its tenant.
         * @example case-1
         */
        ScopeId: string;
        ScopeMetrics: {
            convergence: {
                change: number | null;
                from: {
                    round: number;
                    value: number;
                } | null;
                rounds: number;
                to: {
                    round: number;
                    value: number;
                } | null;
            };
            dead_letters: {
                now: number;
                period: number;
            };
            extractors: {
                claims: number;
                documents: number;
                extractor: string;
                input_tokens: number;
                output_tokens: number;
                version: string;
            }[];
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            from: string;
            generation: number;
            latency: {
                [key: string]: components["schemas"]["Percentiles"];
            };
            queue: {
                depth: number;
                oldest_age_seconds: number | null;
                processing: number;
            };
            retries: number;
            sample: {
                complete: boolean;
                documents: number;
                limit: number;
            };
            scope_id: components["schemas"]["ScopeId"];
            throughput: {
                claims: number;
                documents_per_minute: number;
                held: number;
                indexed: number;
                quarantined: number;
                received: number;
                rejected: number;
            };
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            to: string;
        };
        /**
         * @description `auto` admits unless forbidden, `review` lets material changes wait for a person, `strict` refuses anything uncertain.
         * @enum {unknown}
         */
        ScopeMode: "auto" | "review" | "strict";
        ScopePage: {
            items: components["schemas"]["Scope"][];
            next: string | null;
        };
        ScopeSummary: {
            certificate: components["schemas"]["Certificate"] | null;
            claims: {
                live: number;
                superseded: number;
                total: number;
            };
            contradictions: {
                dismissed: number;
                items: components["schemas"]["Contradiction"][];
                open: number;
                open_critical: number;
                resolved: number;
                unsure: number;
            };
            convergence: components["schemas"]["Convergence"];
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            created_at: string;
            decisions: components["schemas"]["Decision"][];
            display_name: string | null;
            documents: components["schemas"]["DocumentCounts"];
            drift: components["schemas"]["Drift"] | null;
            finality: {
                gates: components["schemas"]["Gate"][];
                status: components["schemas"]["FinalityStatus"];
            };
            generation: number;
            goals: {
                done: number;
                items: {
                    document_id: string;
                    done: boolean;
                    due: string | null;
                    end: number;
                    owner: string | null;
                    quote: string | null;
                    revision: number;
                    start: number;
                    what: string | null;
                }[];
                total: number;
            };
            last_seq: number | null;
            legal_hold: {
                by: string;
                hold_id: string;
                /**
                 * @description What it was set on: a document is on hold with its case.
                 * @enum {unknown}
                 */
                of: "case" | "document";
                reason: string | null;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:00:00.000Z
                 */
                set_at: string;
            } | null;
            mode: components["schemas"]["ScopeMode"];
            policy_hash: string;
            reading: {
                needs_reread: boolean;
                /** @description Documents that another version read: their claims are not compared with those of this one. */
                outdated: number;
                /** @description Version of the reader in use. */
                reader: string;
                /** @description Documents that wait to be read again. */
                waiting: number;
                /** @description Documents that a model was to be asked about and gave no whole answer. */
                without_model: number;
            };
            risks: {
                critical: number;
                high: number;
                items: {
                    document_id: string;
                    end: number;
                    level: components["schemas"]["Severity"];
                    quote: string | null;
                    revision: number;
                    start: number;
                    what: string | null;
                }[];
                low: number;
                medium: number;
                total: number;
            };
            round: number;
            runtime: {
                /** @description The highest of the service, the tenant and the scope; each counts its restarts. */
                run: number;
                scope: components["schemas"]["RuntimeState"];
                service: components["schemas"]["RuntimeState"];
                state: components["schemas"]["RuntimeState"];
                tenant: components["schemas"]["RuntimeState"];
            };
            scope_id: components["schemas"]["ScopeId"];
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            updated_at: string;
            version: number;
        };
        Session: {
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            expires_at: string;
            /**
             * @description `desk`: a cookie of a browser; `device`: a token of the command line.
             * @enum {unknown}
             */
            kind: "desk" | "device";
            /** @description The `by` of its acts. */
            person: string;
            revoked_at: string | null;
            rights: ("read" | "ingest" | "decide" | "erase" | "manage" | "hold")[];
            scopes: string[] | null;
            session_id: string;
            /** @description What the issuer calls the person. */
            subject: string;
            tenant_id: components["schemas"]["TenantId"];
        };
        SessionPage: {
            items: components["schemas"]["Session"][];
            next: string | null;
        };
        /** @enum {unknown} */
        Severity: "low" | "medium" | "high" | "critical";
        /** @description `oidc` is null where people use keys alone. */
        SignInOffer: {
            /** @description Whether the request brought a session cookie, valid or not. */
            has_session: boolean;
            oidc: {
                /** @description What people call the issuer. */
                name: string;
            } | null;
        };
        /** @description One claim replaced another, and why. A claim may be replaced by several. */
        Supersession: {
            claim: components["schemas"]["Claim"];
            contradiction_id: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            detected_at: string;
            evidence: components["schemas"]["Evidence"] | null;
            /**
             * @description `rules`, `model:<name>` for a language model, `person` for a reported one. What a model finds is verified by code.
             * @example rules
             */
            found_by: string;
            /**
             * @description Explicit wording, a later issue of the same document, or a new revision of it.
             * @enum {unknown}
             */
            kind: "words" | "later_issue" | "revision";
            objection?: {
                by: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:00:00.000Z
                 */
                decided_at: string;
                reason: string;
                round: number;
            };
            reason: string;
            round: number;
            scope_id: components["schemas"]["ScopeId"];
            /**
             * @description `withdrawn`: it was not found again when a document of it was read again, or the document that replaced was erased.
             * @enum {unknown}
             */
            status: "standing" | "objected" | "withdrawn";
            superseded_by: components["schemas"]["Claim"];
            supersession_id: string;
        };
        SupersessionPage: {
            items: components["schemas"]["Supersession"][];
            next: string | null;
        };
        SupersessionResult: {
            claim: components["schemas"]["Claim"];
            contradiction_id: string | null;
            decision_id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            detected_at: string;
            evidence: components["schemas"]["Evidence"] | null;
            /**
             * @description `rules`, `model:<name>` for a language model, `person` for a reported one. What a model finds is verified by code.
             * @example rules
             */
            found_by: string;
            /**
             * @description Explicit wording, a later issue of the same document, or a new revision of it.
             * @enum {unknown}
             */
            kind: "words" | "later_issue" | "revision";
            objection?: {
                by: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:00:00.000Z
                 */
                decided_at: string;
                reason: string;
                round: number;
            };
            reason: string;
            round: number;
            scope_id: components["schemas"]["ScopeId"];
            /**
             * @description `withdrawn`: it was not found again when a document of it was read again, or the document that replaced was erased.
             * @enum {unknown}
             */
            status: "standing" | "objected" | "withdrawn";
            superseded_by: components["schemas"]["Claim"];
            supersession_id: string;
        };
        /** @description `keys` counts the keys that are not revoked. */
        Tenant: {
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            created_at: string;
            keys: number;
            name: string;
            tenant_id: components["schemas"]["TenantId"];
        };
        TenantDeleted: {
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            deleted_at: string;
            message: string;
            tenant_id: components["schemas"]["TenantId"];
        };
        /** @example ten_0123456789abcdefghijkl */
        TenantId: string;
        TenantKey: {
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            created_at: string;
            expires_at: string | null;
            key_id: string;
            key_prefix: string;
            label: string | null;
            person: string | null;
            revoked_at: string | null;
            rights: ("read" | "ingest" | "decide" | "erase" | "manage" | "hold")[];
            scopes: string[] | null;
            speak_for: boolean;
        };
        TenantKeyPage: {
            items: components["schemas"]["TenantKey"][];
            next: string | null;
        };
        /**
         * @example {
         *       "documents": 100000,
         *       "scopes": 500,
         *       "weight": 2
         *     }
         */
        TenantLimits: {
            bytes?: number | null;
            /** @description Most scopes worked on at once. */
            concurrent_scopes?: number;
            documents?: number | null;
            requests_per_second?: number | null;
            scopes?: number | null;
            /** @description Share of the workers against other tenants. */
            weight?: number;
        };
        TenantLimitsView: {
            limits: {
                bytes: number | null;
                concurrent_scopes: number;
                documents: number | null;
                requests_per_second: number | null;
                scopes: number | null;
                weight: number;
            };
            tenant_id: components["schemas"]["TenantId"];
            usage: {
                bytes: number;
                /** @description The part of `bytes` that was made of the texts. */
                derived_bytes: number;
                documents: number;
                scopes: number;
            };
        };
        TenantPage: {
            items: components["schemas"]["Tenant"][];
            next: string | null;
        };
        /**
         * @example {
         *       "status": "ok",
         *       "tier": "admin",
         *       "authTier": "internals",
         *       "version": "0.1.0",
         *       "time": "2026-01-31T09:00:00.000Z"
         *     }
         */
        TierHealthResponse: {
            authTier?: string | null;
            /** @example ok */
            status: string;
            /** @example admin */
            tier: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            time: string;
            version: string;
        };
        /**
         * @example {
         *       "document_ids": [
         *         "annual-report"
         *       ]
         *     }
         */
        TriggerIngestRequest: {
            document_ids?: string[];
        };
        TriggerIngestResponse: {
            /** @description The first 1,000 of them. */
            documents: {
                /** @example annual-report */
                document_id: string;
                seq: number;
            }[];
            queued: number;
            scope_id: components["schemas"]["ScopeId"];
        };
        Webhook: {
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            created_at: string;
            description: string | null;
            disabled_reason: ("asked" | "failing" | "gone") | null;
            enabled: boolean;
            events: string[];
            /** @description Of the message that is due. */
            failed_attempts: number;
            failing_since: string | null;
            last_delivered_at: string | null;
            next_attempt_at: string | null;
            previous_secret_until: string | null;
            scope_id: string | null;
            scopes: string[] | null;
            url: string;
            webhook_id: string;
        };
        WebhookDeleted: {
            message: string;
            webhook_id: string;
        };
        WebhookDelivery: {
            attempted_at: string | null;
            attempts: number;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            created_at: string;
            delivery_id: string;
            duration_ms: number | null;
            /** @description The header `webhook-id` of the message and the `id` of its event. */
            event_id: string;
            /** @enum {unknown} */
            kind: "event" | "test" | "redelivery";
            reason: ("status" | "redirect" | "timeout" | "dns" | "address" | "tls" | "connection") | null;
            response_status: number | null;
            scope_id: string | null;
            /**
             * @description `pending` is tried, or tried again.
             * @enum {unknown}
             */
            status: "pending" | "delivered" | "failed";
            type: string;
            webhook_id: string;
        };
        WebhookDeliveryPage: {
            items: components["schemas"]["WebhookDelivery"][];
            next: string | null;
        };
        WebhookPage: {
            items: components["schemas"]["Webhook"][];
            next: string | null;
        };
        WithdrawnCertificates: {
            count: number;
            /**
             * Format: date-time
             * @example 2026-01-31T09:00:00.000Z
             */
            issued_at: string;
            kid: string;
            scope_id: components["schemas"]["ScopeId"];
            /** @description Compact JWS, EdDSA over Ed25519; its key is in /.well-known/jwks.json under `kid`. */
            statement: string;
        };
    };
    responses: {
        /** @description `AUTH_INVALID`: The credential is not valid. `AUTH_MISSING`: A credential is needed. */
        "AUTH_INVALID.AUTH_MISSING": {
            headers: {
                /** @description How to authenticate. */
                "WWW-Authenticate"?: string;
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `AUTH_INVALID`: The credential is not valid. `AUTH_MISSING`: A credential is needed. `SESSION_INVALID`: The session has ended. `TENANT_KEY_INVALID`: The tenant key is not valid. */
        "AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID": {
            headers: {
                /** @description How to authenticate. */
                "WWW-Authenticate"?: string;
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `AUTH_MISSING`: A credential is needed. `SESSION_INVALID`: The session has ended. `TENANT_KEY_INVALID`: The tenant key is not valid. */
        "AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID": {
            headers: {
                /** @description How to authenticate. */
                "WWW-Authenticate"?: string;
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `AUTH_MISSING`: A credential is needed. `SESSION_INVALID`: The session has ended. `TENANT_KEY_INVALID`: The tenant key is not valid. `TENANT_UNKNOWN`: The tenant is not known. */
        "AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID.TENANT_UNKNOWN": {
            headers: {
                /** @description How to authenticate. */
                "WWW-Authenticate"?: string;
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `CERTIFICATE_NOT_FOUND`: There is no certificate. `SCOPE_NOT_FOUND`: There is no such scope. */
        "CERTIFICATE_NOT_FOUND.SCOPE_NOT_FOUND": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `CONTRADICTION_NOT_FOUND`: There is no such contradiction. */
        CONTRADICTION_NOT_FOUND: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `CSRF_INVALID`: The request does not carry the token of its session. `ORIGIN_NOT_ALLOWED`: The origin is not allowed. `RIGHTS_INSUFFICIENT`: The key may not do this. `TENANT_MISMATCH`: The key is not of the named tenant. */
        "CSRF_INVALID.ORIGIN_NOT_ALLOWED.RIGHTS_INSUFFICIENT.TENANT_MISMATCH": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `CSRF_INVALID`: The request does not carry the token of its session. `QUOTA_EXCEEDED`: A limit of the tenant is reached. `RIGHTS_INSUFFICIENT`: The key may not do this. `TENANT_MISMATCH`: The key is not of the named tenant. */
        "CSRF_INVALID.QUOTA_EXCEEDED.RIGHTS_INSUFFICIENT.TENANT_MISMATCH": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `CSRF_INVALID`: The request does not carry the token of its session. `QUOTA_EXCEEDED`: A limit of the tenant is reached. `RIGHTS_INSUFFICIENT`: The key may not do this. `TIER_INSUFFICIENT`: The key does not reach this tier. */
        "CSRF_INVALID.QUOTA_EXCEEDED.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `CSRF_INVALID`: The request does not carry the token of its session. `RIGHTS_INSUFFICIENT`: The key may not do this. `TENANT_MISMATCH`: The key is not of the named tenant. */
        "CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `CSRF_INVALID`: The request does not carry the token of its session. `RIGHTS_INSUFFICIENT`: The key may not do this. `TIER_INSUFFICIENT`: The key does not reach this tier. */
        "CSRF_INVALID.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `CSRF_INVALID`: The request does not carry the token of its session. `TENANT_MISMATCH`: The key is not of the named tenant. */
        "CSRF_INVALID.TENANT_MISMATCH": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `CURSOR_INVALID`: The cursor is not one of this list or stream. `TENANT_KEY_MISSING`: The header X-Tenant-API-Key is missing. `VALIDATION_FAILED`: The request does not match the contract. */
        "CURSOR_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `CURSOR_INVALID`: The cursor is not one of this list or stream. `VALIDATION_FAILED`: The request does not match the contract. */
        "CURSOR_INVALID.VALIDATION_FAILED": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `DECISION_NOT_FOUND`: There is no such decision. */
        DECISION_NOT_FOUND: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `DELIVERY_NOT_FOUND`: There is no such delivery. `WEBHOOK_NOT_FOUND`: There is no such webhook. */
        "DELIVERY_NOT_FOUND.WEBHOOK_NOT_FOUND": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `DOCUMENT_NOT_FOUND`: There is no such document. `HOLD_NOT_FOUND`: There is no legal hold to lift. `SCOPE_NOT_FOUND`: There is no such scope. */
        "DOCUMENT_NOT_FOUND.HOLD_NOT_FOUND.SCOPE_NOT_FOUND": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `DOCUMENT_NOT_FOUND`: There is no such document. `ORIGINAL_NOT_FOUND`: There is no original. `SCOPE_NOT_FOUND`: There is no such scope. */
        "DOCUMENT_NOT_FOUND.ORIGINAL_NOT_FOUND.SCOPE_NOT_FOUND": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `DOCUMENT_NOT_FOUND`: There is no such document. `SCOPE_NOT_FOUND`: There is no such scope. */
        "DOCUMENT_NOT_FOUND.SCOPE_NOT_FOUND": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `HOLD_NOT_FOUND`: There is no legal hold to lift. `SCOPE_NOT_FOUND`: There is no such scope. */
        "HOLD_NOT_FOUND.SCOPE_NOT_FOUND": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request. */
        IDEMPOTENCY_KEY_REUSED: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `INTERNAL`: Something went wrong on our side. */
        INTERNAL: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `ISSUER_UNAVAILABLE`: The issuer people sign in with does not answer. `OVERLOADED`: The service is overloaded. `STORAGE_UNAVAILABLE`: The storage does not answer. */
        "ISSUER_UNAVAILABLE.OVERLOADED.STORAGE_UNAVAILABLE": {
            headers: {
                /** @description Seconds to wait. */
                "Retry-After"?: number;
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `JSON_INVALID`: The body is not acceptable JSON. `POLICY_INVALID`: The policy set is not valid. `TENANT_KEY_MISSING`: The header X-Tenant-API-Key is missing. `VALIDATION_FAILED`: The request does not match the contract. */
        "JSON_INVALID.POLICY_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `JSON_INVALID`: The body is not acceptable JSON. `POLICY_INVALID`: The policy set is not valid. `VALIDATION_FAILED`: The request does not match the contract. */
        "JSON_INVALID.POLICY_INVALID.VALIDATION_FAILED": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `JSON_INVALID`: The body is not acceptable JSON. `TENANT_ID_MISSING`: The header X-Tenant-ID is missing. `VALIDATION_FAILED`: The request does not match the contract. */
        "JSON_INVALID.TENANT_ID_MISSING.VALIDATION_FAILED": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `JSON_INVALID`: The body is not acceptable JSON. `TENANT_KEY_MISSING`: The header X-Tenant-API-Key is missing. `VALIDATION_FAILED`: The request does not match the contract. */
        "JSON_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `JSON_INVALID`: The body is not acceptable JSON. `VALIDATION_FAILED`: The request does not match the contract. */
        "JSON_INVALID.VALIDATION_FAILED": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `KEY_NOT_FOUND`: There is no such key. `TENANT_NOT_FOUND`: There is no such tenant. */
        "KEY_NOT_FOUND.TENANT_NOT_FOUND": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LEGAL_HOLD`: A legal hold forbids removing this. */
        LEGAL_HOLD: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LEGAL_HOLD`: A legal hold forbids removing this. `STATE_CONFLICT`: The resource is not in a state for this. */
        "LEGAL_HOLD.STATE_CONFLICT": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `OVERLOADED`: The service is overloaded. `STORAGE_UNAVAILABLE`: The storage does not answer. */
        "OVERLOADED.STORAGE_UNAVAILABLE": {
            headers: {
                /** @description Seconds to wait. */
                "Retry-After"?: number;
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `OVERLOADED`: The service is overloaded. `STORAGE_UNAVAILABLE`: The storage does not answer. */
        "OVERLOADED.STORAGE_UNAVAILABLE.HealthResponse": {
            headers: {
                /** @description Seconds to wait. */
                "Retry-After"?: number;
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["HealthResponse"] | components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `OVERLOADED`: The service is overloaded. `STORAGE_UNAVAILABLE`: The storage does not answer. `TIER_DISABLED`: The tier is not enabled. */
        "OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED": {
            headers: {
                /** @description Seconds to wait. */
                "Retry-After"?: number;
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `OVERLOADED`: The service is overloaded. `STORAGE_UNAVAILABLE`: The storage does not answer. `TIER_DISABLED`: The tier is not enabled. */
        "OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED.CheckedHealthResponse": {
            headers: {
                /** @description Seconds to wait. */
                "Retry-After"?: number;
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CheckedHealthResponse"] | components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `OVERLOADED`: The service is overloaded. `STORAGE_UNAVAILABLE`: The storage does not answer. `TIER_DISABLED`: The tier is not enabled. */
        "OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED.TierHealthResponse": {
            headers: {
                /** @description Seconds to wait. */
                "Retry-After"?: number;
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TierHealthResponse"] | components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `PAYLOAD_TOO_LARGE`: The body is too large. */
        PAYLOAD_TOO_LARGE: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `POSSIBLE_CONFLICT_NOT_FOUND`: There is no such possible conflict. */
        POSSIBLE_CONFLICT_NOT_FOUND: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `RATE_LIMITED`: Too many requests. */
        RATE_LIMITED: {
            headers: {
                /** @description Seconds to wait. */
                "Retry-After"?: number;
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `REQUEST_TIMEOUT`: The request took too long to arrive. */
        REQUEST_TIMEOUT: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `RIGHTS_INSUFFICIENT`: The key may not do this. `TIER_INSUFFICIENT`: The key does not reach this tier. */
        "RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `RUNTIME_CONFLICT`: The runtime is not in a state for this. */
        RUNTIME_CONFLICT: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `SCOPE_EXISTS`: The scope exists already. */
        SCOPE_EXISTS: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `SCOPE_NOT_FOUND`: There is no such scope. */
        SCOPE_NOT_FOUND: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `SESSION_NOT_FOUND`: There is no such session. */
        SESSION_NOT_FOUND: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `SIGN_IN_DISABLED`: Sign-in is not configured. */
        SIGN_IN_DISABLED: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `SIGN_IN_FAILED`: Signing in failed. */
        SIGN_IN_FAILED: {
            headers: {
                /** @description How to authenticate. */
                "WWW-Authenticate"?: string;
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `SIGN_IN_REFUSED`: This person is not let in. */
        SIGN_IN_REFUSED: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `STATE_CONFLICT`: The resource is not in a state for this. */
        STATE_CONFLICT: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `SUPERSESSION_NOT_FOUND`: There is no such supersession. */
        SUPERSESSION_NOT_FOUND: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `TENANT_KEY_MISSING`: The header X-Tenant-API-Key is missing. */
        TENANT_KEY_MISSING: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `TENANT_KEY_MISSING`: The header X-Tenant-API-Key is missing. `VALIDATION_FAILED`: The request does not match the contract. */
        "TENANT_KEY_MISSING.VALIDATION_FAILED": {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `TENANT_MISMATCH`: The key is not of the named tenant. */
        TENANT_MISMATCH: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `TENANT_NOT_FOUND`: There is no such tenant. */
        TENANT_NOT_FOUND: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `TIER_INSUFFICIENT`: The key does not reach this tier. */
        TIER_INSUFFICIENT: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `UNSUPPORTED_MEDIA_TYPE`: The media type is not supported. */
        UNSUPPORTED_MEDIA_TYPE: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `VALIDATION_FAILED`: The request does not match the contract. */
        VALIDATION_FAILED: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `WEBHOOK_NOT_FOUND`: There is no such webhook. */
        WEBHOOK_NOT_FOUND: {
            headers: {
                /** @description Names this request in logs and problems. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getJwks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every key ever used. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Jwks"];
                };
            };
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                action?: string;
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description Most items on the page. */
                limit?: number;
                tenant_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries, newest first. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    getAdminControlPlaneHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every check with its figures. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedHealthResponse"];
                };
            };
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED.CheckedHealthResponse"];
        };
    };
    getAdminHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tier answers. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TierHealthResponse"];
                };
            };
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED.TierHealthResponse"];
        };
    };
    getPolicies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The set in force. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyView"];
                };
            };
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    putPolicies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutPoliciesRequest"];
            };
        };
        responses: {
            /** @description The set in force. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyPutResult"];
                };
            };
            400: components["responses"]["JSON_INVALID.POLICY_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    dryRunPolicies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyDryRunRequest"];
            };
        };
        responses: {
            /** @description Which of the last decisions would have been others. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyDryRunResult"];
                };
            };
            400: components["responses"]["JSON_INVALID.POLICY_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    listQuarantine: {
        parameters: {
            query?: {
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description Most items on the page. */
                limit?: number;
                scope_id?: components["schemas"]["ScopeId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of documents, of the tenant or of all. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuarantinePage"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    retryQuarantine: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["QuarantineRetryRequest"];
            };
        };
        responses: {
            /** @description Which were queued again. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuarantineRetryResponse"];
                };
            };
            400: components["responses"]["JSON_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["DOCUMENT_NOT_FOUND.SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    pauseAdminRuntime: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RuntimeRequest"];
            };
        };
        responses: {
            /** @description What was addressed, its previous and its new state. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuntimeResponse"];
                };
            };
            400: components["responses"]["JSON_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["RUNTIME_CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    restartAdminRuntime: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RuntimeRequest"];
            };
        };
        responses: {
            /** @description What was addressed, its previous and its new state. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuntimeResponse"];
                };
            };
            400: components["responses"]["JSON_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["RUNTIME_CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    resumeAdminRuntime: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RuntimeRequest"];
            };
        };
        responses: {
            /** @description What was addressed, its previous and its new state. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuntimeResponse"];
                };
            };
            400: components["responses"]["JSON_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["RUNTIME_CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    startAdminRuntime: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RuntimeRequest"];
            };
        };
        responses: {
            /** @description What was addressed, its previous and its new state. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuntimeResponse"];
                };
            };
            400: components["responses"]["JSON_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["RUNTIME_CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    stopAdminRuntime: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RuntimeRequest"];
            };
        };
        responses: {
            /** @description What was addressed, its previous and its new state. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuntimeResponse"];
                };
            };
            400: components["responses"]["JSON_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["RUNTIME_CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    listScopes: {
        parameters: {
            query?: {
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description Most items on the page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of scopes. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScopePage"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    createScope: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateScopeRequest"];
            };
        };
        responses: {
            /** @description The scope. */
            201: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Scope"];
                };
            };
            400: components["responses"]["JSON_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.QUOTA_EXCEEDED.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["SCOPE_EXISTS"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    getScope: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scope. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScopeDetail"];
                };
            };
            400: components["responses"]["TENANT_KEY_MISSING"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    patchScope: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchScopeRequest"];
            };
        };
        responses: {
            /** @description The scope. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScopeDetail"];
                };
            };
            400: components["responses"]["JSON_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["STATE_CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    attachDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body answer the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AttachDocumentRequest"];
            };
        };
        responses: {
            /** @description The record, with status `attached`. */
            201: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["JSON_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.QUOTA_EXCEEDED.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    streamScope: {
        parameters: {
            query?: {
                /** @description Begin after this event; -1 is the beginning. The header Last-Event-ID wins. */
                after?: string;
            };
            header?: {
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events; `data` is an Event. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["Event"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    ingestScopeFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body answer the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description Omitted: one is made. Repeated: a new revision. */
                    document_id?: string;
                    /** @description The file itself, after all fields. */
                    file: string;
                    idempotency_key?: string;
                    /** @description Omitted: the name of the file. */
                    name?: string;
                    /** @description Where it comes from; a hint for the issuer. */
                    source?: string;
                };
            };
        };
        responses: {
            /** @description File received, and queued for asynchronous processing. */
            202: {
                headers: {
                    /** @description `true` when the answer is that of an earlier request with the same key. */
                    "Idempotent-Replayed"?: string;
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileIngestResponse"];
                };
            };
            400: components["responses"]["TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.QUOTA_EXCEEDED.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    getGlossary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The glossary. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GlossaryView"];
                };
            };
            400: components["responses"]["TENANT_KEY_MISSING"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    putGlossary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Glossary"];
            };
        };
        responses: {
            /** @description The glossary. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GlossaryView"];
                };
            };
            400: components["responses"]["JSON_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    triggerIngest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TriggerIngestRequest"];
            };
        };
        responses: {
            /** @description How many were queued, and which. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggerIngestResponse"];
                };
            };
            400: components["responses"]["JSON_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["DOCUMENT_NOT_FOUND.SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    getMetrics: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers; the last 24 hours unless asked otherwise. */
            200: {
                headers: {
                    /** @description Changes when the scope or the period does. */
                    ETag?: string;
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScopeMetrics"];
                };
            };
            /** @description Nothing has changed since the ETag given. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    getScopePolicies: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The set in force. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyView"];
                };
            };
            400: components["responses"]["TENANT_KEY_MISSING"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    putScopePolicies: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutPoliciesRequest"];
            };
        };
        responses: {
            /** @description The set in force. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyPutResult"];
                };
            };
            400: components["responses"]["JSON_INVALID.POLICY_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    dryRunScopePolicies: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyDryRunRequest"];
            };
        };
        responses: {
            /** @description Which of the last decisions would have been others. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyDryRunResult"];
                };
            };
            400: components["responses"]["JSON_INVALID.POLICY_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    resetScope: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scope starts over. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetResult"];
                };
            };
            400: components["responses"]["TENANT_KEY_MISSING"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            409: components["responses"]["LEGAL_HOLD"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    getSummary: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The summary. */
            200: {
                headers: {
                    /** @description Changes when the summary does. */
                    ETag?: string;
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScopeSummary"];
                };
            };
            /** @description Nothing has changed since the ETag given. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    listTenants: {
        parameters: {
            query?: {
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description Most items on the page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tenants. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantPage"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    createTenant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTenantRequest"];
            };
        };
        responses: {
            /** @description The tenant and its key, shown once. */
            201: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateTenantResponse"];
                };
            };
            400: components["responses"]["JSON_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    deleteTenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tenant is gone. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantDeleted"];
                };
            };
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            404: components["responses"]["TENANT_NOT_FOUND"];
            409: components["responses"]["LEGAL_HOLD"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    listTenantKeys: {
        parameters: {
            query?: {
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description Most items on the page. */
                limit?: number;
            };
            header?: never;
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys, without the keys themselves. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantKeyPage"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            404: components["responses"]["TENANT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    createTenantKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateKeyRequest"];
            };
        };
        responses: {
            /** @description The key, shown once. */
            201: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateKeyResponse"];
                };
            };
            400: components["responses"]["JSON_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            404: components["responses"]["TENANT_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    revokeTenantKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                keyId: string;
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key, revoked. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantKey"];
                };
            };
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            404: components["responses"]["KEY_NOT_FOUND.TENANT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    getTenantLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Limits and usage. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantLimitsView"];
                };
            };
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            404: components["responses"]["TENANT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    putTenantLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TenantLimits"];
            };
        };
        responses: {
            /** @description Limits and usage. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantLimitsView"];
                };
            };
            400: components["responses"]["JSON_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            404: components["responses"]["TENANT_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    listTenantSessions: {
        parameters: {
            query?: {
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description Most items on the page. */
                limit?: number;
            };
            header?: never;
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sessions that have not expired. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            404: components["responses"]["TENANT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    revokeTenantSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session, revoked. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            404: components["responses"]["SESSION_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    createContradiction: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body answer the first response again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateContradictionBody"];
            };
        };
        responses: {
            /** @description The record, with status `open`. */
            201: {
                headers: {
                    /** @description `true` when the answer is that of an earlier request with the same key. */
                    "Idempotent-Replayed"?: string;
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contradiction"];
                };
            };
            400: components["responses"]["JSON_INVALID.TENANT_ID_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID.TENANT_UNKNOWN"];
            403: components["responses"]["CSRF_INVALID.QUOTA_EXCEEDED.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    resolveContradiction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contradictionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveContradictionRequest"];
            };
        };
        responses: {
            /** @description The contradiction with its resolution. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolutionResult"];
                };
            };
            400: components["responses"]["JSON_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["CONTRADICTION_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["STATE_CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    reopenContradiction: {
        parameters: {
            query: {
                by: string;
                reason: string;
            };
            header?: never;
            path: {
                contradictionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contradiction, open. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReopenedContradiction"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["CONTRADICTION_NOT_FOUND"];
            409: components["responses"]["STATE_CONFLICT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    reviewDecision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                decisionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewDecisionRequest"];
            };
        };
        responses: {
            /** @description The decision with its review. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewResult"];
                };
            };
            400: components["responses"]["JSON_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["DECISION_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["STATE_CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    getDocumentByQuery: {
        parameters: {
            query: {
                /** @description The document, by an id that may not survive in a path. */
                document_id: string;
                scope_id: components["schemas"]["ScopeId"];
                /** @description Seconds to wait for processing to end, instead of polling. */
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["DOCUMENT_NOT_FOUND.SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    createDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body answer the first response again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDocumentBody"];
            };
        };
        responses: {
            /** @description The record. */
            201: {
                headers: {
                    /** @description `true` when the answer is that of an earlier request with the same key. */
                    "Idempotent-Replayed"?: string;
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["JSON_INVALID.TENANT_ID_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID.TENANT_UNKNOWN"];
            403: components["responses"]["CSRF_INVALID.QUOTA_EXCEEDED.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    eraseDocumentByQuery: {
        parameters: {
            query: {
                /** @description The document, by an id that may not survive in a path. */
                document_id: string;
                scope_id: components["schemas"]["ScopeId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record afterwards. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasedDocument"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["DOCUMENT_NOT_FOUND.SCOPE_NOT_FOUND"];
            409: components["responses"]["LEGAL_HOLD.STATE_CONFLICT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    getDocument: {
        parameters: {
            query: {
                /** @description The document, by an id that may not survive in a path. */
                document_id?: string;
                scope_id: components["schemas"]["ScopeId"];
                /** @description Seconds to wait for processing to end, instead of polling. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description The document; `-` when it is named by `document_id` instead. */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["DOCUMENT_NOT_FOUND.SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    eraseDocument: {
        parameters: {
            query: {
                /** @description The document, by an id that may not survive in a path. */
                document_id?: string;
                scope_id: components["schemas"]["ScopeId"];
            };
            header?: never;
            path: {
                /** @description The document; `-` when it is named by `document_id` instead. */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record afterwards. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasedDocument"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["DOCUMENT_NOT_FOUND.SCOPE_NOT_FOUND"];
            409: components["responses"]["LEGAL_HOLD.STATE_CONFLICT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    cancelDocument: {
        parameters: {
            query: {
                /** @description The document, by an id that may not survive in a path. */
                document_id?: string;
                scope_id: components["schemas"]["ScopeId"];
            };
            header?: never;
            path: {
                /** @description The document; `-` when it is named by `document_id` instead. */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FindingRequest"];
            };
        };
        responses: {
            /** @description The record, rejected. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["JSON_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["DOCUMENT_NOT_FOUND.SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["STATE_CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    discardDocument: {
        parameters: {
            query: {
                /** @description The document, by an id that may not survive in a path. */
                document_id?: string;
                scope_id: components["schemas"]["ScopeId"];
            };
            header?: never;
            path: {
                /** @description The document; `-` when it is named by `document_id` instead. */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FindingRequest"];
            };
        };
        responses: {
            /** @description The record, rejected. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["JSON_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["DOCUMENT_NOT_FOUND.SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["STATE_CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    holdDocument: {
        parameters: {
            query: {
                /** @description The document, by an id that may not survive in a path. */
                document_id?: string;
                scope_id: components["schemas"]["ScopeId"];
            };
            header?: never;
            path: {
                /** @description The document; `-` when it is named by `document_id` instead. */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LegalHoldRequest"];
            };
        };
        responses: {
            /** @description The hold. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LegalHoldResult"];
                };
            };
            400: components["responses"]["JSON_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["DOCUMENT_NOT_FOUND.SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    liftDocumentHold: {
        parameters: {
            query: {
                by: string;
                /** @description The document, by an id that may not survive in a path. */
                document_id?: string;
                reason: string;
                scope_id: components["schemas"]["ScopeId"];
            };
            header?: never;
            path: {
                /** @description The document; `-` when it is named by `document_id` instead. */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hold, lifted. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LegalHoldResult"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["DOCUMENT_NOT_FOUND.HOLD_NOT_FOUND.SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    getOriginal: {
        parameters: {
            query: {
                /** @description The document, by an id that may not survive in a path. */
                document_id?: string;
                /** @description The newest when it is not given. */
                revision?: number;
                scope_id: components["schemas"]["ScopeId"];
            };
            header?: never;
            path: {
                /** @description The document; `-` when it is named by `document_id` instead. */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, as an attachment, with the media type it was found to have. */
            200: {
                headers: {
                    /** @description attachment, with the name of the document. */
                    "Content-Disposition"?: string;
                    /** @description SHA-256 of the file (RFC 9530). */
                    "Repr-Digest"?: string;
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["DOCUMENT_NOT_FOUND.ORIGINAL_NOT_FOUND.SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    retryDocument: {
        parameters: {
            query: {
                /** @description The document, by an id that may not survive in a path. */
                document_id?: string;
                scope_id: components["schemas"]["ScopeId"];
            };
            header?: never;
            path: {
                /** @description The document; `-` when it is named by `document_id` instead. */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record, queued with fresh attempts. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["DOCUMENT_NOT_FOUND.SCOPE_NOT_FOUND"];
            409: components["responses"]["STATE_CONFLICT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    listRevisions: {
        parameters: {
            query: {
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description The document, by an id that may not survive in a path. */
                document_id?: string;
                /** @description Most items on the page. */
                limit?: number;
                scope_id: components["schemas"]["ScopeId"];
            };
            header?: never;
            path: {
                /** @description The document; `-` when it is named by `document_id` instead. */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of revisions. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentPage"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["DOCUMENT_NOT_FOUND.SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    getDocumentText: {
        parameters: {
            query: {
                /** @description The document, by an id that may not survive in a path. */
                document_id?: string;
                /** @description The newest when it is not given. */
                revision?: number;
                scope_id: components["schemas"]["ScopeId"];
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                /** @description The document; `-` when it is named by `document_id` instead. */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The text. */
            200: {
                headers: {
                    /** @description Changes when the text does. */
                    ETag?: string;
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; charset=utf-8": string;
                };
            };
            /** @description Nothing has changed since the ETag given. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["DOCUMENT_NOT_FOUND.SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    streamOwnScopes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events; `data` is an Event. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["Event"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    ingestFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body answer the first response again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description Omitted: one is made. Repeated: a new revision. */
                    document_id?: string;
                    /** @description The file itself, after all fields. */
                    file: string;
                    idempotency_key?: string;
                    /** @description Omitted: the name of the file. */
                    name?: string;
                    scope_id: components["schemas"]["ScopeId"];
                    /** @description Where it comes from; a hint for the issuer. */
                    source?: string;
                };
            };
        };
        responses: {
            /** @description File received, and queued for asynchronous processing. */
            202: {
                headers: {
                    /** @description `true` when the answer is that of an earlier request with the same key. */
                    "Idempotent-Replayed"?: string;
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileIngestResponse"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.QUOTA_EXCEEDED.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service is ready. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthResponse"];
                };
            };
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.HealthResponse"];
        };
    };
    ingestDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body answer the first response again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IngestDocumentRequest"];
            };
        };
        responses: {
            /** @description Document queued for asynchronous processing. */
            202: {
                headers: {
                    /** @description `true` when the answer is that of an earlier request with the same key. */
                    "Idempotent-Replayed"?: string;
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestDocumentResponse"];
                };
            };
            400: components["responses"]["JSON_INVALID.TENANT_ID_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID.TENANT_UNKNOWN"];
            403: components["responses"]["CSRF_INVALID.QUOTA_EXCEEDED.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    ingestBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IngestBatchRequest"];
            };
        };
        responses: {
            /** @description An answer for each document. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestBatchResponse"];
                };
            };
            400: components["responses"]["JSON_INVALID.TENANT_ID_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID.TENANT_UNKNOWN"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whose key it is, its rights and the limits it works under. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["TENANT_MISMATCH"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    dismissPossibleConflict: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                possibleConflictId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FindingRequest"];
            };
        };
        responses: {
            /** @description The possible conflict with its decision. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PossibleConflictResult"];
                };
            };
            400: components["responses"]["JSON_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["POSSIBLE_CONFLICT_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["STATE_CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    withdrawDismissal: {
        parameters: {
            query: {
                by: string;
                reason: string;
            };
            header?: never;
            path: {
                possibleConflictId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The possible conflict, undecided. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PossibleConflictResult"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["POSSIBLE_CONFLICT_NOT_FOUND"];
            409: components["responses"]["STATE_CONFLICT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    promotePossibleConflict: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                possibleConflictId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FindingRequest"];
            };
        };
        responses: {
            /** @description The possible conflict with its decision. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PossibleConflictResult"];
                };
            };
            400: components["responses"]["JSON_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["POSSIBLE_CONFLICT_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["STATE_CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    withdrawPromotion: {
        parameters: {
            query: {
                by: string;
                reason: string;
            };
            header?: never;
            path: {
                possibleConflictId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The possible conflict, undecided. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PossibleConflictResult"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["POSSIBLE_CONFLICT_NOT_FOUND"];
            409: components["responses"]["STATE_CONFLICT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    listOwnScopes: {
        parameters: {
            query?: {
                /** @description The `next` of the page before. */
                cursor?: string;
                finality?: components["schemas"]["FinalityStatus"];
                /** @description Most items on the page. */
                limit?: number;
                /** @description Part of the id or the display name, in any case. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of scopes. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScopePage"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    createOwnScope: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateScopeRequest"];
            };
        };
        responses: {
            /** @description The scope. */
            201: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Scope"];
                };
            };
            400: components["responses"]["JSON_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.QUOTA_EXCEEDED.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["SCOPE_EXISTS"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    deleteOwnScope: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is gone. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedScope"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            409: components["responses"]["LEGAL_HOLD"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    getCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The certificate. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Certificate"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["CERTIFICATE_NOT_FOUND.SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    listCertificates: {
        parameters: {
            query?: {
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description Most items on the page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of certificates, in the order of the chain. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CertificatePage"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    getWithdrawnCertificates: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The signed list. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawnCertificates"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    listClaims: {
        parameters: {
            query?: {
                /** @description Valid time: what held on that day. */
                as_of?: string | unknown | unknown;
                attribute?: string;
                /** @description The `next` of the page before. */
                cursor?: string;
                document_id?: string;
                /** @description Recorded time: what the service knew then. */
                known_at?: string;
                /** @description Most items on the page. */
                limit?: number;
                /** @description Words to look for. */
                q?: string;
                state?: "live" | "superseded" | "all";
                subject?: string;
            };
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of claims. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimPage"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    listContradictions: {
        parameters: {
            query?: {
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description Only those in which this document is on a side. */
                document_id?: string;
                /** @description Who found it; `model` for any model. */
                found_by?: "rules" | "model" | "person";
                /** @description Most items on the page. */
                limit?: number;
                severity?: components["schemas"]["Severity"];
                status?: "open" | "resolved" | "dismissed" | "all";
            };
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of contradictions. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContradictionPage"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    getOwnConvergence: {
        parameters: {
            query?: {
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description Most items on the page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures, the gates and a page of rounds, newest first. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnConvergence"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    listDecisions: {
        parameters: {
            query?: {
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description Most items on the page. */
                limit?: number;
                /** @description Only what waits for a person. */
                review?: "pending";
            };
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of decisions, in the order of the chain. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionPage"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description Most items on the page. */
                limit?: number;
                /** @description With `true` those that a model was to be asked about and gave no whole answer. */
                read_without_model?: boolean;
                /** @description Submitted at this instant or later. */
                received_from?: string;
                /** @description Submitted before this instant. */
                received_to?: string;
                status?: components["schemas"]["DocumentStatus"];
            };
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of documents. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentPage"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    streamOwnScope: {
        parameters: {
            query?: {
                /** @description Begin after this event; -1 is the beginning. The header Last-Event-ID wins. */
                after?: string;
            };
            header?: {
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events; `data` is an Event. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["Event"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    holdScope: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LegalHoldRequest"];
            };
        };
        responses: {
            /** @description The hold. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LegalHoldResult"];
                };
            };
            400: components["responses"]["JSON_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    liftScopeHold: {
        parameters: {
            query: {
                by: string;
                reason: string;
            };
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hold, lifted. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LegalHoldResult"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["HOLD_NOT_FOUND.SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    listHolds: {
        parameters: {
            query?: {
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description Most items on the page. */
                limit?: number;
                /** @description Only those that were not lifted. */
                standing?: boolean;
            };
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of holds. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LegalHoldPage"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    getOwnPolicies: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The set and where it comes from. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyView"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    listPossibleConflicts: {
        parameters: {
            query?: {
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description Most items on the page. */
                limit?: number;
                status?: "open" | "promoted" | "dismissed" | "all";
            };
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of possible conflicts. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PossibleConflictPage"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    rereadScope: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RereadRequest"];
            };
        };
        responses: {
            /** @description How many were queued. */
            202: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RereadResult"];
                };
            };
            400: components["responses"]["JSON_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["STATE_CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    getOwnSummary: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The summary. */
            200: {
                headers: {
                    /** @description Changes when the summary does. */
                    ETag?: string;
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScopeSummary"];
                };
            };
            /** @description Nothing has changed since the ETag given. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    listSupersessions: {
        parameters: {
            query?: {
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description Most items on the page. */
                limit?: number;
                status?: "standing" | "objected" | "withdrawn" | "all";
            };
            header?: never;
            path: {
                /** @description The scope; a malformed one is answered like a missing one. */
                scopeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of supersessions. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SupersessionPage"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSessionRequest"];
            };
        };
        responses: {
            /** @description The session. */
            201: {
                headers: {
                    /** @description HttpOnly, SameSite=Strict, and Secure over https. */
                    "Set-Cookie"?: string;
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedSession"];
                };
            };
            400: components["responses"]["JSON_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["SIGN_IN_FAILED"];
            403: components["responses"]["SIGN_IN_REFUSED"];
            404: components["responses"]["SIGN_IN_DISABLED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["ISSUER_UNAVAILABLE.OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session, revoked. */
            200: {
                headers: {
                    /** @description HttpOnly, SameSite=Strict, and Secure over https. */
                    "Set-Cookie"?: string;
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.TENANT_MISMATCH"];
            404: components["responses"]["SESSION_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    createDeviceSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDeviceSessionRequest"];
            };
        };
        responses: {
            /** @description The session, with its token shown once. */
            201: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedDeviceSession"];
                };
            };
            /** @description The person has not signed in yet; ask again after the interval, and not before Retry-After. */
            202: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["JSON_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["SIGN_IN_FAILED"];
            403: components["responses"]["SIGN_IN_REFUSED"];
            404: components["responses"]["SIGN_IN_DISABLED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["ISSUER_UNAVAILABLE.OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    getSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is offered. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInOffer"];
                };
            };
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    beginSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where the browser goes. */
            200: {
                headers: {
                    /** @description HttpOnly, SameSite=Strict, and Secure over https. */
                    "Set-Cookie"?: string;
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BegunSignIn"];
                };
            };
            404: components["responses"]["SIGN_IN_DISABLED"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["ISSUER_UNAVAILABLE.OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    beginDeviceSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What to tell the person. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceSignIn"];
                };
            };
            404: components["responses"]["SIGN_IN_DISABLED"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["ISSUER_UNAVAILABLE.OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    objectToSupersession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                supersessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FindingRequest"];
            };
        };
        responses: {
            /** @description The supersession with the objection. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SupersessionResult"];
                };
            };
            400: components["responses"]["JSON_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SUPERSESSION_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["STATE_CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    withdrawObjection: {
        parameters: {
            query: {
                by: string;
                reason: string;
            };
            header?: never;
            path: {
                supersessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The supersession, standing again. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SupersessionResult"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["SUPERSESSION_NOT_FOUND"];
            409: components["responses"]["STATE_CONFLICT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description Most items on the page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhooks. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook, with its secret. */
            201: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            400: components["responses"]["JSON_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.QUOTA_EXCEEDED.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["WEBHOOK_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeleted"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["WEBHOOK_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeWebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook as it is now. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["JSON_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["WEBHOOK_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description The `next` of the page before. */
                cursor?: string;
                /** @description Most items on the page. */
                limit?: number;
                status?: "pending" | "delivered" | "failed";
            };
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["WEBHOOK_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deliveryId: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new delivery, pending. */
            202: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["DELIVERY_NOT_FOUND.WEBHOOK_NOT_FOUND"];
            409: components["responses"]["STATE_CONFLICT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateSecretRequest"];
            };
        };
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedSecret"];
                };
            };
            400: components["responses"]["JSON_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["WEBHOOK_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, pending. */
            202: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            404: components["responses"]["WEBHOOK_NOT_FOUND"];
            409: components["responses"]["STATE_CONFLICT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    getAuditCheckpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The signed checkpoint. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditCheckpoint"];
                };
            };
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    getControlPlaneHealthAlias: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every check with its figures. */
            200: {
                headers: {
                    /** @description When the address became deprecated. */
                    Deprecation?: string;
                    /** @description The address that replaces it. */
                    Link?: string;
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedHealthResponse"];
                };
            };
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED.CheckedHealthResponse"];
        };
    };
    getConvergenceAlias: {
        parameters: {
            query?: {
                /** @description The `next` of the page before. */
                cursor?: string;
                finality?: components["schemas"]["FinalityStatus"];
                /** @description Most items on the page. */
                limit?: number;
                scope_id?: components["schemas"]["ScopeId"];
                tenant_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The convergence payload. */
            200: {
                headers: {
                    /** @description When the address became deprecated. */
                    Deprecation?: string;
                    /** @description The address that replaces it. */
                    Link?: string;
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConvergencePayload"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    streamKernelAlias: {
        parameters: {
            query?: {
                /** @description Begin after this event; -1 is the beginning. The header Last-Event-ID wins. */
                after?: string;
                scope_id?: components["schemas"]["ScopeId"];
                tenant_id?: string;
                type?: "scope.created" | "scope.reset" | "scope.deleted" | "document.registered" | "document.attached" | "document.queued" | "document.requeued" | "document.processing" | "document.indexed" | "document.held" | "document.rejected" | "document.quarantined" | "document.erased" | "document.reread_queued" | "document.reread" | "document.reread_failed" | "claim.superseded" | "contradiction.detected" | "contradiction.resolved" | "contradiction.reopened" | "possible_conflict.detected" | "possible_conflict.promoted" | "possible_conflict.dismissed" | "possible_conflict.reopened" | "supersession.objected" | "supersession.restored" | "supersession.withdrawn" | "decision.recorded" | "convergence.updated" | "finality.changed" | "certificate.issued" | "certificate.withdrawn" | "legal_hold.set" | "legal_hold.lifted" | "scope.changed" | "runtime.changed" | "worker.spawned" | "worker.drained" | "worker.restarted" | "worker.circuit" | "tenant.removed" | "webhook.disabled" | "webhook.test" | "stream.gap";
            };
            header?: {
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events in commit order; `data` is an Event. */
            200: {
                headers: {
                    /** @description When the address became deprecated. */
                    Deprecation?: string;
                    /** @description The address that replaces it. */
                    Link?: string;
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["Event"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    getHatcherySnapshotAlias: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The snapshot. */
            200: {
                headers: {
                    /** @description When the address became deprecated. */
                    Deprecation?: string;
                    /** @description The address that replaces it. */
                    Link?: string;
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HatcherySnapshot"];
                };
            };
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    getInternalsHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tier answers. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TierHealthResponse"];
                };
            };
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED.TierHealthResponse"];
        };
    };
    getControlPlaneHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every check with its figures. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedHealthResponse"];
                };
            };
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED.CheckedHealthResponse"];
        };
    };
    getConvergence: {
        parameters: {
            query?: {
                /** @description The `next` of the page before. */
                cursor?: string;
                finality?: components["schemas"]["FinalityStatus"];
                /** @description Most items on the page. */
                limit?: number;
                scope_id?: components["schemas"]["ScopeId"];
                tenant_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The convergence payload. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConvergencePayload"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    streamKernel: {
        parameters: {
            query?: {
                /** @description Begin after this event; -1 is the beginning. The header Last-Event-ID wins. */
                after?: string;
                scope_id?: components["schemas"]["ScopeId"];
                tenant_id?: string;
                type?: "scope.created" | "scope.reset" | "scope.deleted" | "document.registered" | "document.attached" | "document.queued" | "document.requeued" | "document.processing" | "document.indexed" | "document.held" | "document.rejected" | "document.quarantined" | "document.erased" | "document.reread_queued" | "document.reread" | "document.reread_failed" | "claim.superseded" | "contradiction.detected" | "contradiction.resolved" | "contradiction.reopened" | "possible_conflict.detected" | "possible_conflict.promoted" | "possible_conflict.dismissed" | "possible_conflict.reopened" | "supersession.objected" | "supersession.restored" | "supersession.withdrawn" | "decision.recorded" | "convergence.updated" | "finality.changed" | "certificate.issued" | "certificate.withdrawn" | "legal_hold.set" | "legal_hold.lifted" | "scope.changed" | "runtime.changed" | "worker.spawned" | "worker.drained" | "worker.restarted" | "worker.circuit" | "tenant.removed" | "webhook.disabled" | "webhook.test" | "stream.gap";
            };
            header?: {
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events in commit order; `data` is an Event. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["Event"];
                };
            };
            400: components["responses"]["CURSOR_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    getHatcherySnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The snapshot. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HatcherySnapshot"];
                };
            };
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    getKernelHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every check with its figures. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedHealthResponse"];
                };
            };
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED.CheckedHealthResponse"];
        };
    };
    pauseInternalsRuntime: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RuntimeRequest"];
            };
        };
        responses: {
            /** @description What was addressed, its previous and its new state. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuntimeResponse"];
                };
            };
            400: components["responses"]["JSON_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["RUNTIME_CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    restartInternalsRuntime: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RuntimeRequest"];
            };
        };
        responses: {
            /** @description What was addressed, its previous and its new state. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuntimeResponse"];
                };
            };
            400: components["responses"]["JSON_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["RUNTIME_CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    resumeInternalsRuntime: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RuntimeRequest"];
            };
        };
        responses: {
            /** @description What was addressed, its previous and its new state. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuntimeResponse"];
                };
            };
            400: components["responses"]["JSON_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["RUNTIME_CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    startInternalsRuntime: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RuntimeRequest"];
            };
        };
        responses: {
            /** @description What was addressed, its previous and its new state. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuntimeResponse"];
                };
            };
            400: components["responses"]["JSON_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["RUNTIME_CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    stopInternalsRuntime: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RuntimeRequest"];
            };
        };
        responses: {
            /** @description What was addressed, its previous and its new state. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuntimeResponse"];
                };
            };
            400: components["responses"]["JSON_INVALID.TENANT_KEY_MISSING.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.RIGHTS_INSUFFICIENT.TIER_INSUFFICIENT"];
            404: components["responses"]["SCOPE_NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["RUNTIME_CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    rotateSigningKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key in use. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedKey"];
                };
            };
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            409: components["responses"]["STATE_CONFLICT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
    answerAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version agreed on; unknown ones are refused. */
                "Mcp-Protocol-Version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentMessage"];
            };
        };
        responses: {
            /** @description The answer to a request. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentAnswer"];
                };
            };
            /** @description A notification, which has no answer. */
            202: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["JSON_INVALID.VALIDATION_FAILED"];
            401: components["responses"]["AUTH_MISSING.SESSION_INVALID.TENANT_KEY_INVALID"];
            403: components["responses"]["CSRF_INVALID.ORIGIN_NOT_ALLOWED.RIGHTS_INSUFFICIENT.TENANT_MISMATCH"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE"];
        };
    };
    getPrometheusMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Text exposition format. */
            200: {
                headers: {
                    /** @description Names this request in logs and problems. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            401: components["responses"]["AUTH_INVALID.AUTH_MISSING"];
            403: components["responses"]["TIER_INSUFFICIENT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["OVERLOADED.STORAGE_UNAVAILABLE.TIER_DISABLED"];
        };
    };
}
