/** Possible conflicts that belong together, and one word for several of them. */

import { Type } from '../platform/schema.js'
import { Count, closed, DocumentId, Nullable, OpenObject, open, PageOf, RecordOf, ScopeId } from './common.js'
import { judgement, PossibleConflict } from './findings.js'

export const ProposedReplacement = RecordOf('ProposedReplacement', {
  scope_id: ScopeId,
  document_id: { ...DocumentId, description: 'The document whose statements would be replaced.' },
  by_document_id: { ...DocumentId, description: 'The one that would replace them.' },
  count: Count,
  items: Type.Array(PossibleConflict, { description: 'The first 100, best first.' }),
  accepting: OpenObject({
    retires: { ...Count, description: 'Statements that would count no longer if all items were accepted.' },
    closes: Type.Array(Type.String(), { description: 'Contradictions that would close.' }),
    closes_possible: { ...Count, description: 'Other possible conflicts that would close.' },
  }),
})
export const ProposedReplacementPage = PageOf('ProposedReplacementPage', ProposedReplacement)

export const PossibleFact = RecordOf('PossibleFact', {
  scope_id: ScopeId,
  subject: Nullable(Type.String()),
  attribute: Nullable(Type.String()),
  count: {
    ...Count,
    description: 'All that are undecided, with those that are not among the best of their documents; of the 20,000 likeliest of the case.',
  },
  items: Type.Array(PossibleConflict, { description: 'Of the best of each document, the first 20.' }),
})
export const PossibleFactPage = PageOf('PossibleFactPage', PossibleFact)

export const DecidedTogether = RecordOf('DecidedTogether', {
  scope_id: ScopeId,
  decided: Type.Array(Type.Object({ possible_conflict_id: Type.String(), decision_id: Type.String() }, open)),
  left: Type.Array(Type.Object({ possible_conflict_id: Type.String(), reason: Type.String() }, open), {
    description: 'Those that could not be decided, and why.',
  }),
  more: { ...Count, description: 'Those beyond the first 100, still undecided: ask again.' },
})

export const ReplacementsRequest = Type.Object(
  {
    document_id: DocumentId,
    by_document_id: DocumentId,
    verdict: Type.Enum(['accept', 'dismiss']),
    possible_conflict_ids: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 100, description: 'Left out: all of them.' }),
    ),
    ...judgement,
  },
  {
    $id: 'ReplacementsRequest',
    ...closed,
    examples: [{ document_id: 'lease', by_document_id: 'amendment-2', verdict: 'accept', reason: 'Clause 4 was amended.', by: 'j.doe' }],
  },
)

export const PossibleConflictsRequest = Type.Object(
  {
    possible_conflict_ids: Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 100 }),
    whole_fact: Type.Optional(
      Type.Boolean({ default: false, description: 'With every other undecided one of the same facts, also those that are not listed.' }),
    ),
    verdict: Type.Enum(['promote', 'dismiss']),
    ...judgement,
  },
  {
    $id: 'PossibleConflictsRequest',
    ...closed,
    examples: [{ possible_conflict_ids: ['pcf_1'], whole_fact: true, verdict: 'dismiss', reason: 'Two different sites.', by: 'j.doe' }],
  },
)
