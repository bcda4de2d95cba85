/**
 * How many workers there should be. Pure: one `sizingStep` for each evaluation, from figures of the queue.
 *
 * Demand is the smoothed arrival rate plus what it takes to drain a backlog in time. The size is the smallest number
 * of workers c for which an M/M/c queue stays below the target utilisation and the target wait. Growing is immediate;
 * a queue that is too old grows the size whatever the rates say. Shrinking waits until a smaller size, with a margin,
 * has been enough for a whole cooldown, and then goes to the largest size needed in that time: one burst turns the
 * size around once.
 */

export interface SizingRules {
  targetUtilisation: number
  /** Mean wait an M/M/c queue of that size may have. */
  targetWaitSeconds: number
  /** Time in which a backlog should be gone. */
  drainSeconds: number
  /** Age of the oldest document from which the size grows whatever the rates say. */
  queueAgeLimitSeconds: number
  /** Weight of the newest rate, from 0 to 1. */
  smoothing: number
  /** A smaller size must have this much to spare. */
  shrinkMargin: number
  cooldownSeconds: number
  /** Documents a worker finishes per second, until that is measured. */
  assumedServiceRate: number
  /** Worker-seconds of work over which the service rate is averaged. */
  serviceMemorySeconds: number
}

export const defaultSizingRules: SizingRules = {
  targetUtilisation: 0.7,
  targetWaitSeconds: 1,
  drainSeconds: 5,
  queueAgeLimitSeconds: 5,
  smoothing: 0.6,
  shrinkMargin: 0.25,
  cooldownSeconds: 15,
  assumedServiceRate: 20,
  serviceMemorySeconds: 10,
}

export interface SizingBounds {
  min: number
  max: number
}

/** What was seen since the evaluation before. */
export interface SizingSample {
  atMs: number
  /** Documents waiting or in hand, in scopes that may run. */
  runnable: number
  /** A scope is worked on by one worker at a time, so more workers than scopes are idle. */
  runnableScopes: number
  oldestAgeSeconds: number
  completed: number
  /** Worker-seconds spent busy. */
  busySeconds: number
}

export interface SizingState {
  atMs: number
  runnable: number
  arrivalRate: number
  completionRate: number
  serviceRate: number
  /** Worker-seconds the service rate rests on, at most `serviceMemorySeconds`. */
  serviceSeconds: number
  desired: number
  /** Scopes that could have been worked on in the last three evaluations, newest first. */
  scopes: readonly number[]
  /** Sizes that would have been enough since shrinking became thinkable, with their times; at most one cooldown. */
  spare: readonly { atMs: number; size: number }[]
}

export interface SizingStep {
  state: SizingState
  desired: number
  reason: SizingReason
  utilisation: number
}

export type SizingReason = 'arrivals' | 'backlog' | 'queue age' | 'quiet' | 'steady' | 'bounds' | 'first evaluation'

/** Below this a rate is silence: it is what smoothing leaves of a load that ended. */
const silentRate = 0.01
/** What the assumed service rate counts for, in worker-seconds. */
const assumptionSeconds = 0.1

export function sizingStep(before: SizingState | undefined, sample: SizingSample, bounds: SizingBounds, rules: SizingRules): SizingStep {
  const rates = nextRates(before, sample, rules)
  const scopes = [sample.runnableScopes, ...(before?.scopes ?? [])].slice(0, 3)
  const cap = Math.min(bounds.max, Math.max(bounds.min, ...scopes))
  const within = (size: number) => Math.max(bounds.min, Math.min(cap, size))
  const steady = requiredWorkers(rates.arrivalRate, rates.serviceRate, rules, bounds.max)
  const drain = Math.max(0, sample.runnable - rates.arrivalRate) / rules.drainSeconds
  const needed = requiredWorkers(rates.arrivalRate + drain, rates.serviceRate, rules, bounds.max)
  const spare = requiredWorkers((rates.arrivalRate + drain) * (1 + rules.shrinkMargin), rates.serviceRate, rules, bounds.max)
  const present = before === undefined ? bounds.min : Math.min(bounds.max, Math.max(bounds.min, before.desired))
  const aged = sample.oldestAgeSeconds > rules.queueAgeLimitSeconds ? present + Math.max(1, Math.ceil(present / 2)) : 0

  const grown = Math.max(present, within(Math.max(needed, aged)))
  const kept = before === undefined || grown > present || within(spare) >= present ? [] : before.spare
  const watched = grown > present || within(spare) >= present ? [] : [...kept, { atMs: sample.atMs, size: within(spare) }]
  const shrunk = shrinkTo(watched, sample.atMs, rules)
  const desired = grown > present ? grown : (shrunk ?? present)
  const left = watched.filter(point => sample.atMs - point.atMs < rules.cooldownSeconds * 1000)
  const state: SizingState = { ...rates, atMs: sample.atMs, runnable: sample.runnable, desired, scopes, spare: left }
  return {
    state,
    desired,
    reason: reasonOf({ before, desired, present, steady: within(steady), needed: within(needed) }),
    utilisation: desired === 0 ? 0 : rates.arrivalRate / (rates.serviceRate * desired),
  }
}

