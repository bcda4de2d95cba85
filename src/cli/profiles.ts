/** Servers by name with their keys, in a file only its owner can read: one is the default, others are asked for by name. */

import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Environment } from '../platform/config.js'
import { CommandError } from './command-error.js'

/** Which service, and who asks. */
export interface ServerFlags {
  url?: string
  adminKey?: string
  internalsKey?: string
  tenantId?: string
  tenantKey?: string
}

export interface Profile extends ServerFlags {
  url: string
  /** Of a service on this machine. */
  dataDir?: string
}

export interface Profiles {
  /** Used when none is asked for. */
  default?: string
  profiles: Record<string, Profile>
}

export function profilesPath(env: Environment): string {
  const config = env['XDG_CONFIG_HOME'] || join(env['HOME'] || env['USERPROFILE'] || '.', '.config')
  return join(config, 'concord', 'profiles.json')
}

export function readProfiles(env: Environment): Profiles {
  const path = profilesPath(env)
  try {
    const read = JSON.parse(readFileSync(path, 'utf8')) as Partial<Profiles>
    return { ...read, profiles: read.profiles ?? {} }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { profiles: {} }
    if (code !== undefined) {
      throw new CommandError(`${path} cannot be read (${code})`, {
        next: 'make it a file that you may read, or set XDG_CONFIG_HOME to another folder',
        cause: error,
      })
    }
    throw new CommandError(`${path} cannot be read as JSON`, {
      next: 'correct the file, or remove it and run `concord init` again',
      cause: error,
    })
  }
}

/** Undefined when there is none and none was asked for. */
export function chooseProfile(env: Environment, asked: string | undefined): { name: string; profile: Profile } | undefined {
  const wanted = asked ?? (env['CONCORD_PROFILE'] || undefined)
  const { default: standard, profiles } = readProfiles(env)
  const name = wanted ?? standard
  const profile = name === undefined ? undefined : profiles[name]
  if (name !== undefined && profile !== undefined) return { name, profile }
  if (wanted === undefined) return undefined
  const known = Object.keys(profiles).join(', ') || 'none'
  throw new CommandError(`there is no profile ${wanted}`, { next: `profiles in ${profilesPath(env)}: ${known}` })
}

/** Whether profiles can be written, for who has something to keep there that is given only once. */
export function tryProfiles(env: Environment): void {
  rmSync(writeDraft(profilesPath(env), ''))
}

/** Moved into place, so that an interrupted write leaves the old file. */
export function writeProfiles(env: Environment, profiles: Profiles): string {
  const path = profilesPath(env)
  renameSync(writeDraft(path, `${JSON.stringify(profiles, null, 2)}\n`), path)
  return path
}

function writeDraft(path: string, content: string): string {
  const draft = `${path}.${process.pid}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(draft, content, { mode: 0o600 })
    chmodSync(draft, 0o600)
    return draft
  } catch (error) {
    throw new CommandError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code})`, {
      next: 'set XDG_CONFIG_HOME to a folder that you may write to',
      cause: error,
    })
  }
}
