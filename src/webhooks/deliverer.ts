/**
 * Delivers messages from one node: looks at the log for endpoints at rest, leases those that are due, and gives each turns
 * until nothing is left. Endpoints do not wait for each other: many have their turn at once, each turn begins requests for
 * less than a second, and those that fail have places of their own. Leases are kept while requests are under way, so that
 * no other node delivers to the same endpoint; after a crash they end by themselves.
 *
 * Paused and stopped: endpoints of a tenant that does not run are not leased, so no request begins a second later.
 */

import { setMaxListeners } from 'node:events'
import type { Hints } from '../events/hints.js'
import { startPoller } from '../events/poller.js'
import type { Clock } from '../platform/clock.js'
import type { Config } from '../platform/config.js'
import { pause } from '../platform/deadline.js'
import { messageOf } from '../platform/errors.js'
import type { Logger } from '../platform/logger.js'
import type { Database } from '../store/server/database.js'
import { fewConnections } from '../store/server/few-connections.js'
import { feedWebhooks } from '../store/webhooks/webhook-feed.js'
import { extendLeases, type LeasedEndpoint, leaseEndpoints, recordTurn } from '../store/webhooks/webhook-leases.js'
import { createSender } from './send.js'
import { type Ahead, lanesPerEndpoint, runTurn } from './turn.js'

export interface DelivererStats {
  delivered: number
  failed: number
  /** Endpoints that have their turn. */
  busy: number
}

export interface WebhookDeliverer {
  stats(): DelivererStats
  /** Begins nothing more, gives requests under way `graceMs`, and the leases back. */
  stop(graceMs: number): Promise<void>
}

export interface DelivererOptions {
  db: Database
  /** What ids of events are made with. */
  idKey: string
  config: Pick<Config, 'webhookAllowPrivate' | 'webhookTimeoutMs' | 'leaseMs'>
  hints: Hints
  clock: Clock
  logger: Logger
  nodeId: string
}

/** Endpoints that may have their turn at once: in good order, and failing. */
const places = { healthy: 96, failing: 32 }
const statementsAtOnce = 4
const pollEveryMs = 500
const pollPauseMs = 50
const feedEvents = 2000
const feedsPerPoll = 50
const longestTurnMs = 800
/** Endpoints whose look ahead is remembered; some of them are gone or served by another node. */
const keptAhead = 1000

export function startDeliverer(options: DelivererOptions): WebhookDeliverer {
  const { idKey, config, hints, clock, logger, nodeId: owner } = options
  const db = fewConnections(options.db, statementsAtOnce)
  const { leaseMs } = config
  const busy = new Map<LeasedEndpoint, Promise<void>>()
  const ahead = new Map<string, Ahead>()
  const stats = { delivered: 0, failed: 0 }
  const stopping = new AbortController()
  const cut = new AbortController()
  // Every turn listens.
  setMaxListeners(places.healthy + places.failing, cut.signal)
  /** Whether an event can concern anybody: those that are due find it by themselves. */
  let listening = false

  const takeTurn = async (endpoint: LeasedEndpoint) => {
    const startedMs = clock.monotonicMs()
    const mayBegin = () => !stopping.signal.aborted && clock.monotonicMs() - startedMs < Math.min(longestTurnMs, leaseMs / 2)
    const { url, secrets } = endpoint
    const { webhookAllowPrivate: allowPrivate, webhookTimeoutMs: timeoutMs } = config
    const sender = createSender({ url, secrets, allowPrivate, timeoutMs, connections: lanesPerEndpoint })
    const cutOff = () => sender.close()
    cut.signal.addEventListener('abort', cutOff)
    try {
      if (ahead.size > keptAhead) ahead.clear()
      const turn = { db, idKey, clock, sender, mayBegin, wasCut: () => cut.signal.aborted, random: Math.random, ahead }
      const record = await runTurn(turn, endpoint)
      for (const { status } of record.attempts) stats[status === 'delivered' ? 'delivered' : 'failed']++
      const kept = await recordTurn(db, endpoint, record)
      if (kept && record.next.kind === 'disable') {
        logger.warn({ tenant_id: endpoint.tenantId, webhook_id: endpoint.webhookId, reason: record.next.reason }, 'webhook disabled')
        hints.notify('events')
      }
    } finally {
      cut.signal.removeEventListener('abort', cutOff)
      sender.close()
    }
  }

  const begin = (endpoint: LeasedEndpoint) => {
    const turn = takeTurn(endpoint)
      // The lease ends by itself, and what was delivered without being recorded is delivered again.
      .catch((error: unknown) => logger.warn({ err: error, webhook_id: endpoint.webhookId }, 'webhook delivery failed'))
      .finally(() => {
        busy.delete(endpoint)
        poller.hint()
      })
    busy.set(endpoint, turn)
  }

  const lease = async () => {
    const failing = [...busy.keys()].filter(endpoint => endpoint.failingMs !== null).length
    const free = { healthy: places.healthy - (busy.size - failing), failing: places.failing - failing }
    if (free.healthy + free.failing === 0) return
    for (const endpoint of await leaseEndpoints(db, { owner, leaseMs, ...free })) begin(endpoint)
  }

  const poller = startPoller({
    what: 'webhook delivery',
    work: async () => {
      if (stopping.signal.aborted) return
      for (let feeds = 0; feeds < feedsPerPoll; feeds++) {
        const { resting, looked } = await feedWebhooks(db, feedEvents)
        listening = resting
        if (looked < feedEvents) break
      }
      await lease()
    },
    everyMs: pollEveryMs,
    pauseMs: pollPauseMs,
    logger,
  })
  const unsubscribe = [hints.subscribe('events', () => listening && poller.hint()), hints.subscribe('webhooks', () => poller.hint())]
  const keeping = keepLeases(
    { extend: () => extendLeases(db, owner, leaseMs), isBusy: () => busy.size > 0, everyMs: leaseMs / 4, logger },
    cut.signal,
  )

  return {
    stats: () => ({ ...stats, busy: busy.size }),
    async stop(graceMs) {
      stopping.abort()
      for (const end of unsubscribe) end()
      await poller.stop()
      const turns = Promise.all(busy.values())
      const ended = new AbortController()
      await Promise.race([turns.finally(() => ended.abort()), pause(graceMs, ended.signal)])
      cut.abort()
      await turns
      await keeping
    },
  }
}

interface Keeping {
  extend(): Promise<void>
  isBusy(): boolean
  everyMs: number
  logger: Logger
}

async function keepLeases({ extend, isBusy, everyMs, logger }: Keeping, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(everyMs, signal)
    if (signal.aborted || !isBusy()) continue
    await extend().catch((error: unknown) => logger.debug({ error: messageOf(error) }, 'webhook lease heartbeat failed'))
  }
}
