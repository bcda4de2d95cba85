/**
 * Short words between the processes of one database, by LISTEN and NOTIFY on a connection of its own: a NOTIFY inside a
 * hot transaction would make its commit wait for all others. Words may be lost (the connection is down, the server
 * restarts) and nothing may rest on them.
 */

import pg from 'pg'
import { pause } from '../../platform/deadline.js'
import { messageOf } from '../../platform/errors.js'
import { randomBase62 } from '../../platform/ids.js'
import type { Logger } from '../../platform/logger.js'
import { clientConfig, type DatabaseAddress, type SessionLimits } from './connection.js'

export interface NotifyChannel {
  /** Rejects when the connection is down. One at a time: the connection answers one statement before it takes the next. */
  send(words: readonly string[]): Promise<void>
  /** Words of other processes; one listener. */
  onReceive(listener: (words: readonly string[]) => void): void
  close(): Promise<void>
}

export interface NotifyOptions {
  address: DatabaseAddress
  limits: SessionLimits
  logger: Logger
}

const channelName = 'concord_hints'
const reconnectMs = 500

export function openNotifyChannel(options: NotifyOptions): NotifyChannel {
  const self = randomBase62(12)
  const stopping = new AbortController()
  let connection: pg.Client | undefined
  let listener: (words: readonly string[]) => void = () => undefined
  const receive = (payload: string | undefined) => {
    const [sender, ...words] = (payload ?? '').split(' ')
    if (sender !== self) listener(words)
  }
  const keepConnected = async () => {
    while (!stopping.signal.aborted) {
      const client = new pg.Client(clientConfig(options.address, 'engine', options.limits))
      let lose: () => void = () => undefined
      const lost = new Promise<void>(resolve => {
        lose = resolve
      })
      client.on('error', lose)
      client.on('end', lose)
      stopping.signal.addEventListener('abort', lose)
      client.on('notification', message => receive(message.payload))
      try {
        await client.connect()
        await client.query(`listen ${channelName}`)
        connection = client
        await lost
      } catch (error) {
        options.logger.debug({ error: messageOf(error) }, 'hint connection failed')
      }
      connection = undefined
      stopping.signal.removeEventListener('abort', lose)
      await client.end().catch((error: unknown) => options.logger.debug({ error: messageOf(error) }, 'hint connection lost'))
      await pause(reconnectMs, stopping.signal)
    }
  }
  const running = keepConnected()
  return {
    async send(words) {
      if (connection === undefined) throw new Error('there is no connection for hints')
      await connection.query({ name: 'notify', text: 'select pg_notify($1, $2)', values: [channelName, [self, ...words].join(' ')] })
    },
    onReceive(given) {
      listener = given
    },
    async close() {
      stopping.abort()
      await running
    },
  }
}
