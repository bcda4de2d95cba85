/**
 * From documents that were read to what a commit writes: place, reconcile, govern, converge, one round a document, in
 * their order. Pure: what it needs of the scope comes in, and nothing is written, so a plan that turns out stale is simply
 * made again.
 *
 * A plan may cover only the first documents of a batch: it ends after one that policy does not admit (what follows was
 * placed as if it had been), after one that cannot be planned, and where the windows on crowded slots must be read anew.
 */

import { sha256 } from '../kernel/canonical.js'
import { type DerivedIds, derivedIds } from '../kernel/derived-ids.js'
import { countContent, type DocumentContent, type PossibleStanding, toSlotClaim } from '../kernel/document-content.js'
import { restoreScope } from '../kernel/restore.js'
import { type RoundDocument, type RoundInput, type RoundResult, type RoundScope, runRound } from '../kernel/scope-round.js'
import { confidenceMicros } from '../kernel/scores.js'
import type { PolicySet } from '../kernel/types.js'
import type { FoundReading } from '../models/model-read.js'
import { factsOf, findableTerms, lookupWeights, placeClaims } from '../reading/relations/place.js'
import { reconcile } from '../reading/relations/reconcile.js'
import type { DocumentFacts, Extraction, PlacedClaim, Reconciliation } from '../reading/types.js'
import { type TermRow, termRows } from '../store/claims/claim-terms.js'
import { claimBody, type StoredClaim } from '../store/claims/claims.js'
import type { AttachedFindings } from '../store/findings/attached-findings.js'
import type { PossibleWrite } from '../store/findings/possible-conflicts.js'
import type { SupersessionWrite } from '../store/findings/supersessions.js'
import type { LeasedDocument } from '../store/leases/leases.js'
import { moveReader, type StoredScope } from '../store/scopes/rounds.js'
import { type CarriedOver, carryOver, objectedPairs } from './carry-over.js'
import { linkedSlots, withModel } from './model-findings.js'
import type { WantedTerms } from './rivals.js'
import { boundedEvidence, describePossible, standingFindings, supersededPairs, supersessionKind } from './standing-findings.js'
import type { EarlierRevision, WorkingScope } from './working-scope.js'

/** What planning knows of a document. */
export type PlannableDocument = Omit<LeasedDocument, 'text'>

export interface ReadDocument {
  document: PlannableDocument
  /** Null for unchanged text. */
  extraction: Extraction | null
  /** What a model found in it beside what the scope held; null without. */
  model: FoundReading | null
  /** Where it is read again: what hangs on its reading before, and whether a model answered this time. */
  again: (AttachedFindings & { asked: boolean }) | null
  timings: Record<string, number>
}

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
  /** First claim of the revision it takes the place of: what that one said is not looked for any more. */
  replacesTerms: number | null
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

export interface PlacedDocument {
  read: ReadDocument
  claims: readonly PlacedClaim[]
  /** Words its rivals are looked up by. */
  wanted: WantedTerms
  facts: DocumentFacts | null
  firstClaimNo: number
}

/** Ends before a document whose claims cannot be placed. */
export interface Placing {
  placed: PlacedDocument[]
  failed: { read: ReadDocument; error: unknown } | null
}

export interface Planned {
  planned: PlannedDocument[]
  after: StoredScope
  /** A document that could not be planned, and why; those behind it are not planned either. */
  failed: { read: ReadDocument; stage: string; error: unknown } | null
}

export interface PlanningInput {
  stored: StoredScope
  working: WorkingScope
  policySet: PolicySet
  placed: readonly PlacedDocument[]
  now: () => number
  /** The salt of a decision's record by its seq. */
  saltOf: (seq: number) => string | null
}

/** The pure middle of it: rounds of placed documents on a scope that has been read. A replay goes through here too. */
export function planDocuments(input: PlanningInput): Planned {
  const planner = new BatchPlanner(input)
  const failed = planner.planAll(input.placed)
  return { planned: planner.planned, after: planner.after(), failed }
}

