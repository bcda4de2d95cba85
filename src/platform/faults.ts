/**
 * Faults on purpose, for tests of recovery: a seeded generator that says, at each point of I/O it is asked about,
 * whether something goes wrong there and what. Off unless FAULTS is set; the same seed and the same order of questions
 * give the same faults.
 *
 *   fail     nothing is done, and an error says so
 *   collide  a serialization failure: the transaction is rolled back and runs again
 *   delay    it takes longer
 *   lose     it is done, and its answer is lost
 *   crash    it is done, and the process dies before it can answer
 */

export const faultKinds = ['fail', 'collide', 'delay', 'lose', 'crash'] as const
export type FaultKind = (typeof faultKinds)[number]

export interface FaultPlan {
  seed: number
  /** Share of the questions that are answered with a fault. */
  rate: number
  kinds: readonly FaultKind[]
}

/**
 * `seed=7,rate=0.02,kinds=fail+lose`: the kinds may be left out and then are all but crash. `poison` may stand beside it
 * or alone, and then there is no plan (null). Undefined when the text is none of that.
 */
export function parseFaults(text: string): FaultPlan | null | undefined {
  const given = new Map(
    partsOf(text)
      .filter(part => part !== 'poison')
      .map(part => part.split('=', 2) as [string, string]),
  )
  if (given.size === 0) return null
  const unknown = [...given.keys()].some(name => !['seed', 'rate', 'kinds'].includes(name))
  const seed = Number(given.get('seed') ?? Number.NaN)
  const rate = Number(given.get('rate') ?? Number.NaN)
  const kinds = given.get('kinds')?.split('+') ?? faultKinds.filter(kind => kind !== 'crash')
  const known = kinds.every(kind => faultKinds.includes(kind as FaultKind))
  if (unknown || !Number.isSafeInteger(seed) || seed < 0 || !(rate >= 0 && rate <= 1) || !known) return undefined
  return { seed, rate, kinds: kinds as FaultKind[] }
}

/** Whether documents that ask for it misbehave while they are read. */
export function isPoisoned(text: string | undefined): boolean {
  return partsOf(text ?? '').includes('poison')
}

function partsOf(text: string): string[] {
  return text.split(',').map(part => part.trim())
}

export type FaultInjector = ReturnType<typeof createFaultInjector>

export function createFaultInjector(plan: FaultPlan) {
  const random = createSequence(plan.seed)
  const counts: Record<FaultKind, number> = { fail: 0, collide: 0, delay: 0, lose: 0, crash: 0 }
  return {
    /** The fault to happen here, or null. Points where only some kinds make sense name them. */
    at(possible: readonly FaultKind[]): FaultKind | null {
      if (random() >= plan.rate) return null
      const kinds = plan.kinds.filter(kind => possible.includes(kind))
      const kind = kinds[Math.floor(random() * kinds.length)] ?? null
      if (kind !== null) counts[kind]++
      return kind
    },
    /** Between 0 and 1, for the length of a delay. */
    share: random,
    counts: () => ({ ...counts }),
  }
}

/** Mulberry32: 32 bits of state are plenty for choosing faults. */
function createSequence(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
