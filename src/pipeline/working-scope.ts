/**
 * A scope in memory while a batch of its documents goes through: the live claims of the slots they touch, the findings
 * around them and what earlier revisions left. Each admitted round is folded in, so the next document of the batch sees
 * exactly what it would have read from the database had it been alone: results do not depend on how work was batched.
 *
 * Where the window on a crowded slot loses a claim, what lies behind the window would have to be read: the scope is
 * then `stale`, and the batch ends with that round.
 */

import { type FindingStanding, type PossibleStanding, toSlotClaim } from '../kernel/document-content.js'
import type { ContentCounts } from '../kernel/effect.js'
import type { SlotClaim, SlotStanding } from '../kernel/slots.js'
import type { DocumentFacts, ExistingFinding, PlacedClaim, Reconciliation } from '../reading/types.js'
import { commonTerm, type TermRow } from '../store/claims/claim-terms.js'
import { type SlotFigures, type StoredClaim, windowClaims } from '../store/claims/claims.js'
import type { StoredFinding } from '../store/findings/claims-findings.js'
import { byTerm, pickRivals, type WantedTerms } from './rivals.js'

export interface EarlierRevision {
  revision: number
  claims: StoredClaim[]
  firstClaimNo: number
  claimCount: number
  content: ContentCounts
  extractor: string
  extractorVersion: string
}

export interface WorkingScopeInput {
  /** Whole slots: of the claims in hand, and of every claim they may be held against. */
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

export interface AdmittedRound {
  documentId: string
  claims: readonly StoredClaim[]
  reconciliation: Reconciliation
  contradictions: readonly { contradictionNo: number; contradictionId: string }[]
  possible: readonly PossibleStanding[]
  closes: readonly string[]
  possibleCloses: readonly string[]
  slots: readonly SlotFigures[]
  revision: EarlierRevision
  terms: readonly TermRow[]
  replacesTerms: number | null
}

export class WorkingScope {
  /** Newest first, at most `windowClaims`. */
  private readonly windows = new Map<string, StoredClaim[]>()
  private readonly superseded = new Map<number, StoredClaim>()
  private readonly terms: Map<string, TermRow[]>
  private readonly possible = new Map<string, PossibleStanding>()
  private readonly figures = new Map<string, SlotFigures>()
  private readonly findings = new Map<string, StoredFinding>()
  private readonly earlier: Map<string, EarlierRevision>
  private readonly numbers = new Map<string, number>()
  readonly facts: Record<string, DocumentFacts>
  private isStale = false

  constructor(input: WorkingScopeInput) {
    for (const claim of [...input.live].sort((a, b) => b.claimNo - a.claimNo)) this.push(claim)
    for (const claim of input.superseded) this.keepSuperseded(claim)
    this.terms = byTerm(input.terms)
    for (const each of input.possible) this.possible.set(each.possibleConflictId, each)
    for (const crowd of input.crowds) this.figures.set(crowd.slotKey, crowd)
    for (const finding of input.findings) this.findings.set(finding.finding.contradictionId, finding)
    this.earlier = new Map(input.earlier)
    for (const revision of input.earlier.values()) for (const claim of revision.claims) this.numbers.set(claim.claimId, claim.claimNo)
    this.facts = { ...input.facts }
  }

  get stale(): boolean {
    return this.isStale
  }

  /** Live claims to hold these against, newest first: those that share their words, and those of the same slots. */
  liveFor(claims: readonly PlacedClaim[], wanted: WantedTerms): StoredClaim[] {
    const own = new Set(claims.map(claim => claim.slotKey))
    const picked = this.picked(wanted)
    const found: StoredClaim[] = []
    for (const [slotKey, window] of this.windows) {
      const all = own.has(slotKey)
      for (const claim of window) if (all || picked.has(claim.claimNo)) found.push(claim)
    }
    return found.sort((a, b) => b.claimNo - a.claimNo)
  }

  /** Live claims of these slots, newest first. */
  liveIn(slotKeys: readonly string[]): StoredClaim[] {
    return [...new Set(slotKeys)].flatMap(slotKey => this.windows.get(slotKey) ?? []).sort((a, b) => b.claimNo - a.claimNo)
  }

