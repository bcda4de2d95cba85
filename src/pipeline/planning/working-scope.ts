/**
 * A scope in memory: live claims by slot, the findings around them and what earlier revisions left. Each admitted round is
 * folded in, so the next document sees exactly what it would have read from the database: results do not depend on how work
 * was batched. A batch begins with what its documents touch; a replay begins with nothing and folds every round of the scope,
 * acts of people included, so what it proves holds for batches too.
 *
 * Where the window on a crowded slot loses a claim, what lies behind the window would have to be read: the scope is
 * then `stale`, and the batch ends with that round.
 */

import { type PossibleStanding, toSlotClaim } from '../../kernel/document-content.js'
import type { ContentCounts } from '../../kernel/effect.js'
import { moveSlots, type SlotStanding } from '../../kernel/slots.js'
import type { Severity } from '../../kernel/types.js'
import type { DocumentFacts, PlacedClaim } from '../../reading/types.js'
import { commonTerm, type TermRow } from '../../store/claims/claim-terms.js'
import { type SlotFigures, type StoredClaim, windowClaims } from '../../store/claims/claims.js'
import type { StoredFinding } from '../../store/findings/claims-findings.js'
import { byTerm, pickRivals, type WantedTerms } from './rivals.js'
import { supersededPairs } from './standing-findings.js'
import { type AdmittedFindings, WorkingFindings } from './working-findings.js'

export interface EarlierRevision {
  revision: number
  claims: StoredClaim[]
  firstClaimNo: number
  claimCount: number
  content: ContentCounts
  extractor: string
  extractorVersion: string
  /** A model compared it in full. */
  byModel?: boolean
}

export interface WorkingScopeInput {
  /** Whole slots: of the new claims, and of every claim they are compared with. */
  live: readonly StoredClaim[]
  /** Of every word the documents look their rivals up by. */
  terms: readonly TermRow[]
  /** Replaced claims that are rivals still. */
  superseded: readonly StoredClaim[]
  crowds: readonly SlotFigures[]
  findings: readonly StoredFinding[]
  possible: readonly PossibleStanding[]
  earlier: ReadonlyMap<string, EarlierRevision>
  facts: Readonly<Record<string, DocumentFacts>>
}

export interface AdmittedRound extends AdmittedFindings {
  documentId: string
  claims: readonly StoredClaim[]
  /** Made of passages of other documents. */
  lent: readonly StoredClaim[]
  slots: readonly SlotFigures[]
  revision: EarlierRevision
  terms: readonly TermRow[]
  replacesTerms: number | null
}

export class WorkingScope {
  readonly findings: WorkingFindings
  readonly facts: Record<string, DocumentFacts>
  stale = false
  /** Live claims by slot, oldest first. A round looks at the newest `windowClaims` of a slot. */
  private readonly slots = new Map<string, StoredClaim[]>()
  /** Every claim that was handed in or came since, live or not, by number. */
  private readonly claims = new Map<number, StoredClaim>()
  private readonly numbers = new Map<string, number>()
  /** Claims that were live when they were handed in and no longer are. */
  private readonly ended = new Set<string>()
  /** Replaced claims that are rivals still, by number. */
  private readonly superseded = new Map<number, StoredClaim>()
  private readonly terms: Map<string, TermRow[]>
  private readonly figures = new Map<string, SlotFigures>()
  private readonly earlier: Map<string, EarlierRevision>

  constructor(input: WorkingScopeInput) {
    for (const claim of [...input.live].sort((a, b) => a.claimNo - b.claimNo)) this.begin(claim)
    for (const claim of input.superseded) this.keepSuperseded(claim)
    this.terms = byTerm(input.terms)
    for (const crowd of input.crowds) this.figures.set(crowd.slotKey, crowd)
    this.earlier = new Map(input.earlier)
    for (const revision of input.earlier.values()) for (const claim of revision.claims) this.remember(claim)
    this.facts = { ...input.facts }
    this.findings = new WorkingFindings(input, {
      isLive: claimId => !this.ended.has(claimId),
      numberOf: claimId => this.numbers.get(claimId),
    })
  }

