/** Planning as its own step between reading the scope and writing it: in threads, or right here. Pure either way. */

import type { Account } from './fair-turns.js'
import { type PlaceAnswer, type PlaceTask, type PlanAnswer, type PlanTask, place, plan } from './plan-task.js'
import type { Begun } from './threads.js'

export interface PlanHow {
  account: Account
  signal: AbortSignal
}

export interface Planner {
  place(task: Omit<PlaceTask, keyof Begun | 'token'>, how: PlanHow): Promise<PlaceAnswer & { token: number }>
  plan(task: Omit<PlanTask, keyof Begun>, how: PlanHow): Promise<PlanAnswer>
}

/** In the calling thread, for tools and measurements. */
export const planHere: Planner = {
  place: async task => ({ ...place({ ...task, token: 0, begun: new Int32Array(1) }), token: 0 }),
  plan: async task => plan({ ...task, begun: new Int32Array(1) }),
}
