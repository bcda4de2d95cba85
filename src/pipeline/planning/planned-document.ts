/** A planned document in the form a commit writes: claims, findings and ends with their numbers. */

import type { DocumentContent } from '../../kernel/document-content.js'
import type { RoundResult } from '../../kernel/round-types.js'
import { claimBody } from '../../store/claims/claim-body.js'
import { type TermRow, termRows } from '../../store/claims/claim-terms.js'
import type { ClaimRange, StoredClaim } from '../../store/claims/claims.js'
import type { PossibleWrite, SupersessionWrite } from '../../store/findings/finding-rows.js'
import type { StoredScope } from '../../store/scopes/rounds.js'
import type { CarriedOver } from './carry-over.js'
import type { PlacedDocument, ReadDocument } from './placing.js'
import { boundedEvidence, describePossible, supersededPairs } from './standing-findings.js'
import type { EarlierRevision, WorkingScope } from './working-scope.js'

export interface PlannedDocument {
  read: ReadDocument
  result: RoundResult
  content: DocumentContent | null
  /** New claims with their numbers and stored form; empty unless admitted. */
  claims: { claim: StoredClaim; body: string }[]
  contradictions: { contradictionNo: number; contradictionId: string }[]
  possible: Omit<PossibleWrite, 'round'>[]
  supersessions: Omit<SupersessionWrite, 'round'>[]
  supporters: { contradictionNo: number; side: 'a' | 'b'; claimNo: number }[]
  ends: { claimNo: number; byClaimId: string | null; reason: string; round?: number }[]
  /** Words its claims are found by. */
  terms: TermRow[]
  /** Of those claims, the ones made of passages of other documents. */
  lent: LentRange[]
  /** First claim of the revision it takes the place of: what that one said is not looked for any more. */
  replacesTerms: number | null
  /** Claims of the reading it takes the place of, whether they counted or not. */
  replaces: ClaimRange | null
  /** Where it takes the place of a reading: numbers of the claims it was compared with. */
  compared: number[]
  /** What counts may have to be settled behind it: it takes the place of a reading, or joins what a person decided. */
  settles: boolean
  /** Of the revision that claims belong to: its own, or for unchanged text the earlier one. */
  firstClaimNo: number | null
  claimCount: number
  extractor: string
  extractorVersion: string
  /** What goes on of the findings of its reading before; null for a document that comes in. */
  carried: Omit<CarriedOver, 'reconciliation' | 'keptPossible'> | null
  /** Numbers of claims this document was reconciled with, by id. */
  numberOf: (claimId: string) => number | undefined
}

/** Claims made of passages of one document, numbered in a row. */
export interface LentRange {
  documentId: string
  revision: number
  firstClaimNo: number
  count: number
}

interface Planning {
  placed: PlacedDocument
  result: RoundResult
  content: DocumentContent | null
  earlier: EarlierRevision | undefined
  /** Stored forms of its claims. */
  bodies: readonly string[]
  carried: CarriedOver | null
  /** Numbers of the claims it was compared with. */
  compared: readonly number[]
  /** Numbers that are free. */
  next: Pick<StoredScope, 'nextClaimNo' | 'nextContradictionNo' | 'nextPossibleNo' | 'nextSupersessionNo'>
  working: WorkingScope
}

type NumberOf = (claimId: string) => number

