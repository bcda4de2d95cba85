/**
 * A world for tests of scopes: a database of its own, tenants, and documents that are read without the pipeline. What
 * reading leads to is handed in as values; rounds, decisions and rows come from the same code the pipeline uses.
 */

import { createHints } from '../../src/events/hints.js'
import { saltsFrom } from '../../src/kernel/decision-record.js'
import { derivedIds } from '../../src/kernel/derived-ids.js'
import { type DocumentContent, toSlotClaim } from '../../src/kernel/document-content.js'
import { restoreScope } from '../../src/kernel/restore.js'
import type { RoundResult } from '../../src/kernel/round-types.js'
import { runRound } from '../../src/kernel/scope-round.js'
import type { Severity } from '../../src/kernel/types.js'
import { describePossible, supersededPairs } from '../../src/pipeline/planning/standing-findings.js'
import { systemClock } from '../../src/platform/clock.js'
import { invariant } from '../../src/platform/errors.js'
import { newTenantId } from '../../src/platform/ids.js'
import type { Evidence, PlacedClaim, Reconciliation } from '../../src/reading/types.js'
import { generateSigningKey } from '../../src/scopes/certificates/certificates.js'
import { createCertify } from '../../src/scopes/certificates/certify.js'
import type { ScopeName, ScopesDeps } from '../../src/scopes/deps.js'
import { attachDocument } from '../../src/scopes/documents/attach.js'
import { triggerIngest } from '../../src/scopes/documents/trigger.js'
import { createScope } from '../../src/scopes/lifecycle.js'
import { governingSet } from '../../src/scopes/policy-sets.js'
import { claimBody } from '../../src/store/claims/claim-body.js'
import { endClaims } from '../../src/store/claims/claim-ends.js'
import { insertClaims, readLiveBySlots } from '../../src/store/claims/claims.js'
import { replaceContent } from '../../src/store/claims/claims-documents.js'
import { readStandings } from '../../src/store/claims/slot-standings.js'
import { lockScopes } from '../../src/store/events/events.js'
import { insertFindings, insertPossible, insertSupersessions, movePossible } from '../../src/store/findings/finding-rows.js'
import { readOpenPossible } from '../../src/store/findings/possible-conflicts.js'
import { loadScope, type StoredScope, saveRounds } from '../../src/store/scopes/rounds.js'
import { findScope } from '../../src/store/scopes/scopes.js'
import type { TenantTransaction } from '../../src/store/server/database.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'

export interface World extends TestDatabase {
  deps: ScopesDeps
  /** How often each topic was hinted at. */
  hinted: Map<string, number>
  newTenant(): Promise<string>
  newScope(tenantId: string, scopeId: string, mode?: 'auto' | 'review' | 'strict'): Promise<{ tenantId: string; scopeId: string }>
}

export async function openWorld(): Promise<World> {
  const database = await cloneDatabase({ examination: 'none' })
  const hints = createHints({ logger: database.logger })
  const hinted = new Map<string, number>()
  for (const topic of ['events', 'backlog', 'policies'] as const) {
    hints.subscribe(topic, () => hinted.set(topic, (hinted.get(topic) ?? 0) + 1))
  }
  const key = await generateSigningKey()
  const deps: ScopesDeps = {
    db: database.db,
    hints,
    clock: systemClock,
    config: { scopeAutocreate: true },
    logger: database.logger,
    certify: createCertify({ issuer: 'concord', signingKey: () => key }),
  }
  return {
    ...database,
    deps,
    hinted,
    async newTenant() {
      const tenantId = newTenantId()
      await database.owner.query('insert into tenants (tenant_id, name) values ($1, $2)', [tenantId, 'Test'])
      return tenantId
    },
    async newScope(tenantId, scopeId, mode = 'auto') {
      await createScope(deps, tenantId, { scope_id: scopeId, mode })
      return { tenantId, scopeId }
    },
  }
}

export interface ClaimSpec {
  slot: string
  value: string
  quote?: string
  confidence?: number
  from?: string
  to?: string
}

export interface DocumentSpec {
  documentId: string
  claims?: ClaimSpec[]
  /** Sides are ids of earlier claims, or places in `claims`. */
  contradictions?: { a: string | number; b: string | number; severity?: Severity; supportersA?: (string | number)[] }[]
  /** Earlier claims that claims of this document end. */
  supersedes?: { claimId: string; by: number | null }[]
  /** Sides as of contradictions. */
  unsure?: {
    a: string | number
    b: string | number
    score?: number
    evidence?: Evidence
    cleared?: { by: string; reason: string }
    proposes?: 'replacement'
  }[]
  goals?: { what: string; done: boolean }[]
  risks?: { what: string; level: Severity }[]
}

