/**
 * `concord export`: what a scope holds and what was decided about it, one JSON object a line: `{"kind": …, "record": …}`, without
 * comments, texts, glossary and earlier certificates. The last line has the kind `end` and the counts, so that a cut-off file is noticed.
 */

import type { Client } from '../client/client.js'
import type { AddCommand } from './command.js'
import { writeLines } from './json-lines.js'
import { undefinedWhenMissing } from './undefined-when-missing.js'

export const addExport: AddCommand = program => {
  program
    .command('export <case>')
    .description('summary, documents, statements, findings, decisions, sign-offs, legal holds and the newest certificate as lines of JSON')
    .option('-o, --output <file>', 'write to a file instead of standard output')
    .examples('concord export case-1 -o case-1.jsonl', 'concord export case-1 | jq \'select(.kind == "claim").record.quote\'')
    .runs(async ({ out, client }, scopeId: string, { output }: { output?: string }) => {
      const lines = await writeLines(withCounts(recordsOf(client('tenant-key'), scopeId)), output)
      if (output !== undefined) out.note(`${lines - 1} records in ${output}`)
    })
}

interface Line {
  kind: string
  record: unknown
}

async function* withCounts(lines: AsyncIterable<Line>): AsyncGenerator<Line> {
  const counts: Record<string, number> = {}
  for await (const line of lines) {
    counts[line.kind] = (counts[line.kind] ?? 0) + 1
    yield line
  }
  yield { kind: 'end', record: counts }
}

async function* recordsOf(client: Client, scopeId: string): AsyncGenerator<Line> {
  yield { kind: 'summary', record: await client.summary(scopeId) }
  for await (const record of client.documents(scopeId, { limit: 200 })) yield { kind: 'document', record }
  for await (const record of client.claims(scopeId, { state: 'all', limit: 200 })) yield { kind: 'claim', record }
  for await (const record of client.contradictions(scopeId, { status: 'all', limit: 200 })) yield { kind: 'contradiction', record }
  for await (const record of client.possibleConflicts(scopeId, { status: 'all', limit: 200 })) yield { kind: 'possible_conflict', record }
  for await (const record of client.supersessions(scopeId, { limit: 200 })) yield { kind: 'supersession', record }
  for await (const record of client.decisions(scopeId, { limit: 200 })) yield { kind: 'decision', record }
  for await (const record of client.signOffs(scopeId, { limit: 200 })) yield { kind: 'sign_off', record }
  for await (const record of client.holds(scopeId, { limit: 200 })) yield { kind: 'legal_hold', record }
  const certificate = await client.certificate(scopeId).catch(undefinedWhenMissing)
  if (certificate !== undefined) yield { kind: 'certificate', record: certificate }
}
