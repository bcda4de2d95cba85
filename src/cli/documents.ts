/** `concord documents`: the documents of a scope, what became of them, and taking one out or erasing it. */

import { Option } from 'commander'
import type { Schema } from '../client/index.js'
import { actingPerson } from './acting-person.js'
import type { Command } from './command.js'
import { confirm } from './confirm.js'
import { mostItems } from './limit-option.js'
import { documentIn } from './named-document.js'
import type { Output } from './output.js'
import { type AddCommand, type CommandContext, shellOf } from './shell.js'
import { printable } from './text-layout.js'

const statuses: Schema['DocumentStatus'][] = [
  'registered',
  'attached',
  'queued',
  'processing',
  'indexed',
  'held',
  'rejected',
  'quarantined',
]

interface Flags {
  status?: Schema['DocumentStatus']
  readWithoutModel?: true
  limit: number
}

export const addDocuments: AddCommand = (program, context) => {
  const documents = program
    .command('documents')
    .description('the documents of a case and their states')
    .examples(
      'concord documents case-1 --status held',
      'concord documents show case-1 report.txt --text',
      'concord documents cancel case-1 report.txt --reason "The wrong file."',
      'concord documents delete case-1 file-3f2a',
    )
    .addHelpText('after', '\nA document is named by its id, the beginning of its id, or its name.')
  addList(documents, context)
  addShow(documents, context)
  addCancel(documents, context)
  addDelete(documents, context)
}

function addList(documents: Command, context: CommandContext): void {
  documents
    .command('list <scope>', { isDefault: true })
    .description('list them')
    .addOption(new Option('--status <status>', 'only these').choices(statuses))
    .option('--read-without-model', 'only those a model was to be asked about and gave no whole answer')
    .option('-n, --limit <n>', 'most to show', mostItems, 200)
    .action(async (scopeId: string, { status, readWithoutModel, limit }: Flags, command) => {
      const { out, client } = shellOf(command, context)
      const items = await client('tenant-key')
        .documents(scopeId, { status, read_without_model: readWithoutModel, limit: Math.min(limit, 200) })
        .toArray(limit)
      out.show(items, () =>
        out.table(items, [
          ['document', item => printable(item.document_id), { max: 40 }],
          ['name', item => printable(item.name ?? ''), { max: 40 }],
          ['revision', item => item.revision],
          ['status', item => item.status],
          ['claims', item => item.counts.claims],
          ['tries', item => item.attempts],
          ['reason', item => printable(item.reason ?? unanswered(item))],
        ]),
      )
    })
}

function unanswered({ model }: Schema['Document']): string {
  return model === null || model === 'answered' ? '' : `read without the model: ${model}`
}

function addShow(documents: Command, context: CommandContext): void {
  documents
    .command('show <scope> <document>')
    .description('everything known about one')
    .option('--text', 'its text as submitted, and nothing else')
    .action(async (scopeId: string, given: string, { text }: { text?: boolean }, command) => {
      const { out, client: connect } = shellOf(command, context)
      const client = connect('tenant-key')
      const record = await documentIn(client, scopeId, given)
      if (text) {
        const words = await client.documentText(scopeId, record.document_id)
        return out.show({ document_id: record.document_id, revision: record.revision, text: words }, () => out.line(words))
      }
      out.show(record, () => out.lines(recordLines(record, out)))
    })
}

function recordLines(record: Schema['Document'], { colors }: Output): string[] {
  const { timings, counts, file } = record
  const facts: [string, string | null][] = [
    ['name', record.name],
    ['status', `${record.status}${record.reason === null ? '' : `: ${record.reason}`}`],
    ['revision', `${record.revision}${record.unchanged ? ', text unchanged' : ''}`],
    ['type', record.type],
    ['source', record.source],
    ['part of', record.part_of],
    ['found', `${counts.claims} claims, ${counts.contradictions} contradictions`],
    ['received', timings.received_at],
    ['finished', timings.finished_at],
    ['attempts', String(record.attempts)],
    ['file', file === null ? null : `${file.media_type}, ${file.bytes} bytes${file.kept ? '' : ', original not kept'}`],
    ['SHA-256', record.content_hash],
    ['erased', record.erased_at],
  ]
  const shown = facts.filter((fact): fact is [string, string] => fact[1] !== null)
  return [colors.bold(printable(record.document_id)), ...shown.map(([what, value]) => `  ${what.padEnd(9)} ${printable(value)}`)]
}

function addCancel(documents: Command, context: CommandContext): void {
  documents
    .command('cancel <scope> <document>')
    .description('take one out of the queue: it will not be read')
    .requiredOption('-r, --reason <reason>', 'why; kept with the document')
    .option('--by <name>', 'who cancels; otherwise your account')
    .action(async (scopeId: string, given: string, { reason, by }: { reason: string; by?: string }, command) => {
      const { out, client: connect, env } = shellOf(command, context)
      const client = connect('tenant-key')
      const { document_id: documentId } = await documentIn(client, scopeId, given)
      const record = await client.cancelDocument(scopeId, documentId, { reason, by: await actingPerson(by, client, env) })
      out.show(record, () => out.line(`${printable(documentId)} is ${record.status}: ${printable(record.reason ?? '')}`))
    })
}

function addDelete(documents: Command, context: CommandContext): void {
  documents
    .command('delete <scope> <document>')
    .description('erase its text, its quotes and its name; hashes and decisions stay')
    .option('-y, --yes', 'do not ask')
    .action(async (scopeId: string, given: string, { yes }: { yes?: boolean }, command) => {
      const { out, client: connect } = shellOf(command, context)
      const client = connect('tenant-key')
      const { document_id: documentId } = await documentIn(client, scopeId, given)
      await confirm(`erase every word of ${printable(documentId)}`, yes)
      const record = await client.eraseDocument(scopeId, documentId)
      out.show(record, () => out.line(`${printable(documentId)} is erased; ${record.claims_erased} claims no longer count.`))
    })
}
