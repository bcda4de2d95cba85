/**
 * Requests for an operation, made from its schemas: valid ones, ones with a single mistake, and hostile ones (other
 * JSON, bytes that are no JSON, other media types, headers and paths that mean to hurt).
 */

import fc, { type Arbitrary } from 'fast-check'
import type { TSchema } from 'typebox'
import type { Operation } from '../../src/contract/operation.js'
import { awkwardText, type Chooser, nearlyValid, validValue } from '../support/from-schema.js'
import { type FormPart, formBody, formType } from '../support/multipart.js'

export interface FuzzRequest {
  operation: string
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array
}

export interface FuzzNames {
  tenantId: string
  tenantKey: string
  adminKey: string
  internalsKey: string
  scopes: string[]
  documents: string[]
  contradictions: string[]
  decisions: string[]
  webhooks: string[]
  cursors: string[]
}

export function requestsAt(operation: Operation, names: FuzzNames): Arbitrary<FuzzRequest> {
  return fc.oneof(
    { weight: 3, arbitrary: wellMeant(operation, names) },
    { weight: 3, arbitrary: careless(operation, names) },
    { weight: 3, arbitrary: hostile(operation, names) },
  )
}

function wellMeant(operation: Operation, names: FuzzNames): Arbitrary<FuzzRequest> {
  const choose = chooserOf(names)
  return assemble(operation, names, {
    params: recordOf(operation.params, choose),
    query: recordOf(operation.query, choose),
    headers: recordOf(operation.headers, choose),
    body: operation.body === undefined ? uploadOf(operation, choose) : validValue(operation.body.schema, choose).map(jsonText),
  })
}

function careless(operation: Operation, names: FuzzNames): Arbitrary<FuzzRequest> {
  const choose = chooserOf(names)
  const query = operation.query === undefined ? fc.constant({}) : nearlyValid(operation.query as TSchema, choose)
  return assemble(operation, names, {
    params: recordOf(operation.params, choose),
    query: fc.oneof(recordOf(operation.query, choose), query.map(asRecord)),
    headers: recordOf(operation.headers, choose),
    body:
      operation.body === undefined ? uploadOf(operation, choose, nearlyValid) : nearlyValid(operation.body.schema, choose).map(jsonText),
  })
}

function hostile(operation: Operation, names: FuzzNames): Arbitrary<FuzzRequest> {
  const params = Object.keys((operation.params as { properties?: object } | undefined)?.properties ?? {})
  const known = Object.keys((operation.query as { properties?: object } | undefined)?.properties ?? {})
  const query = fc.dictionary(
    fc.oneof(fc.constantFrom(...known, 'limit', 'cursor'), awkwardText),
    fc.oneof(awkwardText, forgedCursor(names)),
    { maxKeys: 4 },
  )
  const headers = fc.dictionary(
    fc.constantFrom(
      'idempotency-key',
      'last-event-id',
      'if-none-match',
      'accept',
      'x-request-id',
      'traceparent',
      'x-forwarded-for',
      'origin',
      'range',
      'expect-ct',
    ),
    headerText,
    { maxKeys: 4 },
  )
  return assemble(operation, names, {
    params: fc.record(Object.fromEntries(params.map(name => [name, awkwardText]))),
    query,
    headers,
    body: fc.oneof(fc.constant(undefined), fc.json().map(Buffer.from), rawBody),
  })
}

/** A form with fields and a file where the operation takes one. */
function uploadOf(operation: Operation, choose: Chooser, fieldsFor = validValue): Arbitrary<Uint8Array | undefined> {
  if (operation.upload === undefined) return fc.constant(undefined)
  const file = fc.oneof(
    fc.constantFrom('%PDF-1.7', 'PK\u0003\u0004', 'Revenue was EUR 4M.', '<html><p>4', '{"a":1}', ''),
    fc.uint8Array({ maxLength: 300 }),
  )
  const fields = fieldsFor(operation.upload.fields as TSchema, choose).map(value => Object.entries(asRecord(value)))
  return fc
    .record({ fields, bytes: file, end: fc.constantFrom(true, true, true, false) })
    .map(({ fields: entries, bytes, end }) =>
      formBody([...entries.map<FormPart>(([name, value]) => [name, textOf(value)]), ['file', { bytes }]], { end }),
    )
}

interface Parts {
  params: Arbitrary<Record<string, unknown>>
  query: Arbitrary<Record<string, unknown>>
  headers: Arbitrary<Record<string, unknown>>
  body: Arbitrary<string | Uint8Array | undefined>
}

function assemble(operation: Operation, names: FuzzNames, parts: Parts): Arbitrary<FuzzRequest> {
  return fc
    .record({ ...parts, type: mediaType, given: credentials(operation, names) })
    .map(({ params, query, headers, body, type, given }) => {
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => escapePath(textOf(params[name])))
      const search = Object.entries(query).map(([name, value]) => `${escapeText(name)}=${escapeText(textOf(value))}`)
      const request: FuzzRequest = {
        operation: operation.id,
        method: operation.method,
        path: search.length === 0 ? path : `${path}?${search.join('&')}`,
        headers: { ...asHeaders(headers), ...given },
      }
      if (body === undefined || operation.method === 'GET') return request
      // Header and body that differ are refused before anything else is looked at.
      if (typeof body === 'string' && body.includes('"idempotency_key"')) delete request.headers['idempotency-key']
      const isForm = operation.upload !== undefined && body instanceof Buffer
      return { ...request, headers: { ...request.headers, 'content-type': type, ...(isForm ? formType : {}) }, body }
    })
}

