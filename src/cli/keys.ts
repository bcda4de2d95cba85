/** `concord keys` and `sessions`: who may act for a tenant: its keys, of which a new one is shown once, and people who are signed in. */

import { type Right, rights } from '../contract/rights.js'
import type { Schema } from '../contract/types.js'
import type { AddCommand } from './command.js'
import { CommandError, exitCodes } from './command-error.js'
import { printable } from './text-layout.js'

export const addKeys: AddCommand = program => {
  const keys = program
    .command('keys')
    .description('keys of a tenant')
    .examples(
      'concord keys list ten_…',
      'concord keys create ten_… --label ci --rights read,ingest',
      'concord keys create ten_… --person ada --rights read,decide --scopes case-1 --days 90',
      'concord keys revoke ten_… key_… --yes',
    )
  keys
    .command('list <tenant>')
    .description('list them, without the keys themselves')
    .examples('concord keys list ten_…')
    .lists('admin', ({ admin }, tenantId: string) => admin.keys(tenantId, { limit: 200 }), [
      ['key', key => key.key_id],
      ['begins with', key => `${key.key_prefix}…`],
      ['label', key => printable(key.label ?? '')],
      ['person', key => printable(key.person ?? '')],
      ['rights', key => key.rights.join(',')],
      ['cases', key => printable(key.scopes?.join(',') ?? 'all')],
      ['created', key => key.created_at],
      ['expires', key => key.expires_at ?? ''],
      ['revoked', key => key.revoked_at ?? ''],
    ])
  keys
    .command('create <tenant>')
    .description('make another key')
    .examples(
      'concord keys create ten_… --label ci --rights read,ingest',
      'concord keys create ten_… --person ada --rights read,decide --scopes case-1 --days 90',
    )
    .option('--label <label>', 'what it is for')
    .option('--rights <list>', `some of ${rights.join(',')}; unset: all`)
    .option('--scopes <list>', 'the cases it reaches, with commas between; unset: all')
    .option('--days <number>', 'how long it is valid; unset: until it is revoked')
    .option('--person <name>', 'whose it is: it then acts for this person alone')
    .option('--speak-for', 'it acts for anybody although it is a person’s')
    .calls(
      'admin',
      ({ admin }, tenantId: string, options: NewKeyOptions) => admin.createKey(tenantId, keyOf(options)),
      key => [`Key ${key.key_id} created.`, `  key  ${key.api_key}`, '  Shown once.'],
    )
  keys
    .command('revoke <tenant> <key>')
    .description('end a key, within a second on every node')
    .examples('concord keys revoke ten_… key_… --yes')
    .confirms((_tenantId, keyId) => `Revoke ${keyId}`)
    .calls(
      'admin',
      ({ admin }, tenantId: string, keyId: string) => admin.revokeKey(tenantId, keyId),
      key => `Key ${key.key_id} (${key.key_prefix}…) is revoked.`,
    )
}

export const addSessions: AddCommand = program => {
  const sessions = program
    .command('sessions')
    .description('people of a tenant who are signed in')
    .examples('concord sessions list ten_…', 'concord sessions revoke ten_… ses_… --yes')
  sessions
    .command('list <tenant>')
    .description('list the sessions that have not expired')
    .examples('concord sessions list ten_…')
    .lists('admin', ({ admin }, tenantId: string) => admin.sessions(tenantId, { limit: 200 }), [
      ['session', session => session.session_id],
      ['person', session => printable(session.person ?? session.key_id ?? '')],
      ['kind', session => session.kind],
      ['rights', session => session.rights.join(',')],
      ['cases', session => printable(session.scopes?.join(',') ?? 'all')],
      ['expires', session => session.expires_at],
      ['revoked', session => session.revoked_at ?? ''],
    ])
  sessions
    .command('revoke <tenant> <session>')
    .description('end a session, within a second on every node')
    .examples('concord sessions revoke ten_… ses_… --yes')
    .confirms((_tenantId, sessionId) => `End ${sessionId}`)
    .calls(
      'admin',
      ({ admin }, tenantId: string, sessionId: string) => admin.revokeSession(tenantId, sessionId),
      session => `The session of ${printable(session.person ?? session.key_id ?? '')} has ended.`,
    )
}

interface NewKeyOptions {
  label?: string
  rights?: string
  scopes?: string
  days?: string
  person?: string
  speakFor?: boolean
}

function keyOf({ label, rights: wanted, scopes, days, person, speakFor }: NewKeyOptions): Schema['CreateKeyRequest'] {
  const last = days === undefined ? undefined : Number(days)
  if (last !== undefined && !(last > 0 && last < 36_500))
    throw new CommandError('--days is a number of days above 0', { exitCode: exitCodes.usage })
  const unknown = listOf(wanted)?.filter(right => !(rights as readonly string[]).includes(right)) ?? []
  if (unknown.length > 0)
    throw new CommandError(`--rights takes ${rights.join(', ')}, not ${unknown.join(', ')}`, { exitCode: exitCodes.usage })
  return {
    label,
    rights: listOf(wanted) as Right[] | undefined,
    scopes: listOf(scopes),
    expires_at: last === undefined ? undefined : new Date(Date.now() + last * 86_400_000).toISOString(),
    person,
    speak_for: speakFor,
  }
}

function listOf(value: string | undefined): string[] | undefined {
  return value?.split(',').map(each => each.trim())
}
