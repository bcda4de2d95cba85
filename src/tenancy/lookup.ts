/**
 * Looks up names and remembers the answers while their generation lasts. Names asked for while a query runs share the next
 * one, so that a flood of names costs a few queries and not one each. A miss is remembered for a moment: names are random and
 * made before anybody can know them, so one that is missing does not appear later.
 */

import type { Clock } from '../platform/clock.js'

export interface LookupOptions<T> {
  clock: Clock
  generation: Generation
  /** The names that exist, with what is known of them. */
  ask(names: string[]): Promise<ReadonlyMap<string, T>>
  /** How long what was found is good for by itself. */
  lastsMs?(value: T): number
}

/** Found names are asked for again after this time, whatever their generation says. */
const foundMs = 60_000
const missedMs = 5000
const maxRemembered = 20_000
const queriesAtOnce = 4

export type Lookup<T> = ReturnType<typeof createLookup<T>>

export function createLookup<T>({ clock, generation, ask, lastsMs = () => foundMs }: LookupOptions<T>) {
  const found = new Map<string, { value: T; epoch: number; until: number }>()
  const missed = new Map<string, number>()
  let forgotten = 0
  const askTogether = createBatches(async (names: string[]) => {
    const [asked, epoch, before] = [clock.monotonicMs(), generation.epoch(), forgotten]
    const answer = await ask(names)
    for (const name of names) {
      const value = answer.get(name)
      found.delete(name)
      if (value !== undefined) remember(found, name, { value, epoch, until: asked + Math.min(foundMs, lastsMs(value)) })
      else if (before === forgotten) remember(missed, name, asked + missedMs)
    }
    return answer
  })
  const remembered = (name: string): T | undefined => {
    const known = found.get(name)
    return known !== undefined && known.epoch === generation.epoch() && known.until > clock.monotonicMs() ? known.value : undefined
  }
  return {
    /** Without waiting when the answer is remembered: the hot path of ingest stays synchronous. */
    find(name: string): T | undefined | Promise<T | undefined> {
      const known = remembered(name)
      if (known !== undefined && generation.isFresh()) return known
      if (known !== undefined) return generation.confirm().then(() => remembered(name) ?? askTogether(name))
      return (missed.get(name) ?? 0) > clock.monotonicMs() ? undefined : askTogether(name)
    },
    /** Whether the name was found when it was last looked up, however long ago. */
    wasFound: (name: string) => found.has(name),
    /** A name that was missing may be there now. */
    forgetMissing(): void {
      forgotten++
      missed.clear()
    },
  }
}

/** The oldest entry gives way: an attack with ever new names must not push out everything at once. */
function remember<T>(map: Map<string, T>, name: string, value: T): void {
  if (map.size >= maxRemembered) map.delete(map.keys().next().value as string)
  map.set(name, value)
}

/** A query takes every name that came in before it could start; a few run at once, so that one that hangs holds up no other. */
function createBatches<T>(ask: (names: string[]) => Promise<ReadonlyMap<string, T>>): (name: string) => Promise<T | undefined> {
  const running = new Set<Promise<void>>()
  let gathering: { names: Set<string>; answer: Promise<ReadonlyMap<string, T>> } | undefined
  const gather = () => {
    const names = new Set<string>()
    const answer = placeFor(running).then(() => {
      gathering = undefined
      const asked = ask([...names])
      const over: Promise<void> = asked.then(
        () => void running.delete(over),
        () => void running.delete(over),
      )
      running.add(over)
      return asked
    })
    return { names, answer }
  }
  return async name => {
    gathering ??= gather()
    gathering.names.add(name)
    return (await gathering.answer).get(name)
  }
}

async function placeFor(running: ReadonlySet<Promise<void>>): Promise<void> {
  while (running.size >= queriesAtOnce) await Promise.race(running)
}

/** A revoked key stops working within a second, the time of two questions included. */
const freshMs = 400

export type Generation = ReturnType<typeof createGeneration>

/**
 * Whether anything that was looked up may have changed since: the number that every change of credentials raises, asked for
 * at most every few hundred milliseconds, by the first caller, shared by all concurrent ones.
 */
export function createGeneration({ clock, read }: { clock: Clock; read(): Promise<number> }) {
  let epoch = 0
  let last: number | undefined
  let confirmedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined
  const ask = async (): Promise<void> => {
    // The time of asking counts, not that of the answer: a revocation in between must not be outlived.
    const asked = clock.monotonicMs()
    const own = asking
    const generation = await read()
    if (generation !== last) epoch++
    last = generation
    if (asking === own) confirmedAt = asked
  }
  return {
    /** Another one than before: nothing found under the previous one is still valid. */
    epoch: () => epoch,
    /** Whether the epoch was confirmed a moment ago. */
    isFresh: () => clock.monotonicMs() < confirmedAt + freshMs,
    confirm(): Promise<void> {
      if (asking !== undefined) return asking
      const mine = Promise.resolve()
        .then(ask)
        .finally(() => {
          if (asking === mine) asking = undefined
        })
      asking = mine
      return mine
    },
    /** After a change hint: the epoch is confirmed again before any cached entry is used. */
    doubt(): void {
      confirmedAt = Number.NEGATIVE_INFINITY
      // One that is on its way was asked before; it must not be what the next rests on.
      asking = undefined
    },
  }
}
