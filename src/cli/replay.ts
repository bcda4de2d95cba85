/** `concord replay`: computes a scope again from its documents and compares every decision with what was recorded. */

import { countOf, stepWords } from '../contract/field-words.js'
import type { ReplayReport } from '../pipeline/replay/replay-report.js'
import { sha256 } from '../platform/digest.js'
import type { Database } from '../store/server/database.js'
import type { AddCommand } from './command.js'
import { CommandError, exitCodes } from './command-error.js'
import { localShellOf } from './local-config.js'

export const addReplay: AddCommand = program => {
  program
    .command('replay <case>')
    .description('compute a case again from its documents and compare (reads the database, not the service)')
    .examples('concord replay case-1', 'concord replay case-1 --tenant-id ten_… --data-dir /var/lib/concord')
    .runs(async (shell, scopeId: string) => {
      const { out } = shell
      const { tenantId, tenantKey } = shell.settings
      if (tenantId === undefined && tenantKey === undefined)
        throw new CommandError('no tenant is known', {
          next: 'add --tenant-id or --tenant-key, or name a --profile',
          exitCode: exitCodes.usage,
        })
      const [{ withExistingDatabase }, { replayScope }] = await Promise.all([
        import('../store/server/existing-storage.js'),
        import('../pipeline/replay/replay.js'),
      ])
      const report = await withExistingDatabase(localShellOf(shell), async db =>
        replayScope(db, { tenantId: tenantId ?? (await tenantOf(db, tenantKey ?? '')), scopeId }),
      )
      if (report === undefined) throw new CommandError(`there is no case ${scopeId}`, { next: '`concord scopes` lists them' })
      out.show(report, () => {
        const { reconciled, read, notRead } = report.documents
        out.line(
          `${report.rounds} steps and ${report.decisions} decisions computed again; ${countOf(reconciled, 'reading')} of documents compared again, ${read} of them read again from the text.`,
        )
        const reasons = notReadWords(notRead)
        if (report.decisionsErased > 0)
          out.line(`Not decided again, because their words were erased: ${report.decisionsErased} decisions; the chain holds.`)
        if (reasons.length > 0) out.line(`Not read again, of all readings of documents: ${reasons.join(', ')}.`)
        const { difference } = report
        if (difference === null && report.complete) return out.line(out.colors.green('Everything is as it was recorded.'))
        if (difference === null) {
          const left = notRead.erased + notRead.otherReader + notRead.readAgain + notRead.afterLoss
          return out.line(
            out.colors.yellow(
              `What could be computed again is as it was recorded; ${countOf(left, 'reading')} of documents could not be compared again.`,
            ),
          )
        }
        out.line(
          out.colors.red(
            `Step ${difference.round} (${stepWords(difference.kind)} ${difference.documentId ?? ''}) differs in ${difference.member}:`,
          ),
        )
        out.lines([`  recorded  ${difference.recorded}`, `  computed  ${difference.computed}`])
      })
      return report.ok ? exitCodes.done : exitCodes.failed
    })
}

type NotRead = ReplayReport['documents']['notRead']

/** Each revision that was read is one reading, and so is each time it was read again. */
const whyNotRead: Record<keyof NotRead, string> = {
  erased: 'whose document was erased',
  otherReader: 'by another version of the reader',
  readAgain: 'that a later reading replaced',
  afterLoss: 'that came after one of these',
  textRemoved: 'whose text is past its time',
  otherExtractor: 'whose text another version of the program made',
  unchanged: 'with the same text as before',
}

export function notReadWords(notRead: NotRead): string[] {
  return (Object.keys(whyNotRead) as (keyof NotRead)[]).filter(why => notRead[why] > 0).map(why => `${notRead[why]} ${whyNotRead[why]}`)
}

/** As the database knows it, for no service is asked. */
async function tenantOf(db: Database, key: string): Promise<string> {
  const { findKeyOwners } = await import('../store/tenants/tenants.js')
  const [owner] = await findKeyOwners(db, [sha256(key)])
  if (owner === undefined)
    throw new CommandError('the database knows no tenant with this key', {
      next: 'name the tenant with --tenant-id',
      exitCode: exitCodes.usage,
    })
  return owner.tenant_id
}
