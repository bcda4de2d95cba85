/** The stages a document goes through, in their order, and how long each takes. */

export interface StageFigures {
  count: number
  totalMs: number
  maxMs: number
}

/** Adds up times per stage; what is read out keeps adding. */
export class StageClock {
  private readonly kept = new Map<string, StageFigures>()

  add(stage: string, ms: number, count = 1): void {
    const figures = this.kept.get(stage) ?? { count: 0, totalMs: 0, maxMs: 0 }
    this.kept.set(stage, { count: figures.count + count, totalMs: figures.totalMs + ms, maxMs: Math.max(figures.maxMs, ms) })
  }

  figures(): Record<string, StageFigures> {
    return Object.fromEntries(this.kept)
  }
}
