/** `concord login` and `logout`: who one is at a server, kept in a profile: a key that is given, or a session after signing in. */

import { resolve } from 'node:path'
import { wait } from '../client/backoff.js'
import { createClient } from '../client/index.js'
import type { Schema } from '../contract/types.js'
import { isSessionToken } from '../platform/ids.js'
import type { AddCommand } from './command.js'
import { CommandError, exitCodes } from './command-error.js'
import { chooseProfile, type Profile, readProfiles, tryProfiles, writeProfiles } from './profiles.js'
import type { Shell } from './shell.js'
import { printable } from './text-layout.js'

interface LoginOptions {
  oidc?: boolean
  as: string
}

export const addLogin: AddCommand = program => {
  program
    .command('login')
    .description('keep a server and who you are there in a profile: a tenant key, or yourself after signing in')
    .option('--oidc', 'sign in with the issuer of the server, in a browser anywhere; lasts as long as the server lets sessions last')
    .option('--as <profile>', 'name of the profile to write', 'default')
    .examples(
      'concord login --oidc --url https://concord.example',
      'concord login --url https://concord.example --tenant-key cnk_… --as work',
    )
    .runs(async (shell, { oidc = false, as }: LoginOptions) => {
      const { url } = shell.settings
      const { who, path } = oidc ? await signIn(shell, as) : await keepKey(shell, as)
      const { tenant_id, person, rights, expires_at } = who
      shell.out.show({ url, tenant_id, person, rights, expires_at, profile: as, profiles: path }, () => {
        shell.out.lines(linesOf(who, url))
        shell.out.line(`  Kept as profile ${as} in ${path}, readable by you alone.`)
      })
    })
}

type Who = Pick<Schema['Me'], 'tenant_id' | 'person' | 'rights' | 'expires_at'>

/** A session whose token is lost would go on for hours: nothing is waited for between having it and keeping it, and what cannot be kept is ended. */
async function signIn(shell: Shell, as: string): Promise<{ who: Who; path: string }> {
  const { url } = shell.settings
  tryProfiles(shell.env)
  const { token, ...who } = await newSession(shell)
  try {
    return { who, path: remember(shell, as, { tenantKey: token, tenantId: who.tenant_id }) }
  } catch (error) {
    // It ends by itself where that fails, and why nothing was kept is what to tell.
    await createClient({ url, tenantKey: token })
      .signIn.out()
      .catch(() => undefined)
    throw error
  }
}

/** Once the server knows it. */
async function keepKey(shell: Shell, as: string): Promise<{ who: Who; path: string }> {
  const tenantKey = givenKey(shell)
  const who = await createClient({ url: shell.settings.url, tenantKey }).me()
  return { who, path: remember(shell, as, { tenantKey, ...(who.tenant_id === null ? {} : { tenantId: who.tenant_id }) }) }
}

export const addLogout: AddCommand = program => {
  program
    .command('logout')
    .description('end the session of a profile, and forget its token or tenant key')
    .examples('concord logout', 'concord logout --profile work')
    .runs(async ({ env, flags, out }) => {
      const known = readProfiles(env)
      const name = chooseProfile(env, flags.profile)?.name ?? 'default'
      const { tenantKey, ...rest } = known.profiles[name] ?? ({ url: '' } satisfies Profile)
      if (tenantKey === undefined) throw new CommandError(`the profile ${name} is not logged in`)
      if (isSessionToken(tenantKey)) await createClient({ url: rest.url, tenantKey }).signIn.out().catch(unlessEnded)
      writeProfiles(env, { ...known, profiles: { ...known.profiles, [name]: rest } })
      out.show({ profile: name }, () => out.line(`Logged out of ${rest.url} (profile ${name}).`))
    })
}

/** Signs in on another device: says where to go and which code to type, and waits until the person has. */
async function newSession({ settings, flags, out }: Shell): Promise<Schema['CreatedDeviceSession']> {
  const { signIn } = createClient({ url: settings.url })
  const begun = await signIn.beginDevice()
  const place = printable(begun.verification_uri_complete ?? begun.verification_uri)
  out.note(`Open ${place} and check or type in the code ${out.colors.bold(printable(begun.user_code))}.`)
  const over = performance.now() + begun.expires_in * 1000
  for (;;) {
    const answer = await signIn.completeDevice({ device_code: begun.device_code, tenant_id: flags.tenantId })
    if ('token' in answer) return answer
    const seconds = Math.max(begun.interval, answer.waitSeconds)
    if (performance.now() + seconds * 1000 > over) throw new CommandError('sign-in timed out', { next: 'run the command again' })
    await wait(seconds * 1000)
  }
}

/** A key of a profile is there already; one that is to be kept is given. */
function givenKey({ flags, env }: Shell): string {
  const key = flags.tenantKey ?? env['CONCORD_TENANT_KEY']
  if (key) return key
  throw new CommandError('no key is given', {
    next: 'add --tenant-key, or sign in with `concord login --oidc` where the server has an issuer',
    exitCode: exitCodes.usage,
  })
}

/** Keys of the same server and other kinds stay. */
function remember({ env, settings: { url }, flags: { dataDir } }: Shell, name: string, login: Omit<Profile, 'url'>): string {
  const known = readProfiles(env)
  const before = known.profiles[name]
  const kept = before?.url === url ? before : {}
  const profile = { ...kept, url, ...login, ...(dataDir === undefined ? {} : { dataDir: resolve(dataDir) }) }
  return writeProfiles(env, { default: known.default ?? name, profiles: { ...known.profiles, [name]: profile } })
}

function linesOf({ tenant_id: tenantId, person, rights, expires_at: end }: Who, url: string): string[] {
  const who = person === null ? 'with a key' : `as ${printable(person)}`
  return [
    `Logged in at ${url} ${who}.`,
    `  tenant  ${tenantId ?? '–'}`,
    `  rights  ${rights.join(', ')}`,
    ...(end === null ? [] : [`  until   ${end}`]),
  ]
}

function unlessEnded(failure: unknown): void {
  if ((failure as { status?: unknown }).status !== 401) throw failure
}
