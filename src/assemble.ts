/**
 * Every object of a process, built once and in one place, on a database that is ready. Nothing serves or processes
 * until `start`; `stop` ends things in the order in which they depend on each other.
 */

import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createHints } from './events/hints.js'
import { runRetention } from './events/retention.js'
import { createEventStreams } from './events/streams.js'
import { type Chore, hatcheryChores, runChores } from './hatchery/chores.js'
import { control } from './hatchery/control.js'
import { type Hatchery, newNodeId, startHatchery } from './hatchery/hatchery.js'
import { checkHealth } from './hatchery/health.js'
import { startRuntimeWatch } from './hatchery/runtime-watch.js'
import { snapshot } from './hatchery/snapshot.js'
import { createTroubles } from './hatchery/troubles.js'
import { adminHandlers } from './http/admin/routes.js'
import { createAgentAnswers } from './http/agent-answers.js'
import { createAuthenticator } from './http/auth.js'
import { socketLimits } from './http/connections.js'
import { createFileAnswers } from './http/file-answers.js'
import type { AnyHandler } from './http/handler.js'
import { internalsHandlers } from './http/internals/routes.js'
import { type MetricsPort, openMetricsPort } from './http/metrics-port.js'
import { addPages } from './http/pages.js'
import { publicHandlers } from './http/public/routes.js'
import { createReaders } from './http/readers.js'
import { createReadiness } from './http/readiness.js'
import { createReadingLog } from './http/reading-log.js'
import { addressOf, createServer, type HttpServer } from './http/server.js'
import type { Services } from './http/services.js'
import { createSessionCookies } from './http/session-cookie.js'
import { createStreams } from './http/sse.js'
import { createIngest } from './ingest/ingest.js'
import { addInstruments, createObserver, createTelemetry, processFaults, traceIngest } from './instruments.js'
import { openModelTrials } from './pipeline/asking/model-trial.js'
import type { Reader } from './pipeline/threads/reader.js'
import type { Clock } from './platform/clock.js'
import type { Config } from './platform/config.js'
import type { Logger } from './platform/logger.js'
import { openFilesLimit } from './platform/open-files.js'
import { dropOutgrownLists } from './scopes/certificates/certified-lists.js'
import { createCertify } from './scopes/certificates/certify.js'
import { installationName, openSigningKeys } from './scopes/certificates/signing-keys.js'
import { createStatements } from './scopes/certificates/statements.js'
import { createDocumentWaits } from './scopes/documents/document-waits.js'
import { retryFailedByStorage } from './scopes/documents/quarantine.js'
import { runTextRetention } from './scopes/documents/text-retention.js'
import { keepShippedSet } from './scopes/policy-sets.js'
import { removeStaleUploads } from './store/documents/files.js'
import { countQuarantined } from './store/documents/quarantined-count.js'
import { readIdKey } from './store/events/events-reading.js'
import { endWaitsAhead } from './store/leases/waits-ahead.js'
import { type Leadership, startLeadership } from './store/runtime/leader.js'
import { removeDeletedScopes, removeDeletedTenants, removeOldGenerations } from './store/scopes/reset-removal.js'
import type { Database } from './store/server/database.js'
import { knownMigrations, schemaVersion } from './store/server/migrate.js'
import { openNotifyChannel } from './store/server/notify.js'
import type { Storage } from './store/server/storage.js'
import { createWriteHealth, type WriteHealth } from './store/server/write-health.js'
import { noteReadsKept } from './store/tenants/audit.js'
import { removeOldSessions } from './store/tenants/sessions.js'
import { addUpUsage } from './store/tenants/usage.js'
import { removeOldDeliveries } from './store/webhooks/webhook-deliveries.js'
import type { EndpointRef } from './store/webhooks/webhook-feed.js'
import { readWebhookFigures } from './store/webhooks/webhooks.js'
import { chainAuditLog, createAudit, shortenAuditLog } from './tenancy/audit.js'
import { createDirectory } from './tenancy/directory.js'
import { createKeySessions, createSessionUse } from './tenancy/key-sessions.js'
import { createSessions } from './tenancy/sessions.js'
import { createSignIn } from './tenancy/sign-in.js'
import { createTenants } from './tenancy/tenants.js'
import { createTierKeys } from './tenancy/tier-keys.js'
import { createAnchoring } from './webhooks/anchoring.js'
import { startDeliverer, type WebhookDeliverer } from './webhooks/deliverer.js'
import { createWebhooks } from './webhooks/endpoints.js'
import { createModel, createWorkers, stuckAfterMs } from './workers.js'

