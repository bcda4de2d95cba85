/**
 * A scope in memory during a replay: live claims by slot, findings, earlier revisions, what documents taught. Moved by the
 * rounds of documents as planned again, and by the acts of people as recorded.
 */

import { countContent, type DocumentContent, type PossibleStanding } from '../kernel/document-content.js'
import type { Severity } from '../kernel/types.js'
import type { DocumentFacts, Glossary } from '../reading/types.js'
import type { TermRow } from '../store/claims/claim-terms.js'
import { type SlotFigures, type StoredClaim, windowClaims } from '../store/claims/claims.js'
import type { StoredFinding } from '../store/findings/claims-findings.js'
import type { RecordedRoundRow } from '../store/scopes/replay.js'
import { linkedSlots } from './model-findings.js'
import { newPossible, type PlacedDocument, type PlannedDocument } from './plan-documents.js'
import type { RecordedInput } from './replay-report.js'
import { pickRivals, type WantedTerms } from './rivals.js'
import { type EarlierRevision, WorkingScope } from './working-scope.js'

export class ReplayScope {
  /** Live claims by slot, oldest first. */
  private readonly slots = new Map<string, StoredClaim[]>()
  private readonly claims = new Map<string, StoredClaim>()
  private readonly figures = new Map<string, SlotFigures>()
  /** Replaced claims that are rivals still, by number. */
  private readonly superseded = new Map<number, StoredClaim>()
  private readonly terms = new Map<string, TermRow[]>()
  private readonly findings = new Map<string, StoredFinding>()
  private readonly possible = new Map<string, PossibleStanding>()
  /** Decided ones too. */
  private readonly everPossible = new Map<string, PossibleStanding>()
  private readonly earlier = new Map<string, EarlierRevision>()
  private readonly facts: Record<string, DocumentFacts> = {}
  glossary: Glossary = { terms: {}, entities: {} }
  next = { claim: 0, contradiction: 0, possible: 0, supersession: 0 }

  workingScope(placed: PlacedDocument, documentId: string): WorkingScope {
    const earlier = this.earlier.get(documentId)
    const picked = this.rivalsOf(placed.wanted)
    const keys = new Set([...(earlier?.claims ?? []), ...placed.claims].map(claim => claim.slotKey))
    for (const slotKey of linkedSlots(placed.read.model)) keys.add(slotKey)
    for (const [slotKey, slot] of this.slots) if (slot.some(claim => picked.has(claim.claimNo))) keys.add(slotKey)
    const live = [...keys].flatMap(key => (this.slots.get(key) ?? []).slice(-windowClaims))
    const crowds = [...keys].flatMap(key => ((this.slots.get(key)?.length ?? 0) >= windowClaims ? (this.figures.get(key) ?? []) : []))
    return new WorkingScope({
      live,
      terms: placed.wanted.flatMap(([term]) => this.terms.get(term) ?? []),
      superseded: [...this.superseded.values()],
      crowds,
      findings: [...this.findings.values()],
      possible: [...this.possible.values()],
      earlier: new Map(earlier === undefined ? [] : [[documentId, earlier]]),
      facts: this.facts,
    })
  }

  private rivalsOf(wanted: WantedTerms): Set<number> {
    return pickRivals(wanted, term => this.terms.get(term) ?? [])
  }

  private foldTerms({ terms, replacesTerms }: PlannedDocument): void {
    if (replacesTerms !== null) this.dropTerms(row => row.firstClaimNo === replacesTerms)
    for (const row of terms) this.terms.set(row.term, [...(this.terms.get(row.term) ?? []), row])
  }

  private dropTerms(gone: (row: TermRow) => boolean): void {
    for (const [term, rows] of this.terms)
      if (rows.some(gone))
        this.terms.set(
          term,
          rows.filter(row => !gone(row)),
        )
  }

