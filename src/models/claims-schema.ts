/**
 * What a model must answer with: one schema, sent along with the question and checked on every answer. An answer without
 * a list of claims is refused whole; a claim that does not fit is refused alone.
 */
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'

const text = (longest: number) => Type.String({ minLength: 1, maxLength: longest })
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])
const oneOf = <T extends string>(values: readonly T[]) => Type.Union(values.map(value => Type.Literal(value)))
const isoDate = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
const closed = { additionalProperties: false } as const

const roles = [
  'actual',
  'target',
  'minimum',
  'maximum',
  'limit',
  'budget',
  'forecast',
  'estimate',
  'scenario',
  'proposed',
  'hypothetical',
  'prior',
  'obligation',
] as const
const grains = ['day', 'month', 'quarter', 'half', 'year', 'range'] as const
const grain = oneOf(grains)

const figures = {
  low: Type.Number(),
  high: Type.Number(),
  /** The size of the last digit written: 100000 for 12.4 million. */
  precision: Type.Number({ minimum: 0 }),
  approximate: Type.Boolean(),
}

const modelValue = Type.Union([
  Type.Object({ type: Type.Literal('money'), currency: nullable(text(8)), ...figures }, closed),
  Type.Object({ type: Type.Literal('percent'), points: Type.Boolean(), ...figures }, closed),
  Type.Object({ type: Type.Literal('quantity'), unit: nullable(text(40)), ...figures }, closed),
  Type.Object({ type: Type.Literal('date'), from: isoDate, to: isoDate, grain }, closed),
  Type.Object({ type: Type.Literal('category'), set: text(60), value: text(80), rank: nullable(Type.Number()) }, closed),
  Type.Object({ type: Type.Literal('boolean'), value: Type.Boolean() }, closed),
  Type.Object({ type: Type.Literal('name'), value: text(200) }, closed),
])

const modelClaim = Type.Object(
  {
    quote: text(1000),
    subject: text(200),
    subject_certain: Type.Boolean(),
    attribute: text(200),
    role: oneOf(roles),
    basis: Type.Array(text(40), { maxItems: 8 }),
    part: nullable(text(120)),
    unit: nullable(text(40)),
    period: nullable(Type.Object({ label: text(60), from: isoDate, to: isoDate, grain }, closed)),
    polarity: oneOf(['affirmed', 'negated'] as const),
    modality: oneOf(['fact', 'plan', 'possibility', 'obligation'] as const),
    value: modelValue,
    value_text: text(120),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    disputes: Type.Boolean(),
    corrects: Type.Boolean(),
    echoes: Type.Boolean(),
    supersedes: Type.Boolean(),
  },
  closed,
)

const modelAnswer = Type.Object({ claims: Type.Array(Type.Unknown(), { maxItems: 2000 }) }, closed)

export type ModelClaim = Static<typeof modelClaim>

const claimValidator = Compile(modelClaim)
const answerValidator = Compile(modelAnswer)

/** The claims of an answer and how many did not fit; null when it is not an answer at all. */
export function readAnswer(value: unknown): { claims: ModelClaim[]; refused: number } | null {
  if (!answerValidator.Check(value)) return null
  const claims = value.claims.filter((claim): claim is ModelClaim => claimValidator.Check(claim) && hasTrueDates(claim))
  return { claims, refused: value.claims.length - claims.length }
}

/** The schema as sent: strict modes refuse the keywords that bound lengths and sizes, which are checked here instead. */
export function answerSchema(): unknown {
  return withoutBounds(Type.Object({ claims: Type.Array(modelClaim) }, closed))
}

const bounds = new Set(['minLength', 'maxLength', 'minimum', 'maximum', 'maxItems', 'pattern'])

function withoutBounds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutBounds)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !bounds.has(key))
      .map(([key, value]) => [key, withoutBounds(value)]),
  )
}

function hasTrueDates({ period, value }: ModelClaim): boolean {
  return isTrueRange(period) && (value.type !== 'date' || isTrueRange(value))
}

function isTrueRange(range: { from: string; to: string } | null): boolean {
  return range === null || (isTrueDate(range.from) && isTrueDate(range.to) && range.from < range.to)
}

function isTrueDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
