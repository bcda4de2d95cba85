/**
 * A connection of its own, for what a start asks before the pools are open. A login that was not through in its time did nothing
 * and is tried again some times: on a machine that is busy, everything that starts on it at once is late.
 */

import pg from 'pg'
import { isSlowLogin } from './failures.js'

const tries = 4

export async function logIn(config: pg.ClientConfig): Promise<pg.Client> {
  for (let left = tries; ; left--) {
    const client = new pg.Client(config)
    // A connection may die between statements; its loss is then met by the next statement, not by the process.
    client.on('error', () => undefined)
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end()
      if (left === 1 || !isSlowLogin(error)) throw error
    }
  }
}
