/**
 * The OpenAPI 3.1 document, made from the operations. Schemas with an `$id` become components under that name.
 * The same input always gives the same document, so that a committed copy can be compared with it.
 */

import type { TObject, TSchema } from 'typebox'
import { type Operation, refusalsOf } from './operation.js'
import { operations } from './operations.js'
import { Problem, type ProblemCode, problems } from './problems.js'
import { rightsOf } from './rights.js'

type Json = Record<string, unknown>
type Refer = (schema: TSchema) => unknown

/** The specification's, not that of the packages. */
const contractVersion = '0.1.0'

/** As a service serves it; where it wants a key of every tenant, an id alone opens nothing. */
export function openApiDocument(publicAuth: 'id' | 'key' = 'id'): Json {
  const components: Record<string, unknown> = {}
  const responses: Record<string, unknown> = {}
  const refer = (schema: TSchema): unknown => hoist(JSON.parse(JSON.stringify(schema)), components)
  const paths: Record<string, Json> = {}
  for (const operation of Object.values(operations)) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation, refer, responses, publicAuth),
    }
  }
  refer(Problem)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tenant Document Ingestion and Control API',
      version: contractVersion,
      summary: 'Concord: documents in, contradictions, decisions and certificates out.',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this service' },
    },
    servers: [{ url: '/', description: 'This service' }],
    tags: tags(),
    paths,
    components: { schemas: sorted(components), responses: sorted(responses), examples: problemExamples(responses), securitySchemes },
  }
}

