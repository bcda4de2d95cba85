/**
 * From documents that were read to what a commit writes: place, reconcile, govern, converge, one round a document, in
 * their order. Pure: what it needs of the scope comes in, and nothing is written, so a plan that turns out stale is simply
 * made again.
 *
 * A plan may cover only the first documents of a batch: it ends after one that policy does not admit (what follows was
 * placed as if it had been), after one that cannot be planned, after one behind which what counts is settled, and where the windows on
 * crowded slots must be read anew.
 */

import { sha256 } from '../../kernel/canonical.js'
import { type DerivedIds, derivedIds } from '../../kernel/derived-ids.js'
import { countContent, type DocumentContent, type PossibleStanding, toSlotClaim } from '../../kernel/document-content.js'
import type { PolicySet } from '../../kernel/proposals.js'
import { restoreScope } from '../../kernel/restore.js'
import type { DocumentRound, RoundDocument, RoundInput, RoundResult, RoundScope } from '../../kernel/round-types.js'
import { runRound } from '../../kernel/scope-round.js'
import { confidenceMicros } from '../../kernel/scores.js'
import type { Examination, Outcome, Workload } from '../../kernel/types.js'
import { mergeReadings } from '../../models/merge-readings.js'
import { linkedSlots } from '../../models/model-read.js'
import { storable, storableJson } from '../../platform/storable-text.js'
import { factsOf } from '../../reading/relations/place.js'
import { reconcile } from '../../reading/relations/reconcile.js'
import type { Extraction, PlacedClaim, Reconciliation } from '../../reading/types.js'
import { claimBodies } from '../../store/claims/claim-body.js'
import type { FormerPart } from '../../store/documents/former-parts.js'
import type { OvertakenRevision } from '../../store/documents/overtaken-approvals.js'
import { isUnexamined, type UnsignedReading } from '../../store/scopes/examination.js'
import { moveReader, type StoredScope } from '../../store/scopes/rounds.js'
import { type CarriedOver, carryOver, objectedPairs } from './carry-over.js'
import type { PlacedDocument, ReadDocument } from './placing.js'
import { type PlannedDocument, toPlanned } from './planned-document.js'
import { standingFindings, supersededPairs } from './standing-findings.js'
import type { EarlierRevision, WorkingScope } from './working-scope.js'

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
  /** What counts of documents before them, where a model is asked for and nobody signed for it. */
  unsigned: readonly UnsignedReading[]
  /** Documents that sign-offs of what counts name among what was not read. */
  named: readonly string[]
  /** What came with earlier revisions of mails and is to be ended once one of them is admitted, or given up. */
  formerParts: readonly FormerPart[]
  /** What somebody approved of revisions before them, which are in quarantine. */
  overtaken: readonly OvertakenRevision[]
  now: () => number
  /** The salt of a decision's record by its seq. */
  saltOf: (seq: number) => string
  /** Who had examined the scope, as a round recorded it, for a replay. */
  recorded?: Examination
}

/** The pure middle of it: rounds of placed documents on a scope that has been read. A replay goes through here too. */
export function planDocuments(input: PlanningInput): Planned {
  const planner = new BatchPlanner(input)
  const failed = planner.planAll(input.placed)
  return { planned: planner.planned, after: planner.after(), failed }
}

class BatchPlanner {
  readonly planned: PlannedDocument[] = []
  private readonly input: PlanningInput
  private readonly ids: Record<'contradiction' | 'possible_conflict' | 'supersession', DerivedIds>
  private scope: RoundScope
  /** The scope as it is written after what was planned. */
  private stored: StoredScope
  /** Documents and decisions that wait, without those of the batch that are through. */
  private waiting: Workload
  /** Parts that are retired with what was admitted. */
  private readonly retired = new Set<string>()

  constructor(input: PlanningInput) {
    const { stored } = input
    this.input = input
    this.ids = {
      contradiction: derivedIds('contradiction', stored),
      possible_conflict: derivedIds('possible_conflict', stored),
      supersession: derivedIds('supersession', stored),
    }
    this.scope = restoreScope(stored.kept)
    this.stored = stored
    const { counts, pending } = stored
    // What is being processed is queued to everybody but the worker: how many that are depends on the batch.
    this.waiting = { queued: counts.queued + counts.processing, processing: 0, held: counts.held + pending }
  }

