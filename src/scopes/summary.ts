/**
 * Everything a person needs to know about a scope on one page. Figures are kept, not counted, and lists are short, so
 * a large scope answers as fast as a small one.
 */

import { createHash } from 'node:crypto'
import { gatesNow } from '../kernel/finality-gates.js'
import { emptyAggregates } from '../kernel/scores.js'
import { effectiveSettings } from '../kernel/settings.js'
import { RULES_VERSION } from '../reading/version.js'
import { listLastDecisions, listTopContradictions } from '../store/findings/findings.js'
import { findNewestCertificate } from '../store/scopes/certificates.js'
import type { ScopeOverview } from '../store/scopes/scopes.js'
import { countDismissed, countWithoutModel, listGoals, listRisks, readStateFigures } from '../store/scopes/summary.js'
import { readTenant, type TenantTransaction } from '../store/server/database.js'
import { effectivePolicyHash } from '../store/tenants/policies.js'
import { toCertificateView } from './certificates/certificate-view.js'
import { toConvergenceView, toDriftView } from './convergence-view.js'
import { toDecisionRecord } from './decisions.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { namedGates, readExamined } from './examined.js'
import { toContradictionRecords } from './findings/contradictions.js'
import { effectiveRuntime, outdatedDocuments, requireOverview, toDocumentCounts } from './lifecycle.js'
import { shipped } from './policy-sets.js'
import type { ScopeSummary, Tagged } from './types.js'

const shownGoals = 20
const shownRisks = 20
const shownContradictions = 20
const shownDecisions = 10
const shownSupporters = 5

export async function getSummary(deps: ScopesDeps, input: ScopeName & { ifNoneMatch?: string | undefined }): Promise<Tagged<ScopeSummary>> {
  return readTenant(deps.db, input.tenantId, async tx => {
    const overview = await requireOverview(tx, input.scopeId)
    const policyHash = (await effectivePolicyHash(tx, { tenantId: input.tenantId, scopeNo: overview.scope_no })) ?? shipped.hash
    const etag = tagOf(overview, `${policyHash} ${RULES_VERSION}`)
    if (matches(input.ifNoneMatch, etag)) return { etag, body: null }
    return { etag, body: await readSummary(tx, overview, policyHash) }
  })
}

async function readSummary(tx: TenantTransaction, overview: ScopeOverview, policyHash: string): Promise<ScopeSummary> {
  const scope = { tenantId: tx.tenantId, scopeId: overview.scope_id, scopeNo: overview.scope_no, generation: overview.generation }
  const [state, withoutModel, dismissed, goals, risks, examined, contradictions, decisions, certificate] = await Promise.all([
    readStateFigures(tx, scope),
    countWithoutModel(tx, scope),
    countDismissed(tx, scope),
    listGoals(tx, scope, shownGoals),
    listRisks(tx, scope, shownRisks),
    readExamined(tx, scope, overview.settings),
    listTopContradictions(tx, scope, shownContradictions),
    listLastDecisions(tx, scope, shownDecisions),
    findNewestCertificate(tx, scope),
  ])
  const items = await toContradictionRecords(tx, scope, contradictions, { supporters: shownSupporters })
  const aggregates = { ...emptyAggregates(), ...state?.aggregates }
  const total = state?.next_claim_no ?? 0
  const allRisks = aggregates.risks.low + aggregates.risks.medium + aggregates.risks.high + aggregates.risks.critical
  const open = overview.open_contradictions
  const gates = gatesNow(state?.gates ?? [], overview, examined.setting)
  return {
    scope_id: overview.scope_id,
    display_name: overview.display_name,
    mode: overview.mode,
    generation: overview.generation,
    version: overview.version,
    round: state?.round ?? 0,
    last_seq: overview.next_seq === 0 ? null : overview.next_seq - 1,
    created_at: overview.created_at,
    updated_at: state?.updated_at ?? overview.created_at,
    runtime: {
      state: effectiveRuntime(overview),
      service: overview.service_runtime,
      tenant: overview.tenant_runtime,
      scope: overview.scope_runtime,
      run: overview.run,
    },
    documents: toDocumentCounts(overview),
    reading: {
      reader: RULES_VERSION,
      needs_reread: outdatedDocuments(overview) > 0,
      outdated: outdatedDocuments(overview),
      waiting: overview.rereads,
      without_model: withoutModel,
    },
    claims: { live: aggregates.claimsLive, superseded: total - aggregates.claimsLive, total },
    goals: { total: aggregates.goalsTotal, done: aggregates.goalsDone, items: goals.map(placed) },
    risks: { total: allRisks, ...aggregates.risks, items: risks.map(placed) },
    contradictions: {
      open,
      resolved: aggregates.contradictionsTotal - open - dismissed,
      dismissed,
      open_critical: aggregates.contradictionsOpen.critical,
      unsure: aggregates.possibleOpen,
      items,
    },
    legal_hold: overview.legal_hold,
    drift: toDriftView(state?.drift ?? null, state?.round ?? 0),
    finality: { status: overview.finality, gates: namedGates(gates, examined) },
    examined,
    convergence: toConvergenceView(state?.convergence ?? null, effectiveSettings(overview.settings)),
    policy_hash: policyHash,
    decisions: decisions.map(toDecisionRecord),
    certificate: certificate === null ? null : toCertificateView(certificate, scope.scopeId),
  }
}

/** Whatever is shown of a scope moves its log, its version or a level of its runtime; `beside` names what else it rests on. */
export function tagOf(overview: ScopeOverview, beside: string): string {
  const { generation, version, next_seq, service_runtime, tenant_runtime, scope_runtime, run } = overview
  const parts = [overview.scope_id, generation, version, next_seq, service_runtime, tenant_runtime, scope_runtime, run, beside]
  return `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)}"`
}

/** `If-None-Match` may name several tags, weak ones too, or any. */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const tags = ifNoneMatch.split(',').map(tag => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag)
}

function placed<T extends { start_at: number; end_at: number }>({ start_at: start, end_at: end, ...row }: T) {
  return { ...row, start, end }
}
