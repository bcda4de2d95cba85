/** What models were shown of documents and cases, what it cost, and keeping documents from them. */

import { Type } from '../platform/schema.js'
import { Count, closed, DocumentId, Nullable, OpenObject, open, RecordOf, ScopeId, Time } from './common.js'
import { namedDocument } from './documents.js'
import { defineOperations, forTenants } from './operation.js'

const tokens = OpenObject({ prompt: Count, completion: Count })

export const DocumentModel = RecordOf('DocumentModel', {
  scope_id: ScopeId,
  document_id: DocumentId,
  model: Type.Enum(['on', 'off'], { description: '`off`: no model is asked about it, and none is shown it in questions about others.' }),
  off_since: Nullable(Time),
  tokens: { ...tokens, description: 'Of the questions about its revisions.' },
  sent: Type.Array(
    Type.Object(
      {
        document_id: { ...DocumentId, description: 'The document that was asked about: this one, or one whose questions showed it.' },
        revision: Count,
        whole_case: Nullable(
          Type.Boolean({
            description: 'Whether its questions showed the whole case; false: the nearest passages. Null where nobody noted it.',
          }),
        ),
        model: Type.String(),
        at: Time,
      },
      open,
    ),
    { description: 'Questions that showed something of it, the latest 200 first, also from before it was kept from models.' },
  ),
})

export const DocumentModelRequest = Type.Object({ model: Type.Enum(['on', 'off']) }, { $id: 'DocumentModelRequest', ...closed })

export const ScopeModel = RecordOf('ScopeModel', {
  scope_id: ScopeId,
  model: Nullable(Type.String({ description: 'The model that reads documents of the case; null where none does.' })),
  none_because: Nullable(
    Type.Enum(['not_configured', 'tenant_off', 'scope_off'], { description: 'Why no model reads; null where one does.' }),
  ),
  documents: OpenObject({
    asked: { ...Count, description: 'Documents a model was asked about.' },
    off: { ...Count, description: 'Documents that are kept from models.' },
  }),
  tokens,
  characters: { ...Count, description: 'Of the texts a model is shown.' },
  context_tokens: { ...Count, description: 'Longest question: as long as the case fits, a model is shown all of it.' },
  tokens_per_document: { ...Count, description: 'Most tokens of questions and answers about one document.' },
})

export const ModelTrial = RecordOf('ModelTrial', {
  model: Type.String(),
  questions: Type.String({ description: 'Version of the questions.' }),
  reason: Nullable(Type.String({ description: 'Why it gave no answer; null where it did.' })),
  score: Nullable(
    OpenObject({
      planted: { ...Count, description: 'Pairs of passages with known answers.' },
      named: { ...Count, description: 'Of these, those it named by itself.' },
      judged: { ...Count, description: 'Of these, those it judged right when asked about them.' },
      tried_at: Time,
      ms: { ...Count, description: 'How long both questions took.' },
      strict: Type.Boolean({ description: 'Whether its answers keep to a schema by themselves.' }),
      prompt_tokens: Count,
      completion_tokens: Count,
    }),
  ),
})

export const modelUseOperations = defineOperations(forTenants('Documents'), {
  getDocumentModel: {
    route: 'GET /api/documents/{documentId}/model',
    summary: 'See what models were shown of a document',
    query: Type.Object(namedDocument),
    success: { status: 200, description: 'Whether models may read it, what they were shown, and what it cost.', schema: DocumentModel },
  },
  getScopeModel: {
    route: 'GET /api/scopes/{scopeId}/model',
    summary: 'See whether a model reads a case, and what that has cost',
    success: { status: 200, description: 'The model, and what it was asked.', schema: ScopeModel },
  },
})
