/**
 * Where a database is and who asks: the owner's address, and the pools of the two login roles derived from it.
 */

import { createHmac } from 'node:crypto'
import pg from 'pg'
import type { Config } from '../../platform/config.js'
import type { Logger } from '../../platform/logger.js'
import { createRowTypes } from '../row-types.js'

/** As the owner of the database. `roleSecret` is what the passwords of the login roles are derived from. */
export interface DatabaseAddress {
  /** Host name, or the folder of a unix socket. */
  host: string
  port: number
  database: string
  user: string
  password: string | undefined
  ssl?: pg.ClientConfig['ssl']
  roleSecret: string
  /** Leads to a pooler in transaction mode: nothing of a session lasts, and a client may ask for no settings of its own. */
  pooled?: boolean
}

export const loginRoles = { tenant: 'concord_tenant', engine: 'concord_engine' } as const
export type LoginRole = keyof typeof loginRoles

export function addressFromUrl(url: string, roleSecret?: string): DatabaseAddress {
  const client = new pg.Client({ connectionString: url })
  const password = typeof client.password === 'string' && client.password !== '' ? client.password : undefined
  return {
    host: client.host,
    port: client.port,
    database: client.database ?? client.user ?? 'postgres',
    user: client.user ?? 'postgres',
    password,
    ssl: client.ssl as pg.ClientConfig['ssl'],
    roleSecret: roleSecret ?? password ?? '',
  }
}

type PlaceConfig = Pick<Config, 'databaseUrl' | 'databaseSessionUrl' | 'databaseRoleSecret' | 'databasePooler'>
export type DatabaseConfig = PlaceConfig & Pick<Config, 'databaseConnectTimeoutMs' | 'databaseStatementTimeoutMs'>

/** Where requests go, and where what needs a session goes. */
export function addressesFrom(config: PlaceConfig & { databaseUrl: string }): { requests: DatabaseAddress; sessions: DatabaseAddress } {
  const direct = addressFromUrl(config.databaseUrl, config.databaseRoleSecret)
  const sessions = config.databaseSessionUrl === undefined ? direct : addressFromUrl(config.databaseSessionUrl, direct.roleSecret)
  return { requests: config.databasePooler === 'none' ? direct : { ...direct, pooled: true }, sessions }
}

/** The same server, another database: for clones in tests and for the maintenance database. */
export function withDatabase(address: DatabaseAddress, database: string): DatabaseAddress {
  return { ...address, database }
}

export function rolePassword(address: DatabaseAddress, role: LoginRole): string {
  return createHmac('sha256', address.roleSecret).update(`concord role ${loginRoles[role]}`).digest('base64url')
}

/** How much longer than the server's own limit we wait for an answer: a frozen server or a dead line keeps no limit. */
export const silenceMs = 2000

export interface SessionLimits {
  connectTimeoutMs: number
  statementTimeoutMs: number
}

export function limitsOf(config: DatabaseConfig): SessionLimits {
  return { connectTimeoutMs: config.databaseConnectTimeoutMs, statementTimeoutMs: config.databaseStatementTimeoutMs }
}

/** What every session of ours has. The time zone is fixed because row types read UTC. */
export const sessionSettings = { timezone: 'UTC', datestyle: 'ISO', client_min_messages: 'warning' }

/** Client settings shared by every connection of ours. A pooler refuses settings: behind it the roles have them (`roles.ts`). */
export function clientConfig(address: DatabaseAddress, as: LoginRole | 'owner', limits: SessionLimits): pg.ClientConfig {
  const asked = as === 'owner' ? {} : timeoutsOf(limits)
  const options = Object.entries(sessionSettings).map(([name, value]) => `-c ${name}=${value}`)
  return {
    host: address.host,
    port: address.port,
    database: address.database,
    ssl: address.ssl,
    user: as === 'owner' ? address.user : loginRoles[as],
    password: as === 'owner' ? address.password : rolePassword(address, as),
    application_name: `concord ${as}`,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    query_timeout: as === 'owner' ? undefined : limits.statementTimeoutMs + silenceMs,
    ...(address.pooled ? {} : { ...asked, options: options.join(' ') }),
    keepAlive: true,
    types: createRowTypes(),
  }
}

export function timeoutsOf({ statementTimeoutMs }: SessionLimits) {
  return { statement_timeout: statementTimeoutMs, idle_in_transaction_session_timeout: 2 * statementTimeoutMs }
}

/** One that is not through by then is tried again: after a cut, what was sent before it would wait much longer. */
export const handshakeMs = 3000

/** The limit of the pool is for the wait in its line as well; making a connection gets less. */
class BriskClient extends pg.Client {
  constructor(config: pg.ClientConfig) {
    const value = Math.min(handshakeMs, config.connectionTimeoutMillis ?? handshakeMs)
    // The pool hides the password from copies.
    super(Object.create(config, { connectionTimeoutMillis: { value } }))
  }
}

/**
 * Statements of one connection are pipelined: the driver sends the next before the last has answered, so statements
 * started together share a round trip. Order on the connection is kept.
 */
export function createPool(options: {
  address: DatabaseAddress
  as: LoginRole
  max: number
  limits: SessionLimits
  logger: Logger
}): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(options.address, options.as, options.limits),
    Client: BriskClient as unknown as new () => pg.ClientBase,
    pipeline: true,
    max: options.max,
    idleTimeoutMillis: 60_000,
    // A session that lives for days keeps the memory of its largest statement.
    maxLifetimeSeconds: 3600,
  } as pg.PoolConfig)
  // An idle connection that dies is replaced at the next use; without a listener it would end the process.
  pool.on('error', error => options.logger.warn({ err: error, role: loginRoles[options.as] }, 'idle database connection lost'))
  return pool
}
