/** Rates that a node reports: of counts that only grow, and of how the queue changes. Pure; the newest second weighs three tenths. */

export interface Rate {
  atMs: number
  value: number
  perSecond: number
}

const smoothing = 0.3

export function nextRate(before: Rate | undefined, atMs: number, value: number): Rate {
  if (before === undefined) return { atMs, value, perSecond: 0 }
  const seconds = Math.max(0.001, (atMs - before.atMs) / 1000)
  // A reading that comes late weighs more, as if the missed ones had seen the same.
  const weight = 1 - (1 - smoothing) ** seconds
  return { atMs, value, perSecond: before.perSecond + ((value - before.value) / seconds - before.perSecond) * weight }
}