  fold(again: PlannedDocument, placed: PlacedDocument, name: { documentId: string; revision: number }): void {
    const { content } = again
    if (content === null) {
      const before = this.earlier.get(name.documentId)
      if (before !== undefined) this.earlier.set(name.documentId, { ...before, revision: name.revision })
      return
    }
    const claims = again.claims.map(({ claim }) => ({ ...claim, quote: '' }))
    for (const claim of claims) this.begin(claim)
    this.foldSuperseded(content, name)
    this.foldTerms(again)
    for (const { claimId } of content.reconciliation.supersessions) this.end(claimId)
    for (const id of again.result.possible.closes) this.possible.delete(id)
    for (const each of newPossible(content)) {
      this.everPossible.set(each.possibleConflictId, each)
      this.reopenPossible(each.possibleConflictId)
    }
    for (const slot of again.result.slots) this.figures.set(slot.slotKey, slot)
    this.foldFindings(again)
    if (placed.facts !== null) this.facts[name.documentId] = placed.facts
    this.next = {
      claim: this.next.claim + claims.length,
      contradiction: this.next.contradiction + again.contradictions.length,
      possible: this.next.possible + again.possible.length,
      supersession: this.next.supersession + again.supersessions.length,
    }
    this.earlier.set(name.documentId, {
      revision: name.revision,
      claims: claims.filter(claim => this.isLive(claim)),
      firstClaimNo: again.firstClaimNo ?? 0,
      claimCount: again.claimCount,
      content: countContent(content.goals, content.risks),
      extractor: again.extractor,
      extractorVersion: again.extractorVersion,
    })
  }

  private foldFindings(again: PlannedDocument): void {
    const findings = [...this.findings.values()]
    const working = new WorkingScope({
      live: [],
      terms: [],
      superseded: [],
      crowds: [],
      findings,
      possible: [],
      earlier: new Map(),
      facts: {},
    })
    const { content, result, read } = again
    if (content === null) return
    const revision = {
      revision: 0,
      claims: [],
      firstClaimNo: 0,
      claimCount: 0,
      content: countContent([], []),
      extractor: '',
      extractorVersion: '',
    }
    working.admit({
      documentId: read.document.documentId,
      claims: again.claims.map(({ claim }) => claim),
      reconciliation: content.reconciliation,
      contradictions: again.contradictions,
      possible: [],
      closes: result.closes,
      possibleCloses: [],
      slots: [],
      terms: [],
      replacesTerms: null,
      revision,
    })
    for (const stored of working.storedFindings()) this.findings.set(stored.finding.contradictionId, stored)
  }

  /** As `WorkingScope` folds them: what another document replaced stays a rival, an earlier revision does not. */
  private foldSuperseded(content: DocumentContent, { documentId, revision }: { documentId: string; revision: number }): void {
    for (const { claimId, byClaimId } of content.supersessions) {
      if (this.claims.get(claimId)?.documentId !== this.claims.get(byClaimId)?.documentId) this.keepSuperseded(claimId)
    }
    this.dropSuperseded(claim => claim.documentId === documentId && claim.revision < revision)
  }

  private keepSuperseded(claimId: string): void {
    const claim = this.claims.get(claimId)
    if (claim !== undefined) this.superseded.set(claim.claimNo, { ...claim, superseded: true })
  }

  private dropSuperseded(gone: (claim: StoredClaim) => boolean): void {
    for (const [claimNo, claim] of this.superseded) if (gone(claim)) this.superseded.delete(claimNo)
  }

  /** What people did: claims retired, revived and erased, contradictions closed and reopened, words changed. */
  act(round: RecordedRoundRow, input: RecordedInput): void {
    if (!input.applied) return
    for (const id of idsIn(input['retired'])) this.end(id)
    for (const id of idsIn(input['claims'])) this.end(id)
    for (const id of idsIn(input['revived'])) {
      const claim = this.claims.get(id)
      if (claim !== undefined) this.begin(claim)
    }
    for (const id of idsIn(input['closes'])) this.setStatus(id, 'closed')
    this.actOnFindings(input)
    const { contradiction_id: contradictionId, verdict } = input
    if (typeof contradictionId === 'string') {
      this.setStatus(contradictionId, verdict === 'reopen' ? 'open' : verdict === 'dismiss' ? 'dismissed' : 'resolved')
    }
    if (round.kind === 'report') this.next.contradiction++
    if (round.kind === 'erasure' && round.document_id !== null) {
      const { document_id: erased } = round
      this.earlier.delete(erased)
      this.dropSuperseded(claim => claim.documentId === erased)
    }
    const proposed = input['proposed'] as { glossary?: Glossary } | undefined
    if (proposed?.glossary !== undefined) this.glossary = proposed.glossary
  }

