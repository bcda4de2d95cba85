/**
 * The whole service in this process, on a database of its own, listening on a free port. Every answer it gives is
 * compared with the contract, so that any test that calls a route also checks the document.
 */

import { assemble } from '../../src/assemble.js'
import { operations } from '../../src/contract/operations.js'
import { Problem } from '../../src/contract/problems.js'
import { addressOf } from '../../src/http/server.js'
import { checkOf } from '../../src/http/validation.js'
import { type Clock, systemClock } from '../../src/platform/clock.js'
import { loadConfig } from '../../src/platform/config.js'
import type { Logger } from '../../src/platform/logger.js'

import type { Database } from '../../src/store/server/database.js'
import type { TestDatabase } from './clone-database.js'
import { cloneDatabase } from './clone-database.js'
import { testLimits } from './limits.js'
import { patientFetch } from './patient-fetch.js'
import { sharedReader } from './shared-reader.js'

export interface TestAnswer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
  text: string
}

export interface TestCall {
  headers?: Record<string, string>
  body?: unknown
  raw?: string | Uint8Array
}

export interface TestService {
  url: string
  adminKey: string
  internalsKey: string
  database: TestDatabase
  call(method: string, path: string, call?: TestCall): Promise<TestAnswer>
  admin(method: string, path: string, body?: unknown, tenantKey?: string): Promise<TestAnswer>
  createTenant(name?: string): Promise<{ tenant_id: string; api_key: string; key_id: string }>
  /** Address of the port of metrics; empty without METRICS_PORT. */
  metricsUrl: string
  stop(): Promise<void>
}

const adminKey = 'test-admin-key-0123456789abcdef'
const internalsKey = 'test-internals-key-0123456789abcdef'

export interface TestServiceOptions {
  /** Puts something between the service and its database: a recorder, faults, a mistake made on purpose. */
  wrapDatabase?(db: Database): Database
  logger?: Logger
  /** In place of the time that goes by. */
  clock?: Clock
  /** Shared with other services, and closed by whoever made it. */
  database?: TestDatabase
  /** Of its own database. */
  examination?: 'none'
}

export async function startTestService(env: Record<string, string> = {}, options: TestServiceOptions = {}): Promise<TestService> {
  const database =
    options.database ??
    (await cloneDatabase({ tenantPool: 6, enginePool: 8, ...(options.examination ? { examination: options.examination } : {}) }))
  const loaded = loadConfig(
    {
      PORT: '0',
      WORKER_THREADS: '1',
      LOG_LEVEL: 'fatal',
      AUTH_FAILURES_PER_SECOND: '100000',
      ADMIN_API_KEY: adminKey,
      INTERNALS_API_KEY: internalsKey,
      ...env,
    },
    { readFile: () => undefined },
  )
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults))
  const storage = {
    db: options.wrapDatabase?.(database.db) ?? database.db,
    address: database.address,
    limits: testLimits,
    schemaVersion: 0,
    embedded: null,
    close: async () => undefined,
  }
  const ownThreads = ['FAULTS', 'DOCUMENT_TIMEOUT_MS', 'WORKER_THREADS'].some(name => name in env)
  const service = await assemble({
    config: loaded.config,
    clock: options.clock ?? systemClock,
    logger: options.logger ?? database.logger,
    storage,
    ...(ownThreads ? {} : { reader: sharedReader() }),
  })
  await service.start()
  const url = loaded.config.role === 'worker' ? '' : addressOf(service.app)

  const call = async (method: string, path: string, { headers = {}, body, raw }: TestCall = {}): Promise<TestAnswer> => {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const type: Record<string, string> = sent === undefined ? {} : { 'content-type': 'application/json' }
    const response = await patientFetch(url + path, { method, headers: { ...type, ...headers }, body: sent as string | undefined })
    const text = await response.text()
    const json = (response.headers.get('content-type') ?? '').includes('json') && text !== ''
    const answer = { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : undefined }
    checkAgainstContract(method, path, answer)
    return answer
  }
  const admin = (method: string, path: string, body?: unknown, tenantKey?: string) =>
    call(method, path, {
      headers: { authorization: `Bearer ${internalsKey}`, ...(tenantKey === undefined ? {} : { 'x-tenant-api-key': tenantKey }) },
      body,
    })
  return {
    url,
    adminKey,
    internalsKey,
    metricsUrl: service.metricsPort() === undefined ? '' : `http://127.0.0.1:${service.metricsPort()}`,
    database,
    call,
    admin,
    createTenant: async (name = 'test') => {
      const made = await admin('POST', '/admin/tenants', { name })
      if (made.status !== 201) throw new Error(`no tenant could be made: ${made.text}`)
      return made.body
    },
    stop: async () => {
      await service.stop()
      if (options.database === undefined) await database.close()
    },
  }
}

const routes = Object.values(operations).map(operation => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** Throws when an answer is not what the contract says of that operation and status. */
export function checkAgainstContract(method: string, path: string, answer: Pick<TestAnswer, 'status' | 'headers' | 'body'>): void {
  const bare = path.split('?', 1)[0] as string
  const found = routes.find(({ operation, pattern }) => operation.method === method && pattern.test(bare))
  if (!answer.headers.get('x-request-id')) throw new Error(`${method} ${path} answered without X-Request-Id`)
  if (answer.status >= 400) {
    const health = found?.operation.unavailable
    if (answer.status === 503 && health && answer.body?.code === undefined) checkOf(health)(answer.body)
    else checkOf(Problem)(answer.body)
    return
  }
  if (found === undefined || method === 'HEAD' || answer.status === 304) return
  const { success } = found.operation
  if (answer.status === 202 && found.operation.accepted !== undefined) return
  if (answer.status !== success.status) throw new Error(`${method} ${path} answered ${answer.status} instead of ${success.status}`)
  if (success.schema && success.mediaType === undefined) {
    try {
      checkOf(success.schema)(structuredClone(answer.body))
    } catch (error) {
      throw new Error(`${method} ${path} differs from the contract: ${JSON.stringify((error as { errors?: unknown }).errors)}`)
    }
  }
}
