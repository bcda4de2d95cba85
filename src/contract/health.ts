/** Health of the tiers, the control plane and the kernel. */

import { Type } from '../platform/schema.js'
import { Nullable, open, RecordOf, Time } from './common.js'

export const HealthStatus = Type.Enum(['ok', 'degraded', 'unavailable'], { $id: 'HealthStatus' })

export const HealthResponse = Type.Object(
  { status: Type.String({ examples: ['ok'] }), version: Type.String(), time: Time },
  { $id: 'HealthResponse', ...open, examples: [{ status: 'ok', version: '0.1.0', time: '2026-01-31T09:00:00.000Z' }] },
)

export const TierHealthResponse = Type.Object(
  {
    status: Type.String({ examples: ['ok'] }),
    tier: Type.String({ examples: ['admin'] }),
    authTier: Type.Optional(Nullable(Type.String({ description: 'Tier of the key presented.' }))),
    version: Type.String(),
    time: Time,
  },
  {
    $id: 'TierHealthResponse',
    ...open,
    examples: [{ status: 'ok', tier: 'admin', authTier: 'internals', version: '0.1.0', time: '2026-01-31T09:00:00.000Z' }],
  },
)

export const HealthCheck = Type.Object(
  {
    name: Type.String({ examples: ['database'] }),
    status: HealthStatus,
    detail: Type.Optional(Type.String()),
    figures: Type.Object({}, open),
  },
  { $id: 'HealthCheck', ...open, description: 'One thing that was checked, with its own figures.' },
)

export const CheckedHealthResponse = RecordOf('CheckedHealthResponse', {
  status: HealthStatus,
  tier: Type.String(),
  authTier: Nullable(Type.String()),
  version: Type.String(),
  time: Time,
  checks: Type.Array(HealthCheck),
})
