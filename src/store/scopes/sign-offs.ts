/**
 * Sign-offs: dated statements of people about what a scope held. Never altered; a withdrawal is written beside one, and erasing a
 * document blanks reasons. Under the scope's lock.
 */

import type { Actor } from '../../kernel/proposals.js'
import { personKey } from '../../platform/person-name.js'
import type { Transaction } from '../server/database.js'
import { inPlace, ofPlace, placeOf, type ScopePlace } from './scopes.js'

/** A document without a reading, and what the person who signed did about it. */
export interface SignedUnread {
  document_id: string
  revision: number
  status: string
  how: 'read_by_eye' | 'set_aside'
  reason: string
}

export interface Withdrawal {
  by: string
  bound: boolean
  reason: string
  withdrawn_at: string
  round: number
  decision_id: string
}

/** What a sign-off is about: documents by revision and digest, what counted, and what was left open. */
export interface Covered {
  documents: {
    count: number
    digest: string
    hashes: { document_id: string; revision: number; sha256: string; file_sha256?: string }[] | null
  }
  claims: { count: number; digest: string }
  left_open: { contradictions: number; contradiction_ids: string[]; possible_conflicts: number; possible_conflict_ids: string[] }
  settings_digest: string
}

export interface SignOffRow {
  round: number
  sign_off_id: string
  decision_id: string
  signed_by: string
  person: string
  bound: boolean
  reason: string
  /** When the person said it: before its round, where policy held it until somebody approved it. */
  signed_at: string
  covers: Covered
  unread: SignedUnread[]
  withdrawn: Withdrawal | null
  /** It covers exactly what counts now. */
  current: boolean
}

const columns = `o.round, o.sign_off_id, o.decision_id, o.signed_by, o.person, o.bound, o.reason, o.signed_at, o.covers, o.unread, o.withdrawn,
  o.withdrawn is null and o.round > coalesce((select t.changed_round from scope_states t where ${inPlace('t')}), 0) as current`