export interface ReadDocument {
  result: RoundResult
  claimIds: string[]
  contradictionIds: string[]
  possibleIds: string[]
  supersessionIds: string[]
}

/** Attaches, queues and reads a document, all the way through its round. */
export async function readDocument(world: World, name: ScopeName, spec: DocumentSpec): Promise<ReadDocument> {
  await attachDocument(world.deps, name, { name: spec.documentId, text: textOf(spec), document_id: spec.documentId })
  await triggerIngest(world.deps, name, [spec.documentId])
  return world.db.inTenant(name.tenantId, async tx => {
    const ref = await findScope(tx, name.scopeId)
    invariant(ref !== null, 'no such scope')
    await lockScopes(tx, [ref.scopeNo])
    const stored = await loadScope(tx, name.tenantId, ref.scopeNo)
    invariant(stored !== undefined, 'no such scope')
    const content = await contentOf(tx, stored, spec)
    const document = { documentId: spec.documentId, revision: 1 }
    const workload = { ...stored.counts, queued: stored.counts.queued - 1, held: stored.counts.held + stored.pending }
    const unexamined = { admitted: true, refused: false }
    const input = { kind: 'document' as const, document: { ...document, ...described(spec), unexamined }, content }
    const result = runRound(restoreScope(stored.kept), input, {
      policySet: await governingSet(tx, stored),
      workload,
      saltOf: saltsFrom('test'),
    })
    if (result.applied) await writeContent(tx, stored, spec, content, result.round)
    await finishDocument(tx, stored, spec, result)
    const after = result.applied ? movedOn(stored, content) : stored
    await movePossible(tx, after, [result])
    const certificate = result.finality.to === 'resolved' ? await world.deps.certify(tx, after, [result]) : undefined
    await saveRounds(tx, after, [{ result, document, detail: {}, ...(certificate ? { certificate } : {}) }])
    return {
      result,
      claimIds: content.claims.map(claim => claim.claimId),
      contradictionIds: [...content.contradictionIds],
      possibleIds: [...content.possibleIds],
      supersessionIds: content.supersessions.map(each => each.supersessionId),
    }
  })
}

function described(spec: DocumentSpec) {
  return { name: spec.documentId, type: 'txt', source: null, issuer: null, textHash: 'a'.repeat(64), extractor: 'by-hand' }
}

function movedOn(stored: StoredScope, content: DocumentContent): StoredScope {
  return {
    ...stored,
    claimsDigest: content.claimsDigest,
    nextClaimNo: stored.nextClaimNo + content.claims.length,
    nextContradictionNo: stored.nextContradictionNo + content.contradictionIds.length,
    nextPossibleNo: stored.nextPossibleNo + content.possibleIds.length,
    nextSupersessionNo: stored.nextSupersessionNo + content.supersessions.length,
  }
}

async function contentOf(tx: TenantTransaction, stored: StoredScope, spec: DocumentSpec): Promise<DocumentContent> {
  const ids = derivedIds('claim', stored)
  const claims = (spec.claims ?? []).map((claim, index) => place(claim, spec, ids.idOf(stored.nextClaimNo + index)))
  const live = await readLiveBySlots(tx, stored, new Set(claims.map(claim => claim.slotKey)))
  const reconciliation = reconciliationOf(spec, claims)
  const contradictionIds = derivedIds('contradiction', stored)
  const possibleIds = derivedIds('possible_conflict', stored)
  const supersessionIds = derivedIds('supersession', stored)
  const numbers = live.map(claim => claim.claimNo)
  return {
    claims,
    reconciliation,
    contradictionIds: reconciliation.contradictions.map((_, index) => contradictionIds.idOf(stored.nextContradictionNo + index)),
    possibleIds: reconciliation.unsure.map((_, index) => possibleIds.idOf(stored.nextPossibleNo + index)),
    supersessions: supersededPairs(reconciliation.supersessions).map(({ claimId, byClaimId }, index) => ({
      supersessionId: supersessionIds.idOf(stored.nextSupersessionNo + index),
      claimId,
      byClaimId,
    })),
    goals: (spec.goals ?? []).map(goal => ({ start: 0, end: 1, quote: 'x', owner: null, due: null, ...goal })),
    risks: (spec.risks ?? []).map(risk => ({ start: 0, end: 1, quote: 'x', ...risk })),
    claimsDigest: 'b'.repeat(64),
    slots: await readStandings(tx, stored, claims.map(toSlotClaim)),
    endable: new Map(live.map(claim => [claim.claimId, toSlotClaim(claim)])),
    findings: [],
    possible: await readOpenPossible(tx, stored, numbers),
    previous: null,
  }
}