const introduction = [
  'What one does first: `POST /admin/tenants` with an admin key makes a tenant and shows its key once. With that key, `POST /api/ingest` submits a text and `POST /api/files` a file; a scope is made when it is first named. `GET /api/documents/{documentId}?wait=30` waits until one is read. `GET /api/scopes/{scopeId}/summary` then says where the case stands, `…/contradictions` where its documents disagree; `POST /api/contradictions/{contradictionId}/resolution` decides, and `…/certificate` is there once the case is settled. The desk for people is at `/desk`.',
  'Three tiers: public (/api) for tenants, admin (/admin) for holders of an admin or internals key, internals (/internals) for holders of an internals key.',
  'Bodies are JSON in UTF-8. Lengths count Unicode code points. Every refusal and failure is a Problem with a stable `code`.',
  'A key of a tenant may be limited to rights (`x-right` of each operation), scopes, a time and a person.',
  'Parameters of a query that an operation does not know are ignored, but for what belongs into its body, which is refused.',
  'Lists are paged: `limit` and the opaque `cursor` of the page before. Every answer carries `X-Request-Id`; `traceparent` is honoured.',
  `The codes and their statuses: ${Object.entries(problems)
    .map(([code, { status }]) => `\`${code}\` ${status}`)
    .join(', ')}.`,
].join('\n\n')

const securitySchemes = {
  BearerAuth: { type: 'http', scheme: 'bearer', description: 'An admin, internals or tenant key.' },
  TenantId: { type: 'apiKey', in: 'header', name: 'X-Tenant-ID', description: 'Names the tenant.' },
  TenantKey: { type: 'apiKey', in: 'header', name: 'X-Tenant-API-Key', description: 'A key of the tenant.' },
  Session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-concord_session',
    description: 'The session of a browser (`concord_session` without https); what changes something also carries X-CSRF-Token.',
  },
}

const byKey: Json[] = [
  { TenantId: [], TenantKey: [] },
  { TenantId: [], BearerAuth: [] },
  { TenantKey: [] },
  { BearerAuth: [] },
  { Session: [] },
]

const security: Record<Operation['credential'] | 'tenant by key', Json[]> = {
  none: [],
  tenant: [{ TenantId: [] }, ...byKey],
  'tenant by key': byKey,
  'tenant-key': [{ TenantKey: [] }, { BearerAuth: [] }, { Session: [] }],
  'any-key': [{ TenantKey: [] }, { BearerAuth: [] }, { Session: [] }],
  tier: [{ BearerAuth: [] }],
  'tier+tenant-key': [
    { BearerAuth: [], TenantKey: [] },
    { BearerAuth: [], Session: [] },
  ],
  'tier+optional-tenant-key': [{ BearerAuth: [] }, { BearerAuth: [], TenantKey: [] }],
}

function tags(): Json[] {
  const names = [...new Set(Object.values(operations).map(operation => operation.tag))].sort()
  return names.map(name => ({ name, description: tagDescriptions[name] ?? name }))
}

const tagDescriptions: Record<string, string> = {
  Agents: 'The same for language models, by the Model Context Protocol.',
  Audit: 'Who did what with which key.',
  Decisions: 'What policy decided, what waits for a person, and certificates.',
  Documents: 'Submitting documents and following them.',
  Events: 'Live streams that resume without loss.',
  Findings: 'Claims and contradictions.',
  Hatchery: 'The supervisor of the workers.',
  Health: 'Whether each part works.',
  Kernel: 'The part that decides, in numbers.',
  'Legal holds': 'What must not be removed, by whose word.',
  Policies: 'Policy sets in Cedar.',
  Quarantine: 'Documents that failed after all attempts.',
  Runtime: 'Start, pause, resume, stop and restart.',
  Scopes: 'Cases of a tenant.',
  Sessions: 'People who sign in with an OpenID Connect issuer.',
  Tenants: 'Tenants, their keys and limits.',
  Webhooks: 'Events posted to addresses of a tenant, by the Standard Webhooks specification.',
}

function describe(operation: Operation, refer: Refer, responses: Record<string, unknown>, publicAuth: 'id' | 'key'): Json {
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description ?? `${operation.summary}.`,
    ...(operation.replacement === undefined ? {} : { deprecated: true, 'x-replacement': operation.replacement }),
    ...(operation.tier === 'internals' ? { 'x-internal': true } : {}),
    security: security[operation.credential === 'tenant' && publicAuth === 'key' ? 'tenant by key' : operation.credential],
    ...(rightsOf(operation).length === 0 ? {} : { 'x-right': rightsOf(operation).join(',') }),
    parameters: parameters(operation, refer),
    ...(operation.upload === undefined ? {} : { requestBody: uploadBody(operation.upload.fields, refer) }),
    ...(operation.body === undefined
      ? {}
      : { requestBody: { required: operation.body.required, content: { 'application/json': { schema: refer(operation.body.schema) } } } }),
    responses: { ...success(operation, refer), ...refusals(operation, refer, responses) },
  }
}

/** The file comes last: what is known of it must be known before it comes. */
function uploadBody(fields: TObject, refer: Refer): Json {
  const { properties, required, ...rest } = refer(fields) as { properties: Json; required?: string[] }
  const file = { type: 'string', contentMediaType: 'application/octet-stream', description: 'The file itself, after all fields.' }
  const schema = { ...rest, properties: { ...properties, file }, required: [...(required ?? []), 'file'] }
  return { required: true, content: { 'multipart/form-data': { schema } } }
}

function parameters(operation: Operation, refer: Refer): Json[] {
  const from = (object: TObject | undefined, place: string): Json[] =>
    Object.entries(object?.properties ?? {}).map(([name, schema]) => {
      const { description, ...rest } = refer(schema as TSchema) as Json
      const required = place === 'path' || ((object?.required ?? []) as readonly string[]).includes(name)
      return {
        name: place === 'header' ? headerName(name) : name,
        in: place,
        required,
        ...(description ? { description } : {}),
        schema: rest,
      }
    })
  return [...from(operation.params, 'path'), ...from(operation.query, 'query'), ...from(operation.headers, 'header')]
}

const headerNames: Record<string, string> = {
  'idempotency-key': 'Idempotency-Key',
  'last-event-id': 'Last-Event-ID',
  'if-none-match': 'If-None-Match',
  'if-range': 'If-Range',
  range: 'Range',
  'mcp-protocol-version': 'Mcp-Protocol-Version',
}

function headerName(name: string): string {
  return headerNames[name] ?? name
}

const commonHeaders = { 'X-Request-Id': { description: 'Names this request in logs and problems.', schema: { type: 'string' } } }

function success(operation: Operation, refer: Refer): Json {
  const { status, description, schema, mediaType = 'application/json', headers = {} } = operation.success
  const own = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, { description: text, schema: { type: 'string' } }]))
  const deprecation =
    operation.replacement === undefined
      ? {}
      : {
          Deprecation: { description: 'When the address became deprecated.', schema: { type: 'string' } },
          Link: { description: 'The address that replaces it.', schema: { type: 'string' } },
        }
  return {
    [status]: {
      description,
      headers: { ...commonHeaders, ...own, ...deprecation },
      ...(schema === undefined ? {} : { content: { [mediaType]: { schema: refer(schema) } } }),
    },
    ...(operation.accepted === undefined ? {} : { 202: { description: operation.accepted, headers: commonHeaders } }),
    ...(operation.partial === undefined ? {} : { 206: partial(operation.partial, { schema, mediaType, own }, refer) }),
    ...('ETag' in headers && operation.partial === undefined ? { 304: { description: 'Nothing has changed since the ETag given.' } } : {}),
  }
}

interface PartOfFile {
  schema: TSchema | undefined
  mediaType: string
  own: Json
}

function partial(description: string, { schema, mediaType, own }: PartOfFile, refer: Refer): Json {
  const range = { 'Content-Range': { description: 'Which bytes, and of how many.', schema: { type: 'string' } } }
  const content = schema === undefined ? {} : { content: { [mediaType]: { schema: refer(schema) } } }
  return { description, headers: { ...commonHeaders, ...own, ...range }, ...content }
}

/** Operations share most of their refusals, so each combination of codes is written once. */
function refusals(operation: Operation, refer: Refer, responses: Record<string, unknown>): Json {
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of refusalsOf(operation).sort()) {
    const { status } = problems[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const entries = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => {
      const health = status === 503 ? operation.unavailable?.['$id' as keyof TSchema] : undefined
      const name = [...codes, ...(typeof health === 'string' ? [health] : [])].join('.')
      responses[name] ??= refusal(operation, status, codes, refer)
      return [status, { $ref: `#/components/responses/${name}` }]
    })
  return Object.fromEntries(entries)
}

