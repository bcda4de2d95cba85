/** Scopes: their record, settings, glossary, summary and metrics. */

import { Type } from '../platform/schema.js'
import { CertificateView } from './certificates.js'
import {
  Count,
  closed,
  FinalityStatus,
  Nullable,
  OpenObject,
  open,
  PageOf,
  personName,
  Reason,
  RecordOf,
  RuntimeState,
  ScopeId,
  ScopeMode,
  Severity,
  Time,
  VisibleLine,
  VisibleText,
} from './common.js'
import { ConvergenceView, DriftView, GateView } from './convergence.js'
import { ContradictionRecord, DecisionRecord } from './findings.js'
import { StandingHold } from './standing-hold.js'

export const DocumentCounts = RecordOf('DocumentCounts', {
  total: { ...Count, description: 'All on record, erased ones among them.' },
  registered: Count,
  attached: Count,
  queued: Count,
  processing: Count,
  indexed: { ...Count, description: 'Read here, or registered as indexed elsewhere; not erased.' },
  held: Count,
  rejected: Count,
  quarantined: Count,
  erased: { ...Count, description: 'Whatever their state was; they are in none of the others.' },
})

const displayName = VisibleText(500)

export const CreateScopeRequest = Type.Object(
  { scope_id: ScopeId, display_name: Type.Optional(displayName), mode: Type.Optional(ScopeMode) },
  { $id: 'CreateScopeRequest', ...closed, examples: [{ scope_id: 'case-1', display_name: 'Acquisition of Aurelia', mode: 'auto' }] },
)

const comparedWords = Type.String({
  description: 'Who compared the documents that count.',
  examples: ['compared by rules alone'],
})

const scopeFields = {
  scope_id: ScopeId,
  display_name: Nullable(Type.String()),
  mode: ScopeMode,
  generation: Type.Integer({ minimum: 1, description: 'Raised by every reset.' }),
  runtime: RuntimeState,
  finality: FinalityStatus,
  counts: Type.Object({ documents: DocumentCounts, claims: Count, open_contradictions: Count, possible_conflicts: Count }, open),
  examined: Type.Object(
    {
      words: Type.String({ examples: ['signed off by J. Doe, current to 4 March 2026, 3 papers since'] }),
      papers_since: { ...Count, description: 'Documents that came, changed or went since the latest sign-off, up to 1,000.' },
      compared: comparedWords,
    },
    { ...open, description: 'Who signed it off, what came since, and who compared its documents.' },
  ),
  needs_reread: Type.Boolean({
    description:
      'Some of its documents were read or compared by another version of the rules; claims of another version of the reader are not compared.',
  }),
  trajectory: Type.Array(Type.Number({ minimum: 0, maximum: 1 }), {
    maxItems: 20,
    description: 'The goal score of the last rounds, oldest first.',
  }),
  legal_hold: Nullable(StandingHold),
  created_at: Time,
  updated_at: { ...Time, description: 'When its last round was recorded.' },
}
export const Scope = RecordOf('Scope', scopeFields)
export const ScopePage = PageOf('ScopePage', Scope)

export const ScopeDetail = RecordOf('ScopeDetail', {
  ...scopeFields,
  version: Count,
  settings: Type.Object({}, { ...open, description: 'As given; what is absent has its default.' }),
  effective_settings: Type.Object({}, open),
  policy_hash: Type.String(),
})

export const PatchScopeRequest = Type.Object(
  {
    display_name: Type.Optional(Nullable(displayName)),
    mode: Type.Optional(ScopeMode),
    settings: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Weights, targets, thresholds, convergence and finality settings.' }),
    ),
  },
  { $id: 'PatchScopeRequest', ...closed, minProperties: 1, examples: [{ mode: 'review' }] },
)

/** What is left of a scope that was emptied. */
const emptied = {
  chain: Type.Object({ head: Type.String(), length: Count }, open),
  documents: Count,
  certificates_withdrawn: Count,
  message: Type.String(),
}

export const ResetResult = RecordOf('ResetResult', {
  scope_id: ScopeId,
  generation: Type.Integer(),
  previous_generation: Type.Integer(),
  seq: Count,
  ...emptied,
})

export const DeletedScope = RecordOf('DeletedScope', {
  scope_id: ScopeId,
  generation: Type.Integer({ description: 'The generation that ended.' }),
  seq: Type.Integer({ minimum: 0, description: 'Position of `scope.deleted` in the scope’s event log.' }),
  ...emptied,
})

const Term = VisibleLine(200)
const terms = Type.Record(Term, Type.Array(Term, { maxItems: 50 }), {
  description: 'The word to use → other ways to write it.',
  maxProperties: 1000,
  propertyNames: Term,
})

export const Glossary = Type.Object(
  { terms: Type.Optional(terms), entities: Type.Optional(terms) },
  {
    $id: 'Glossary',
    ...closed,
    examples: [{ terms: { 'net premium': ['NWP', 'net written premium'] }, entities: { 'Aurelia Holding': ['Aurelia'] } }],
  },
)
export const GlossaryView = RecordOf('GlossaryView', {
  scope_id: ScopeId,
  terms: Type.Record(Type.String(), Type.Array(Type.String())),
  entities: Type.Record(Type.String(), Type.Array(Type.String())),
  version: Count,
})

