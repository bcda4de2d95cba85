/**
 * The size each role aims at in the whole cluster, and the evaluation that sets it: one node claims it when it is due,
 * reads figures outside any write, and writes what it decided. A node that dies in between costs one period.
 */

import { across, type Database, type EngineTransaction } from '../server/database.js'

export interface SizeRow<State, Figures> {
  role: string
  desired: number
  reason: string
  state: State | null
  figures: Figures | null
  evaluated_at: string | null
}

/** Null when the evaluation is not due or another node has it. */
export async function claimEvaluation<State>(db: Database, role: string, periodMs: number): Promise<{ state: State | null } | null> {
  return across(db).row<{ state: State | null }>(
    `update hatchery_sizes set next_at = clock_timestamp() + $2::integer * interval '1 millisecond'
     where role = $1 and next_at <= clock_timestamp() returning state`,
    [role, periodMs],
  )
}

export interface Evaluation {
  role: string
  desired: number
  reason: string
  state: object
  figures: object
  /** Least time until the next evaluation: reading figures must not become the load. */
  pauseMs: number
}

export async function writeEvaluation(db: Database, { role, desired, reason, state, figures, pauseMs }: Evaluation): Promise<void> {
  await db.engineQuery(
    `update hatchery_sizes set desired = $2, reason = $3, state = $4::json, figures = $5::json, evaluated_at = clock_timestamp(),
       next_at = greatest(next_at, clock_timestamp() + $6::integer * interval '1 millisecond')
     where role = $1`,
    [role, desired, reason, JSON.stringify(state), JSON.stringify(figures), pauseMs],
  )
}

export async function readSizes<State, Figures>(tx: EngineTransaction): Promise<SizeRow<State, Figures>[]> {
  return tx.rows<SizeRow<State, Figures>>('select role, desired, reason, state, figures, evaluated_at from hatchery_sizes order by role')
}
