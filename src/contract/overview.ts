/** The first page of a case: what is contested, what changed, what is missing, who looks at what, and how the papers stand to each other. */

import { Type } from '../platform/schema.js'
import { Assignment } from './assignments.js'
import { Count, Nullable, OpenObject, RecordOf, ScopeId, Severity, Time } from './common.js'
import { defineOperations, forTenants } from './operation.js'

const NamedPaper = OpenObject({ document_id: Type.String(), name: Nullable(Type.String()) })
const Share = OpenObject({ decided: Count, total: Count })

const ContestedFact = RecordOf('ContestedFact', {
  contradiction_id: Type.String(),
  subject: Nullable(Type.String()),
  attribute: Nullable(Type.String()),
  severity: Severity,
  why: Type.String({ description: 'How the severity came about.', examples: ['The figures are 18 % apart, on a matter of weight.'] }),
  says: Type.Enum(['money', 'date', 'party', 'other'], { description: 'What is contested; the first three come first.' }),
  a: OpenObject({ value: Nullable(Type.String()), source: Type.String() }),
  b: OpenObject({ value: Nullable(Type.String()), source: Type.String() }),
  detected_at: Time,
  assignment: Type.Optional(Assignment),
  comments: Type.Optional(Count),
})

const PaperGroup = RecordOf('PaperGroup', {
  issuer: Nullable(Type.String({ description: 'Null: not known, or one of many who issued few.' })),
  from: Type.String({ description: 'The first day a paper of it is of: when it was written, else when it came.' }),
  to: Type.String(),
  count: Count,
  papers: Type.Array(NamedPaper, { description: 'The first 5.' }),
})

const PaperLink = RecordOf('PaperLink', {
  a: { ...Count, description: 'Place in `groups`.' },
  b: Count,
  kind: Type.Enum(['contradicts', 'replaces'], { description: '`replaces`: `b` took the place of something in `a`.' }),
  count: Count,
  open: { ...Count, description: 'Contradictions among them that nobody has decided.' },
})

export const CaseOverview = RecordOf('CaseOverview', {
  scope_id: ScopeId,
  last_seq: Nullable(Count),
  contested: OpenObject({ open: Count, items: Type.Array(ContestedFact, { description: 'The 50 that weigh most.' }) }),
  reviewed: OpenObject({ contradictions: Share, possible_conflicts: Share }),
  since: Nullable(
    OpenObject({
      seq: Count,
      at: Nullable({ ...Time, description: 'Of the last visit; null where `since` was given.' }),
      changes: Type.Array(OpenObject({ type: Type.String(), count: Count }), { description: 'Kinds of events, of the latest 10,000.' }),
    }),
  ),
  missing: Type.Array(
    OpenObject({
      mention: Type.String({ examples: ['Annex 3', 'letter of 4 March 2024'] }),
      count: { ...Count, description: 'Papers that mention it.' },
      papers: Type.Array(NamedPaper, { description: 'The first 5 of them.' }),
    }),
    { description: 'Papers that others mention and that are not there: 50 at most, of the first 20,000 characters of 500 papers.' },
  ),
  not_read: OpenObject({
    count: Count,
    items: Type.Array(OpenObject({ document_id: Type.String(), name: Nullable(Type.String()), why: Type.String() }), {
      description: 'The first 50 that wait, are held, attached or could not be read.',
    }),
    set_aside: Type.Array(
      OpenObject({
        document_id: Type.String(),
        name: Nullable(Type.String()),
        how: Type.Enum(['read_by_eye', 'set_aside']),
        by: Type.String(),
        reason: Type.String({ description: 'Empty once a document was erased.' }),
      }),
      { description: 'What was said about such papers in sign-offs that stand; the latest 50.' },
    ),
  }),
  people: OpenObject({
    unassigned: { ...Count, description: 'Open contradictions that nobody is to look at.' },
    items: Type.Array(
      OpenObject({
        person: Type.String(),
        open: Count,
        overdue: Count,
        next_due: Nullable(Type.String({ format: 'date' })),
      }),
      { description: 'Those with most of them; 50 at most.' },
    ),
  }),
  papers: OpenObject({
    total: Count,
    drawn: { ...Count, description: 'Papers in the groups: the first 2,000.' },
    groups: Type.Array(PaperGroup, {
      description: 'At most 60: single papers in a small case, else those of an issuer in a stretch of time.',
    }),
    links: Type.Array(PaperLink, { description: 'Between and within groups, at most 500.' }),
  }),
})

export const overviewOperations = defineOperations(forTenants('Scopes'), {
  getOverview: {
    route: 'GET /api/scopes/{scopeId}/overview',
    summary: 'The first page of a case',
    description:
      'Bounded however large the case is. Without `since`, what changed is told since the last visit of the person (or key): one that nobody continued for half an hour. Reading it is a visit.',
    seen: 'findings',
    query: Type.Object({
      since: Type.Optional(
        Type.Integer({ minimum: -1, maximum: Number.MAX_SAFE_INTEGER, description: 'What changed after this event of the case.' }),
      ),
    }),
    success: { status: 200, description: 'The overview.', schema: CaseOverview },
  },
})