/** Gives the claims of each document their place; their numbers are as if every document before it were admitted. */
export function placeAll(stored: StoredScope, reads: readonly ReadDocument[]): Placing {
  const ids = derivedIds('claim', stored)
  const placing: Placing = { placed: [], failed: null }
  let claimNo = stored.nextClaimNo
  for (const read of reads) {
    try {
      const document = placeOne(read, { glossary: stored.glossary, firstClaimNo: claimNo, ids })
      placing.placed.push(document)
      claimNo += document.claims.length
    } catch (error) {
      return { ...placing, failed: { read, error } }
    }
  }
  return placing
}

/** The claims of one document in their scope. */
export function placeOne(
  read: ReadDocument,
  { glossary, firstClaimNo, ids }: { glossary: StoredScope['glossary']; firstClaimNo: number; ids: DerivedIds },
): PlacedDocument {
  const { documentId, revision, name } = read.document
  if (read.extraction === null) return { read, claims: [], wanted: [], facts: null, firstClaimNo }
  const claimId = (index: number) => ids.idOf(firstClaimNo + index)
  const { claims, facts } = placeClaims({ extraction: read.extraction, documentId, revision, name, glossary, claimId })
  return { read, claims, wanted: lookupWeights(claims), facts, firstClaimNo }
}

class BatchPlanner {
  readonly planned: PlannedDocument[] = []
  private readonly stored: StoredScope
  private readonly working: WorkingScope
  private readonly policySet: PolicySet
  private readonly now: () => number
  private readonly saltOf: PlanningInput['saltOf']
  private readonly ids: Record<'contradiction' | 'possible_conflict' | 'supersession', DerivedIds>
  private scope: RoundScope
  private state: Pick<
    StoredScope,
    'nextClaimNo' | 'nextContradictionNo' | 'nextPossibleNo' | 'nextSupersessionNo' | 'claimsDigest' | 'readers'
  >
  /** Stored forms of the claims of the document in hand. */
  private bodies: readonly string[] = []
  private carried: CarriedOver | null = null
  /** Documents and decisions that wait, without those of the batch that are through. */
  private waiting: { queued: number; processing: number; held: number }

  constructor({ stored, working, policySet, now, saltOf }: PlanningInput) {
    this.stored = stored
    this.working = working
    this.policySet = policySet
    this.now = now
    this.saltOf = saltOf
    this.ids = {
      contradiction: derivedIds('contradiction', stored),
      possible_conflict: derivedIds('possible_conflict', stored),
      supersession: derivedIds('supersession', stored),
    }
    this.scope = restoreScope(stored.kept)
    const { nextClaimNo, nextContradictionNo, nextPossibleNo, nextSupersessionNo, claimsDigest, readers, counts, pending } = stored
    this.state = { nextClaimNo, nextContradictionNo, nextPossibleNo, nextSupersessionNo, claimsDigest, readers }
    // What is being processed is queued to everybody but the worker: how many that are depends on the batch.
    this.waiting = { queued: counts.queued + counts.processing, processing: 0, held: counts.held + pending }
  }

  planAll(placed: readonly PlacedDocument[]): Planned['failed'] {
    for (const document of placed) {
      const stage = { name: 'reconcile' }
      try {
        const { applied } = this.plan(document, stage)
        if (!applied || this.working.stale) return null
      } catch (error) {
        return { read: document.read, stage: stage.name, error }
      }
    }
    return null
  }

  after(): StoredScope {
    const last = this.planned.at(-1)
    return { ...this.stored, ...this.state, gates: last?.result.verdict.gates ?? this.stored.gates }
  }

