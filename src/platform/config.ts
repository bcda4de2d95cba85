/**
 * The only list of settings. `loadConfig` reads the environment, `<NAME>_FILE` for secrets and a `.env` file for
 * local use (the real environment wins), and gives either one frozen `Config` or every fault at once. An empty
 * value means unset. The value of a secret is never part of a fault or a description.
 */

import { parseEnv } from 'node:util'
import { logLevels } from './logger.js'
import { type Misspelt, misspeltSettings } from './misspelt-settings.js'
import { oidcFaults, oidcSettings } from './oidc-settings.js'
import {
  choice,
  faultList,
  flag,
  headerList,
  instant,
  integer,
  keyList,
  networkList,
  networkMatcher,
  optionalChoice,
  optionalInteger,
  optionalText,
  originList,
  ratio,
  type Setting,
  text,
  url,
} from './settings.js'

const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes
const mib = 1024 * 1024

const settings = {
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
    description: 'Time for work in hand to finish after SIGTERM or SIGINT.',
  }),
  scopeAutocreate: flag('SCOPE_AUTOCREATE', true, { description: 'Whether ingest into an unknown scope creates it.' }),
  mcpAllowWrites: flag('MCP_ALLOW_WRITES', false, {
    description: 'Whether agents may hand in documents and decide over /mcp, with keys that have the right to.',
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
    description: 'How long events are kept; unset: for ever.',
  }),
  textRetentionDays: optionalInteger('TEXT_RETENTION_DAYS', {
    min: 1,
    max: 36_500,
    description: 'How long the text of documents is kept; unset: for ever.',
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
    description: 'How the server is asked: auto tells Ollama and OpenAI by their address and takes any other for a compatible one.',
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
    description: 'What happens to documents when the day is spent: read without the model, or left in the queue.',
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

type Settings = typeof settings
type ValueOf<S> = S extends Setting<infer T> ? T : never
type Read = { readonly [K in keyof Settings]: ValueOf<Settings[K]> }

export interface Config extends Omit<Read, 'publicAuth'> {
  /** What PUBLIC_AUTH says, or what follows from HOST and TRUSTED_PROXIES. */
  readonly publicAuth: 'id' | 'key'
}

export interface ConfigFault {
  name: string
  /** What was seen; `(hidden)` for secrets. */
  seen: string
  allowed: string
}

/** `misspelt` names what was set, is no setting and looks like one; it never stops anything. */
export type ConfigResult = ({ ok: true; config: Config } | { ok: false; faults: ConfigFault[] }) & { misspelt: Misspelt[] }
export type Environment = Readonly<Record<string, string | undefined>>

/** Gives the content of a file, or undefined when there is none. Other failures throw. */
export type ReadFile = (path: string) => string | undefined

export function loadConfig(environment: Environment, files: { readFile: ReadFile }): ConfigResult {
  const faults: ConfigFault[] = []
  const env = withDotEnv(environment, files.readFile, faults)
  const values: Record<string, unknown> = {}
  for (const [key, setting] of Object.entries(settings) as [string, Setting<unknown>][]) {
    values[key] = readSetting(setting, env, files.readFile, faults)
  }
  const misspelt = misspeltSettings(Object.keys(env), knownNames())
  if (faults.length > 0) return { ok: false, faults, misspelt }
  const read = values as unknown as Read
  faults.push(...faultsBetween(read))
  if (faults.length > 0) return { ok: false, faults, misspelt }
  return { ok: true, config: Object.freeze({ ...read, publicAuth: read.publicAuth ?? impliedPublicAuth(read) }), misspelt }
}

function knownNames(): string[] {
  return Object.values(settings).flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]))
}

/** One line for each misspelt setting, for people. */
export function misspeltLines(misspelt: readonly Misspelt[]): string[] {
  return misspelt.map(({ name, meant }) => `${name} is not a setting and is ignored; did you mean ${meant}?`)
}

/** One line for each fault, for people. */
export function faultLines(faults: readonly ConfigFault[]): string[] {
  return faults.map(fault => `${fault.name}: ${fault.seen} is not allowed; it must be ${fault.allowed}`)
}

/** The settings in force, secrets hidden. */
export function describeConfig(config: Config): Record<string, unknown> {
  const described: Record<string, unknown> = {}
  for (const [key, setting] of Object.entries(settings)) {
    const value = config[key as keyof Config]
    const given = value !== undefined && !(Array.isArray(value) && value.length === 0)
    described[setting.name] = !given ? '(unset)' : setting.secret ? '(hidden)' : value
  }
  return described
}

export interface SettingRow {
  name: string
  kind: string
  default: string
  allowed: string
  description: string
  secret: boolean
}

