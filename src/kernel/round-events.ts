/** The events of a round, in the order readers see them: ids and figures, never text or quotes. */
import type { RoundDocument, RoundInput, RoundResult } from './scope-round.js'

export interface EventDraft {
  type: string
  subject?: string | null
  data: Record<string, unknown>
}

export function roundEvents(scopeId: string, input: RoundInput, result: RoundResult): EventDraft[] {
  return [
    ...inputEvents(scopeId, input, result),
    ...closedEvents(scopeId, result),
    ...decisionEvents(scopeId, input, result),
    convergenceEvent(scopeId, result),
    ...finalityEvents(scopeId, result),
  ]
}

function inputEvents(scopeId: string, input: RoundInput, result: RoundResult): EventDraft[] {
  switch (input.kind) {
    case 'document':
      return documentEvents(scopeId, input.document, input.content, result)
    case 'review':
      if (input.held.kind === 'document' && result.outcome !== 'hold') {
        return documentEvents(scopeId, input.held.document, input.held.content, result)
      }
      return input.held.kind === 'resolution' && result.applied ? resolutionEvents(scopeId, input.held.resolution, result) : []
    case 'resolution':
      return result.applied ? resolutionEvents(scopeId, input, result) : []
    case 'report':
      return [
        {
          type: 'contradiction.detected',
          data: {
            scope_id: scopeId,
            contradiction_id: input.contradictionId,
            kind: 'reported',
            severity: input.severity,
            round: result.round,
          },
        },
      ]
    case 'settings':
      return result.applied ? [{ type: 'scope.changed', data: { scope_id: scopeId, mode: input.mode, round: result.round } }] : []
    case 'erasure': {
      const { documentId, revision, name } = input.document
      return [
        {
          type: 'document.erased',
          subject: documentId,
          data: { scope_id: scopeId, document_id: documentId, revision, name, claims_ended: input.parts.ended.length, round: result.round },
        },
      ]
    }
  }
}

const documentTypes = { admit: 'indexed', hold: 'held', reject: 'rejected' } as const

function documentEvents(
  scopeId: string,
  document: RoundDocument,
  content: Extract<RoundInput, { kind: 'document' }>['content'],
  result: RoundResult,
): EventDraft[] {
  const status = documentTypes[result.outcome]
  const { documentId, revision, name } = document
  const reason = result.outcome === 'admit' ? {} : { reason: result.decisions[0]?.record.reasons.join(' ') ?? '' }
  const first: EventDraft = {
    type: `document.${status}`,
    subject: documentId,
    data: {
      scope_id: scopeId,
      document_id: documentId,
      revision,
      name,
      status,
      ...reason,
      round: result.round,
      unchanged: content === null,
      claims: content?.claims.length ?? 0,
      contradictions: content?.reconciliation.contradictions.length ?? 0,
    },
  }
  if (!result.applied || content === null) return [first]
  const { supersessions, contradictions } = content.reconciliation
  const live = new Set([...content.endable.keys(), ...content.claims.map(claim => claim.claimId)])
  return [
    first,
    ...supersessions
      .filter(each => live.has(each.claimId))
      .map(each => supersededEvent(scopeId, each.claimId, each.byClaimId, documentId, result.round)),
    ...contradictions.map((found, index) => ({
      type: 'contradiction.detected',
      subject: documentId,
      data: {
        scope_id: scopeId,
        contradiction_id: content.contradictionIds[index],
        kind: found.kind,
        severity: found.severity,
        a: found.a,
        b: found.b,
        document_id: documentId,
        round: result.round,
      },
    })),
  ]
}

function resolutionEvents(
  scopeId: string,
  input: Pick<Extract<RoundInput, { kind: 'resolution' }>, 'contradictionId' | 'verdict' | 'retired'>,
  result: RoundResult,
): EventDraft[] {
  const { contradictionId, verdict } = input
  const data = { scope_id: scopeId, contradiction_id: contradictionId, round: result.round }
  return [
    verdict === 'reopen'
      ? { type: 'contradiction.reopened', data }
      : { type: 'contradiction.resolved', data: { ...data, verdict, by: 'person' } },
    ...input.retired.map(each => supersededEvent(scopeId, each.claimId, each.byClaimId, null, result.round)),
  ]
}

function supersededEvent(scopeId: string, claimId: string, by: string | null, documentId: string | null, round: number): EventDraft {
  const document = documentId === null ? {} : { document_id: documentId }
  return {
    type: 'claim.superseded',
    subject: documentId,
    data: { scope_id: scopeId, claim_id: claimId, superseded_by: by, ...document, round },
  }
}

function closedEvents(scopeId: string, result: RoundResult): EventDraft[] {
  return result.closes.map(id => ({
    type: 'contradiction.resolved',
    data: { scope_id: scopeId, contradiction_id: id, verdict: 'superseded', by: 'system', round: result.round },
  }))
}

function decisionEvents(scopeId: string, input: RoundInput, result: RoundResult): EventDraft[] {
  const document =
    input.kind === 'document' ? input.document : input.kind === 'review' && input.held.kind === 'document' ? input.held.document : null
  return result.decisions.map(({ decisionId, proposal, record }) => ({
    type: 'decision.recorded',
    subject: proposal.kind === 'finality' ? null : (document?.documentId ?? null),
    data: {
      scope_id: scopeId,
      decision_id: decisionId,
      seq: record.seq,
      kind: proposal.kind,
      outcome: record.outcome,
      policy_hash: record.policy_hash,
      policies: record.policies,
      round: result.round,
      ...(document === null || proposal.kind === 'finality' ? {} : { document_id: document.documentId, revision: document.revision }),
    },
  }))
}

function convergenceEvent(scopeId: string, { round, point, drift }: RoundResult): EventDraft {
  const { v, score, rate, scores, bottleneck, worstPressure } = point
  return {
    type: 'convergence.updated',
    data: { scope_id: scopeId, round, v, score, rate, scores, bottleneck, pressure: worstPressure, drift: drift.level },
  }
}

function finalityEvents(scopeId: string, { round, finality }: RoundResult): EventDraft[] {
  if (finality.from === finality.to) return []
  return [{ type: 'finality.changed', data: { scope_id: scopeId, round, from: finality.from, to: finality.to } }]
}
