/**
 * Document rounds of a replay: each is planned again by the code that planned it then, on the scope that the rounds before
 * it left, and compared with what was written. What it does is folded into that scope as in a batch (`working-scope.ts`).
 */

import { mayBeScan } from '../../contract/file-kinds.js'
import { derivedIds } from '../../kernel/derived-ids.js'
import { DEFAULT_POLICIES } from '../../kernel/policies/default.js'
import { readPolicySet } from '../../kernel/policy-text.js'
import type { PolicySet } from '../../kernel/proposals.js'
import type { Severity } from '../../kernel/types.js'
import { type FoundReading, keptReading, withAdded } from '../../models/model-read.js'
import { extract } from '../../reading/document/extract.js'
import { factsOf, lookupKeysOf, lookupWeights } from '../../reading/relations/place.js'
import type { DocumentProfile, Extraction, Glossary } from '../../reading/types.js'
import { COMPARER_VERSION, READER_NAME, READER_VERSION, RULES_VERSION } from '../../reading/version.js'
import { findModelReading } from '../../store/documents/model-readings.js'
import type { OvertakenRevision } from '../../store/documents/overtaken-approvals.js'
import { listDoubtfulWords } from '../../store/documents/recognised-pages.js'
import type { LeasedDocument } from '../../store/leases/leases.js'
import {
  type RecordedDecisionRow,
  type RecordedRoundRow,
  type ReplayedDocument,
  type ReplayedScope,
  readClaimsOfRound,
  readContentOfRound,
  readFindingsOfRound,
  readReplayedDocument,
} from '../../store/scopes/replay.js'
import type { StoredScope } from '../../store/scopes/rounds.js'
import type { Transaction } from '../../store/server/database.js'
import { type PlacedDocument, placeOne } from '../planning/placing.js'
import { planDocuments } from '../planning/plan-documents.js'
import type { PlannedDocument } from '../planning/planned-document.js'
import { WorkingScope } from '../planning/working-scope.js'
import { replayAct } from './replay-acts.js'
import { type Difference, differs, type RecordedInput, type ReplayReport, type ReplayState } from './replay-report.js'

export class ReplayedContent {
  readonly counts: ReplayReport['documents'] = {
    reconciled: 0,
    read: 0,
    linksErased: 0,
    notRead: { erased: 0, otherReader: 0, readAgain: 0, afterLoss: 0, textRemoved: 0, otherExtractor: 0, unchanged: 0 },
  }
  private readonly tx: Transaction
  private readonly scope: ReplayedScope
  private readonly working = new WorkingScope(emptyScope)
  private glossary: Glossary = { terms: {}, entities: {} }
  private next: NextNumbers = { nextClaimNo: 0, nextContradictionNo: 0, nextPossibleNo: 0, nextSupersessionNo: 0 }
  /** False once a document was erased, claims included, was read by another reader or again: what follows cannot be rebuilt. */
  private whole = true

  constructor(tx: Transaction, scope: ReplayedScope) {
    this.tx = tx
    this.scope = scope
  }

  async replay(
    round: RecordedRoundRow,
    input: RecordedInput,
    state: ReplayState,
    decisions: readonly RecordedDecisionRow[],
    askedSet: PolicySet | undefined,
  ): Promise<Difference | null> {
    // What follows from another document asked no policy: where it moved nothing either, no set is on record, and any will do.
    const policySet = askedSet ?? (input['follows'] === true ? readPolicySet(DEFAULT_POLICIES) : undefined)
    if (round.kind === 'reread') return this.lose('readAgain', true)
    const ofDocument = round.document_id !== null && round.revision !== null && 'claim_count' in input
    if (!ofDocument || policySet === undefined) {
      if (input.applied) await this.act(round, input)
      return null
    }
    const name = { documentId: round.document_id!, revision: round.revision! }
    const document = await readReplayedDocument(this.tx, this.scope, name)
    const erased = document === null || document.erased
    const otherReader = !erased && input['unchanged'] !== true && !isReadAsToday(document)
    const readAgain = !erased && document.rereadRound !== null && round.round < document.rereadRound
    if (!this.whole || erased || otherReader || readAgain) {
      return this.lose(
        erased ? 'erased' : readAgain ? 'readAgain' : 'otherReader',
        input.applied && (readAgain || input['unchanged'] !== true),
      )
    }
    return this.replayDocument({ round, input, state, decisions, policySet, document, name })
  }

