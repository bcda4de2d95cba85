/** How models did in their last trial, for the certificates of what they compared. */

import type { CertifiedTrial } from '../../kernel/certificate-payload.js'
import type { Database } from '../server/database.js'

export interface ModelTrialRow extends CertifiedTrial {
  /** Name and version of the questions, as documents have it that it compared. */
  compared_by: string
}

export async function keepTrial(db: Database, trial: Omit<ModelTrialRow, 'tried_at'>): Promise<string> {
  const { rows } = await db.engineQuery<{ tried_at: string }>(
    `insert into model_trials (compared_by, planted, named, judged, tried_at) values ($1, $2, $3, $4, date_trunc('second', clock_timestamp()))
     on conflict (compared_by) do update set planted = excluded.planted, named = excluded.named, judged = excluded.judged, tried_at = excluded.tried_at
     returning tried_at`,
    [trial.compared_by, trial.planted, trial.named, trial.judged],
  )
  return rows[0]?.tried_at ?? ''
}

/** Of the models that were tried last. */
export async function listTrials(db: Database): Promise<ModelTrialRow[]> {
  const { rows } = await db.engineQuery<ModelTrialRow>(
    'select compared_by, planted, named, judged, tried_at from model_trials order by tried_at desc limit 100',
  )
  return rows
}
