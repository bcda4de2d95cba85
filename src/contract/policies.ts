/** Policy sets: put, read, and tried against decisions that were made. */

import { Type } from '../platform/schema.js'
import { Count, closed, Nullable, OpenObject, RecordOf, ScopeId, Time } from './common.js'

export const PutPoliciesRequest = Type.Object(
  { policies: Type.String({ minLength: 1, maxLength: 200_000, description: 'A policy set in Cedar.' }) },
  { $id: 'PutPoliciesRequest', ...closed, examples: [{ policies: '@id("admit")\npermit (principal, action, resource);' }] },
)
const policyFields = {
  level: Type.Enum(['service', 'tenant', 'scope']),
  tenant_id: Nullable(Type.String()),
  scope_id: Nullable(Type.String()),
  inherited_from: Nullable(Type.Enum(['shipped', 'service', 'tenant'])),
  hash: Type.String(),
  policies: Type.String(),
  changed_at: Nullable(Time),
}
export const PolicyView = RecordOf('PolicyView', policyFields)
export const PolicyPutResult = RecordOf('PolicyPutResult', { ...policyFields, changed: Type.Boolean() })
export const PolicyDryRunRequest = Type.Object(
  {
    policies: Type.String({ minLength: 1, maxLength: 200_000 }),
    last: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 200 })),
  },
  { $id: 'PolicyDryRunRequest', ...closed, examples: [{ policies: '@id("admit")\npermit (principal, action, resource);', last: 200 }] },
)
const outcome = Type.Enum(['admit', 'hold', 'reject'])
export const PolicyDryRunResult = RecordOf('PolicyDryRunResult', {
  hash: Type.String(),
  examined: Count,
  changed: Count,
  changes: Type.Array(
    OpenObject({
      decision_id: Type.String(),
      scope_id: ScopeId,
      seq: Count,
      kind: Type.String(),
      document_id: Nullable(Type.String()),
      recorded: outcome,
      would_be: outcome,
      policies: Type.Array(Type.String()),
      reasons: Type.Array(Type.String()),
    }),
  ),
  message: Type.String(),
})
