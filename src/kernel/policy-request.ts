/** Turns a proposal and the state of its scope into the request Cedar is asked: entities, action and context as the schema names them. */
import type { CedarValueJson, EntityJson, TypeAndId } from '@cedar-policy/cedar-wasm/nodejs'
import { personKey } from '../platform/person-name.js'
import { perDimension, totalOf } from './dimensions.js'
import type { Actor, DocumentProposal, Proposal, ReviewProposal, ScopeState, SettingsProposal } from './proposals.js'
import type { Drift, SeverityCounts } from './types.js'

export type PolicyContext = Record<string, CedarValueJson>

export interface PolicyRequest {
  principal: TypeAndId
  action: TypeAndId
  resource: TypeAndId
  context: PolicyContext
  entities: EntityJson[]
}

export function requestFor(proposal: Proposal, state: ScopeState): PolicyRequest {
  const principal = actorUid(proposal.actor)
  const resource = { type: 'Scope', id: `${state.tenantId}/${state.scopeId}` }
  return {
    principal,
    action: { type: 'Action', id: proposal.kind },
    resource,
    context: contextOf(proposal),
    entities: [
      { uid: principal, attrs: { kind: proposal.actor.kind, name: proposal.actor.id, bound: proposal.actor.bound === true }, parents: [] },
      { uid: resource, attrs: scopeAttributes(state), parents: [{ type: 'Tenant', id: state.tenantId }] },
    ],
  }
}

function actorUid(actor: Actor): TypeAndId {
  return { type: 'Actor', id: `${actor.kind}:${actor.id}` }
}

function scopeAttributes({ scopeId, mode, finality, aggregates }: ScopeState): PolicyContext {
  return {
    name: scopeId,
    mode,
    finality,
    documents: aggregates.documentsIndexed,
    claims: aggregates.claimsLive,
    slots: aggregates.slotsLive,
    contradictions: aggregates.contradictionsTotal,
    open_contradictions: severities(aggregates.contradictionsOpen),
    found_by: foundBy(aggregates.contradictionsTotal, aggregates.contradictionsByModel),
    goals: aggregates.goalsTotal,
    goals_done: aggregates.goalsDone,
    risks: severities(aggregates.risks),
  }
}

function contextOf(proposal: Proposal): PolicyContext {
  switch (proposal.kind) {
    case 'document':
      return documentContext(proposal)
    case 'resolution':
      return {
        contradiction: proposal.contradictionId,
        verdict: proposal.verdict,
        severity: proposal.severity,
        retires: proposal.retires,
      }
    case 'review':
      return {
        held: proposal.held,
        verdict: proposal.verdict,
        proposed_by: proposerOf(proposal),
        proposed_by_bound: proposal.proposedBy?.bound === true,
      }
    case 'finality':
      return {
        from: proposal.from,
        to: proposal.to,
        drift: proposal.drift,
        found_by_model: proposal.byModel?.found ?? 0,
        model_findings: proposal.byModel?.setting ?? 'report',
        failing: proposal.failing,
        scores: perDimension(dimension => percent(proposal.scores[dimension])),
      }
    case 'settings':
      return settingsContext(proposal)
  }
}

/** A rule compares it with the name of who reviews: one person's two spellings are no two people. */
function proposerOf({ actor, proposedBy }: ReviewProposal): string {
  if (proposedBy === undefined) return ''
  return personKey(proposedBy.id) === personKey(actor.id) ? actor.id : proposedBy.id
}

function documentContext({ document, claims, contradictions, byModel, closes, goals, risks, drift }: DocumentProposal): PolicyContext {
  const { minConfidence, meanConfidence, ...counts } = claims
  return {
    document: {
      id: document.documentId,
      revision: document.revision,
      type: document.type,
      source: document.source ?? '',
      issuer: document.issuer ?? '',
      extractor: document.extractor,
    },
    claims: { ...counts, min_confidence: percent(minConfidence ?? 1), mean_confidence: percent(meanConfidence ?? 1) },
    contradictions: severities(contradictions),
    found_by: foundBy(totalOf(contradictions), byModel),
    closes,
    goals,
    risks: severities(risks),
    drift: driftContext(drift),
  }
}

function settingsContext({ mode, settingsDigest, policyHash, glossaryDigest }: SettingsProposal): PolicyContext {
  return {
    mode_from: mode.from,
    mode_to: mode.to,
    settings_changed: settingsDigest.from !== settingsDigest.to,
    policies_changed: policyHash.from !== policyHash.to,
    glossary_changed: glossaryDigest.from !== glossaryDigest.to,
  }
}

function driftContext({ level, factual, contradiction, goal, entropy }: Drift): PolicyContext {
  return {
    level,
    factual: percent(factual),
    contradiction: percent(contradiction),
    goal: percent(goal),
    entropy: percent(entropy),
  }
}

function foundBy(total: number, byModel = 0): PolicyContext {
  return { model: byModel, others: total - byModel }
}

function severities(counts: SeverityCounts): PolicyContext {
  return { low: counts.low, medium: counts.medium, high: counts.high, critical: counts.critical, total: totalOf(counts) }
}

/** Rounded down after cleaning the float's last digits: 0.29 is 29, and 0.599 never passes for 60. */
function percent(value: number): number {
  return Math.floor(Math.round(value * 1_000_000) / 10_000)
}
