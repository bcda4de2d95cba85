/** Tries the model that is set up, and keeps how it did for certificates. */

import { comparedBy } from '../models/model-read.js'
import type { ModelReader } from '../models/model-reader.js'
import { promptVersion } from '../models/question.js'
import { type TrialScore, tryModel } from '../models/trial.js'
import { AppError } from '../platform/errors.js'
import { keepTrial } from '../store/documents/model-trials.js'
import type { Database } from '../store/server/database.js'

export interface ModelTrial {
  model: string
  questions: string
  /** Why it gave no answer; null where it did. */
  reason: string | null
  score: (TrialScore & { tried_at: string; ms: number; strict: boolean; prompt_tokens: number; completion_tokens: number }) | null
}

export function createModelTrial(deps: { db: Database; model: ModelReader | undefined; now: () => number }): () => Promise<ModelTrial> {
  return async () => {
    const { db, model, now } = deps
    if (model === undefined) throw new AppError('STATE_CONFLICT', { detail: 'No model is set up: set MODEL_URL and MODEL_NAME.' })
    const { foundBy } = model
    const named = { model: foundBy.replace(/^model:/, ''), questions: promptVersion }
    const trial = await tryModel(model, now)
    if (trial.reason !== null) return { ...named, reason: trial.reason, score: null }
    const { reason, planted, named: found, judged, promptTokens, completionTokens, ms, strict } = trial
    const compared = comparedBy({ outcome: 'answered', foundBy, promptVersion }) ?? ''
    const tried_at = await keepTrial(db, { compared_by: compared, planted, named: found, judged })
    const cost = { ms: Math.round(ms), strict, prompt_tokens: promptTokens, completion_tokens: completionTokens }
    return { ...named, reason, score: { planted, named: found, judged, tried_at, ...cost } }
  }
}
