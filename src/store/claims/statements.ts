/**
 * Statements of a document go on from reading to reading: a claim that says what one of the reading before said is the same statement,
 * and what was found and decided about it holds on. Behind the claims of the new reading, whose numbers are contiguous.
 */

import { type ClaimAtPassage, sameStatements } from '../../kernel/one-statement.js'
import { claimRangesSql } from '../documents/documents.js'
import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import { columnsOf } from '../server/columns.js'
import type { Transaction } from '../server/database.js'
import { stillSaidSql } from './claim-ends.js'
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
    select claim_no, statement_no, quote, body->>'slotKey' as slot, coalesce(body->>'polarity', '') as polarity, (body->'value')::text as value,
      row_number() over (partition by quote, body->>'slotKey', body->>'polarity', (body->'value')::text order by claim_no) as place
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

/** Behind the claims that were made of passages of these documents: those that say what is said there are the same statements. */
export async function joinStatements(tx: Transaction, place: ScopePlace, documentIds: readonly string[]): Promise<void> {
  if (documentIds.length === 0) return
  const claims = await tx.rows<ClaimAtPassage>(
    `select distinct on (c.claim_no) coalesce(c.statement_no, c.claim_no) as statement, c.document_id as "documentId", c.start_at as start, c.end_at as "end",
       c.quote, c.body->>'valueText' as "valueText", c.subject, c.attribute
     from documents d cross join lateral ${claimRangesSql} as r
     join claims c on ${inPlace('c')} and c.claim_no >= lower(r) and c.claim_no < upper(r)
     where ${inPlace('d')} and d.document_id = any ($4) and d.erased_at is null and c.quote is not null and ${stillSaidSql('c')}
     order by c.claim_no`,
    [...placeOf(place), documentIds],
  )
  const same = sameStatements(claims)
  if (same.length === 0) return
  const renumber = (column: string) => `
    update claims c set statement_no = n.now from unnest($4::bigint[], $5::bigint[]) as n (was, now)
    where ${inPlace('c')} and c.${column} = n.was`
  const values = [...placeOf(place), ...columnsOf(same, 'from', 'to')]
  await tx.run(renumber('statement_no'), values)
  await tx.run(renumber('claim_no'), values)
}

/** Of the statements of these claims, those of which one claim counts and another does not, each by a claim of it. */
export async function listDivided(tx: Transaction, place: ScopePlace, claimNos: readonly number[]): Promise<number[]> {
  if (claimNos.length === 0) return []
  return tx.column<number>(
    `with ${claimsOfStatements}, several as materialized (select no from own group by no having count(*) > 1)
     select max(c.claim_no) from several s join own o on o.no = s.no
     cross join lateral (select * from claims where ${ofPlace} and claim_no = o.claim_no limit 1) c
     where ${stillSaidSql('c')} group by s.no having bool_or(c.superseded_at is null) and bool_or(c.superseded_at is not null)`,
    [...placeOf(place), claimNos],
  )
}

/** All claims of the statements of the claims $4: `own`, each with the number of its statement. From key to key. */
export const claimsOfStatements = `wanted as materialized (
    select distinct coalesce(c.statement_no, c.claim_no) as no from unnest($4::bigint[]) as k (claim_no)
    cross join lateral (select statement_no, claim_no from claims where ${ofPlace} and claim_no = k.claim_no limit 1) c
  ), own as materialized (
    select w.no, c.claim_no from wanted w cross join lateral (
      select claim_no from claims where ${ofPlace} and claim_no = w.no
      union all
      select claim_no from claims where ${ofPlace} and statement_no = w.no) c
  )`

export function boundsOf({ firstClaimNo, count }: ClaimRange): [number, number] {
  return [firstClaimNo, firstClaimNo + count]
}
