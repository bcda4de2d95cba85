/** The process: storage first, the service on it, stopped in reverse. */

import type { Assembly } from './assemble.js'
import { greetingOf } from './greeting.js'
import { systemClock } from './platform/clock.js'
import type { Config } from './platform/config.js'
import { createLifecycle, type Lifecycle } from './platform/lifecycle.js'
import type { Logger } from './platform/logger.js'
import { openStorage, type Storage } from './store/server/storage.js'
import { type FirstKeys, firstKeys, idleFirstKeys } from './tenancy/first-keys.js'

export interface Process {
  lifecycle: Lifecycle
  /** What to tell the person who started it. */
  greeting(): string[]
}

interface Up {
  storage?: Storage
  loading?: Promise<typeof import('./assemble.js')>
  service?: Assembly
  keys?: FirstKeys
}

const storageStopMs = 30_000

export function compose({ config, logger, command }: { config: Config; logger: Logger; command: string }): Process {
  const lifecycle = createLifecycle({ logger, graceMs: config.shutdownGraceMs })
  const up: Up = {}
  lifecycle.add({
    name: 'storage',
    start: async signal => {
      const onLost = (error: Error) => {
        logger.fatal({ err: error }, 'the data folder was taken by another process')
        void lifecycle.stop('data folder lost')
      }
      const opening = openStorage({ config, logger, onLost, signal })
      // Loading what serves keeps a processor busy for most of a second, in which the database starts in processes of its own.
      up.loading = import('./assemble.js')
      up.loading.catch(() => 'said when the service starts')
      up.storage = await opening
    },
    stop: async () => up.storage?.close(),
    stopMs: storageStopMs,
  })
  lifecycle.add({
    name: 'service',
    start: async () => {
      const { assemble } = await (up.loading as NonNullable<Up['loading']>)
      up.keys = await keysFor(config)
      const keyed = up.keys ? { ...config, adminApiKeys: [up.keys.admin], internalsApiKeys: [up.keys.internals] } : config
      up.service = await assemble({ config: keyed, clock: systemClock, logger, storage: up.storage as Storage })
      await up.service.start()
    },
    stop: async () => up.service?.stop(),
  })
  return {
    lifecycle,
    greeting: () => {
      const { service } = up
      if (service === undefined) return []
      return greetingOf({ config, command, url: () => service.url(), keys: up.keys, idleKeys: idleFirstKeys(config) })
    },
  }
}

/** Keys of the first start exist only beside the embedded database and only while none is given. */
async function keysFor(config: Config): Promise<FirstKeys | undefined> {
  const given = config.adminApiKeys.length + config.internalsApiKeys.length > 0
  return config.databaseUrl !== undefined || given ? undefined : firstKeys(config.dataDir)
}
