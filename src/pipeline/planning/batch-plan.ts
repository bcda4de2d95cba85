/**
 * The plan of a batch: reads the scope, lets a planner give the claims their place, reads what stands in the slots they
 * touch, and lets the planner conclude. No transaction is open while the planner thinks. What changes between the two
 * reads changes the scope's version or round as well, and the guard of the commit refuses the plan.
 *
 * A plan may cover only the first documents of a batch (see `plan-documents`).
 */

import type { PossibleStanding } from '../../kernel/document-content.js'
import { effectiveSettings } from '../../kernel/settings.js'
import { comparedBy, linkedDocuments, type ModelRead } from '../../models/model-read.js'
import { newSecret } from '../../platform/ids.js'
import type { DocumentFacts, Extraction } from '../../reading/types.js'
import { readTerms } from '../../store/claims/claim-terms.js'
import {
  type ClaimRange,
  type ClaimRow,
  readCrowds,
  readLiveRowsByRanges,
  readLiveRowsBySlots,
  readSupersededRows,
  toClaim,
  windowClaims,
} from '../../store/claims/claims.js'
import { type PreviousRevision, readFacts, readPreviousRevisions, stillProcessing } from '../../store/claims/claims-documents.js'
import { slotHash } from '../../store/claims/slot-hash.js'
import type { RevisionRef } from '../../store/documents/documents.js'
import { type EndedRevision, listFormerParts } from '../../store/documents/former-parts.js'
import { listOvertaken } from '../../store/documents/overtaken-approvals.js'
import { stillRereading } from '../../store/documents/rereads.js'
import { type AttachedFindings, documentsOf, readAttached, slotsOf } from '../../store/findings/attached-findings.js'
import { readFindings, type StoredFinding } from '../../store/findings/claims-findings.js'
import { readOpenPossible } from '../../store/findings/possible-conflicts.js'
import type { LeasedDocument } from '../../store/leases/leases.js'
import { listNamedUnread, readUnsigned } from '../../store/scopes/examination.js'
import { loadScope, type StoredScope } from '../../store/scopes/rounds.js'
import type { Database, Transaction } from '../../store/server/database.js'
import { effectivePolicy } from '../../store/tenants/policies.js'
import type { Account } from '../threads/fair-turns.js'
import { type Attached, addedBefore, joinAttached, withAddedBefore } from './added-before.js'
import type { PackedRead, PlaceAnswer, PlanTask, WrittenDocument } from './plan-task.js'
import type { Planner } from './planner.js'
import { byTerm, pickRivals } from './rivals.js'

/** A document that has been read; `packed` is its extraction as JSON, null for unchanged text. */
export interface HeldRead {
  document: LeasedDocument
  packed: string | null
  /** Its passages as JSON; null or absent where nobody cut it. */
  passages?: string | null
  /** What came of asking a model; absent while nobody was asked. */
  model?: ModelRead
  timings: Record<string, number>
}

export type PlannedWrite = WrittenDocument & { read: HeldRead }

export interface BatchPlan {
  before: StoredScope
  after: StoredScope
  policyHash: string | null
  planned: PlannedWrite[]
  /** A document that could not be planned, and why; those behind it are not planned either. */
  failed: { read: HeldRead; stage: string; error: unknown } | null
  /** Marked unchanged, but the revision before it was not admitted: it must be read after all. */
  mustRead: HeldRead[]
  /** Came after a later revision of its document, as one that failed before may: it is not read any more. */
  stale: HeldRead[]
  /** Revision and id of the documents that are still being processed. */
  wanted: ReadonlySet<string>
}

export interface PlanInput {
  tenantId: string
  scopeNo: number
  reads: readonly HeldRead[]
  planner: Planner
  /** Whether there is a model to ask here; without it, what a model is to be asked about is planned by the rules. */
  hasModel?: boolean
  account: Account
  signal: AbortSignal
}

const reading = { readOnly: true, snapshot: true, indexOrder: true }

