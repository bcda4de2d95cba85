/**
 * What a planning thread does, in two steps with the database between them: `place` gives claims their place in the scope
 * and says which slots must be looked at; `plan` takes what was found there and concludes the rounds. Pure functions of
 * their input; what `place` found is kept for a moment, to be used when `plan` comes to the same thread.
 */

import { saltsFrom } from '../../kernel/decision-record.js'
import type { DocumentContent } from '../../kernel/document-content.js'
import { DEFAULT_POLICIES } from '../../kernel/policies/default.js'
import { prepare } from '../../kernel/policy-ask.js'
import { readPolicySet } from '../../kernel/policy-text.js'
import type { RoundResult } from '../../kernel/round-types.js'
import { type FoundReading, linkedSlots, withAdded } from '../../models/model-read.js'
import type { Extraction } from '../../reading/types.js'
import { type ClaimRow, type ClaimWrite, type StoredClaim, toClaim, windowClaims } from '../../store/claims/claims.js'
import type { SideWrite } from '../../store/findings/finding-rows.js'
import type { StoredScope } from '../../store/scopes/rounds.js'
import { type Placing, type PlannableDocument, placeAll, type ReadDocument } from './placing.js'
import { type PlanningInput, planDocuments } from './plan-documents.js'
import type { PlannedDocument } from './planned-document.js'
import type { WantedTerms } from './rivals.js'
import { type EarlierRevision, WorkingScope, type WorkingScopeInput } from './working-scope.js'

/** A document as the threads take it: without its text, its extraction as JSON; null for unchanged text. */
export interface PackedRead {
  document: PlannableDocument
  packed: string | null
  /** What a model found in it; null without. */
  model: FoundReading | null
  /** Whether it compared it in full; absent where none was asked. */
  byModel?: boolean
  /** What hangs on its reading before, where it is read again. */
  again: ReadDocument['again']
}

export interface PlaceTask {
  /** Names the placing, for the plan that follows. */
  token: number
  stored: StoredScope
  reads: readonly PackedRead[]
}

export interface PlaceAnswer {
  slotKeys: string[]
  /** Of each placed document, the words its rivals are looked up by. */
  wanted: WantedTerms[]
  /** How many could be placed: those before the one that failed. */
  placed: number
  failed: { index: number; error: unknown } | null
}

export interface PlanTask
  extends PlaceTask,
    Pick<WorkingScopeInput, 'terms' | 'crowds' | 'findings' | 'possible' | 'facts'>,
    Pick<PlanningInput, 'unsigned' | 'named' | 'formerParts' | 'overtaken'> {
  live: readonly ClaimRow[]
  previous: readonly (Omit<EarlierRevision, 'claims'> & { documentId: string })[]
  previousClaims: readonly ClaimRow[]
  /** Replaced claims that documents are held against too. */
  superseded: readonly ClaimRow[]
  /** Null for the shipped policies. */
  policies: string | null
  /** What the salts of the decisions are made from. */
  secret: string
}

export interface PlanAnswer {
  after: StoredScope
  planned: WrittenDocument[]
  failed: { index: number; stage: string; error: unknown } | null
}

/** Of a planned document, what a commit writes. */
export interface WrittenDocument extends Omit<PlannedDocument, 'read' | 'result' | 'content' | 'claims' | 'supporters' | 'numberOf'> {
  /** Among the documents that were to be planned. */
  index: number
  /** Of the slots only the crowded ones, and no points but its own. */
  result: RoundResult
  content: WrittenContent | null
  /** What each says, for comparing, is in its stored form alone. */
  claims: { claim: WrittenClaim; body: string }[]
  sides: SideWrite[]
  /** Of the model's links, by index, those to claims that are still there: words about an erased document are not kept. */
  links: number[]
  profile: object | null
  timings: Record<string, number>
}

type WrittenClaim = ClaimWrite['claim'] & Pick<StoredClaim, 'claimNo' | 'value' | 'valueText'>

export interface WrittenContent extends Pick<DocumentContent, 'goals' | 'risks' | 'claimsDigest'> {
  contradictions: DocumentContent['reconciliation']['contradictions']
}

const keptPlacings = 8
const placings = new Map<number, Placing>()

/** Loads the policy engine before the first document needs it. */
export function warm(): void {
  prepare(readPolicySet(DEFAULT_POLICIES))
}

export function place(task: PlaceTask): PlaceAnswer {
  const placing = placeTask(task)
  const oldest = placings.size >= keptPlacings ? placings.keys().next().value : undefined
  if (oldest !== undefined) placings.delete(oldest)
  if (task.token > 0) placings.set(task.token, placing)
  const { failed, placed } = placing
  return {
    slotKeys: [...slotKeysOf(placed)],
    wanted: placed.map(({ wanted }) => wanted),
    placed: placed.length,
    failed: failed === null ? null : { index: placed.length, error: failed.error },
  }
}

