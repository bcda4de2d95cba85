/**
 * Documents on their way through processing: what an earlier revision left, goals and risks, and the states a commit
 * moves them to. Counts in heads are of current revisions; a revision that was replaced meanwhile is finished all the
 * same, but no longer counted.
 */

import type { ContentCounts } from '../../kernel/effect.js'
import { storableJson } from '../../platform/storable-text.js'
import type { DocumentFacts, Goal, Risk } from '../../reading/types.js'
import { aboutSql } from '../documents/about.js'
import type { RevisionRef } from '../documents/documents.js'
import { retiredSql } from '../documents/files.js'
import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'
import type { ClaimRange } from './claims.js'

export const goalCountsSql = 'count(*) as goals, count(*) filter (where done) as done'
export const riskCountsSql = `count(*) filter (where level = 'low') as low, count(*) filter (where level = 'medium') as medium,
  count(*) filter (where level = 'high') as high, count(*) filter (where level = 'critical') as critical`
/** `ContentCounts` of the counts of goals `g` and risks `r`. */
export const contentSql = `json_build_object('goals', g.goals, 'goalsDone', g.done,
  'risks', json_build_object('low', r.low, 'medium', r.medium, 'high', r.high, 'critical', r.critical))`

export interface PreviousRevision {
  documentId: string
  /** The newest admitted revision. */
  revision: number
  firstClaimNo: number
  claimCount: number
  /** Claims that findings of later documents made of its passages. */
  lent: ClaimRange[]
  content: ContentCounts
  extractor: string | null
  extractorVersion: string | null
  /** A model compared it in full. */
  byModel: boolean
}

/** The newest admitted revision of each document that has one. Erased ones left nothing live. */
export async function readPreviousRevisions(
  tx: Transaction,
  place: ScopePlace,
  documentIds: readonly string[],
): Promise<PreviousRevision[]> {
  if (documentIds.length === 0) return []
  return tx.rows<PreviousRevision>(
    `select p.document_id as "documentId", p.revision, coalesce(p.first_claim_no, 0) as "firstClaimNo", p.claim_count as "claimCount", p.lent,
       p.extractor, p.extractor_version as "extractorVersion", p.compared_model is not null as "byModel", ${contentSql} as content
     from unnest($4::text[]) as k (document_id)
     cross join lateral (
       select d.document_id, d.revision, d.first_claim_no, d.claim_count, d.extractor, d.extractor_version, d.compared_model, coalesce((
           select json_agg(json_build_object('firstClaimNo', lower(r), 'count', upper(r) - lower(r))) from unnest(d.lent_claims) r), '[]') as lent
       from documents d
       where ${inPlace('d')} and d.document_id = k.document_id and d.status = 'indexed'
         and d.round is not null and d.erased_at is null
       order by d.revision desc limit 1
     ) p
     left join lateral (
       select ${goalCountsSql} from (
         select done from goals
         where ${ofPlace} and document_id >= k.document_id and document_id <= k.document_id and live
         order by document_id, revision, ordinal
       ) o
     ) g on true
     left join lateral (
       select ${riskCountsSql} from (
         select level from risks
         where ${ofPlace} and document_id >= k.document_id and document_id <= k.document_id and live
         order by document_id, revision, ordinal
       ) o
     ) r on true`,
    [...placeOf(place), documentIds],
  )
}

export interface ContentWrite {
  documentId: string
  revision: number
  goals: readonly Goal[]
  risks: readonly Risk[]
  round: number
  /** Whether the revision has goals and risks of an earlier reading. */
  again: boolean
  /** Whether a later revision in the same commit has replaced this one already. */
  live: boolean
}

/** Replaces the goals and risks of the documents with those of the new revision. */
export async function replaceContent(tx: Transaction, place: ScopePlace, writes: readonly ContentWrite[]): Promise<void> {
  const replaced = [...new Set(writes.filter(write => write.revision > 1).map(write => write.documentId))]
  const again = writes.filter(write => write.again)
  const sent: Promise<unknown>[] = []
  for (const table of ['goals', 'risks'] as const) {
    if (again.length > 0) sent.push(removeOfRevisions(tx, place, table, again))
    if (replaced.length > 0) sent.push(retireOfDocuments(tx, place, table, replaced))
  }
  const goals = writes.flatMap(write => write.goals.map((goal, ordinal) => ({ ...contentRow(write, goal, ordinal), ...goal })))
  const risks = writes.flatMap(write => write.risks.map((risk, ordinal) => ({ ...contentRow(write, risk, ordinal), level: risk.level })))
  if (goals.length > 0) sent.push(insertGoals(tx, place, goals))
  if (risks.length > 0) sent.push(insertRisks(tx, place, risks))
  await Promise.all(sent)
}

function contentRow(write: ContentWrite, { quote, start, end, what }: Goal | Risk, ordinal: number) {
  const { documentId: document_id, revision, live, round } = write
  return { document_id, revision, ordinal, live, round, quote, start_at: start, end_at: end, what }
}

