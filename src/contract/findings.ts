/** What documents claim, where they disagree, and what was decided. */

import { Type } from '../platform/schema.js'
import { Assignment } from './assignments.js'
import {
  Count,
  closed,
  DocumentId,
  Hash,
  Nullable,
  OpenObject,
  open,
  PageOf,
  personName,
  Reason,
  RecordOf,
  ScopeId,
  Severity,
  Time,
  VisibleText,
} from './common.js'
import { DocumentRecord } from './documents.js'
import { effectMeaning, Recognised } from './finding-meanings.js'
import { keptUntilNow, seen_by } from './finding-readers.js'

export const ClaimRecord = Type.Object(
  {
    claim_id: Type.String(),
    document_id: DocumentId,
    revision: Type.Integer({ minimum: 1 }),
    quote: Nullable(Type.String({ description: 'Exactly the slice [start, end) of the submitted text; null once erased.' })),
    start: Count,
    end: Count,
    page: Nullable(Type.Integer({ minimum: 1, description: 'The page of the file the quote begins on.' })),
    cell: Nullable(Type.String({ description: 'The cell or cells of a sheet the quote stands in, such as `Costs!B7` or `Costs!A7:B7`.' })),
    paragraph: Nullable(Type.Integer({ minimum: 1, description: 'The paragraph of the file the quote begins in.' })),
    subject: Type.String(),
    attribute: Type.String(),
    value: Type.String(),
    normalized: Type.Object({}, open),
    unit: Nullable(Type.String()),
    period: Nullable(Type.String()),
    role: Type.String({ description: 'How it is meant; `deleted` from the document or a `comment` on it is compared with nothing.' }),
    polarity: Type.Enum(['affirmed', 'negated']),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    recognised: Type.Optional(Recognised),
    valid_from: Nullable(Type.String()),
    valid_to: Nullable(Type.String()),
    recorded_at: Time,
    superseded_at: Nullable(Time),
    superseded_by: Nullable(Type.String()),
    superseded_reason: Nullable(Type.String()),
  },
  { $id: 'Claim', ...open, description: '`start` and `end` count code points of the text as submitted.' },
)
export const ClaimPage = PageOf('ClaimPage', ClaimRecord)

const ReportedSide = RecordOf('ReportedSide', { quote: Type.String(), source: Type.String() })

/** What a person may say of a contradiction. */
const verdicts = ['a', 'b', 'both', 'neither', 'dismiss', 'disputed', 'clerical_error', 'not_the_same'] as const

export const Resolution = RecordOf('Resolution', {
  verdict: Type.Enum([...verdicts, 'superseded']),
  side: Type.Optional(Type.Enum(['a', 'b'], { description: 'Which side is the slip, for `clerical_error`.' })),
  reason: Type.String(),
  by: Type.String(),
  resolved_at: Time,
  round: Count,
  effect: Type.Optional(
    Type.Object({ state: Type.Enum(['on_record', 'again']), since: Time, round: Count }, { ...open, description: effectMeaning }),
  ),
})

const evidenceText = Nullable(Type.String({ maxLength: 120 }))

export const Evidence = Type.Object(
  {
    subject: evidenceText,
    shared: Type.Array(Type.String({ maxLength: 120 }), { maxItems: 12 }),
    differs: Type.Array(Type.Object({ a: Type.String({ maxLength: 120 }), b: Type.String({ maxLength: 120 }) }, open), { maxItems: 4 }),
    times: Type.Object({ a: evidenceText, b: evidenceText }, open),
    issuers: Type.Object({ a: evidenceText, b: evidenceText }, open),
  },
  {
    $id: 'Evidence',
    ...open,
    description:
      'Why two claims are considered to be about the same thing, and what differs: shared words, the day or period and the issuer of each.',
  },
)

const FoundBy = Type.String({
  description:
    '`rules`, `model:<name>` for a language model, `person` for a reported one, `person:<name>` where somebody reported what they saw. What a model finds is verified by code.',
  examples: ['rules'],
})

const orderOfSides =
  'The letter says nothing about who is right. Found by rules, `a` is of the document issued earlier (one without a date comes last), then of the lower document id, then what stands earlier in the text. Found by a model, `b` is of the document that was being read. Where a supersession was objected to, `b` is what had replaced `a`. Reported ones stay as reported. A side shows the claim it was found with while that counts, then another of it that does, or else the one that counted last; times and issuers of the evidence are those of what is shown.'

const supporting = 'Other claims that say the same as the side; one with `superseded_at` did so until then.'

/** Why something was found, by whom and when. */
const found = { reason: Type.String(), evidence: Nullable(Evidence), found_by: FoundBy, detected_at: Time, round: Count }

/** What findings about two claims have in common. */
const findingFields = {
  scope_id: ScopeId,
  severity: Severity,
  subject: Nullable(Type.String()),
  attribute: Nullable(Type.String()),
  supporters_a: Type.Array(ClaimRecord, { description: supporting }),
  supporters_b: Type.Array(ClaimRecord, { description: supporting }),
  supporters: Type.Object({ a: Count, b: Count }, open),
  ...found,
}

