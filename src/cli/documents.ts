/** `concord documents`: the documents of a scope, what became of them, and taking one out or erasing it. */

import { Option } from 'commander'
import { documentState, statusWords } from '../contract/field-words.js'
import { holdWords } from '../contract/hold-words.js'
import type { Schema } from '../contract/types.js'
import { type AddCommand, confirm } from './command.js'
import { CommandError, exitCodes } from './command-error.js'
import { documentIn } from './meant-by.js'
import type { Output } from './output.js'
import { moment } from './report/wording.js'
import { addScans } from './scans.js'
import { printable, printableText } from './text-layout.js'

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

export const addDocuments: AddCommand = program => {
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
  documents
    .command('list <case>', { isDefault: true })
    .description('list them')
    .examples('concord documents list case-1 --status quarantined')
    .addOption(new Option('--status <status>', 'only these').choices(statuses))
    .option('--read-without-model', 'only those a model was to be asked about and gave no whole answer')
    .limited(200)
    .lists(
      'tenant-key',
      (client, scopeId: string, { status, readWithoutModel, limit }: Flags) =>
        client.documents(scopeId, { status, read_without_model: readWithoutModel, limit: Math.min(limit, 200) }),
      [
        ['document', item => printable(item.document_id), { max: 40 }],
        ['name', item => printable(item.name ?? ''), { max: 40 }],
        ['revision', item => item.revision],
        ['state', documentState],
        ['statements', item => item.counts.claims],
        ['tries', item => item.attempts],
        ['examined', item => printable(item.compared_by.words), { max: 40 }],
        ['legal hold', item => (item.legal_hold === null ? '' : `of the ${item.legal_hold.of}`)],
        ['reason', item => printable(item.reason ?? (sameLine(item) || unanswered(item)))],
      ],
    )
  documents
    .command('show <case> <document>')
    .description('everything known about one')
    .examples('concord documents show case-1 report.txt', 'concord documents show case-1 file-3f2a --text')
    .option('--text', 'its text as submitted, and nothing else')
    .runs(async ({ out, client: connect }, scopeId: string, given: string, { text }: { text?: boolean }) => {
      const client = connect('tenant-key')
      const record = await documentIn(client, scopeId, given)
      if (!text) return out.show(record, () => out.lines(recordLines(record, out)))
      const words = await client.documentText(scopeId, record.document_id)
      out.show({ document_id: record.document_id, revision: record.revision, text: words }, () =>
        // A file or a pipe gets the text byte by byte.
        out.line(out.isTerminal ? printableText(words) : words),
      )
    })
  addScans(documents)
  documents
    .command('cancel <case> <document>')
    .description('take one out of the queue: it will not be read')
    .examples('concord documents cancel case-1 report.txt --reason "The wrong file."')
    .decides(
      { keptWith: 'document', who: 'who cancels' },
      async (client, said, scopeId: string, given: string) =>
        client.cancelDocument(scopeId, (await documentIn(client, scopeId, given)).document_id, said),
      record => `${printable(record.document_id)} is ${statusWords(record.status)}: ${printable(record.reason ?? '')}`,
    )
  documents
    .command('model <case> <document> [reading]')
    .description(
      'what models were shown of one and what it cost; `off` keeps it from them, `on` lets them read it again (needs the admin key)',
    )
    .examples('concord documents model case-1 report.txt', 'concord documents model case-1 report.txt off')
    .runs(async ({ out, client: connect }, scopeId: string, given: string, reading?: string) => {
      if (reading !== undefined && reading !== 'on' && reading !== 'off') {
        throw new CommandError(`${reading} is neither on nor off`, { exitCode: exitCodes.usage })
      }
      const { document_id: documentId } = await documentIn(connect('tenant-key'), scopeId, given)
      const use =
        reading === undefined
          ? await connect('tenant-key').documentModel(scopeId, documentId)
          : await connect('admin+tenant-key').admin.setDocumentModel(scopeId, documentId, reading)
      out.show(use, () => out.lines(modelLines(use, out)))
    })
  documents
    .command('delete <case> <document>')
    .description('erase its text, its quotes and its name; hashes and decisions stay')
    .examples('concord documents delete case-1 file-3f2a --yes')
    .option('-y, --yes', 'do not ask')
    .runs(async ({ out, client: connect }, scopeId: string, given: string, { yes }: { yes?: boolean }) => {
      const client = connect('tenant-key')
      const { document_id: documentId, part_of: mail } = await documentIn(client, scopeId, given)
      const but = mail === null ? '' : `; the original of ${printable(mail)}, in which it came, holds it still until that is erased as well`
      await confirm(`erase every word of ${printable(documentId)}${but}`, yes)
      const record = await client.eraseDocument(scopeId, documentId)
      out.show(record, () => {
        out.line(`${printable(documentId)} is erased; ${record.claims_erased} statements no longer count.`)
        for (const id of record.still_held_by ?? [])
          out.line(
            out.colors.yellow(
              `The original of ${printable(id)} holds it still: \`concord documents delete ${printable(scopeId)} ${printable(id)}\` erases that.`,
            ),
          )
      })
    })
}

