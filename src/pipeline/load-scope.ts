/**
 * Reads what planning a batch needs, in as few statements as their dependence allows: the scope, what earlier revisions
 * left, the live claims of every slot the documents touch, the findings around them, the facts of their documents.
 */

import type { DocumentFacts, PlacedClaim, ScopeMemory } from '../analysis/types.js'
import { readCrowds, readLiveByRanges, readLiveBySlots, type StoredClaim, windowClaims } from '../store/claims.js'
import { type PreviousRevision, readFacts, readPreviousRevisions, stillProcessing } from '../store/claims-documents.js'
import { readFindings, type StoredFinding } from '../store/claims-findings.js'
import type { Transaction } from '../store/database.js'
import { loadScope, type StoredScope } from '../store/rounds.js'
import type { ReadDocument } from './batch-plan.js'
import { type EarlierRevision, WorkingScope } from './working-scope.js'

export interface PlacedDocument {
  read: ReadDocument
  claims: readonly PlacedClaim[]
  /** The scope's memory once this document is admitted. */
  memory: ScopeMemory
  facts: DocumentFacts | null
  firstClaimNo: number
}

/** Ends before a document whose claims cannot be placed. */
export interface Placing {
  placed: PlacedDocument[]
  failed: { read: ReadDocument; error: unknown } | null
}

export interface LoadInput {
  tenantId: string
  scopeNo: number
  reads: readonly ReadDocument[]
  place: (stored: StoredScope, reads: readonly ReadDocument[]) => Placing
}

export interface LoadedScope {
  stored: StoredScope
  placed: PlacedDocument[]
  failed: Placing['failed']
  working: WorkingScope
  mustRead: ReadDocument[]
  /** Revision and id of the documents that are still being processed. */
  wanted: ReadonlySet<string>
}

export async function loadWorkingScope(tx: Transaction, input: LoadInput): Promise<LoadedScope | undefined> {
  const { tenantId, scopeNo } = input
  const stored = await loadScope(tx, tenantId, scopeNo)
  if (stored === undefined) return undefined
  const wanted = await keepProcessing(tx, stored, input.reads)
  const revised = wanted.filter(read => read.document.revision > 1).map(read => read.document.documentId)
  const previous = await readPreviousRevisions(tx, stored, [...new Set(revised)])
  const { reads, mustRead } = splitUnreadable(wanted, previous)
  const ranges = previous.map(each => ({ firstClaimNo: each.firstClaimNo, count: each.claimCount }))
  const previousClaims = await readLiveByRanges(tx, stored, ranges)
  const { placed, failed } = input.place(stored, reads)
  const slotKeys = new Set(previousClaims.map(claim => claim.slotKey))
  for (const { claims } of placed) {
    for (const claim of claims) {
      slotKeys.add(claim.slotKey)
      for (const key of claim.lookupKeys) slotKeys.add(key)
    }
  }
  const anyClaims = (stored.kept.kept?.aggregates.claimsLive ?? 0) > 0
  const live = anyClaims ? await readLiveBySlots(tx, stored, slotKeys) : []
  const [crowds, findings, facts] = await Promise.all([
    readCrowds(tx, stored, crowdedSlots(live)),
    readFindingsAround(tx, stored, slotKeys, [...live, ...previousClaims]),
    readFacts(tx, stored, [...new Set([...live, ...previousClaims].map(claim => claim.documentId))]),
  ])
  const earlier = new Map(previous.map(each => [each.documentId, toEarlier(each, previousClaims)]))
  const names = new Set(wanted.map(read => `${read.document.revision} ${read.document.documentId}`))
  return { stored, placed, failed, working: new WorkingScope({ live, crowds, findings, earlier, facts }), mustRead, wanted: names }
}

/** A commit whose answer was lost may have finished some already; and a newer revision may have come in. */
async function keepProcessing(tx: Transaction, stored: StoredScope, reads: readonly ReadDocument[]): Promise<ReadDocument[]> {
  const processing = await stillProcessing(
    tx,
    stored,
    reads.map(read => read.document),
  )
  const current = new Map(processing.map(each => [`${each.revision} ${each.documentId}`, each.current]))
  return reads.flatMap(read => {
    const found = current.get(`${read.document.revision} ${read.document.documentId}`)
    return found === undefined ? [] : [{ ...read, document: { ...read.document, current: found } }]
  })
}

/**
 * Unchanged text is taken as such only when the revision before it was admitted, or comes before it in this batch. The
 * batch ends before the first that must be read after all.
 */
function splitUnreadable(
  reads: readonly ReadDocument[],
  previous: readonly PreviousRevision[],
): Pick<LoadedScope, 'mustRead'> & { reads: ReadDocument[] } {
  const admitted = new Map(previous.map(each => [each.documentId, each.revision]))
  const split: { reads: ReadDocument[]; mustRead: ReadDocument[] } = { reads: [], mustRead: [] }
  for (const read of reads) {
    const { documentId, revision } = read.document
    if (read.extraction === null && admitted.get(documentId) !== revision - 1) {
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
  claims: readonly StoredClaim[],
): Promise<StoredFinding[]> {
  if ((stored.kept.kept?.aggregates.contradictionsTotal ?? 0) === 0) return []
  return readFindings(tx, stored, { slotKeys, claimNos: [...new Set(claims.map(claim => claim.claimNo))] })
}

function crowdedSlots(live: readonly StoredClaim[]): string[] {
  const counts = new Map<string, number>()
  for (const claim of live) counts.set(claim.slotKey, (counts.get(claim.slotKey) ?? 0) + 1)
  return [...counts].filter(([, count]) => count >= windowClaims).map(([slotKey]) => slotKey)
}

function toEarlier(previous: PreviousRevision, claims: readonly StoredClaim[]): EarlierRevision {
  const { revision, firstClaimNo, claimCount, content } = previous
  return {
    revision,
    firstClaimNo,
    claimCount,
    content,
    claims: claims.filter(claim => claim.documentId === previous.documentId),
    extractor: previous.extractor ?? '',
    extractorVersion: previous.extractorVersion ?? '',
  }
}
