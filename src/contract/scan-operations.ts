/** Scans and pictures: the words that were recognised in them, with their places on the page. */

import { Type } from '../platform/schema.js'
import { Count, Nullable, PageOf, pageQuery, RecordOf } from './common.js'
import { namedDocument, revision } from './documents.js'
import { defineOperations, forTenants } from './operation.js'

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

export const RecognisedWord = RecordOf('RecognisedWord', {
  page: Type.Integer({ minimum: 1 }),
  start: { ...Count, description: 'Where it begins in the text of the document; counts code points, as `start` of claims does.' },
  end: Count,
  text: Nullable(Type.String({ description: 'Null once the text is past its time.' })),
  confidence: share('How sure its recognition was; below 0.8 it says so wherever it is quoted.'),
  left: share('Of the page as it is shown, from its left; `top` from its top. Likewise `width` and `height`.'),
  top: share('From the top of the page.'),
  width: share('Of the width of the page.'),
  height: share('Of the height of the page.'),
})
export const RecognisedWordPage = PageOf('RecognisedWordPage', RecognisedWord)

export const scanOperations = defineOperations(forTenants('Documents'), {
  listWords: {
    route: 'GET /api/documents/{documentId}/words',
    summary: 'List the words that were recognised in a scan or picture',
    description:
      'In the order of the text, with the rectangle of each on its page and how sure its recognition was. None for a document whose text was not recognised here.',
    seen: 'document',
    query: Type.Object({
      ...namedDocument,
      revision,
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Only those of this page of the file.' })),
      below: Type.Optional(share('Only words whose recognition was less sure than this.')),
      ...pageQuery,
    }),
    success: { status: 200, description: 'A page of words.', schema: RecognisedWordPage },
  },
})