export const version = '0.2.0'

export interface Assembly {
  app: FastifyInstance
  /** Where it answers, once it is started. */
  url(): string
  /** The port of metrics once it is open; undefined when there is none. */
  metricsPort(): number | undefined
  services: Services
  start(): Promise<void>
  stop(): Promise<void>
}

export interface AssembleOptions {
  config: Config
  clock: Clock
  logger: Logger
  storage: Storage
  /** Threads of a process with several services; whoever made them closes them. */
  reader?: Reader
}

export async function assemble({ config, clock, logger, storage, reader }: AssembleOptions): Promise<Assembly> {
  const { db } = storage
  const nodeId = newNodeId()
  const { metrics, tracer } = createTelemetry({ config, logger, version, nodeId })
  const channel = openNotifyChannel({ address: storage.address, limits: storage.limits, logger })
  const hints = createHints({ logger, channel })
  await keepShippedSet(db)
  const signingKeys = await openSigningKeys({ db, hints, logger, given: config.signingKey })
  const tierKeys = createTierKeys({ admin: config.adminApiKeys, internals: config.internalsApiKeys })
  const directory = createDirectory({ db, clock, hints, sessions: config.oidcIssuer !== undefined })
  const audit = createAudit({ db, logger })
  await noteReadsKept(db, config.auditReads)
  const signIn = createSignIn({ db, clock, logger, audit, config, hints })
  const cookies = createSessionCookies({ isSecure: config.oidcRedirectUrl?.startsWith('https:') })
  const sockets = socketLimits(config, openFilesLimit())
  let server: HttpServer | undefined
  const running: { hatchery?: Hatchery; leadership?: Leadership; metricsPort?: MetricsPort; webhooks?: WebhookDeliverer } = {}
  const ingest = createIngest({ db, config, hints, clock, logger })
  const idKey = await readIdKey(db)
  const events = createEventStreams({ db, idKey, hints, clock, logger })
  const readers = createReaders({ most: sockets.readers, areScarce: () => server?.connections.areScarce() ?? false })
  const streams = createStreams({ config, hints, clock, logger, readers })
  const issuer = config.certificateIssuer ?? (await installationName(db))
  const model = config.modelUrl === undefined ? undefined : createModel(config, config.modelUrl)
  const trials = await openModelTrials({ db, model, hints, logger, now: () => clock.monotonicMs() })
  const certify = createCertify({ issuer, signingKey: () => signingKeys.current(), trials: trials.known })
  const writes = createWriteHealth({ db, clock })
  const health = healthOf({ config, clock, storage, writes, tailLagSeconds: () => events.tailLagSeconds() })

  const readings = createReadingLog({ audit, config, now: () => clock.now() })
  const scopes = { db, hints, clock, config, logger, certify }
  const statements = createStatements({ db, clock, issuer, signingKey: () => signingKeys.current() })
  const anchor = createAnchoring({ db, clock, config, checkpoint: statements.auditCheckpoint })
  const anchoring: Chore = { name: 'audit anchor', everyMs: 60_000, run: async () => void (await anchor()) }
  const services: Services = {
    db,
    clock,
    version,
    bodyLimitBytes: config.bodyLimitBytes,
    maxFileBytes: config.maxFileBytes,
    scopes,
    files: createFileAnswers({ scopes, config, readings, statements }),
    agents: createAgentAnswers({ config, version, app: () => server?.app }),
    waits: createDocumentWaits({ db, hints, clock, logger }),
    readers,
    tenants: createTenants({ db, hints }),
    sessions: createSessions({ db, hints }),
    keySessions: createKeySessions({ db, hints, audit, config }),
    attemptsPerSecond: config.authFailuresPerSecond,
    signIn,
    cookies,
    webhooks: createWebhooks({ db, hints, config }),
    directory,
    tierKeys,
    ingest: traceIngest({ ...ingest, accept: input => writes.watch(() => ingest.accept(input)) }, tracer, clock),
    events,
    streams,
    control: (operation, target) => control({ db, hints }, operation, target),
    snapshot: () => snapshot({ db }),
    isReady: createReadiness(db, writes),
    health,
    troubles: createTroubles({ db, clock, dataDir: storage.embedded === null ? undefined : resolve(config.dataDir) }),
    tryModel: () => trials.run(),
    metrics: () => metrics.text(),
    statements,
    rotateSigningKey: () => signingKeys.rotate(),
  }
  const handlers = { ...publicHandlers(services), ...adminHandlers(services), ...internalsHandlers(services) }
  server = await createServer({
    config,
    clock,
    logger,
    audit,
    readings,
    db,
    authenticate: createAuthenticator({
      directory,
      tierKeys,
      publicAuth: config.publicAuth,
      cookies,
      noteUse: createSessionUse({ db, clock, logger }),
    }),
    handlers: handlers as unknown as Record<string, AnyHandler>,
    tracer,
    sockets,
    isFull: operation => ['ingestDocument', 'ingestBatch'].includes(operation.id) && ingest.isFull(),
    observe: answered => metrics.observeRequest(answered),
    servingNodes: () => running.hatchery?.servingNodes() ?? 1,
    pages: app => addPages(app, config.publicAuth),
  })
  const { app, connections, figures } = server

  const watch = startRuntimeWatch({ db, hints, clock, logger })
  const observer = createObserver({ metrics, tracer, clock })
  const workers = createWorkers({ db, config, clock, logger, hints, watch, certify, observer, reader })
  const node = () => running.hatchery?.report()
  addInstruments(metrics, {
    clock,
    snapshot: () => snapshot({ db }),
    quarantined: () => countQuarantined(db),
    database: () => db.health(),
    tailLagSeconds: () => events.tailLagSeconds(),
    ingest: () => ingest.stats(),
    http: () => ({ ...figures(), readers: streams.readers() }),
    node,
    model: () => workers.model?.stats() ?? null,
    webhooks: async () => ({ ...(await readWebhookFigures(db)), process: running.webhooks?.stats() ?? null }),
    tracer,
  })
  return {
    app,
    url: () => addressOf(app),
    metricsPort: () => running.metricsPort?.port,
    services,
    async start() {
      const chores = [...hatcheryChores({ db, logger }), ...ownChores(db, config), anchoring]
      const lead = (signal: AbortSignal) => runChores(chores, { logger, clock }, signal)
      const leadership = startLeadership({ address: storage.address, limits: storage.limits, logger, lead })
      running.leadership = leadership
      running.hatchery = startHatchery({
        db,
        clock,
        logger,
        nodeId,
        role: config.role,
        workers: config.workers,
        createWorker: id => workers.create(id),
        leads: () => leadership.leads(),
        stuckMs: stuckAfterMs(config),
        modelDown: () => modelDown(workers.model?.stats().down ?? null),
      })
      if (config.role !== 'api') running.webhooks = startDeliverer({ db, idKey, config, hints, clock, logger, nodeId })
      if (config.metricsPort !== undefined) {
        const faults = () => processFaults({ db, writes, node })
        const { host, metricsPort: port } = config
        running.metricsPort = await openMetricsPort({ host, port, metrics: () => metrics.text(), faults, version, logger })
      }
      if (config.role !== 'worker') await app.listen({ host: config.host, port: config.port })
    },
    async stop() {
      // Streams and waits first: the server waits for open answers, and each is one.
      await streams.close()
      services.waits.close()
      // Beside each other: a client that takes its time must not leave workers none.
      const half = config.shutdownGraceMs / 2
      await Promise.all([closeServer({ app, connections }, half), running.hatchery?.stop(half), running.webhooks?.stop(half / 2)])
      await ingest.close()
      await running.leadership?.stop()
      await workers.close()
      await watch.stop()
      await audit.close()
      directory.close()
      signingKeys.close()
      trials.close()
      await events.close()
      await hints.close()
      await running.metricsPort?.close()
      await tracer.close()
    },
  }
}

