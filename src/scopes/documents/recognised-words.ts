/** The words that were recognised in a scan or picture, each with its place in the text and on the page. */

import type { Static } from 'typebox'
import type { RecognisedWord } from '../../contract/scan-operations.js'
import { listWordRows, readSlice, type WordRow } from '../../store/documents/recognised-pages.js'
import type { PageRequest } from '../cursors.js'
import type { ScopesDeps } from '../deps.js'
import { listInScope } from '../scope-list.js'
import type { Page } from '../types.js'
import { type GetDocumentInput, requireDocument } from './documents.js'

export interface ListWordsInput extends GetDocumentInput, PageRequest {
  page?: number | undefined
  below?: number | undefined
}

type Word = Static<typeof RecognisedWord>

export function listWords(deps: ScopesDeps, input: ListWordsInput): Promise<Page<Word>> {
  const { documentId, page = null, below = null } = input
  return listInScope(deps, input, {
    name: 'words',
    filters: [documentId, input.revision, page, below],
    async rows(tx, scope, { after, limit }) {
      const document = { documentId, revision: (await requireDocument(tx, scope, documentId, input.revision)).revision }
      const rows = await listWordRows(tx, scope, document, { page, below, after: (after?.[0] ?? null) as number | null, limit })
      const [first, last] = [rows[0], rows.at(-1)]
      if (first === undefined || last === undefined) return []
      const text = await readSlice(tx, scope, document, { from: first.start, to: last.start + last.length })
      const points = text === null ? null : [...text]
      return rows.map(row => toWord(row, points?.slice(row.start - first.start, row.start - first.start + row.length).join('') ?? null))
    },
    place: word => [word.start],
    shape: ['int4'],
    items: words => [...words],
  })
}

function toWord({ page, start, length, confidence, rectangle, corrected }: WordRow, text: string | null): Word {
  const [left = 0, top = 0, width = 0, height = 0] = rectangle.map(share => share / 10_000)
  return { page, start, end: start + length, text, confidence: confidence / 100, left, top, width, height, corrected }
}
