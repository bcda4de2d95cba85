/**
 * Checks input against the contract's schemas. Lengths count code points; because counting is slow on long texts and
 * almost never needed, a string is counted only when its UTF-16 length leaves the answer open.
 */

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TObject, TSchema } from 'typebox'
import { AppError, type FieldFault } from '../platform/errors.js'
import { isPersonName, nameAsked } from '../platform/person-name.js'
import { cut } from '../platform/storable-text.js'
import { canBeSeen } from '../platform/visible-text.js'

/** Gives the value with defaults filled in, or throws `VALIDATION_FAILED` with a pointer for every fault. */
export type Check = (value: unknown) => unknown

const shownFaults = 20

/** For members of a JSON body. What was compiled for a schema serves whoever asks for it again in this process. */
export const checkOf = createChecks(createAjv({ coerceTypes: false }), true)

const textChecks = createChecks(createAjv({ coerceTypes: true }), false)

/** Query and header values arrive as text and are read as what the schema asks for: whole numbers in digits alone. */
export function textCheckOf(schema: TObject, place: 'body' | 'query' | 'headers' = 'body'): Check {
  const check = textChecks(schema, place)
  const integers = Object.keys(schema.properties).filter(name => (schema.properties[name] as { type?: unknown }).type === 'integer')
  return value => {
    const given = value as Record<string, unknown>
    const wrong = integers.filter(name => typeof given[name] === 'string' && !/^-?\d+$/.test(given[name]))
    if (wrong.length > 0) throw validationFailed(wrong.map(name => ({ pointer: `${prefixOf(place)}/${name}`, detail: 'must be integer' })))
    return check(value)
  }
}

function createAjv(options: { coerceTypes: boolean }): Ajv {
  const ajv = new Ajv({
    ...options,
    allErrors: true,
    useDefaults: true,
    strict: false,
    validateFormats: true,
    ownProperties: true,
    // Half of the time that compiling takes, for functions that V8 makes no faster: the schemas are ours, and checked by their types.
    code: { optimize: false },
    validateSchema: false,
  })
  ajv.addKeyword({ keyword: 'codePoints', type: 'string', schemaType: 'object', compile: codePointCheck, errors: true })
  ajv.addFormat('date-time', isDateTime)
  ajv.addFormat('date', isDate)
  ajv.addFormat('person-name', isPersonName)
  ajv.addFormat('visible-text', canBeSeen)
  return ajv
}

/** A body may be as long as its limit; what stands in a query or a header is short. */
function createChecks(ajv: Ajv, isBounded: boolean) {
  const cache = new WeakMap<object, ValidateFunction>()
  return (schema: TSchema, place: 'body' | 'query' | 'headers' = 'body'): Check => {
    return value => {
      // On first use: compiling all of them takes longer than anything else at the start of the service.
      const validate = cache.get(schema) ?? ajv.compile(forAjv(schema, isBounded) as object)
      cache.set(schema, validate)
      if (validate(value)) return value
      const errors = faultsOf(validate.errors ?? [], place)
      throw validationFailed(errors)
    }
  }
}

export function validationFailed(errors: FieldFault[]): AppError {
  const first = errors[0]
  return new AppError('VALIDATION_FAILED', {
    detail: first ? `${first.pointer || 'body'}: ${first.detail}` : 'The request is not valid.',
    errors,
  })
}

/** The schema without names (they would collide) and with lengths in our own keyword. */
function forAjv(node: unknown, isBounded: boolean): unknown {
  if (Array.isArray(node)) return node.map(each => forAjv(each, isBounded))
  if (node === null || typeof node !== 'object') return node
  const { $id: _name, examples: _examples, minLength, maxLength, ...rest } = node as Record<string, unknown>
  const plain = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, key === 'enum' || key === 'const' ? value : forAjv(value, isBounded)]),
  )
  if (typeof minLength === 'object' || typeof maxLength === 'object')
    return { ...plain, minLength: forAjv(minLength, isBounded), maxLength: forAjv(maxLength, isBounded) }
  if (minLength !== undefined || maxLength !== undefined) return measuredFirst(plain, { min: minLength ?? 0, max: maxLength ?? null })
  return isBounded ? countedFirst(plain) : plain
}

/** No pattern and no format sees a text that is too long, or a few of them would keep everybody waiting: what they cost may grow faster than the text. */
function measuredFirst({ pattern, format, ...schema }: Record<string, unknown>, { min, max }: { min: unknown; max: unknown }) {
  const looks = { ...(pattern === undefined ? {} : { pattern }), ...(format === undefined ? {} : { format }) }
  const measured = { ...schema, codePoints: { min, max } }
  if (max === null || Object.keys(looks).length === 0) return { ...measured, ...looks }
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, and nobody waits for a schema
  return { ...measured, if: { codePoints: { min: 0, max } }, then: looks }
}