  /** Replaced claims that share their words, flagged. */
  supersededFor(wanted: WantedTerms): StoredClaim[] {
    const picked = this.picked(wanted)
    return [...this.superseded.values()].filter(claim => picked.has(claim.claimNo)).sort((a, b) => b.claimNo - a.claimNo)
  }

  private picked(wanted: WantedTerms): Set<number> {
    return pickRivals(wanted, term => this.terms.get(term) ?? [])
  }

  possibleStandings(): PossibleStanding[] {
    return [...this.possible.values()]
  }

  earlierRevision(documentId: string): EarlierRevision | undefined {
    return this.earlier.get(documentId)
  }

  existingFindings(): ExistingFinding[] {
    return [...this.findings.values()].map(each => each.finding)
  }

  storedFindings(): StoredFinding[] {
    return [...this.findings.values()]
  }

  findingStandings(): FindingStanding[] {
    return [...this.findings.values()].map(each => each.standing)
  }

  contradictionNo(contradictionId: string): number | undefined {
    return this.findings.get(contradictionId)?.contradictionNo
  }

  claimNo(claimId: string): number | undefined {
    return this.numbers.get(claimId)
  }

  standings(slotKeys: Iterable<string>): SlotStanding[] {
    return [...new Set(slotKeys)].map(slotKey => this.standing(slotKey))
  }

  private standing(slotKey: string): SlotStanding {
    const claims: SlotClaim[] = (this.windows.get(slotKey) ?? []).map(toSlotClaim)
    const kept = this.figures.get(slotKey)
    if (kept !== undefined && claims.length >= windowClaims) return { slotKey, live: kept.live, bestMicros: kept.bestMicros, claims }
    return { slotKey, live: claims.length, bestMicros: claims.reduce((most, claim) => Math.max(most, claim.micros), 0), claims }
  }

  /** Folds an admitted round in. */
  admit(round: AdmittedRound): void {
    const gone = new Set(round.reconciliation.supersessions.map(each => each.claimId))
    this.foldSuperseded(round)
    this.foldTerms(round)
    for (const id of round.possibleCloses) this.possible.delete(id)
    for (const each of round.possible) this.possible.set(each.possibleConflictId, each)
    this.endClaims(gone)
    for (const claim of round.claims) if (!gone.has(claim.claimId)) this.unshift(claim)
    for (const claim of round.claims) this.numbers.set(claim.claimId, claim.claimNo)
    for (const slot of round.slots) this.figures.set(slot.slotKey, slot)
    this.earlier.set(round.documentId, { ...round.revision, claims: round.revision.claims.filter(claim => !gone.has(claim.claimId)) })
    this.foldFindings(round, gone)
  }

  /** Before claims end: what another document replaces stays a rival; what an earlier revision said is none any more. */
  private foldSuperseded({ documentId, claims, reconciliation, revision }: AdmittedRound): void {
    const known = new Map([...this.windows.values(), claims].flat().map(claim => [claim.claimId, claim]))
    for (const { claimId, byClaimId } of reconciliation.supersessions) {
      const claim = known.get(claimId)
      const by = byClaimId === null ? undefined : known.get(byClaimId)
      if (claim !== undefined && by !== undefined && by.documentId !== claim.documentId) this.keepSuperseded(claim)
    }
    for (const [claimNo, claim] of this.superseded)
      if (claim.documentId === documentId && claim.revision < revision.revision) this.superseded.delete(claimNo)
  }

  private keepSuperseded(claim: StoredClaim): void {
    this.numbers.set(claim.claimId, claim.claimNo)
    this.superseded.set(claim.claimNo, { ...claim, superseded: true })
  }

  /** A word that begins or ceases to name something changes what later documents must have read. */
  private foldTerms({ terms, replacesTerms }: AdmittedRound): void {
    for (const [term, rows] of replacesTerms === null ? [] : this.terms) {
      const left = rows.filter(row => row.firstClaimNo !== replacesTerms)
      if (left.length < rows.length && rows.length > commonTerm) this.isStale = true
      this.terms.set(term, left)
    }
    for (const row of terms) {
      const rows = [...(this.terms.get(row.term) ?? []), row]
      if (rows.length === commonTerm + 1) this.isStale = true
      this.terms.set(row.term, rows)
    }
  }

