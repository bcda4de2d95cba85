/** `concord schedule` and `concord bundle`: what is handed on of a case, as files. */

import { open, writeFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { Option } from 'commander'
import type { Client } from '../client/client.js'
import { wholeBundle } from '../client/whole-bundle.js'
import type { Schema } from '../contract/types.js'
import type { AddCommand } from './command.js'
import { CommandError, exitCodes } from './command-error.js'
import { documentIn } from './meant-by.js'
import { wholeFile } from './whole-file.js'

interface ScheduleFlags {
  output?: string
  format?: 'docx' | 'xlsx'
  status?: 'open' | 'resolved' | 'dismissed' | 'decided' | 'all'
  severity?: Schema['Severity']
  document?: string
  foundBy?: 'rules' | 'model' | 'person'
  assignedTo?: string
  search?: string
  knownAt?: string
}

export const addSchedule: AddCommand = program => {
  program
    .command('schedule <case>')
    .description('the schedule of contradictions as Word or Excel: both quotes, where they stand, what was decided and why')
    .option('-o, --output <file>', 'where to write it; its ending says which of the two')
    .addOption(new Option('--format <format>', 'Word or Excel').choices(['docx', 'xlsx']))
    .addOption(new Option('--status <status>', 'these alone').choices(['open', 'resolved', 'dismissed', 'decided', 'all']))
    .addOption(new Option('--severity <severity>', 'these alone').choices(['low', 'medium', 'high', 'critical']))
    .option('--document <document>', 'those in which this document is on a side: its id, the beginning of it or its name')
    .addOption(new Option('--found-by <whom>', 'who found them').choices(['rules', 'model', 'person']))
    .option('--assigned-to <person>', 'only those that this person is to look at')
    .option('--search <words>', 'only those that say this')
    .option('--known-at <time>', 'as they were known then')
    .examples('concord schedule case-1 -o case-1.docx', 'concord schedule case-1 --status open --severity high --found-by rules')
    .runs(async ({ out, client }, scopeId: string, flags: ScheduleFlags) => {
      const { output, format, document, status, severity } = flags
      const wanted = format ?? formatOf(output)
      const service = client('tenant-key')
      const document_id = document === undefined ? undefined : (await documentIn(service, scopeId, document)).document_id
      const more = { found_by: flags.foundBy, assigned_to: flags.assignedTo, q: flags.search, known_at: flags.knownAt }
      const blob = await service.schedule(scopeId, { format: wanted, status, severity, document_id, ...more })
      const file = resolve(output ?? `${scopeId}-contradictions.${wanted}`)
      const bytes = Buffer.from(await blob.arrayBuffer())
      await wholeFile(file, draft => writeFile(draft, bytes))
      out.show({ file, bytes: blob.size, format: wanted }, () => out.line(`Written to ${file}.`))
    })
}

function formatOf(output: string | undefined): 'docx' | 'xlsx' {
  const ending = extname(output ?? '').toLowerCase()
  if (ending === '.docx') return 'docx'
  if (ending === '.xlsx' || output === undefined) return 'xlsx'
  throw new CommandError(`${output} says neither Word nor Excel`, {
    next: 'let it end in .docx or .xlsx, or add --format',
    exitCode: exitCodes.usage,
  })
}

export const addBundle: AddCommand = program => {
  program
    .command('bundle <case>')
    .description('what is handed on of a case in one archive: schedule, cited papers, certificate, keys and how to verify them')
    .option('-o, --output <file>', 'where to write it')
    .examples('concord bundle case-1 -o case-1.zip')
    .runs(async ({ out, client }, scopeId: string, { output }: { output?: string }) => {
      const file = resolve(output ?? `${scopeId}.zip`)
      const service = client('tenant-key')
      const bytes = await wholeFile(file, draft => keepBundle(service, scopeId, draft))
      out.show({ file, bytes }, () => out.line(`Written to ${file}: ${bytes} bytes.`))
    })
}

async function keepBundle(client: Client, scopeId: string, file: string): Promise<number> {
  const kept = await open(file, 'a')
  let written = 0
  try {
    for await (const { at, bytes } of wholeBundle(client, scopeId)) {
      if (at === 0) await kept.truncate()
      await kept.appendFile(bytes)
      written = at + bytes.length
    }
  } finally {
    await kept.close()
  }
  return written
}
