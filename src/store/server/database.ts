/**
 * The way to PostgreSQL. Two pools under two login roles, neither superuser nor owner of a table: `inTenant` for
 * rows of one tenant (row-level security forced: a forgotten `where` returns nothing) and `engine` for the few
 * reviewed statements that cross tenants. Transactions are short, limited in time, and repeated after a deadlock or a
 * serialization failure, so what is passed in must be safe to run again. Loss of the server is `STORAGE_UNAVAILABLE`;
 * after it no connection from before is used again, because a half-open one only times out.
 */

import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { withDeadline } from '../../platform/deadline.js'
import { AppError, invariant } from '../../platform/errors.js'
import type { Logger } from '../../platform/logger.js'
import { createPool, type DatabaseAddress, handshakeMs, type LoginRole, type SessionLimits, silenceMs } from './connection.js'
import { isConsequence, isLineLost, isRepeatable, isSlowLogin, translateFailure } from './failures.js'
import { createPlacesOfTenants } from './places-of-tenants.js'

export interface Statement {
  text: string
  values?: readonly unknown[] | undefined
  /** Parsed once per connection. Not for texts of which there are many, each of them asked a few times. */
  prepared?: boolean
}

export interface Rows<T> {
  rows: T[]
  rowCount: number
}

/** Prepared statements, by what is wanted of their answer. */
interface Statements {
  rows<T>(text: string, values?: readonly unknown[]): Promise<T[]>
  /** The first row, or null. */
  row<T>(text: string, values?: readonly unknown[]): Promise<T | null>
  /** The row of a statement that always has one. */
  one<T>(text: string, values?: readonly unknown[]): Promise<T>
  /** The only column of each row. */
  column<T>(text: string, values?: readonly unknown[]): Promise<T[]>
  /** The only column of the first row. Null without a row, which `T` has to say where that may be. */
  value<T>(text: string, values?: readonly unknown[]): Promise<T>
  /** Answers how many rows it touched. */
  run(text: string, values?: readonly unknown[]): Promise<number>
  /** Answers whether it touched any row. */
  touches(text: string, values?: readonly unknown[]): Promise<boolean>
}

/** An open transaction. Statements started together (`Promise.all`) share a round trip and run in the order started. */
export interface Transaction extends Statements {
  query<T = Record<string, unknown>>(statement: Statement): Promise<Rows<T>>
}

export interface TenantTransaction extends Transaction {
  readonly role: 'tenant'
  readonly tenantId: string
}

export interface EngineTransaction extends Transaction {
  readonly role: 'engine'
}

export interface TransactionOptions {
  readOnly?: boolean
  /** One snapshot for all statements; otherwise each statement sees what is committed when it begins. */
  snapshot?: boolean
  /**
   * Rows are asked for in the order of the index that leads to them, and no plan that would have to sort is taken. With
   * many tenants the server expects one row of any scope, whichever index it reads it by; the order alone decides.
   */
  indexOrder?: boolean
  /** Longest each statement may run, when it should be less or more than the setting. */
  statementTimeoutMs?: number
}

export interface PoolFigures {
  total: number
  idle: number
  waiting: number
}

export interface DatabaseHealth {
  ok: boolean
  latencyMs: number
  pools: Record<LoginRole, PoolFigures>
}

