/**
 * Hints that something may have changed: at once inside the process, and across processes through a channel, put
 * together so that a busy topic costs one message per pause. A hint may be lost or come twice; listeners also
 * polls, and polling alone is enough for correctness.
 */

import { pause } from '../platform/deadline.js'
import type { Logger } from '../platform/logger.js'
import type { NotifyChannel } from '../store/server/notify.js'

export const hintTopics = ['events', 'backlog', 'runtime', 'policies', 'keys', 'trials', 'webhooks'] as const
export type HintTopic = (typeof hintTopics)[number]

export interface HintsOptions {
  logger: Logger
  /** None: hints stay inside the process. */
  channel?: NotifyChannel
  /** Least time between two messages to other processes. */
  pauseMs?: number
}

export type Hints = ReturnType<typeof createHints>

export function createHints(options: HintsOptions) {
  const listeners = new Map<HintTopic, Set<() => void>>(hintTopics.map(topic => [topic, new Set()]))
  const tell = (topic: HintTopic) => {
    for (const listener of listeners.get(topic) ?? []) callSafely(listener, topic, options.logger)
  }
  options.channel?.onReceive(words => {
    for (const topic of hintTopics) if (words.includes(topic)) tell(topic)
  })
  const outbox = options.channel === undefined ? undefined : createOutbox(options.channel, options.pauseMs ?? 20, options.logger)
  return {
    /** Notifies listeners of this process in this turn of the event loop, and other processes soon. Never throws. Call it after the commit. */
    notify(topic: HintTopic): void {
      tell(topic)
      outbox?.add(topic)
    },
    subscribe(topic: HintTopic, listener: () => void): () => void {
      // A wrapper of its own, so that subscribing the same function twice gives two subscriptions.
      const own = () => listener()
      listeners.get(topic)?.add(own)
      return () => {
        listeners.get(topic)?.delete(own)
      }
    },
    async close(): Promise<void> {
      outbox?.stop()
      await options.channel?.close()
    },
  }
}

function callSafely(listener: () => void, topic: HintTopic, logger: Logger): void {
  try {
    listener()
  } catch (error) {
    logger.error({ err: error, topic }, 'hint listener failed')
  }
}

/** The first topic leaves at once; what follows leaves together once the message before it is through and the pause is over. */
function createOutbox(channel: NotifyChannel, pauseMs: number, logger: Logger): { add(topic: HintTopic): void; stop(): void } {
  const waiting = new Set<HintTopic>()
  const stopping = new AbortController()
  let sending = false
  const send = async () => {
    sending = true
    while (waiting.size > 0 && !stopping.signal.aborted) {
      const topics = [...waiting]
      waiting.clear()
      await channel.send(topics).catch((error: unknown) => logger.debug({ err: error, topics }, 'hint lost'))
      await pause(pauseMs, stopping.signal)
    }
    sending = false
  }
  return {
    add(topic) {
      if (stopping.signal.aborted) return
      waiting.add(topic)
      if (!sending) void send()
    },
    stop() {
      stopping.abort()
      waiting.clear()
    },
  }
}
