/** A case as it was at a moment: as pages to read, as a signed document, and as a page to print. */

import { Type } from '../platform/schema.js'
import { signed } from './certificates.js'
import {
  Count,
  DocumentId,
  fileHash,
  Hash,
  Nullable,
  open,
  PageOf,
  pageQuery,
  RecordOf,
  ScopeId,
  Time,
  textHash,
  vouched,
} from './common.js'
import { opened_by, reads_kept } from './finding-readers.js'
import { ClaimRecord, contradictionFields, possibleFields, Resolution } from './findings.js'
import { defineOperations, forTenants } from './operation.js'

export const AsOfPaper = RecordOf('AsOfPaper', {
  document_id: DocumentId,
  revision: Type.Integer({ description: 'The last that had come by then.' }),
  name: Nullable(Type.String({ description: 'Null once erased.' })),
  type: Type.String(),
  content_hash: Nullable(textHash),
  file_sha256: Nullable({ ...fileHash, description: `${fileHash.description} Null for a paper that came as text.` }),
  received_at: Time,
  erased_at: Nullable({ ...Time, description: 'Where it was erased later: one erased by then is not listed.' }),
})

const AsOfContradiction = RecordOf('AsOfContradiction', {
  ...contradictionFields,
  resolution: Type.Optional(Resolution),
  discussion: Type.Array(Type.Object({ by: Type.String(), text: Nullable(Type.String()), said_at: Time }, open), {
    maxItems: 50,
    description: 'What people had written about it by then, the first first; text is null once erased.',
  }),
  opened_by,
  reads_kept,
})

const AsOfPossibleConflict = RecordOf('AsOfPossibleConflict', { ...possibleFields, opened_by, reads_kept })

export const AsOfDecision = RecordOf('AsOfDecision', {
  decision_id: Type.String(),
  seq: Count,
  kind: Type.String({ description: '`resolution`, `review` or `settings`.' }),
  verdict: Nullable(Type.String()),
  finding_id: Nullable(Type.String({ description: 'The contradiction, possible conflict, supersession or sign-off it is about.' })),
  document_id: Nullable(Type.String()),
  by: Type.String(),
  vouched,
  reason: Nullable(Type.String({ description: 'Null once erased, and where none was asked for.' })),
  outcome: Type.Enum(['admit', 'hold', 'reject'], {
    description:
      'What policy answered; of a review, what became of what it was about: `reject` also where a document was taken out, or a later revision of it came, before its approval was concluded.',
  }),
  recorded_at: Time,
  hash: { ...Hash, description: 'Of its record in the chain of decisions.' },
  erased_at: Nullable(Time),
})

export const AsOfSignOff = RecordOf('AsOfSignOff', {
  sign_off_id: Type.String(),
  by: Type.String(),
  vouched,
  reason: Type.String({ description: 'Empty once a document it covers was erased.' }),
  signed_at: Time,
  round: Count,
  current: Type.Boolean({ description: 'Exactly what it covers counted at that moment.' }),
})

export const AsOf = RecordOf('AsOf', {
  scope_id: ScopeId,
  generation: Type.Integer(),
  at: { ...Time, description: 'The moment asked for, in UTC.' },
  subject: Nullable(Type.String()),
  created_at: Time,
  reset_at: Nullable({
    ...Time,
    description: 'The last reset, or when the case that had this name before was deleted; null where there was neither.',
  }),
  before_reset: Type.Boolean({
    description: 'The moment lies before `reset_at`: what was there then is gone, and the lists are empty.',
  }),
  round: Nullable(Count),
  chain: Nullable(
    Type.Object({ length: Count, head: Hash }, { ...open, description: 'The chain of decisions at that moment; null before `reset_at`.' }),
  ),
  papers: Type.Optional(PageOf('AsOfPaperPage', AsOfPaper)),
  statements: Type.Optional(PageOf('AsOfStatementPage', ClaimRecord)),
  contradictions: Type.Optional(PageOf('AsOfContradictionPage', AsOfContradiction)),
  possible_conflicts: Type.Optional(PageOf('AsOfPossibleConflictPage', AsOfPossibleConflict)),
  decisions: Type.Optional(PageOf('AsOfDecisionPage', AsOfDecision)),
  sign_offs: Type.Optional(PageOf('AsOfSignOffPage', AsOfSignOff)),
})

const SignedAsOf = RecordOf('SignedAsOf', { scope_id: ScopeId, at: Time, ...signed })

const moment = {
  at: Type.String({
    format: 'date-time',
    description: 'The moment; one in the future of the database is refused. What was still being written then is waited for.',
    examples: ['2026-01-31T09:00:00Z'],
  }),
  subject: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'Only statements and conflicts about this; the other lists stay whole.' }),
  ),
}

export const asOfOperations = defineOperations(forTenants('Findings'), {
  getAsOf: {
    route: 'GET /api/scopes/{scopeId}/as-of',
    summary: 'Read a case as it was at a moment',
    description:
      'The papers held then, the statements that counted, the conflicts open then with both quotes, when each was found and who had opened it, what people had decided and why, and who had signed off. What was erased since is named without its words. A page of each list; the next page of one with `list` and its `next` as `cursor`.',
    seen: 'report',
    query: Type.Object({
      ...moment,
      list: Type.Optional(
        Type.Enum(['papers', 'statements', 'contradictions', 'possible_conflicts', 'decisions', 'sign_offs'], {
          description: 'This list alone; required with `cursor`.',
        }),
      ),
      ...pageQuery,
    }),
    success: { status: 200, description: 'The case then.', schema: AsOf },
  },
  getSignedAsOf: {
    route: 'GET /api/scopes/{scopeId}/as-of/signed',
    summary: 'Read a case as it was at a moment, signed',
    description:
      'Signed at the time of the request like a certificate (`typ` `concord-as-of+jws`), with the head of the chain of decisions at that moment. Each list with its count and digest, and its entries where they are 1,000 or fewer: of a paper that came as a file `file_sha256`, of the bytes that came, beside `content_hash`, of the text that was read. `concord verify as-of` checks it with the public keys alone.',
    seen: 'report',
    query: Type.Object(moment),
    success: { status: 200, description: 'The signed document.', schema: SignedAsOf },
  },
  getAsOfPage: {
    route: 'GET /api/scopes/{scopeId}/as-of/page',
    summary: 'Read a case as it was at a moment, to print',
    description: 'What the signed document says, as one page of HTML without scripts, with the signed document at its end.',
    seen: 'report',
    query: Type.Object(moment),
    success: { status: 200, description: 'The page.', schema: Type.String(), mediaType: 'text/html' },
  },
})
