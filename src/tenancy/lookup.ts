/**
 * Looks up names and remembers the answers for a moment. Names asked for while a query runs share the next one, so
 * that a flood of names costs a few queries and not one each. A miss is remembered too: names are random and made
 * before anybody can know them, so one that is missing does not appear later.
 */

import type { Clock } from '../platform/clock.js'

export interface Lookup<T> {
  /** Without waiting when the answer is remembered: the hot path of ingest stays synchronous. */
  find(name: string): T | undefined | Promise<T | undefined>
  /** Whether the name was found when it was last looked up, however long ago. */
  wasFound(name: string): boolean
  /** The next `find` of any name asks again. */
  forget(): void
}

export interface LookupOptions<T> {
  clock: Clock
  /** The names that exist, with what is known of them. */
  ask(names: string[]): Promise<ReadonlyMap<string, T>>
}

const foundMs = 400
const missedMs = 5000
const maxRemembered = 20_000
const queriesAtOnce = 4

export function createLookup<T>({ clock, ask }: LookupOptions<T>): Lookup<T> {
  const found = new Map<string, { value: T; until: number }>()
  const missed = new Map<string, number>()
  let epoch = 0
  const askTogether = createBatches(async (names: string[]) => {
    // The time of asking counts, not that of the answer: a revocation in between must not be outlived.
    const asked = clock.monotonicMs()
    const began = epoch
    const answer = await ask(names)
    for (const name of names) {
      const value = answer.get(name)
      found.delete(name)
      if (value !== undefined) remember(found, name, { value, until: began === epoch ? asked + foundMs : 0 })
      else if (began === epoch) remember(missed, name, asked + missedMs)
    }
    return answer
  })
  return {
    find(name) {
      const now = clock.monotonicMs()
      const known = found.get(name)
      if (known !== undefined && known.until > now) return known.value
      return (missed.get(name) ?? 0) > now ? undefined : askTogether(name)
    },
    wasFound: name => found.has(name),
    forget() {
      epoch++
      missed.clear()
      for (const known of found.values()) known.until = 0
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
