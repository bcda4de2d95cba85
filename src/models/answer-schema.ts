/**
 * What a model answers with: one schema for each of the two questions, sent along where the server takes one, described in the
 * question where not, and checked on every answer. An answer without its list is none; a part that does not fit is refused alone.
 */

import { Ajv, type ValidateFunction } from 'ajv'
import type { Static, TSchema } from 'typebox'
import { Type } from '../platform/schema.js'
import { storable } from '../platform/storable-text.js'

const text = (longest: number) => Type.String({ minLength: 1, maxLength: longest })
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])
const closed = { additionalProperties: false } as const

/** Of those that differ. */
const mostWords = 300

const proposed = Type.Object(
  {
    a: text(8),
    b: text(8),
    a_words: nullable(text(mostWords)),
    b_words: nullable(text(mostWords)),
    subject: text(160),
    attribute: text(160),
  },
  closed,
)

const verdict = Type.Object(
  {
    pair: text(8),
    verdict: Type.Enum(['contradicts', 'replaces', 'updates', 'compatible']),
    newer: nullable(Type.Enum(['A', 'B'])),
    words: nullable(text(400)),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    reason: text(300),
  },
  closed,
)

export type ProposedPair = Static<typeof proposed>
export type AnsweredVerdict = Static<typeof verdict>

/** The part of an answer that has the agreed form, and how many parts have not. */
export interface Answer<Part> {
  pairs: Part[]
  malformed: number
}

/** One of the two questions: what its answer looks like, as a schema, in words and as it is read. */
export interface AnswerForm<Part> {
  name: 'proposal' | 'verdicts'
  /** The schema as sent: strict modes refuse the keywords that bound lengths and sizes, which are checked here instead. */
  schema(): unknown
  /** Null when it is not an answer at all. */
  read(value: unknown): Answer<Part> | null
}

const ajv = new Ajv()
const validators = new Map<object, ValidateFunction>()

/** Beyond that a list is not an answer any more; what is over is counted as malformed. */
const most = 400

function formOf<Part>(name: AnswerForm<Part>['name'], part: TSchema, members: readonly string[]): AnswerForm<Part> {
  return {
    name,
    schema: () => withoutBounds(Type.Object({ pairs: Type.Array(part) }, closed)),
    read(value) {
      const list = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)['pairs'] : undefined
      if (!Array.isArray(list)) return null
      const pairs = list.slice(0, most).flatMap((each): Part[] => checked<Part>(part, forgiving(each, members)))
      return { pairs, malformed: list.length - pairs.length }
    },
  }
}

export const proposalForm = formOf<ProposedPair>('proposal', proposed, Object.keys(proposed.properties))
export const verdictForm = formOf<AnsweredVerdict>('verdicts', verdict, Object.keys(verdict.properties))

/**
 * A schema is compiled when the first answer comes: most processes never ask a model. The caller names the type: to find it
 * from the schema took the compiler half of its time for the whole project.
 */
function checked<T>(schema: TSchema, part: unknown): T[] {
  const validate = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, validate)
  return validate(part) ? [part as T] : []
}

const orNull = ['a_words', 'b_words', 'newer', 'words']

/**
 * What models without a strict schema get slightly wrong and that leaves no doubt: null left out, "" for null, further
 * fields, numbers as text, "s12" or "[S12]" for S12, words in capitals; and most of a passage copied where null stands for all of it.
 */
function forgiving(part: unknown, members: readonly string[]): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
  const read: Record<string, unknown> = Object.fromEntries(
    Object.entries(part).flatMap(([name, value]) =>
      members.includes(name) ? [[name, typeof value === 'string' ? storable(value.trim()) : value]] : [],
    ),
  )
  for (const name of orNull) if (members.includes(name) && (read[name] === undefined || read[name] === '')) read[name] = null
  for (const name of ['a_words', 'b_words']) {
    const words = read[name]
    if (typeof words === 'number') read[name] = String(words)
    else if (typeof words === 'string' && words.length > mostWords) read[name] = null
  }
  if (typeof read['confidence'] === 'string' && /^[01](?:\.\d+)?$/.test(read['confidence'])) read['confidence'] = Number(read['confidence'])
  for (const name of ['a', 'b', 'pair']) if (name in read) read[name] = numbered(read[name], name === 'pair' ? 'P' : '')
  if (typeof read['verdict'] === 'string') read['verdict'] = read['verdict'].toLowerCase()
  if (typeof read['newer'] === 'string') read['newer'] = read['newer'].toUpperCase()
  return read
}

function numbered(value: unknown, letter: string): unknown {
  const [, named = '', digits] = /^\[?([sdp]?)\s?(\d{1,5})\]?$/i.exec(String(value)) ?? []
  return digits === undefined ? value : `${named.toUpperCase() || letter}${Number(digits)}`
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