/** Answers what is under way; who is not done sending or taking after so long is cut off. */
async function closeServer({ app, connections }: Pick<HttpServer, 'app' | 'connections'>, withinMs: number): Promise<void> {
  // Again and again: a connection that is having its last answer now waits for nothing a moment later.
  const sweep = setInterval(() => connections.endWaiting(), 50)
  const cut = setTimeout(() => app.server.closeAllConnections(), withinMs)
  try {
    await app.close()
  } finally {
    clearInterval(sweep)
    clearTimeout(cut)
  }
}

interface HealthOptions {
  config: Config
  clock: Clock
  storage: Storage
  writes: WriteHealth
  tailLagSeconds(): Promise<number>
}

function healthOf({ storage, clock, config, writes, tailLagSeconds }: HealthOptions): Services['health'] {
  const expected = Math.max(...knownMigrations().map(migration => migration.number))
  const dataDir = storage.embedded === null ? undefined : resolve(config.dataDir)
  const migrations = async () => ({ applied: await schemaVersion(storage.db), expected })
  return part => checkHealth({ db: storage.db, clock, migrations, dataDir, tailLagSeconds, isWritable: writes.isWritable }, part)
}

/** Enough to count by; a node's report stays short. */
const mostNamed = 200

function modelDown(down: { tenantIds: string[]; sinceMs: number } | null) {
  return down === null ? undefined : { tenants: down.tenantIds.slice(0, mostNamed), since: new Date(down.sinceMs).toISOString() }
}

