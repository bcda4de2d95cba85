/**
 * Tries the model that is set up, and knows how models did in their last trial, for the certificates of what they compared. A trial on another
 * node is noticed by a hint, or a little later.
 */

import type { Static } from 'typebox'
import type { ModelTrial as ModelTrialSchema } from '../../contract/model-use.js'
import type { Hints } from '../../events/hints.js'
import type { CertifiedTrial } from '../../kernel/certificate-payload.js'
import { comparedBy } from '../../models/model-read.js'
import type { ModelReader } from '../../models/model-reader.js'
import { promptVersion } from '../../models/question.js'
import { tryModel } from '../../models/trial.js'
import { AppError } from '../../platform/errors.js'
import type { Logger } from '../../platform/logger.js'
import { keepTrial, listTrials } from '../../store/documents/model-trials.js'
import type { Database } from '../../store/server/database.js'

type ModelTrial = Static<typeof ModelTrialSchema>

export interface ModelTrials {
  run(): Promise<ModelTrial>
  /** By name and version of the questions. */
  known(): ReadonlyMap<string, CertifiedTrial>
  close(): void
}

export interface ModelTrialsOptions {
  db: Database
  model: ModelReader | undefined
  hints: Pick<Hints, 'notify' | 'subscribe'>
  logger: Logger
  now: () => number
}

const pollMs = 30_000

export async function openModelTrials({ db, model, hints, logger, now }: ModelTrialsOptions): Promise<ModelTrials> {
  let known = await readTrials(db)
  const reload = async () => {
    known = await readTrials(db).catch((error: unknown) => {
      logger.debug({ err: error }, 'refresh of model trials failed')
      return known
    })
  }
  const unsubscribe = hints.subscribe('trials', reload)
  const poll = setInterval(reload, pollMs).unref()
  return {
    run: async () => {
      if (model === undefined) throw new AppError('STATE_CONFLICT', { detail: 'No model is set up: set MODEL_URL and MODEL_NAME.' })
      const { foundBy } = model
      const named = { model: foundBy.replace(/^model:/, ''), questions: promptVersion }
      const trial = await tryModel(model, now)
      if (trial.reason !== null) return { ...named, reason: trial.reason, score: null }
      const { reason, planted, named: found, judged, promptTokens, completionTokens, ms, strict } = trial
      const compared = comparedBy({ outcome: 'answered', foundBy, promptVersion }) ?? ''
      const tried_at = await keepTrial(db, { compared_by: compared, planted, named: found, judged })
      await reload()
      hints.notify('trials')
      const cost = { ms: Math.round(ms), strict, prompt_tokens: promptTokens, completion_tokens: completionTokens }
      return { ...named, reason, score: { planted, named: found, judged, tried_at, ...cost } }
    },
    known: () => known,
    close: () => {
      clearInterval(poll)
      unsubscribe()
    },
  }
}

async function readTrials(db: Database): Promise<ReadonlyMap<string, CertifiedTrial>> {
  const rows = await listTrials(db)
  return new Map(rows.map(({ compared_by: name, ...trial }) => [name, trial]))
}