/** Undefined when the scope is gone. */
export async function planBatch(db: Database, input: PlanInput): Promise<BatchPlan | undefined> {
  const { tenantId, planner, account, signal } = input
  const begun = await db.inTenant(tenantId, tx => readScope(tx, input), reading)
  if (begun === undefined) return undefined
  const { stored, mustRead, stale, wanted, previous, previousClaims, attached, lenders, formerParts, overtaken, examined, policies } = begun
  const reads = begun.reads.map(read => withKept(withLent(read, lenders), attached))
  const before = { before: stored, policyHash: policies?.hash ?? null, stale, wanted }
  if (reads.length === 0) return { ...before, after: stored, planned: [], failed: null, mustRead }
  const packed = reads.map(read => toPacked(read, attached))
  const placing = await planner.place({ stored, reads: packed }, { account, signal })
  const around = await db.inTenant(
    tenantId,
    tx =>
      readAround(
        tx,
        stored,
        placing,
        previousClaims,
        attached,
        packed.flatMap(({ model }) => linkedDocuments(model)),
      ),
    reading,
  )
  const task = {
    token: placing.token,
    stored,
    reads: packed,
    previous: previous.map(toEarlier),
    previousClaims,
    formerParts,
    overtaken,
    ...examined,
    policies: policies?.text ?? null,
    secret: newSecret(),
  }
  const answer = await planner.plan({ ...task, ...around }, { account, signal })
  const planned = answer.planned.map(document => withRead(document, reads[document.index] as HeldRead))
  const through = planned.length === placing.placed
  const unplaced = through && placing.failed !== null ? { ...placing.failed, stage: 'reconcile' } : null
  const failed = answer.failed ?? unplaced
  return {
    ...before,
    after: answer.after,
    planned,
    failed: failed === null ? null : { read: reads[failed.index] as HeldRead, stage: failed.stage, error: failed.error },
    mustRead: through ? mustRead : [],
  }
}

/** As it is planned and stored: an answer about some parts only has what the model had added to the others before. */
function withKept(read: HeldRead, attached: Attached | null): HeldRead {
  return read.document.reread === null || read.model === undefined ? read : { ...read, model: withAddedBefore(read.model, attached) }
}

/**
 * A model had compared the document when it came, and that stays so where none answers in full what a change of what counts asks
 * (`depth`): nobody asked for another reading, and a node without a model leaves it as well.
 */
export function leavesComparison({ document: { reread }, model }: Pick<HeldRead, 'document' | 'model'>): boolean {
  return (reread?.depth ?? 0) > 0 && model !== undefined && comparedBy(model) === null
}

function toPacked(read: HeldRead, attached: Attached | null): PackedRead {
  const { packed, model } = read
  const { text, ...document } = read.document
  const reading = model?.reading ?? null
  const asked = reading !== null && model !== undefined
  const again = document.reread === null || attached === null ? null : { ...attached, asked }
  // The claims a model is shown are those its answer is merged with.
  const willAsk = document.reread?.model === true && model === undefined
  const kept = willAsk ? null : addedBefore(again)
  const whole = model === undefined || leavesComparison(read) ? {} : { byModel: comparedBy(model) !== null }
  return { document, packed, model: asked ? { ...reading, foundBy: model.foundBy } : kept, ...whole, again }
}

function withRead(document: WrittenDocument, read: HeldRead): PlannedWrite {
  Object.assign(read.timings, document.timings)
  return { ...document, read }
}

/** A document that comes in with a text of its own where another came before: what came with that one may come no more. */
function revisedBy({ documentId, revision, reread }: LeasedDocument): RevisionRef[] {
  return revision > 1 && reread === null ? [{ documentId, revision }] : []
}

/** Policy is still to be asked. */
function toEither(revision: RevisionRef): EndedRevision {
  return { ...revision, outcome: 'either' }
}

export function keyOf({ revision, documentId }: { revision: number; documentId: string }): string {
  return `${revision} ${documentId}`
}

/** The scope, what earlier revisions left, and the policies in force, in as few round trips as their dependence allows. */
async function readScope(tx: Transaction, { tenantId, scopeNo, reads: asked, hasModel = false }: PlanInput) {
  const [stored, policies] = await Promise.all([loadScope(tx, tenantId, scopeNo), effectivePolicy(tx, { tenantId, scopeNo })])
  if (stored === undefined) return undefined
  const earlier = asked.filter(({ document }) => document.revision > 1 || document.reread !== null).map(read => read.document.documentId)
  const [still, previous] = await Promise.all([
    keepProcessing(tx, stored, asked, hasModel),
    readPreviousRevisions(tx, stored, [...new Set(earlier)]),
  ])
  const { reads, mustRead } = splitUnreadable(still.reads, previous)
  const ranges = previous.flatMap(rangesOf)
  const previousClaims = await readLiveRowsByRanges(tx, stored, ranges)
  const wanted = new Set([...still.reads, ...still.stale].map(read => keyOf(read.document)))
  const attached = await attachedTo(tx, stored, reads[0], previous)
  const lenders = await readFacts(tx, stored, [
    ...new Set(reads.flatMap(({ model }) => (model?.reading == null ? [] : linkedDocuments(model.reading)))),
  ])
  const examined = await readExamined(tx, stored, reads, previous)
  const revised = reads.flatMap(({ document }) => revisedBy(document))
  const formerParts = await listFormerParts(tx, stored, revised.map(toEither))
  const overtaken = await listOvertaken(tx, stored, [...new Set(revised.map(each => each.documentId))])
  const around = { previous, previousClaims, attached, lenders, formerParts, overtaken, examined, policies }
  return { stored, reads, mustRead, stale: still.stale, wanted, ...around }
}

