/**
 * Divides something bounded among tenants and their keys, so that none can starve the others. A key may take
 * more while what it and its tenant hold together stays below a multiple of what is left free: one key alone gets two
 * thirds. The last eighth is for those who hold next to nothing, so that newcomers find room.
 */

import { AppError } from './errors.js'

export interface Holder {
  tenant: string
  key: string
}

/** Larger uses more of what there is and leaves less to others. */
const timesFree = 4
const reserved = 1 / 8
const nextToNothing = 1 / 256

export type Shares = ReturnType<typeof createShares>

export function createShares(total: number) {
  const held = new Map<string, number>()
  let used = 0
  const change = (name: string, amount: number) => {
    const now = (held.get(name) ?? 0) + amount
    if (now === 0) held.delete(name)
    else held.set(name, now)
  }
  const move = (holder: Holder, amount: number) => {
    used += amount
    change(holder.tenant, amount)
    change(keyOf(holder), amount)
  }
  return {
    /** Whether this much more can be held: `full` when it cannot be had at all, `over` when this holder has its share. */
    ask(holder: Holder, amount: number): 'free' | 'full' | 'over' {
      const left = total - used - amount
      if (left < 0) return 'full'
      const byTenant = (held.get(holder.tenant) ?? 0) + amount
      const byKey = (held.get(keyOf(holder)) ?? 0) + amount
      if (byTenant === amount || byTenant <= total * nextToNothing) return 'free'
      return byTenant + byKey <= timesFree * left && left >= total * reserved ? 'free' : 'over'
    },
    take: move,
    give: (holder: Holder, amount: number) => move(holder, -amount),
    used: () => used,
  }
}

/** Takes so much, or throws what there is to say. Gives how to give it back, which may be called more than once. */
export function takeShare(
  shares: Shares,
  holder: Holder,
  amount: number,
  { full, over, retryAfterSeconds }: { full: string; over: string; retryAfterSeconds?: number },
): () => void {
  const answer = shares.ask(holder, amount)
  if (answer === 'full') throw new AppError('OVERLOADED', { detail: full, retryAfterSeconds })
  if (answer === 'over') throw new AppError('RATE_LIMITED', { detail: over })
  shares.take(holder, amount)
  let isHeld = true
  return () => {
    if (isHeld) shares.give(holder, amount)
    isHeld = false
  }
}

function keyOf({ tenant, key }: Holder): string {
  return `${tenant} ${key}`
}
