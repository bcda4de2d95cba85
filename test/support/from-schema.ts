/**
 * Values from the contract's schemas: valid ones, ones with a single mistake, and ones made to hurt. What decides is the
 * schema, so that a new operation is tried without anybody writing a test for it.
 */

import fc, { type Arbitrary } from 'fast-check'
import type { TSchema } from 'typebox'

/** A JSON schema as TypeBox writes it. */
interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
  items?: Schema
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
}

/** Replaces what a member of that name would be. */
export type Chooser = (name: string) => Arbitrary<unknown> | undefined

/** Long texts are tried elsewhere; here they would only be slow. */
const longText = 60

export function validValue(schema: TSchema, choose: Chooser = () => undefined): Arbitrary<unknown> {
  return valueFor(schema as unknown as Schema, choose)
}

function valueFor(schema: Schema, choose: Chooser): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined && schema.type === undefined) return fc.oneof(...schema.anyOf.map(each => valueFor(each, choose)))
  switch (schema.type) {
    case 'string':
      return text(schema)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: Math.min(schema.maximum ?? 1_000_000, 2 ** 31) })
    case 'number':
      return fc.double({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000, noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return list(schema, choose)
    case 'object':
      return record(schema, choose)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function text({ pattern, format, minLength = 0, maxLength = longText, anyOf }: Schema): Arbitrary<string> {
  const shape = format ?? anyOf?.[0]?.format
  if (shape === 'date')
    return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map(date => date.toISOString().slice(0, 10))
  if (shape === 'date-time') return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map(date => date.toISOString())
  const max = Math.min(maxLength, longText)
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { size: 'small' }).filter(value => value.length <= maxLength)
  const storable = fc
    .string({ unit: 'grapheme', minLength, maxLength: max })
    .filter(value => !value.includes('\u0000') && [...value].length <= maxLength)
  return fc.oneof(fc.string({ minLength, maxLength: max }), storable)
}

function list(schema: Schema, choose: Chooser): Arbitrary<unknown[]> {
  const item = valueFor(schema.items ?? {}, choose)
  const bounds = { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? 5, 5) }
  return schema.uniqueItems ? fc.uniqueArray(item, { ...bounds, selector: each => JSON.stringify(each) }) : fc.array(item, bounds)
}

function record(schema: Schema, choose: Chooser): Arbitrary<Record<string, unknown>> {
  const named = Object.entries(schema.properties ?? {}).map(([name, each]) => [name, choose(name) ?? valueFor(each, choose)] as const)
  const free = schema.additionalProperties
  const fixed = fc.record(Object.fromEntries(named), { requiredKeys: schema.required ?? [] })
  return typeof free !== 'object'
    ? fixed
    : fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), valueFor(free, choose), { maxKeys: 3 })
}

/** A valid value with one thing wrong with it, somewhere. */
export function nearlyValid(schema: TSchema, choose?: Chooser): Arbitrary<unknown> {
  return fc.tuple(validValue(schema, choose), fc.nat(), mistake).map(([value, where, make]) => {
    const places = placesIn(value)
    const place = places[where % places.length] as Place
    const copy = { root: structuredClone(value) }
    const [holder, key] = place.reduce<[Record<string, unknown>, string]>(
      ([parent, name], next) => [parent[name] as Record<string, unknown>, next],
      [copy, 'root'],
    )
    make(holder, key)
    return copy.root
  })
}

type Place = string[]

function placesIn(value: unknown, at: Place = []): Place[] {
  if (value === null || typeof value !== 'object') return [at]
  return [at, ...Object.entries(value).flatMap(([key, each]) => placesIn(each, [...at, key]))]
}

type Mistake = (holder: Record<string, unknown>, key: string) => void

const mistake: Arbitrary<Mistake> = fc.oneof(
  fc.constant<Mistake>((holder, key) => {
    delete holder[key]
  }),
  fc.constant<Mistake>((holder, key) => {
    holder[`${key}_`] = holder[key]
  }),
  fc.constant<Mistake>((holder, key) => {
    holder[key] = [holder[key]]
  }),
  fc.integer({ min: 1, max: 3000 }).map<Mistake>(times => (holder, key) => {
    holder[key] = `${holder[key]}`.repeat(times).slice(0, 120_000)
  }),
  fc.oneof(fc.constantFrom(...awkward()), fc.jsonValue({ maxDepth: 3 })).map<Mistake>(other => (holder, key) => {
    holder[key] = other
  }),
)

/** Values that have broken other programs. */
export function awkward(): unknown[] {
  return [
    null,
    true,
    -1,
    0.5,
    1e308,
    -1e-320,
    Number.MAX_SAFE_INTEGER,
    2 ** 53,
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff\ud800',
    '\u202e\u200b\ufeff',
    '../../etc/passwd',
    "'; drop table documents; --",
    '%00',
    '%s%n',
    '$(id)',
    '{{7*7}}',
    '__proto__',
    'constructor',
    'NaN',
    '-0',
    '0x10',
    '9'.repeat(400),
    '😀'.repeat(300),
    ...[39, 79, 99, 119, 199, 239, 399].map(units => `${'a'.repeat(units)}😀`),
    '{"Approval status":"approved \\ud800 \\u0000"}',
    'a'.repeat(5000),
    '2026-02-30',
    '9999-12-31T23:59:60Z',
    '-1',
    [],
    {},
    [[[[[[[[]]]]]]]],
    { toString: 1, __defineGetter__: 2 },
  ]
}

export const awkwardText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...awkward().filter((value): value is string => typeof value === 'string')),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 40 }),
)