function credentials(operation: Operation, names: FuzzNames): Arbitrary<Record<string, string>> {
  const key = { 'x-tenant-api-key': names.tenantKey }
  const bearer = { authorization: `Bearer ${operation.tier === 'internals' ? names.internalsKey : names.adminKey}` }
  const right: Record<string, string> = operation.tier === 'public' ? { 'x-tenant-id': names.tenantId, ...key } : { ...bearer, ...key }
  const wrong = fc.dictionary(fc.constantFrom('authorization', 'x-tenant-id', 'x-tenant-api-key'), headerText, { maxKeys: 3 })
  return fc.oneof({ weight: 8, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: wrong })
}

function chooserOf(names: FuzzNames): Chooser {
  const table: Record<string, Arbitrary<unknown>> = {
    scopeId: fc.constantFrom(...names.scopes),
    scope_id: fc.constantFrom(...names.scopes),
    documentId: fc.constantFrom(...names.documents),
    document_id: fc.constantFrom(...names.documents),
    document_ids: fc.uniqueArray(fc.constantFrom(...names.documents), { minLength: 1, maxLength: 4 }),
    contradictionId: fc.constantFrom(...names.contradictions),
    decisionId: fc.constantFrom(...names.decisions),
    webhookId: fc.constantFrom(...names.webhooks),
    deliveryId: fc.constantFrom('dlv_0000000000000000000000'),
    // Names that lead nowhere: nothing is sent out of a test.
    url: fc.constantFrom('https://receiver.invalid/hook', 'https://127.0.0.1/', 'nowhere'),
    // Deleting tenants and keys for good would end the run: those names exist only in shape.
    tenantId: fc.constantFrom(names.tenantId.replace(/.{5}$/, '00000'), 'ten_0000000000000000000000'),
    keyId: fc.constantFrom('key_0000000000000000000000'),
    cursor: fc.oneof(fc.constantFrom(...names.cursors), forgedCursor(names)),
    wait: fc.constantFrom(0, 0.01),
  }
  return name => table[name]
}

/** A cursor that was given, with its place changed: the fingerprint of the list still fits. */
function forgedCursor({ cursors }: FuzzNames): Arbitrary<string> {
  const place = fc.array(fc.oneof(awkwardText, fc.double(), fc.maxSafeInteger(), fc.constantFrom(null, true)), { maxLength: 3 })
  return fc.tuple(fc.constantFrom(...cursors), place).map(([cursor, parts]) => {
    const content = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[]
    return Buffer.from(JSON.stringify([content[0], ...parts])).toString('base64url')
  })
}

const mediaType = fc.oneof(
  { weight: 8, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'text/plain',
      'application/json; charset=latin1',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'a',
    ),
  },
)

const rawBody: Arbitrary<Uint8Array | string> = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.constantFrom(
    '',
    '{',
    '{}',
    '[]',
    'null',
    '"text"',
    '{"a":1,"a":2}',
    '{"__proto__":{"x":1}}',
    '{"scope_id":"\\u0000"}',
    '{"scope_id":"\\ud800"}',
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
    `{"text":"${'a'.repeat(150_000)}"}`,
    '\ufeff{}',
    '{"a":1e999}',
    '{"a":-0}',
    'NaN',
    "{'a':1}",
    '{"a":1}{"b":2}',
  ),
)

/** What a header can carry at all; the rest is for raw sockets. */
const headerText: Arbitrary<string> = fc
  .oneof(fc.string({ unit: 'binary-ascii', maxLength: 60 }), awkwardText)
  .map(text => text.replaceAll(/[^\x20-\x7e]/g, '?').trim())

function recordOf(schema: unknown, choose: Chooser): Arbitrary<Record<string, unknown>> {
  return schema === undefined ? fc.constant({}) : (validValue(schema as TSchema, choose) as Arbitrary<Record<string, unknown>>)
}

function asRecord(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

function asHeaders(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      textOf(value)
        .replaceAll(/[^\x20-\x7e]/g, '?')
        .trim(),
    ]),
  )
}

/** Objects made to hurt may have no `toString` that can be called. */
function textOf(value: unknown): string {
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function jsonText(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}

/** Encodes what must be encoded; lone surrogates, which the standard function refuses, as the bytes they would be. */
function escapeText(text: string): string {
  return [...Buffer.from(text, 'utf8')]
    .map(byte =>
      byte > 0x20 && byte < 0x7f && !'%&+#?=/'.includes(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).padStart(2, '0')}`,
    )
    .join('')
}

function escapePath(text: string): string {
  const escaped = escapeText(text).replaceAll('\\', '%5c')
  // A dot alone would be taken away by the client before it is sent.
  return escaped === '' || /^\.+$/.test(escaped) ? '%2e%2e%2f' : escaped
}