  planAll(placed: readonly PlacedDocument[]): Planned['failed'] {
    for (const document of placed) {
      const stage = { name: 'reconcile' }
      try {
        const { applied } = this.plan(document, stage)
        if (!applied || this.input.working.stale || this.planned.at(-1)?.settles) return null
      } catch (error) {
        return { read: document.read, stage: stage.name, error }
      }
    }
    return null
  }

  after(): StoredScope {
    return { ...this.stored, gates: this.planned.at(-1)?.result.verdict.gates ?? this.stored.gates }
  }

  private plan(placed: PlacedDocument, stage: { name: string }): RoundResult {
    const { read } = placed
    const { working, policySet, saltOf, now, recorded } = this.input
    const started = now()
    const earlier = working.earlierRevision(read.document.documentId)
    const { content, bodies, carried, compared } = read.extraction === null ? unchanged : this.reconcile(placed, read.extraction, earlier)
    const reconciled = now()
    stage.name = 'govern'
    const { documentId, revision, name, type, source, textHash, current, reread } = read.document
    const extractor = read.extraction?.extractor ?? earlier?.extractor ?? ''
    // Where it is a part that was retired in this batch, another revision waits in its place.
    const leaves = reread !== null || (current && !this.retired.has(documentId))
    const waiting = { ...this.waiting, queued: Math.max(0, this.waiting.queued - (leaves ? 1 : 0)) }
    const named = read.extraction?.profile.issuer ?? null
    // As it will be stored: half an emoji, where the reader cut it, cannot be hashed into a decision.
    const issuer = named && storable(named)
    const byModel = comparedByModel(read, earlier)
    const examined = { unexamined: this.unexaminedOf(read, byModel, earlier), named: this.input.named.includes(documentId) }
    const document = { documentId, revision, name, type, source, issuer, textHash, extractor, ...examined }
    const overtaken = this.overtakenBy(read)
    const round = roundOf(read, { kind: 'document', document, content, ...(overtaken.length > 0 && { overtaken }) }, carried)
    let since = reconciled
    const lap = (name: 'govern' | 'converge') => {
      stage.name = name === 'govern' ? 'converge' : 'commit'
      read.timings[name] = now() - since
      since = now()
    }
    const retires = this.retiresWith(read, 'admitted')
    const workloads = {
      // What is held waits itself.
      hold: { ...waiting, held: waiting.held + (current ? 1 : 0) },
      admit: this.withQueued(waiting, retires, documentId),
      reject: this.withQueued(waiting, this.retiresWith(read, 'given_up'), documentId),
    }
    const workload = (outcome: Outcome) => workloads[outcome]
    const result = runRound(this.scope, round, { policySet, workload, saltOf, lap, recorded })
    this.waiting = workload(result.outcome)
    read.timings['reconcile'] = reconciled - started
    this.scope = result.scope
    const planned = toPlanned({ placed, result, content, earlier, bodies, carried, compared, next: this.stored, working })
    this.planned.push(planned)
    if (result.applied) {
      for (const { partId } of retires) this.retired.add(partId)
      const readers = moveReader(this.stored.readers, { from: earlier?.extractorVersion ?? null, to: planned.extractorVersion })
      this.stored = { ...this.stored, readers }
      if (content !== null) this.fold(placed, planned, content)
    }
    return result
  }

  /** Their last revisions come into the queue in the commit that admits or rejects it: no round may count on an empty one. */
  private retiresWith({ document: { documentId, revision }, extraction }: ReadDocument, outcome: FormerPart['outcome']): FormerPart[] {
    // What says nothing new brings what the one before brought.
    if (extraction === null && outcome === 'admitted') return []
    const parts = this.input.formerParts.filter(each => each.documentId === documentId && each.revision === revision)
    return parts.filter(each => each.outcome === outcome && !this.retired.has(each.partId))
  }

  /** What waits already is counted, unless this batch is through with it, or is with this document. */
  private withQueued(waiting: Workload, parts: readonly FormerPart[], documentId: string): Workload {
    const done = new Set(this.planned.flatMap(({ read: { document } }) => (document.current ? [document.documentId] : [])))
    const added = parts.filter(({ partId, waits }) => !waits || partId === documentId || done.has(partId))
    return { ...waiting, queued: waiting.queued + added.length }
  }