  /** Possible conflicts and supersessions that people decided, and what closed or opened by itself. */
  private actOnFindings(input: RecordedInput): void {
    for (const id of idsIn(input['possible_closes'])) this.possible.delete(id)
    for (const id of idsIn(input['possible_reopens'])) this.reopenPossible(id)
    const finding = input['finding'] as RecordedAct | undefined
    if (finding === undefined) return
    if (finding.verdict === 'promote' || finding.verdict === 'dismiss') this.possible.delete(finding.finding_id)
    if (finding.verdict === 'withdraw') this.reopenPossible(finding.finding_id)
    for (const opened of finding.opens) this.openContradiction(opened)
    for (const id of finding.dismisses) this.setStatus(id, 'dismissed')
    const revived = new Set(idsIn(input['revived']))
    this.dropSuperseded(claim => revived.has(claim.claimId))
    for (const id of idsIn(input['retired'])) this.keepSuperseded(id)
  }

  private reopenPossible(id: string): void {
    const known = this.everPossible.get(id)
    if (known !== undefined) this.possible.set(id, known)
  }

  private openContradiction({
    contradiction_id: contradictionId,
    severity,
    slot_key: slotKey,
    group_a,
    group_b,
    a,
    b,
  }: RecordedOpening): void {
    const side = (id: string) => ({ live: [id], more: false })
    this.findings.set(contradictionId, {
      contradictionNo: this.next.contradiction++,
      finding: { contradictionId, slotKey, status: 'open', groupA: group_a, groupB: group_b, claimIdsA: [a], claimIdsB: [b] },
      standing: { contradictionId, status: 'open', severity, a: side(a), b: side(b) },
    })
  }

  private setStatus(contradictionId: string, status: StoredFinding['finding']['status']): void {
    const stored = this.findings.get(contradictionId)
    if (stored === undefined) return
    this.findings.set(contradictionId, {
      ...stored,
      finding: { ...stored.finding, status },
      standing: { ...stored.standing, status },
    })
  }

  private begin(claim: StoredClaim): void {
    this.claims.set(claim.claimId, claim)
    const slot = this.slots.get(claim.slotKey) ?? []
    this.slots.set(
      claim.slotKey,
      [...slot.filter(each => each.claimId !== claim.claimId), claim].sort((a, b) => a.claimNo - b.claimNo),
    )
  }

  private end(claimId: string): void {
    const claim = this.claims.get(claimId)
    if (claim === undefined) return
    const left = (this.slots.get(claim.slotKey) ?? []).filter(each => each.claimId !== claimId)
    this.slots.set(claim.slotKey, left)
    const revision = this.earlier.get(claim.documentId)
    if (revision !== undefined) {
      this.earlier.set(claim.documentId, { ...revision, claims: revision.claims.filter(each => each.claimId !== claimId) })
    }
  }

  private isLive(claim: StoredClaim): boolean {
    return (this.slots.get(claim.slotKey) ?? []).some(each => each.claimId === claim.claimId)
  }
}

/** A person's word on a possible conflict or a supersession, as its round recorded it. */
interface RecordedAct {
  finding_id: string
  verdict: 'promote' | 'dismiss' | 'object' | 'withdraw'
  opens: RecordedOpening[]
  dismisses: string[]
}

interface RecordedOpening {
  contradiction_id: string
  severity: Severity
  slot_key: string
  group_a: string
  group_b: string
  a: string
  b: string
}

function idsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}
