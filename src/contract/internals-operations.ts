/** The operations of the internals tier: kernel, hatchery, streams of everything, and the deprecated aliases. */

import { Type } from '../platform/schema.js'
import { AuditCheckpoint, RotatedKey } from './certificates.js'
import { FinalityStatus, pageQuery, ScopeId } from './common.js'
import { ConvergencePayload } from './convergence.js'
import { eventKinds } from './events.js'
import { CheckedHealthResponse, TierHealthResponse } from './health.js'
import { ModelTrial } from './model-use.js'
import { defineOperations, type OperationDraft } from './operation.js'
import { streamed, streamHeaders, streamQuery } from './public-operations.js'
import { HatcherySnapshot } from './runtime.js'
import { runtimeOperations } from './runtime-operations.js'
import { TroubleList } from './troubles.js'

const kernelEvents = {
  tag: 'Events',
  route: 'GET /internals/kernel/events',
  summary: 'Follow the events of all scopes and of the hatchery',
  query: Type.Object({
    ...streamQuery,
    tenant_id: Type.Optional(Type.String({ maxLength: 100 })),
    scope_id: Type.Optional(ScopeId),
    type: Type.Optional(Type.Enum([...eventKinds])),
  }),
  headers: streamHeaders,
  success: { ...streamed, description: 'Server-sent events in commit order; `data` is an Event.' },
  stream: true,
} satisfies OperationDraft

const kernelConvergence = {
  route: 'GET /internals/kernel/convergence',
  summary: 'Convergence of all scopes, worst pressure first',
  query: Type.Object({
    tenant_id: Type.Optional(Type.String({ maxLength: 100 })),
    scope_id: Type.Optional(ScopeId),
    finality: Type.Optional(FinalityStatus),
    ...pageQuery,
  }),
  success: { status: 200, description: 'The convergence payload.', schema: ConvergencePayload },
  refusals: ['SCOPE_NOT_FOUND'],
} satisfies OperationDraft

const hatcherySnapshot = {
  tag: 'Hatchery',
  route: 'GET /internals/kernel/hatchery/snapshot',
  summary: 'Nodes, workers, queue and limits of the whole cluster',
  success: { status: 200, description: 'The snapshot.', schema: HatcherySnapshot },
} satisfies OperationDraft

const controlPlaneHealth = {
  tag: 'Health',
  route: 'GET /internals/kernel/control-plane/health',
  summary: 'Health of the control plane',
  success: { status: 200, description: 'Every check with its figures.', schema: CheckedHealthResponse },
  unavailable: CheckedHealthResponse,
  unaudited: true,
} satisfies OperationDraft

function alias<T extends OperationDraft>(operation: T, path: `/${string}`): T & { replacement: string } {
  return { ...operation, route: `GET ${path}`, summary: `${operation.summary} (deprecated address)`, replacement: operation.route.slice(4) }
}

const common = { tier: 'internals', credential: 'tier', tag: 'Kernel' } as const

const kernelOperations = defineOperations(common, {
  rotateSigningKey: {
    tag: 'Decisions',
    route: 'POST /internals/signing-keys/rotation',
    summary: 'Sign certificates with a new key',
    description:
      'Every node signs with it within a second. Keys that were used before stay in /.well-known/jwks.json, so that what they signed can be verified. Refused while the key is given by SIGNING_KEY.',
    success: { status: 200, description: 'The key in use.', schema: RotatedKey },
    refusals: ['STATE_CONFLICT'],
  },
  getAuditCheckpoint: {
    tag: 'Audit',
    route: 'GET /internals/audit/checkpoint',
    summary: 'Read how far the audit log reaches, signed',
    description:
      'Length and head of the chain of the audit log, signed like a certificate (`typ` `concord-audit-checkpoint+jws`). Kept elsewhere, it shows when the end of the log was cut off.',
    success: { status: 200, description: 'The signed checkpoint.', schema: AuditCheckpoint },
  },
  getInternalsHealth: {
    tag: 'Health',
    route: 'GET /internals/health',
    summary: 'Health of the internals tier',
    success: { status: 200, description: 'The tier answers.', schema: TierHealthResponse },
    unavailable: TierHealthResponse,
    unaudited: true,
  },
  getKernelHealth: {
    tag: 'Health',
    route: 'GET /internals/kernel/health',
    summary: 'Health of the kernel feed',
    success: { status: 200, description: 'Every check with its figures.', schema: CheckedHealthResponse },
    unavailable: CheckedHealthResponse,
    unaudited: true,
  },
  getHatcherySnapshot: hatcherySnapshot,
  streamKernel: kernelEvents,
  getConvergence: kernelConvergence,
  getControlPlaneHealth: controlPlaneHealth,
  listTroubles: {
    tag: 'Health',
    route: 'GET /internals/kernel/troubles',
    summary: 'What is wrong now, and what to do about it',
    description:
      'A queue that grows, documents that fail, a model or webhooks that do not answer, a disk that fills, a node that is gone: each with since when, how many tenants it concerns, and the next command. Empty when nothing is.',
    success: { status: 200, description: 'The troubles there are.', schema: TroubleList },
    unaudited: true,
  },
  tryModel: {
    tag: 'Health',
    route: 'POST /internals/model/trial',
    summary: 'Try the model that is set up',
    description:
      'Asks the model about a small case with known answers, as it is asked about documents, and keeps how it did: certificates that name the model say so from then on. Takes as long as two questions do. Refused where no model is set up.',
    success: { status: 200, description: 'How it did.', schema: ModelTrial },
    refusals: ['STATE_CONFLICT'],
  },
  getPrometheusMetrics: {
    tag: 'Health',
    route: 'GET /metrics',
    summary: 'Metrics for Prometheus',
    success: { status: 200, description: 'Text exposition format.', schema: Type.String(), mediaType: 'text/plain' },
    unaudited: true,
  },
})

const aliases = defineOperations(common, {
  streamKernelAlias: alias(kernelEvents, '/internals/events'),
  getConvergenceAlias: alias(kernelConvergence, '/internals/convergence'),
  getHatcherySnapshotAlias: alias(hatcherySnapshot, '/internals/hatchery/snapshot'),
  getControlPlaneHealthAlias: alias(controlPlaneHealth, '/internals/control-plane/health'),
})

export const internalsOperations = {
  ...kernelOperations,
  ...runtimeOperations('internals', '/internals/kernel/runtime'),
  ...aliases,
}