  private plan(placed: PlacedDocument, stage: { name: string }): RoundResult {
    const { read } = placed
    const started = this.now()
    this.carried = null
    const earlier = this.working.earlierRevision(read.document.documentId)
    const content = read.extraction === null ? null : this.reconcile(placed, read.extraction, earlier)
    const reconciled = this.now()
    stage.name = 'govern'
    const { documentId, revision, name, type, source, textHash, current, reread } = read.document
    const extractor = read.extraction?.extractor ?? earlier?.extractor ?? ''
    const waiting = { ...this.waiting, queued: Math.max(0, this.waiting.queued - (current || reread !== null ? 1 : 0)) }
    const issuer = read.extraction?.profile.issuer ?? null
    const round = roundOf(read, { documentId, revision, name, type, source, issuer, textHash, extractor }, content, this.carried)
    let since = reconciled
    const lap = (name: 'govern' | 'converge') => {
      stage.name = name === 'govern' ? 'converge' : 'commit'
      read.timings[name] = this.now() - since
      since = this.now()
    }
    const result = runRound(this.scope, round, { policySet: this.policySet, workload: waiting, saltOf: this.saltOf, lap })
    this.waiting = { ...waiting, held: waiting.held + (result.outcome === 'hold' && current ? 1 : 0) }
    read.timings['reconcile'] = reconciled - started
    this.scope = result.scope
    const planned = this.toPlanned(placed, result, content, earlier)
    this.planned.push(planned)
    if (result.applied) {
      const readers = moveReader(this.state.readers, { from: earlier?.extractorVersion ?? null, to: planned.extractorVersion })
      this.state = { ...this.state, readers }
    }
    if (result.applied && content !== null) this.fold(placed, planned, content)
    return result
  }

  private reconcile(
    { read, claims, wanted, facts }: PlacedDocument,
    extraction: Extraction,
    earlier: EarlierRevision | undefined,
  ): DocumentContent {
    const documentId = read.document.documentId
    const live = this.working.liveFor(claims, wanted)
    const previousRevision = earlier?.claims ?? []
    const own = facts ?? factsOf(extraction.profile, read.document)
    const rivals = [...live, ...this.working.supersededFor(wanted)]
    const concluded = reconcile({
      document: { ...own, documentId },
      claims: [...claims],
      live: rivals,
      previousRevision: read.again === null ? previousRevision : [],
      findings: this.working.findings.existing(),
      ...(read.again === null ? {} : { objected: objectedPairs({ attached: read.again, claims }) }),
      documents: this.working.facts,
    })
    const linked = this.working.liveIn(linkedSlots(read.model)).filter(claim => claim.documentId !== documentId)
    const endable = new Map([...live, ...linked, ...previousRevision].map(claim => [claim.claimId, toSlotClaim(claim)]))
    const ownIds = new Set(claims.map(claim => claim.claimId))
    const both = withModel(read.model, {
      concluded,
      claims,
      live: [...live, ...linked],
      findings: this.working.findings.existing(),
      documents: this.working.facts,
    })
    this.carried = read.again === null ? null : this.carryOver(read, claims, both, [...rivals, ...linked], own)
    const reconciliation = standingFindings(this.carried?.reconciliation ?? both, claimId => endable.has(claimId) || ownIds.has(claimId))
    const { keptPossible, revived } = this.carried ?? { keptPossible: new Set<string>(), revived: [] }
    const pairs = supersededPairs(reconciliation.supersessions)
    const ended = reconciliation.supersessions.flatMap(({ claimId }) => endable.get(claimId)?.slotKey ?? [])
    const slotKeys = [...claims.map(claim => claim.slotKey), ...ended, ...revived.map(({ slotKey }) => slotKey)]
    const bodies = claims.map(claimBody)
    this.bodies = bodies
    return {
      claims,
      reconciliation,
      contradictionIds: reconciliation.contradictions.map((_, index) =>
        this.ids.contradiction.idOf(this.state.nextContradictionNo + index),
      ),
      possibleIds: reconciliation.unsure.map((_, index) => this.ids.possible_conflict.idOf(this.state.nextPossibleNo + index)),
      supersessions: pairs.map(({ claimId, byClaimId }, index) => ({
        supersessionId: this.ids.supersession.idOf(this.state.nextSupersessionNo + index),
        claimId,
        byClaimId,
      })),
      goals: extraction.goals,
      risks: extraction.risks,
      claimsDigest: digestOf(claims, bodies),
      slots: this.working.standings(slotKeys),
      endable,
      findings: this.working.findings.standings(),
      possible: this.working.findings.openPossible().filter(({ possibleConflictId }) => !keptPossible.has(possibleConflictId)),
      previous: earlier?.content ?? null,
    }
  }

