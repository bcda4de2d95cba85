/**
 * Whether the figures that a tenant's file brings for a case have the form in which rounds write them. They are kept as JSON, which the
 * database takes in any form, and read with every request about the case.
 */

import { DIMENSIONS, type Dimension, SEVERITIES } from '../../kernel/dimensions.js'
import type { ConvergencePoint, Drift, Examination, Gate, ScopeAggregates, Workload } from '../../kernel/types.js'

type Check = (value: unknown) => boolean

/** The first column of `scope_states` that cannot be read; null when all can. */
export function unreadableFigures(row: Record<string, unknown>): string | null {
  return Object.keys(columns).find(name => !columns[name]?.(row[name])) ?? null
}

const isNumber: Check = Number.isFinite
const isCount: Check = value => Number.isSafeInteger(value) && (value as number) >= 0
const isFlag: Check = value => typeof value === 'boolean'
const isText: Check = value => typeof value === 'string'
const isDimension: Check = value => DIMENSIONS.includes(value as Dimension)
const isLevel: Check = value => ['none', ...SEVERITIES].includes(value as string)

const either =
  (...checks: Check[]): Check =>
  value =>
    checks.some(check => check(value))
const isNull: Check = value => value === null
const isAbsent: Check = value => value === undefined
const listOf =
  (check: Check): Check =>
  value =>
    Array.isArray(value) && value.every(check)
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
/**
 * Of every member that the type has: one that is added asks for its check, and for `either(isAbsent, …)`, since what was written
 * before lacks it.
 */
const objectOf =
  <T>(checks: Record<keyof T & string, Check>): Check =>
  value =>
    isObject(value) && Object.entries<Check>(checks).every(([name, check]) => check(value[name]))

const isBySeverity = objectOf({ low: isCount, medium: isCount, high: isCount, critical: isCount })
const isByDimension = objectOf(Object.fromEntries(DIMENSIONS.map(dimension => [dimension, isNumber])))

const isAggregates = objectOf<ScopeAggregates>({
  documentsIndexed: isCount,
  claimsLive: isCount,
  slotsLive: isCount,
  bestConfidenceMicros: isCount,
  contradictionsTotal: isCount,
  contradictionsOpen: isBySeverity,
  contradictionsByModel: either(isAbsent, isCount),
  replacementsByModel: either(isAbsent, isCount),
  possibleOpen: isCount,
  goalsTotal: isCount,
  goalsDone: isCount,
  risks: isBySeverity,
})

const isDrift = objectOf<Drift>({
  factual: isNumber,
  contradiction: isNumber,
  goal: isNumber,
  entropy: isNumber,
  value: isNumber,
  level: isLevel,
})

export const isPoint = objectOf<ConvergencePoint>({
  round: isCount,
  segment: isCount,
  segmentRounds: isCount,
  scores: isByDimension,
  score: isNumber,
  v: isNumber,
  rate: isNumber,
  estimatedRounds: either(isNull, isNumber),
  monotone: isFlag,
  plateau: isFlag,
  progressEma: either(isNull, isNumber),
  plateauRounds: isCount,
  stalledRounds: isCount,
  direction: isNumber,
  directionChanges: isCount,
  autocorrelation: either(isNull, isNumber),
  oscillating: isFlag,
  quality: isNumber,
  pressure: isByDimension,
  bottleneck: either(isNull, isDimension),
  worstPressure: isNumber,
})

const isExamination = objectOf<Examination>({ signers: isCount, readByEye: isCount, unexamined: isCount })
const isWorkload = objectOf<Workload>({ queued: isCount, processing: isCount, held: isCount })

/** What a round is computed from again. */
export const isInput: Check = value =>
  isObject(value) && isExamination(value['examination']) && isAggregates(value['aggregates']) && isWorkload(value['workload'])

const isGate = objectOf<Gate>({ gate: isText, ok: isFlag, value: either(isNull, isNumber, isFlag, isText), needs: isText, how: isText })

/** Documents by the version of the reader. */
const isReaders: Check = value => isObject(value) && Object.values(value).every(isCount)

const columns: Record<string, Check> = {
  aggregates: isAggregates,
  drift: either(isNull, isDrift),
  convergence: either(isNull, isPoint),
  gates: listOf(isGate),
  policy_hashes: listOf(isText),
  readers: isReaders,
}