export interface Database {
  inTenant<T>(tenantId: string, work: (tx: TenantTransaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  engine<T>(work: (tx: EngineTransaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** One statement across tenants, committed by itself. */
  engineQuery<T = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Rows<T>>
  health(): Promise<DatabaseHealth>
  /** Waits for open transactions, at most `graceMs`, then closes them. */
  close(graceMs?: number): Promise<void>
}

/** Reads rows of one tenant, all as of one moment. */
export function readTenant<T>(db: Pick<Database, 'inTenant'>, tenantId: string, work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
  return db.inTenant(tenantId, work, { readOnly: true, snapshot: true })
}

/** Single statements across tenants, each committed by itself. */
export function across(db: Pick<Database, 'engineQuery'>): Statements {
  const query: Transaction['query'] = ({ text, values }) => db.engineQuery(text, values)
  return Object.assign({ query }, shorthands)
}

export interface DatabaseOptions {
  address: DatabaseAddress
  limits: SessionLimits
  tenantPool: number
  enginePool: number
  logger: Logger
}

const attempts = 6
const healthMs = 2000
/** A server that has just started on a machine that does much else takes its time. */
const firstAnswerMs = 60_000

/** Opens both pools and proves that each role can log in. The database must be migrated. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { address, limits, logger } = options
  const pools = {
    tenant: endable(createPool({ address, as: 'tenant', max: options.tenantPool, limits, logger })),
    engine: endable(createPool({ address, as: 'engine', max: options.enginePool, limits, logger })),
  }
  const within = createPlacesOfTenants({ connections: options.tenantPool, patienceMs: limits.connectTimeoutMs })
  // The next transaction may be on another session, which knows nothing of what was prepared on this one.
  const unnamed = address.pooled ?? false
  const watched = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const cause = error instanceof AppError ? error.cause : error
      if (isLineLost(cause)) for (const pool of Object.values(pools)) pool.dropIdle()
      throw error
    }
  }
  const database: Database = {
    inTenant: (tenantId, work, how = {}) =>
      watched(() =>
        despiteCollisions(() =>
          within(tenantId, () =>
            runOnce(pools.tenant.pool, query => work({ ...shorthands, role: 'tenant', tenantId, query }), { ...how, tenantId, unnamed }),
          ),
        ),
      ),
    engine: (work, how = {}) =>
      watched(() =>
        despiteCollisions(() => runOnce(pools.engine.pool, query => work({ ...shorthands, role: 'engine', query }), { ...how, unnamed })),
      ),
    engineQuery: (text, values = []) =>
      watched(() =>
        despiteCollisions(async () => {
          const query = { name: unnamed ? undefined : nameOf(text), text, values: [...values] }
          return rowsOf(await despiteSlowLogins(() => pools.engine.pool.query(query), limits.connectTimeoutMs))
        }),
      ),
    health: () => readHealth(pools.tenant.pool, pools.engine.pool),
    close: async (graceMs = 5000) => {
      await Promise.all([pools.tenant.end(graceMs), pools.engine.end(graceMs)])
    },
  }
  try {
    const ask = (pool: pg.Pool) => despiteSlowLogins(() => pool.query('select 1'), firstAnswerMs)
    await Promise.all([ask(pools.tenant.pool), ask(pools.engine.pool)])
  } catch (error) {
    await database.close(0)
    throw translateFailure(error)
  }
  return database
}

/**
 * A login that was not through in its time did nothing: it is tried again, once in any case and as long as another one fits into the
 * time given. On a machine that stands still for some seconds all of them are late at once, and that time is over when it goes on.
 */
async function despiteSlowLogins<T>(work: () => Promise<T>, withinMs: number): Promise<T> {
  const end = performance.now() + withinMs
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isSlowLogin(error) || (attempt > 1 && performance.now() + handshakeMs > end)) throw error
    }
  }
}

type Asked = Pick<Transaction, 'query'>

/** Whoever lays a `query` of its own over a transaction is asked by these, too. */
export const shorthands = {
  async rows<T>(this: Asked, text: string, values?: readonly unknown[]): Promise<T[]> {
    return (await this.query<T>({ text, values, prepared: true })).rows
  },
  async row<T>(this: Asked, text: string, values?: readonly unknown[]): Promise<T | null> {
    return (await this.query<T>({ text, values, prepared: true })).rows[0] ?? null
  },
  async one<T>(this: Asked, text: string, values?: readonly unknown[]): Promise<T> {
    return (await this.query<T>({ text, values, prepared: true })).rows[0] as T
  },
  async column<T>(this: Asked, text: string, values?: readonly unknown[]): Promise<T[]> {
    return (await this.query<Record<string, T>>({ text, values, prepared: true })).rows.map(row => Object.values(row)[0] as T)
  },
  async value<T>(this: Asked, text: string, values?: readonly unknown[]): Promise<T> {
    return Object.values((await this.query<Record<string, T>>({ text, values, prepared: true })).rows[0] ?? { none: null })[0] as T
  },
  async run(this: Asked, text: string, values?: readonly unknown[]): Promise<number> {
    return (await this.query({ text, values, prepared: true })).rowCount
  },
  async touches(this: Asked, text: string, values?: readonly unknown[]): Promise<boolean> {
    return (await this.query({ text, values, prepared: true })).rowCount > 0
  },
}

const names = new Map<string, string>()

/** The server knows a prepared statement by a name, which must always go with the same text: it is made of it. */
function nameOf(text: string): string {
  const known = names.get(text) ?? createHash('sha256').update(text).digest('base64url')
  names.set(text, known)
  return known
}

interface Begin extends TransactionOptions {
  tenantId?: string
  unnamed: boolean
}

type Work<T> = (query: Transaction['query']) => Promise<T>

/** A transaction or a single statement, again where it came to nothing because others were in its way. */
async function despiteCollisions<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isRepeatable(error) || attempt === attempts) throw translateFailure(error)
      // Full jitter: those who collided must not come back together.
      await wait(Math.random() * 5 * 2 ** attempt)
    }
  }
}

async function runOnce<T>(pool: pg.Pool, work: Work<T>, begin: Begin): Promise<T> {
  const client = await despiteSlowLogins(() => pool.connect(), pool.options.connectionTimeoutMillis ?? 0)
  const handle = openHandle(client, begin)
  // A connection may die between statements; its loss is then met by the next statement, not by the process.
  const ignoreLoss = () => undefined
  client.on('error', ignoreLoss)
  let broken: Error | undefined
  try {
    await beginTransaction(client, begin)
    const result = await work(handle.query)
    handle.close()
    const { command } = await client.query('commit')
    // The server answers the commit of a failed transaction with ROLLBACK, not with an error.
    invariant(command === 'COMMIT', 'a statement failed and its error was swallowed: the transaction was rolled back')
    return result
  } catch (error) {
    handle.close()
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.off('error', ignoreLoss)
    client.release(broken)
  }
}

