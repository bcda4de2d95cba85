/** `concord tenants export` and `import`: everything a tenant owns as lines of JSON, from one installation to another. */

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { linesOf } from '../platform/file-lines.js'
import type { Command } from './command.js'
import { CommandError } from './command-error.js'
import { localShellOf } from './local-config.js'

/** Texts and originals are kept in pieces far below this. */
const longestLine = 64 * 1024 * 1024

export function addTenantMoves(tenants: Command): void {
  tenants
    .command('export <tenant> <file>')
    .description('write everything a tenant owns into a file of JSON lines, compressed when its name ends in .gz; needs the database')
    .examples('concord tenants export ten_… northwind.ndjson.gz')
    .runs(async (shell, tenantId: string, file: string) => {
      const { out } = shell
      const path = resolve(file)
      if (existsSync(path)) throw new CommandError(`${path} exists already`, { next: 'name a new file' })
      const [{ exportTenant }, { withExistingDatabase }] = await Promise.all([
        import('../store/maintenance/tenant-export.js'),
        import('../store/server/existing-storage.js'),
      ])
      const moved = await intoFile(path, write => withExistingDatabase(localShellOf(shell), db => exportTenant(db, tenantId, write)))
      out.show({ file: path, ...moved }, () =>
        out.lines([
          `${total(moved.rows)} rows of ${tenantId} as of ${moved.exported_at} are in ${path}.`,
          out.hint('It holds every text: keep it as safe as the database.'),
        ]),
      )
    })
  tenants
    .command('import <file>')
    .description('read a tenant that was exported into a service that has never had it; needs the database')
    .examples('concord tenants import northwind.ndjson.gz')
    .runs(async (shell, file: string) => {
      const { out } = shell
      const path = resolve(file)
      if (!existsSync(path)) throw new CommandError(`${path} is not there`, { next: 'name the file that `concord tenants export` wrote' })
      const [{ importTenant }, { withExistingDatabase }, { effectiveState, wholeTenant }] = await Promise.all([
        import('../store/maintenance/tenant-import.js'),
        import('../store/server/existing-storage.js'),
        import('../store/runtime/runtime.js'),
      ])
      const { moved, state } = await withExistingDatabase(localShellOf(shell), async db => {
        const moved = await importTenant(db, linesOf(path, longestLine))
        const tenant = { tenantId: moved.tenant_id, scopeNo: wholeTenant }
        return { moved, state: await db.engine(tx => effectiveState(tx, tenant), { readOnly: true }) }
      })
      out.show(moved, () =>
        out.lines([
          `${moved.tenant_id} is here as of ${moved.exported_at}, with ${total(moved.rows)} rows. Its keys are good here too.`,
          out.hint('`concord verify` checks it.'),
          ...(state === 'running'
            ? []
            : [
                out.hint(
                  `It is ${state}, as it was: with its key and the admin key \`concord runtime ${state === 'paused' ? 'resume' : 'start'} --tenant\` goes on.`,
                ),
              ]),
        ]),
      )
    })
}

function total(rows: Record<string, number>): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0)
}

/** A file that is not whole is not left behind. A place where none can be is noticed before anything else begins. */
async function intoFile<T>(path: string, work: (write: (line: string) => Promise<void>) => Promise<T>): Promise<T> {
  const file = (await open(path, 'wx', 0o600)).createWriteStream({ flush: true })
  const lines = new PassThrough()
  const written = path.endsWith('.gz') ? pipeline(lines, createGzip(), file) : pipeline(lines, file)
  // It may fail while the next lines are read: then the next of them meets it.
  written.catch(() => undefined)
  try {
    const result = await work(async line => {
      if (!lines.write(`${line}\n`)) await Promise.race([once(lines, 'drain'), written])
    })
    lines.end()
    await written
    return result
  } catch (error) {
    lines.destroy()
    await Promise.allSettled([written])
    await rm(path, { force: true })
    throw error
  }
}