export function toPlanned(planning: Planning): PlannedDocument {
  const { placed, result, content, earlier, bodies, next, working } = planning
  const { read, claims: own } = placed
  const claims = [...own, ...placed.lent.map(each => each.claim)]
  const admitted = result.applied && content !== null
  const extractor = read.extraction?.extractor ?? earlier?.extractor ?? ''
  const extractorVersion = read.extraction?.version ?? earlier?.extractorVersion ?? ''
  const carried = planning.carried === null ? null : withoutReconciliation(planning.carried)
  const base = {
    read,
    result,
    content,
    extractor,
    extractorVersion,
    carried,
    numberOf: (claimId: string) => working.claimNo(claimId),
  }
  if (!admitted) {
    const carried = result.applied && earlier !== undefined
    const range = carried ? { firstClaimNo: earlier.firstClaimNo, claimCount: earlier.claimCount } : { firstClaimNo: null, claimCount: 0 }
    return {
      ...base,
      ...range,
      claims: [],
      contradictions: [],
      possible: [],
      supersessions: [],
      supporters: [],
      ends: [],
      terms: [],
      lent: [],
      replacesTerms: null,
      replaces: null,
      compared: [],
      settles: false,
    }
  }
  const numbered = claims.map((claim, index) => ({
    claim: { claimNo: next.nextClaimNo + index, ...claim },
    body: bodies[index] ?? claimBody(claim),
  }))
  const numberOf = numbering(numbered, working)
  const replaces = earlier === undefined ? null : { firstClaimNo: earlier.firstClaimNo, count: earlier.claimCount }
  const endable = new Set([...content.endable.keys(), ...claims.map(claim => claim.claimId)])
  const ends = new Map<string, PlannedDocument['ends'][number]>()
  for (const { claimId, byClaimId, reason, round } of content.reconciliation.supersessions) {
    const earlierRound = round === undefined ? {} : { round }
    if (endable.has(claimId) && !ends.has(claimId)) ends.set(claimId, { claimNo: numberOf(claimId), byClaimId, reason, ...earlierRound })
  }
  return {
    ...base,
    claims: numbered,
    contradictions: content.contradictionIds.map((contradictionId, index) => ({
      contradictionId,
      contradictionNo: next.nextContradictionNo + index,
    })),
    possible: possibleOf(planning, content, numberOf),
    supersessions: supersessionsOf(planning, content, numberOf),
    supporters: content.reconciliation.supporters.flatMap(({ contradictionId, side, claimId }) => {
      const contradictionNo = working.findings.contradictionNo(contradictionId)
      return contradictionNo === undefined ? [] : [{ contradictionNo, side, claimNo: numberOf(claimId) }]
    }),
    ends: [...ends.values()],
    terms: termRows(numbered.slice(0, own.length).map(({ claim }) => ({ claimNo: claim.claimNo, terms: claim.lookupKeys }))),
    lent: lentRanges(numbered.slice(own.length)),
    // One that said nothing has no first claim: 0 is that of the first document of the scope.
    replacesTerms: earlier === undefined || earlier.claimCount === 0 ? null : earlier.firstClaimNo,
    replaces,
    compared: replaces === null ? [] : [...planning.compared],
    settles: settlesBehind(planning, content),
    firstClaimNo: own.length === 0 ? null : next.nextClaimNo,
    claimCount: own.length,
  }
}

function lentRanges(lent: readonly { claim: StoredClaim }[]): LentRange[] {
  const ranges: LentRange[] = []
  for (const { claim } of lent) {
    const last = ranges.at(-1)
    if (last?.documentId === claim.documentId) last.count++
    else ranges.push({ documentId: claim.documentId, revision: claim.revision, firstClaimNo: claim.claimNo, count: 1 })
  }
  return ranges
}

/**
 * Whether more may follow from it than its own round writes. Where nothing was found in the case, and nobody's word is touched, nothing can;
 * anything narrower was wrong twice, and then the case was kept, and certified, otherwise than what is said in it.
 */
function settlesBehind({ placed: { read }, earlier, next, working }: Planning, { reconciliation }: DocumentContent): boolean {
  if (read.document.reread !== null) return true
  if (reconciliation.supporters.some(each => working.findings.isDecided(each.contradictionId))) return true
  if (earlier === undefined) return false
  return next.nextContradictionNo + next.nextPossibleNo + next.nextSupersessionNo > 0 || earlier.claims.length < earlier.claimCount
}

function possibleOf({ next }: Planning, content: DocumentContent, numberOf: NumberOf): PlannedDocument['possible'] {
  return content.reconciliation.unsure.map((pair, index) => ({
    possibleNo: next.nextPossibleNo + index,
    possibleConflictId: content.possibleIds[index] ?? '',
    ...describePossible(pair),
    claimA: numberOf(pair.a),
    claimB: numberOf(pair.b),
    slotKey: pair.slotKey ?? null,
    groupA: pair.groupA ?? null,
    groupB: pair.groupB ?? null,
    reason: pair.reason,
    evidence: boundedEvidence(pair.evidence),
    foundBy: pair.foundBy,
    ...(pair.proposes !== undefined && { proposes: pair.proposes }),
    ...(pair.cleared !== undefined && { cleared: pair.cleared }),
  }))
}

function supersessionsOf({ next }: Planning, content: DocumentContent, numberOf: NumberOf): PlannedDocument['supersessions'] {
  return supersededPairs(content.reconciliation.supersessions).map((pair, index) => ({
    supersessionNo: next.nextSupersessionNo + index,
    supersessionId: content.supersessions[index]?.supersessionId ?? '',
    kind: pair.kind ?? 'later_issue',
    claimNo: numberOf(pair.claimId),
    byClaimNo: numberOf(pair.byClaimId),
    reason: pair.reason,
    evidence: boundedEvidence(pair.evidence),
    foundBy: pair.foundBy,
  }))
}

function withoutReconciliation({ reconciliation, keptPossible, ...carried }: CarriedOver): PlannedDocument['carried'] {
  return carried
}

function numbering(numbered: readonly { claim: StoredClaim }[], working: WorkingScope): NumberOf {
  const own = new Map(numbered.map(({ claim }) => [claim.claimId, claim.claimNo]))
  return claimId => {
    const claimNo = own.get(claimId) ?? working.claimNo(claimId)
    if (claimNo === undefined) throw new Error('a claim was concluded upon that was not handed in')
    return claimNo
  }
}