export const contradictionFields = {
  contradiction_id: Type.String(),
  ...findingFields,
  status: Type.Enum(['open', 'resolved', 'dismissed']),
  kind: Type.Enum(['numeric', 'categorical', 'negation', 'date', 'reported']),
  a: Type.Union([ClaimRecord, ReportedSide], { description: orderOfSides }),
  b: Type.Union([ClaimRecord, ReportedSide], { description: 'The other side, see `a`.' }),
  confidence: Nullable(Type.Number({ minimum: 0, maximum: 1, description: 'Of a model that found it; else null.' })),
  assignment: Type.Optional(Assignment),
  comments: Type.Optional({ ...Count, description: 'How many comments there are; left out where there are none.' }),
}

export const ContradictionRecord = Type.Object(
  { ...contradictionFields, resolution: Type.Optional(Resolution) },
  {
    $id: 'Contradiction',
    ...open,
    description: 'Two live claims of a scope that cannot both hold, with the other claims that say the same as each side.',
  },
)
export const SeenContradiction = RecordOf('SeenContradiction', {
  ...contradictionFields,
  resolution: Type.Optional(Resolution),
  seen_by,
  reads_kept: keptUntilNow,
})
export const ContradictionPage = PageOf('ContradictionPage', ContradictionRecord)

const said = { reason: Type.String(), by: Type.String(), decided_at: Time, round: Count }

export const possibleFields = {
  possible_conflict_id: Type.String(),
  ...findingFields,
  status: Type.Enum(['open', 'promoted', 'accepted', 'dismissed', 'cleared'], {
    description:
      '`accepted`: the replacement it proposed stands as a supersession. `cleared`: a model found the two compatible; taking that back opens it, as with a dismissal.',
  }),
  proposes: Nullable(
    Type.Enum(['replacement'], { description: 'That `b` takes the place of `a`; null where the two may contradict each other.' }),
  ),
  look: Type.Boolean({ description: 'One in twenty of those that were cleared: somebody should look whether that was right.' }),
  kind: Type.Enum(['numeric', 'categorical', 'negation', 'date']),
  score: Type.Number({ minimum: 0, maximum: 1 }),
  a: ClaimRecord,
  b: ClaimRecord,
  contradiction_id: Nullable(Type.String({ description: 'What it became when it was promoted.' })),
  decision: Type.Optional(
    OpenObject({
      supersession_id: Type.Optional(Type.String({ description: 'What an accepted replacement became.' })),
      verdict: Type.Enum(['promote', 'dismiss', 'accept', 'superseded', 'clear'], {
        description: '`superseded`: a claim of it stopped counting. `clear`: a model found the two compatible.',
      }),
      ...said,
    }),
  ),
}

export const PossibleConflict = Type.Object(possibleFields, {
  $id: 'PossibleConflict',
  ...open,
  description:
    'Two claims that may disagree, but not surely enough to say so: for a person to look at. In no score. Which is `a` is chosen as in a Contradiction.',
})
export const SeenPossibleConflict = RecordOf('SeenPossibleConflict', { ...possibleFields, seen_by, reads_kept: keptUntilNow })
export const PossibleConflictPage = PageOf('PossibleConflictPage', PossibleConflict)
export const PossibleConflictResult = RecordOf('PossibleConflictResult', { ...possibleFields, decision_id: Type.String() })

const supersessionFields = {
  supersession_id: Type.String(),
  scope_id: ScopeId,
  status: Type.Enum(['standing', 'objected', 'withdrawn'], {
    description: '`withdrawn`: it was not found again when a document of it was read again, or the document that replaced was erased.',
  }),
  kind: Type.Enum(['words', 'later_issue', 'revision'], {
    description: 'Explicit wording, a later issue of the same document, or a new revision of it.',
  }),
  claim: ClaimRecord,
  superseded_by: ClaimRecord,
  ...found,
  contradiction_id: Nullable(Type.String({ description: 'What the objection made of it.' })),
  objection: Type.Optional(Type.Object(said, open)),
}

export const Supersession = Type.Object(supersessionFields, {
  $id: 'Supersession',
  ...open,
  description: 'One claim replaced another, and why. A claim may be replaced by several.',
})
export const SupersessionPage = PageOf('SupersessionPage', Supersession)
export const SupersessionResult = RecordOf('SupersessionResult', { ...supersessionFields, decision_id: Type.String() })

/** What a person says; as a query where it is taken back, since a DELETE has no body. */
export const judgement = { reason: Reason, by: Type.String(personName) }

export const FindingRequest = Type.Object(judgement, {
  $id: 'FindingRequest',
  ...closed,
  examples: [{ reason: 'Two different sites.', by: 'j.doe' }],
})

const source = Type.Optional(VisibleText(200))
const words = Type.Optional(VisibleText(2000))

