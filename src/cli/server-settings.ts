/**
 * Which server a command talks to and with which keys: flags before the environment before the profile before the keys
 * of a first start. Keys of a profile go to that profile's server alone, and keys of the data folder to this machine
 * alone: a key is never sent to a server it was not meant for.
 */

import type { Environment } from '../platform/config.js'
import type { Profile } from './profiles.js'

export interface ServerFlags {
  url?: string
  adminKey?: string
  internalsKey?: string
  tenantId?: string
  tenantKey?: string
}

export interface ServerSettings extends ServerFlags {
  url: string
  /** Where each value came from, for `concord config` and `concord doctor`. */
  from: Partial<Record<keyof ServerFlags, string>>
}

export interface SettingsSources {
  flags: ServerFlags
  env: Environment
  profile: { name: string; profile: Profile } | undefined
  firstKeys: { path: string; admin: string; internals: string } | undefined
}

const variables: Record<keyof ServerFlags, string> = {
  url: 'CONCORD_URL',
  adminKey: 'CONCORD_ADMIN_KEY',
  internalsKey: 'CONCORD_INTERNALS_KEY',
  tenantId: 'CONCORD_TENANT_ID',
  tenantKey: 'CONCORD_TENANT_KEY',
}

export function resolveSettings({ flags, env, profile, firstKeys }: SettingsSources): ServerSettings {
  const from: ServerSettings['from'] = {}
  const pick = (name: keyof ServerFlags, sources: readonly [string, string | undefined][]): string | undefined => {
    const found = sources.find(([, value]) => value !== undefined && value !== '')
    if (found) from[name] = found[0]
    return found?.[1]
  }
  const given = (name: keyof ServerFlags): [string, string | undefined][] => [
    [`--${kebab(name)}`, flags[name]],
    [variables[name], env[variables[name]]],
  ]
  const inProfile = `profile ${profile?.name}`
  const url = trimmed(
    pick('url', [
      ...given('url'),
      [inProfile, profile?.profile.url],
      ['the default', `http://127.0.0.1:${env['PORT'] || '3003'}`],
    ]) as string,
  )
  const ofProfile: Partial<Profile> = profile !== undefined && trimmed(profile.profile.url) === url ? profile.profile : {}
  const local = firstKeys !== undefined && isThisMachine(url) ? { adminKey: firstKeys.admin, internalsKey: firstKeys.internals } : {}
  const key = (name: Exclude<keyof ServerFlags, 'url'>) =>
    pick(name, [
      ...given(name),
      [inProfile, ofProfile[name]],
      [firstKeys?.path ?? '', name === 'adminKey' || name === 'internalsKey' ? local[name] : undefined],
    ])
  const adminKey = key('adminKey')
  const internalsKey = key('internalsKey')
  const tenantId = key('tenantId')
  const tenantKey = key('tenantKey')
  return { url, adminKey, internalsKey, tenantId, tenantKey, from }
}

export function isThisMachine(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '')
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}
