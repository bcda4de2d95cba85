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
  languages,
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
  role: choice('ROLE', 'all', ['all', 'api', 'worker'], 'What this process does: answer requests, process documents, or both.'),
  host: text('HOST', '127.0.0.1', 'Address to listen on.'),
  port: integer('PORT', 3003, [0, 65535], 'Port to listen on; 0 takes a free one.'),
  metricsPort: optionalInteger('METRICS_PORT', [0, 65535], 'Port for metrics alone, on HOST; unset: none.'),
  logLevel: choice('LOG_LEVEL', 'info', logLevels, 'Minimum level of log lines.'),

  dataDir: text('DATA_DIR', './data', 'Folder for the embedded database and the keys created at the first start.'),
  databaseUrl: url(
    'DATABASE_URL',
    ['postgres:', 'postgresql:'],
    'URL of an existing PostgreSQL 15 or newer, as the database owner; unset: the embedded one. May be a pooler, see DATABASE_POOLER.',
    { secret: true },
  ),
  databasePooler: choice(
    'DATABASE_POOLER',
    'none',
    ['none', 'transaction'],
    'Whether DATABASE_URL points to the server itself or to a pooler in transaction mode, where prepared statements are not used.',
  ),
  databaseSessionUrl: url(
    'DATABASE_SESSION_URL',
    ['postgres:', 'postgresql:'],
    'URL of the server behind the pooler, for migrations, the leader and hints between nodes, which need a session; unset: DATABASE_URL.',
    { secret: true },
  ),
  databaseRoleSecret: optionalText(
    'DATABASE_ROLE_SECRET',
    'From what the passwords of the two login roles are derived; unset: the password in DATABASE_URL.',
    { secret: true, allowed: 'any text, the same on every node' },
  ),
  databaseTenantPool: integer(
    'DATABASE_TENANT_POOL',
    4,
    [1, 200],
    'Most connections for work inside tenants; one tenant has at most three quarters of them, of one or two all.',
  ),
  databaseEnginePool: integer('DATABASE_ENGINE_POOL', 6, [2, 200], 'Most connections for group commit, leasing and chores.'),
  databaseConnectTimeoutMs: integer(
    'DATABASE_CONNECT_TIMEOUT_MS',
    5 * seconds,
    [100, minutes],
    'Longest wait for a connection; a login that was not through in 3 s is tried at least once more.',
  ),
  databaseStatementTimeoutMs: integer('DATABASE_STATEMENT_TIMEOUT_MS', 15 * seconds, [100, 10 * minutes], 'Longest a statement may run.'),

  adminApiKeys: keyList(
    'ADMIN_API_KEY',
    24,
    'Keys of the admin tier; several for rotation. With neither this nor INTERNALS_API_KEY the embedded database comes with both; otherwise a tier without a key is closed.',
  ),
  internalsApiKeys: keyList('INTERNALS_API_KEY', 24, 'Keys of the internals tier; several for rotation. Unset: see ADMIN_API_KEY.'),
  publicAuth: optionalChoice(
    'PUBLIC_AUTH',
    ['id', 'key'],
    'Credential for POST /api/ingest, /api/ingest/batch, /api/documents and, in words, /api/contradictions: id accepts X-Tenant-ID alone, key requires a tenant key or a session, as all other tenant routes do. Unset: id on a loopback HOST without TRUSTED_PROXIES, else key.',
  ),
  trustedProxies: networkList('TRUSTED_PROXIES', 'Proxies whose X-Forwarded-For is trusted; unset: none.'),
  corsOrigins: originList('CORS_ORIGINS', 'Allowed origins of browser clients; unset: none.'),
  rateLimitPerSecond: integer(
    'RATE_LIMIT_PER_SECOND',
    20_000,
    [1, 10_000_000],
    'Requests a second for each credential, over all nodes: each allows its share.',
  ),
  sessionIdleMinutes: integer('SESSION_IDLE_MINUTES', 60, [1, 1440], 'How long a person’s session goes on without being used.'),
  sessionLongestMinutes: integer('SESSION_LONGEST_MINUTES', 600, [1, 1440], 'The longest a person’s session lasts.'),
  authFailuresPerSecond: integer('AUTH_FAILURES_PER_SECOND', 100, [100, 1_000_000], 'Failed authentications a second for each address.'),
  bodyLimitBytes: integer('BODY_LIMIT_BYTES', 2 * mib, [2 * mib, 64 * mib], 'Largest request body.'),
  bodyTotalBytes: integer(
    'BODY_TOTAL_BYTES',
    128 * mib,
    [16 * mib, 16_384 * mib],
    'Bytes of request bodies held at once; a key may hold its share of them (429), all together no more (503).',
  ),
  maxFileBytes: integer('MAX_FILE_BYTES', 25 * mib, [mib, 1024 * mib], 'Largest file.'),
  fileTotalBytes: integer(
    'FILE_TOTAL_BYTES',
    64 * mib,
    [2 * mib, 16_384 * mib],
    'Memory for file uploads and downloads in progress, 256 KiB each regardless of size; apart from BODY_TOTAL_BYTES.',
  ),
  maxExtractedChars: integer(
    'MAX_EXTRACTED_CHARS',
    2_000_000,
    [1000, 20_000_000],
    'Longest text that is extracted from one file, in characters.',
  ),
  fileMemoryMb: integer('FILE_MEMORY_MB', 512, [128, 16_384], 'Memory of a process that reads files; a file that needs more is not read.'),
  fileProcesses: integer(
    'FILE_PROCESSES',
    3,
    [1, 64],
    'Processes that read files at once, each started by the first file that needs it; no tenant has more than half of them, but one.',
  ),
  scanLanguages: languages(
    'SCAN_LANGUAGES',
    'eng',
    'Languages that scans and pictures are taken to be in, parted by +; those but eng need their package @tesseract.js-data/….',
  ),
  scanMemoryMb: integer(
    'SCAN_MEMORY_MB',
    400,
    [200, 16_384],
    'Memory of the process that recognises letters; a scan that needs more is not read.',
  ),
  scanPageTimeoutMs: integer('SCAN_PAGE_TIMEOUT_MS', minutes, [seconds, hours], 'Longest one page of a scan may take.'),
  ocrCommand: optionalText(
    'OCR_COMMAND',
    'Reads scanned PDFs in place of the built-in recognition: takes a PDF on standard input and writes the text of its pages, parted by form feeds. It gets none of these settings.',
  ),
  requestTimeoutMs: integer('REQUEST_TIMEOUT_MS', 30 * seconds, [seconds, 10 * minutes], 'Longest a client may take to send a request.'),
  shutdownGraceMs: integer(
    'SHUTDOWN_GRACE_MS',
    20 * seconds,
    [0, 10 * minutes],
    'Grace period: time for work in progress to finish after SIGTERM, SIGINT or SIGHUP.',
  ),
  scopeAutocreate: flag('SCOPE_AUTOCREATE', true, 'Whether ingest into an unknown scope creates it.'),
  mcpAllowWrites: flag(
    'MCP_ALLOW_WRITES',
    false,
    'Whether agents may submit documents and decide over /mcp, with keys that have the right to.',
  ),
  aliasSunset: instant('ALIAS_SUNSET', 'Announced end of the deprecated aliases; unset: no Sunset header.'),

  ingestFlushRows: integer('INGEST_FLUSH_ROWS', 128, [1, 10_000], 'Most documents in one group commit.'),
  ingestFlushesInFlight: integer('INGEST_FLUSHES_IN_FLIGHT', 2, [1, 16], 'Concurrent group commits.'),
  ingestQueueLimit: integer('INGEST_QUEUE_LIMIT', 4096, [1, 1_000_000], 'Requests that may wait for a group commit; beyond it 503.'),
  ingestQueueBytes: integer(
    'INGEST_QUEUE_BYTES',
    128 * mib,
    [mib, 16_384 * mib],
    'Bytes of text that may wait for a group commit; beyond it 503.',
  ),
  ingestDeadlineMs: integer('INGEST_DEADLINE_MS', 10 * seconds, [100, 5 * minutes], 'Longest a document waits for its commit before 503.'),
  idempotencyRetentionHours: integer('IDEMPOTENCY_RETENTION_HOURS', 48, [24, 87_600], 'How long an idempotency key is remembered.'),
  eventRetentionDays: optionalInteger('EVENT_RETENTION_DAYS', [1, 36_500], 'How long events are kept; unset: forever.'),
  auditReads: choice(
    'AUDIT_READS',
    'people',
    ['people', 'all', 'off'],
    'Whose reads of documents, findings and certificates are kept in the audit log: of people who signed in, of everybody, or of nobody. Originals are kept for everybody unless off.',
  ),
  auditRetentionDays: optionalInteger('AUDIT_RETENTION_DAYS', [30, 36_500], 'How long the audit log is kept; unset: forever.'),
  anchorUrl: url(
    'ANCHOR_URL',
    ['https:', 'http:', 'tsa+https:', 'tsa+http:'],
    'Where the head of the audit log is shown once a day: a time stamp authority (tsa+https://…, RFC 3161), or a webhook; unset: nowhere.',
  ),
  textRetentionDays: optionalInteger('TEXT_RETENTION_DAYS', [1, 36_500], 'How long the text of documents is kept; unset: forever.'),

  sseKeepaliveMs: integer('SSE_KEEPALIVE_MS', 10 * seconds, [50, 15 * seconds], 'Time between keep-alive comments on event streams.'),
  sseMaxReaders: integer('SSE_MAX_READERS', 20_000, [1, 100_000], 'Open event streams of this process; beyond it 503.'),

  workers: integer('WORKERS', 8, [1, 256], 'Scopes this process works on at a time. A worker that waits costs next to nothing.'),
  workerThreads: optionalInteger(
    'WORKER_THREADS',
    [1, 256],
    'Threads for reading and reconciling; unset: one fewer than the cores, but two on two cores.',
  ),
  leaseMs: integer('LEASE_MS', 8 * seconds, [500, hours], 'How long a scope stays leased without a heartbeat.'),
  batchDocuments: integer('BATCH_DOCUMENTS', 32, [1, 1000], 'Most documents a worker takes of a scope before it gives it back.'),
  documentTimeoutMs: integer('DOCUMENT_TIMEOUT_MS', 30 * seconds, [100, hours], 'Longest one attempt at one document may take.'),
  retryMaxAttempts: integer('RETRY_MAX_ATTEMPTS', 5, [1, 100], 'Attempts before a document is quarantined.'),
  retryBaseMs: integer('RETRY_BASE_MS', 500, [1, hours], 'Wait after the first failed attempt; doubles with each.'),
  retryMaxMs: integer('RETRY_MAX_MS', minutes, [1, 24 * hours], 'Longest wait between attempts.'),

  modelUrl: url(
    'MODEL_URL',
    ['http:', 'https:'],
    'Server of a language model that reads each document beside the case so far; unset: none.',
  ),
  modelPreset: choice(
    'MODEL_PRESET',
    'auto',
    ['auto', 'openai', 'vllm', 'llamacpp', 'ollama', 'anthropic', 'google'],
    'API of the server: auto recognises Ollama, OpenAI, Anthropic and Google by their address and treats any other as OpenAI-compatible.',
  ),
  modelTimeoutMs: integer('MODEL_TIMEOUT_MS', 2 * minutes, [100, hours], 'Longest one answer of the model may take.'),
  modelConcurrency: integer('MODEL_CONCURRENCY', 4, [1, 256], 'Scopes that ask the model at a time, at most one less than WORKERS.'),
  modelMaxTokens: integer('MODEL_MAX_TOKENS', 4000, [100, 200_000], 'Longest answer of the model.'),
  modelContextTokens: integer(
    'MODEL_CONTEXT_TOKENS',
    32_000,
    [2000, 2_000_000],
    'Longest question: while a case fits, the model is shown all of it, past that the passages nearest to the document.',
  ),
  modelContradictsAt: ratio(
    'MODEL_CONTRADICTS_AT',
    0.6,
    'How sure the model has to be for a contradiction; below it is a possible conflict.',
  ),
  modelReplacesAt: ratio('MODEL_REPLACES_AT', 0.6, 'How sure it has to be for a replacement; below it is a possible conflict.'),
  modelCompatibleAt: ratio(
    'MODEL_COMPATIBLE_AT',
    0.6,
    'How sure it has to be that two statements are compatible, to clear what the rules only held for possible.',
  ),
  modelTokensPerDocument: integer(
    'MODEL_TOKENS_PER_DOCUMENT',
    150_000,
    [1000, 10_000_000],
    'Tokens of questions and answers about one document; what is beyond is not asked about.',
  ),
  modelTokensPerDay: integer(
    'MODEL_TOKENS_PER_DAY',
    0,
    [0, 1_000_000_000_000],
    'Tokens per tenant and day, from midnight UTC; 0 for no limit. Looked at before each question: what is asked at the same moment, up to MODEL_CONCURRENCY questions on each node, may exceed it, and where documents wait, the rest of those that were begun.',
  ),
  modelWhenSpent: choice(
    'MODEL_WHEN_SPENT',
    'deterministic',
    ['deterministic', 'wait'],
    'How documents are handled once the daily budget is spent: read without the model, or left in the queue until the next day (a limit that was raised is noticed within an hour, or with `runtime restart`).',
  ),
  modelName: optionalText('MODEL_NAME', 'Model to ask for at MODEL_URL.'),
  modelApiKey: optionalText('MODEL_API_KEY', 'Key for MODEL_URL.', { secret: true }),
  webhookAllowPrivate: flag('WEBHOOK_ALLOW_PRIVATE', false, 'Whether webhooks may use private and loopback addresses and plain http.'),
  webhookTimeoutMs: integer('WEBHOOK_TIMEOUT_MS', 10 * seconds, [100, minutes], 'Longest a webhook receiver may take to answer.'),
  webhooksPerTenant: integer('WEBHOOKS_PER_TENANT', 20, [0, 1000], 'Most webhooks per tenant.'),

  ...oidcSettings,

  certificateIssuer: optionalText(
    'CERTIFICATE_ISSUER',
    'Name of this installation in its certificates (`iss`), such as its public address; unset: one made from its first signing key.',
  ),
  signingKey: optionalText('SIGNING_KEY', 'Signs certificates; unset: one is made in the database, once.', {
    secret: true,
    allowed: 'an Ed25519 private key as PKCS#8 PEM or JWK',
  }),
  otelEndpoint: url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'], 'Where traces are sent, by OTLP over HTTP; unset: nowhere.'),
  otelHeaders: headerList('OTEL_EXPORTER_OTLP_HEADERS', 'Headers the trace collector requires, such as a key.'),
  otelServiceName: text('OTEL_SERVICE_NAME', 'concord', 'Name of the service in traces.'),
  otelKeepRatio: ratio(
    'OTEL_TRACES_SAMPLER_ARG',
    1,
    'Share of the traces begun here that is kept; the caller of a request decides about its own.',
  ),
  faults: faultList('FAULTS', 'Faults to inject, for recovery tests; unset: none.'),
}
