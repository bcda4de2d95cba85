/**
 * What a scope's owner may set: weights, targets and thresholds of the dimensions, and the bounds convergence and
 * finality work with. A partial object is laid over a base, `null` goes back to the default, unknown members are faults.
 */
import { DIMENSIONS, SEVERITIES } from './dimensions.js'
import type { ScopeSettings, SettingsParse } from './types.js'

export const DEFAULT_SETTINGS: ScopeSettings = {
  weights: { claim_confidence: 0.3, contradiction_resolution: 0.3, goal_completion: 0.25, risk_inverse: 0.15 },
  targets: { claim_confidence: 1, contradiction_resolution: 1, goal_completion: 1, risk_inverse: 1 },
  // What ordinary cases reach, or nobody would ever settle one. Claims of 13 sample cases were read with a mean confidence of 0.63 to
  // 0.90; hardly any document reports its goals as done, and a case may well be consistent about goals and risks that stay open:
  // they are facts of the case and no doubt about it. Risks that escalate (0.75) do stand in the way.
  thresholds: { claim_confidence: 0.5, contradiction_resolution: 0.95, goal_completion: 0, risk_inverse: 0.3 },
  convergence: {
    epsilon: 0.005,
    rate_rounds: 5,
    monotone_rounds: 3,
    monotone_tolerance: 0.001,
    plateau_alpha: 0.3,
    plateau_ratio: 0.01,
    plateau_rounds: 3,
    oscillation_autocorrelation: -0.3,
  },
  finality: {
    minimum_quality: 0.7,
    minimum_documents: 2,
    minimum_claims: 2,
    veto_severity: 'medium',
    possible_conflicts: 'wait',
    model_findings: 'report',
    plateau_low: 0.4,
    plateau_high: 0.92,
    divergence_rate: -0.05,
    escalation_risk: 0.75,
    escalation_critical: 3,
  },
}

interface Bound {
  low: number
  high: number
  whole?: true
}

type Bounds = Record<string, Bound | readonly string[]>

const UNIT: Bound = { low: 0, high: 1 }
/** A weight or target of zero would let V be 0 away from the target. */
const POSITIVE: Bound = { low: 0.01, high: 1 }
const perName = (bound: Bound): Bounds => Object.fromEntries(DIMENSIONS.map(dimension => [dimension, bound]))

/** The windows end at 20 rounds because that is how much history `converge` is given. */
const BOUNDS: Record<keyof ScopeSettings, Bounds> = {
  weights: perName(POSITIVE),
  targets: perName(POSITIVE),
  thresholds: perName(UNIT),
  convergence: {
    epsilon: { low: 1e-6, high: 1 },
    rate_rounds: { low: 1, high: 20, whole: true },
    monotone_rounds: { low: 1, high: 20, whole: true },
    monotone_tolerance: { low: 0, high: 0.1 },
    plateau_alpha: { low: 0.01, high: 1 },
    plateau_ratio: { low: 0, high: 1 },
    plateau_rounds: { low: 1, high: 1000, whole: true },
    oscillation_autocorrelation: { low: -1, high: 0 },
  },
  finality: {
    minimum_quality: UNIT,
    minimum_documents: { low: 1, high: 1_000_000, whole: true },
    minimum_claims: { low: 1, high: 1_000_000, whole: true },
    veto_severity: SEVERITIES,
    possible_conflicts: ['wait', 'report'],
    model_findings: ['report', 'hold'],
    plateau_low: UNIT,
    plateau_high: UNIT,
    divergence_rate: { low: -10, high: 0 },
    escalation_risk: { low: 0.01, high: 1 },
    escalation_critical: { low: 1, high: 1_000_000, whole: true },
  },
}

type Fault = { pointer: string; detail: string }

export function parseSettings(input: unknown, base: ScopeSettings = DEFAULT_SETTINGS): SettingsParse {
  if (!isObject(input)) return { ok: false, errors: [{ pointer: '', detail: 'must be an object' }] }
  const errors: Fault[] = []
  const value = structuredClone(base) as unknown as Record<string, Record<string, unknown>>
  for (const [group, members] of Object.entries(input)) {
    if (!Object.hasOwn(BOUNDS, group)) errors.push({ pointer: `/${group}`, detail: `unknown; known are ${Object.keys(BOUNDS).join(', ')}` })
    else layOver(value, group as keyof ScopeSettings, members, errors)
  }
  const settings = value as unknown as ScopeSettings
  if (errors.length === 0) errors.push(...crossChecks(settings))
  return errors.length === 0 ? { ok: true, value: settings } : { ok: false, errors }
}

function layOver(value: Record<string, Record<string, unknown>>, group: keyof ScopeSettings, members: unknown, errors: Fault[]): void {
  const defaults = DEFAULT_SETTINGS[group] as unknown as Record<string, unknown>
  if (members === null) {
    value[group] = { ...defaults }
    return
  }
  if (!isObject(members)) {
    errors.push({ pointer: `/${group}`, detail: 'must be an object' })
    return
  }
  for (const [name, member] of Object.entries(members)) {
    const pointer = `/${group}/${name}`
    const bound = Object.hasOwn(BOUNDS[group], name) ? BOUNDS[group][name] : undefined
    const detail = bound === undefined ? `unknown; known are ${Object.keys(BOUNDS[group]).join(', ')}` : faultOf(member, bound)
    if (detail !== null) errors.push({ pointer, detail })
    else value[group]![name] = member === null ? defaults[name] : member
  }
}

function faultOf(member: unknown, bound: Bound | readonly string[]): string | null {
  if (member === null) return null
  if (isChoice(bound)) return bound.includes(member as string) ? null : `must be one of ${bound.join(', ')}`
  const kind = bound.whole ? 'a whole number' : 'a number'
  const fits = typeof member === 'number' && member >= bound.low && member <= bound.high && (!bound.whole || Number.isInteger(member))
  return fits ? null : `must be ${kind} from ${bound.low} to ${bound.high}`
}

function isChoice(bound: Bound | readonly string[]): bound is readonly string[] {
  return Array.isArray(bound)
}

function crossChecks(settings: ScopeSettings): Fault[] {
  const errors: Fault[] = []
  const sum = DIMENSIONS.reduce((total, dimension) => total + settings.weights[dimension], 0)
  if (Math.abs(sum - 1) > 1e-6) errors.push({ pointer: '/weights', detail: `must add up to 1, not ${Number(sum.toFixed(6))}` })
  if (settings.finality.plateau_low > settings.finality.plateau_high) {
    errors.push({ pointer: '/finality/plateau_low', detail: 'must not be above plateau_high' })
  }
  return errors
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