  /** The first later revision says it. */
  private overtakenBy({ document: { documentId } }: ReadDocument): OvertakenRevision[] {
    const isSaid = this.planned.some(each => each.read.document.documentId === documentId)
    return isSaid ? [] : this.input.overtaken.filter(each => each.documentId === documentId)
  }

  /** Where a later revision waits, that one's round says it. */
  private unexaminedOf(
    { document: { documentId, current, reread } }: ReadDocument,
    byModel: boolean,
    earlier: EarlierRevision | undefined,
  ): RoundDocument['unexamined'] {
    const before = this.input.unsigned.find(each => each.documentId === documentId)
    if (reread !== null) return { admitted: !byModel && before?.isRevised === false, refused: false }
    const isPlanned = this.planned.some(each => each.read.document.documentId === documentId)
    const isLeft = isPlanned ? earlier?.byModel !== true : before !== undefined && isUnexamined(before)
    return { admitted: current && !byModel, refused: current && isLeft }
  }

  private reconcile(
    { read, claims, lent: placedLent, wanted, facts }: PlacedDocument,
    extraction: Extraction,
    earlier: EarlierRevision | undefined,
  ): Reconciled {
    const { documentId } = read.document
    const { working } = this.input
    const { live, superseded } = working.rivalsOf(claims, wanted)
    const previousRevision = earlier?.claims ?? []
    const own = facts ?? factsOf(extraction.profile, read.document)
    const rivals = [...live, ...superseded]
    const findings = working.findings.existing()
    const concluded = reconcile({
      document: { ...own, documentId },
      claims: [...claims],
      live: rivals,
      previousRevision: read.again === null ? previousRevision : [],
      findings,
      ...(read.again === null ? {} : { objected: objectedPairs({ attached: read.again, claims }) }),
      documents: working.facts,
    })
    const linked = working.liveIn(linkedSlots(read.model)).filter(claim => claim.documentId !== documentId)
    const endable = new Map([...live, ...linked, ...previousRevision].map(claim => [claim.claimId, toSlotClaim(claim)]))
    const lent = placedLent.map(each => each.claim)
    const ownIds = new Set([...claims, ...lent].map(claim => claim.claimId))
    const both =
      read.model === null
        ? concluded
        : mergeReadings({
            concluded,
            reading: read.model,
            claims,
            known: new Map([
              ...[...live, ...linked].map((claim): [string, PlacedClaim] => [claim.claimId, claim]),
              ...placedLent.map(({ key, claim }): [string, PlacedClaim] => [key, claim]),
            ]),
            findings,
            factsOf: id => (id === documentId ? own : working.facts[id]),
            documentOf: claimId => working.documentOf(claimId),
            foundBy: read.model.foundBy,
          })
    const compared = [...rivals, ...linked].filter(claim => working.facts[claim.documentId]?.reader === own.reader)
    const carried = this.carryOver(read, claims, both, compared)
    const reconciliation = standingFindings(carried?.reconciliation ?? both, claimId => endable.has(claimId) || ownIds.has(claimId))
    const keptPossible = carried?.keptPossible ?? new Set<string>()
    const pairs = supersededPairs(reconciliation.supersessions)
    const ended = reconciliation.supersessions.flatMap(({ claimId }) => endable.get(claimId)?.slotKey ?? [])
    const slotKeys = [...[...claims, ...lent].map(claim => claim.slotKey), ...ended]
    const bodies = claimBodies([...claims, ...lent])
    const content: DocumentContent = {
      claims,
      ...(lent.length > 0 && { lent }),
      reconciliation,
      contradictionIds: reconciliation.contradictions.map((_, index) =>
        this.ids.contradiction.idOf(this.stored.nextContradictionNo + index),
      ),
      possibleIds: reconciliation.unsure.map((_, index) => this.ids.possible_conflict.idOf(this.stored.nextPossibleNo + index)),
      supersessions: pairs.map(({ claimId, byClaimId }, index) => ({
        supersessionId: this.ids.supersession.idOf(this.stored.nextSupersessionNo + index),
        claimId,
        byClaimId,
      })),
      goals: extraction.goals,
      risks: extraction.risks,
      claimsDigest: digestOf([...claims, ...lent], bodies),
      slots: working.standings(slotKeys),
      endable,
      findings: working.findings.standings(),
      possible: working.findings.openPossible().filter(({ possibleConflictId }) => !keptPossible.has(possibleConflictId)),
      previous: earlier?.content ?? null,
    }
    return { content, bodies, carried, compared: compared.map(claim => claim.claimNo) }
  }

