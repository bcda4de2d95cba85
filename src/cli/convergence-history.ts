/** The convergence of a scope over its rounds, gathered from its event log since the last reset. Needs the tenant's own key alone. */

import type { Client } from '../client/client.js'
import type { ServiceEvent } from '../client/index.js'

export interface ConvergencePoint {
  round: number
  time: string
  /** Distance from a settled story: 0 is settled. */
  value: number
  /** 1 is the goal. */
  score: number
  scores: Record<string, number>
}

/** `lastSeq` is the end of what is read; at most `mostEvents` before it. */
export async function convergenceHistory(
  client: Pick<Client, 'events'>,
  scopeId: string,
  { lastSeq, mostEvents }: { lastSeq: number | null; mostEvents: number },
): Promise<ConvergencePoint[]> {
  if (lastSeq === null) return []
  const points: ConvergencePoint[] = []
  for await (const event of client.events(scopeId, { after: Math.max(-1, lastSeq - mostEvents), giveUpAfterMs: 10_000 })) {
    if (event.type === 'scope.reset') points.length = 0
    if (event.type === 'convergence.updated') points.push(pointOf(event))
    if (isLast(event, lastSeq)) break
  }
  return points
}

/** Retention may have taken the last event too: then the stream begins behind it, and nothing would ever come. */
function isLast({ type, id, data }: ServiceEvent, lastSeq: number): boolean {
  return type === 'stream.gap' ? Number(data['oldest']) > lastSeq : Number(id) >= lastSeq
}

function pointOf({ time, data }: ServiceEvent): ConvergencePoint {
  const { round, v, score, scores } = data as { round: number; v: number; score: number; scores: Record<string, number> }
  return { round, time, value: v, score, scores }
}

/** The last value of each stretch, so that the end of the line is the present. */
export function resample<T>(values: readonly T[], most: number): T[] {
  if (values.length <= most) return [...values]
  return Array.from({ length: most }, (_, index) => values[Math.ceil(((index + 1) * values.length) / most) - 1] as T)
}
