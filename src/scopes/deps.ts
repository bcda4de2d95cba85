/** What the functions of this folder are given: one object, built once at the start. */

import type { Hints } from '../events/hints.js'
import type { Clock } from '../platform/clock.js'
import type { Config } from '../platform/config.js'
import type { Logger } from '../platform/logger.js'
import type { Certify } from '../store/scopes/rounds.js'
import type { Database } from '../store/server/database.js'

export interface ScopesDeps {
  db: Database
  hints: Pick<Hints, 'notify' | 'subscribe'>
  clock: Clock
  config: Pick<Config, 'scopeAutocreate'> &
    Partial<
      Pick<Config, 'modelUrl' | 'modelName' | 'modelContextTokens' | 'modelTokensPerDocument' | 'modelTokensPerDay' | 'scanLanguages'>
    >
  logger: Logger
  certify: Certify
}

/** A scope as callers name it. Neither part needs to be well-formed: what cannot exist is simply not found. */
export interface ScopeName {
  tenantId: string
  scopeId: string
}