/**
 * Members are looked at only where there are not too many of them: every fault is reported, so that a million wrong ones would
 * take seconds, and a million that must differ are compared each with each.
 */
function countedFirst(schema: Record<string, unknown>): Record<string, unknown> {
  const { type, maxItems, maxProperties, properties } = schema
  if (type === 'array' && maxItems !== undefined) return within({ maxItems }, schema)
  if (type !== 'object' || Array.isArray(properties)) return schema
  const most = maxProperties ?? (schema['additionalProperties'] === false ? Object.keys(properties ?? {}).length + shownFaults : undefined)
  return most === undefined ? schema : within({ maxProperties: most }, schema)
}

function within(bound: Record<string, unknown>, schema: Record<string, unknown>): Record<string, unknown> {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, and nobody waits for a schema
  return { ...bound, if: bound, then: schema }
}

function codePointCheck({ min, max }: { min: number; max: number | null }) {
  const check = (value: string): boolean => {
    const longEnough = value.length >= min * 2 || codePoints(value) >= min
    const shortEnough = max === null || value.length <= max || (value.length <= max * 2 && codePoints(value) <= max)
    if (longEnough && shortEnough) return true
    const message = longEnough ? `must have at most ${max} characters` : `must have at least ${min} characters`
    Object.assign(check, { errors: [{ keyword: 'codePoints', message, params: {} }] })
    return false
  }
  return check
}

function codePoints(value: string): number {
  let count = value.length
  for (let i = 0; i < value.length - 1; i++) {
    if ((value.charCodeAt(i) & 0xfc00) === 0xd800 && (value.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      count--
      i++
    }
  }
  return count
}

/** The first distinct ones: a large body can have a hundred thousand. */
function faultsOf(errors: ErrorObject[], place: 'body' | 'query' | 'headers'): FieldFault[] {
  const nullable = nullablePaths(errors)
  const distinct = new Map<string, FieldFault>()
  for (const error of errors) {
    if (distinct.size === shownFaults) break
    // What is wrong with the name of a member is said by an error of its own.
    if (error.keyword === 'if' || error.keyword === 'propertyNames' || isOfNullable(error, nullable)) continue
    const fault = { pointer: `${prefixOf(place)}${error.instancePath}${namedMember(error)}`, detail: inWords(error) }
    distinct.set(`${fault.pointer} ${fault.detail}`, fault)
  }
  return [...distinct.values()]
}

function prefixOf(place: 'body' | 'query' | 'headers'): string {
  return place === 'body' ? '' : `/${place}`
}

/** Where the schema lets something be null as well: few, however many values are wrong there. */
function nullablePaths(errors: readonly ErrorObject[]): string[] {
  return [...new Set(errors.filter(isNullOfUnion).map(({ schemaPath }) => schemaPath.replace(/\/\d+\/type$/, '')))]
}

function isNullOfUnion({ params, schemaPath }: ErrorObject): boolean {
  return params['type'] === 'null' && /\/anyOf\/\d+\/type$/.test(schemaPath)
}

/** Of what may also be null, only what is wrong with a value that is not: that it could be null as well helps nobody. */
function isOfNullable(error: ErrorObject, nullable: readonly string[]): boolean {
  if (isNullOfUnion(error)) return true
  return error.keyword === 'anyOf' && nullable.some(path => `${path}/`.startsWith(`${error.schemaPath}/`))
}

/** One that is missing or not known, or whose name is wrong. */
function namedMember(error: ErrorObject): string {
  const params = error.params as { missingProperty?: string; additionalProperty?: string }
  const name = params.missingProperty ?? params.additionalProperty ?? error.propertyName
  return name === undefined ? '' : memberPointer(name)
}

/** A name that somebody sent may be of any length. */
export function memberPointer(name: string): string {
  return `/${cut(name, 200).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function inWords(error: ErrorObject): string {
  if (error.keyword === 'required') return 'is required'
  if (error.keyword === 'additionalProperties') return 'is not a known member'
  if (error.keyword === 'not') return nameAsked
  if (error.keyword === 'format') return formatWords[error.params['format']] ?? error.message ?? 'is not valid'
  if (error.keyword === 'enum') return `must be one of ${(error.params as { allowedValues: unknown[] }).allowedValues.join(', ')}`
  return error.message ?? 'is not valid'
}

/** What somebody is told who wrote nothing that others could read. */
export const visibleAsked = 'must have something in it that can be seen'

/** Of formats that are our own. */
const formatWords: Record<string, string> = {
  'person-name': nameAsked,
  'visible-text': visibleAsked,
}

function isDateTime(value: string): boolean {
  const isShaped = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2})$/.test(value)
  // Read as a whole, the 30th of February is the 2nd of March.
  return isShaped && isDate(value.slice(0, 10)) && !Number.isNaN(Date.parse(value))
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}