/**
 * The smallest number of workers that keeps utilisation and mean wait of an M/M/c queue within the targets, or `most`:
 * the formula takes as many steps as there are workers, so it must not be asked about a million.
 */
export function requiredWorkers(arrivalRate: number, serviceRate: number, rules: SizingRules, most: number): number {
  if (arrivalRate < silentRate) return 0
  const load = arrivalRate / serviceRate
  let workers = Math.max(1, Math.ceil(load / rules.targetUtilisation - 1e-9))
  if (workers >= most) return most
  while (workers < most && meanWaitSeconds(load, workers, serviceRate) > rules.targetWaitSeconds) workers += 1
  return workers
}

/** Mean wait in an M/M/c queue by the Erlang C formula; infinite when the load reaches the number of workers. */
export function meanWaitSeconds(load: number, workers: number, serviceRate: number): number {
  if (load >= workers) return Number.POSITIVE_INFINITY
  let blocking = 1
  for (let c = 1; c <= workers; c++) blocking = (load * blocking) / (c + load * blocking)
  const waiting = (workers * blocking) / (workers - load * (1 - blocking))
  return waiting / (serviceRate * (workers - load))
}

export interface NodeBounds extends SizingBounds {
  nodeId: string
}

/** Shares the cluster's size out: every node its minimum, the rest evenly in the order of ids, none above its maximum. */
export function shareOut(desired: number, nodes: readonly NodeBounds[]): Map<string, number> {
  const ordered = [...nodes].sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1))
  const shares = new Map(ordered.map(node => [node.nodeId, node.min]))
  let rest = desired - ordered.reduce((sum, node) => sum + node.min, 0)
  while (rest > 0) {
    const open = ordered.filter(node => (shares.get(node.nodeId) ?? 0) < node.max)
    if (open.length === 0) break
    const fewest = Math.min(...open.map(node => shares.get(node.nodeId) ?? 0))
    for (const node of open.filter(each => shares.get(each.nodeId) === fewest).slice(0, rest)) {
      shares.set(node.nodeId, fewest + 1)
      rest -= 1
    }
  }
  return shares
}

function nextRates(before: SizingState | undefined, sample: SizingSample, rules: SizingRules) {
  if (before === undefined) {
    return { arrivalRate: 0, completionRate: 0, serviceRate: rules.assumedServiceRate, serviceSeconds: assumptionSeconds }
  }
  const seconds = Math.max(0.001, (sample.atMs - before.atMs) / 1000)
  // Evaluations that come late weigh more, as if the missed ones had seen the same rate.
  const weight = 1 - (1 - rules.smoothing) ** Math.max(1, seconds)
  const blend = (old: number, fresh: number, by: number) => old + (fresh - old) * by
  const arrivals = Math.max(0, sample.runnable - before.runnable + sample.completed) / seconds
  // A rate measured over little work weighs little, except against the assumption there was before.
  const work = sample.completed > 0 ? sample.busySeconds : 0
  const measured = work === 0 ? before.serviceRate : sample.completed / work
  return {
    arrivalRate: blend(before.arrivalRate, arrivals, weight),
    completionRate: blend(before.completionRate, sample.completed / seconds, weight),
    serviceRate: Math.max(0.05, blend(before.serviceRate, measured, work / (before.serviceSeconds + work))),
    serviceSeconds: Math.min(rules.serviceMemorySeconds, before.serviceSeconds + work),
  }
}

function shrinkTo(watched: readonly { atMs: number; size: number }[], atMs: number, rules: SizingRules): number | undefined {
  const first = watched[0]
  if (first === undefined || atMs - first.atMs < rules.cooldownSeconds * 1000) return undefined
  return Math.max(...watched.map(point => point.size))
}

function reasonOf(seen: {
  before: SizingState | undefined
  desired: number
  present: number
  steady: number
  needed: number
}): SizingReason {
  const { before, desired, present, steady, needed } = seen
  if (before === undefined) return 'first evaluation'
  if (desired > present) return desired <= steady ? 'arrivals' : desired <= needed ? 'backlog' : 'queue age'
  if (desired < present) return 'quiet'
  return present === before.desired ? 'steady' : 'bounds'
}