  private async act(round: RecordedRoundRow, input: RecordedInput): Promise<void> {
    if (round.kind === 'report' && 'lent_claims' in input) await this.report(input)
    this.next.nextContradictionNo += replayAct(this.working, round, input, this.next.nextContradictionNo)
    this.next.nextSupersessionNo += (input['finding'] as { supersessions?: number } | undefined)?.supersessions ?? 0
    const proposed = input['proposed'] as { glossary?: Glossary } | undefined
    if (proposed?.glossary !== undefined) this.glossary = proposed.glossary
  }

  /** Claims that were made of passages somebody reported. One whose document was erased has no words and no place any more. */
  private async report(input: RecordedInput): Promise<void> {
    const { nextClaimNo: firstClaimNo, nextContradictionNo: contradictionNo } = this.next
    const [a, b] = (await readClaimsOfRound(this.tx, this.scope, { firstClaimNo, count: 2 })).map(({ claim }) => claim)
    this.next.nextClaimNo += 2
    if (a === undefined || b === undefined || a.slotKey === undefined) return
    this.working.report([a, b], {
      contradictionNo,
      contradictionId: String(input.contradiction_id),
      severity: input['severity'] as Severity,
    })
  }

  private lose(why: 'erased' | 'otherReader' | 'readAgain', ends: boolean): null {
    this.counts.notRead[this.whole ? why : 'afterLoss']++
    if (ends) this.whole = false
    return null
  }

  private async replayDocument(given: Given): Promise<Difference | null> {
    const { round, input, policySet } = given
    const placed = await this.place(given)
    const { planned, after, failed } = planDocuments({
      stored: this.storedScope(given),
      working: this.working,
      policySet,
      placed: [placed],
      unsigned: [],
      named: [],
      formerParts: [],
      overtaken: overtakenBy(given.name, given.decisions),
      now: () => 0,
      recorded: input.examination,
      saltOf: seq => given.decisions.find(({ record }) => record.seq === seq)?.record.salt ?? '',
    })
    const again = planned[0]
    if (again === undefined)
      return { member: 'plan', recorded: 'a round', computed: String((failed?.error as Error | undefined)?.message ?? 'none') }
    this.counts.reconciled++
    this.next = numbersOf(after)
    const { result } = again
    return (
      differs('claims_digest', input['claims_digest'] ?? null, again.content?.claimsDigest ?? null) ??
      differs('outcome', input.outcome, result.outcome) ??
      differs('change', input.change, result.change) ??
      differs('aggregates', input.aggregates, result.scope.aggregates) ??
      differs('point', round.point, result.point) ??
      differs('finality', input.finality, result.finality.to) ??
      differs('decisions', recordsOf(given.decisions), recordsOf(result.decisions)) ??
      (await this.compareFindings(round, again))
    )
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
    const follows = input['follows'] === true ? { follows: true as const } : {}
    const leased = { ...toLeased(name, document), approval: approvalOf(decisions), ...follows }
    if (input['unchanged'] === true) {
      this.counts.notRead.unchanged++
      return {
        read: { document: leased, extraction: null, model: null, again: null, timings: {} },
        claims: [],
        lent: [],
        wanted: [],
        facts: null,
        firstClaimNo: this.next.nextClaimNo,
      }
    }
    const model = await this.modelReading(name)
    const same = document.extractor === READER_NAME && document.extractorVersion === RULES_VERSION
    const ids = derivedIds('claim', this.scope)
    if (document.text !== null && same) {
      this.counts.read++
      const doubtful = mayBeScan(document.type) ? await listDoubtfulWords(this.tx, this.scope, name) : []
      const { type, source, text } = document
      const extraction = extract({ ...name, name: document.name, type, source, text, doubtful })
      const read = { document: leased, extraction: withAdded(extraction, model), model, again: null, timings: {} }
      return placeOne(read, { glossary: this.glossary, firstClaimNo: this.next.nextClaimNo, ids })
    }
    this.counts.notRead[document.text === null ? 'textRemoved' : 'otherExtractor']++
    return this.placeStored(input, document, leased, model)
  }