  private endClaims(gone: ReadonlySet<string>): void {
    for (const [slotKey, window] of this.windows) {
      if (!window.some(claim => gone.has(claim.claimId))) continue
      const standing = this.standing(slotKey)
      if (standing.live > standing.claims.length || window.length >= windowClaims) this.isStale = true
      this.windows.set(
        slotKey,
        window.filter(claim => !gone.has(claim.claimId)),
      )
    }
    for (const [documentId, revision] of this.earlier) {
      if (!revision.claims.some(claim => gone.has(claim.claimId))) continue
      this.earlier.set(documentId, { ...revision, claims: revision.claims.filter(claim => !gone.has(claim.claimId)) })
    }
  }

  private foldFindings(round: AdmittedRound, gone: ReadonlySet<string>): void {
    const closed = new Set(round.closes)
    for (const [id, stored] of this.findings) this.findings.set(id, withoutEnded(stored, gone, closed.has(id)))
    for (const { contradictionId, side, claimId } of round.reconciliation.supporters) {
      const stored = this.findings.get(contradictionId)
      if (stored !== undefined && !gone.has(claimId)) this.findings.set(contradictionId, withSupporter(stored, side, claimId))
    }
    round.reconciliation.contradictions.forEach((found, index) => {
      const ids = round.contradictions[index]
      if (ids === undefined) return
      const a = [found.a, ...found.supportersA].filter(id => !gone.has(id))
      const b = [found.b, ...found.supportersB].filter(id => !gone.has(id))
      this.findings.set(ids.contradictionId, {
        contradictionNo: ids.contradictionNo,
        finding: {
          contradictionId: ids.contradictionId,
          slotKey: found.slotKey,
          status: 'open',
          groupA: found.groupA,
          groupB: found.groupB,
          claimIdsA: this.newestFirst(a),
          claimIdsB: this.newestFirst(b),
        },
        standing: {
          contradictionId: ids.contradictionId,
          status: 'open',
          severity: found.severity,
          a: { live: this.newestFirst(a), more: false },
          b: { live: this.newestFirst(b), more: false },
        },
      })
    })
  }

  private newestFirst(claimIds: readonly string[]): string[] {
    return [...new Set(claimIds)].sort((a, b) => (this.numbers.get(b) ?? 0) - (this.numbers.get(a) ?? 0))
  }

  private push(claim: StoredClaim): void {
    this.numbers.set(claim.claimId, claim.claimNo)
    const window = this.windows.get(claim.slotKey)
    if (window === undefined) this.windows.set(claim.slotKey, [claim])
    else if (window.length < windowClaims) window.push(claim)
  }

  private unshift(claim: StoredClaim): void {
    const window = this.windows.get(claim.slotKey) ?? []
    this.windows.set(claim.slotKey, [claim, ...window].slice(0, windowClaims))
  }
}

function withoutEnded(stored: StoredFinding, gone: ReadonlySet<string>, closes: boolean): StoredFinding {
  const { finding, standing } = stored
  const live = (ids: readonly string[]) => ids.filter(id => !gone.has(id))
  const status = closes ? 'closed' : finding.status
  return {
    ...stored,
    finding: { ...finding, status, claimIdsA: live(finding.claimIdsA), claimIdsB: live(finding.claimIdsB) },
    standing: { ...standing, status, a: { ...standing.a, live: live(standing.a.live) }, b: { ...standing.b, live: live(standing.b.live) } },
  }
}

function withSupporter(stored: StoredFinding, side: 'a' | 'b', claimId: string): StoredFinding {
  const { finding, standing } = stored
  const key = side === 'a' ? 'claimIdsA' : 'claimIdsB'
  if (finding[key].includes(claimId)) return stored
  return {
    ...stored,
    finding: { ...finding, [key]: [claimId, ...finding[key]] },
    standing: { ...standing, [side]: { ...standing[side], live: [claimId, ...standing[side].live] } },
  }
}