export function settingsTable(): SettingRow[] {
  return Object.values(settings).map(({ name, kind, fallback, allowed, description, secret }) => ({
    name,
    kind,
    default: fallback ?? '(unset)',
    allowed,
    description,
    secret,
  }))
}

function withDotEnv(environment: Environment, readFile: ReadFile, faults: ConfigFault[]): Environment {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))
  const content = attempt(() => readFile('.env'))
  if (!content.ok) faults.push({ name: '.env', seen: 'a file that cannot be read', allowed: 'a readable file, or none' })
  return content.ok && content.value !== undefined ? { ...parseEnv(content.value), ...given } : given
}

function readSetting(setting: Setting<unknown>, env: Environment, readFile: ReadFile, faults: ConfigFault[]): unknown {
  const raw = rawValue(setting, env, readFile, faults)
  if (raw === undefined) return setting.kind.startsWith('list') ? Object.freeze([]) : undefined
  const parsed = setting.parse(raw)
  if (parsed !== undefined) return Array.isArray(parsed.value) ? Object.freeze(parsed.value) : parsed.value
  faults.push({ name: setting.name, seen: setting.secret ? '(hidden)' : shown(raw), allowed: setting.allowed })
  return undefined
}

function rawValue(setting: Setting<unknown>, env: Environment, readFile: ReadFile, faults: ConfigFault[]): string | undefined {
  const direct = presence(env[setting.name])
  const path = setting.secret ? presence(env[`${setting.name}_FILE`]) : undefined
  if (path === undefined) return direct ?? setting.fallback
  const fileName = `${setting.name}_FILE`
  if (direct !== undefined) {
    faults.push({ name: fileName, seen: shown(path), allowed: `unset when ${setting.name} is set, or the other way round` })
    return undefined
  }
  const content = attempt(() => readFile(path))
  const value = content.ok ? presence(content.value?.trim()) : undefined
  if (value === undefined) faults.push({ name: fileName, seen: shown(path), allowed: 'the path of a readable file that is not empty' })
  return value
}

/** Settings that are each allowed, but not together. */
function faultsBetween(read: Read): ConfigFault[] {
  const faults: ConfigFault[] = []
  const refuse = (name: string, seen: string, allowed: string) => faults.push({ name, seen, allowed })
  if (read.workersMin > read.workersMax) refuse('WORKERS_MIN', String(read.workersMin), `at most WORKERS_MAX (${read.workersMax})`)
  if (read.retryBaseMs > read.retryMaxMs) refuse('RETRY_BASE_MS', String(read.retryBaseMs), `at most RETRY_MAX_MS (${read.retryMaxMs})`)
  if (read.modelUrl !== undefined && read.modelName === undefined) refuse('MODEL_NAME', '(unset)', 'set when MODEL_URL is set')
  if (read.metricsPort !== undefined && read.metricsPort !== 0 && read.metricsPort === read.port) {
    refuse('METRICS_PORT', String(read.metricsPort), 'another port than PORT')
  }
  if (read.bodyTotalBytes < 8 * read.bodyLimitBytes) {
    refuse('BODY_TOTAL_BYTES', String(read.bodyTotalBytes), `at least eight times BODY_LIMIT_BYTES (${read.bodyLimitBytes})`)
  }
  if (read.adminApiKeys.some(key => read.internalsApiKeys.includes(key))) {
    refuse('ADMIN_API_KEY', '(hidden)', 'without any key of INTERNALS_API_KEY, since a key has one tier')
  }
  if (read.databaseUrl !== undefined && read.databaseRoleSecret === undefined && new URL(read.databaseUrl).password === '') {
    refuse('DATABASE_ROLE_SECRET', '(unset)', 'set when DATABASE_URL carries no password')
  }
  if (read.databasePooler !== 'none' && read.databaseSessionUrl === undefined) {
    refuse('DATABASE_SESSION_URL', '(unset)', 'set when DATABASE_POOLER is set')
  }
  oidcFaults(read, refuse)
  return faults
}

function impliedPublicAuth(read: Read): 'id' | 'key' {
  const loopback = networkMatcher(['127.0.0.0/8', '::1'])
  return (read.host === 'localhost' || loopback(read.host)) && read.trustedProxies.length === 0 ? 'id' : 'key'
}

function presence(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value
}

function shown(raw: string): string {
  return JSON.stringify(raw.length <= 80 ? raw : `${raw.slice(0, 80)}…`)
}

function attempt<T>(read: () => T): { ok: true; value: T } | { ok: false } {
  try {
    return { ok: true, value: read() }
  } catch {
    return { ok: false }
  }
}