/** What of the documents nobody has examined or somebody signed for. Asked for where it makes a difference. */
async function readExamined(
  tx: Transaction,
  { kept, ...scope }: StoredScope,
  reads: readonly HeldRead[],
  previous: readonly PreviousRevision[],
): Promise<Pick<PlanTask, 'unsigned' | 'named'>> {
  const asksModel = effectiveSettings(kept.settings).finality.examination === 'model'
  const admitted = asksModel ? previous.map(each => each.documentId) : []
  const signed = kept.examination.signers === 0 ? [] : reads.map(({ document }) => document.documentId)
  return {
    unsigned: admitted.length === 0 ? [] : await readUnsigned(tx, scope, admitted),
    named: signed.length === 0 ? [] : (await listNamedUnread(tx, scope, signed)).map(each => each.documentId),
  }
}

/** A document that is read again is planned alone. */
async function attachedTo(
  tx: Transaction,
  stored: StoredScope,
  read: HeldRead | undefined,
  [before]: readonly PreviousRevision[],
): Promise<Attached | null> {
  if (read === undefined || read.document.reread === null || before === undefined) return null
  const { documentId, textHash } = read.document
  const parts: AttachedFindings[] = []
  for (const range of rangesOf(before)) parts.push(await readAttached(tx, stored, { documentId, textHash, ...range }))
  return joinAttached(parts, () => (read.packed === null ? [] : (JSON.parse(read.packed) as Extraction).claims))
}

/** Where its claims are: those of its reading, and those that findings of later documents made of its passages. */
function rangesOf({ firstClaimNo, claimCount, lent }: PreviousRevision): [ClaimRange, ...ClaimRange[]] {
  return [{ firstClaimNo, count: claimCount }, ...lent]
}

/** A document that was revised meanwhile lends nothing, and of one that was erased nothing is kept. */
function withLent(read: HeldRead, lenders: Readonly<Record<string, DocumentFacts>>): HeldRead {
  const { model } = read
  if (model?.reading == null) return read
  const { lent, links, acquitted, cleared } = model.reading
  const isThere = ({ document }: { document?: string | null }) => document == null || lenders[document] !== undefined
  const left = lent.filter(each => lenders[each.documentId]?.revision === each.revision)
  const keys = new Set(left.map(each => each.key))
  const stands = (each: { other: string | number; document?: string | null }) =>
    isThere(each) && !(typeof each.other === 'string' && each.other.startsWith('lent:') && !keys.has(each.other))
  const reading = {
    ...model.reading,
    lent: left,
    links: links.filter(stands),
    acquitted: acquitted.filter(stands),
    cleared: cleared.filter(stands),
  }
  return { ...read, model: { ...model, reading } }
}

/**
 * The claims that share words with the documents, with the whole slots they and the documents' own claims stand in, the
 * findings around them, the facts of their documents.
 */
async function readAround(
  tx: Transaction,
  stored: StoredScope,
  { slotKeys: touched, wanted }: Pick<PlaceAnswer, 'slotKeys' | 'wanted'>,
  previousClaims: readonly ClaimRow[],
  attached: AttachedFindings | null,
  linked: readonly string[],
): Promise<Pick<PlanTask, 'live' | 'terms' | 'superseded' | 'crowds' | 'findings' | 'possible' | 'facts'>> {
  const slotKeys = new Set(touched)
  for (const row of previousClaims) slotKeys.add(toClaim(row).slotKey)
  for (const slotKey of attached === null ? [] : slotsOf(attached)) slotKeys.add(slotKey)
  const anyClaims = (stored.kept.kept?.aggregates.claimsLive ?? 0) > 0
  const distinct = new Set(wanted.flatMap(terms => terms.map(([term]) => term)))
  const terms = anyClaims ? await readTerms(tx, stored, [...distinct]) : []
  const rowsOf = byTerm(terms)
  const picked = new Set(wanted.flatMap(each => [...pickRivals(each, term => rowsOf.get(term) ?? [])]))
  const [live, superseded] = await Promise.all([
    anyClaims ? readLiveRowsBySlots(tx, stored, slotKeys, picked) : [],
    readSupersededRows(tx, stored, picked),
  ])
  const seen = [...live, ...previousClaims]
  const [crowds, findings, possible, facts] = await Promise.all([
    readCrowds(tx, stored, crowdedSlots(live, slotKeys)),
    readFindingsAround(tx, stored, slotKeys, seen),
    readPossibleAround(tx, stored, seen),
    readFacts(tx, stored, [
      ...new Set([...[...seen, ...superseded].map(row => row.document_id), ...(attached === null ? [] : documentsOf(attached)), ...linked]),
    ]),
  ])
  return { live, terms, superseded, crowds, findings, possible, facts }
}

