/** `concord sessions`: people of a tenant who are signed in, and ending a session. */

import { confirm } from './confirm.js'
import { examples } from './help-text.js'
import { type AddCommand, shellOf } from './shell.js'
import { printable, table } from './text-layout.js'

export const addSessions: AddCommand = (program, context) => {
  const sessions = program
    .command('sessions')
    .description('people of a tenant who are signed in')
    .addHelpText('after', examples('concord sessions list ten_…', 'concord sessions revoke ten_… ses_… --yes'))
  sessions
    .command('list <tenant>')
    .description('list the sessions that have not expired')
    .action(async (tenantId: string, _options, command) => {
      const { out, client } = shellOf(command, context)
      const items = await client('admin').admin.sessions(tenantId, { limit: 200 }).toArray()
      out.show(items, () => {
        const rows = items.map(session => [
          session.session_id,
          printable(session.person),
          session.kind,
          session.rights.join(','),
          printable(session.scopes?.join(',') ?? 'all'),
          session.expires_at,
          session.revoked_at ?? '',
        ])
        const columns = ['session', 'person', 'kind', 'rights', 'scopes', 'expires', 'revoked'].map(title => ({ title }))
        out.lines(table(columns, rows, out.colors.dim))
      })
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
