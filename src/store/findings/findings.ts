/**
 * Claims, contradictions and decisions as readers see them. Lists go by number, so a page costs the same at the
 * beginning of a scope and at its end.
 */

import type { Actor } from '../../kernel/proposals.js'
import type { Evidence } from '../../reading/types.js'
import { claimPlaceSql } from '../claims/claim-place.js'
import { claimRangesSql } from '../documents/documents.js'
import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import { bindings } from '../server/columns.js'
import type { TenantTransaction, Transaction } from '../server/database.js'
import { assignedTo, type StandingAssignment, togetherColumns } from './assignments.js'
import { findingsThen, numbersOf, sidesThen, storedAs } from './finding-history.js'

export interface ClaimViewRow {
  claim_no: number
  claim_id: string
  document_id: string
  revision: number
  quote: string | null
  start_at: number
  end_at: number
  subject: string
  attribute: string
  confidence: number
  valid_from: string | null
  valid_to: string | null
  recorded_at: string
  superseded_at: string | null
  superseded_by: string | null
  superseded_reason: string | null
  body: Record<string, unknown>
  /** Where the quote stands in the file the document came as. */
  place: { kind: 'page' | 'cell' | 'paragraph'; from: string; to: string } | null
}

export const claimColumns = `
  c.claim_no, c.claim_id, c.document_id, c.revision, c.quote, c.start_at, c.end_at, c.subject, c.attribute, c.confidence,
  c.valid_from, c.valid_to, c.recorded_at, c.superseded_at, c.superseded_by, c.superseded_reason, c.body,
  ${claimPlaceSql} as place`

export interface ClaimFilter {
  state: 'live' | 'superseded' | 'all'
  documentId: string | null
  subject: string | null
  attribute: string | null
  /** Valid time: an ISO date. */
  asOf: string | null
  /** What was known at this instant. */
  knownAt: string | null
  /** Of these alone. */
  claimNos?: readonly number[]
  after: number
  limit: number
}

/**
 * With `knownAt`, a claim that was superseded later is live, and one that was retired then and revived since is
 * superseded. Instants are compared as they are shown, in whole milliseconds.
 */
export async function listClaimRows(tx: TenantTransaction, scope: ScopePlace, filter: ClaimFilter): Promise<ClaimViewRow[]> {
  return selectClaims<ClaimViewRow>(tx, scope, filter, known => (known === null ? claimColumns : columnsKnown(known)))
}

/** What a claim is ranked by; a long quote by its beginning. */
export interface ClaimText {
  claimNo: number
  text: string
}

export async function listClaimTexts(tx: TenantTransaction, scope: ScopePlace, filter: ClaimFilter): Promise<ClaimText[]> {
  return selectClaims<ClaimText>(
    tx,
    scope,
    filter,
    () => `c.claim_no as "claimNo", concat_ws(' ', left(c.quote, 800), c.subject, c.attribute) as text`,
  )
}

async function selectClaims<T>(
  tx: TenantTransaction,
  scope: ScopePlace,
  filter: ClaimFilter,
  columns: (known: string | null) => string,
): Promise<T[]> {
  const { values, bind } = bindings(...placeOf(scope), filter.after)
  const conditions = [`${inPlace('c')} and c.claim_no > $4`]
  if (filter.claimNos !== undefined) conditions.push(`c.claim_no = any (${bind(filter.claimNos)}::bigint[])`)
  if (filter.documentId !== null) conditions.push(ofDocument(bind(filter.documentId)))
  const tables =
    filter.documentId === null ? 'claims c' : `documents d cross join ${claimRangesSql} as of_reading (numbers) cross join claims c`
  if (filter.subject !== null) {
    const subject = bind(filter.subject)
    // The hash leads to them by an index; the comparison behind it cannot, because lower() is not leakproof.
    conditions.push(`c.subject_hash = concord_subject_hash(${subject}) and lower(c.subject) = lower(${subject})`)
  }
  if (filter.attribute !== null) conditions.push(`lower(c.attribute) = lower(${bind(filter.attribute)})`)
  if (filter.asOf !== null) {
    const day = `${bind(filter.asOf)}::date`
    conditions.push(`(c.valid_from is null or c.valid_from <= ${day}) and (c.valid_to is null or ${day} < c.valid_to)`)
  }
  const known = filter.knownAt === null ? null : `${bind(filter.knownAt)}::timestamptz`
  if (known !== null) conditions.push(`date_trunc('milliseconds', c.recorded_at) <= ${known}`)
  if (filter.state !== 'all') conditions.push(`${filter.state === 'live' ? 'not ' : ''}(${isSuperseded(known)})`)
  const { rows } = await tx.query<T>({
    text: `select ${columns(known)} from ${tables} ${known === null ? '' : retiredThen(known)}
      where ${conditions.join(' and ')} order by c.claim_no limit ${bind(filter.limit)}`,
    values,
  })
  return rows
}

