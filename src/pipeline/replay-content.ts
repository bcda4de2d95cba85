/**
 * The content of a scope in memory during a replay: live claims by slot, findings, earlier revisions, what documents
 * taught. Each document round is planned again by the code that planned it then, on a scope rebuilt from what the rounds
 * before it did, and compared with what was written.
 */

import { derivedIds } from '../kernel/derived-ids.js'
import { countContent, type DocumentContent, type PossibleStanding } from '../kernel/document-content.js'
import type { PolicySet, Severity } from '../kernel/types.js'
import type { FoundReading, KeptReading } from '../models/model-read.js'
import { extract } from '../reading/document/extract.js'
import { factsOf, lookupWeights } from '../reading/relations/place.js'
import type { DocumentFacts, DocumentProfile, Extraction, Glossary } from '../reading/types.js'
import { READER_VERSION } from '../reading/version.js'
import type { TermRow } from '../store/claims/claim-terms.js'
import { type SlotFigures, type StoredClaim, windowClaims } from '../store/claims/claims.js'
import { findModelReading } from '../store/documents/model-readings.js'
import type { StoredFinding } from '../store/findings/claims-findings.js'
import type { LeasedDocument } from '../store/leases/leases.js'
import {
  type RecordedDecisionRow,
  type RecordedRoundRow,
  type ReplayedDocument,
  type ReplayedScope,
  readClaimsOfRound,
  readContentOfRound,
  readFindingsOfRound,
  readReplayedDocument,
} from '../store/scopes/replay.js'
import type { StoredScope } from '../store/scopes/rounds.js'
import type { Transaction } from '../store/server/database.js'
import { linkedSlots, withAdded } from './model-findings.js'
import { newPossible, type PlacedDocument, type PlannedDocument, placeOne, planDocuments } from './plan-documents.js'
import { type Difference, differs, type RecordedInput, type ReplayReport, type ReplayState } from './replay-report.js'
import { pickRivals, type WantedTerms } from './rivals.js'
import { type EarlierRevision, WorkingScope } from './working-scope.js'

export class ReplayedContent {
  readonly counts: ReplayReport['documents'] = {
    reconciled: 0,
    read: 0,
    linksErased: 0,
    notRead: { erased: 0, otherReader: 0, readAgain: 0, afterLoss: 0, textRemoved: 0, otherExtractor: 0, unchanged: 0 },
  }
  private readonly tx: Transaction
  private readonly scope: ReplayedScope
  private readonly extractor: { name: string; version: string }
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
  private glossary: Glossary = { terms: {}, entities: {} }
  private next = { claim: 0, contradiction: 0, possible: 0, supersession: 0 }
  /** False once a document was erased, claims included, was read by another reader or again: what follows cannot be rebuilt. */
  private whole = true

  constructor(tx: Transaction, scope: ReplayedScope, extractor: { name: string; version: string }) {
    this.tx = tx
    this.scope = scope
    this.extractor = extractor
  }

  async replay(
    round: RecordedRoundRow,
    input: RecordedInput,
    state: ReplayState,
    decisions: readonly RecordedDecisionRow[],
    policySet: PolicySet | undefined,
  ): Promise<Difference | null> {
    if (round.kind === 'reread') return this.lose('readAgain', true)
    const ofDocument = round.document_id !== null && round.revision !== null && 'claim_count' in input
    if (!ofDocument || policySet === undefined) {
      this.act(round, input)
      return null
    }
    const name = { documentId: round.document_id!, revision: round.revision! }
    const document = await readReplayedDocument(this.tx, this.scope, name)
    const erased = document === undefined || document.erased
    const otherReader = !erased && input['unchanged'] !== true && document.profile?.['reader'] !== READER_VERSION
    const readAgain = !erased && document.rereadRound !== null && round.round < document.rereadRound
    if (!this.whole || erased || otherReader || readAgain) {
      return this.lose(
        erased ? 'erased' : readAgain ? 'readAgain' : 'otherReader',
        input.applied && (readAgain || input['unchanged'] !== true),
      )
    }
    return this.replayDocument({ round, input, state, decisions, policySet, document, name })
  }

  private lose(why: 'erased' | 'otherReader' | 'readAgain', ends: boolean): null {
    this.counts.notRead[this.whole ? why : 'afterLoss']++
    if (ends) this.whole = false
    return null
  }

  private async replayDocument(given: Given): Promise<Difference | null> {
    const { round, input, policySet, name } = given
    const placed = await this.place(given)
    const stored = this.storedScope(given)
    const working = this.workingScope(placed, name.documentId)
    const { planned, failed } = planDocuments({
      stored,
      working,
      policySet,
      placed: [placed],
      now: () => 0,
      saltOf: seq => given.decisions.find(({ record }) => record.seq === seq)?.record.salt ?? null,
    })
    const again = planned[0]
    if (again === undefined)
      return { member: 'plan', recorded: 'a round', computed: String((failed?.error as Error | undefined)?.message ?? 'none') }
    this.counts.reconciled++
    const { result } = again
    const difference =
      differs('claims_digest', input['claims_digest'] ?? null, again.content?.claimsDigest ?? null) ??
      differs('outcome', input.outcome, result.outcome) ??
      differs('change', input.change, result.change) ??
      differs('aggregates', input.aggregates, result.scope.aggregates) ??
      differs('point', round.point, result.point) ??
      differs('finality', input.finality, result.finality.to) ??
      differs(
        'decisions',
        given.decisions.map(each => each.record),
        result.decisions.map(each => each.record),
      ) ??
      (await this.compareFindings(round, again))
    if (difference === null && result.applied) this.fold(again, placed, name)
    return difference
  }