const Passage = Type.Object(
  {
    document_id: DocumentId,
    revision: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'The revision that counts; another is a 409.' }),
    start: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }),
    end: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
  },
  {
    $id: 'Passage',
    ...closed,
    description: 'The slice [start, end) of the text of a document of the scope, in code points; at most 2,000 of them.',
  },
)

export const CreateContradictionBody = Type.Object(
  {
    scope_id: ScopeId,
    claim_a: words,
    claim_b: words,
    source_a: source,
    source_b: source,
    severity: Severity,
    round: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    a: Type.Optional(Passage),
    b: Type.Optional(Passage),
    by: Type.Optional(judgement.by),
    reason: Type.Optional(judgement.reason),
  },
  {
    $id: 'CreateContradictionBody',
    ...closed,
    description:
      'Reports a contradiction: one that was found elsewhere, in words (`claim_a`, `claim_b`, `source_a`, `source_b`), or one that a person saw, as two passages of documents of the scope (`a`, `b`, with `by` and `reason`). Of passages the claims are made that stand on its sides; words that are given as well have to be those of the passage. A passage whose statement was decided against or replaced is refused (409), and so are two passages that were reported already, with the id of that contradiction.',
    examples: [
      {
        scope_id: 'case-1',
        a: { document_id: 'contract', revision: 1, start: 0, end: 41 },
        b: { document_id: 'letter', revision: 1, start: 112, end: 151 },
        severity: 'high',
        by: 'j.doe',
        reason: 'Two dates for completion.',
      },
      {
        scope_id: 'case-1',
        claim_a: 'The roof was replaced in 2019.',
        claim_b: 'The roof is original.',
        source_a: 'survey',
        source_b: 'broker',
        severity: 'medium',
      },
    ],
  },
)

export const ResolveContradictionRequest = Type.Object(
  {
    verdict: Type.Enum([...verdicts]),
    side: Type.Optional(Type.Enum(['a', 'b'], { description: 'Required with `clerical_error`, refused with anything else.' })),
    ...judgement,
  },
  {
    $id: 'ResolveContradictionRequest',
    ...closed,
    description:
      '`a` or `b` holds and the other side stops counting. After `both`, `neither` and `dismiss` (it is none) both sides count. `disputed`: both count and it stays known that they disagree; nothing waits for it, and certificates list it. `clerical_error`: what `side` says is a slip of the pen and stops counting, in favour of nothing. `not_the_same`: the two speak of different things; both count and it is dismissed.',
    examples: [
      { verdict: 'b', reason: 'The audited figure holds.', by: 'j.doe' },
      { verdict: 'clerical_error', side: 'a', reason: 'A nought too many.', by: 'j.doe' },
    ],
  },
)

export const ResolutionResult = RecordOf('ResolutionResult', {
  ...contradictionFields,
  resolution: Resolution,
  claims_retired: Type.Array(Type.String()),
  claims_revived: Type.Array(Type.String()),
  decision_id: Type.String(),
})

export const ReopenedContradiction = RecordOf('ReopenedContradiction', {
  ...contradictionFields,
  claims_revived: Type.Array(Type.String()),
  decision_id: Type.String(),
})

const decisionFields = {
  decision_id: Type.String(),
  seq: Count,
  round: Count,
  kind: Type.String(),
  document_id: Nullable(Type.String()),
  revision: Nullable(Type.Integer()),
  outcome: Type.Enum(['admit', 'hold', 'reject']),
  policy_hash: Hash,
  policies: Type.Array(Type.String()),
  reasons: Type.Array(Type.String(), { description: 'Empty once erased.' }),
  reasons_digest: Hash,
  salt: Nullable(
    Type.String({
      description: 'What `reasons_digest` and `proposal_digest` are salted with; null once erased.',
    }),
  ),
  obligations: Type.Array(Type.String()),
  proposal_digest: Hash,
  state_digest: Hash,
  prev_hash: Hash,
  hash: Hash,
  review: Nullable(Type.Enum(['pending', 'approved', 'rejected', 'obsolete'])),
  recorded_at: Time,
  erased_at: Nullable(Time),
  said: Type.Optional(
    OpenObject({
      by: Type.String(),
      vouched: Type.Boolean(),
      verdict: Nullable(Type.String()),
      finding_id: Nullable(Type.String({ description: 'The contradiction, possible conflict, supersession or sign-off it is about.' })),
      reason: Nullable(Type.String({ description: 'Null once erased, and where none was asked for.' })),
    }),
  ),
}
export const DecisionRecord = RecordOf('Decision', decisionFields)
export const DecisionPage = PageOf('DecisionPage', DecisionRecord)

export const ReviewDecisionRequest = Type.Object(
  { verdict: Type.Enum(['approve', 'reject']), ...judgement },
  { $id: 'ReviewDecisionRequest', ...closed, examples: [{ verdict: 'approve', reason: 'Checked against the register.', by: 'j.doe' }] },
)
export const ReviewResult = RecordOf('ReviewResult', {
  ...decisionFields,
  review_decision_id: Nullable(Type.String()),
  document: Nullable(DocumentRecord),
})