function ofDocument(documentId: string): string {
  return `${inPlace('d')} and d.document_id = ${documentId} and not d.unchanged
    and c.document_id = d.document_id and c.claim_no >= lower(of_reading.numbers) and c.claim_no < upper(of_reading.numbers)`
}

function isSuperseded(known: string | null): string {
  return known === null
    ? 'c.superseded_at is not null'
    : `coalesce(date_trunc('milliseconds', c.superseded_at) <= ${known}, false) or r.superseded_at is not null`
}

function retiredThen(known: string): string {
  return `left join lateral (
    select superseded_at, superseded_by, superseded_reason from claim_retirements r
    where r.tenant_id = c.tenant_id and r.scope_no = c.scope_no and r.generation = c.generation and r.claim_no = c.claim_no
      and date_trunc('milliseconds', r.superseded_at) <= ${known} and date_trunc('milliseconds', r.revived_at) > ${known}
    limit 1) r on true`
}

/** The columns as they read then. */
function columnsKnown(known: string): string {
  return claimColumns.replaceAll(/c\.(superseded_\w+)/g, (_whole, column: string) => `${readThen(column, known)} as ${column}`)
}

function readThen(column: string, known: string): string {
  return `case when date_trunc('milliseconds', c.superseded_at) <= ${known} then c.${column} else r.${column} end`
}

/** Columns of claims `c`, what to join for them, and when they ended, as they read at the instant `known`. */
export function claimsThen(known: string | null): { columns: string; retired: string; ended: string } {
  if (known === null) return { columns: claimColumns, retired: '', ended: 'c.superseded_at' }
  return { columns: columnsKnown(known), retired: retiredThen(known), ended: readThen('superseded_at', known) }
}

/** By number; those that are not there are left out. */
export async function readClaimRows(
  tx: TenantTransaction,
  scope: ScopePlace,
  claimNos: readonly number[],
  knownAt: string | null = null,
): Promise<Map<number, ClaimViewRow>> {
  if (claimNos.length === 0) return new Map()
  const { values, bind } = bindings(...placeOf(scope), [...new Set(claimNos)])
  const { columns, retired } = claimsThen(knownAt === null ? null : `${bind(knownAt)}::timestamptz`)
  const rows = await tx.rows<ClaimViewRow>(
    `select ${columns} from claims c ${retired} where ${inPlace('c')} and c.claim_no = any ($4::bigint[])`,
    values,
  )
  return new Map(rows.map(row => [row.claim_no, row]))
}

/** What contradictions, possible conflicts and supersessions share. */
export interface FoundRow {
  scope_no: number
  generation: number
  reason: string
  evidence: Evidence | null
  /** The model, or the person who said so; null for the rules and for reports without a name. */
  found_by: string | null
  detected_at: string
  detected_round: number
}

export interface ContradictionRow extends FoundRow {
  contradiction_no: number
  contradiction_id: string
  status: 'open' | 'resolved' | 'dismissed'
  kind: 'numeric' | 'categorical' | 'negation' | 'date' | 'reported'
  severity: 'low' | 'medium' | 'high' | 'critical'
  subject: string | null
  attribute: string | null
  confidence: number | null
  reported: { claim_a: string; claim_b: string; source_a: string; source_b: string; round?: number } | null
  /** The service closed it, because a side had no claim left that counts. */
  closed_itself: boolean
  resolution: Record<string, unknown> | null
  resolved_at: string | null
  assignment: StandingAssignment | null
  comments: number
}

