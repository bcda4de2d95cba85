/**
 * Every problem the service answers with: its code, status and what it means. The error handler, the OpenAPI
 * document and the pages behind `type` URLs all read this one list.
 */

import { Type } from '../platform/schema.js'

export interface ProblemKind {
  status: number
  title: string
  /** For the page behind `type`: when this happens and what to do. */
  help: string
}

export const problems = {
  VALIDATION_FAILED: {
    status: 400,
    title: 'The request does not match the contract',
    help: 'Each entry of `errors` points at a value and says what is wrong with it. Correct the values and send the request again.',
  },
  JSON_INVALID: {
    status: 400,
    title: 'The body is not acceptable JSON',
    help: 'The body must be valid JSON in UTF-8, at most 64 levels deep, without repeated or reserved member names.',
  },
  CURSOR_INVALID: {
    status: 400,
    title: 'The cursor is not one of this list or stream',
    help: 'Cursors are opaque and belong to one list or stream. Use the `next` of the page before, or start without a cursor.',
  },
  POLICY_INVALID: {
    status: 400,
    title: 'The policy set is not valid',
    help: 'Each entry of `errors` names the line and the reason. The policy set in force has not changed.',
  },
  TENANT_ID_MISSING: {
    status: 400,
    title: 'The header X-Tenant-ID is missing',
    help: 'Name the tenant in the header X-Tenant-ID, or present a key of it.',
  },
  TENANT_KEY_MISSING: {
    status: 400,
    title: 'The header X-Tenant-API-Key is missing',
    help: 'Send a key of the tenant in the header X-Tenant-API-Key.',
  },
  TENANT_UNKNOWN: { status: 401, title: 'The tenant is not known', help: 'X-Tenant-ID must name an existing tenant.' },
  TENANT_KEY_INVALID: { status: 401, title: 'The tenant key is not valid', help: 'The key is mistyped, unknown or revoked.' },
  AUTH_MISSING: {
    status: 401,
    title: 'A credential is needed',
    help: 'Send `Authorization: Bearer <key>`; for tenant routes also `X-Tenant-API-Key` is understood.',
  },
  AUTH_INVALID: { status: 401, title: 'The credential is not valid', help: 'The bearer credential is not a key of this service.' },
  SESSION_INVALID: {
    status: 401,
    title: 'The session has ended',
    help: 'Sessions end when they are not used for SESSION_IDLE_MINUTES, after SESSION_LONGEST_MINUTES, and when a person signs out or an operator revokes them. Sign in again.',
  },
  SIGN_IN_FAILED: {
    status: 401,
    title: 'Signing in failed',
    help: 'What came back from the issuer does not belong to a sign-in begun in this browser, is over, was used before, or is not signed as it must be; `detail` says which. Sign in again.',
  },
  TENANT_MISMATCH: {
    status: 403,
    title: 'The key is not of the named tenant',
    help: 'X-Tenant-ID and the tenant key must belong together.',
  },
  TIER_INSUFFICIENT: {
    status: 403,
    title: 'The key does not reach this tier',
    help: 'Admin routes need an admin or internals key, internals routes an internals key.',
  },
  RIGHTS_INSUFFICIENT: {
    status: 403,
    title: 'The key may not do this',
    help: 'The key lacks a right, does not reach the case, or may only act for its own person; `detail` says which. It is the same whether the case exists or not. An operator makes a key with other rights.',
  },
  CSRF_INVALID: {
    status: 403,
    title: 'The request does not carry the token of its session',
    help: 'With a session cookie, every request that changes something carries the `csrf_token` of GET /api/me in the header X-CSRF-Token.',
  },
  SIGN_IN_REFUSED: {
    status: 403,
    title: 'This person is not let in',
    help: 'The issuer knows the person, but no rule of OIDC_MAPPING gives them a tenant and rights here. Ask the operator.',
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    title: 'The origin is not allowed',
    help: 'The request comes from a web page. An operator names the origins of such pages in CORS_ORIGINS.',
  },
  QUOTA_EXCEEDED: {
    status: 403,
    title: 'A limit of the tenant is reached',
    help: 'The detail names the limit. An operator can raise it with PUT /admin/tenants/{tenantId}/limits.',
  },
  ROUTE_NOT_FOUND: { status: 404, title: 'There is no such route', help: 'See /openapi.json or /docs for the routes.' },
  TENANT_NOT_FOUND: { status: 404, title: 'There is no such tenant', help: 'See GET /admin/tenants.' },
  KEY_NOT_FOUND: { status: 404, title: 'There is no such key', help: 'See GET /admin/tenants/{tenantId}/keys.' },
  SESSION_NOT_FOUND: { status: 404, title: 'There is no such session', help: 'See GET /admin/tenants/{tenantId}/sessions.' },
  SIGN_IN_DISABLED: {
    status: 404,
    title: 'Sign-in is not configured',
    help: 'Use a key. An operator offers signing in by setting OIDC_ISSUER; the command line needs an issuer with a device flow.',
  },
  SCOPE_NOT_FOUND: { status: 404, title: 'There is no such case', help: 'The tenant has no case (scope) with this id.' },
  DOCUMENT_NOT_FOUND: { status: 404, title: 'There is no such document', help: 'The case has no document with this id.' },
  CONTRADICTION_NOT_FOUND: { status: 404, title: 'There is no such contradiction', help: 'The tenant has no contradiction with this id.' },
  POSSIBLE_CONFLICT_NOT_FOUND: {
    status: 404,
    title: 'There is no such possible conflict',
    help: 'The tenant has no possible conflict with this id.',
  },
  SUPERSESSION_NOT_FOUND: { status: 404, title: 'There is no such replacement', help: 'The tenant has no supersession with this id.' },
  DECISION_NOT_FOUND: { status: 404, title: 'There is no such decision', help: 'The tenant has no decision with this id.' },
  SIGN_OFF_NOT_FOUND: { status: 404, title: 'There is no such sign-off', help: 'The case has no sign-off with this id.' },
  CERTIFICATE_NOT_FOUND: {
    status: 404,
    title: 'There is no certificate',
    help: 'A certificate exists once the review of the case is complete.',
  },
  ORIGINAL_NOT_FOUND: {
    status: 404,
    title: 'There is no original',
    help: 'The document came as text, or its original was erased or removed after its time.',
  },
  WEBHOOK_NOT_FOUND: {
    status: 404,
    title: 'There is no such webhook',
    help: 'The tenant has no webhook with this id; see GET /api/webhooks.',
  },
  HOLD_NOT_FOUND: {
    status: 404,
    title: 'There is no legal hold to lift',
    help: 'Nothing was put on legal hold under this name; see GET /api/scopes/{scopeId}/holds.',
  },
  DELIVERY_NOT_FOUND: {
    status: 404,
    title: 'There is no such delivery',
    help: 'The webhook has no delivery with this id; the newest thousand are kept.',
  },
  METHOD_NOT_ALLOWED: { status: 405, title: 'The route does not take this method', help: 'The header Allow lists the methods it takes.' },
  REQUEST_TIMEOUT: { status: 408, title: 'The request took too long to arrive', help: 'Send the whole request within the time allowed.' },
  SCOPE_EXISTS: { status: 409, title: 'The case exists already', help: 'Choose another scope_id or use the existing case.' },
  RUNTIME_CONFLICT: {
    status: 409,
    title: 'The runtime is not in a state for this',
    help: 'A stopped runtime is started, not resumed or paused.',
  },
  STATE_CONFLICT: {
    status: 409,
    title: 'The resource is not in a state for this',
    help: 'Read it again: someone or something has moved it on.',
  },
  LEGAL_HOLD: {
    status: 409,
    title: 'A legal hold forbids removing this',
    help: '`detail` says who set it and when. Nothing of what is on hold can be erased, reset or deleted until somebody with the right `hold` lifts it.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'The body is too large',
    help: 'Bodies may have up to 2 MiB unless set otherwise, batches of documents 8 MiB.',
  },
  KEY_NEEDED: {
    status: 400,
    title: 'A tenant key is needed, not a session',
    help: 'A session is exchanged for no other. Present the tenant key itself.',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    title: 'The file has no such bytes',
    help: '`Content-Range` says how many it has. Ask for bytes within it, or for all of it without the header Range.',
  },
  URI_TOO_LONG: { status: 414, title: 'The address is too long', help: 'Shorten the path or the query.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'The media type is not supported',
    help: 'Send `Content-Type: application/json` in UTF-8, without a content encoding. Files are sent as `multipart/form-data`; the detail lists the kinds that are read.',
  },
  EXPECTATION_FAILED: {
    status: 417,
    title: 'The expectation cannot be met',
    help: 'The only value of the header Expect that is understood is `100-continue`.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    title: 'The idempotency key belongs to another request',
    help: 'The key was used with another body. Use a new key for a new request.',
  },
  RATE_LIMITED: { status: 429, title: 'Too many requests', help: 'Wait as long as Retry-After says.' },
  HEADERS_TOO_LARGE: { status: 431, title: 'The headers are too large', help: 'Send fewer or shorter headers.' },
  INTERNAL: { status: 500, title: 'Something went wrong on our side', help: 'Tell the operator the request_id.' },
  OVERLOADED: { status: 503, title: 'The service is overloaded', help: 'Nothing was accepted. Try again after the time in Retry-After.' },
  STORAGE_UNAVAILABLE: {
    status: 503,
    title: 'The storage does not answer',
    help: 'Nothing was accepted for certain. Try again after the time in Retry-After, with an idempotency key.',
  },
  ISSUER_UNAVAILABLE: {
    status: 503,
    title: 'The issuer people sign in with does not answer',
    help: 'Sign-in is unavailable until it does; keys and sessions keep working. Try again after the time in Retry-After.',
  },
  TIER_DISABLED: { status: 503, title: 'The tier is not enabled', help: 'The operator has to set ADMIN_API_KEY or INTERNALS_API_KEY.' },
} satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof problems

export const problemCodes = Object.keys(problems) as ProblemCode[]

export const Problem = Type.Object(
  {
    type: Type.String({ description: 'Address of a page of this service that explains the code.' }),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String(),
    code: Type.Enum(problemCodes, { description: 'Stable; made for programs.' }),
    request_id: Type.String(),
    errors: Type.Optional(
      Type.Array(Type.Object({ pointer: Type.String({ description: 'JSON pointer to the value.' }), detail: Type.String() })),
    ),
  },
  {
    $id: 'Problem',
    description: 'Every refusal and failure has this shape (RFC 9457 members, and code, request_id and errors).',
    examples: [
      {
        type: '/problems/VALIDATION_FAILED',
        title: 'The request does not match the contract',
        status: 400,
        detail: '/scope_id: must match pattern "^[a-z0-9][a-z0-9-]*$"',
        code: 'VALIDATION_FAILED',
        request_id: 'req_0123456789abcdefghijkl',
        errors: [{ pointer: '/scope_id', detail: 'must match pattern "^[a-z0-9][a-z0-9-]*$"' }],
      },
    ],
  },
)
