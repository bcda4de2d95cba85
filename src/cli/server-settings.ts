/**
 * Which server a command talks to and with which keys: flags before the environment before the profile before the keys
 * of a first start. A tenant is its id and its key: who gives one of them means that tenant, and the other is not taken
 * from a source that means another. Keys of a profile go to that profile's server alone, and keys of the data folder to this machine
 * alone: a key is never sent to a server it was not meant for.
 */

import type { Environment } from '../platform/config.js'
import type { Profile, ServerFlags } from './profiles.js'

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
    pick('url', [...given('url'), [inProfile, profile?.profile.url], ['the default', `http://127.0.0.1:${portOf(env)}`]]) as string,
  )
  const ofProfile: Partial<Profile> = profile !== undefined && trimmed(profile.profile.url) === url ? profile.profile : {}
  const local = firstKeys !== undefined && isThisMachine(url) ? { adminKey: firstKeys.admin, internalsKey: firstKeys.internals } : {}
  const key = (name: 'adminKey' | 'internalsKey') =>
    pick(name, [...given(name), [inProfile, ofProfile[name]], [firstKeys?.path ?? '', local[name]]])
  const adminKey = key('adminKey')
  const internalsKey = key('internalsKey')
  const tenant = tenantOf([
    pairOf(flags, name => `--${kebab(name)}`),
    pairOf({ tenantId: env[variables.tenantId], tenantKey: env[variables.tenantKey] }, name => variables[name]),
    { ...pairOf(ofProfile, () => inProfile), isOneTenant: true },
  ])
  for (const name of tenantNames) if (tenant[name] !== undefined) from[name] = tenant[name].from
  return { url, adminKey, internalsKey, tenantId: tenant.tenantId?.value, tenantKey: tenant.tenantKey?.value, from }
}

/** It may be of an `.env` that came with papers of others, and what is no number makes the address one of another machine (`1@elsewhere`). */
function portOf({ PORT: port = '' }: Environment): string {
  return /^\d+$/.test(port) ? port : '3003'
}

const tenantNames = ['tenantId', 'tenantKey'] as const

type Said = { value: string; from: string } | undefined

interface TenantPair {
  tenantId: Said
  tenantKey: Said
  /** Its key is of the tenant it names; of what was typed one part may be here and the other in the next source. */
  isOneTenant?: boolean
}

function pairOf(given: Pick<ServerFlags, 'tenantId' | 'tenantKey'>, from: (name: (typeof tenantNames)[number]) => string): TenantPair {
  const said = (name: (typeof tenantNames)[number]): Said => (given[name] ? { value: given[name], from: from(name) } : undefined)
  return { tenantId: said('tenantId'), tenantKey: said('tenantKey') }
}

/** A key says whose it is: what stands below it about a tenant is not looked at. */
function tenantOf(pairs: readonly TenantPair[]): Pick<TenantPair, 'tenantId' | 'tenantKey'> {
  const first = pairs.findIndex(({ tenantId, tenantKey }) => tenantId ?? tenantKey)
  const { tenantId, tenantKey } = pairs[first] ?? { tenantId: undefined, tenantKey: undefined }
  if (tenantKey !== undefined || tenantId === undefined) return { tenantId, tenantKey }
  const below = pairs
    .slice(first + 1)
    .find(other => other.tenantKey && (other.tenantId?.value ?? (other.isOneTenant ? '' : tenantId.value)) === tenantId.value)
  return { tenantId, tenantKey: below?.tenantKey }
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
