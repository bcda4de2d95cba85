/** The internals tier: kernel, hatchery and the stream of everything. Aliases share the code of what they stand for. */

import type { internalsOperations } from '../../contract/internals-operations.js'
import { convergencePayload } from '../../scopes/kernel-convergence.js'
import { checkedHealth, runtimeHandler, tierHealth } from '../answers.js'
import type { HandlersOf } from '../handler.js'
import type { Services } from '../services.js'
import { streamKernel } from '../stream-answer.js'

type InternalsHandlers = HandlersOf<typeof internalsOperations>

export function internalsHandlers(services: Services): InternalsHandlers {
  const snapshot: InternalsHandlers['getHatcherySnapshot'] = async () => ({ body: await services.snapshot() })
  const convergence: InternalsHandlers['getConvergence'] = async call => ({ body: await convergencePayload(services.scopes, call.query) })
  const controlPlane: InternalsHandlers['getControlPlaneHealth'] = call =>
    checkedHealth(services, 'internals', call.caller, 'control-plane')
  const events: InternalsHandlers['streamKernel'] = call => streamKernel(services, call)
  return {
    getInternalsHealth: call => tierHealth(services, 'internals', call.caller),
    getKernelHealth: call => checkedHealth(services, 'internals', call.caller, 'kernel'),
    getHatcherySnapshot: snapshot,
    getHatcherySnapshotAlias: snapshot,
    getConvergence: convergence,
    getConvergenceAlias: convergence,
    getControlPlaneHealth: controlPlane,
    getControlPlaneHealthAlias: controlPlane,
    streamKernel: events,
    streamKernelAlias: events,
    rotateSigningKey: async () => ({ body: await services.rotateSigningKey() }),
    getAuditCheckpoint: async () => ({ body: await services.statements.auditCheckpoint() }),
    tryModel: async () => ({ body: await services.tryModel() }),
    listTroubles: async () => ({ body: await services.troubles() }),
    getPrometheusMetrics: async () => ({ body: await services.metrics() }),
    startInternalsRuntime: runtimeHandler(services, 'start'),
    pauseInternalsRuntime: runtimeHandler(services, 'pause'),
    resumeInternalsRuntime: runtimeHandler(services, 'resume'),
    stopInternalsRuntime: runtimeHandler(services, 'stop'),
    restartInternalsRuntime: runtimeHandler(services, 'restart'),
  }
}
