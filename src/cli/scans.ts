/**
 * `concord documents words`, `correct`, `languages` and `recognise`: what was recognised in a scan or picture, what the page says instead, and
 * reading it again in other languages.
 */

import { sureRecognition } from '../contract/finding-words.js'
import type { AddCommand } from './command.js'
import { mostItems } from './command.js'
import { CommandError, exitCodes } from './command-error.js'
import { documentIn } from './meant-by.js'
import { printable } from './text-layout.js'

interface WordFlags {
  page?: number
  doubtful?: true
  limit: number
}

export const addScans: AddCommand = documents => {
  documents
    .command('words <case> <document>')
    .description(
      'what was recognised in a scan or picture: each word, its page, how sure its recognition was, and where it begins in which revision',
    )
    .option('--page <n>', 'only those of this page', mostItems)
    .option('--doubtful', `only those recognised with less than ${sureRecognition}`)
    .limited(200)
    .examples('concord documents words case-1 scan.pdf --doubtful')
    .runs(async ({ out, client: connect }, scopeId: string, given: string, { page, doubtful, limit }: WordFlags) => {
      const client = connect('tenant-key')
      const { document_id: documentId, revision } = await documentIn(client, scopeId, given)
      const query = { revision, page, below: doubtful && sureRecognition, limit: Math.min(limit, 200) }
      const words = await client.words(scopeId, documentId, query).toArray(limit)
      out.list(
        words.map(word => ({ ...word, revision })),
        [
          ['word', word => printable(word.text ?? ''), { max: 60 }],
          ['page', word => word.page],
          ['sure', word => `${Math.round(word.confidence * 100)} %`],
          ['start', word => word.start],
          ['revision', word => word.revision],
        ],
        doubtful ? 'No word is in doubt.' : 'Nothing was recognised in it.',
      )
    })
  documents
    .command('correct <case> <document> <start> <text>')
    .description('a word of a scan that was misread, by where it begins (see `documents words`), as the page says it')
    // Taken from the list: in a newer revision another word may begin there.
    .requiredOption('--revision <n>', 'the one it begins there in (see `documents words`)', mostItems)
    .examples('concord documents correct case-1 scan.pdf 38 "13,500" --revision 1')
    .decides(
      { keptWith: 'revision', who: 'who read the page', isReasonNeeded: false },
      async (client, said, scopeId: string, given: string, start: string, text: string, { revision }: { revision: number }) => {
        const { document_id: documentId } = await documentIn(client, scopeId, given)
        return client.correctWord(scopeId, documentId, { revision, start: placeIn(start), text, ...said })
      },
      record => `${printable(record.document_id)} has revision ${record.revision}: ${printable(record.provenance ?? '')}`,
    )
  documents
    .command('languages')
    .description('languages that scans can be read in')
    .examples('concord documents languages')
    .runs(async ({ out, client }) => {
      const known = await client('tenant-key').scanLanguages()
      out.show(known, () =>
        out.lines(
          out.rows(known.languages, [
            ['language', each => each.language],
            ['name', each => printable(each.name)],
            ['', each => each.install ?? (known.default.includes(each.language) ? 'in use' : 'installed')],
          ]),
        ),
      )
    })
  documents
    .command('recognise <case> <document> <languages>')
    .description('read a scan again in other languages, parted by + (see `documents languages`)')
    .examples('concord documents recognise case-1 scan.pdf deu+eng')
    .decides(
      { keptWith: 'revision', who: 'who wants it', isReasonNeeded: false },
      async (client, said, scopeId: string, given: string, languages: string) => {
        const { document_id: documentId } = await documentIn(client, scopeId, given)
        return client.recogniseAgain(scopeId, documentId, { languages: languages.split('+'), ...said })
      },
      record => `${printable(record.document_id)} is read again as revision ${record.revision}.`,
    )
}

function placeIn(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new CommandError(`${text} is not where a word begins`, { next: 'see `concord documents words`', exitCode: exitCodes.usage })
}