  /**
   * Claims to hold these against, newest first: live ones that share their words or are of the same slots, and replaced ones
   * that share their words, flagged.
   */
  rivalsOf(claims: readonly PlacedClaim[], wanted: WantedTerms): { live: StoredClaim[]; superseded: StoredClaim[] } {
    const picked = pickRivals(wanted, term => this.terms.get(term) ?? [])
    const own = new Set(claims.map(claim => claim.slotKey))
    const slots = new Set([...own, ...[...picked].flatMap(claimNo => this.claims.get(claimNo)?.slotKey ?? [])])
    const live = [...slots].flatMap(slotKey => this.window(slotKey).filter(claim => own.has(slotKey) || picked.has(claim.claimNo)))
    const superseded = [...picked].flatMap(claimNo => this.superseded.get(claimNo) ?? [])
    return { live: live.sort(newestFirst), superseded: superseded.sort(newestFirst) }
  }

  /** Live claims of these slots, newest first. */
  liveIn(slotKeys: readonly string[]): StoredClaim[] {
    return [...new Set(slotKeys)].flatMap(slotKey => this.window(slotKey)).sort(newestFirst)
  }

  earlierRevision(documentId: string): EarlierRevision | undefined {
    const revision = this.earlier.get(documentId)
    return revision && { ...revision, claims: revision.claims.filter(claim => !this.ended.has(claim.claimId)) }
  }

  claimNo(claimId: string): number | undefined {
    return this.numbers.get(claimId)
  }

  documentOf(claimId: string): string | undefined {
    return this.claims.get(this.numbers.get(claimId) ?? -1)?.documentId
  }

  standings(slotKeys: Iterable<string>): SlotStanding[] {
    return [...new Set(slotKeys)].map(slotKey => this.standing(slotKey))
  }

  private standing(slotKey: string): SlotStanding {
    const claims = this.window(slotKey).map(toSlotClaim)
    const kept = this.figures.get(slotKey)
    if (kept !== undefined && claims.length >= windowClaims) return { slotKey, live: kept.live, bestMicros: kept.bestMicros, claims }
    return { slotKey, live: claims.length, bestMicros: claims.reduce((most, claim) => Math.max(most, claim.micros), 0), claims }
  }

  /** Newest first. */
  private window(slotKey: string): StoredClaim[] {
    return (this.slots.get(slotKey) ?? []).slice(-windowClaims).reverse()
  }

  /** Folds an admitted round in. */
  admit(round: AdmittedRound): void {
    const gone = new Set(round.reconciliation.supersessions.map(each => each.claimId))
    const claims = [...round.claims, ...round.lent]
    for (const claim of claims) this.remember(claim)
    this.foldSuperseded(round)
    this.foldTerms(round)
    this.end(gone)
    for (const claim of claims) if (!gone.has(claim.claimId)) this.begin(claim)
    for (const slot of round.slots) this.figures.set(slot.slotKey, slot)
    this.earlier.set(round.documentId, round.revision)
    for (const claim of round.lent) this.earlier.get(claim.documentId)?.claims.push(claim)
    this.findings.admit(round)
  }

  /** What a person says contradicts each other. */
  report(
    [a, b]: readonly [StoredClaim, StoredClaim],
    found: { contradictionNo: number; contradictionId: string; severity: Severity },
  ): void {
    for (const claim of [a, b]) {
      this.begin(claim)
      this.earlier.get(claim.documentId)?.claims.push(claim)
    }
    const groups = { groupA: `claim ${a.claimId}`, groupB: `claim ${b.claimId}` }
    this.findings.open({ ...found, ...groups, slotKey: a.slotKey, a: [a.claimId], b: [b.claimId] })
  }

