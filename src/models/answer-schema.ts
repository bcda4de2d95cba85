/**
 * What a model answers with: one schema, sent along where the server takes one, described in the question where not, and
 * checked on every answer. An answer without any of its lists is none; a part that does not fit is refused alone.
 */

import { Ajv, type ValidateFunction } from 'ajv'
import type { Static, TSchema } from 'typebox'
import { Type } from '../platform/schema.js'
import { storable } from '../platform/storable-text.js'

const text = (longest: number) => Type.String({ minLength: 1, maxLength: longest })
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])
const closed = { additionalProperties: false } as const

/** Why a contradiction of the rules is none. */
export const noConflictReasons = [
  'other_subject',
  'other_time',
  'other_measure',
  'part_of_total',
  'plan_not_actual',
  'same_value',
  'replaced',
  'not_a_statement',
] as const

export type NoConflictReason = (typeof noConflictReasons)[number]

const named = { subject: text(160), attribute: text(160), reason: text(240), confidence: Type.Number({ minimum: 0, maximum: 1 }) }

const own = { quote: text(1200), value: nullable(text(300)) }
const related = { relation: Type.Enum(['contradicts', 'supersedes']), words: nullable(text(400)), ...named }

const link = Type.Object({ ...own, statement: text(8), other_value: nullable(text(300)), ...related }, closed)

const within = Type.Object({ ...own, other_quote: text(1200), other_value: nullable(text(300)), ...related }, closed)

const noConflict = Type.Object({ number: text(8), reason: Type.Enum([...noConflictReasons]) }, closed)

const claim = Type.Object({ ...own, subject: text(160), attribute: text(160) }, closed)

export type AnsweredLink = Static<typeof link>
export type AnsweredWithin = Static<typeof within>
export type AnsweredNoConflict = Static<typeof noConflict>
export type AnsweredClaim = Static<typeof claim>

export interface Answer {
  links: AnsweredLink[]
  within: AnsweredWithin[]
  noConflict: AnsweredNoConflict[]
  claims: AnsweredClaim[]
  /** Parts that do not have the agreed form. */
  malformed: number
}

const ajv = new Ajv()
const validators = new Map<object, ValidateFunction>()

/** Beyond these a list is not an answer any more; what is over is counted as malformed. */
const most = { links: 120, within: 40, no_conflict: 80, claims: 40 }

/** Null when it is not an answer at all. Lists left out are empty, as models without strict schemas leave them out. */
export function readAnswer(value: unknown): Answer | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const lists = value as Record<string, unknown>
  if (!Object.keys(most).some(name => Array.isArray(lists[name]))) return null
  let malformed = 0
  const parts = <T>(name: keyof typeof most, read: (part: unknown) => T | null): T[] => {
    const list = lists[name]
    if (list === undefined || list === null) return []
    if (!Array.isArray(list)) {
      malformed++
      return []
    }
    const kept = list.slice(0, most[name]).flatMap(part => read(part) ?? [])
    malformed += list.length - kept.length
    return kept
  }
  const answer = {
    links: parts<AnsweredLink>('links', part => checked(link, forgiving(part, ['value', 'other_value', 'words']))),
    within: parts<AnsweredWithin>('within', part => checked(within, forgiving(part, ['value', 'other_value', 'words']))),
    noConflict: parts<AnsweredNoConflict>('no_conflict', part => checked(noConflict, forgiving(part, []))),
    claims: parts<AnsweredClaim>('claims', part => checked(claim, forgiving(part, ['value']))),
  }
  return { ...answer, malformed }
}

/**
 * A schema is compiled when the first answer comes: most processes never ask a model. The caller names the type: to find it
 * from the schema took the compiler half of its time for the whole project.
 */
function checked<T>(schema: TSchema, part: unknown): T | null {
  const validate = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, validate)
  return validate(part) ? (part as T) : null
}

const known = new Set([
  ...['quote', 'value', 'statement', 'other_value', 'other_quote', 'relation', 'words'],
  ...['subject', 'attribute', 'reason', 'confidence', 'number'],
])

/**
 * What models without a strict schema get slightly wrong and that leaves no doubt: null left out, "" for null, further
 * fields, numbers as text, "s12" or 12 for S12.
 */
function forgiving(part: unknown, nullableFields: readonly string[]): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
  const read: Record<string, unknown> = Object.fromEntries(
    Object.entries(part).flatMap(([name, value]) => (known.has(name) ? [[name, typeof value === 'string' ? storable(value) : value]] : [])),
  )
  for (const name of nullableFields) if (read[name] === undefined || read[name] === '') read[name] = null
  for (const name of ['value', 'other_value']) if (typeof read[name] === 'number') read[name] = String(read[name])
  if (typeof read['confidence'] === 'string' && /^[01](?:\.\d+)?$/.test(read['confidence'])) read['confidence'] = Number(read['confidence'])
  if ('statement' in read) read['statement'] = numbered('S', read['statement'])
  if ('number' in read) read['number'] = numbered('C', read['number'])
  if (typeof read['relation'] === 'string') read['relation'] = read['relation'].toLowerCase()
  return read
}

function numbered(letter: 'S' | 'C', value: unknown): unknown {
  const digits = /^\s*\[?[sc]?\s?(\d{1,3})\]?\s*$/i.exec(String(value))?.[1]
  return digits === undefined ? value : `${letter}${Number(digits)}`
}

/** The shape as the question shows it. */
export const answerShape =
  '{"links":[{"quote":"…","value":"…","statement":"S1","other_value":"…","relation":"contradicts"|"supersedes","words":null,"subject":"…","attribute":"…","reason":"…","confidence":0.9}],"within":[{"quote":"…","value":"…","other_quote":"…","other_value":"…","relation":"contradicts"|"supersedes","words":null,"subject":"…","attribute":"…","reason":"…","confidence":0.9}],"no_conflict":[{"number":"C1","reason":"other_time"}],"claims":[{"quote":"…","value":"…","subject":"…","attribute":"…"}]}'

/** The schema as sent: strict modes refuse the keywords that bound lengths and sizes, which are checked here instead. */
export function answerSchema(): unknown {
  const lists = { links: Type.Array(link), within: Type.Array(within), no_conflict: Type.Array(noConflict), claims: Type.Array(claim) }
  return withoutBounds(Type.Object(lists, closed))
}

const bounds = new Set(['minLength', 'maxLength', 'minimum', 'maximum', 'maxItems'])

function withoutBounds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutBounds)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !bounds.has(key))
      .map(([key, value]) => [key, withoutBounds(value)]),
  )
}
