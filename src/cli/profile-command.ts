/** `concord profiles`: the servers this machine knows by name. */

import type { AddCommand } from './command.js'
import { CommandError } from './command-error.js'
import { type Profile, profilesPath, readProfiles, writeProfiles } from './profiles.js'

export const addProfiles: AddCommand = program => {
  const profiles = program
    .command('profiles')
    .description('servers and keys by name')
    .examples('concord profiles', 'concord profiles use production', 'concord profiles remove old')
  profiles
    .command('list', { isDefault: true })
    .description('list them, keys hidden')
    .examples('concord profiles list')
    .runs(({ out, env }) => {
      const known = readProfiles(env)
      const rows = Object.entries(known.profiles).map(([name, profile]) => ({
        name,
        default: name === known.default,
        url: profile.url,
        tenant_id: profile.tenantId ?? null,
        keys: keyNames(profile),
      }))
      out.list(
        rows,
        [
          ['', row => (row.default ? '*' : '')],
          ['profile', row => row.name],
          ['url', row => row.url],
          ['tenant', row => row.tenant_id ?? '–'],
          ['keys', row => row.keys.join(', ') || '–'],
        ],
        `No profiles in ${profilesPath(env)}; \`concord init\` makes one.`,
      )
    })
  profiles
    .command('use <name>')
    .description('make one the default')
    .examples('concord profiles use production')
    .runs(({ out, env }, name: string) => {
      const known = readProfiles(env)
      requireProfile(known.profiles, name)
      writeProfiles(env, { ...known, default: name })
      out.show({ profile: name, default: true }, () => out.line(`${name} is the default now.`))
    })
  profiles
    .command('remove <name>')
    .description('forget one, with its keys')
    .examples('concord profiles remove production')
    .runs(({ out, env }, name: string) => {
      const known = readProfiles(env)
      requireProfile(known.profiles, name)
      const { [name]: _removed, ...rest } = known.profiles
      const standard = known.default === name ? {} : { default: known.default }
      writeProfiles(env, { ...standard, profiles: rest })
      out.show({ profile: name, removed: true }, () => out.line(`${name} is forgotten, with its keys.`))
    })
}

function keyNames({ adminKey, internalsKey, tenantKey }: Profile): string[] {
  return Object.entries({ admin: adminKey, internals: internalsKey, tenant: tenantKey }).flatMap(([name, key]) => (key ? [name] : []))
}

function requireProfile(profiles: Record<string, Profile>, name: string): void {
  if (profiles[name] === undefined) throw new CommandError(`there is no profile ${name}`, { next: '`concord profiles` lists them' })
}