  /** Claims that people end and revive. */
  move({ ended, revived }: { ended: readonly string[]; revived: readonly string[] }): void {
    const [ending, beginning] = [this.known(ended), this.known(revived)]
    const before = this.standings([...ending, ...beginning].map(claim => claim.slotKey))
    for (const slot of moveSlots(before, beginning.map(toSlotClaim), ending.map(toSlotClaim)).after) this.figures.set(slot.slotKey, slot)
    this.end(new Set(ended))
    for (const claim of beginning) this.revive(claim)
  }

  /** A person said that others replace these: they stay rivals. */
  retire(claimIds: readonly string[]): void {
    for (const claim of this.known(claimIds)) this.keepSuperseded(claim)
  }

  /** An erased document is no earlier revision, and what it said no rival. */
  forget(documentId: string): void {
    this.earlier.delete(documentId)
    this.dropSuperseded(claim => claim.documentId === documentId)
  }

  /** What another document replaces stays a rival; what an earlier revision said is none any more. */
  private foldSuperseded({ documentId, reconciliation, revision }: AdmittedRound): void {
    for (const { claimId, byClaimId } of supersededPairs(reconciliation.supersessions)) {
      const [claim] = this.known([claimId])
      const [by] = this.known([byClaimId])
      if (claim !== undefined && by !== undefined && by.documentId !== claim.documentId) this.keepSuperseded(claim)
    }
    this.dropSuperseded(claim => claim.documentId === documentId && claim.revision < revision.revision)
  }

  private keepSuperseded(claim: StoredClaim): void {
    this.remember(claim)
    this.superseded.set(claim.claimNo, { ...claim, superseded: true })
  }

  private dropSuperseded(gone: (claim: StoredClaim) => boolean): void {
    for (const [claimNo, claim] of this.superseded) if (gone(claim)) this.superseded.delete(claimNo)
  }

  /** A word that begins or ceases to name something changes what later documents must have read. */
  private foldTerms({ terms, replacesTerms }: AdmittedRound): void {
    for (const [term, rows] of replacesTerms === null ? [] : this.terms) {
      const left = rows.filter(row => row.firstClaimNo !== replacesTerms)
      if (left.length < rows.length && rows.length > commonTerm) this.stale = true
      this.terms.set(term, left)
    }
    for (const row of terms) {
      const rows = [...(this.terms.get(row.term) ?? []), row]
      if (rows.length === commonTerm + 1) this.stale = true
      this.terms.set(row.term, rows)
    }
  }

  private end(claimIds: ReadonlySet<string>): void {
    for (const claimId of claimIds) this.ended.add(claimId)
    for (const slotKey of new Set(this.known([...claimIds]).map(claim => claim.slotKey))) {
      const live = this.slots.get(slotKey) ?? []
      const left = live.filter(claim => !claimIds.has(claim.claimId))
      if (left.length === live.length) continue
      if (live.length >= windowClaims) this.stale = true
      this.slots.set(slotKey, left)
    }
  }

  private begin(claim: StoredClaim): void {
    this.remember(claim)
    const live = this.slots.get(claim.slotKey)
    if (live === undefined) this.slots.set(claim.slotKey, [claim])
    else live.push(claim)
  }

  private revive(claim: StoredClaim): void {
    const others = (this.slots.get(claim.slotKey) ?? []).filter(each => each.claimNo !== claim.claimNo)
    this.slots.set(
      claim.slotKey,
      [...others, claim].sort((a, b) => a.claimNo - b.claimNo),
    )
    this.ended.delete(claim.claimId)
    this.superseded.delete(claim.claimNo)
  }

  private remember(claim: StoredClaim): void {
    this.claims.set(claim.claimNo, claim)
    this.numbers.set(claim.claimId, claim.claimNo)
  }

  private known(claimIds: readonly string[]): StoredClaim[] {
    return claimIds.flatMap(claimId => this.claims.get(this.numbers.get(claimId) ?? -1) ?? [])
  }
}

function newestFirst(a: StoredClaim, b: StoredClaim): number {
  return b.claimNo - a.claimNo
}
