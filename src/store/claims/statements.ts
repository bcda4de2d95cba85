/**
 * Statements of a document go on from reading to reading: a claim that says what one of the reading before said is the same statement,
 * and what was found and decided about it holds on. Behind the claims of the new reading, whose numbers are contiguous.
 */

import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'
import type { ClaimRange } from './claims.js'

export interface ReadAnew {
  former: ClaimRange
  own: ClaimRange
  /** Of the same text, where passages of equal value overlap; null for another revision, where the words are the same. */
  moves: readonly { from: number; to: number }[] | null
}

export async function inheritStatements(tx: Transaction, place: ScopePlace, { former, own, moves }: ReadAnew): Promise<void> {
  if (former.count === 0 || own.count === 0) return
  if (moves === null) return inheritByWords(tx, place, former, own)
  if (moves.length === 0) return
  await tx.run(
    `update claims c set statement_no = n.no from (
       select m.now, min(coalesce(o.statement_no, o.claim_no)) as no from unnest($4::bigint[], $5::bigint[]) as m (was, now)
       join claims o on ${inPlace('o')} and o.claim_no = m.was group by m.now) n
     where ${inPlace('c')} and c.claim_no = n.now`,
    [...placeOf(place), moves.map(each => each.from), moves.map(each => each.to)],
  )
}

/** Each passage once, in their order, about the same fact. */
async function inheritByWords(tx: Transaction, place: ScopePlace, former: ClaimRange, own: ClaimRange): Promise<void> {
  const passages = (first: string, past: string) => `
    select claim_no, statement_no, quote, body->>'slotKey' as slot, body->>'polarity' as polarity, (body->'value')::text as value, row_number() over (
      partition by quote, body->>'slotKey', body->>'polarity', (body->'value')::text order by claim_no) as place
    from claims where ${ofPlace} and claim_no >= ${first} and claim_no < ${past} and quote is not null`
  await tx.run(
    `with old as materialized (${passages('$4', '$5')}), new as materialized (${passages('$6', '$7')})
     update claims c set statement_no = coalesce(o.statement_no, o.claim_no)
     from new n join old o on o.quote = n.quote and o.slot = n.slot and o.polarity = n.polarity and o.value = n.value and o.place = n.place
     where ${inPlace('c')} and c.claim_no = n.claim_no`,
    [...placeOf(place), ...boundsOf(former), ...boundsOf(own)],
  )
}

/**
 * What the rules had found about the reading before, nobody decided, and the new one was not found in again: its comparison took it
 * back. What a model found goes on, for silence changes nothing.
 */
export async function lapseFindings(tx: Transaction, place: ScopePlace, { former, own }: Omit<ReadAnew, 'moves'>): Promise<void> {
  if (former.count === 0) return
  const bounds = [...placeOf(place), ...boundsOf(former), ...boundsOf(own)]
  const isFormer = (column: string) => `${column} >= $4 and ${column} < $5`
  const isOwn = (column: string) => `${column} >= $6 and ${column} < $7`
  await Promise.all([
    tx.run(
      `update contradiction_sides m set in_force = false from contradictions x
       where ${inPlace('m')} and ${isFormer('m.claim_no')} and m.in_force
         and ${inPlace('x')} and x.contradiction_no = m.contradiction_no and x.found_by is null and (x.closed_itself or x.resolution is null)
         and not exists (select from contradiction_sides o
           where ${inPlace('o')} and o.contradiction_no = m.contradiction_no and o.side = m.side and ${isOwn('o.claim_no')})
         and not exists (select from supersessions s where ${inPlace('s')} and s.contradiction_no = x.contradiction_no)
         and not exists (select from possible_conflicts p where ${inPlace('p')} and p.contradiction_no = x.contradiction_no)`,
      bounds,
    ),
    tx.run(
      `update possible_conflicts p set in_force = false
       where ${inPlace('p')} and p.in_force and p.found_by is null and (p.closed_itself or p.status = 'open')
         and (${isFormer('p.claim_a')} or ${isFormer('p.claim_b')}) and not (${isOwn('p.claim_a')} or ${isOwn('p.claim_b')})`,
      bounds,
    ),
    tx.run(
      `update supersessions p set status = 'withdrawn'
       where ${inPlace('p')} and p.status = 'standing' and p.kind <> 'revision' and p.found_by is null
         and (${isFormer('p.claim_no')} or ${isFormer('p.by_claim_no')}) and not (${isOwn('p.claim_no')} or ${isOwn('p.by_claim_no')})`,
      bounds,
    ),
  ])
}

function boundsOf({ firstClaimNo, count }: ClaimRange): [number, number] {
  return [firstClaimNo, firstClaimNo + count]
}
