/** The one list of settings: name, default, bounds and what it is for. `concord config` prints it. */

import { logLevels } from './logger.js'
import { oidcSettings } from './oidc-settings.js'
import {
  choice,
  faultList,
  flag,
  headerList,
  instant,
  integer,
  keyList,
  networkList,
  optionalChoice,
  optionalInteger,
  optionalText,
  originList,
  ratio,
  text,
  url,
} from './settings.js'

const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes
const mib = 1024 * 1024

export const settings = {
  role: choice('ROLE', 'all', {
    of: ['all', 'api', 'worker'],
    description: 'What this process does: answer requests, process documents, or both.',
  }),
  host: text('HOST', '127.0.0.1', { description: 'Address to listen on.' }),
  port: integer('PORT', 3003, { min: 0, max: 65535, description: 'Port to listen on; 0 takes a free one.' }),
  metricsPort: optionalInteger('METRICS_PORT', { min: 0, max: 65535, description: 'Port for metrics alone, on HOST; unset: none.' }),
  logLevel: choice('LOG_LEVEL', 'info', { of: logLevels, description: 'Least important log line that is written.' }),

  dataDir: text('DATA_DIR', './data', { description: 'Folder of the embedded database and of keys made at the first start.' }),
  databaseUrl: url('DATABASE_URL', {
    protocols: ['postgres:', 'postgresql:'],
    secret: true,
    description:
      'An existing PostgreSQL 15 or newer, as the owner of the database; unset: the embedded one. May be a pooler, see DATABASE_POOLER.',
  }),
  databasePooler: choice('DATABASE_POOLER', 'none', {
    of: ['none', 'transaction'],
    description: 'What DATABASE_URL leads to: the server itself, or a pooler in transaction mode, for which no statement is prepared.',
  }),
  databaseSessionUrl: url('DATABASE_SESSION_URL', {
    protocols: ['postgres:', 'postgresql:'],
    secret: true,
    description:
      'The server behind the pooler, for what needs a session: migrations, the leader and hints between nodes; unset: DATABASE_URL.',
  }),
  databaseRoleSecret: optionalText('DATABASE_ROLE_SECRET', {
    secret: true,
    allowed: 'any text, the same on every node',
    description: 'From what the passwords of the two login roles are derived; unset: the password in DATABASE_URL.',
  }),
  databaseTenantPool: integer('DATABASE_TENANT_POOL', 4, {
    min: 1,
    max: 200,
    description: 'Most connections for work inside one tenant.',
  }),
  databaseEnginePool: integer('DATABASE_ENGINE_POOL', 6, {
    min: 2,
    max: 200,
    description: 'Most connections for group commit, leasing and chores.',
  }),
  databaseConnectTimeoutMs: integer('DATABASE_CONNECT_TIMEOUT_MS', 5 * seconds, {
    min: 100,
    max: minutes,
    description: 'Longest wait for a connection.',
  }),
  databaseStatementTimeoutMs: integer('DATABASE_STATEMENT_TIMEOUT_MS', 15 * seconds, {
    min: 100,
    max: 10 * minutes,
    description: 'Longest a statement may run.',
  }),

  adminApiKeys: keyList('ADMIN_API_KEY', { minLength: 24, description: 'Keys of the admin tier; several for rotation.' }),
  internalsApiKeys: keyList('INTERNALS_API_KEY', { minLength: 24, description: 'Keys of the internals tier; several for rotation.' }),
  publicAuth: optionalChoice('PUBLIC_AUTH', {
    of: ['id', 'key'],
    description:
      'What the public POST routes ask for: the tenant id alone, or a tenant key. Unset: id on a loopback HOST without TRUSTED_PROXIES, else key.',
  }),
  trustedProxies: networkList('TRUSTED_PROXIES', { description: 'Proxies whose X-Forwarded-For is believed; unset: none.' }),
  corsOrigins: originList('CORS_ORIGINS', { description: 'Origins of browser clients; unset: none.' }),
  rateLimitPerSecond: integer('RATE_LIMIT_PER_SECOND', 20_000, {
    min: 1,
    max: 10_000_000,
    description: 'Requests a second for each credential, over all nodes: each allows its share.',
  }),
  authFailuresPerSecond: integer('AUTH_FAILURES_PER_SECOND', 100, {
    min: 100,
    max: 1_000_000,
    description: 'Failed authentications a second for each address.',
  }),
  bodyLimitBytes: integer('BODY_LIMIT_BYTES', 2 * mib, { min: 2 * mib, max: 64 * mib, description: 'Largest request body.' }),
  bodyTotalBytes: integer('BODY_TOTAL_BYTES', 128 * mib, {
    min: 16 * mib,
    max: 16_384 * mib,
    description: 'Bytes of request bodies held at once; a key may hold its share of them (429), all together no more (503).',
  }),
  maxFileBytes: integer('MAX_FILE_BYTES', 25 * mib, { min: mib, max: 1024 * mib, description: 'Largest file.' }),
  fileTotalBytes: integer('FILE_TOTAL_BYTES', 64 * mib, {
    min: 2 * mib,
    max: 16_384 * mib,
    description: 'Memory for files under way, in and out, 256 KiB each whatever their size; apart from BODY_TOTAL_BYTES.',
  }),
  maxExtractedChars: integer('MAX_EXTRACTED_CHARS', 2_000_000, {
    min: 1000,
    max: 20_000_000,
    description: 'Longest text that is extracted from one file, in characters.',
  }),
  fileMemoryMb: integer('FILE_MEMORY_MB', 512, {
    min: 128,
    max: 16_384,
    description: 'Memory of the process that reads files; a file that needs more is not read.',
  }),
  ocrCommand: optionalText('OCR_COMMAND', {
    description:
      'Reads scans: takes a PDF on standard input and writes the text of its pages, parted by form feeds; unset: scans are not read.',
  }),
  requestTimeoutMs: integer('REQUEST_TIMEOUT_MS', 30 * seconds, {
    min: seconds,
    max: 10 * minutes,
    description: 'Longest a client may take to send a request.',
  }),
  shutdownGraceMs: integer('SHUTDOWN_GRACE_MS', 20 * seconds, {
    min: 0,
    max: 10 * minutes,
    description: 'Grace period: time for work in progress to finish after SIGTERM or SIGINT.',
  }),
  scopeAutocreate: flag('SCOPE_AUTOCREATE', true, { description: 'Whether ingest into an unknown scope creates it.' }),
  mcpAllowWrites: flag('MCP_ALLOW_WRITES', false, {
    description: 'Whether agents may submit documents and decide over /mcp, with keys that have the right to.',
  }),
  aliasSunset: instant('ALIAS_SUNSET', { description: 'Announced end of the deprecated aliases; unset: no Sunset header.' }),

  ingestFlushRows: integer('INGEST_FLUSH_ROWS', 128, { min: 1, max: 10_000, description: 'Most documents in one group commit.' }),
  ingestFlushesInFlight: integer('INGEST_FLUSHES_IN_FLIGHT', 2, { min: 1, max: 16, description: 'Group commits under way at once.' }),
  ingestQueueLimit: integer('INGEST_QUEUE_LIMIT', 4096, {
    min: 1,
    max: 1_000_000,
    description: 'Requests that may wait for a group commit; beyond it 503.',
  }),
  ingestQueueBytes: integer('INGEST_QUEUE_BYTES', 128 * mib, {
    min: mib,
    max: 16_384 * mib,
    description: 'Bytes of text that may wait for a group commit; beyond it 503.',
  }),
  ingestDeadlineMs: integer('INGEST_DEADLINE_MS', 10 * seconds, {
    min: 100,
    max: 5 * minutes,
    description: 'Longest a document waits for its commit before 503.',
  }),
  idempotencyRetentionHours: integer('IDEMPOTENCY_RETENTION_HOURS', 48, {
    min: 24,
    max: 87_600,
    description: 'How long an idempotency key is remembered.',
  }),
  eventRetentionDays: optionalInteger('EVENT_RETENTION_DAYS', {
    min: 1,
    max: 36_500,
    description: 'How long events are kept; unset: forever.',
  }),
  textRetentionDays: optionalInteger('TEXT_RETENTION_DAYS', {
    min: 1,
    max: 36_500,
    description: 'How long the text of documents is kept; unset: forever.',
  }),

  sseKeepaliveMs: integer('SSE_KEEPALIVE_MS', 10 * seconds, {
    min: 50,
    max: 15 * seconds,
    description: 'Time between keep-alive comments on event streams.',
  }),
  sseBufferBytes: integer('SSE_BUFFER_BYTES', mib, {
    min: 16 * 1024,
    max: 256 * mib,
    description: 'Bytes waiting for a reader before it is cut off.',
  }),
  sseMaxReaders: integer('SSE_MAX_READERS', 20_000, {
    min: 1,
    max: 100_000,
    description: 'Open event streams of this process; beyond it 503.',
  }),

  workersMin: integer('WORKERS_MIN', 1, { min: 0, max: 256, description: 'Fewest workers the hatchery keeps.' }),
  workersMax: integer('WORKERS_MAX', 8, { min: 1, max: 256, description: 'Most workers the hatchery keeps.' }),
  workerThreads: optionalInteger('WORKER_THREADS', {
    min: 1,
    max: 256,
    description: 'Threads for reading and reconciling; unset: one less than the cores, but two where there are two.',
  }),
  leaseMs: integer('LEASE_MS', 8 * seconds, { min: 500, max: hours, description: 'How long a scope stays leased without a heartbeat.' }),
  batchDocuments: integer('BATCH_DOCUMENTS', 32, {
    min: 1,
    max: 1000,
    description: 'Most documents a worker takes of a scope before it gives it back.',
  }),
  documentTimeoutMs: integer('DOCUMENT_TIMEOUT_MS', 30 * seconds, {
    min: 100,
    max: hours,
    description: 'Longest one attempt at one document may take.',
  }),
  retryMaxAttempts: integer('RETRY_MAX_ATTEMPTS', 5, { min: 1, max: 100, description: 'Attempts before a document is quarantined.' }),
  retryBaseMs: integer('RETRY_BASE_MS', 500, {
    min: 1,
    max: hours,
    description: 'Wait after the first failed attempt; doubles with each.',
  }),
  retryMaxMs: integer('RETRY_MAX_MS', minutes, { min: 1, max: 24 * hours, description: 'Longest wait between attempts.' }),

  modelUrl: url('MODEL_URL', {
    protocols: ['http:', 'https:'],
    description: 'Server of a language model that reads each document beside the nearest earlier statements of its case; unset: none.',
  }),
  modelPreset: choice('MODEL_PRESET', 'auto', {
    of: ['auto', 'openai', 'vllm', 'llamacpp', 'ollama'],
    description: 'API of the server: auto recognises Ollama and OpenAI by their address and treats any other as OpenAI-compatible.',
  }),
  modelTimeoutMs: integer('MODEL_TIMEOUT_MS', 2 * minutes, {
    min: 100,
    max: hours,
    description: 'Longest one answer of the model may take.',
  }),
  modelConcurrency: integer('MODEL_CONCURRENCY', 4, {
    min: 1,
    max: 256,
    description: 'Scopes that ask the model at a time, at most one less than WORKERS_MAX.',
  }),
  modelMaxTokens: integer('MODEL_MAX_TOKENS', 4000, { min: 100, max: 200_000, description: 'Longest answer of the model.' }),
  modelTokensPerDocument: integer('MODEL_TOKENS_PER_DOCUMENT', 100_000, {
    min: 1000,
    max: 10_000_000,
    description: 'Tokens of questions and answers about one document; what is beyond is read without the model.',
  }),
  modelTokensPerDay: integer('MODEL_TOKENS_PER_DAY', 0, {
    min: 0,
    max: 1_000_000_000_000,
    description: 'Tokens of a tenant a day, from midnight UTC; 0 for no limit.',
  }),
  modelWhenSpent: choice('MODEL_WHEN_SPENT', 'deterministic', {
    of: ['deterministic', 'wait'],
    description:
      'What happens to documents when the day is spent: read without the model, or left in the queue until it is over (a limit that was raised is noticed within an hour, or with `runtime restart`).',
  }),
  modelName: optionalText('MODEL_NAME', { description: 'Model to ask for at MODEL_URL.' }),
  modelApiKey: optionalText('MODEL_API_KEY', { secret: true, description: 'Key for MODEL_URL.' }),
  webhookAllowPrivate: flag('WEBHOOK_ALLOW_PRIVATE', false, {
    description: 'Whether webhooks may lead to private and loopback addresses, and be plain http.',
  }),
  webhookTimeoutMs: integer('WEBHOOK_TIMEOUT_MS', 10 * seconds, {
    min: 100,
    max: minutes,
    description: 'Longest a receiver of a webhook may take to answer.',
  }),
  webhooksPerTenant: integer('WEBHOOKS_PER_TENANT', 20, { min: 0, max: 1000, description: 'Most webhooks of a tenant.' }),

  ...oidcSettings,

  certificateIssuer: optionalText('CERTIFICATE_ISSUER', {
    description:
      'Name of this installation in its certificates (`iss`), such as its public address; unset: one made from its first signing key.',
  }),
  signingKey: optionalText('SIGNING_KEY', {
    secret: true,
    allowed: 'an Ed25519 private key as PKCS#8 PEM or JWK',
    description: 'Signs certificates; unset: one is made in the database, once.',
  }),
  otelEndpoint: url('OTEL_EXPORTER_OTLP_ENDPOINT', {
    protocols: ['http:', 'https:'],
    description: 'Where traces are sent, by OTLP over HTTP; unset: nowhere.',
  }),
  otelHeaders: headerList('OTEL_EXPORTER_OTLP_HEADERS', { description: 'Headers the trace collector asks for, such as a key.' }),
  otelServiceName: text('OTEL_SERVICE_NAME', 'concord', { description: 'Name of the service in traces.' }),
  otelKeepRatio: ratio('OTEL_TRACES_SAMPLER_ARG', 1, {
    description: 'Share of the traces begun here that is kept; the caller of a request decides about its own.',
  }),
  faults: faultList('FAULTS', { description: 'Faults to inject on purpose, for tests of recovery; unset: none.' }),
}
