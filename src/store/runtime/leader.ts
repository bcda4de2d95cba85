/**
 * One leader among the processes on a database: the holder of a session advisory lock on its own connection. The
 * lock ends with the connection, so a leader that dies, hangs or is cut off loses it without anybody's doing: the
 * server notices a dead peer through short keep-alives, the leader through a statement every second.
 */

import pg from 'pg'
import { pause, withDeadline } from '../../platform/deadline.js'
import { isLogged, type Logger } from '../../platform/logger.js'
import { clientConfig, type DatabaseAddress, type SessionLimits } from '../server/connection.js'
import { lockSpace } from '../server/migrate.js'

const leaderLock = 3
/** With a try a second by the others, the next leader is there within five. */
const silenceMs = 3500
/** Longest a proof may take before leadership is given up. */
const proofMs = 2000

export interface LeadershipOptions {
  address: DatabaseAddress
  limits: SessionLimits
  logger: Logger
  /** Runs while this process leads; ends soon after the signal fires. */
  lead(signal: AbortSignal): Promise<void>
  /** Time between tries to become leader and between proofs of still being it. */
  everyMs?: number
}

export interface Leadership {
  leads(): boolean
  stop(): Promise<void>
}

export function startLeadership(options: LeadershipOptions): Leadership {
  const stopping = new AbortController()
  const state = { leads: false, failures: 0 }
  const done = stand(options, state, stopping.signal)
  return {
    leads: () => state.leads,
    stop: async () => {
      stopping.abort(new Error('leadership is stopping'))
      await done
    },
  }
}

interface Standing {
  leads: boolean
  /** Since there was a connection. */
  failures: number
}

/** Retries forever: connect, take the lock, lead until the connection or the process ends. */
async function stand(options: LeadershipOptions, state: Standing, signal: AbortSignal): Promise<void> {
  const everyMs = options.everyMs ?? 1000
  while (!signal.aborted) {
    try {
      await standOnce(options, state, signal, everyMs)
    } catch (error) {
      const failures = ++state.failures
      if (!signal.aborted && isLogged(failures)) options.logger.warn({ err: error, failures }, 'leader connection failed')
    }
    await pause(everyMs, signal)
  }
}

async function standOnce(options: LeadershipOptions, state: Standing, signal: AbortSignal, everyMs: number): Promise<void> {
  const client = new pg.Client({ ...clientConfig(options.address, 'engine', options.limits), application_name: 'concord leader' })
  const lost = new AbortController()
  client.on('error', error => lost.abort(error))
  client.on('end', () => lost.abort(new Error('the connection of the leader ended')))
  const ended = AbortSignal.any([signal, lost.signal])
  const ask = async (text: string, values: unknown[] = []) =>
    withDeadline(() => client.query(text, values), { ms: proofMs, what: 'the leader’s statement', signal: ended })
  try {
    await client.connect()
    // A process that is frozen keeps its connection: the server ends a session that says nothing. A peer that vanished
    // without a word is noticed by keep-alives; sockets of the same machine ignore those.
    await ask(
      `set idle_session_timeout = ${silenceMs}; set tcp_keepalives_idle = 1; set tcp_keepalives_interval = 1;
       set tcp_keepalives_count = 3; set tcp_user_timeout = ${silenceMs}`,
    )
    state.failures = 0
    while (!ended.aborted) {
      const { rows } = await ask('select pg_try_advisory_lock($1, $2) as mine', [lockSpace, leaderLock])
      if (rows[0]?.mine === true) break
      await pause(everyMs, ended)
    }
    if (!ended.aborted) await leadWith(options, state, { ask, lost, ended, everyMs })
  } finally {
    // A connection that hangs would make `end` wait; the server drops the lock when the socket goes.
    await withDeadline(() => client.end(), { ms: 1000, what: 'closing the leader’s connection' }).catch((error: unknown) => {
      options.logger.debug({ err: error }, 'leader connection closed')
      ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    })
  }
}

interface Term {
  ask(text: string): Promise<unknown>
  lost: AbortController
  ended: AbortSignal
  everyMs: number
}

async function leadWith(options: LeadershipOptions, state: Standing, term: Term): Promise<void> {
  state.leads = true
  // At once, without waiting for running chores.
  term.ended.addEventListener('abort', () => {
    state.leads = false
  })
  options.logger.info('leadership acquired')
  const leading = options.lead(term.ended).catch((error: unknown) => term.lost.abort(error))
  try {
    while (!term.ended.aborted) {
      await pause(term.everyMs, term.ended)
      if (!term.ended.aborted) await term.ask('select 1')
    }
  } finally {
    if (!term.ended.aborted) term.lost.abort(new Error('the leader could not prove its lock'))
    await leading
    options.logger.info('leadership lost')
  }
}
