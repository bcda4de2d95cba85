/**
 * What becomes of the rows of findings when another reading takes the place of one: they go on with the claims that say the same, or lapse
 * where a comparison covered both sides and did not find them again. Behind the claims of the new reading, under the scope's lock.
 */

import { renameEnders } from '../claims/claim-ends.js'
import type { ClaimRange } from '../claims/claims.js'
import { boundsOf } from '../claims/statements.js'
import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import { columnsOf } from '../server/columns.js'
import type { Transaction } from '../server/database.js'
import { withdrawSupersessions } from './finding-rows.js'

/** Findings that go on, and the claims they go on with. */
export interface CarriedWrite {
  /** Claims of the old reading that say what a claim of the new one says. */
  moves: { from: number; fromId: string; to: number; toId: string }[]
  contradictions: number[]
  possible: number[]
  supersessions: number[]
  /** Claims of other documents that one of the old reading had ended. */
  endedClaims: number[]
  withdrawn: number[]
}

/** After the claims of the new reading are written. */
export async function moveFindings(tx: Transaction, place: ScopePlace, carried: CarriedWrite): Promise<void> {
  const { moves } = carried
  await goOnWith(tx, place, moves, carried)
  await renameEnders(tx, place, carried.endedClaims, moves)
  await withdrawSupersessions(tx, place, carried.withdrawn)
}

/** These findings, or all that are in force, name the claims of the new reading in place of those that say the same. */
export async function goOnWith(
  tx: Transaction,
  place: ScopePlace,
  moves: readonly { from: number; to: number }[],
  which: Pick<CarriedWrite, 'contradictions' | 'possible' | 'supersessions'> | null,
): Promise<void> {
  if (moves.length === 0) return
  const values = [...placeOf(place), ...columnsOf(moves, 'from', 'to')]
  const among = (column: string) => `($6::bigint[] is null or ${column} = any ($6::bigint[]))`
  const moved = (column: string) =>
    `coalesce((select n.now from unnest($4::bigint[], $5::bigint[]) as n (was, now) where n.was = p.${column}), p.${column})`
  const names = (one: string, other: string) => `(p.${one} = any ($4::bigint[]) or p.${other} = any ($4::bigint[]))`
  const sides = tx.run(
    `with moved as (
       delete from contradiction_sides m using unnest($4::bigint[], $5::bigint[]) as n (was, now)
       where ${inPlace('m')} and m.claim_no = n.was and m.in_force and ${among('m.contradiction_no')}
       returning m.contradiction_no, m.side, n.now, m.lead)
     insert into contradiction_sides as k (tenant_id, scope_no, generation, contradiction_no, side, claim_no, lead)
     select $1, $2, $3, contradiction_no, side, now, bool_or(lead) from moved group by contradiction_no, side, now
     on conflict (tenant_id, scope_no, generation, contradiction_no, side, claim_no) do update set lead = k.lead or excluded.lead`,
    [...values, which?.contradictions ?? null],
  )
  const possible = tx.run(
    `update possible_conflicts p set claim_a = ${moved('claim_a')}, claim_b = ${moved('claim_b')}
     where ${inPlace('p')} and p.in_force and ${among('p.possible_no')} and ${names('claim_a', 'claim_b')}`,
    [...values, which?.possible ?? null],
  )
  // One of the same two that was found with the new reading is there already.
  const supersessions = tx.run(
    `update supersessions p set claim_no = ${moved('claim_no')}, by_claim_no = ${moved('by_claim_no')}
     where ${inPlace('p')} and p.kind <> 'revision' and p.status <> 'withdrawn' and ${among('p.supersession_no')}
       and ${names('claim_no', 'by_claim_no')} and not exists (select from supersessions k
         where ${inPlace('k')} and k.claim_no = ${moved('claim_no')} and k.by_claim_no = ${moved('by_claim_no')})`,
    [...values, which?.supersessions ?? null],
  )
  await Promise.all([sides, possible, supersessions])
}

export interface Lapsing {
  documentId: string
  former: ClaimRange
  own: ClaimRange
  /** Numbers of the claims that the new reading was compared with. */
  compared: readonly number[]
}

/**
 * What the rules had found about the reading before, nobody decided, and the new one was not found in again although it was compared with
 * the other side: its comparison took it back. What a model found goes on, for silence changes nothing; so does what was not compared,
 * because another version read the other side or because it was not met.
 */
export async function lapseFindings(tx: Transaction, place: ScopePlace, { documentId, former, own, compared }: Lapsing): Promise<void> {
  if (former.count === 0) return
  const values = [...placeOf(place), ...boundsOf(former), ...boundsOf(own), compared, documentId]
  const isFormer = (column: string) => `${column} >= $4 and ${column} < $5`
  const isOwn = (column: string) => `${column} >= $6 and ${column} < $7`
  const covered = `with covered as materialized (
    select coalesce(statement_no, claim_no) as no from claims where ${ofPlace} and claim_no = any ($8::bigint[]))`
  // What is within one document is always covered.
  const isCovered = (members: string) => `(
    select coalesce(bool_or(coalesce(k.statement_no, k.claim_no) in (select no from covered)), true)
    from claims k where ${inPlace('k')} and k.document_id <> $9 and k.claim_no in (${members}))`
  const [, , replacing] = await Promise.all([
    tx.run(
      `${covered} update contradiction_sides m set in_force = false from contradictions x
       where ${inPlace('m')} and ${isFormer('m.claim_no')} and m.in_force
         and ${inPlace('x')} and x.contradiction_no = m.contradiction_no and x.found_by is null and (x.closed_itself or x.resolution is null)
         and not exists (select from contradiction_sides o
           where ${inPlace('o')} and o.contradiction_no = m.contradiction_no and o.side = m.side and ${isOwn('o.claim_no')})
         and not exists (select from supersessions s where ${inPlace('s')} and s.contradiction_no = x.contradiction_no)
         and not exists (select from possible_conflicts p where ${inPlace('p')} and p.contradiction_no = x.contradiction_no)
         and ${isCovered(`select o.claim_no from contradiction_sides o where ${inPlace('o')} and o.contradiction_no = m.contradiction_no and o.side <> m.side`)}`,
      values,
    ),
    tx.run(
      `${covered} update possible_conflicts p set in_force = false
       where ${inPlace('p')} and p.in_force and p.found_by is null and (p.closed_itself or p.status = 'open')
         and (${isFormer('p.claim_a')} or ${isFormer('p.claim_b')}) and not (${isOwn('p.claim_a')} or ${isOwn('p.claim_b')})
         and ${isCovered('p.claim_a, p.claim_b')}`,
      values,
    ),
    // One that was objected to stayed with an earlier reading where a later one found it again: it is about the same statement.
    tx.column<number>(
      `${covered}, former as materialized (
         select coalesce(statement_no, claim_no) as no from claims where ${ofPlace} and ${isFormer('claim_no')}),
       earlier as materialized (
         select claim_no from claims where ${ofPlace} and ${isFormer('claim_no')}
         union select no from former
         union select k.claim_no from claims k where ${inPlace('k')} and k.statement_no in (select no from former))
       select p.supersession_no from supersessions p
       where ${inPlace('p')} and p.status = 'standing' and p.kind <> 'revision' and p.found_by is null
         and (p.claim_no in (select claim_no from earlier) or p.by_claim_no in (select claim_no from earlier))
         and not (${isOwn('p.claim_no')} or ${isOwn('p.by_claim_no')})
         and ${isCovered('p.claim_no, p.by_claim_no')}`,
      values,
    ),
  ])
  await withdrawSupersessions(tx, place, replacing)
}
