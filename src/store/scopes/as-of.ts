/** A scope as it was at an instant: what other lists do not keep by time. Instants are compared as they are shown, in whole milliseconds. */

import type { DocumentRow } from '../documents/document-row.js'
import { waitForWriters } from '../events/events.js'
import { type DecisionRow, maybePersonsSql } from '../findings/findings.js'
import { across, type Database, type TenantTransaction, type Transaction } from '../server/database.js'
import { inPlace, placeOf, type ScopePlace } from './scopes.js'
import type { SignOffRow } from './sign-offs.js'

const by = (column: string, parameter: string) => `date_trunc('milliseconds', ${column}) <= ${parameter}::timestamptz`

/** A moment that is that much ahead of the database's clock is waited for: clocks of nodes and clients are never quite the same. */
const soon = "interval '250 milliseconds'"

/**
 * Whether nothing of that moment can be recorded any more: waits until everybody who is writing to the scope has committed, and whoever
 * gets its lock later takes a later time under it (`takeRecordedAt`). In a transaction of its own, for what is read has to begin behind it.
 */
export async function isMomentOver(tx: Transaction, { scopeNo }: Pick<ScopePlace, 'scopeNo'>, at: string): Promise<boolean> {
  // Before the lock, which keeps others out meanwhile.
  await tx.run(
    `select pg_sleep(extract(epoch from w.ahead)) from (select $1::timestamptz + interval '1 millisecond' - clock_timestamp()) as w (ahead)
     where w.ahead between interval '0' and ${soon}`,
    [at],
  )
  await waitForWriters(tx, scopeNo)
  return tx.value<boolean>("select $1::timestamptz < date_trunc('milliseconds', clock_timestamp())", [at])
}

export interface MomentRow {
  created_at: string
  reset_at: string | null
  /** What the chain of the generation started from. */
  chain_start: string | null
  /** Null before the first of the generation. */
  round: number | null
  decision_seq: number | null
  decision_hash: string | null
}

/** How far the scope had come. */
export async function readMoment(tx: TenantTransaction, scope: ScopePlace, at: string): Promise<MomentRow> {
  return tx.one<MomentRow>(
    `select s.created_at, s.reset_at, s.chain_hash as chain_start, r.round, d.seq as decision_seq, d.hash as decision_hash
     from scopes s
     left join lateral (select round from rounds r where ${inPlace('r')} and ${by('r.recorded_at', '$4')} order by r.round desc limit 1) r on true
     left join lateral (select seq, hash from decisions d where ${inPlace('d')} and ${by('d.recorded_at', '$4')} order by d.seq desc limit 1) d on true
     where s.tenant_id = $1 and s.scope_no = $2`,
    [...placeOf(scope), at],
  )
}

export interface LastChange {
  /** When something of the scope was recorded last; not later than now, should the database's clock have been set back. */
  at: string
  /** Another one after every change. */
  change: string
}

export async function readLastChange(tx: TenantTransaction, scope: ScopePlace): Promise<LastChange> {
  return tx.one<LastChange>(
    `select least(clock_timestamp(), c.changed) as at, c.changed::text || ' ' || c.round as change from (select greatest(s.created_at, s.reset_at, (select recorded_at from rounds r where ${inPlace('r')} order by r.round desc limit 1),
       (select greatest(max(d.received_at), max(d.erased_at)) from documents d where ${inPlace('d')}),
       (select max(c.said_at) from comments c where ${inPlace('c')}),
       (select greatest(max(a.assigned_at), max(a.ended_at)) from assignments a where ${inPlace('a')})) as changed,
       (select coalesce(max(round), 0) from rounds r where ${inPlace('r')}) as round
     from scopes s where s.tenant_id = $1 and s.scope_no = $2) c`,
    placeOf(scope),
  )
}

export type PaperRow = Pick<
  DocumentRow,
  'document_id' | 'revision' | 'name' | 'type' | 'text_hash' | 'file_sha256' | 'received_at' | 'erased_at'
>