  private carryOver(
    { document: { documentId }, again }: ReadDocument,
    claims: readonly PlacedClaim[],
    concluded: Reconciliation,
    rivals: readonly PlacedClaim[],
    own: DocumentFacts,
  ): CarriedOver | null {
    if (again === null) return null
    const known = new Set(rivals.map(claim => claim.claimId))
    return carryOver({
      attached: again,
      documentId,
      claims,
      firstClaimNo: this.state.nextClaimNo,
      concluded,
      isCompared: (claimId, of) => known.has(claimId) && this.working.facts[of]?.reader === own.reader,
      asked: again.asked,
    })
  }

  private toPlanned(
    placed: PlacedDocument,
    result: RoundResult,
    content: DocumentContent | null,
    earlier: EarlierRevision | undefined,
  ): PlannedDocument {
    const { read, claims } = placed
    const admitted = result.applied && content !== null
    const extractor = read.extraction?.extractor ?? earlier?.extractor ?? ''
    const extractorVersion = read.extraction?.version ?? earlier?.extractorVersion ?? ''
    const carried = this.carried === null ? null : withoutReconciliation(this.carried)
    const base = {
      read,
      result,
      content,
      extractor,
      extractorVersion,
      carried,
      numberOf: (claimId: string) => this.working.claimNo(claimId),
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
        replacesTerms: null,
      }
    }
    const numbered = claims.map((claim, index) => ({
      claim: { ...claim, claimNo: this.state.nextClaimNo + index },
      body: this.bodies[index] ?? claimBody(claim),
    }))
    const numberOf = numbering(numbered, this.working)
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
        contradictionNo: this.state.nextContradictionNo + index,
      })),
      possible: this.possibleOf(content, placed, numberOf),
      supersessions: this.supersessionsOf(content, placed, numberOf),
      supporters: content.reconciliation.supporters.flatMap(({ contradictionId, side, claimId }) => {
        const contradictionNo = this.working.findings.contradictionNo(contradictionId)
        return contradictionNo === undefined ? [] : [{ contradictionNo, side, claimNo: numberOf(claimId) }]
      }),
      ends: [...ends.values()],
      terms: termRows(numbered.map(({ claim }) => ({ claimNo: claim.claimNo, terms: findableTerms(claim) }))),
      replacesTerms: earlier?.firstClaimNo ?? null,
      firstClaimNo: numbered.length === 0 ? null : this.state.nextClaimNo,
      claimCount: numbered.length,
    }
  }

  private possibleOf(content: DocumentContent, placed: PlacedDocument, numberOf: (claimId: string) => number): PlannedDocument['possible'] {
    const claims = this.claimsAround(placed)
    return content.reconciliation.unsure.map((pair, index) => ({
      possibleNo: this.state.nextPossibleNo + index,
      possibleConflictId: content.possibleIds[index] ?? '',
      ...describePossible(pair, claims.get(pair.a)),
      claimA: numberOf(pair.a),
      claimB: numberOf(pair.b),
      slotKey: pair.slotKey ?? null,
      groupA: pair.groupA ?? null,
      groupB: pair.groupB ?? null,
      reason: pair.reason,
      evidence: boundedEvidence(pair.evidence),
      foundBy: pair.foundBy,
    }))
  }

  private supersessionsOf(
    content: DocumentContent,
    placed: PlacedDocument,
    numberOf: (claimId: string) => number,
  ): PlannedDocument['supersessions'] {
    const claims = this.claimsAround(placed)
    return supersededPairs(content.reconciliation.supersessions).map((pair, index) => ({
      supersessionNo: this.state.nextSupersessionNo + index,
      supersessionId: content.supersessions[index]?.supersessionId ?? '',
      kind: supersessionKind(pair, claims.get(pair.claimId), claims.get(pair.byClaimId)),
      claimNo: numberOf(pair.claimId),
      byClaimNo: numberOf(pair.byClaimId),
      reason: pair.reason,
      evidence: boundedEvidence(pair.evidence),
      foundBy: pair.foundBy,
    }))
  }

  private claimsAround({ read, claims, wanted }: PlacedDocument): Map<string, PlacedClaim> {
    const earlier = this.working.earlierRevision(read.document.documentId)?.claims ?? []
    const around = [...this.working.liveFor(claims, wanted), ...this.working.supersededFor(wanted), ...earlier, ...claims]
    return new Map(around.map(claim => [claim.claimId, claim]))
  }

  private fold(placed: PlacedDocument, planned: PlannedDocument, content: DocumentContent): void {
    const { read } = placed
    const { nextClaimNo, nextContradictionNo, nextPossibleNo, nextSupersessionNo, claimsDigest } = this.state
    const endings = planned.ends.map(end => `${end.claimNo}:${end.byClaimId ?? ''}`).join(',')
    this.state = {
      ...this.state,
      nextClaimNo: nextClaimNo + planned.claims.length,
      nextContradictionNo: nextContradictionNo + planned.contradictions.length,
      nextPossibleNo: nextPossibleNo + planned.possible.length,
      nextSupersessionNo: nextSupersessionNo + planned.supersessions.length,
      claimsDigest: sha256(`${claimsDigest}\n${content.claimsDigest}\n${endings}`),
    }
    if (placed.facts !== null) this.working.facts[read.document.documentId] = placed.facts
    const claims = planned.claims.map(each => ({ ...each.claim, quote: '' }))
    this.working.admit({
      documentId: read.document.documentId,
      claims,
      reconciliation: content.reconciliation,
      contradictions: planned.contradictions,
      possible: newPossible(content),
      closes: planned.result.closes,
      possibleCloses: planned.result.possible.closes,
      slots: planned.result.slots,
      terms: planned.terms,
      replacesTerms: planned.replacesTerms,
      revision: {
        revision: read.document.revision,
        claims,
        firstClaimNo: planned.firstClaimNo ?? 0,
        claimCount: planned.claimCount,
        content: countContent(content.goals, content.risks),
        extractor: planned.extractor,
        extractorVersion: planned.extractorVersion,
      },
    })
  }
}

