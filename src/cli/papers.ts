/** `concord schedule` and `concord bundle`: what is handed on of a case, as files. */

import { createWriteStream, renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from '../client/client.js'
import { ProblemError } from '../client/problem-error.js'
import type { AddCommand } from './command.js'

interface ScheduleFlags {
  output?: string
  format?: 'docx' | 'xlsx'
  status?: 'open' | 'resolved' | 'dismissed' | 'all'
}

/** A transfer that breaks off this often without a byte in between is given up. */
const attempts = 5

export const addSchedule: AddCommand = program => {
  program
    .command('schedule <scope>')
    .description('the schedule of contradictions as Word or Excel: both quotes, where they stand, what was decided and why')
    .option('-o, --output <file>', 'where to write it; its ending says which of the two')
    .option('--format <docx|xlsx>', 'Word or Excel')
    .option('--status <open|resolved|dismissed|all>', 'these alone')
    .examples('concord schedule case-1 -o case-1.docx', 'concord schedule case-1 --status open')
    .runs(async ({ out, client }, scopeId: string, { output, format, status }: ScheduleFlags) => {
      const wanted = format ?? (output?.toLowerCase().endsWith('.docx') ? 'docx' : 'xlsx')
      const blob = await client('tenant-key').schedule(scopeId, { format: wanted, ...(status === undefined ? {} : { status }) })
      const file = resolve(output ?? `${scopeId}-contradictions.${wanted}`)
      writeFileSync(file, Buffer.from(await blob.arrayBuffer()))
      out.show({ file, bytes: blob.size, format: wanted }, () => out.line(`Written to ${file}.`))
    })
}

export const addBundle: AddCommand = program => {
  program
    .command('bundle <scope>')
    .description('what is handed on of a case in one archive: schedule, cited papers, certificate, keys and how to verify them')
    .option('-o, --output <file>', 'where to write it')
    .examples('concord bundle case-1 -o case-1.zip')
    .runs(async ({ out, client }, scopeId: string, { output }: { output?: string }) => {
      const file = resolve(output ?? `${scopeId}.zip`)
      const bytes = await fetchWhole(client('tenant-key'), scopeId, `${file}.part`)
      // Whoever finds a file of the name finds all of it.
      renameSync(`${file}.part`, file)
      out.show({ file, bytes }, () => out.line(`Written to ${file}: ${bytes} bytes.`))
    })
}

/** Goes on where the line broke; a case that changed meanwhile begins anew. */
async function fetchWhole(client: Client, scopeId: string, file: string): Promise<number> {
  let bytes = 0
  let etag: string | null = null
  for (let failed = 0; ; ) {
    const before = bytes
    try {
      const { stream, etag: given, isRest } = await client.bundle(scopeId, { from: bytes, etag })
      if (!isRest) bytes = 0
      etag = given
      const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          bytes += chunk.length
          yield chunk
        }
      }
      await pipeline(Readable.fromWeb(stream as never), counted, createWriteStream(file, { flags: isRest ? 'a' : 'w' }))
      return bytes
    } catch (error) {
      failed = bytes > before ? 1 : failed + 1
      if (error instanceof ProblemError || failed >= attempts) throw error
    }
  }
}
