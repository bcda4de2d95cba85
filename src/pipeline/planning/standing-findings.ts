/**
 * What of a reader's conclusions stands once its round is through. Rivals may include claims that were replaced before:
 * they show what replaces what, but nothing is open between claims of which one no longer counts. So the same documents
 * leave the same open findings, whether a claim was replaced before or after its rival came.
 */

import type { ContradictionFound, Evidence, Reconciliation, Supersession, Unsure } from '../../reading/types.js'

/** `counts` says whether a claim counted before the round, or is one of its own. */
export function standingFindings(concluded: Reconciliation, counts: (claimId: string) => boolean): Reconciliation {
  const ended = new Set(concluded.supersessions.map(each => each.claimId))
  const stands = (claimId: string) => counts(claimId) && !ended.has(claimId)
  return {
    ...concluded,
    contradictions: concluded.contradictions.flatMap(found => standingContradiction(found, stands)),
    unsure: concluded.unsure.filter(({ a, b }) => stands(a) && stands(b)),
  }
}

function standingContradiction(found: ContradictionFound, stands: (claimId: string) => boolean): ContradictionFound[] {
  const [a, ...supportersA] = [found.a, ...found.supportersA].filter(stands)
  const [b, ...supportersB] = [found.b, ...found.supportersB].filter(stands)
  if (a === undefined || b === undefined) return []
  const evidence = boundedEvidence(found.evidence)
  return [{ ...found, a, b, supportersA, supportersB, ...(evidence === null ? {} : { evidence }) }]
}

/** The pairs in which one claim replaces another, each once. What a new revision simply drops has no pair. */
export function supersededPairs(supersessions: readonly Supersession[]): (Supersession & { byClaimId: string })[] {
  const pairs = new Map<string, Supersession & { byClaimId: string }>()
  for (const each of supersessions) {
    const { claimId, byClaimId, listed } = each
    const key = `${claimId} ${byClaimId}`
    if (byClaimId !== null && byClaimId !== claimId && listed !== false && !pairs.has(key)) pairs.set(key, { ...each, byClaimId })
  }
  return [...pairs.values()]
}

/** What a reader may leave open is filled in. */
export const describePossible = ({ kind, severity, score }: Unsure) => ({
  kind,
  severity: severity ?? ('medium' as const),
  scoreMicros: Math.round(Math.min(1, Math.max(0, score ?? 0.5)) * 1_000_000),
})

const most = { shared: 12, differs: 4, characters: 120 }

/** Within its bounds, whatever a reader hands over. */
export function boundedEvidence(evidence: Evidence | undefined): Evidence | null {
  if (evidence === undefined) return null
  const sides = (of: { a: string | null; b: string | null }) => ({ a: cut(of.a), b: cut(of.b) })
  return {
    subject: cut(evidence.subject),
    shared: evidence.shared.slice(0, most.shared).map(word => cut(word)),
    differs: evidence.differs.slice(0, most.differs).map(({ a, b }) => ({ a: cut(a), b: cut(b) })),
    times: sides(evidence.times),
    issuers: sides(evidence.issuers),
  }
}

function cut<T extends string | null>(text: T): T {
  return (typeof text === 'string' ? [...text].slice(0, most.characters).join('') : null) as T
}
