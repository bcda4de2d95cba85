/** `concord sessions`: people of a tenant who are signed in, and ending a session. */

import { confirm } from './confirm.js'
import { type AddCommand, shellOf } from './shell.js'
import { printable } from './text-layout.js'

export const addSessions: AddCommand = (program, context) => {
  const sessions = program
    .command('sessions')
    .description('people of a tenant who are signed in')
    .examples('concord sessions list ten_…', 'concord sessions revoke ten_… ses_… --yes')
  sessions
    .command('list <tenant>')
    .description('list the sessions that have not expired')
    .action(async (tenantId: string, _options, command) => {
      const { out, client } = shellOf(command, context)
      const items = await client('admin').admin.sessions(tenantId, { limit: 200 }).toArray()
      out.show(items, () =>
        out.table(items, [
          ['session', session => session.session_id],
          ['person', session => printable(session.person)],
          ['kind', session => session.kind],
          ['rights', session => session.rights.join(',')],
          ['scopes', session => printable(session.scopes?.join(',') ?? 'all')],
          ['expires', session => session.expires_at],
          ['revoked', session => session.revoked_at ?? ''],
        ]),
      )
    })
  sessions
    .command('revoke <tenant> <session>')
    .description('end a session, within a second on every node')
    .option('-y, --yes', 'do not ask')
    .action(async (tenantId: string, sessionId: string, { yes }: { yes?: boolean }, command) => {
      const { out, client } = shellOf(command, context)
      const { admin } = client('admin')
      await confirm(`End ${sessionId}`, yes)
      const session = await admin.revokeSession(tenantId, sessionId)
      out.show(session, () => out.line(`The session of ${printable(session.person)} has ended.`))
    })
}