function refusal(operation: Operation, status: number, codes: ProblemCode[], refer: Refer): Json {
  const problem = refer(Problem)
  const body = status === 503 && operation.unavailable ? { anyOf: [refer(operation.unavailable), problem] } : problem
  const examples = Object.fromEntries(codes.map(code => [code, { $ref: `#/components/examples/${code}` }]))
  const retry = status === 429 || status === 503 ? { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } } : {}
  const challenge = status === 401 ? { 'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } } } : {}
  return {
    description: codes.map(code => `\`${code}\`: ${problems[code].title}.`).join(' '),
    headers: { ...commonHeaders, ...retry, ...challenge },
    content: { 'application/json': { schema: body, examples }, 'application/problem+json': { schema: problem } },
  }
}

function problemExamples(responses: Json): Json {
  const used = JSON.stringify(responses)
  const shown = Object.entries(problems).filter(([code]) => used.includes(`/examples/${code}"`))
  return Object.fromEntries(
    shown.map(([code, { title, status }]) => [
      code,
      {
        summary: title,
        value: { type: `/problems/${code}`, title, status, detail: `${title}.`, code, request_id: 'req_0123456789abcdefghijkl' },
      },
    ]),
  )
}

/** Replaces every schema that has an `$id` by a reference to the component of that name. */
function hoist(node: unknown, components: Record<string, unknown>): unknown {
  if (Array.isArray(node)) return node.map(entry => hoist(entry, components))
  if (node === null || typeof node !== 'object') return node
  const { $id, ...rest } = node as Json
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, key === 'examples' ? value : hoist(value, components)]))
  if (typeof $id !== 'string') return inner
  components[$id] = inner
  return { $ref: `#/components/schemas/${$id}` }
}

function sorted(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}
