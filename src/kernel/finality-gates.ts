/** The gates a scope must pass to be resolved: each with what it measures, what it needs and what would close it, in words. */
import { atLeast, DIMENSIONS } from './dimensions.js'
import { openContradictions, score } from './scores.js'
import type { ScopeSettings } from './settings.js'
import type { Dimension, FinalityInput, Gate, ScopeAggregates } from './types.js'

const HOLDS = 'Holds.'

export function gatesOf(input: FinalityInput): Gate[] {
  return [
    ...thresholdGates(input),
    vetoGate(input),
    possibleGate(input),
    monotoneGate(input),
    evidenceGate(input),
    qualityGate(input),
    quiescentGate(input),
    contentGate(input),
    examinedGate(input),
  ]
}

function thresholdGates({ aggregates, settings }: FinalityInput): Gate[] {
  const scores = score(aggregates)
  return DIMENSIONS.map(dimension => {
    const needed = settings.thresholds[dimension]
    return gate(dimension, {
      ok: scores[dimension] >= needed,
      value: scores[dimension],
      needs: `at least ${needed}`,
      how: raise(dimension, aggregates),
    })
  })
}

function raise(dimension: Dimension, aggregates: ScopeAggregates): string {
  const { goalsTotal, goalsDone, risks } = aggregates
  const ways: Record<Dimension, string> = {
    claim_confidence: 'Add documents that state the weakly supported facts plainly: the best statement on each fact counts.',
    contradiction_resolution: `${CLOSE} ${openContradictions(aggregates)} are open.`,
    goal_completion: `Add documents that report goals as done: ${goalsTotal - goalsDone} of ${goalsTotal} are not.`,
    risk_inverse: `Add revisions that lower or lift the risks: ${risks.critical} critical and ${risks.high} high stand.`,
  }
  return ways[dimension]
}

const CLOSE = 'Decide the open contradictions (POST /api/contradictions/{contradictionId}/resolution) or add documents that replace a side:'

/** The veto: a score close enough to its threshold must not carry a serious contradiction through. */
function vetoGate({ aggregates, settings }: FinalityInput): Gate {
  const severity = settings.finality.veto_severity
  const open = atLeast(aggregates.contradictionsOpen, severity)
  return gate('no_open_contradictions', {
    ok: open === 0,
    value: open,
    needs: severity === 'low' ? 'no contradiction open' : `no contradiction of severity ${severity} or worse open`,
    how: `${CLOSE} ${open} stand in the way.`,
  })
}

function possibleGate({ aggregates, settings }: FinalityInput): Gate {
  const open = aggregates.possibleOpen
  const waits = settings.finality.possible_conflicts === 'wait'
  return gate('possible_conflicts', {
    ok: !waits || open === 0,
    value: open,
    needs: waits ? 'every possible conflict promoted or dismissed' : 'nothing: the certificate says how many were left',
    how: `Decide the possible conflicts (POST /api/possible-conflicts/{possibleConflictId}/promotion or /dismissal): ${open} are undecided.`,
  })
}

function monotoneGate({ point, settings }: FinalityInput): Gate {
  const rounds = settings.convergence.monotone_rounds
  return gate('monotone', {
    ok: point?.monotone ?? true,
    value: point?.monotone ?? true,
    needs: `no step backwards in the last ${rounds} steps of the segment`,
    how: `Wait for ${rounds} steps that do not lower the scores again.`,
  })
}

/**
 * Documents that a model compared in full, where the settings ask for one: in languages the rules do not read there may be nothing but
 * these. Elsewhere nobody counts them.
 */
function comparedByModel({ aggregates, settings, examination }: FinalityInput): number {
  const isCounted = settings.finality.examination === 'model'
  return isCounted ? Math.max(0, aggregates.documentsIndexed - examination.unexamined) : 0
}

function evidenceGate(input: FinalityInput): Gate {
  const { aggregates } = input
  return gate('evidence_present', {
    ok: (aggregates.claimsLive > 0 || comparedByModel(input) > 0) && aggregates.documentsIndexed > 0,
    value: aggregates.claimsLive,
    needs: 'at least one statement that counts, of a document that was read, or a document that a model compared',
    how: 'Add a document that states facts.',
  })
}