/** One round trip: the statements are sent together. Were `begin` to fail, the others would only last for themselves. */
async function beginTransaction(client: pg.PoolClient, begin: Begin): Promise<void> {
  const mode = `${begin.snapshot ? ' isolation level repeatable read' : ''}${begin.readOnly ? ' read only' : ''}`
  const send = (text: string, values: string[] = []) => client.query({ name: begin.unnamed ? undefined : nameOf(text), text, values })
  const sent: Promise<unknown>[] = [client.query(`begin${mode}`)]
  if (begin.tenantId !== undefined) {
    invariant(begin.tenantId !== '', 'a transaction inside a tenant needs the tenant')
    sent.push(send("select set_config('concord.tenant', $1, true)", [begin.tenantId]))
  }
  if (begin.indexOrder) {
    const off = ['enable_sort', 'enable_incremental_sort', 'jit'].map(setting => `set_config('${setting}', 'off', true)`)
    sent.push(send(`select ${off.join(', ')}`))
  }
  if (begin.statementTimeoutMs !== undefined) {
    sent.push(send("select set_config('statement_timeout', $1, true)", [`${begin.statementTimeoutMs}ms`]))
  }
  const results = await Promise.allSettled(sent)
  const failed = results.find(result => result.status === 'rejected')
  if (failed) throw failed.reason
}

interface Handle {
  query: Transaction['query']
  /** Refuses every further statement: the connection goes back to the pool. */
  close(): void
}

/**
 * Statements of one transaction. Behind the first that fails the server answers all others with 25P02, which says
 * nothing about why; a caller awaiting several may see any of these first, so each fails with that first error.
 */
function openHandle(client: pg.PoolClient, { statementTimeoutMs, indexOrder, unnamed }: Begin): Handle {
  const query_timeout = statementTimeoutMs === undefined ? undefined : statementTimeoutMs + silenceMs
  let closed = false
  let first: { error: unknown } | undefined
  const query = async <T>({ text, values, prepared }: Statement): Promise<Rows<T>> => {
    invariant(!closed, 'a statement was started after the end of its transaction')
    // The server keeps a plan by name: one made without the setting must not serve with it.
    const name = unnamed || !prepared ? undefined : `${nameOf(text)}${indexOrder ? ' in order' : ''}`
    const statement: pg.QueryConfig & { query_timeout?: number } = { name, text, values: values && [...values], query_timeout }
    try {
      return rowsOf<T>(await client.query(statement))
    } catch (error) {
      first ??= { error }
      throw isConsequence(error) ? first.error : error
    }
  }
  const close = () => {
    closed = true
  }
  return { query, close }
}

function rowsOf<T>(result: pg.QueryResult): Rows<T> {
  return { rows: result.rows as T[], rowCount: result.rowCount ?? 0 }
}

async function readHealth(tenant: pg.Pool, engine: pg.Pool): Promise<DatabaseHealth> {
  const started = performance.now()
  const figures = (pool: pg.Pool): PoolFigures => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount })
  const ok = await withDeadline(() => Promise.all([tenant.query('select 1'), engine.query('select 1')]), {
    ms: healthMs,
    what: 'the health check',
  }).then(
    () => true,
    () => false,
  )
  return { ok, latencyMs: Math.round(performance.now() - started), pools: { tenant: figures(tenant), engine: figures(engine) } }
}

interface EndablePool {
  pool: pg.Pool
  end(graceMs: number): Promise<void>
  /** Closes idle connections; the next use opens new ones. */
  dropIdle(): void
}

/** A pool that can be ended within a time: the driver's own `end` waits for ever for a connection that hangs. */
function endable(pool: pg.Pool): EndablePool {
  const clients = new Set<pg.PoolClient>()
  const used = new Set<pg.PoolClient>()
  pool.on('connect', client => clients.add(client))
  pool.on('acquire', client => used.add(client))
  pool.on('release', (_error, client) => used.delete(client))
  pool.on('remove', client => {
    clients.delete(client as pg.PoolClient)
    used.delete(client as pg.PoolClient)
  })
  const dropIdle = () => {
    for (const client of [...clients]) {
      if (used.has(client)) continue
      // The pool forgets an idle connection that fails at once, and one that is merely cut a moment later.
      client.emit('error', new Error('the line was lost'))
      client.connection.stream.destroy()
    }
  }
  const end = async (graceMs: number) => {
    // The pool has ended as soon as it has said goodbye on its connections; whoever stops the server then cuts them off.
    const closed = new Promise<void>(resolve => {
      pool.on('remove', () => clients.size === 0 && resolve())
      if (clients.size === 0) resolve()
    })
    const ended = pool.end()
    const cutOff = setTimeout(() => {
      for (const client of clients) client.connection.stream.destroy()
    }, graceMs)
    await Promise.all([ended, closed]).finally(() => clearTimeout(cutOff))
  }
  return { pool, end, dropIdle }
}
