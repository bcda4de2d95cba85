/** Convergence, drift and gates of a scope, and of all scopes for the kernel's readers. */

import { Type } from '../platform/schema.js'
import { Count, FinalityStatus, Nullable, OpenObject, open, RecordOf, ScopeId, Time } from './common.js'

export const dimensionKeys = ['claim_confidence', 'contradiction_resolution', 'goal_completion', 'risk_inverse'] as const
const DimensionView = RecordOf('Dimension', {
  score: Type.Number(),
  target: Type.Number(),
  weight: Type.Number(),
  threshold: Type.Number(),
  pressure: Type.Number(),
})
export const ConvergenceView = RecordOf('Convergence', {
  round: Count,
  value: Type.Number(),
  goal_score: Type.Number(),
  rate: Nullable(Type.Number()),
  estimated_rounds: Nullable(Type.Number()),
  monotone: Type.Boolean(),
  plateau: Type.Boolean(),
  oscillating: Type.Boolean(),
  trajectory_quality: Type.Number(),
  segment_start: Count,
  pressure: Type.Number(),
  bottleneck: Nullable(Type.Enum([...dimensionKeys])),
  dimensions: OpenObject({
    claim_confidence: DimensionView,
    contradiction_resolution: DimensionView,
    goal_completion: DimensionView,
    risk_inverse: DimensionView,
  }),
})
export const GateView = RecordOf('Gate', {
  gate: Type.String(),
  ok: Type.Boolean(),
  value: Type.Union([Type.Number(), Type.String(), Type.Boolean(), Type.Null()]),
  needs: Type.String(),
  how: Type.String(),
})
export const DriftView = RecordOf('Drift', {
  level: Type.Enum(['none', 'low', 'medium', 'high', 'critical']),
  score: Type.Number(),
  factual: Type.Number(),
  contradiction: Type.Number(),
  goal: Type.Number(),
  entropy: Type.Number(),
  round: Count,
})

const scopeConvergenceFields = {
  scope_id: ScopeId,
  generation: Type.Integer(),
  finality: FinalityStatus,
  convergence: ConvergenceView,
  drift: Nullable(DriftView),
  open_contradictions: Count,
  possible_conflicts: { ...Count, description: 'Undecided.' },
  examined: Type.String({ examples: ['signed off by J. Doe, current to 4 March 2026'] }),
  updated_at: Time,
}
const historyPage = OpenObject({
  items: Type.Array(
    OpenObject({
      round: Count,
      kind: Type.String(),
      document_id: Nullable(Type.String()),
      recorded_at: Time,
      value: Type.Number(),
      rate: Nullable(Type.Number()),
      pressure: Type.Number(),
      finality: Nullable(FinalityStatus),
      scores: Type.Record(Type.String(), Type.Number()),
    }),
  ),
  next: Nullable(Type.String()),
})

export const OwnConvergence = Type.Object(
  { ...scopeConvergenceFields, gates: Type.Array(GateView), history: historyPage },
  { $id: 'OwnConvergence', ...open, description: 'The history is newest first; `cursor` takes its `next`.' },
)

const ScopeConvergence = RecordOf('ScopeConvergence', { tenant_id: Type.String(), ...scopeConvergenceFields })

const finalityCounts = Type.Object({ active: Count, review: Count, resolved: Count, escalated: Count, blocked: Count }, open)

export const ConvergencePayload = Type.Object(
  {
    items: Type.Array(ScopeConvergence),
    next: Nullable(Type.String()),
    scopes: Count,
    by_finality: finalityCounts,
    gates: Type.Optional(Type.Array(GateView)),
    history: Type.Optional(historyPage),
  },
  {
    $id: 'ConvergencePayload',
    ...open,
    description: 'All scopes, worst pressure first. With tenant_id and scope_id: that one scope, its gates and its history.',
  },
)
