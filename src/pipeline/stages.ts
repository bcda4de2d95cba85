/** The stages a document goes through, in their order, and how long each takes. */

export interface StageFigures {
  count: number
  totalMs: number
  maxMs: number
}

/** Adds up times per stage; what is read out keeps adding. */
export interface StageClock {
  add(stage: string, ms: number, count?: number): void
  figures(): Record<string, StageFigures>
}

export function createStageClock(): StageClock {
  const kept = new Map<string, StageFigures>()
  return {
    add(stage, ms, count = 1) {
      const figures = kept.get(stage) ?? { count: 0, totalMs: 0, maxMs: 0 }
      kept.set(stage, { count: figures.count + count, totalMs: figures.totalMs + ms, maxMs: Math.max(figures.maxMs, ms) })
    },
    figures: () => Object.fromEntries(kept),
  }
}