const contradictionColumns = (known: string | null = null) => `
  x.contradiction_no, x.contradiction_id, x.scope_no, x.generation, x.status, x.kind, x.severity, x.subject, x.attribute, x.reason, x.evidence,
  x.found_by, x.confidence, x.reported,
  x.detected_at, x.detected_round, x.closed_itself, x.resolution, x.resolved_at, ${togetherColumns(known)}`

export interface ContradictionFilter {
  /** As it was known at this instant; null for now. */
  knownAt?: string | null
  /** Of the contradiction, or of a claim on a side: the two sides may call it differently. */
  subject?: string | null
  /** `decided` are both those that are resolved and those that are dismissed. */
  status: 'open' | 'resolved' | 'dismissed' | 'decided' | 'all'
  severity: ContradictionRow['severity'] | null
  /** Only those in which a claim of this document stands on a side. */
  documentId: string | null
  foundBy: 'rules' | 'model' | 'person' | null
  /** Only those that this person is to look at. */
  assignedTo?: string | null
  ids?: readonly string[] | null
  after: number
  limit: number
}

/** Who found it is kept for models, and for people who named themselves. */
const foundByConditions = {
  rules: 'and x.found_by is null and x.reported is null',
  model: "and x.found_by is not null and x.kind <> 'reported'",
  person: "and x.kind = 'reported'",
}

export async function listContradictionRows(
  tx: TenantTransaction,
  scope: ScopePlace,
  filter: ContradictionFilter,
): Promise<ContradictionRow[]> {
  // Literals, because the planner matches the partial index of open ones by its constant only.
  const status = {
    open: "and x.status = 'open'",
    resolved: "and x.status = 'resolved'",
    dismissed: "and x.status = 'dismissed'",
    decided: "and x.status <> 'open'",
    all: '',
  }
  const { values, bind } = bindings(...placeOf(scope), filter.after, filter.limit)
  const known = filter.knownAt == null ? null : `${bind(filter.knownAt)}::timestamptz`
  const from = storedAs('x', known)
  const subject = filter.subject == null ? '' : `and ${isAbout(bind(filter.subject), known)}`
  const severity = filter.severity === null ? '' : `and x.severity = ${bind(filter.severity)}`
  const foundBy = filter.foundBy === null ? '' : foundByConditions[filter.foundBy]
  // Found before they are looked up: as a condition of a join, every contradiction of the scope was read for those of one document.
  const document = filter.documentId === null ? '' : `and ${from}.contradiction_no = any (array(${sidesOf(bind(filter.documentId))}))`
  const assigned = filter.assignedTo == null ? '' : `and ${assignedTo(bind(filter.assignedTo), known)}`
  const named = filter.ids == null ? '' : `and ${from}.contradiction_no = any (${numbersOf('contradictions', bind(filter.ids))})`
  const { rows } = await tx.query<ContradictionRow>({
    text: `
      select ${contradictionColumns(known)} from ${findingsThen('contradictions', 'x', known)}
      where ${inPlace(from)} and ${from}.contradiction_no > $4 ${status[filter.status]} ${subject} ${severity} ${foundBy} ${document} ${assigned} ${named}
      order by ${from}.contradiction_no limit $5`,
    values,
    prepared: known === null && subject + severity + foundBy + document + assigned + named === '',
  })
  return rows
}

function isAbout(subject: string, known: string | null): string {
  return `(lower(x.subject) = lower(${subject}) or exists (
    select from ${sidesThen(known, 'x.contradiction_no')} join claims c using (tenant_id, scope_no, generation, claim_no)
    where ${ofPlace} and contradiction_no = x.contradiction_no and lower(c.subject) = lower(${subject})))`
}

/** The contradictions in which a claim of the document stands, found by the numbers of its claims. */
function sidesOf(documentId: string): string {
  return `
    select m.contradiction_no from documents d cross join ${claimRangesSql} as of_reading (numbers)
    join contradiction_sides m on ${inPlace('m')}
      and m.claim_no >= lower(of_reading.numbers) and m.claim_no < upper(of_reading.numbers)
    where ${inPlace('d')} and d.document_id = ${documentId} and not d.unchanged`
}

