/** Planning as its own step between reading the scope and writing it: in threads, or right here. Pure either way. */

import type { Account } from '../threads/fair-turns.js'
import { type PlaceAnswer, type PlaceTask, type PlanAnswer, type PlanTask, place, plan } from './plan-task.js'

export interface PlanHow {
  account: Account
  signal: AbortSignal
}

export interface Planner {
  place(task: Omit<PlaceTask, 'token'>, how: PlanHow): Promise<PlaceAnswer & { token: number }>
  plan(task: PlanTask, how: PlanHow): Promise<PlanAnswer>
}

/** In the calling thread, for tools and measurements. */
export const planHere: Planner = {
  place: async task => ({ ...place({ ...task, token: 0 }), token: 0 }),
  plan: async task => plan(task),
}
