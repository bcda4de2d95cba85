/**
 * Reads the settings (`settings-list.ts`): `loadConfig` takes the environment, `<NAME>_FILE` for secrets and a `.env` file for
 * local use (the real environment wins), and gives either one frozen `Config` or every fault at once. An empty
 * value means unset. The value of a secret is never part of a fault or a description.
 */

import { parseEnv } from 'node:util'
import { type Misspelt, misspeltSettings } from './misspelt-settings.js'
import { oidcFaults } from './oidc-settings.js'
import { networkMatcher, type Setting, type ValuesOf } from './settings.js'
import { settings } from './settings-list.js'

type Read = ValuesOf<typeof settings>

export interface Config extends Omit<Read, 'publicAuth'> {
  /** What PUBLIC_AUTH says, or what follows from HOST and TRUSTED_PROXIES. */
  readonly publicAuth: 'id' | 'key'
  /** What of the environment a command of the operator gets: nothing that is secret. */
  readonly commandEnv: Environment
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
  const derived = { publicAuth: read.publicAuth ?? impliedPublicAuth(read), commandEnv: commandEnvOf(env) }
  return { ok: true, config: Object.freeze({ ...read, ...derived }), misspelt }
}

const commandVariables = ['PATH', 'LANG', 'LC_ALL', 'HOME', 'TMPDIR', 'TESSDATA_PREFIX']

function commandEnvOf(env: Environment): Environment {
  return Object.freeze(Object.fromEntries(commandVariables.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]]))))
}

function knownNames(): string[] {
  return Object.values(settings).flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]))
}

export function misspeltLines(misspelt: readonly Misspelt[]): string[] {
  return misspelt.map(({ name, meant }) => `${name} is not a setting and is ignored; did you mean ${meant}?`)
}

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

export function settingsTable() {
  return Object.values(settings).map(({ name, kind, fallback = '(unset)', allowed, description, secret }) => {
    return { name, kind, default: fallback, allowed, description, secret }
  })
}

/**
 * For a command line, which talks to the service whose settings are in `.env`: those settings, and nothing else of the file. It may have
 * come with papers of others, who could name a server there that keys of the environment would then be sent to.
 */
export function withSettingsOfDotEnv(environment: Environment, { readFile }: { readFile: ReadFile }): Environment {
  // A file that cannot be read is a fault of the service's settings, which `loadConfig` finds.
  const all = withDotEnv(environment, readFile, [])
  const settingsOfFile = knownNames().filter(name => !environment[name] && all[name] !== undefined)
  return { ...environment, ...Object.fromEntries(settingsOfFile.map(name => [name, all[name]])) }
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
