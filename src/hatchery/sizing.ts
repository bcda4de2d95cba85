/**
 * How many workers there should be. Pure: one `sizingStep` for each evaluation, from figures of the queue.
 *
 * Wanted is what keeps busy workers at the target utilisation and the backlog of each short, and more than there are
 * while the oldest document waits too long; never more than there are scopes to work on. Growing is immediate: a worker
 * too many only waits. Shrinking waits until fewer have been enough for a whole cooldown and goes to the most wanted in
 * that time, so that one burst turns the size around once.
 */

export const sizingRules = {
  targetUtilisation: 0.7,
  /** Documents queued or in progress. */
  backlogPerWorker: 8,
  /** Age of the oldest document from which the size grows whatever else is seen. */
  queueAgeLimitSeconds: 5,
  /** Weight of the newest second in rates and in the number of busy workers. */
  smoothing: 0.3,
  /** Fewer are enough when they are at most this share of the present size: less is noise. */
  shrinkShare: 0.8,
  cooldownSeconds: 15,
}

export interface SizingBounds {
  min: number
  max: number
}

/** What was seen since the evaluation before. */
export interface SizingSample {
  atMs: number
  /** Documents queued or in progress, in runnable scopes. */
  runnable: number
  /** A scope is worked on by one worker at a time, so more workers than scopes are idle. */
  runnableScopes: number
  oldestAgeSeconds: number
  completed: number
  /** Worker-seconds spent busy. */
  busySeconds: number
}

interface Rates {
  arrivalRate: number
  completionRate: number
  /** Documents a busy worker finishes per second; 0 until one is seen. */
  serviceRate: number
  busyWorkers: number
}

export interface SizingState extends Rates {
  atMs: number
  runnable: number
  desired: number
  /** While fewer would be enough: since when, and the most wanted since then. */
  low: { sinceMs: number; most: number } | null
}

export interface SizingStep {
  state: SizingState
  desired: number
  reason: SizingReason
  utilisation: number
}

export type SizingReason = 'utilisation' | 'backlog' | 'queue age' | 'quiet' | 'steady' | 'bounds' | 'first evaluation'

export function sizingStep(before: SizingState | undefined, sample: SizingSample, bounds: SizingBounds): SizingStep {
  const rates = nextRates(before, sample)
  const bounded = (size: number) => Math.max(bounds.min, Math.min(bounds.max, size))
  const present = bounded(before?.desired ?? bounds.min)
  const isLate = sample.oldestAgeSeconds > sizingRules.queueAgeLimitSeconds
  const wants: [SizingReason, number][] = [
    ['utilisation', Math.ceil(rates.busyWorkers / sizingRules.targetUtilisation)],
    ['backlog', Math.ceil(sample.runnable / sizingRules.backlogPerWorker)],
    ['queue age', isLate ? present + Math.max(1, Math.ceil(present / 2)) : 0],
  ]
  const [cause, most] = wants.reduce((a, b) => (b[1] > a[1] ? b : a))
  const wanted = bounded(Math.min(most, sample.runnableScopes))
  const low = wanted > present * sizingRules.shrinkShare || wanted === present ? null : lowSince(before?.low ?? null, wanted, sample.atMs)
  const isOver = low !== null && sample.atMs - low.sinceMs >= sizingRules.cooldownSeconds * 1000
  const desired = isOver ? low.most : Math.max(present, wanted)
  return {
    state: { ...rates, atMs: sample.atMs, runnable: sample.runnable, desired, low: isOver ? null : low },
    desired,
    reason: before === undefined ? 'first evaluation' : reasonOf(before.desired, present, desired, cause),
    utilisation: desired === 0 ? 0 : Math.min(1, rates.busyWorkers / desired),
  }
}

export interface NodeBounds extends SizingBounds {
  nodeId: string
}

/** Shares the cluster's size out: every node its minimum, each further one to the node with the fewest, none above its maximum. */
export function shareOut(desired: number, nodes: readonly NodeBounds[]): Map<string, number> {
  const shares = [...nodes].sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1)).map(node => ({ ...node, share: node.min }))
  for (let rest = desired - shares.reduce((sum, { share }) => sum + share, 0); rest > 0; rest--) {
    const open = shares.filter(({ share, max }) => share < max)
    if (open.length === 0) break
    open.reduce((a, b) => (b.share < a.share ? b : a)).share++
  }
  return new Map(shares.map(({ nodeId, share }) => [nodeId, share]))
}

function nextRates(before: SizingState | undefined, sample: SizingSample): Rates {
  if (before === undefined) return { arrivalRate: 0, completionRate: 0, serviceRate: 0, busyWorkers: 0 }
  const seconds = Math.max(0.001, (sample.atMs - before.atMs) / 1000)
  // An evaluation that comes late weighs more, as if the missed ones had seen the same.
  const weight = 1 - (1 - sizingRules.smoothing) ** seconds
  const smooth = (old: number, now: number) => old + (now - old) * weight
  const served = sample.busySeconds > 0 && sample.completed > 0 ? sample.completed / sample.busySeconds : before.serviceRate
  return {
    arrivalRate: smooth(before.arrivalRate, Math.max(0, sample.runnable - before.runnable + sample.completed) / seconds),
    completionRate: smooth(before.completionRate, sample.completed / seconds),
    serviceRate: before.serviceRate === 0 ? served : smooth(before.serviceRate, served),
    busyWorkers: smooth(before.busyWorkers, sample.busySeconds / seconds),
  }
}

function lowSince(before: SizingState['low'], wanted: number, atMs: number): NonNullable<SizingState['low']> {
  return before === null ? { sinceMs: atMs, most: wanted } : { ...before, most: Math.max(before.most, wanted) }
}

function reasonOf(before: number, present: number, desired: number, cause: SizingReason): SizingReason {
  if (desired > present) return cause
  if (desired < present) return 'quiet'
  return present === before ? 'steady' : 'bounds'
}
