/** Scans and pictures: the words that were recognised in them, with their places on the page, correcting one, and reading all again. */

import { Type } from '../platform/schema.js'
import { Count, closed, Nullable, PageOf, pageQuery, RecordOf } from './common.js'
import { DocumentRecord, namedDocument, revision } from './documents.js'
import { judgement } from './findings.js'
import { defineOperations, forTenants } from './operation.js'

/** A line with something to be seen in it: blanks up to that, then anything. No character fits both before and at it, so that it is found in one pass. */
const lineOfWords =
  '^[^\\S\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029][^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$'

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
  corrected: Type.Boolean({ description: 'A person read it on the page: in this revision or one before.' }),
})
export const RecognisedWordPage = PageOf('RecognisedWordPage', RecognisedWord)

export const WordCorrection = Type.Object(
  {
    revision: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The revision that was looked at; refused when there is a newer one.',
    }),
    start: { ...Count, maximum: 2_147_483_647, description: 'Where the word begins, as in the list of words.' },
    text: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: lineOfWords,
      description: 'What the page says there. The same as was recognised: it was read rightly.',
    }),
    by: judgement.by,
    reason: Type.Optional(judgement.reason),
  },
  { $id: 'WordCorrection', ...closed, examples: [{ revision: 1, start: 38, text: '13,500', by: 'j.doe' }] },
)

const Language = Type.String({
  maxLength: 3,
  pattern: '^[a-z]{3}$',
  examples: ['deu'],
  description: 'Its three letters, as ISO 639-2 has them.',
})

export const ScanLanguages = RecordOf('ScanLanguages', {
  default: Type.Array(Language, { description: 'What scans are taken to be in where nothing else is said.' }),
  languages: Type.Array(
    RecordOf('ScanLanguage', {
      language: Language,
      name: Type.String({ examples: ['German'] }),
      installed: Type.Boolean(),
      install: Nullable(Type.String({ description: 'How the operator installs it; null where it is.' })),
    }),
    { description: 'Those that are installed, and some that are not.' },
  ),
})

export const RecogniseRequest = Type.Object(
  {
    languages: Type.Array(Language, { minItems: 1, maxItems: 4, uniqueItems: true, description: 'The most frequent first.' }),
    by: judgement.by,
    reason: Type.Optional(judgement.reason),
  },
  { $id: 'RecogniseRequest', ...closed, examples: [{ languages: ['deu', 'eng'], by: 'j.doe' }] },
)

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
  correctWord: {
    audited: true,
    route: 'POST /api/documents/{documentId}/corrections',
    summary: 'Correct a word that was misread in a scan',
    seen: 'document',
    description:
      'Makes a new revision with the word as the page says it, which is then as sure as who read it; places of the other words stay, and so does the picture. `provenance` of the revision says who corrected what, and why.',
    query: Type.Object(namedDocument),
    body: { schema: WordCorrection, required: true },
    success: { status: 202, description: 'The record of the new revision, queued.', schema: DocumentRecord },
    refusals: ['STATE_CONFLICT', 'QUOTA_EXCEEDED'],
  },
  listScanLanguages: {
    route: 'GET /api/scan-languages',
    summary: 'List the languages that scans can be read in',
    success: { status: 200, description: 'The languages.', schema: ScanLanguages },
  },
  recogniseAgain: {
    audited: true,
    route: 'POST /api/documents/{documentId}/recognition',
    summary: 'Read a scan again, in other languages',
    description:
      'Makes a new revision whose pages are recognised anew in these languages; words that were corrected before are read anew as well. A language that is not installed is refused with how to install it.',
    query: Type.Object(namedDocument),
    body: { schema: RecogniseRequest, required: true },
    success: { status: 202, description: 'The record of the new revision, queued.', schema: DocumentRecord },
    refusals: ['STATE_CONFLICT'],
  },
})