function withoutReconciliation({ reconciliation, keptPossible, ...carried }: CarriedOver): PlannedDocument['carried'] {
  return carried
}

function newPossible({ possibleIds, reconciliation }: DocumentContent): PossibleStanding[] {
  return reconciliation.unsure.map(({ a, b }, index) => ({ possibleConflictId: possibleIds[index] ?? '', a, b }))
}

/** Over everything a claim says but its quote, which its place in the text stands for. */
function digestOf(claims: readonly PlacedClaim[], bodies: readonly string[]): string {
  const lines = claims.map(({ start, end, subject, attribute, confidence }, index) => {
    return `${JSON.stringify([start, end, subject, attribute, confidenceMicros(confidence)])}${bodies[index]}`
  })
  return sha256(lines.join('\n'))
}

function numbering(numbered: readonly { claim: StoredClaim }[], working: WorkingScope): (claimId: string) => number {
  const own = new Map(numbered.map(({ claim }) => [claim.claimId, claim.claimNo]))
  return claimId => {
    const claimNo = own.get(claimId) ?? working.claimNo(claimId)
    if (claimNo === undefined) throw new Error('a claim was concluded upon that was not handed in')
    return claimNo
  }
}

/** A revision a person approved while it was held is concluded as that review, against the claims that are live now. */
function roundOf(
  { document: { approval } }: ReadDocument,
  document: RoundDocument,
  content: DocumentContent | null,
  carried: CarriedOver | null,
): RoundInput {
  if (carried !== null && content !== null) {
    const { withdrawnIds: withdrawn, kept, detached } = carried
    return { kind: 'reread', document, content, revived: carried.revived.map(toSlotClaim), withdrawn, kept, detached }
  }
  if (approval === null) return { kind: 'document', document, content }
  const { decision_seq: decisionSeq, decision_hash: decisionHash, actor, reason } = approval
  return { kind: 'review', actor, decisionSeq, decisionHash, verdict: 'approve', reason, held: { kind: 'document', document, content } }
}
