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
  moves: readonly Moved[] | null
}

/** Numbers of two claims that are the same statement. */
interface Moved {
  from: number
  to: number
}

/** Answers which claim goes on as which. */
export async function inheritStatements(tx: Transaction, place: ScopePlace, { former, own, moves }: ReadAnew): Promise<Moved[]> {
  if (former.count === 0 || own.count === 0) return []
  if (moves === null) return inheritByWords(tx, place, former, own)
  if (moves.length === 0) return []
  await tx.run(
    `update claims c set statement_no = n.no from (
       select m.now, min(coalesce(o.statement_no, o.claim_no)) as no from unnest($4::bigint[], $5::bigint[]) as m (was, now)
       join claims o on ${inPlace('o')} and o.claim_no = m.was group by m.now) n
     where ${inPlace('c')} and c.claim_no = n.now`,
    [...placeOf(place), moves.map(each => each.from), moves.map(each => each.to)],
  )
  return [...moves]
}

/** Each passage once, in their order, about the same fact. */
async function inheritByWords(tx: Transaction, place: ScopePlace, former: ClaimRange, own: ClaimRange): Promise<Moved[]> {
  const passages = (first: string, past: string) => `
    select claim_no, statement_no, quote, body->>'slotKey' as slot, body->>'polarity' as polarity, (body->'value')::text as value, row_number() over (
      partition by quote, body->>'slotKey', body->>'polarity', (body->'value')::text order by claim_no) as place
    from claims where ${ofPlace} and claim_no >= ${first} and claim_no < ${past} and quote is not null`
  return tx.rows<Moved>(
    `with old as materialized (${passages('$4', '$5')}), new as materialized (${passages('$6', '$7')})
     update claims c set statement_no = coalesce(o.statement_no, o.claim_no)
     from new n join old o on o.quote = n.quote and o.slot = n.slot and o.polarity = n.polarity and o.value = n.value and o.place = n.place
     where ${inPlace('c')} and c.claim_no = n.claim_no
     returning o.claim_no as "from", n.claim_no as "to"`,
    [...placeOf(place), ...boundsOf(former), ...boundsOf(own)],
  )
}

export function boundsOf({ firstClaimNo, count }: ClaimRange): [number, number] {
  return [firstClaimNo, firstClaimNo + count]
}
