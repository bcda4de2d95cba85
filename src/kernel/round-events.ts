/** The events of a round, in the order readers see them: ids and figures, never text, quotes or names. */
import type { DocumentContent } from './document-content.js'
import type { EventDraft, FindingRound, RereadRound, RoundDocument, RoundInput, RoundResult } from './round-types.js'

export function roundEvents(scopeId: string, input: RoundInput, result: RoundResult): EventDraft[] {
  return [
    ...inputEvents(scopeId, input, result),
    ...closedEvents(scopeId, result),
    ...possibleMoveEvents(scopeId, result),
    ...decisionEvents(scopeId, input, result),
    convergenceEvent(scopeId, result),
    ...finalityEvents(scopeId, result),
  ]
}

function inputEvents(scopeId: string, input: RoundInput, result: RoundResult): EventDraft[] {
  switch (input.kind) {
    case 'document':
      return documentEvents(scopeId, input.document, input.content, result)
    case 'reread':
      return rereadEvents(scopeId, input, result)
    case 'review':
      if (input.held.kind === 'document' && result.outcome !== 'hold') {
        return documentEvents(scopeId, input.held.document, input.held.content, result)
      }
      if (!result.applied) return []
      if (input.held.kind === 'finding') return findingEvents(scopeId, input.held.finding, result)
      return input.held.kind === 'resolution' ? resolutionEvents(scopeId, input.held.resolution, result) : []
    case 'resolution':
      return result.applied ? resolutionEvents(scopeId, input, result) : []
    case 'finding':
      return result.applied ? findingEvents(scopeId, input, result) : []
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
    case 'discard': {
      const { documentId, revision } = input.document
      const data = { scope_id: scopeId, document_id: documentId, revision, status: 'rejected', reason: input.reason, round: result.round }
      return [{ type: 'document.rejected', subject: documentId, data }]
    }
    // `document.reread_failed` has told of it.
    case 'given_up':
      return []
    case 'erasure': {
      const { documentId, revision } = input.document
      return [
        {
          type: 'document.erased',
          subject: documentId,
          data: { scope_id: scopeId, document_id: documentId, revision, claims_ended: input.parts.ended.length, round: result.round },
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
  const { documentId, revision } = document
  const reason = result.outcome === 'admit' ? {} : { reason: result.decisions[0]?.record.reasons.join(' ') ?? '' }
  const first: EventDraft = {
    type: `document.${status}`,
    subject: documentId,
    data: {
      scope_id: scopeId,
      document_id: documentId,
      revision,
      status,
      ...reason,
      round: result.round,
      unchanged: content === null,
      claims: content?.claims.length ?? 0,
      contradictions: content?.reconciliation.contradictions.length ?? 0,
    },
  }
  if (!result.applied || content === null) return [first]
  return [
    first,
    ...supersededEvents(scopeId, documentId, content, result.round),
    ...foundEvents(scopeId, documentId, content, result.round),
  ]
}

function foundEvents(scopeId: string, documentId: string, content: DocumentContent, round: number): EventDraft[] {
  return [
    ...content.reconciliation.contradictions.map((found, index) =>
      detectedEvent(scopeId, { ...found, contradictionId: content.contradictionIds[index] ?? '' }, documentId, round),
    ),
    ...content.reconciliation.unsure.map(({ a, b }, index) => ({
      type: 'possible_conflict.detected',
      subject: documentId,
      data: {
        scope_id: scopeId,
        possible_conflict_id: content.possibleIds[index],
        a,
        b,
        document_id: documentId,
        round,
      },
    })),
  ]
}

/** As many ids as an event lists. */
const mostListed = 100

/** Claims of the reading before end with it and are not listed one by one. */
function rereadEvents(
  scopeId: string,
  { document, content, withdrawn, kept, detached }: RereadRound,
  { round }: RoundResult,
): EventDraft[] {
  const { documentId, revision } = document
  const supersessions = content.reconciliation.supersessions.filter(each => each.byClaimId !== null)
  const listed = { ...content, reconciliation: { ...content.reconciliation, supersessions } }
  return [
    {
      type: 'document.reread',
      subject: documentId,
      data: {
        scope_id: scopeId,
        document_id: documentId,
        revision,
        round,
        claims: content.claims.length,
        contradictions: content.reconciliation.contradictions.length,
        decisions_kept: kept,
        decisions_detached: detached.length,
        detached: detached.slice(0, mostListed),
      },
    },
    ...supersededEvents(scopeId, documentId, listed, round),
    ...foundEvents(scopeId, documentId, content, round),
    ...withdrawn.map(id => ({
      type: 'supersession.withdrawn',
      subject: documentId,
      data: { scope_id: scopeId, supersession_id: id, document_id: documentId, round },
    })),
  ]
}

/** One for each claim that ends, whatever number of claims replace it. */
function supersededEvents(scopeId: string, documentId: string, content: DocumentContent, round: number): EventDraft[] {
  const live = new Set([...content.endable.keys(), ...content.claims.map(claim => claim.claimId)])
  const ids = new Map(content.supersessions.map(each => [`${each.claimId} ${each.byClaimId}`, each.supersessionId]))
  return content.reconciliation.supersessions.flatMap(({ claimId, byClaimId }) => {
    if (!live.delete(claimId)) return []
    const supersessionId = ids.get(`${claimId} ${byClaimId}`)
    return [supersededEvent(scopeId, { claimId, byClaimId, supersessionId }, documentId, round)]
  })
}

function detectedEvent(
  scopeId: string,
  found: { contradictionId: string; kind: string; severity: string; a: string; b: string },
  documentId: string | null,
  round: number,
): EventDraft {
  const { contradictionId, kind, severity, a, b } = found
  const document = documentId === null ? {} : { document_id: documentId }
  return {
    type: 'contradiction.detected',
    subject: documentId,
    data: { scope_id: scopeId, contradiction_id: contradictionId, kind, severity, a, b, ...document, round },
  }
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
    ...input.retired.map(each => supersededEvent(scopeId, each, null, result.round)),
  ]
}

const findingTypes = {
  promote: 'possible_conflict.promoted',
  dismiss: 'possible_conflict.dismissed',
  object: 'supersession.objected',
  withdraw: { possible_conflict: 'possible_conflict.reopened', supersession: 'supersession.restored' },
} as const

function findingEvents(scopeId: string, input: Omit<FindingRound, 'kind' | 'actor' | 'reason'>, result: RoundResult): EventDraft[] {
  const { of, findingId, verdict, opens, dismisses, retired } = input
  const { round } = result
  const type = verdict === 'withdraw' ? findingTypes.withdraw[of] : findingTypes[verdict]
  const contradiction = opens.length === 0 ? {} : { contradiction_id: opens[0]?.contradictionId }
  return [
    { type, data: { scope_id: scopeId, [`${of}_id`]: findingId, by: 'person', ...contradiction, round } },
    ...opens.map(found => detectedEvent(scopeId, found, null, round)),
    ...dismisses.map(id => ({
      type: 'contradiction.resolved',
      data: { scope_id: scopeId, contradiction_id: id, verdict: 'dismiss', by: 'person', round },
    })),
    ...retired.map(each => supersededEvent(scopeId, each, null, round)),
  ]
}

function supersededEvent(
  scopeId: string,
  { claimId, byClaimId, supersessionId }: { claimId: string; byClaimId: string | null; supersessionId?: string | undefined },
  documentId: string | null,
  round: number,
): EventDraft {
  const document = documentId === null ? {} : { document_id: documentId }
  const supersession = supersessionId === undefined ? {} : { supersession_id: supersessionId }
  return {
    type: 'claim.superseded',
    subject: documentId,
    data: { scope_id: scopeId, claim_id: claimId, superseded_by: byClaimId, ...supersession, ...document, round },
  }
}

/** Possible conflicts that close because a claim of theirs ended, or open again because it counts again. */
function possibleMoveEvents(scopeId: string, { round, possible }: RoundResult): EventDraft[] {
  const event = (type: string, id: string) => ({ type, data: { scope_id: scopeId, possible_conflict_id: id, by: 'system', round } })
  return [
    ...possible.closes.map(id => event('possible_conflict.dismissed', id)),
    ...possible.reopens.map(id => event('possible_conflict.reopened', id)),
  ]
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
