/** The settings with which a command reaches the database of a test. */

import type { TestDatabase } from './clone-database.js'

export function databaseEnv(address: TestDatabase['address']): Record<string, string> {
  const socket = address.host.startsWith('/')
  const url = new URL(
    `postgres://${address.user}:${address.password}@${socket ? 'localhost' : address.host}:${address.port}/${address.database}`,
  )
  if (socket) url.searchParams.set('host', address.host)
  return { DATABASE_URL: url.href, DATABASE_ROLE_SECRET: address.roleSecret }
}