/**
 * A commit whose answer was lost may have finished some already; and a newer revision may have come in, or even through. Why a document is
 * read again is taken as it is kept now: what was erased since it was leased must not be written anew. One that a model is to be asked about
 * since (`askModelToo`) is left where it is, to be leased with a place at the model and cut into passages.
 */
async function keepProcessing(
  tx: Transaction,
  stored: StoredScope,
  reads: readonly HeldRead[],
  hasModel: boolean,
): Promise<{ reads: HeldRead[]; stale: HeldRead[] }> {
  if (reads.length === 0) return { reads: [], stale: [] }
  const documents = reads.map(read => read.document)
  const rereads = documents.flatMap(({ reread, seq }) => (reread === null ? [] : seq))
  const [processing, rereading] = await Promise.all([stillProcessing(tx, stored, documents), stillRereading(tx, stored, rereads)])
  const found = new Map(processing.map(each => [keyOf(each), each]))
  const again = new Map(rereading.map(each => [each.seq, each]))
  const still = reads.flatMap(read => {
    const { document } = read
    const now = document.reread === null ? found.get(keyOf(document)) : again.get(document.seq)
    if (now === undefined) return []
    const { current, stale } = now
    const reread = 'reread' in now && document.reread !== null ? { ...now.reread, model: document.reread.model } : null
    if (hasModel && reread?.model === false && 'reread' in now && now.reread.model) return []
    // One that policy held, as it was asked before, is concluded as a person said.
    const follows = 'follows' in now && now.follows && document.approval === null ? { follows: true as const } : {}
    return [{ read: { ...read, document: { ...document, current, reread, ...follows } }, stale }]
  })
  return {
    reads: still.flatMap(each => (each.stale ? [] : [each.read])),
    stale: still.flatMap(each => (each.stale ? [each.read] : [])),
  }
}

/**
 * Unchanged text is taken as such only when the revision before it was admitted, or comes before it in this batch. The
 * batch ends before the first that must be read after all.
 */
function splitUnreadable(reads: readonly HeldRead[], previous: readonly PreviousRevision[]): { reads: HeldRead[]; mustRead: HeldRead[] } {
  const admitted = new Map(previous.map(each => [each.documentId, each.revision]))
  const split: { reads: HeldRead[]; mustRead: HeldRead[] } = { reads: [], mustRead: [] }
  for (const read of reads) {
    const { documentId, revision } = read.document
    if (read.packed === null && admitted.get(documentId) !== revision - 1) {
      split.mustRead.push(read)
      return split
    }
    admitted.set(documentId, revision)
    split.reads.push(read)
  }
  return split
}

async function readFindingsAround(
  tx: Transaction,
  stored: StoredScope,
  slotKeys: ReadonlySet<string>,
  claims: readonly ClaimRow[],
): Promise<StoredFinding[]> {
  if ((stored.kept.kept?.aggregates.contradictionsTotal ?? 0) === 0) return []
  return readFindings(tx, stored, { slotKeys, claimNos: [...new Set(claims.map(claim => claim.claim_no))] })
}

async function readPossibleAround(tx: Transaction, stored: StoredScope, claims: readonly ClaimRow[]): Promise<PossibleStanding[]> {
  if ((stored.kept.kept?.aggregates.possibleOpen ?? 0) === 0) return []
  return readOpenPossible(tx, stored, [...new Set(claims.map(claim => claim.claim_no))])
}

/** Slots whose window is full. A slot that only shares its hash with one has no figures, and none are found. */
function crowdedSlots(live: readonly ClaimRow[], slotKeys: ReadonlySet<string>): string[] {
  const counts = new Map<number, number>()
  for (const claim of live) counts.set(claim.slot_hash, (counts.get(claim.slot_hash) ?? 0) + 1)
  const full = new Set([...counts].flatMap(([hash, count]) => (count >= windowClaims ? [hash] : [])))
  return full.size === 0 ? [] : [...slotKeys].filter(slotKey => full.has(slotHash(slotKey)))
}

function toEarlier({ documentId, revision, firstClaimNo, claimCount, content, extractor, extractorVersion, byModel }: PreviousRevision) {
  return {
    ...{ documentId, revision, firstClaimNo, claimCount, content, byModel },
    extractor: extractor ?? '',
    extractorVersion: extractorVersion ?? '',
  }
}