/** The last revision of each document that had come by then and was not erased yet, in the order of their ids. */
export async function listPapersThen(
  tx: TenantTransaction,
  scope: ScopePlace,
  { at, after, limit }: { at: string; after: string | null; limit: number },
): Promise<PaperRow[]> {
  return tx.rows<PaperRow>(
    `select distinct on (d.document_id) d.document_id, d.revision, d.name, d.type, d.text_hash, d.file_sha256, d.received_at, d.erased_at from documents d
     where ${inPlace('d')} and ${by('d.received_at', '$4')} and (d.erased_at is null or not ${by('d.erased_at', '$4')})
       and ($5::text is null or d.document_id > $5)
     order by d.document_id, d.revision desc limit $6`,
    [...placeOf(scope), at, after, limit],
  )
}

export type PersonsDecisionRow = Pick<
  DecisionRow,
  | 'decision_id'
  | 'seq'
  | 'kind'
  | 'actor'
  | 'verdict'
  | 'finding_id'
  | 'document_id'
  | 'reason'
  | 'outcome'
  | 'recorded_at'
  | 'hash'
  | 'erased_at'
>

/** What people decided until then, in the order of the chain. What policy decides by itself about a document or the scope is not among it. */
export async function listPersonsDecisions(
  tx: TenantTransaction,
  scope: ScopePlace,
  { at, after, limit }: { at: string; after: number; limit: number },
): Promise<PersonsDecisionRow[]> {
  return tx.rows<PersonsDecisionRow>(
    `select d.decision_id, d.seq, d.kind, d.proposal->'actor' as actor, d.proposal->>'verdict' as verdict, d.proposal->>'contradictionId' as finding_id,
       d.document_id, d.proposal->>'reason' as reason, d.outcome, d.recorded_at, d.hash, d.erased_at
     from decisions d
     where ${inPlace('d')} and d.seq > $5 and ${by('d.recorded_at', '$4')} and ${maybePersonsSql}
       and d.proposal->'actor'->>'kind' <> 'system'
     order by d.seq limit $6`,
    [...placeOf(scope), at, after, limit],
  )
}

/** `current`: what it covers counted then, and nothing else. */
export type StandingSignOffRow = Pick<SignOffRow, 'sign_off_id' | 'signed_by' | 'bound' | 'reason' | 'signed_at' | 'round' | 'current'>

/** Those that stood then, oldest first: one that policy held stood from its approval on. */
export async function listSignOffsThen(
  tx: TenantTransaction,
  scope: ScopePlace,
  { at, after, limit }: { at: string; after: number; limit: number },
): Promise<StandingSignOffRow[]> {
  return tx.rows<StandingSignOffRow>(
    `select o.sign_off_id, o.signed_by, o.bound, o.reason, o.signed_at, o.round,
       o.round > coalesce((select r.round from rounds r where ${inPlace('r')} and ${by('r.recorded_at', '$4')} and (r.input->'changes') is not null
         order by r.round desc limit 1), 0) as current
     from sign_offs o join rounds g on ${inPlace('g')} and g.round = o.round
     where ${inPlace('o')} and o.round > $5 and ${by('g.recorded_at', '$4')}
       and (o.withdrawn is null or not ${by("(o.withdrawn->>'withdrawn_at')::timestamptz", '$4')})
     order by o.round limit $6`,
    [...placeOf(scope), at, after, limit],
  )
}

export interface OpenedRow {
  object: string
  reader: string
  first_at: string
}

/** Who had read each of these by then, the first `most` of each. */
export async function listOpened(
  db: Database,
  tenantId: string,
  { objects, at, most }: { objects: readonly string[]; at: string; most: number },
): Promise<OpenedRow[]> {
  if (objects.length === 0) return []
  return across(db).rows<OpenedRow>(
    `select object, reader, first_at from (
       select object, reader, min(at) as first_at, row_number() over (partition by object order by min(at), reader) as place
       from audit_log where tenant_id = $1 and object = any ($2::text[]) and ${by('at', '$3')}
       group by object, reader) r
     where place <= $4 order by object, place`,
    [tenantId, objects, at, most],
  )
}