export const RereadRequest = Type.Object(
  {
    model: Type.Optional(
      Type.Boolean({ default: false, description: 'Only the documents that no model has answered about, and ask it about them.' }),
    ),
    by: Type.Optional(Type.String({ ...personName, description: 'Who wants it; kept with the rounds.' })),
    reason: Type.Optional(Reason),
  },
  { $id: 'RereadRequest', ...closed, examples: [{ model: true, by: 'j.doe', reason: 'The model is back.' }] },
)
export const RereadResult = RecordOf('RereadResult', {
  scope_id: ScopeId,
  queued: { ...Count, description: 'Documents that this request queued.' },
  waiting: { ...Count, description: 'Documents that wait to be read again, those included.' },
  model: Type.Boolean(),
})

const spanFields = {
  document_id: Type.String(),
  revision: Type.Integer(),
  quote: Nullable(Type.String()),
  start: Count,
  end: Count,
  what: Nullable(Type.String()),
}

const highestRun = { ...Count, description: 'The highest of the service, the tenant and the scope; each counts its restarts.' }

export const ScopeSummary = RecordOf('ScopeSummary', {
  scope_id: ScopeId,
  display_name: Nullable(Type.String()),
  mode: ScopeMode,
  generation: Type.Integer(),
  version: Count,
  round: Count,
  last_seq: Nullable(Count),
  created_at: Time,
  updated_at: Time,
  runtime: Type.Object({ state: RuntimeState, service: RuntimeState, tenant: RuntimeState, scope: RuntimeState, run: highestRun }, open),
  documents: DocumentCounts,
  reading: OpenObject({
    reader: Type.String({ description: 'Version of the rules in use: of the reader, a dot, of the comparer.' }),
    needs_reread: Type.Boolean(),
    outdated: { ...Count, description: 'Documents that another version read: their claims are not compared with those of this one.' },
    waiting: { ...Count, description: 'Documents that wait to be read again.' },
    without_model: { ...Count, description: 'Documents that a model was to be asked about and gave no whole answer.' },
  }),
  claims: Type.Object(
    {
      live: { ...Count, description: 'Statements that count.' },
      superseded: {
        ...Count,
        description:
          'Those that no longer count, for whatever reason: replaced by a later one, given up by a verdict, read again, no longer said by a revision, or erased.',
      },
      total: Count,
    },
    open,
  ),
  goals: OpenObject({
    total: Count,
    done: Count,
    items: Type.Array(
      Type.Object({ ...spanFields, owner: Nullable(Type.String()), due: Nullable(Type.String()), done: Type.Boolean() }, open),
    ),
  }),
  risks: OpenObject({
    total: Count,
    low: Count,
    medium: Count,
    high: Count,
    critical: Count,
    items: Type.Array(Type.Object({ ...spanFields, level: Severity }, open)),
  }),
  contradictions: Type.Object(
    { open: Count, resolved: Count, dismissed: Count, open_critical: Count, unsure: Count, items: Type.Array(ContradictionRecord) },
    open,
  ),
  legal_hold: Nullable(StandingHold),
  drift: Nullable(DriftView),
  finality: Type.Object({ status: FinalityStatus, gates: Type.Array(GateView) }, open),
  examined: Type.Object(
    {
      setting: Type.Enum(['person', 'model', 'none'], { description: 'Who must have examined it before it is certified.' }),
      signatures: { ...Count, description: 'So many different people sign off.' },
      sign_offs: Type.Array(
        Type.Object(
          { sign_off_id: Type.String(), by: Type.String(), vouched: Type.Boolean(), signed_at: Time, current: Type.Boolean() },
          open,
        ),
        { description: 'The latest that stand.' },
      ),
      papers_since: { ...Count, description: 'Documents that came, changed or went since the latest, up to 1,000.' },
      words: Type.String({ examples: ['signed off by J. Doe, current to 4 March 2026, 3 papers since'] }),
      compared: comparedWords,
      not_examined_total: { ...Count, description: 'How many there are, of each kind up to 1,001.' },
      not_examined: Type.Array(Type.Object({ document_id: Type.String(), name: Nullable(Type.String()), why: Type.String() }, open), {
        description:
          'The first 20 documents that wait, are held, attached or in quarantine; where the settings ask for a model, also those it did not compare in full and nobody signed for.',
      }),
    },
    { ...open, description: 'Who examined the scope, and what nobody has looked at.' },
  ),
  convergence: ConvergenceView,
  policy_hash: Type.String(),
  decisions: Type.Array(DecisionRecord),
  certificate: Nullable(CertificateView),
})

const Percentiles = RecordOf('Percentiles', {
  count: Count,
  p50_ms: Nullable(Type.Number()),
  p95_ms: Nullable(Type.Number()),
  p99_ms: Nullable(Type.Number()),
  max_ms: Nullable(Type.Number()),
})
const roundValue = Nullable(Type.Object({ round: Count, value: Type.Number() }, open))

export const ScopeMetrics = RecordOf('ScopeMetrics', {
  scope_id: ScopeId,
  generation: Type.Integer(),
  from: Time,
  to: Time,
  throughput: OpenObject({
    received: Count,
    indexed: Count,
    held: Count,
    rejected: Count,
    quarantined: Count,
    claims: Count,
    documents_per_minute: Type.Number(),
  }),
  latency: Type.Record(Type.String(), Percentiles),
  queue: Type.Object({ depth: Count, processing: Count, oldest_age_seconds: Nullable(Type.Number()) }, open),
  retries: Count,
  dead_letters: Type.Object({ period: Count, now: Count }, open),
  extractors: Type.Array(
    Type.Object(
      { extractor: Type.String(), version: Type.String(), documents: Count, claims: Count, input_tokens: Count, output_tokens: Count },
      open,
    ),
  ),
  convergence: Type.Object({ rounds: Count, from: roundValue, to: roundValue, change: Nullable(Type.Number()) }, open),
  sample: Type.Object({ documents: Count, limit: Count, complete: Type.Boolean() }, open),
})