  private carryOver(
    { document: { documentId }, again }: ReadDocument,
    claims: readonly PlacedClaim[],
    concluded: Reconciliation,
    compared: readonly PlacedClaim[],
  ): CarriedOver | null {
    if (again === null) return null
    const known = new Set(compared.map(claim => claim.claimId))
    return carryOver({
      attached: again,
      documentId,
      claims,
      firstClaimNo: this.stored.nextClaimNo,
      concluded,
      isCompared: claimId => known.has(claimId),
      asked: again.asked,
    })
  }

  private fold(placed: PlacedDocument, planned: PlannedDocument, content: DocumentContent): void {
    const { read } = placed
    const { nextClaimNo, nextContradictionNo, nextPossibleNo, nextSupersessionNo, claimsDigest } = this.stored
    const endings = planned.ends.map(end => `${end.claimNo}:${end.byClaimId ?? ''}`).join(',')
    this.stored = {
      ...this.stored,
      nextClaimNo: nextClaimNo + planned.claims.length,
      nextContradictionNo: nextContradictionNo + planned.contradictions.length,
      nextPossibleNo: nextPossibleNo + planned.possible.length,
      nextSupersessionNo: nextSupersessionNo + planned.supersessions.length,
      claimsDigest: sha256(`${claimsDigest}\n${content.claimsDigest}\n${endings}`),
    }
    if (placed.facts !== null) this.input.working.facts[read.document.documentId] = placed.facts
    const all = planned.claims.map(each => ({ ...each.claim, quote: '' }))
    const claims = all.slice(0, placed.claims.length)
    this.input.working.admit({
      documentId: read.document.documentId,
      claims,
      lent: all.slice(placed.claims.length),
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
        byModel: comparedByModel(read, undefined),
      },
    })
    content.reconciliation.unsure.forEach(({ cleared }, index) => {
      if (cleared !== undefined) this.input.working.findings.closePossible(content.possibleIds[index] ?? '')
    })
  }
}

/** What was not read anew, or without asking a model, is compared as its reading before was. */
function comparedByModel({ byModel, extraction, document }: ReadDocument, earlier: EarlierRevision | undefined): boolean {
  const kept = extraction === null || document.reread !== null ? earlier?.byModel : false
  return byModel ?? kept ?? false
}

interface Reconciled {
  content: DocumentContent | null
  /** Stored forms of its claims. */
  bodies: readonly string[]
  carried: CarriedOver | null
  /** Numbers of the claims it was compared with. */
  compared: readonly number[]
}

const unchanged: Reconciled = { content: null, bodies: [], carried: null, compared: [] }

function newPossible({ possibleIds, reconciliation }: DocumentContent): PossibleStanding[] {
  return reconciliation.unsure.map(({ a, b }, index) => ({ possibleConflictId: possibleIds[index] ?? '', a, b }))
}

/** Over everything a claim says but its quote, which its place in the text stands for. */
function digestOf(claims: readonly PlacedClaim[], bodies: readonly string[]): string {
  const lines = claims.map(({ start, end, subject, attribute, confidence }, index) => {
    return `${storableJson([start, end, subject, attribute, confidenceMicros(confidence)])}${bodies[index]}`
  })
  return sha256(lines.join('\n'))
}

/** A revision a person approved while it was held is concluded as that review, against the claims that are live now. */
function roundOf({ document: { approval, follows } }: ReadDocument, round: DocumentRound, carried: CarriedOver | null): RoundInput {
  const { document, content } = round
  if (carried !== null && content !== null) {
    const { withdrawnIds: withdrawn, kept, detached } = carried
    return { kind: 'reread', document, content, withdrawn, kept, detached }
  }
  if (approval === null) return { ...round, ...(follows && { follows }) }
  const { decision_seq: decisionSeq, decision_hash: decisionHash, actor, reason } = approval
  return { kind: 'review', actor, decisionSeq, decisionHash, verdict: 'approve', reason, held: round }
}