  /** What a model said then: neither asked nor looked for again. */
  private async modelReading(name: { documentId: string; revision: number }): Promise<FoundReading | null> {
    const kept = await findModelReading(this.tx, this.scope, name)
    this.counts.linksErased += kept?.erasedLinks ?? 0
    return kept?.reading == null ? null : { ...keptReading(kept.reading), foundBy: kept.model }
  }

  private async placeStored(
    input: RecordedInput,
    document: ReplayedDocument,
    leased: LeasedDocument,
    model: FoundReading | null,
  ): Promise<PlacedDocument> {
    const range = { firstClaimNo: Number(input['first_claim_no'] ?? 0), count: Number(input['claim_count'] ?? 0) }
    const lentRange = { firstClaimNo: Number(input['first_lent_no'] ?? 0), count: Number(input['lent_claims'] ?? 0) }
    const [claims, lentClaims, content] = await Promise.all([
      readClaimsOfRound(this.tx, this.scope, range),
      readClaimsOfRound(this.tx, this.scope, lentRange),
      readContentOfRound(this.tx, this.scope, leased),
    ])
    const profile = { supersedes: [], ...document.profile } as unknown as DocumentProfile
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
    const unnumbered = ({ claim: { claimNo, ...claim } }: (typeof claims)[number]) => claim
    const placed = claims.map(each => ({ ...unnumbered(each), lookupKeys: lookupKeysOf(each.claim, facts) }))
    const lent = lentClaims.map((each, index) => ({ key: model?.lent[index]?.key ?? '', claim: unnumbered(each) }))
    return { read, claims: placed, lent, wanted: lookupWeights(placed), facts, firstClaimNo: range.firstClaimNo }
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
      kept: { tenantId, scopeId, generation, mode, settings, chainHash, kept, points, examination: input.examination },
      ...this.next,
      claimsDigest: '',
      policyHashes: [],
      pending: 0,
      readers: {},
      changedRound: 0,
      counts: input.workload,
      recordedAt: round.recorded_at,
      waitingSince: null,
      gates: [],
    }
  }
}

type NextNumbers = Pick<StoredScope, 'nextClaimNo' | 'nextContradictionNo' | 'nextPossibleNo' | 'nextSupersessionNo'>

function numbersOf({ nextClaimNo, nextContradictionNo, nextPossibleNo, nextSupersessionNo }: StoredScope): NextNumbers {
  return { nextClaimNo, nextContradictionNo, nextPossibleNo, nextSupersessionNo }
}

const emptyScope = { live: [], terms: [], superseded: [], crowds: [], findings: [], possible: [], earlier: new Map(), facts: {} }

const recordsOf = <T>(decisions: readonly { record: T }[]) => decisions.map(each => each.record)

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
  const { text, textHash, type, source, about } = document
  return {
    ...name,
    name: document.name,
    type,
    source,
    about,
    text,
    textHash,
    seq: 0,
    attempts: 0,
    // The recorded workload does not count the document itself.
    current: false,
    unchanged: false,
    queuedMs: 0,
    queuedAt: 0,
    trace: null,
    approval: null,
    reread: null,
  }
}

function isReadAsToday({ profile }: ReplayedDocument): boolean {
  return profile?.['reader'] === READER_VERSION && profile['comparer'] === COMPARER_VERSION
}

/** A round that concluded a review is concluded as that review again; its proposal says what it answered. */
function approvalOf(decisions: readonly RecordedDecisionRow[]): LeasedDocument['approval'] {
  const proposal = decisions[0]?.proposal
  // One that was overtaken is recorded beside, also where the round asks no policy itself.
  if (proposal?.kind !== 'review' || proposal.overtaken !== undefined) return null
  return { decision_seq: proposal.decisionSeq, decision_hash: proposal.decisionHash, actor: proposal.actor, reason: proposal.reason }
}

/** Approvals of revisions before it that the round recorded beside. */
function overtakenBy({ documentId }: { documentId: string }, decisions: readonly RecordedDecisionRow[]): OvertakenRevision[] {
  return decisions.flatMap(({ proposal }) => {
    if (proposal.kind !== 'review' || proposal.overtaken === undefined) return []
    const { actor, reason, decisionSeq, decisionHash } = proposal
    return { documentId, actor, reason, decisionSeq, decisionHash }
  })
}
