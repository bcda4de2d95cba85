import { describe, expect, it } from 'vitest'
import {
  type Config,
  type ConfigFault,
  describeConfig,
  type Environment,
  faultLines,
  loadConfig,
  settingsTable,
  withSettingsOfDotEnv,
} from './config.js'

function load(env: Environment, files: Record<string, string> = {}) {
  return loadConfig(env, { readFile: path => files[path] })
}

function configOf(env: Environment, files?: Record<string, string>): Config {
  const result = load(env, files)
  if (!result.ok) throw new Error(faultLines(result.faults).join('\n'))
  return result.config
}

function faultsOf(env: Environment, files?: Record<string, string>): ConfigFault[] {
  const result = load(env, files)
  return result.ok ? [] : result.faults
}

describe('configuration', () => {
  it('has a default for everything that needs one', () => {
    expect(configOf({})).toMatchObject({
      host: '127.0.0.1',
      port: 3003,
      role: 'all',
      ingestFlushRows: 128,
      adminApiKeys: [],
      databaseUrl: undefined,
    })
  })

  it('hands commands of the operator what they need to run, and no secret', () => {
    const needed = { PATH: '/usr/bin', LANG: 'C.UTF-8', LC_ALL: 'C', HOME: '/root', TMPDIR: '/tmp', TESSDATA_PREFIX: '/data' }
    const secrets = { ADMIN_API_KEY: 'a'.repeat(32), DATABASE_URL: 'postgres://o:p@server/concord', AWS_SECRET_ACCESS_KEY: 's' }
    expect(configOf({ ...needed, ...secrets }).commandEnv).toEqual(needed)
    expect(configOf({ PATH: '/bin' }).commandEnv).toEqual({ PATH: '/bin' })
  })

  it('takes at most twelve connections: both pools, the hints and the leader', () => {
    const { databaseTenantPool, databaseEnginePool } = configOf({})
    expect(databaseTenantPool + databaseEnginePool + 2).toBe(12)
  })

  it('asks for the server behind a pooler', () => {
    const pooled = { DATABASE_URL: 'postgres://o:p@pooler/concord', DATABASE_POOLER: 'transaction' }
    expect(faultsOf(pooled).map(fault => fault.name)).toEqual(['DATABASE_SESSION_URL'])
    expect(configOf({ ...pooled, DATABASE_SESSION_URL: 'postgres://o:p@server/concord' }).databasePooler).toBe('transaction')
  })

  it('is frozen, lists included', () => {
    const config = configOf({ TRUSTED_PROXIES: '10.0.0.1' })
    expect(Object.isFrozen(config) && Object.isFrozen(config.trustedProxies) && Object.isFrozen(config.corsOrigins)).toBe(true)
  })

  it('takes an empty value as unset', () => {
    expect(configOf({ PORT: '', ADMIN_API_KEY: '' })).toMatchObject({ port: 3003, adminApiKeys: [] })
  })

  it('gives a command line the settings of .env below the real environment, and nothing that is no setting', () => {
    const given = { PORT: '', DATA_DIR: '/real', HOME: '/home/ada', CONCORD_BY: '' }
    const content = 'PORT=4000\nDATA_DIR=/other\nHOME=/else\nCONCORD_URL=https://stranger.example\n'
    const files = { readFile: (path: string) => (path === '.env' ? content : undefined) }
    expect(withSettingsOfDotEnv(given, files)).toEqual({ ...given, PORT: '4000' })
    const unreadable = () => {
      throw new Error('EACCES')
    }
    expect(withSettingsOfDotEnv(given, { readFile: unreadable })).toEqual(given)
  })

  it('reads .env below the real environment', () => {
    const files = { '.env': 'PORT=4000\nHOST="0.0.0.0"\n# a comment\n' }
    expect(configOf({ PORT: '5000' }, files)).toMatchObject({ port: 5000, host: '0.0.0.0' })
  })

  it('reads a secret from the file its _FILE names, without the line end', () => {
    const key = 'a-key-that-is-long-enough-1'
    expect(configOf({ ADMIN_API_KEY_FILE: '/run/admin' }, { '/run/admin': `${key}\n` }).adminApiKeys).toEqual([key])
  })

  it('splits keys for rotation', () => {
    const keys = ['first-key-of-24-characters', 'other-key-of-24-characters']
    expect(configOf({ INTERNALS_API_KEY: keys.join(' , ') }).internalsApiKeys).toEqual(keys)
  })

  it.each([
    [{ PORT: '70000' }, 'PORT', '"70000"'],
    [{ PORT: '-1' }, 'PORT', '"-1"'],
    [{ PORT: '3003.5' }, 'PORT', '"3003.5"'],
    [{ PORT: '0x10' }, 'PORT', '"0x10"'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL', '"loud"'],
    [{ ROLE: 'both' }, 'ROLE', '"both"'],
    [{ SCOPE_AUTOCREATE: 'yes' }, 'SCOPE_AUTOCREATE', '"yes"'],
    [{ AUTH_FAILURES_PER_SECOND: '99' }, 'AUTH_FAILURES_PER_SECOND', '"99"'],
    [{ IDEMPOTENCY_RETENTION_HOURS: '23' }, 'IDEMPOTENCY_RETENTION_HOURS', '"23"'],
    [{ SSE_KEEPALIVE_MS: '15001' }, 'SSE_KEEPALIVE_MS', '"15001"'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES', '"10.0.0.0/33"'],
    [{ TRUSTED_PROXIES: 'proxy.local' }, 'TRUSTED_PROXIES', '"proxy.local"'],
    [{ CORS_ORIGINS: 'https://app.example.com/path' }, 'CORS_ORIGINS', '"https://app.example.com/path"'],
    [{ CORS_ORIGINS: '*' }, 'CORS_ORIGINS', '"*"'],
    [{ BODY_LIMIT_BYTES: '33554432' }, 'BODY_TOTAL_BYTES', '134217728'],
    [{ ALIAS_SUNSET: 'tomorrow' }, 'ALIAS_SUNSET', '"tomorrow"'],
    [{ MODEL_URL: 'ftp://models' }, 'MODEL_URL', '"ftp://models"'],
    [{ PUBLIC_AUTH: 'none' }, 'PUBLIC_AUTH', '"none"'],
    [{ ADMIN_API_KEY: 'short' }, 'ADMIN_API_KEY', '(hidden)'],
    [{ ADMIN_API_KEY: 'a-key-that-is-long-enough-1,short' }, 'ADMIN_API_KEY', '(hidden)'],
    [{ DATABASE_URL: 'mysql://root:secret@localhost/x' }, 'DATABASE_URL', '(hidden)'],
    [{ ADMIN_API_KEY_FILE: '/nowhere' }, 'ADMIN_API_KEY_FILE', '"/nowhere"'],
    [{ WORKERS: '0' }, 'WORKERS', '"0"'],
    [{ RETRY_BASE_MS: '2000', RETRY_MAX_MS: '1000' }, 'RETRY_BASE_MS', '2000'],
    [{ MODEL_URL: 'http://models' }, 'MODEL_NAME', '(unset)'],
    [{ METRICS_PORT: '3003' }, 'METRICS_PORT', '3003'],
    [{ DATABASE_URL: 'postgres://owner@localhost/concord' }, 'DATABASE_ROLE_SECRET', '(unset)'],
  ])('refuses %o with the name and what was seen', (env, name, seen) => {
    expect(faultsOf(env)).toEqual([{ name, seen, allowed: expect.stringMatching(/./) }])
  })

  it('reports every fault at once', () => {
    const faults = faultsOf({ PORT: 'x', LOG_LEVEL: 'x', ADMIN_API_KEY: 'x', LEASE_MS: 'x' })
    expect(faults.map(fault => fault.name).sort()).toEqual(['ADMIN_API_KEY', 'LEASE_MS', 'LOG_LEVEL', 'PORT'])
  })

  it('refuses a secret that is given twice', () => {
    const env = { ADMIN_API_KEY: 'a-key-that-is-long-enough-1', ADMIN_API_KEY_FILE: '/run/admin' }
    expect(faultsOf(env).map(fault => fault.name)).toEqual(['ADMIN_API_KEY_FILE'])
  })

  it('refuses one key for two tiers', () => {
    const key = 'a-key-that-is-long-enough-1'
    expect(faultsOf({ ADMIN_API_KEY: key, INTERNALS_API_KEY: key }).map(fault => fault.name)).toEqual(['ADMIN_API_KEY'])
  })

  it('never shows a secret, neither in faults nor in the description', () => {
    const secret = 'tell-nobody-about-this-one'
    const faults = faultLines(faultsOf({ DATABASE_URL: `mysql://${secret}@x`, ADMIN_API_KEY: `${secret},x`, PORT: 'x' })).join('\n')
    const config = configOf({
      ADMIN_API_KEY: secret,
      DATABASE_URL: `postgres://u:${secret}@x/y`,
      SIGNING_KEY: secret,
      MODEL_API_KEY: secret,
    })
    expect(faults + JSON.stringify(describeConfig(config))).not.toContain(secret)
    expect(describeConfig(config)).toMatchObject({ ADMIN_API_KEY: '(hidden)', INTERNALS_API_KEY: '(unset)', PORT: 3003 })
  })

  it.each([
    [{}, 'id'],
    [{ HOST: 'localhost' }, 'id'],
    [{ HOST: '::1' }, 'id'],
    [{ HOST: '0.0.0.0' }, 'key'],
    [{ TRUSTED_PROXIES: '127.0.0.1' }, 'key'],
    [{ HOST: '0.0.0.0', PUBLIC_AUTH: 'id' }, 'id'],
    [{ PUBLIC_AUTH: 'key' }, 'key'],
  ])('of %o follows what the public tier asks for: %s', (env, expected) => {
    expect(configOf(env).publicAuth).toBe(expected)
  })

  it('describes each setting once, with a default that is itself allowed', () => {
    const rows = settingsTable()
    expect(new Set(rows.map(row => row.name)).size).toBe(rows.length)
    const defaults = Object.fromEntries(rows.filter(row => row.default !== '(unset)').map(row => [row.name, row.default]))
    expect(configOf(defaults)).toEqual(configOf({}))
  })
})