function reconciliationOf(spec: DocumentSpec, claims: readonly PlacedClaim[]): Reconciliation {
  const refer = (side: string | number) => (typeof side === 'string' ? side : (claims[side]?.claimId ?? ''))
  return {
    supersessions: (spec.supersedes ?? []).map(({ claimId, by }) => ({
      claimId,
      byClaimId: by === null ? null : refer(by),
      reason: 'A later document of the same issuer says otherwise.',
    })),
    contradictions: (spec.contradictions ?? []).map(({ a, b, severity = 'high', supportersA = [] }) => ({
      slotKey: claims[0]?.slotKey ?? '',
      kind: 'numeric' as const,
      severity,
      subject: 'Aurelia',
      attribute: 'revenue',
      a: refer(a),
      b: refer(b),
      supportersA: supportersA.map(refer),
      supportersB: [],
      groupA: `a ${refer(a)}`,
      groupB: `b ${refer(b)}`,
      reason: 'Same subject, attribute and period; the values differ.',
    })),
    supporters: [],
    unsure: (spec.unsure ?? []).map(({ a, b, ...rest }) => ({
      a: refer(a),
      b: refer(b),
      kind: 'numeric',
      reason: 'The same thing, perhaps.',
      ...rest,
    })),
    relations: claims.map(({ claimId }) => ({ claimId, relation: 'new' as const })),
  }
}

async function writeContent(
  tx: TenantTransaction,
  stored: StoredScope,
  spec: DocumentSpec,
  content: DocumentContent,
  round: number,
): Promise<void> {
  const { claims, reconciliation, contradictionIds, goals, risks } = content
  const numberOf = (claimId: string) => derivedIds('claim', stored).numberOf(claimId) ?? -1
  const writes = claims.map(claim => ({ claimNo: numberOf(claim.claimId), claim, body: claimBody(claim), round, ended: null }))
  await insertClaims(tx, stored, writes)
  const ends = reconciliation.supersessions.map(each => ({ ...each, claimNo: numberOf(each.claimId), round }))
  await endClaims(tx, stored, ends)
  const findings = reconciliation.contradictions.map((found, index) => ({
    contradictionNo: stored.nextContradictionNo + index,
    contradictionId: contradictionIds[index] ?? '',
    found,
    round,
  }))
  const sides = findings.flatMap(({ contradictionNo, found }) => [
    { contradictionNo, side: 'a' as const, claimNo: numberOf(found.a), lead: true },
    { contradictionNo, side: 'b' as const, claimNo: numberOf(found.b), lead: true },
    ...found.supportersA.map(id => ({ contradictionNo, side: 'a' as const, claimNo: numberOf(id), lead: false })),
  ])
  await insertFindings(tx, stored, findings, sides)
  await insertPossible(
    tx,
    stored,
    reconciliation.unsure.map((pair, index) => ({
      possibleNo: stored.nextPossibleNo + index,
      possibleConflictId: content.possibleIds[index] ?? '',
      ...describePossible(pair),
      claimA: numberOf(pair.a),
      claimB: numberOf(pair.b),
      slotKey: null,
      groupA: null,
      groupB: null,
      reason: pair.reason,
      evidence: pair.evidence ?? null,
      ...(pair.proposes !== undefined && { proposes: pair.proposes }),
      ...(pair.cleared !== undefined && { cleared: pair.cleared }),
      round,
    })),
  )
  await insertSupersessions(
    tx,
    stored,
    content.supersessions.map(({ supersessionId, claimId, byClaimId }, index) => ({
      supersessionNo: stored.nextSupersessionNo + index,
      supersessionId,
      kind: 'later_issue',
      claimNo: numberOf(claimId),
      byClaimNo: numberOf(byClaimId),
      reason: reconciliation.supersessions[0]?.reason ?? '',
      evidence: null,
      round,
    })),
  )
  await replaceContent(tx, stored, [{ documentId: spec.documentId, revision: 1, goals, risks, round, again: false, live: true }])
}