export async function insertSignOff(
  tx: Transaction,
  scope: ScopePlace,
  row: Omit<SignOffRow, 'person' | 'withdrawn' | 'current'>,
): Promise<void> {
  await tx.run(
    `insert into sign_offs (tenant_id, scope_no, generation, round, sign_off_id, decision_id, signed_by, person, bound, reason, signed_at, covers, unread)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      ...placeOf(scope),
      row.round,
      row.sign_off_id,
      row.decision_id,
      row.signed_by,
      personKey(row.signed_by),
      row.bound,
      row.reason,
      row.signed_at,
      JSON.stringify(row.covers),
      JSON.stringify(row.unread),
    ],
  )
}

export async function withdrawSignOff(tx: Transaction, scope: ScopePlace, round: number, withdrawal: Withdrawal): Promise<void> {
  await tx.run(`update sign_offs set withdrawn = $5 where ${ofPlace} and round = $4 and withdrawn is null`, [
    ...placeOf(scope),
    round,
    JSON.stringify(withdrawal),
  ])
}

export async function findSignOff(tx: Transaction, scope: ScopePlace, signOffId: string): Promise<SignOffRow | null> {
  return tx.row<SignOffRow>(`select ${columns} from sign_offs o where ${inPlace('o')} and o.sign_off_id = $4`, [
    ...placeOf(scope),
    signOffId,
  ])
}

/** Newest first. */
export async function listSignOffRows(
  tx: Transaction,
  scope: ScopePlace,
  page: { before: number | null; limit: number },
): Promise<SignOffRow[]> {
  return tx.rows<SignOffRow>(
    `select ${columns} from sign_offs o
     where ${inPlace('o')} and ($4::bigint is null or o.round < $4)
     order by o.round desc limit $5`,
    [...placeOf(scope), page.before, page.limit],
  )
}

/** Who signed for what counts now, and what they say of papers that were not read, newest first. */
export async function listCurrent(tx: Transaction, scope: ScopePlace, limit: number): Promise<Pick<SignOffRow, 'person' | 'unread'>[]> {
  return tx.rows(
    `select o.person, o.unread from sign_offs o
     where ${inPlace('o')} and o.withdrawn is null
       and o.round > coalesce((select t.changed_round from scope_states t where ${inPlace('t')}), 0)
     order by o.round desc limit $4`,
    [...placeOf(scope), limit],
  )
}

export type CertifiedRow = Pick<SignOffRow, 'round' | 'sign_off_id' | 'decision_id' | 'signed_by' | 'bound' | 'signed_at'> & {
  /** Who approved it, where policy had held it: `decision_id` is that approval then. */
  approved_by: Actor | null
}

/** What a certificate says of those that stand, newest first. */
export async function listCertifiedRows(tx: Transaction, scope: ScopePlace, limit: number): Promise<CertifiedRow[]> {
  return tx.rows<CertifiedRow>(
    `select o.round, o.sign_off_id, o.decision_id, o.signed_by, o.bound, o.signed_at,
       (select d.proposal -> 'actor' from decisions d
        where ${inPlace('d')} and d.decision_id = o.decision_id and d.kind = 'review') as approved_by
     from sign_offs o where ${inPlace('o')} and o.withdrawn is null order by o.round desc limit $4`,
    [...placeOf(scope), limit],
  )
}

/** What the latest of these sign-offs that stand say of revisions that are still without a reading, each once. */
export async function listSignedUnread(
  tx: Transaction,
  scope: ScopePlace,
  signOffs: number,
): Promise<Pick<SignedUnread, 'document_id' | 'revision' | 'how'>[]> {
  return tx.rows(
    `select distinct on (u.document_id) u.document_id, u.revision, u.how
     from (select o.round, o.unread from sign_offs o where ${inPlace('o')} and o.withdrawn is null order by o.round desc limit $4) s
     cross join json_to_recordset(s.unread) as u (document_id text, revision integer, how text)
     join documents d on ${inPlace('d')} and d.document_id = u.document_id and d.revision = u.revision and ${isUnreadSql('d')}
     order by u.document_id, s.round desc`,
    [...placeOf(scope), signOffs],
  )
}

/** Of these decisions, those by which somebody signed off, or approved that. */
export async function listSigning(tx: Transaction, scope: ScopePlace, decisionIds: readonly string[]): Promise<string[]> {
  if (decisionIds.length === 0) return []
  return tx.column<string>(`select decision_id from sign_offs where ${ofPlace} and decision_id = any ($4::text[])`, [
    ...placeOf(scope),
    decisionIds,
  ])
}

export async function countStanding(tx: Transaction, scope: ScopePlace): Promise<number> {
  return tx.value<number>(`select count(*) from sign_offs where ${ofPlace} and withdrawn is null`, placeOf(scope))
}

/** Whether a row is a document of the case without a reading, about which a person has to say something. Found by the index of unread ones. */
export function isUnreadSql(d: string): string {
  return `concord_document_list(${d}.current, ${d}.status, ${d}.text_hash, ${d}.erased_at) = 'unread'
    and ${d}.status in ('attached', 'quarantined') and ${d}.erased_at is null`
}

export interface UnreadRow {
  document_id: string
  name: string | null
  revision: number
  status: 'attached' | 'quarantined'
}

export async function listUnread(tx: Transaction, scope: ScopePlace, limit: number): Promise<UnreadRow[]> {
  return tx.rows<UnreadRow>(
    `select d.document_id, d.name, d.revision, d.status from documents d where ${inPlace('d')} and ${isUnreadSql('d')}
     order by d.document_id limit $4`,
    [...placeOf(scope), limit],
  )
}

/** Of these ids, the documents there are. */
export async function listNamed(
  tx: Transaction,
  scope: ScopePlace,
  documentIds: readonly string[],
): Promise<{ document_id: string; name: string | null; revision: number; status: string; unread: boolean }[]> {
  return tx.rows(
    `select d.document_id, d.name, d.revision, d.status, ${isUnreadSql('d')} as unread from documents d
     where ${inPlace('d')} and d.current and d.document_id = any ($4::text[])`,
    [...placeOf(scope), documentIds],
  )
}

/** Open contradictions that the settings let stand, the most serious first. */
export async function listLeftOpen(tx: Transaction, scope: ScopePlace, limit: number): Promise<string[]> {
  return tx.column<string>(
    `select contradiction_id from contradictions where ${ofPlace} and status = 'open'
     order by array_position(array['critical', 'high', 'medium', 'low'], severity), contradiction_no desc limit $4`,
    [...placeOf(scope), limit],
  )
}

/** As many are counted: beyond it only matters that there are more. */
export const mostCounted = 1001

export interface NotExaminedRow {
  document_id: string
  name: string | null
  why: string
  /** Of all of them, up to 1,001. */
  total: number
}

/** Current documents that nobody has looked at or signed for: those that wait, are held, attached or in quarantine. By indexes that hold no others. */
export async function listNotExamined(tx: Transaction, scope: ScopePlace, limit: number): Promise<NotExaminedRow[]> {
  return tx.rows<NotExaminedRow>(
    `select k.document_id, k.name, k.why, count(*) over () as total from (
       (select d.document_id, d.name, d.status as why from documents d
        where ${inPlace('d')} and d.current and d.erased_at is null and d.status in ('held', 'attached', 'quarantined')
          and (d.status = 'held' or not exists (
            select from sign_offs o cross join json_array_elements(o.unread) as u (value)
            where ${inPlace('o')} and o.withdrawn is null and u.value ->> 'document_id' = d.document_id
              and (u.value ->> 'revision')::integer = d.revision))
        order by d.document_id limit ${mostCounted})
       union all
       (select d.document_id, d.name, d.status from backlog b
        join documents d on ${inPlace('d')} and d.document_id = b.document_id and d.revision = b.revision
        where ${inPlace('b')} and b.reread is null and d.current and d.erased_at is null and d.status in ('queued', 'processing')
        order by b.seq limit ${mostCounted})) k
     order by k.document_id limit $4`,
    [...placeOf(scope), limit],
  )
}
