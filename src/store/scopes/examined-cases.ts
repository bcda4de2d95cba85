/** Who examined scopes, for lists of them: the latest sign-offs that stand, papers since, and by whom documents were compared. */

import { isoSql } from '../server/columns.js'
import type { Transaction } from '../server/database.js'
import { atPlace, type ScopePlace } from './scopes.js'

export interface ExaminedCase {
  scopeNo: number
  /** The latest that stand, newest first. */
  signed: { sign_off_id: string; by: string; vouched: boolean; signed_at: string; current: boolean }[]
  /** Different people who signed for exactly what counts now. */
  signers: number
  papersSince: number
  /** Models that compared documents in full, as `name@version of its questions`. */
  models: string[]
  /** Whether documents are compared by rules alone. */
  byRulesAlone: boolean
}

const shownSignOffs = 5
/** As many papers as are counted one by one, and documents as are looked through for their models. */
const mostSince = 1000
const mostCompared = 50

const changedRound = `coalesce((select t.changed_round from scope_states t where ${atPlace('t')}), 0)`

/** In no particular order. `offset 0`: or the server may read all of a tenant that has more documents than others, to ask of twenty cases. */
export async function readExaminedCases(tx: Transaction, places: readonly ScopePlace[]): Promise<ExaminedCase[]> {
  if (places.length === 0) return []
  return tx.rows<ExaminedCase>(
    `select p.scope_no as "scopeNo", coalesce(l.signed, '[]') as signed,
       (select count(distinct s.person) from sign_offs s where ${atPlace('s')} and s.withdrawn is null and s.round > ${changedRound}) as signers, case when l.round is null then 0 else (
         select count(*) from (
           (select r.document_id from rounds r
            where ${atPlace('r')} and r.round > l.round and r.document_id is not null and r.kind <> 'reread' and r.input ->> 'changes' = 'true'
            order by r.round desc limit ${mostSince})
           union
           select b.document_id from backlog b where ${atPlace('b')} and b.reread is null
           union
           select d.document_id from documents d where ${atPlace('d')} and d.current and d.status = 'held'
           limit ${mostSince}) k) end as "papersSince",
       (select coalesce(array_agg(distinct m.compared_model order by m.compared_model), '{}') from (
         select d.compared_model from documents d
         where ${atPlace('d')} and d.current and d.status = 'indexed' and d.compared_model is not null and d.erased_at is null
         limit ${mostCompared}) m) as models,
       exists (
         select from documents d
         where ${atPlace('d')} and d.current and d.status = 'indexed' and d.compared_model is null and d.text_hash is not null
           and d.erased_at is null offset 0) as "byRulesAlone"
     from unnest($1::text[], $2::bigint[], $3::integer[]) as p (tenant_id, scope_no, generation)
     cross join lateral (
       select max(o.round) as round, json_agg(json_build_object('sign_off_id', o.sign_off_id, 'by', o.signed_by, 'vouched', o.bound,
         'signed_at', o.signed_at, 'current', o.current) order by o.round desc) as signed
       from (
         select s.round, s.sign_off_id, s.signed_by, s.bound, ${isoSql('s.signed_at')} as signed_at,
           s.round > ${changedRound} as current
         from sign_offs s where ${atPlace('s')} and s.withdrawn is null order by s.round desc limit ${shownSignOffs}) o
     ) l`,
    [places.map(each => each.tenantId), places.map(each => each.scopeNo), places.map(each => each.generation)],
  )
}
