/** The events of a round, in the order readers see them: ids and figures, never text, quotes or names of documents. */
import { type DocumentContent, undecided } from './document-content.js'
import type {
  EventDraft,
  FindingRound,
  ReportRound,
  RereadRound,
  RoundDocument,
  RoundInput,
  RoundResult,
  SaidOfFinding,
  SignOffRound,
} from './round-types.js'
import { openContradictions } from './scores.js'

/** An event of the round; one about a document names it. */
type MakeEvent = (type: string, data: Record<string, unknown>, documentId?: string | null) => EventDraft

export function roundEvents(scopeId: string, input: RoundInput, result: RoundResult): EventDraft[] {
  const event: MakeEvent = (type, data, documentId = null) => ({
    type,
    subject: documentId,
    data: { scope_id: scopeId, ...(documentId === null ? {} : { document_id: documentId }), ...data, round: result.round },
  })
  const bySystem = (contradictionId: string) => ({ contradiction_id: contradictionId, verdict: 'superseded', by: 'system' })
  const moved = (id: string) => ({ possible_conflict_id: id, by: 'system' })
  return [
    ...inputEvents(event, input, result),
    ...result.closes.map(id => event('contradiction.resolved', bySystem(id))),
    // Because a claim of theirs ended, or counts again.
    ...result.possible.closes.map(id => event('possible_conflict.dismissed', moved(id))),
    ...result.possible.reopens.map(id => event('possible_conflict.reopened', moved(id))),
    ...decisionEvents(event, input, result),
    convergenceEvent(event, result),
    ...finalityEvents(event, result),
  ]
}

function inputEvents(event: MakeEvent, input: RoundInput, result: RoundResult): EventDraft[] {
  switch (input.kind) {
    case 'document':
      return documentEvents(event, input.document, input.content, result)
    case 'reread':
      return rereadEvents(event, input)
    case 'review': {
      const { held, verdict } = input
      // Approved, it had left the hold for a worker; a rejection that is held leaves it where it was.
      if (held.kind === 'document' && (result.outcome !== 'hold' || verdict === 'approve'))
        return documentEvents(event, held.document, held.content, result)
      if (!result.applied) return []
      if (held.kind === 'sign_off') return [signOffEvent(event, held)]
      if (held.kind === 'settings') return [event('scope.changed', { mode: held.mode })]
      return held.kind === 'resolution' || held.kind === 'finding' ? saidEvents(event, held) : []
    }
    case 'resolution':
    case 'finding':
      return result.applied ? saidEvents(event, input) : []
    case 'sign_off':
      return result.applied ? [signOffEvent(event, input)] : []
    case 'report':
      return [reportEvent(event, input)]
    case 'settings':
      return result.applied ? [event('scope.changed', { mode: input.mode })] : []
    case 'discard': {
      const { documentId, revision } = input.document
      return [event('document.rejected', { revision, status: 'rejected', reason: input.reason }, documentId)]
    }
    // `document.quarantined`, `document.reread_failed`, `document.attached` or `document.registered` has told of it.
    case 'given_up':
    case 'arrival':
      return []
    case 'settling':
      return [
        ...input.retired.map(each => supersededEvent(event, each)),
        ...input.withdrawn.map(id => event('supersession.withdrawn', { supersession_id: id })),
      ]
    case 'erasure': {
      const { documentId, revision } = input.document
      return [
        event('document.erased', { revision, claims_ended: input.parts.ended.length }, documentId),
        ...input.withdrawn.map(id => event('supersession.withdrawn', { supersession_id: id }, documentId)),
      ]
    }
  }
}

/** What becomes of a document by the outcome of its round. */
export const documentStatuses = { admit: 'indexed', hold: 'held', reject: 'rejected' } as const

function documentEvents(
  event: MakeEvent,
  { documentId, revision }: RoundDocument,
  content: DocumentContent | null,
  result: RoundResult,
): EventDraft[] {
  const status = documentStatuses[result.outcome]
  const first = {
    revision,
    status,
    ...(result.outcome === 'admit' ? {} : { reason: result.decisions[0]?.record.reasons.join(' ') ?? '' }),
    unchanged: content === null,
    claims: content?.claims.length ?? 0,
    contradictions: content?.reconciliation.contradictions.length ?? 0,
    possible_conflicts: content === null ? 0 : undecided(content.reconciliation).length,
  }
  return [
    event(`document.${status}`, first, documentId),
    ...(result.applied && content !== null ? contentEvents(event, documentId, content) : []),
  ]
}

/** What a reading ends and what it finds. One event for each claim that ends, whatever number of claims replace it. */
function contentEvents(event: MakeEvent, documentId: string, content: DocumentContent): EventDraft[] {
  const { supersessions, contradictions, unsure } = content.reconciliation
  const live = new Set([...content.endable.keys(), ...content.claims.map(claim => claim.claimId)])
  const ids = new Map(content.supersessions.map(each => [`${each.claimId} ${each.byClaimId}`, each.supersessionId]))
  const superseded = supersessions.filter(({ claimId }) => live.delete(claimId))
  return [
    ...superseded.map(each =>
      supersededEvent(event, { ...each, supersessionId: ids.get(`${each.claimId} ${each.byClaimId}`) }, documentId),
    ),
    ...contradictions.map((found, index) =>
      detectedEvent(event, { ...found, contradictionId: content.contradictionIds[index] ?? '' }, documentId),
    ),
    ...unsure.map(({ a, b }, index) =>
      event('possible_conflict.detected', { possible_conflict_id: content.possibleIds[index], a, b }, documentId),
    ),
  ]
}

