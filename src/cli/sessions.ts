/** `concord sessions`: people of a tenant who are signed in, and ending a session. */

import type { AddCommand } from './command.js'
import { printable } from './text-layout.js'

export const addSessions: AddCommand = program => {
  const sessions = program
    .command('sessions')
    .description('people of a tenant who are signed in')
    .examples('concord sessions list ten_…', 'concord sessions revoke ten_… ses_… --yes')
  sessions
    .command('list <tenant>')
    .description('list the sessions that have not expired')
    .lists('admin', ({ admin }, tenantId: string) => admin.sessions(tenantId, { limit: 200 }), [
      ['session', session => session.session_id],
      ['person', session => printable(session.person)],
      ['kind', session => session.kind],
      ['rights', session => session.rights.join(',')],
      ['scopes', session => printable(session.scopes?.join(',') ?? 'all')],
      ['expires', session => session.expires_at],
      ['revoked', session => session.revoked_at ?? ''],
    ])
  sessions
    .command('revoke <tenant> <session>')
    .description('end a session, within a second on every node')
    .confirms((_tenantId, sessionId) => `End ${sessionId}`)
    .calls(
      'admin',
      ({ admin }, tenantId: string, sessionId: string) => admin.revokeSession(tenantId, sessionId),
      session => `The session of ${printable(session.person)} has ended.`,
    )
}