function qualityGate({ point, settings }: FinalityInput): Gate {
  const needed = settings.finality.minimum_quality
  const quality = point?.quality ?? 1
  return gate('trajectory_quality', {
    ok: quality >= needed,
    value: quality,
    needs: `at least ${needed}`,
    how: 'Wait for steps that keep one direction: the scores went up and down too often in this segment.',
  })
}

function quiescentGate({ workload: { queued, processing, held } }: Pick<FinalityInput, 'workload'>): Gate {
  const wait = queued + processing > 0 ? `Wait for ${queued} queued and ${processing} processing documents. ` : ''
  const review = held > 0 ? `Review ${held} held decisions (POST /api/decisions/{decisionId}/review).` : ''
  return gate('quiescent', {
    ok: queued + processing + held === 0,
    value: queued + processing + held,
    needs: 'nothing queued, processing or held',
    how: `${wait}${review}`.trim(),
  })
}

/** What a person read by eye is content too: a document, and at least one statement. */
function contentGate(input: FinalityInput): Gate {
  const { aggregates, settings, examination } = input
  const { minimum_documents: documents, minimum_claims: claims } = settings.finality
  const { readByEye: byEye } = examination
  const [read, said] = [aggregates.documentsIndexed + byEye, aggregates.claimsLive + byEye + comparedByModel(input)]
  return gate('minimum_content', {
    ok: read >= documents && said >= claims,
    value: `${aggregates.documentsIndexed} documents, ${aggregates.claimsLive} statements${byEye === 0 ? '' : `, ${byEye} documents read by eye`}`,
    needs: `at least ${documents} documents that were read and ${claims} statements that count`,
    how: `Add documents: ${missing(documents - read, claims - said)} missing.`,
  })
}

function missing(documents: number, claims: number): string {
  const lacking = [
    ...(documents > 0 ? [`${documents} ${documents === 1 ? 'document' : 'documents'}`] : []),
    ...(claims > 0 ? [`${claims} ${claims === 1 ? 'statement' : 'statements'}`] : []),
  ]
  return `${lacking.join(' and ')} ${Math.max(documents, 0) + Math.max(claims, 0) === 1 ? 'is' : 'are'}`
}

/** Nothing is certified that nobody examined. */
function examinedGate({ examination, settings }: FinalityInput): Gate {
  const { examination: asked, signatures } = settings.finality
  const { signers, unexamined } = examination
  const signed = signers >= signatures
  if (asked === 'none') {
    return gate('examined', { ok: true, value: 'none', needs: 'nothing: the certificate says that no examination was asked for', how: '' })
  }
  if (asked === 'model') {
    return gate('examined', {
      ok: unexamined === 0 || signed,
      value: unexamined,
      needs: 'every document compared by a model in full, or signed for by a person',
      how: `${unexamined} documents were not compared by a model in full: let it read them (POST /api/scopes/{scopeId}/reread) or sign off (POST /api/scopes/{scopeId}/sign-off).`,
    })
  }
  return gate('examined', {
    ok: signed,
    value: signers,
    needs: signatures === 1 ? 'a person who signs off what counts now' : `${signatures} different people who sign off what counts now`,
    how: `Sign off (POST /api/scopes/{scopeId}/sign-off): ${signers} of ${signatures} have.`,
  })
}

/**
 * The gates of the last round as they stand while documents wait that came after it: rounds are recorded when a document is read, and a
 * reader must not be told until then that nothing waits and everything was examined.
 */
export function gatesNow(
  gates: readonly Gate[],
  { queued, processing, held }: FinalityInput['workload'],
  asked: ScopeSettings['finality']['examination'],
): Gate[] {
  const unexamined = asked === 'none' ? 0 : queued + processing + held
  const waiting = [
    ...(queued + processing > 0 ? [`${queued + processing} wait to be read`] : []),
    ...(held > 0 ? [`${held} are held`] : []),
  ]
  const wait = `Documents came that nobody has examined: ${waiting.join(', ')}.`
  return gates.map(each => {
    if (!each.ok) return each
    if (each.gate === 'quiescent' && queued + processing > 0) return quiescentGate({ workload: { queued, processing, held } })
    return each.gate === 'examined' && unexamined > 0 ? { ...each, ok: false, how: wait } : each
  })
}

function gate(name: string, { ok, value, needs, how }: Omit<Gate, 'gate'>): Gate {
  return { gate: name, ok, value, needs, how: ok ? HOLDS : how }
}