async function finishDocument(tx: TenantTransaction, stored: StoredScope, spec: DocumentSpec, result: RoundResult): Promise<void> {
  const status = { admit: 'indexed', hold: 'held', reject: 'rejected' }[result.outcome]
  const place = [stored.tenantId, stored.scopeNo]
  await tx.query({
    text: `update documents set status = $5, round = $6, first_claim_no = $7, claim_count = $8, started_at = queued_at,
        finished_at = clock_timestamp(), timings = '{"extract": 3}', extractor = 'by-hand', extractor_version = '1'
      where tenant_id = $1 and scope_no = $2 and generation = $3 and document_id = $4 and current`,
    values: [
      ...place,
      stored.generation,
      spec.documentId,
      status,
      result.round,
      result.applied ? stored.nextClaimNo : null,
      result.applied ? (spec.claims ?? []).length : 0,
    ],
  })
  await tx.query({
    text: 'delete from backlog where tenant_id = $1 and scope_no = $2 and document_id = $3',
    values: [...place, spec.documentId],
  })
  await tx.query({
    text: `update scope_heads set queued = queued - 1, ${status} = ${status} + 1, has_backlog = false where tenant_id = $1 and scope_no = $2`,
    values: place,
  })
}

function textOf(spec: DocumentSpec): string {
  return [spec.documentId, ...(spec.claims ?? []).map(claim => claim.quote ?? claim.value)].join('\n')
}

function place(claim: ClaimSpec, spec: DocumentSpec, claimId: string): PlacedClaim {
  const text = [...textOf(spec)]
  const quote = claim.quote ?? claim.value
  const start = [...textOf(spec).slice(0, textOf(spec).indexOf(quote))].length
  const period =
    claim.from === undefined ? null : { label: 'FY2025', from: claim.from, to: claim.to ?? '2026-01-01', grain: 'year' as const }
  return {
    claimId,
    documentId: spec.documentId,
    revision: 1,
    slotKey: claim.slot,
    lookupKeys: [],
    start,
    end: start + [...quote].length,
    quote: text.slice(start, start + [...quote].length).join(''),
    subject: 'Aurelia',
    subjectKey: 'aurelia',
    attribute: claim.slot,
    attributeKey: claim.slot,
    role: 'actual',
    unit: 'EUR',
    period,
    polarity: 'affirmed',
    value: { type: 'money', currency: 'EUR', low: 1, high: 1, precision: 1, approximate: false },
    valueText: claim.value,
    confidence: claim.confidence ?? 0.9,
  }
}

/** The event log of a scope, oldest first. */
export async function eventsOf(
  world: World,
  name: { tenantId: string; scopeId: string },
): Promise<{ seq: number; type: string; data: Record<string, unknown> }[]> {
  const { rows } = await world.owner.query(
    `select e.seq::int as seq, e.type, e.data from events e join scopes s on s.tenant_id = e.tenant_id and s.scope_no = e.scope_no
     where s.tenant_id = $1 and s.scope_id = $2 order by e.seq`,
    [name.tenantId, name.scopeId],
  )
  return rows
}

/** What kept figures must agree with: the rows themselves, counted. */
export async function countedFigures(world: World, name: { tenantId: string; scopeId: string }) {
  const { rows } = await world.owner.query(
    `select
       (select count(*)::int from claims c where c.tenant_id = s.tenant_id and c.scope_no = s.scope_no and c.generation = s.generation
         and c.superseded_at is null) as live,
       (select count(*)::int from contradictions x where x.tenant_id = s.tenant_id and x.scope_no = s.scope_no and x.generation = s.generation
         and x.status = 'open') as open,
       (select count(*)::int from possible_conflicts p where p.tenant_id = s.tenant_id and p.scope_no = s.scope_no and p.generation = s.generation
         and p.status = 'open') as possible,
       (t.aggregates->>'possibleOpen')::int as kept_possible,
       (t.aggregates->>'claimsLive')::int as kept_live,
       (t.aggregates->>'slotsLive')::int as kept_slots,
       (select count(distinct c.body->>'slotKey')::int from claims c where c.tenant_id = s.tenant_id and c.scope_no = s.scope_no
         and c.generation = s.generation and c.superseded_at is null) as slots,
       (t.aggregates#>>'{contradictionsOpen,low}')::int + (t.aggregates#>>'{contradictionsOpen,medium}')::int
         + (t.aggregates#>>'{contradictionsOpen,high}')::int + (t.aggregates#>>'{contradictionsOpen,critical}')::int as kept_open
     from scopes s join scope_states t on t.tenant_id = s.tenant_id and t.scope_no = s.scope_no and t.generation = s.generation
     where s.tenant_id = $1 and s.scope_id = $2`,
    [name.tenantId, name.scopeId],
  )
  return rows[0] as {
    live: number
    open: number
    possible: number
    slots: number
    kept_live: number
    kept_open: number
    kept_possible: number
    kept_slots: number
  }
}
