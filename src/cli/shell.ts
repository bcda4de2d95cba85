/** What every command that talks to a server starts from: its settings, a client with them, and where to print. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient } from '../client/client.js'
import type { RetryPolicy } from '../client/retrying-fetch.js'
import { CommandError, exitCodes } from './command-error.js'
import { createOutput, type Format, type Output, wantsColor } from './output.js'
import type { ServerFlags } from './profiles.js'
import { chooseProfile } from './profiles.js'
import { resolveSettings, type ServerSettings } from './server-settings.js'

/** What a command is given: the environment, and the exit code it may change. */
export interface CommandContext {
  env: Readonly<Record<string, string | undefined>>
  exitCode: number
  /** How the reader runs this program from where they stand. */
  command: string
  /** The process that started this one. */
  parent: number
}

export interface GlobalFlags extends ServerFlags {
  json?: boolean
  format?: Format
  color?: boolean
  profile?: string
  dataDir?: string
}

export interface Shell extends Pick<CommandContext, 'env' | 'command' | 'parent'> {
  out: Output
  flags: GlobalFlags
  /** Read when asked for: commands that work on the data of this machine need no server. */
  readonly settings: ServerSettings
  /** Whether a key of the operator is known. */
  readonly isOperator: boolean
  /** A client with the credentials the command needs; says what is missing before anything is sent. */
  client(needs: Need, retries?: Partial<RetryPolicy>): Client
}

export function shellOf(flags: GlobalFlags, { env, command, parent }: CommandContext): Shell {
  const { json = false, format = json ? 'json' : 'table', color = true } = flags
  const painted = color && format === 'table' && wantsColor(env)
  return {
    env,
    command,
    parent,
    flags,
    out: createOutput({ format, command, color: painted }),
    get settings() {
      return settingsOf(flags, env)
    },
    get isOperator() {
      const { adminKey, internalsKey } = settingsOf(flags, env)
      return Boolean(adminKey || internalsKey)
    },
    client: (needs, retries) => {
      const settings = settingsOf(flags, env)
      requireCredentials(settings, needs)
      return createClient({ ...settings, retries })
    },
  }
}

function settingsOf(flags: GlobalFlags, env: CommandContext['env']): ServerSettings {
  const settings = resolveSettings({ flags, env, profile: chooseProfile(env, flags.profile), firstKeys: readFirstKeys(flags, env) })
  if (!URL.canParse(settings.url)) {
    throw new CommandError(`${settings.url} (${settings.from.url}) is not a valid address`, {
      next: 'use one like http://127.0.0.1:3003',
      exitCode: exitCodes.usage,
    })
  }
  return settings
}

/** Undefined where nothing says it: the default of the service then. */
export function dataDirOf(flags: GlobalFlags, env: CommandContext['env']): string | undefined {
  return flags.dataDir || env['DATA_DIR'] || chooseProfile(env, flags.profile)?.profile.dataDir
}

/** Left out when there are none or they belong to somebody else: other sources may do. */
function readFirstKeys(flags: GlobalFlags, env: CommandContext['env']) {
  const path = join(dataDirOf(flags, env) ?? './data', 'keys.json')
  try {
    const { admin, internals } = JSON.parse(readFileSync(path, 'utf8')) as { admin?: string; internals?: string }
    return admin && internals ? { path, admin, internals } : undefined
  } catch {
    return undefined
  }
}

export type Need = 'nothing' | 'tenant' | 'tenant-key' | 'admin' | 'admin+tenant-key' | 'internals'

function requireCredentials(settings: ServerSettings, need: Need): void {
  const { adminKey, internalsKey, tenantId, tenantKey } = settings
  const missing = (what: string, next: string) => new CommandError(`no ${what} is known`, { next, exitCode: exitCodes.usage })
  const tenantNext = 'run `concord init`, or set CONCORD_TENANT_KEY, or name a --profile'
  // A key says whose it is; without one, the id is enough where the service takes it.
  if (need === 'tenant' && !tenantId && !tenantKey) throw missing('tenant', tenantNext)
  if ((need === 'tenant-key' || need === 'admin+tenant-key') && !tenantKey) throw missing('tenant key', tenantNext)
  const tierNext = (name: string) =>
    `set ${name}, name a --profile, or say with --data-dir where the service on this machine keeps its first keys`
  if (need.startsWith('admin') && !adminKey && !internalsKey) throw missing('admin key', tierNext('CONCORD_ADMIN_KEY'))
  if (need === 'internals' && !internalsKey) throw missing('internals key', tierNext('CONCORD_INTERNALS_KEY'))
}