function placeTask({ stored, reads }: Pick<PlaceTask, 'stored' | 'reads'>): Placing {
  const unpacked = reads.map(
    ({ document, packed, model, byModel, again }): ReadDocument => ({
      document,
      extraction: packed === null ? null : withAdded(JSON.parse(packed) as Extraction, model),
      model,
      ...(byModel === undefined ? {} : { byModel }),
      again,
      timings: {},
    }),
  )
  return placeAll(stored, unpacked)
}

export function plan(task: PlanTask): PlanAnswer {
  const { stored, policies } = task
  const { placed } = placings.get(task.token) ?? placeTask(task)
  placings.delete(task.token)
  const working = workingScopeOf(task)
  const { planned, after, failed } = planDocuments({
    stored,
    working,
    policySet: readPolicySet(policies ?? DEFAULT_POLICIES),
    placed,
    unsigned: task.unsigned,
    named: task.named,
    formerParts: task.formerParts,
    overtaken: task.overtaken,
    now: () => performance.now(),
    saltOf: saltsFrom(task.secret),
  })
  return {
    after,
    planned: planned.map((document, index) => written(document, index, planned)),
    failed:
      failed === null ? null : { index: placed.findIndex(({ read }) => read === failed.read), stage: failed.stage, error: failed.error },
  }
}

function workingScopeOf(task: PlanTask): WorkingScope {
  const { live, superseded, previous, previousClaims, ...around } = task
  const claims = previousClaims.map(toClaim)
  const earlier = new Map(
    previous.map(({ documentId, ...revision }) => {
      const own = claims.filter(claim => claim.documentId === documentId)
      return [documentId, { ...revision, claims: own }]
    }),
  )
  return new WorkingScope({ ...around, live: live.map(toClaim), superseded: superseded.map(toClaim), earlier })
}

function slotKeysOf(placed: Placing['placed']): Set<string> {
  return new Set(
    placed.flatMap(({ claims, lent, read }) => [
      ...[...claims, ...lent.map(each => each.claim)].map(claim => claim.slotKey),
      ...linkedSlots(read.model),
    ]),
  )
}

function written(document: PlannedDocument, index: number, all: readonly PlannedDocument[]): WrittenDocument {
  const { read, result, content, claims, supporters, numberOf, ...asPlanned } = document
  const slots = result.slots.filter(slot => slot.live >= windowClaims)
  return {
    ...asPlanned,
    index,
    result: { ...result, slots, scope: { ...result.scope, points: [] } },
    content: content === null ? null : writtenContent(content),
    claims: claims.map(({ claim, body }) => ({ claim: writtenClaim(claim), body })),
    sides: sidesOf(document, all),
    links: standingLinks(document),
    profile: read.extraction?.profile ?? null,
    timings: read.timings,
  }
}

function writtenContent({ reconciliation: { contradictions }, goals, risks, claimsDigest }: DocumentContent): WrittenContent {
  return { contradictions, goals, risks, claimsDigest }
}

function writtenClaim(claim: StoredClaim): WrittenClaim {
  const { claimNo, claimId, documentId, revision, quote, start, end, subject, attribute, confidence, period, slotKey, value, valueText } =
    claim
  return { claimNo, claimId, documentId, revision, quote, start, end, subject, attribute, confidence, period, slotKey, value, valueText }
}

function standingLinks({ read: { model }, numberOf }: PlannedDocument): number[] {
  return (model?.links ?? []).flatMap(({ other }, index) =>
    typeof other === 'number' || other.startsWith('lent:') || numberOf(other) !== undefined ? [index] : [],
  )
}

/** Claims on the sides of new contradictions, and those that join a side of an earlier one. */
function sidesOf({ contradictions, content, supporters, numberOf }: PlannedDocument, all: readonly PlannedDocument[]): SideWrite[] {
  const numberIn = (claimId: string) => numberOf(claimId) ?? all.flatMap(each => each.numberOf(claimId) ?? [])[0]
  const side = (contradictionNo: number, name: 'a' | 'b', lead: string, others: readonly string[]): SideWrite[] =>
    [...new Set([lead, ...others])].flatMap(claimId => {
      const claimNo = numberIn(claimId)
      return claimNo === undefined ? [] : [{ contradictionNo, side: name, claimNo, lead: claimId === lead }]
    })
  const found = contradictions.flatMap(({ contradictionNo }, index) => {
    const each = content?.reconciliation.contradictions[index]
    if (each === undefined) return []
    return [...side(contradictionNo, 'a', each.a, each.supportersA), ...side(contradictionNo, 'b', each.b, each.supportersB)]
  })
  return [...found, ...supporters.map(each => ({ ...each, lead: false }))]
}
