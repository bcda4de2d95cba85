/**
 * Claims as processing needs them: found by slot through an index and never by scanning the scope, written many at a
 * time. A slot is looked at through its newest `windowClaims` live claims; where there are more, `slot_crowds` keeps its
 * figures, so a fact repeated a hundred thousand times costs no more than one repeated twice.
 *
 * Claims read here carry an empty quote: what was concluded must not depend on text that may be erased.
 */

import type { ExtractedClaim, PlacedClaim } from '../../reading/types.js'
import { inPlace, ofPlace, placeOf, type RecordedPlace, type ScopePlace } from '../scopes/scopes.js'
import { dateArray, float4Array, int4Array, int8Array, textArray } from '../server/binary-arrays.js'
import { columnsOf } from '../server/columns.js'
import type { Transaction } from '../server/database.js'
import { parseBody } from './claim-body.js'
import { type ClaimEnd, stillSaidSql } from './claim-ends.js'
import { slotHash } from './slot-hash.js'

/** How many live claims of a slot a round looks at, newest first. */
export const windowClaims = 64

export interface StoredClaim extends PlacedClaim {
  claimNo: number
}

/** A claim as it is read: plain, so that it can travel to where it is looked at. */
export interface ClaimRow {
  claim_no: number
  claim_id: string
  document_id: string
  revision: number
  start_at: number
  end_at: number
  subject: string
  attribute: string
  confidence: number
  slot_hash: number
  /** JSON, not parsed on the way. */
  body: string
}

/** Of a row `c`. */
export const claimRowColumns =
  'c.claim_no, c.claim_id, c.document_id, c.revision, c.start_at, c.end_at, c.subject, c.attribute, c.confidence, c.slot_hash, c.body::text as body'

/** Newest first within each slot; claims that only share a hash are left out. */
export async function readLiveBySlots(tx: Transaction, place: ScopePlace, slotKeys: ReadonlySet<string>): Promise<StoredClaim[]> {
  return (await readLiveRowsBySlots(tx, place, slotKeys, new Set())).map(toClaim).filter(claim => slotKeys.has(claim.slotKey))
}

/**
 * Two bounds instead of an equality: with it the planner takes the newest claims of the scope for a way to the newest of a
 * slot, and reads the whole scope for a slot that has none.
 */
export const liveBySlots = `
  with wanted as materialized (
    select k.slot_hash from unnest($4::bigint[]) as k (slot_hash)
    union
    select c.slot_hash from unnest($5::bigint[]) as n (claim_no)
    cross join lateral (
      select slot_hash from claims
      where ${ofPlace} and claim_no = n.claim_no and superseded_at is null limit 1
    ) c
  )
  select ${claimRowColumns} from wanted as k
  cross join lateral (
    select * from claims
    where ${ofPlace} and slot_hash >= k.slot_hash and slot_hash <= k.slot_hash and superseded_at is null
    order by slot_hash desc, claim_no desc limit ${windowClaims}
  ) c`

/**
 * The live claims of these slots, and of the slots the numbered claims stand in: newest first within each slot. A claim
 * that only shares a slot's hash may be among them.
 */
export async function readLiveRowsBySlots(
  tx: Transaction,
  place: ScopePlace,
  slotKeys: ReadonlySet<string>,
  claimNos: ReadonlySet<number>,
): Promise<ClaimRow[]> {
  if (slotKeys.size + claimNos.size === 0) return []
  return tx.rows<ClaimRow>(liveBySlots, [...placeOf(place), [...new Set([...slotKeys].map(slotHash))], [...claimNos]])
}

/**
 * Of the numbered claims, those that another document's claim replaced. What is no longer said is history and no rival, and replaces nothing.
 */
export async function readSupersededRows(tx: Transaction, place: ScopePlace, claimNos: ReadonlySet<number>): Promise<ClaimRow[]> {
  if (claimNos.size === 0) return []
  return tx.rows<ClaimRow>(
    `select ${claimRowColumns} from unnest($4::bigint[]) as k (claim_no)
     cross join lateral (
       select * from claims o
       where ${inPlace('o')} and o.claim_no = k.claim_no and o.superseded_by is not null
         and exists (
           select from supersessions p
           join claims b on ${inPlace('b')} and b.claim_no = p.by_claim_no and b.document_id <> o.document_id
           where ${inPlace('p')} and p.claim_no = o.claim_no and p.kind <> 'revision' and p.status = 'standing' and ${stillSaidSql('b')})
         and ${stillSaidSql('o')}
       limit 1
     ) c`,
    [...placeOf(place), [...claimNos]],
  )
}

export interface ClaimRange {
  firstClaimNo: number
  count: number
}

/** Live claims of documents, whose claims are contiguous. */
export async function readLiveRowsByRanges(tx: Transaction, place: ScopePlace, ranges: readonly ClaimRange[]): Promise<ClaimRow[]> {
  const filled = ranges.filter(range => range.count > 0).sort((one, other) => one.firstClaimNo - other.firstClaimNo)
  if (filled.length === 0) return []
  return tx.rows<ClaimRow>(
    `select ${claimRowColumns} from unnest($4::bigint[], $5::bigint[]) as k (first_no, past_no)
     cross join lateral (
       select * from claims
       where ${ofPlace} and claim_no >= k.first_no and claim_no < k.past_no
       order by claim_no limit k.past_no - k.first_no
     ) c
     where c.superseded_at is null`,
    [...placeOf(place), filled.map(range => range.firstClaimNo), filled.map(range => range.firstClaimNo + range.count)],
  )
}