function modelLines(
  { document_id: documentId, model, off_since, tokens, sent }: Schema['DocumentModel'],
  { rows, colors }: Output,
): string[] {
  const state = model === 'on' ? 'Models may read it.' : `No model is shown it since ${moment(off_since)}.`
  return [
    `${colors.bold(printable(documentId))}  ${state}`,
    `${tokens.prompt.toLocaleString('en')} tokens were asked about it, ${tokens.completion.toLocaleString('en')} answered.`,
    ...rows(sent, [
      ['shown when read', item => printable(item.document_id), { max: 40 }],
      ['revision', item => item.revision],
      ['beside', item => (item.whole_case === null ? '' : item.whole_case ? 'the whole case' : 'the nearest passages')],
      ['to', item => printable(item.model)],
      ['at', item => moment(item.at)],
    ]),
  ]
}

function sameLine({ same_as: same }: Schema['Document']): string {
  return same.length === 0 ? '' : `the same file as ${same.join(', ')}`
}

function unanswered({ model }: Schema['Document']): string {
  return model === null || model === 'answered' ? '' : `read without the model: ${model}`
}

function recordLines(record: Schema['Document'], { colors }: Output): string[] {
  const { timings, counts, file } = record
  const facts: [string, string | null][] = [
    ['name', record.name],
    ['state', `${documentState(record)}${record.reason === null ? '' : `: ${record.reason}`}`],
    ['revision', `${record.revision}${record.unchanged ? ', text unchanged' : ''}`],
    ['type', record.type],
    ['source', record.source],
    ['about', record.about],
    ['reference', record.provenance],
    ['part of', record.part_of],
    ['same as', record.same_as.length === 0 ? null : record.same_as.join(', ')],
    ['examined', record.compared_by.words],
    ['found', `${counts.claims} statements, ${counts.contradictions} contradictions when it was read`],
    ['received', timings.received_at],
    ['finished', timings.finished_at],
    ['attempts', String(record.attempts)],
    ['file', file === null ? null : `${file.media_type}, ${file.bytes} bytes${file.kept ? '' : ', original not kept'}`],
    ...(file?.notes ?? []).map((note, index): [string, string] => [index === 0 ? 'notes' : '', note]),
    ['SHA-256', file === null ? record.content_hash : `${file.sha256} of the file`],
    ['', file === null || record.content_hash === null ? null : `${record.content_hash} of its text`],
    ['held', record.legal_hold === null ? null : holdWords(record.legal_hold, 'document', moment)],
    ['erased', record.erased_at],
  ]
  const shown = facts.filter((fact): fact is [string, string] => fact[1] !== null)
  return [colors.bold(printable(record.document_id)), ...shown.map(([what, value]) => `  ${what.padEnd(9)} ${printable(value)}`)]
}
