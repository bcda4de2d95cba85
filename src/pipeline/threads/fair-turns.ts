/**
 * Who gets the next free thread. Each tenant has a virtual time, the time of threads it has used divided by its weight; the
 * one with the least comes next, its planning before its reading, otherwise in the order they came. So a tenant with many
 * or long documents has as much of the threads as any other, and its queue delays no one else.
 *
 * The last thread is the express: it takes short tasks alone, when all others are busy. A short document never waits for
 * a long one that is being read, which nothing could interrupt. Where no task can be told to be short, there is no express, and a
 * tenant may have only so many threads at once instead.
 */

/** On whose behalf a thread works; `usedMs` grows with every task. */
export interface Account {
  tenantId: string
  weight: number
  usedMs: number
  /** What is waited for on its behalf, turns among them. */
  waits: Waits
}

/** Waits under way that end by themselves: whoever is in one is not stuck. */
export interface Waits {
  count: number
}

export function accountOf({ tenantId, weight }: Pick<Account, 'tenantId' | 'weight'>, waits: Waits = { count: 0 }): Account {
  return { tenantId, weight, usedMs: 0, waits }
}

export interface TurnRequest {
  account: Account
  isPlanning: boolean
  isShort: boolean
  signal: AbortSignal
  /** A thread to take when it is free. */
  preferred?: number
}

export interface Turn {
  thread: number
  leave(): void
}

interface Waiter extends TurnRequest {
  begin(thread: number): void
}

interface Standing {
  virtualMs: number
  running: number
  begunMs: number
}

/** What a task that runs is taken to cost until it is over. */
const runningMs = 100
/** Standings kept of tenants without a task. */
const mostIdle = 1000

export class FairTurns {
  private readonly express: number | null
  private readonly mostPerTenant: number
  private readonly free: Set<number>
  private waiting: Waiter[] = []
  private readonly standings = new Map<string, Standing>()
  /** Where the tenant stood that was served last: one that was away comes back there, and has saved nothing up. */
  private clockMs = 0
  private readonly now: () => number

  constructor(threads: number, { now = () => performance.now(), hasExpress = true, mostPerTenant = Number.POSITIVE_INFINITY } = {}) {
    this.express = hasExpress ? threads : null
    this.mostPerTenant = mostPerTenant
    this.free = new Set(Array.from({ length: hasExpress ? threads + 1 : threads }, (_, n) => n))
    this.now = now
  }

  take(request: TurnRequest): Promise<Turn> {
    request.signal.throwIfAborted()
    const thread = this.freeFor(request)
    if (thread !== undefined) return Promise.resolve(this.begin(request, thread))
    const { waits } = request.account
    waits.count++
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waits.count--
        this.waiting = this.waiting.filter(each => each !== waiter)
        reject(request.signal.reason)
      }
      const waiter = {
        ...request,
        begin: (given: number) => {
          waits.count--
          request.signal.removeEventListener('abort', giveUp)
          resolve(this.begin(request, given))
        },
      }
      this.waiting.push(waiter)
      request.signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  /** How long no task of the tenant has begun: while one does now and then, those behind it wait for a line that moves. */
  stillMs(tenantId: string): number {
    return this.now() - (this.standings.get(tenantId)?.begunMs ?? Number.NEGATIVE_INFINITY)
  }

  private freeFor({ account, isShort, preferred }: TurnRequest): number | undefined {
    if (!this.mayHaveMore(account)) return undefined
    const fits = [...this.free].filter(thread => isShort || thread !== this.express)
    return preferred !== undefined && fits.includes(preferred) ? preferred : fits.sort((a, b) => a - b)[0]
  }

  private begin({ account }: TurnRequest, thread: number): Turn {
    this.free.delete(thread)
    const standing = this.standingOf(account)
    standing.virtualMs = Math.max(standing.virtualMs, this.clockMs)
    this.clockMs = standing.virtualMs
    standing.running++
    standing.begunMs = this.now()
    const startedMs = standing.begunMs
    return { thread, leave: () => this.leave(account, standing, thread, this.now() - startedMs) }
  }

  private leave(account: Account, standing: Standing, thread: number, usedMs: number): void {
    standing.running--
    standing.virtualMs += usedMs / account.weight
    account.usedMs += usedMs
    this.free.add(thread)
    // One that may have no more threads may have left others free for those behind it.
    for (const free of [...this.free].sort((a, b) => a - b)) {
      const next = this.nextFor(free)
      if (next === undefined) continue
      this.waiting = this.waiting.filter(each => each !== next)
      next.begin(free)
    }
    this.forgetIdle()
  }

  private nextFor(thread: number): Waiter | undefined {
    const fitting = this.waiting.filter(({ account, isShort }) => (isShort || thread !== this.express) && this.mayHaveMore(account))
    const ordered = fitting.map(waiter => ({ waiter, dueMs: this.dueMs(waiter.account), planning: waiter.isPlanning ? 0 : 1 }))
    return ordered.sort((a, b) => a.dueMs - b.dueMs || a.planning - b.planning)[0]?.waiter
  }

  private mayHaveMore({ tenantId }: Account): boolean {
    return (this.standings.get(tenantId)?.running ?? 0) < this.mostPerTenant
  }

  private dueMs(account: Account): number {
    const { virtualMs, running } = this.standingOf(account)
    return Math.max(virtualMs, this.clockMs) + (running * runningMs) / account.weight
  }

  private standingOf({ tenantId }: Account): Standing {
    const standing = this.standings.get(tenantId) ?? { virtualMs: this.clockMs, running: 0, begunMs: Number.NEGATIVE_INFINITY }
    this.standings.set(tenantId, standing)
    return standing
  }

  private forgetIdle(): void {
    if (this.standings.size <= mostIdle) return
    for (const [tenantId, { running }] of this.standings) if (running === 0) this.standings.delete(tenantId)
  }
}
