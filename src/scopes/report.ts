/** A contradiction found elsewhere and reported to a scope: a round of its own, so that convergence sees it at once. */

import { invariant } from '../platform/errors.js'
import { findContradiction } from '../store/findings/findings.js'
import { insertReported } from '../store/findings/findings-resolution.js'
import { concludeAct, idOf, loadStored } from './act.js'
import { refuseOverQuota } from './attach.js'
import { toContradictionRecords } from './contradictions.js'
import type { ScopesDeps } from './deps.js'
import { type Answer, actOnScope } from './idempotent.js'
import type { ContradictionRecord, ReportInput } from './types.js'

/** What usage counts for a contradiction, whatever its words. */
const countedBytes = 1024

/** The scope is made on first use, as by ingest. */
export async function reportContradiction(
  deps: ScopesDeps,
  tenantId: string,
  input: ReportInput,
  idempotencyKey?: string,
): Promise<Answer<ContradictionRecord>> {
  const name = { tenantId, scopeId: input.scope_id }
  const { scope_id: _scope, severity, ...reported } = input
  const words = [input.claim_a, input.claim_b, input.source_a, input.source_b].join('')
  const more = { documents: 0, bytes: countedBytes + Buffer.byteLength(words) }
  const act = { ...name, operation: 'report', request: { ...input }, idempotencyKey, makesScopeFor: more }
  return actOnScope(deps, act, async (tx, scope) => {
    await refuseOverQuota(tx, more)
    const stored = await loadStored(tx, scope.scopeNo)
    const contradictionNo = stored.nextContradictionNo
    const contradictionId = idOf('contradiction', stored, contradictionNo)
    const { result } = await concludeAct(deps, tx, stored, {
      input: { kind: 'report', actor: { kind: 'tenant', id: tenantId }, contradictionId, severity },
      detail: { contradiction_id: contradictionId, severity },
      moves: { nextContradictionNo: contradictionNo + 1 },
    })
    const reason = `Reported: what ${input.source_a} says and what ${input.source_b} says cannot both hold.`
    await insertReported(tx, stored, { contradictionNo, contradictionId, severity, reason, reported, round: result.round })
    const row = await findContradiction(tx, contradictionId)
    const [record] = row === null ? [] : await toContradictionRecords(tx, scope, [row])
    invariant(record !== undefined, 'a reported contradiction disappeared')
    return record
  })
}