const removal = { batchRows: 1000, batches: 20 }

function ownChores(db: Database, config: Config): Chore[] {
  return [
    { name: 'audit chain', everyMs: 2000, run: () => oneBatch(500, limit => chainAuditLog(db, limit)) },
    // By the hour: each leaves an entry.
    {
      name: 'audit retention',
      everyMs: 3_600_000,
      run: () => oneBatch(1000, limit => shortenAuditLog(db, config.auditRetentionDays, limit)),
    },
    { name: 'retention', everyMs: 60_000, run: () => runRetention({ db, config }) },
    { name: 'text retention', everyMs: 60_000, run: () => runTextRetention({ db, config }) },
    { name: 'unfinished uploads', everyMs: 60_000, run: () => oneBatch(100, limit => removeStaleUploads(db, limit)) },
    { name: 'documents the storage failed', everyMs: 60_000, run: async () => void (await retryFailedByStorage(db)) },
    { name: 'waits from a clock that was ahead', everyMs: 60_000, run: () => oneBatch(500, limit => endWaitsAhead(db, limit)) },
    oldDeliveries(db),
    { name: 'old sessions', everyMs: 60_000, run: () => oneBatch(10_000, limit => removeOldSessions(db, limit)) },
    { name: 'outgrown lists of certificates', everyMs: 300_000, run: () => oneBatch(20, limit => dropOutgrownLists(db, limit)) },
    { name: 'usage of tenants', everyMs: 2000, run: () => oneBatch(1000, limit => addUpUsage(db, limit)) },
    { name: 'old generations', everyMs: 5000, run: () => removeOldGenerations(db, removal) },
    { name: 'deleted scopes', everyMs: 5000, run: () => removeDeletedScopes(db, removal) },
    { name: 'deleted tenants', everyMs: 5000, run: () => removeDeletedTenants(db, removal) },
  ]
}

/** Goes over all endpoints, some hundred a run, and on where the run before ended, also when that failed. */
function oldDeliveries(db: Database): Chore {
  let after: EndpointRef | null = null
  const run = async () => {
    after = await removeOldDeliveries(db, { keep: 1000, limit: 10_000, endpoints: 200, after })
    return { more: after !== null }
  }
  return { name: 'old deliveries of webhooks', everyMs: 60_000, run }
}

/** A batch that came out full has more behind it. */
async function oneBatch(limit: number, removeBatch: (limit: number) => Promise<number>): Promise<{ more: boolean }> {
  return { more: (await removeBatch(limit)) === limit }
}
