/**
 * What a scope's owner may set: weights, targets and thresholds of the dimensions, and the bounds convergence and
 * finality work with. A partial object is laid over the defaults, `null` stands for the default, unknown members are faults.
 */
import { DIMENSIONS, SEVERITIES } from './dimensions.js'

interface NumberSetting {
  usual: number
  low: number
  high: number
  whole?: true
}

interface Choice<T extends string> {
  usual: T
  of: readonly T[]
}

const number = (usual: number, low: number, high: number): NumberSetting => ({ usual, low, high })
const whole = (usual: number, low: number, high: number): NumberSetting => ({ usual, low, high, whole: true })
const share = (usual: number) => number(usual, 0, 1)
/** A weight or target of zero would let V be 0 away from the target. */
const positive = (usual: number) => number(usual, 0.01, 1)
const choice = <T extends string>(usual: T, of: readonly T[]): Choice<T> => ({ usual, of })

/** Each with its default and its bounds. The windows end at 20 rounds because that is how much history `converge` is given. */
const SETTINGS = {
  weights: {
    claim_confidence: positive(0.3),
    contradiction_resolution: positive(0.3),
    goal_completion: positive(0.25),
    risk_inverse: positive(0.15),
  },
  targets: {
    claim_confidence: positive(1),
    contradiction_resolution: positive(1),
    goal_completion: positive(1),
    risk_inverse: positive(1),
  },
  // What ordinary cases reach, or nobody would ever settle one. Claims of 13 sample cases were read with a mean confidence of 0.63 to
  // 0.90; hardly any document reports its goals as done, and a case may well be consistent about goals and risks that stay open:
  // they are facts of the case and no doubt about it. Risks that escalate (0.75) do stand in the way.
  thresholds: {
    claim_confidence: share(0.5),
    contradiction_resolution: share(0.95),
    goal_completion: share(0),
    risk_inverse: share(0.3),
  },
  convergence: {
    epsilon: number(0.005, 1e-6, 1),
    rate_rounds: whole(5, 1, 20),
    monotone_rounds: whole(3, 1, 20),
    monotone_tolerance: number(0.001, 0, 0.1),
    plateau_alpha: number(0.3, 0.01, 1),
    plateau_ratio: share(0.01),
    plateau_rounds: whole(3, 1, 1000),
    oscillation_autocorrelation: number(-0.3, -1, 0),
  },
  finality: {
    minimum_quality: share(0.7),
    minimum_documents: whole(2, 1, 1_000_000),
    minimum_claims: whole(2, 1, 1_000_000),
    /** No contradiction of this severity or worse may be open in a resolved scope. */
    veto_severity: choice('medium', SEVERITIES),
    /** `wait`: not resolved while a possible conflict is undecided. `report`: the certificate says how many were left. */
    possible_conflicts: choice('wait', ['wait', 'report']),
    /** `hold`: settling waits for a person where a model found a contradiction. `report`: the certificate says how many. */
    model_findings: choice('report', ['report', 'hold']),
    /** Who must have examined a resolved scope: `person` (a sign-off), `model` (every document compared by one in full) or `none`. */
    examination: choice('person', ['person', 'model', 'none']),
    /** As many different people sign off. */
    signatures: whole(1, 1, 100),
    plateau_low: share(0.4),
    plateau_high: share(0.92),
    divergence_rate: number(-0.05, -10, 0),
    escalation_risk: number(0.75, 0.01, 1),
    escalation_critical: whole(3, 1, 1_000_000),
  },
  model: {
    /** `off`: no document of the scope is shown to a model, whatever the service is set up with. */
    reading: choice('on', ['on', 'off']),
  },
}

type Settings = typeof SETTINGS
export type ScopeSettings = {
  [Group in keyof Settings]: { [Name in keyof Settings[Group]]: Settings[Group][Name] extends Choice<infer T> ? T : number }
}

type Groups<T> = Record<string, Record<string, T>>
const groups: Groups<NumberSetting | Choice<string>> = SETTINGS

export const DEFAULT_SETTINGS = defaults() as unknown as ScopeSettings

function defaults(): Groups<unknown> {
  const usual = (members: Record<string, { usual: unknown }>) => Object.entries(members).map(([name, setting]) => [name, setting.usual])
  return Object.fromEntries(Object.entries(groups).map(([group, members]) => [group, Object.fromEntries(usual(members))]))
}

type Fault = { pointer: string; detail: string }

export type SettingsParse = { ok: true; value: ScopeSettings } | { ok: false; errors: Fault[] }

export function parseSettings(input: unknown): SettingsParse {
  const { value, errors } = laidOver(input)
  if (errors.length === 0) errors.push(...crossChecks(value))
  return errors.length === 0 ? { ok: true, value } : { ok: false, errors }
}

/** With every default filled in. What a later version no longer takes falls back to its default; what else was set stays. */
export function effectiveSettings(given: unknown): ScopeSettings {
  const { value } = laidOver(given)
  for (const { pointer } of crossChecks(value)) {
    if (pointer === '/weights') value.weights = DEFAULT_SETTINGS.weights
    else {
      const { plateau_low, plateau_high } = DEFAULT_SETTINGS.finality
      value.finality = { ...value.finality, plateau_low, plateau_high }
    }
  }
  return value
}

/** What fits, over the defaults; and what does not. */
function laidOver(input: unknown): { value: ScopeSettings; errors: Fault[] } {
  const value = defaults()
  const settings = value as unknown as ScopeSettings
  if (!isObject(input)) return { value: settings, errors: [{ pointer: '', detail: 'must be an object' }] }
  const errors: Fault[] = []
  for (const [group, members] of Object.entries(input)) {
    if (!Object.hasOwn(groups, group)) errors.push({ pointer: `/${group}`, detail: unknownAmong(groups) })
    else if (!isObject(members ?? {})) errors.push({ pointer: `/${group}`, detail: 'must be an object' })
    else layOver(value, group, (members ?? {}) as Record<string, unknown>, errors)
  }
  return { value: settings, errors }
}

function layOver(value: Groups<unknown>, group: string, members: Record<string, unknown>, errors: Fault[]): void {
  const known = groups[group]!
  for (const [name, member] of Object.entries(members)) {
    const setting = Object.hasOwn(known, name) ? known[name] : undefined
    const detail = setting === undefined ? unknownAmong(known) : faultOf(member, setting)
    if (detail !== null) errors.push({ pointer: `/${group}/${name}`, detail })
    else if (member !== null) value[group]![name] = member
  }
}

function unknownAmong(known: object): string {
  return `unknown; known are ${Object.keys(known).join(', ')}`
}

function faultOf(member: unknown, setting: NumberSetting | Choice<string>): string | null {
  if (member === null) return null
  if ('of' in setting) return setting.of.includes(member as string) ? null : `must be one of ${setting.of.join(', ')}`
  const { low, high, whole } = setting
  const fits = typeof member === 'number' && member >= low && member <= high && (!whole || Number.isInteger(member))
  return fits ? null : `must be ${whole ? 'a whole number' : 'a number'} from ${low} to ${high}`
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
