/** Schemas that many nouns share: identifiers, times, pages. */

import type { TProperties, TSchema } from 'typebox'
import { Type } from '../platform/schema.js'

export const ScopeId = Type.String({
  $id: 'ScopeId',
  minLength: 1,
  maxLength: 120,
  pattern: '^[a-z0-9][a-z0-9-]*$',
  description: 'Names a scope within its tenant.',
  examples: ['case-1'],
})

export const TenantId = Type.String({ $id: 'TenantId', examples: ['ten_0123456789abcdefghijkl'] })
export const DocumentId = Type.String({ minLength: 1, maxLength: 200, examples: ['annual-report'] })
export const Time = Type.String({ format: 'date-time', examples: ['2026-01-31T09:00:00.000Z'] })
/**
 * A person as others will read the name: without characters that turn the rest of a line around, and not `system`, as answers name the service
 * itself. Joiners (U+200C, U+200D) belong to how names are spelled in several scripts. What the format asks beyond is `platform/person-name`.
 */
export const personName = {
  minLength: 1,
  maxLength: 200,
  format: 'person-name',
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff]*$',
  not: { const: 'system' },
  description: 'A name in which something can be seen, and not `system` in any spelling.',
}

/** What somebody writes for others to read: blanks and characters that cannot be seen alone are none. Answers may hold older ones. */
export function VisibleText(maxLength: number, description = 'Something in it can be seen.') {
  return Type.String({ minLength: 1, maxLength, format: 'visible-text', description })
}

/** The same within a line: a name, by which something is asked for again. */
export function VisibleLine(maxLength: number) {
  const description = 'Something in it can be seen, and it has no control characters and no ends of lines.'
  return Type.String({ ...VisibleText(maxLength, description), pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$' })
}

/** Why a person does something. */
export const Reason = VisibleText(2000)

/** Of who said something. */
export const vouched = Type.Boolean({
  description: 'The key or session is this person’s alone. Otherwise the name was only given with a key.',
})

export const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Lower-case hex SHA-256.' })
/** Of papers there are two: each says which. */
export const textHash = {
  ...Hash,
  description: 'Lower-case hex SHA-256 of the text that was read, in UTF-8; of a paper that came as text, of what came.',
}
export const fileHash = { ...Hash, description: 'Lower-case hex SHA-256 of the bytes of the file as it came.' }
export const Count = Type.Integer({ minimum: 0 })
export const Severity = Type.Enum(['low', 'medium', 'high', 'critical'], { $id: 'Severity' })
export const ScopeMode = Type.Enum(['auto', 'review', 'strict'], {
  $id: 'ScopeMode',
  description: '`auto` admits unless forbidden, `review` lets material changes wait for a person, `strict` refuses anything uncertain.',
})
export const RuntimeState = Type.Enum(['running', 'paused', 'stopped'], { $id: 'RuntimeState' })
export const FinalityStatus = Type.Enum(['active', 'review', 'resolved', 'escalated', 'blocked'], {
  $id: 'FinalityStatus',
  description: 'Of the last round. A scope that was `resolved` is `active` from the moment a document comes until it is read.',
})
export const DocumentStatus = Type.Enum(['registered', 'attached', 'queued', 'processing', 'indexed', 'held', 'rejected', 'quarantined'], {
  $id: 'DocumentStatus',
})

export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

/** A record of ours: members may be added in later versions, so readers must not refuse what they do not know. */
export const open = { additionalProperties: true } as const
export function OpenObject<T extends TProperties>(members: T) {
  return Type.Object(members, open)
}

export function RecordOf<T extends TProperties>(id: string, members: T) {
  return Type.Object(members, { $id: id, ...open })
}

/** What a client sends: an unknown member is a mistake, and is refused. */
export const closed = { additionalProperties: false } as const

export function PageOf<T extends TSchema>(id: string, item: T) {
  return Type.Object(
    { items: Type.Array(item), next: Nullable(Type.String({ description: 'Cursor of the next page; null at the end.' })) },
    { $id: id, ...open },
  )
}

export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Most items on the page.' })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: 'The `next` of the page before.' })),
}

export const idempotencyHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'The same key and body answer the first response again.' }),
  ),
})

/** What a list is narrowed to, for whoever has ids and wants what they are of. */
export const idsQuery = {
  ids: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 6000,
      description: 'Only these: up to 100 ids, parted by commas; a `,` or `%` within one percent-encoded (before the query is).',
    }),
  ),
}

export const etagHeader = Type.Object({ 'if-none-match': Type.Optional(Type.String({ maxLength: 1000 })) })

export const knownAt = {
  known_at: Type.Optional(Type.String({ format: 'date-time', description: 'Recorded time: what the service knew then.' })),
}

/** What a list of contradictions is narrowed by, wherever there is one. */
export const contradictionFilters = {
  severity: Type.Optional(Severity),
  document_id: Type.Optional({ ...DocumentId, description: 'Only those in which this document is on a side.' }),
  found_by: Type.Optional(Type.Enum(['rules', 'model', 'person'], { description: 'Who found it; `model` for any model.' })),
  assigned_to: Type.Optional(Type.String({ ...personName, description: 'Only those that this person is to look at.' })),
  ...knownAt,
}
