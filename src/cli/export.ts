/**
 * `concord export`: everything the API tells of a scope, one JSON object a line: `{"kind": …, "record": …}`. The last line
 * has the kind `end` and the counts, so that a cut-off file is noticed.
 */

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Client } from '../client/client.js'
import { type AddCommand, shellOf } from './shell.js'
import { undefinedWhenMissing } from './undefined-when-missing.js'

export const addExport: AddCommand = (program, context) => {
  program
    .command('export <scope>')
    .description('summary, documents, claims, findings, decisions and certificate as lines of JSON')
    .option('-o, --output <file>', 'write to a file instead of standard output')
    .examples('concord export case-1 -o case-1.jsonl', 'concord export case-1 | jq \'select(.kind == "claim").record.quote\'')
    .action(async (scopeId: string, options: { output?: string }, command) => {
      const shell = shellOf(command, context)
      const target = options.output === undefined ? process.stdout : createWriteStream(options.output, { mode: 0o600 })
      const counts: Record<string, number> = {}
      for await (const { kind, record } of recordsOf(shell.client('tenant-key'), scopeId)) {
        counts[kind] = (counts[kind] ?? 0) + 1
        if (!target.write(`${JSON.stringify({ kind, record })}\n`)) await once(target, 'drain')
      }
      target.write(`${JSON.stringify({ kind: 'end', record: counts })}\n`)
      if (options.output === undefined) return
      target.end()
      await once(target, 'finish')
      shell.out.note(`${Object.values(counts).reduce((sum, count) => sum + count, 0)} records in ${options.output}`)
    })
}

async function* recordsOf(client: Client, scopeId: string): AsyncGenerator<{ kind: string; record: unknown }> {
  yield { kind: 'summary', record: await client.summary(scopeId) }
  for await (const record of client.documents(scopeId, { limit: 200 })) yield { kind: 'document', record }
  for await (const record of client.claims(scopeId, { state: 'all', limit: 200 })) yield { kind: 'claim', record }
  for await (const record of client.contradictions(scopeId, { status: 'all', limit: 200 })) yield { kind: 'contradiction', record }
  for await (const record of client.possibleConflicts(scopeId, { status: 'all', limit: 200 })) yield { kind: 'possible_conflict', record }
  for await (const record of client.supersessions(scopeId, { limit: 200 })) yield { kind: 'supersession', record }
  for await (const record of client.decisions(scopeId, { limit: 200 })) yield { kind: 'decision', record }
  const certificate = await client.certificate(scopeId).catch(undefinedWhenMissing)
  if (certificate !== undefined) yield { kind: 'certificate', record: certificate }
}
