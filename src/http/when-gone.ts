/**
 * What to do once a client has gone. It may have gone while its credential was looked up, before anybody listened: `close`
 * comes once, so that a listener added later never hears of it.
 */

interface Connection {
  destroyed?: boolean
  once(event: 'close', listener: () => void): unknown
}

export function whenGone(connection: Connection, then: () => void): void {
  if (connection.destroyed === true) then()
  else connection.once('close', then)
}