function removeOfRevisions(tx: Transaction, place: ScopePlace, table: 'goals' | 'risks', of: readonly ContentWrite[]): Promise<unknown> {
  return tx.run(
    `delete from ${table} g using unnest($4::text[], $5::integer[]) as t (document_id, revision)
      where ${inPlace('g')} and g.document_id = t.document_id and g.revision = t.revision`,
    [...placeOf(place), of.map(each => each.documentId), of.map(each => each.revision)],
  )
}

function retireOfDocuments(tx: Transaction, place: ScopePlace, table: 'goals' | 'risks', documentIds: readonly string[]): Promise<unknown> {
  return tx.run(`update ${table} set live = false where ${ofPlace} and document_id = any($4::text[]) and live`, [
    ...placeOf(place),
    documentIds,
  ])
}

function insertGoals(tx: Transaction, place: ScopePlace, goals: readonly object[]): Promise<unknown> {
  return tx.run(
    `insert into goals (tenant_id, scope_no, generation, document_id, revision, ordinal, live, quote, start_at, end_at, what, owner, due, done, round)
      select $1, $2, $3, g.* from json_to_recordset($4::json) as g (document_id text, revision integer, ordinal integer, live boolean,
        quote text, start_at integer, end_at integer, what text, owner text, due text, done boolean, round bigint)`,
    [...placeOf(place), storableJson(goals)],
  )
}

function insertRisks(tx: Transaction, place: ScopePlace, risks: readonly object[]): Promise<unknown> {
  return tx.run(
    `insert into risks (tenant_id, scope_no, generation, document_id, revision, ordinal, live, quote, start_at, end_at, what, level, round)
      select $1, $2, $3, r.* from json_to_recordset($4::json) as r (document_id text, revision integer, ordinal integer, live boolean,
        quote text, start_at integer, end_at integer, what text, level text, round bigint)`,
    [...placeOf(place), storableJson(risks)],
  )
}

export interface FinishedDocument {
  seq: number
  documentId: string
  revision: number
  status: 'indexed' | 'held' | 'rejected'
  round: number
  reason: string | null
  firstClaimNo: number | null
  claimCount: number
  contradictionCount: number
  profile: object | null
  timings: object
  extractor: string
  extractorVersion: string
  /** What came of asking a model; null where none was asked. Unchanged text has that of the revision before. */
  modelOutcome: string | null
  /** The model that compared it in full, as `name@version of its questions`; of unchanged text that of the revision before. */
  comparedModel: string | null
}

/** Code of the failure when a document is no longer being processed: it is finished already, or was taken back. */
export const documentMoved = 'CD001'

/**
 * From processing to where policy put them; their places in the backlog go with it. What was taken for unchanged and had to be read after
 * all, since the revision before it was not admitted, is no repetition: left marked as one, the claims of the revision before would count on.
 */
export async function finishDocuments(tx: Transaction, place: ScopePlace, documents: readonly FinishedDocument[]): Promise<void> {
  if (documents.length === 0) return
  const finished = await tx.value<number | null>(
    `with reported as (
       select * from json_to_recordset($4::json) as t (seq bigint, "documentId" text, revision integer, status text, round bigint,
         reason text, "firstClaimNo" bigint, "claimCount" integer, "contradictionCount" integer, profile jsonb, timings jsonb,
         extractor text, "extractorVersion" text, "modelOutcome" text, "comparedModel" text)
     ), done as (
       update documents d set status = t.status, round = t.round, reason = t.reason, stage = null, error_class = null,
         lent_claims = coalesce(e.lent_claims, '{}'),
         unchanged = d.unchanged and t.profile is null, first_claim_no = t."firstClaimNo", claim_count = t."claimCount", contradiction_count = t."contradictionCount",
         profile = t.profile, timings = t.timings, extractor = t.extractor, extractor_version = t."extractorVersion", approval = null,
         model_outcome = case when t.profile is not null then t."modelOutcome" else e.outcome end,
         compared_model = case when t.profile is not null then t."comparedModel" else e.compared end,
         finished_at = clock_timestamp()
       from reported t cross join lateral (
         select ctid from documents
         where ${ofPlace} and document_id = t."documentId" and revision = t.revision
         limit 1
       ) k left join lateral (
         -- Of what it repeats: a reading of this commit, whose row is not written yet, or the revision that was admitted last before it.
         select * from (
           select o.revision, null::int8multirange as lent_claims, o."modelOutcome" as outcome, o."comparedModel" as compared from reported o
           where o."documentId" = t."documentId" and o.revision < t.revision and o.profile is not null and o.status = 'indexed'
           union all
           select p.revision, p.lent_claims, p.model_outcome, p.compared_model from documents p
           where ${inPlace('p')} and p.document_id = t."documentId" and p.revision < t.revision and p.status = 'indexed'
         ) s where t.profile is null order by revision desc limit 1
       ) e on true
       where d.ctid = k.ctid and d.status = 'processing'
       returning d.current, d.status
     ), moved as (
       -- What waits to be read again is compared as the repetition, or it would be given up for a later revision that nobody compared.
       update backlog b set revision = t.revision from reported t
       where ${inPlace('b')} and b.document_id = t."documentId" and b.revision < t.revision and b.reread is not null
         and t.profile is null and t.status = 'indexed'
         and t.revision = (select max(o.revision) from reported o where o."documentId" = t."documentId" and o.status = 'indexed')
     ), gone as (
       delete from backlog where tenant_id = $1 and scope_no = $2 and seq = any($5::bigint[])
     ), counted as (
       select count(*) as finished, count(*) filter (where current) as current, count(*) filter (where current and status = 'indexed') as indexed,
         count(*) filter (where current and status = 'held') as held, count(*) filter (where current and status = 'rejected') as rejected from done
     )
     update scope_heads h set processing = h.processing - c.current, indexed = h.indexed + c.indexed, held = h.held + c.held,
       rejected = h.rejected + c.rejected,
       has_backlog = exists (select from backlog b where ${inPlace('b')} and not b.seq = any($5::bigint[]))
     from counted c where h.tenant_id = $1 and h.scope_no = $2
     returning c.finished`,
    [...placeOf(place), storableJson(documents), documents.map(each => each.seq)],
  )
  if (finished !== documents.length) {
    throw Object.assign(new Error('a document is no longer being processed'), { code: documentMoved })
  }
}