  private async compareFindings(round: RecordedRoundRow, again: PlannedDocument): Promise<Difference | null> {
    const recorded = await readFindingsOfRound(this.tx, this.scope, round.round)
    const found = again.result.applied ? (again.content?.reconciliation.contradictions ?? []) : []
    const computed = found.map((each, index) => ({
      contradiction_id: again.contradictions[index]?.contradictionId ?? '',
      kind: each.kind,
      severity: each.severity,
      slot_key: each.slotKey,
      group_a: each.groupA,
      group_b: each.groupB,
    }))
    return differs('contradictions', recorded, computed)
  }

  /** From the text where it is there and today's extractor is the one of then, else from the claims as they were stored. */
  private async place({ input, document, name, decisions }: Given): Promise<PlacedDocument> {
    const leased = { ...toLeased(name, document), approval: approvalOf(decisions) }
    if (input['unchanged'] === true) {
      this.counts.notRead.unchanged++
      return {
        read: { document: leased, extraction: null, model: null, again: null, timings: {} },
        claims: [],
        wanted: [],
        facts: null,
        firstClaimNo: this.next.claim,
      }
    }
    const model = await this.modelReading(name)
    const same = document.extractor === this.extractor.name && document.extractorVersion === this.extractor.version
    const ids = derivedIds('claim', this.scope)
    if (document.text !== null && same) {
      this.counts.read++
      const extraction = extract({ ...name, name: document.name, type: document.type, source: document.source, text: document.text })
      const read = { document: leased, extraction: withAdded(extraction, model), model, again: null, timings: {} }
      return placeOne(read, { glossary: this.glossary, firstClaimNo: this.next.claim, ids })
    }
    this.counts.notRead[document.text === null ? 'textRemoved' : 'otherExtractor']++
    return this.placeStored(input, document, leased, model)
  }

  /** What a model said then: neither asked nor looked for again. */
  private async modelReading(name: { documentId: string; revision: number }): Promise<FoundReading | null> {
    const kept = await findModelReading(this.tx, this.scope, name)
    this.counts.linksErased += kept?.erasedLinks ?? 0
    return kept?.reading == null ? null : { ...(kept.reading as KeptReading), foundBy: kept.model }
  }

  private async placeStored(
    input: RecordedInput,
    document: ReplayedDocument,
    leased: LeasedDocument,
    model: FoundReading | null,
  ): Promise<PlacedDocument> {
    const range = { firstClaimNo: Number(input['first_claim_no'] ?? 0), count: Number(input['claim_count'] ?? 0) }
    const [claims, content] = await Promise.all([
      readClaimsOfRound(this.tx, this.scope, range),
      readContentOfRound(this.tx, this.scope, leased),
    ])
    const profile = { definitions: {}, entities: [], supersedes: [], ...document.profile } as unknown as DocumentProfile
    const extraction: Extraction = {
      extractor: document.extractor ?? '',
      version: document.extractorVersion ?? '',
      profile,
      claims: [],
      ...content,
    }
    const facts = factsOf(profile, leased)
    const read = { document: leased, extraction, model, again: null, timings: {} }
    // The number is the row's: it was no part of the claim when its digest was taken.
    const placed = claims.map(({ claim: { claimNo, ...claim } }) => claim)
    return { read, claims: placed, wanted: lookupWeights(placed), facts, firstClaimNo: range.firstClaimNo }
  }

  private storedScope({ state, input, round }: Given): StoredScope {
    const { tenantId, scopeNo, scopeId, generation, chainHash } = this.scope
    const { mode, settings, aggregates, chain, points, finality } = state
    const kept =
      state.round === 0
        ? null
        : { round: state.round, aggregates, decisionSeq: chain.seq + 1, decisionHash: chain.hash, drift: null, finality }
    return {
      tenantId,
      scopeNo,
      scopeId,
      generation,
      version: 0,
      glossary: this.glossary,
      kept: { tenantId, scopeId, generation, mode, settings, chainHash, kept, points },
      nextClaimNo: this.next.claim,
      nextContradictionNo: this.next.contradiction,
      nextPossibleNo: this.next.possible,
      nextSupersessionNo: this.next.supersession,
      claimsDigest: '',
      policyHashes: [],
      pending: 0,
      readers: {},
      counts: input.workload,
      recordedAt: round.recorded_at,
      gates: [],
    }
  }

  private workingScope(placed: PlacedDocument, documentId: string): WorkingScope {
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

  private fold(again: PlannedDocument, placed: PlacedDocument, name: { documentId: string; revision: number }): void {
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
  private act(round: RecordedRoundRow, input: RecordedInput): void {
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

interface Given {
  round: RecordedRoundRow
  input: RecordedInput
  state: ReplayState
  decisions: readonly RecordedDecisionRow[]
  policySet: PolicySet
  document: ReplayedDocument
  name: { documentId: string; revision: number }
}

function toLeased(name: { documentId: string; revision: number }, document: ReplayedDocument): LeasedDocument {
  const { text, textHash, type, source } = document
  return {
    ...name,
    name: document.name,
    type,
    source,
    text,
    textHash,
    seq: 0,
    attempts: 0,
    // The recorded workload does not count the document itself.
    current: false,
    unchanged: false,
    queuedMs: 0,
    trace: null,
    approval: null,
    reread: null,
  }
}

/** A round that concluded a review is concluded as that review again; its proposal says what it answered. */
function approvalOf(decisions: readonly RecordedDecisionRow[]): LeasedDocument['approval'] {
  const proposal = decisions[0]?.proposal
  if (proposal?.kind !== 'review') return null
  return { decision_seq: proposal.decisionSeq, decision_hash: proposal.decisionHash, actor: proposal.actor, reason: proposal.reason }
}

function idsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}