export function toClaim(row: ClaimRow): StoredClaim {
  const claim = parseBody(row.body) as StoredClaim
  claim.claimNo = row.claim_no
  claim.claimId = row.claim_id
  claim.documentId = row.document_id
  claim.revision = row.revision
  claim.quote = ''
  claim.start = row.start_at
  claim.end = row.end_at
  claim.subject = row.subject
  claim.attribute = row.attribute
  claim.confidence = row.confidence
  return claim
}

/** Without its place in the scope, with the words it stands in. */
export function toExtracted(row: ClaimRow, quote: string): ExtractedClaim {
  const { claimNo, claimId, documentId, revision, slotKey, lookupKeys, superseded, ...claim } = toClaim(row)
  return { ...claim, quote }
}

export interface SlotFigures {
  slotKey: string
  live: number
  bestMicros: number
}

/** Figures of crowded slots among these; others are not listed. */
export async function readCrowds(tx: Transaction, place: ScopePlace, slotKeys: readonly string[]): Promise<SlotFigures[]> {
  if (slotKeys.length === 0) return []
  return tx.rows<SlotFigures>(
    `select c.slot_key as "slotKey", c.live, c.best_micros as "bestMicros" from unnest($4::bigint[], $5::text[]) as k (slot_hash, slot_key)
     cross join lateral (
       select slot_key, live, best_micros from slot_crowds
       where ${ofPlace} and slot_hash = k.slot_hash and slot_key = k.slot_key
       limit 1
     ) c`,
    [...placeOf(place), slotKeys.map(slotHash), slotKeys],
  )
}

/** Keeps the figures of touched slots that have become, or still are, too crowded to be looked at whole. */
export async function saveCrowds(tx: Transaction, place: ScopePlace, slots: readonly SlotFigures[]): Promise<void> {
  const crowded = [...new Map(slots.map(slot => [slot.slotKey, slot])).values()].filter(slot => slot.live >= windowClaims)
  if (crowded.length === 0) return
  await tx.run(
    `insert into slot_crowds (tenant_id, scope_no, generation, slot_hash, slot_key, live, best_micros)
     select $1, $2, $3, k.slot_hash, k.slot_key, k.live, k.best
     from unnest($4::bigint[], $5::text[], $6::integer[], $7::integer[]) as k (slot_hash, slot_key, live, best)
     on conflict (tenant_id, scope_no, generation, slot_hash, slot_key) do update set live = excluded.live, best_micros = excluded.best_micros`,
    [...placeOf(place), crowded.map(slot => slotHash(slot.slotKey)), ...columnsOf(crowded, 'slotKey', 'live', 'bestMicros')],
  )
}

/** Of a claim, what has a column of its own. */
type ClaimColumns = Pick<
  PlacedClaim,
  'claimId' | 'documentId' | 'revision' | 'quote' | 'start' | 'end' | 'subject' | 'attribute' | 'confidence' | 'period' | 'slotKey'
>

export interface ClaimWrite {
  claimNo: number
  claim: ClaimColumns
  /** `claimBody` of the claim. */
  body: string
  round: number
  /** Set when a later claim of the same commit has ended this one already. */
  ended: ClaimEnd | null
}

export async function insertClaims(tx: Transaction, place: RecordedPlace, writes: readonly ClaimWrite[]): Promise<void> {
  if (writes.length === 0) return
  await tx.run(
    `insert into claims (tenant_id, scope_no, generation, claim_no, claim_id, document_id, revision, quote, start_at, end_at, slot_hash,
       subject, subject_hash, attribute, confidence, valid_from, valid_to, recorded_at, recorded_round, superseded_at, superseded_round,
       superseded_by, superseded_reason, body)
     select $1, $2, $3, c.claim_no, c.claim_id, c.document_id, c.revision, c.quote, c.start_at, c.end_at, c.slot_hash, c.subject,
       concord_subject_hash(c.subject), c.attribute,
       c.confidence, c.valid_from, c.valid_to, $4, c.round, case when c.ended_round is null then null else $4::timestamptz end, c.ended_round,
       c.ended_by, c.ended_reason, c.body::json
     from unnest($5::bigint[], $6::text[], $7::text[], $8::integer[], $9::text[], $10::integer[], $11::integer[], $12::bigint[], $13::text[],
       $14::text[], $15::real[], $16::date[], $17::date[], $18::bigint[], $19::bigint[], $20::text[], $21::text[], $22::text[])
       as c (claim_no, claim_id, document_id, revision, quote, start_at, end_at, slot_hash, subject, attribute, confidence, valid_from,
         valid_to, round, ended_round, ended_by, ended_reason, body)`,
    [
      ...placeOf(place),
      place.recordedAt,
      int8Array(writes.map(write => write.claimNo)),
      textArray(writes.map(({ claim }) => claim.claimId)),
      textArray(writes.map(({ claim }) => claim.documentId)),
      int4Array(writes.map(({ claim }) => claim.revision)),
      textArray(writes.map(({ claim }) => claim.quote)),
      int4Array(writes.map(({ claim }) => claim.start)),
      int4Array(writes.map(({ claim }) => claim.end)),
      int8Array(writes.map(({ claim }) => slotHash(claim.slotKey))),
      textArray(writes.map(({ claim }) => claim.subject)),
      textArray(writes.map(({ claim }) => claim.attribute)),
      float4Array(writes.map(({ claim }) => claim.confidence)),
      dateArray(writes.map(({ claim }) => claim.period?.from ?? null)),
      dateArray(writes.map(({ claim }) => claim.period?.to ?? null)),
      int8Array(writes.map(write => write.round)),
      int8Array(writes.map(write => write.ended?.round ?? null)),
      textArray(writes.map(write => write.ended?.byClaimId ?? null)),
      textArray(writes.map(write => write.ended?.reason ?? null)),
      textArray(writes.map(write => write.body)),
    ],
  )
}
