/**
 * Divides something bounded among tenants and their keys, so that nobody can take what others need. A key may take
 * more while what it and its tenant hold together stays below a multiple of what is left free. One key alone gets two
 * thirds, ten tenants share nineteen twentieths, and whoever comes new always finds room.
 */

export interface Holder {
  tenant: string
  key: string
}

export interface Shares {
  /** Whether this much more can be held: `full` when it cannot be had at all, `over` when this holder has its share. */
  ask(holder: Holder, amount: number): 'free' | 'full' | 'over'
  take(holder: Holder, amount: number): void
  give(holder: Holder, amount: number): void
  used(): number
}

/** Larger uses more of what there is and leaves less to those who come new. */
const timesFree = 4

export function createShares(total: number): Shares {
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
    ask(holder, amount) {
      const left = total - used - amount
      if (left < 0) return 'full'
      const own = (held.get(holder.tenant) ?? 0) + (held.get(keyOf(holder)) ?? 0) + 2 * amount
      return own <= timesFree * left || own === 2 * amount ? 'free' : 'over'
    },
    take: (holder, amount) => move(holder, amount),
    give: (holder, amount) => move(holder, -amount),
    used: () => used,
  }
}

function keyOf({ tenant, key }: Holder): string {
  return `${tenant} ${key}`
}
