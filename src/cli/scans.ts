/** `concord documents words`: what was recognised in a scan or picture, word by word. */

import type { AddCommand } from './command.js'
import { mostItems } from './command.js'
import { documentIn } from './meant-by.js'
import { printable } from './text-layout.js'

interface WordFlags {
  page?: number
  doubtful?: true
  limit: number
}

/** Below this a word says so wherever it is quoted. */
const sure = 0.8

export const addScans: AddCommand = documents => {
  documents
    .command('words <scope> <document>')
    .description('what was recognised in a scan or picture: each word, its page and how sure its recognition was')
    .option('--page <n>', 'only those of this page', mostItems)
    .option('--doubtful', `only those recognised with less than ${sure}`)
    .limited(200)
    .examples('concord documents words case-1 scan.pdf --doubtful')
    .runs(async ({ out, client: connect }, scopeId: string, given: string, { page, doubtful, limit }: WordFlags) => {
      const client = connect('tenant-key')
      const { document_id: documentId, revision } = await documentIn(client, scopeId, given)
      const query = { revision, page, below: doubtful && sure, limit: Math.min(limit, 200) }
      out.list(
        await client.words(scopeId, documentId, query).toArray(limit),
        [
          ['word', word => printable(word.text ?? ''), { max: 60 }],
          ['page', word => word.page],
          ['sure', word => `${Math.round(word.confidence * 100)} %`],
          ['start', word => word.start],
        ],
        doubtful ? 'No word is in doubt.' : 'Nothing was recognised in it.',
      )
    })
}