/** As many ids as an event lists. */
const mostListed = 100

/** Claims of the reading before end with it and are not listed one by one. */
function rereadEvents(event: MakeEvent, { document, content, withdrawn, kept, detached }: RereadRound): EventDraft[] {
  const { documentId, revision } = document
  const supersessions = content.reconciliation.supersessions.filter(each => each.byClaimId !== null)
  const about = {
    revision,
    claims: content.claims.length,
    contradictions: content.reconciliation.contradictions.length,
    possible_conflicts: undecided(content.reconciliation).length,
    decisions_kept: kept,
    decisions_detached: detached.length,
    detached: detached.slice(0, mostListed),
  }
  return [
    event('document.reread', about, documentId),
    ...contentEvents(event, documentId, { ...content, reconciliation: { ...content.reconciliation, supersessions } }),
    ...withdrawn.map(id => event('supersession.withdrawn', { supersession_id: id }, documentId)),
  ]
}

type Opened = FindingRound['opens'][number]

function detectedEvent(event: MakeEvent, { contradictionId, kind, severity, a, b }: Opened, documentId?: string): EventDraft {
  return event('contradiction.detected', { contradiction_id: contradictionId, kind, severity, a, b }, documentId)
}

function reportEvent(event: MakeEvent, { contradictionId, severity, passages }: ReportRound): EventDraft {
  const claims = passages === undefined ? {} : { a: passages.a, b: passages.b }
  return event('contradiction.detected', { contradiction_id: contradictionId, kind: 'reported', severity, ...claims })
}

interface Superseded {
  claimId: string
  byClaimId: string | null
  supersessionId?: string | undefined
}

function supersededEvent(event: MakeEvent, { claimId, byClaimId, supersessionId }: Superseded, documentId?: string): EventDraft {
  const supersession = supersessionId === undefined ? {} : { supersession_id: supersessionId }
  return event('claim.superseded', { claim_id: claimId, superseded_by: byClaimId, ...supersession }, documentId)
}

function signOffEvent(event: MakeEvent, { signOffId, verdict }: Pick<SignOffRound, 'signOffId' | 'verdict'>): EventDraft {
  const type = verdict === 'sign_off' ? 'scope.signed_off' : 'scope.sign_off_withdrawn'
  return event(type, { sign_off_id: signOffId, by: 'person' })
}

function saidEvents(event: MakeEvent, said: SaidOfFinding): EventDraft[] {
  const first = said.kind === 'finding' ? findingEvents(event, said) : [resolutionEvent(event, said)]
  return [...first, ...said.retired.map(each => supersededEvent(event, each))]
}

function resolutionEvent(event: MakeEvent, { contradictionId, verdict }: Extract<SaidOfFinding, { kind: 'resolution' }>): EventDraft {
  const data = { contradiction_id: contradictionId }
  return verdict === 'reopen' ? event('contradiction.reopened', data) : event('contradiction.resolved', { ...data, verdict, by: 'person' })
}

const findingTypes = {
  promote: 'possible_conflict.promoted',
  accept: 'possible_conflict.accepted',
  dismiss: 'possible_conflict.dismissed',
  object: 'supersession.objected',
  withdraw: { possible_conflict: 'possible_conflict.reopened', supersession: 'supersession.restored' },
} as const

function findingEvents(event: MakeEvent, said: Extract<SaidOfFinding, { kind: 'finding' }>): EventDraft[] {
  const { of, findingId, verdict, opens, dismisses } = said
  const type = verdict === 'withdraw' ? findingTypes.withdraw[of] : findingTypes[verdict]
  const contradiction = opens.length === 0 ? {} : { contradiction_id: opens[0]?.contradictionId }
  return [
    event(type, { [`${of}_id`]: findingId, by: 'person', ...contradiction }),
    ...opens.map(found => detectedEvent(event, found)),
    ...dismisses.map(id => event('contradiction.resolved', { contradiction_id: id, verdict: 'dismiss', by: 'person' })),
  ]
}

function decisionEvents(event: MakeEvent, input: RoundInput, result: RoundResult): EventDraft[] {
  const about = input.kind === 'review' ? input.held : input
  const document = 'document' in about ? about.document : null
  return result.decisions.map(({ decisionId, proposal: { kind }, record: { seq, outcome, policy_hash, policies } }) => {
    const data = { decision_id: decisionId, seq, kind, outcome, policy_hash, policies }
    if (document === null || kind === 'finality') return event('decision.recorded', data)
    return event('decision.recorded', { ...data, revision: document.revision }, document.documentId)
  })
}

function convergenceEvent(event: MakeEvent, { point, drift }: RoundResult): EventDraft {
  const { v, score, rate, scores, bottleneck, worstPressure } = point
  return event('convergence.updated', { v, score, rate, scores, bottleneck, pressure: worstPressure, drift: drift.level })
}

/** Whoever hears that a case settles, or does not, hears what is open in it. */
function finalityEvents(event: MakeEvent, { finality: { from, to }, scope }: RoundResult): EventDraft[] {
  if (from === to) return []
  const { aggregates } = scope
  return [
    event('finality.changed', {
      from,
      to,
      open_contradictions: openContradictions(aggregates),
      possible_conflicts: aggregates.possibleOpen,
    }),
  ]
}