/** A newer revision has been decided on, is in quarantine or is not read for now: an older one that is held no longer needs a review. */
export async function retireHolds(tx: Transaction, place: ScopePlace, documents: readonly RevisionRef[]): Promise<void> {
  const revised = documents.filter(each => each.revision > 1)
  if (revised.length === 0) return
  await tx.run(
    `update decisions d set review = 'obsolete' from unnest($4::text[], $5::integer[]) as t (document_id, revision)
     where ${inPlace('d')} and d.review = 'pending' and d.kind = 'document'
       and d.document_id = t.document_id and d.revision < t.revision`,
    [...placeOf(place), revised.map(each => each.documentId), revised.map(each => each.revision)],
  )
}

/** Policy did not let this person approve: what was held waits again. */
export async function reopenReviews(tx: Transaction, place: ScopePlace, decisionSeqs: readonly number[]): Promise<void> {
  if (decisionSeqs.length === 0) return
  await tx.run(
    `update decisions set review = 'pending'
     where ${ofPlace} and seq = any($4::bigint[]) and review = 'approved'`,
    [...placeOf(place), decisionSeqs],
  )
}

/** What verdicts need to know about documents whose claims are live: the facts of the newest admitted revision that was read. Unchanged text is not. */
export async function readFacts(
  tx: Transaction,
  place: ScopePlace,
  documentIds: readonly string[],
): Promise<Record<string, DocumentFacts>> {
  if (documentIds.length === 0) return {}
  const rows = await tx.rows<{
    document_id: string
    revision: number
    name: string
    about: string | null
    profile: Partial<DocumentFacts> | null
  }>(
    `select d.document_id, d.revision, d.name, ${aboutSql('d')} as about, d.profile from unnest($4::text[]) as k (document_id) cross join lateral (
       select tenant_id, scope_no, generation, document_id, revision, name, profile from documents
       where ${ofPlace} and document_id = k.document_id and status = 'indexed' and round is not null
         and profile is not null
       order by revision desc limit 1
     ) d`,
    [...placeOf(place), documentIds],
  )
  return Object.fromEntries(
    rows.map(({ document_id: id, revision, name, about, profile }) => [
      id,
      {
        title: profile?.title ?? null,
        name,
        issuer: profile?.issuer ?? null,
        issuedOn: profile?.issuedOn ?? null,
        reference: profile?.reference ?? null,
        version: profile?.version ?? null,
        revision,
        kind: profile?.kind ?? null,
        supersedes: profile?.supersedes ?? [],
        corrects: profile?.corrects ?? false,
        named: profile?.named ?? [],
        ...(profile?.passages !== undefined && { passages: profile.passages }),
        period: profile?.period ?? null,
        about,
        ...(profile?.topic && { topic: profile.topic }),
        ...(profile?.reader && { reader: profile.reader }),
      },
    ]),
  )
}

export interface ProcessingDocument {
  documentId: string
  revision: number
  current: boolean
  /** A later revision has been admitted: this one must not end its claims. */
  stale: boolean
  /** It ends what a mail or archive carries no more. */
  follows: boolean
}

/** Of these documents, the ones that are still being processed. */
export async function stillProcessing(
  tx: Transaction,
  place: ScopePlace,
  documents: readonly RevisionRef[],
): Promise<ProcessingDocument[]> {
  return tx.rows<ProcessingDocument>(
    `select d.document_id as "documentId", d.revision, d.current, exists (
         select from documents l
         where ${inPlace('l')} and l.document_id = d.document_id and l.revision > d.revision
           and l.status = 'indexed' and l.round is not null) as stale,
       ${retiredSql('d')} as follows
     from unnest($4::text[], $5::integer[]) as t (document_id, revision)
     cross join lateral (
       select document_id, revision, current, status, part_of, file_sha256 from documents
       where ${ofPlace} and document_id = t.document_id and revision = t.revision
       limit 1
     ) d
     where d.status = 'processing'`,
    [...placeOf(place), documents.map(each => each.documentId), documents.map(each => each.revision)],
  )
}