/** Open ones first, the most severe at the top; then the newest of the others. */
export async function listTopContradictions(tx: TenantTransaction, scope: ScopePlace, limit: number): Promise<ContradictionRow[]> {
  return tx.rows<ContradictionRow>(
    `(select ${contradictionColumns()} from contradictions x
       where ${inPlace('x')} and x.status = 'open'
       order by array_position(array['critical', 'high', 'medium', 'low'], x.severity), x.contradiction_no desc limit $4)
     union all
     (select ${contradictionColumns()} from contradictions x
       where ${inPlace('x')} and x.status <> 'open'
       order by x.contradiction_no desc limit $4)
     limit $4`,
    [...placeOf(scope), limit],
  )
}

/** Joins the scope of a row while it is of the scope's present generation. */
export const presentScope = (row: string) =>
  `join scopes s on s.tenant_id = ${row}.tenant_id and s.scope_no = ${row}.scope_no and s.generation = ${row}.generation`

export async function findContradiction(tx: TenantTransaction, contradictionId: string): Promise<ContradictionRow | null> {
  return tx.row<ContradictionRow>(
    `select ${contradictionColumns()} from contradictions x ${presentScope('x')} where x.tenant_id = $1 and x.contradiction_id = $2`,
    [tx.tenantId, contradictionId],
  )
}

export interface DecisionRow {
  scope_no: number
  generation: number
  seq: number
  decision_id: string
  round: number
  kind: string
  /** Who proposed what was decided. */
  actor: Actor
  document_id: string | null
  revision: number | null
  outcome: 'admit' | 'hold' | 'reject'
  policy_hash: string
  policies: string[]
  reasons: string[]
  reasons_digest: string
  salt: string | null
  obligations: string[]
  proposal_digest: string
  state_digest: string
  prev_hash: string
  hash: string
  review: 'pending' | 'approved' | 'rejected' | 'obsolete' | null
  recorded_at: string
  erased_at: string | null
  verdict: string | null
  finding_id: string | null
  reason: string | null
}

const decisionColumns = `
  d.scope_no, d.generation, d.seq, d.decision_id, d.round, d.kind, d.proposal->'actor' as actor, d.document_id, d.revision, d.outcome, d.policy_hash, d.policies, d.reasons,
  d.reasons_digest, d.salt, d.erased_at, d.obligations, d.proposal_digest, d.state_digest, d.prev_hash, d.hash, d.review, d.recorded_at,
  d.proposal->>'verdict' as verdict, d.proposal->>'contradictionId' as finding_id, d.proposal->>'reason' as reason`

/** Kinds of decisions `d` that somebody can have asked for, as the index of them says it: each document has one of another kind. */
export const maybePersonsSql = "d.kind in ('resolution', 'review', 'settings')"

/** In the order of the chain, or against it. */
export async function listDecisionRows(
  tx: TenantTransaction,
  scope: ScopePlace,
  page: { pending: boolean; byPeople: boolean; newestFirst: boolean; after: number | undefined; limit: number },
): Promise<DecisionRow[]> {
  const [further, direction, before] = page.newestFirst ? ['<', 'desc', Number.MAX_SAFE_INTEGER] : ['>', 'asc', -1]
  return tx.rows<DecisionRow>(
    `select ${decisionColumns} from decisions d
     where ${inPlace('d')} and d.seq ${further} $4 ${page.pending ? "and d.review = 'pending'" : ''}
       ${page.byPeople ? `and ${maybePersonsSql} and d.proposal->'actor'->>'kind' = 'person'` : ''}
     order by d.seq ${direction} limit $5`,
    [...placeOf(scope), page.after ?? before, page.limit],
  )
}

/** Newest first. */
export async function listLastDecisions(tx: Transaction, scope: ScopePlace, limit: number): Promise<DecisionRow[]> {
  return tx.rows<DecisionRow>(
    `select ${decisionColumns} from decisions d
     where ${inPlace('d')} order by d.seq desc limit $4`,
    [...placeOf(scope), limit],
  )
}

export async function findDecision(tx: TenantTransaction, decisionId: string): Promise<DecisionRow | null> {
  return tx.row<DecisionRow>(
    `select ${decisionColumns} from decisions d ${presentScope('d')} where d.tenant_id = $1 and d.decision_id = $2`,
    [tx.tenantId, decisionId],
  )
}
