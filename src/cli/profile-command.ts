/** `concord profiles`: the servers this machine knows by name. */

import { CommandError } from './command-error.js'
import { type Profile, profilesPath, readProfiles, writeProfiles } from './profiles.js'
import { type AddCommand, outputOf } from './shell.js'

export const addProfiles: AddCommand = (program, context) => {
  const profiles = program
    .command('profiles')
    .description('servers and keys by name')
    .examples('concord profiles', 'concord profiles use production', 'concord profiles remove old')
  profiles
    .command('list', { isDefault: true })
    .description('list them, keys hidden')
    .action((_options, command) => {
      const out = outputOf(command, context)
      const known = readProfiles(context.env)
      const rows = Object.entries(known.profiles).map(([name, profile]) => ({
        name,
        default: name === known.default,
        url: profile.url,
        tenant_id: profile.tenantId ?? null,
        keys: keyNames(profile),
      }))
      out.show(rows, () => {
        if (rows.length === 0) return out.line(out.hint(`No profiles in ${profilesPath(context.env)}; \`concord init\` makes one.`))
        out.table(rows, [
          ['', row => (row.default ? '*' : '')],
          ['profile', row => row.name],
          ['url', row => row.url],
          ['tenant', row => row.tenant_id ?? '–'],
          ['keys', row => row.keys.join(', ') || '–'],
        ])
      })
    })
  profiles
    .command('use <name>')
    .description('make one the default')
    .action((name: string) => {
      const known = readProfiles(context.env)
      requireProfile(known.profiles, name)
      writeProfiles(context.env, { ...known, default: name })
    })
  profiles
    .command('remove <name>')
    .description('forget one, with its keys')
    .action((name: string) => {
      const known = readProfiles(context.env)
      requireProfile(known.profiles, name)
      const { [name]: _removed, ...rest } = known.profiles
      const standard = known.default === name ? {} : { default: known.default }
      writeProfiles(context.env, { ...standard, profiles: rest })
    })
}

function keyNames({ adminKey, internalsKey, tenantKey }: Profile): string[] {
  return Object.entries({ admin: adminKey, internals: internalsKey, tenant: tenantKey }).flatMap(([name, key]) => (key ? [name] : []))
}

function requireProfile(profiles: Record<string, Profile>, name: string): void {
  if (profiles[name] === undefined) throw new CommandError(`there is no profile ${name}`, { next: '`concord profiles` lists them' })
}
