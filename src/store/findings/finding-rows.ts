/**
 * Rows of findings are written here: contradictions with their sides, possible conflicts, supersessions. What they say of themselves
 * comes from the rounds and acts; which are open follows from what counts (`settling.ts`). With a later reading they go on or lapse
 * (`later-readings.ts`), and erasing blanks words of theirs (`maintenance/erasure-findings.ts`). Under the scope's lock.
 */

import type { RoundResult } from '../../kernel/round-types.js'
import { dismissals } from '../../kernel/standing.js'
import type { Severity } from '../../kernel/types.js'
import { storableJson } from '../../platform/storable-text.js'
import type { ConflictKind, ContradictionFound, Evidence } from '../../reading/types.js'
import { slotHash } from '../claims/slot-hash.js'
import { inPlace, ofPlace, placeOf, type RecordedPlace, type ScopePlace } from '../scopes/scopes.js'
import { columnsOf } from '../server/columns.js'
import type { Transaction } from '../server/database.js'
import type { PossibleDecision, PossibleRow } from './possible-conflicts.js'
import type { Objection, SupersessionKind } from './supersessions.js'

interface FindingWrite {
  contradictionNo: number
  contradictionId: string
  found: ContradictionFound
  round: number
}

export interface SideWrite {
  contradictionNo: number
  side: 'a' | 'b'
  claimNo: number
  /** Shown as a or b; the others are supporters. */
  lead: boolean
}

export async function insertFindings(
  tx: Transaction,
  place: RecordedPlace,
  findings: readonly FindingWrite[],
  sides: readonly SideWrite[],
): Promise<void> {
  const sent: Promise<unknown>[] = []
  if (findings.length > 0) sent.push(insertContradictions(tx, place, findings.map(toRow)))
  if (sides.length > 0) sent.push(insertSides(tx, place, sides))
  await Promise.all(sent)
}

function toRow({ contradictionNo: no, contradictionId: id, round, found }: FindingWrite) {
  const { a, b, supportersA, supportersB, ...columns } = found
  return { no, id, round, slotHash: slotHash(found.slotKey), ...columns }
}

async function insertContradictions(tx: Transaction, place: RecordedPlace, rows: readonly object[]): Promise<void> {
  await tx.run(
    `insert into contradictions (tenant_id, scope_no, generation, contradiction_no, contradiction_id, status, kind, severity, slot_hash,
       slot_key, group_a, group_b, subject, attribute, reason, evidence, reported, found_by, confidence, detected_at, detected_round)
     select $1, $2, $3, no, id, 'open', kind, severity, "slotHash", "slotKey", "groupA", "groupB", subject, attribute, reason, evidence,
       reported, "foundBy", confidence, $4, round
     from json_to_recordset($5::json) as x (no bigint, id text, kind text, severity text, "slotHash" bigint, "slotKey" text, "groupA" text,
       "groupB" text, subject text, attribute text, reason text, evidence json, reported json, "foundBy" text, confidence real, round bigint)`,
    [...placeOf(place), place.recordedAt, storableJson(rows)],
  )
}

export async function insertSides(tx: Transaction, place: ScopePlace, sides: readonly SideWrite[]): Promise<void> {
  await tx.run(
    `insert into contradiction_sides (tenant_id, scope_no, generation, contradiction_no, side, claim_no, lead)
     select $1, $2, $3, s.* from json_to_recordset($4::json) as s ("contradictionNo" bigint, side text, "claimNo" bigint, lead boolean)
     on conflict do nothing`,
    [...placeOf(place), storableJson(sides)],
  )
}

export interface ReportedContradiction {
  contradictionNo: number
  contradictionId: string
  severity: 'low' | 'medium' | 'high' | 'critical'
  reason: string
  /** `person:<name>`; null where nobody is named. */
  foundBy: string | null
  /** What was handed in; null for one about passages, whose claims stand on its sides. */
  reported: Record<string, unknown> | null
  /** Of one about passages: where it is found among others. */
  slot: { slotKey: string; groupA: string; groupB: string } | null
  round: number
}

export async function insertReported(tx: Transaction, place: RecordedPlace, reported: ReportedContradiction): Promise<void> {
  const { contradictionNo: no, contradictionId: id, slot, ...row } = reported
  await insertContradictions(tx, place, [
    { no, id, kind: 'reported', ...row, ...slot, slotHash: slot === null ? null : slotHash(slot.slotKey) },
  ])
}

export async function saveResolution(
  tx: Transaction,
  scope: RecordedPlace,
  contradictionNo: number,
  change: { status: 'resolved' | 'dismissed'; resolution: Record<string, unknown> },
): Promise<void> {
  await tx.run(
    `update contradictions set status = $5, closed_itself = false, resolution = $6, resolved_at = $7
     where ${ofPlace} and contradiction_no = $4`,
    [...placeOf(scope), contradictionNo, change.status, JSON.stringify(change.resolution), scope.recordedAt],
  )
}

export async function reopenContradictions(tx: Transaction, scope: ScopePlace, contradictionNos: readonly number[]): Promise<void> {
  if (contradictionNos.length === 0) return
  await tx.run(
    `update contradictions set status = 'open', closed_itself = false, resolution = null, resolved_at = null
     where ${ofPlace} and contradiction_no = any ($4::bigint[])`,
    [...placeOf(scope), contradictionNos],
  )
}

/** What made these was taken back: they never open by themselves. */
export async function takeBack(tx: Transaction, scope: ScopePlace, contradictionNos: readonly number[]): Promise<void> {
  if (contradictionNos.length === 0) return
  const statement = `update contradictions set in_force = false where ${ofPlace} and contradiction_no = any ($4::bigint[])`
  await tx.run(statement, [...placeOf(scope), contradictionNos])
}

/** Those that close by themselves with these rounds. A word that had no effect is not lost with that: it stays on record. */
export async function closeContradictions(
  tx: Transaction,
  place: RecordedPlace,
  rounds: readonly Pick<RoundResult, 'round' | 'kind' | 'closes'>[],
): Promise<void> {
  const closing = rounds.flatMap(({ round, kind, closes }) =>
    closes.map(id => ({ id, round, reason: closedBecause(kind, 'A side has no live claim left.') })),
  )
  if (closing.length === 0) return
  const resolutionOf = ({ round, reason }: { round: number; reason: string }) =>
    JSON.stringify({ verdict: 'superseded', reason, by: 'system', resolved_at: place.recordedAt, round })
  await tx.run(
    `update contradictions c set status = 'resolved', closed_itself = true, resolved_at = $2, resolution = r.resolution::json
     from unnest($3::text[], $4::text[]) as r (contradiction_id, resolution)
     where c.tenant_id = $1 and c.contradiction_id = r.contradiction_id and c.status = 'open' and c.resolution is null`,
    [place.tenantId, place.recordedAt, closing.map(each => each.id), closing.map(resolutionOf)],
  )
  await tx.run(
    `update contradictions x set status = ${statusOfWord} where x.tenant_id = $1 and x.contradiction_id = any ($2::text[])
       and x.status = 'open' and x.resolution is not null`,
    [place.tenantId, closing.map(each => each.id)],
  )
}

const statusOfWord = `case when x.resolution->>'verdict' in (${dismissals.map(each => `'${each}'`).join(', ')}) then 'dismissed' else 'resolved' end`

function closedBecause(kind: RoundResult['kind'], otherwise: string): string {
  return kind === 'reread' ? 'It was not found again when one of its documents was reread.' : otherwise
}

/** A word without effect stays on record, and what it is about is open. */
export async function showWords(
  tx: Transaction,
  scope: ScopePlace,
  shown: { open: readonly number[]; decided: readonly number[] },
): Promise<void> {
  if (shown.open.length + shown.decided.length === 0) return
  await tx.run(
    `update contradictions x set status = case
       when x.contradiction_no = any ($4::bigint[]) then 'open' else ${statusOfWord} end
     where ${inPlace('x')} and x.resolution is not null and (x.contradiction_no = any ($4::bigint[])
       or (x.contradiction_no = any ($5::bigint[]) and x.status = 'open'))`,
    [...placeOf(scope), shown.open, shown.decided],
  )
}

/** What became of a word after it was given: without effect since a side is no longer said, or applied again since it is. */
export interface WordEffect {
  state: 'on_record' | 'again'
  since: string
  round: number
}

export async function markWords(
  tx: Transaction,
  scope: RecordedPlace,
  { lapse, again }: { lapse: readonly { no: number }[]; again: readonly { no: number }[] },
  round: number,
): Promise<void> {
  const effectOf = (state: WordEffect['state']): WordEffect => ({ state, since: scope.recordedAt, round })
  const marks = [
    ...lapse.map(({ no }) => ({ no, effect: JSON.stringify(effectOf('on_record')) })),
    ...again.map(({ no }) => ({ no, effect: JSON.stringify(effectOf('again')) })),
  ]
  if (marks.length === 0) return
  await tx.run(
    `update contradictions x set resolution = (x.resolution::jsonb || jsonb_build_object('effect', m.effect::jsonb))::json
     from unnest($4::bigint[], $5::text[]) as m (no, effect)
     where ${inPlace('x')} and x.contradiction_no = m.no and x.resolution is not null`,
    [...placeOf(scope), ...columnsOf(marks, 'no', 'effect')],
  )
}

export interface PossibleWrite {
  possibleNo: number
  possibleConflictId: string
  kind: ConflictKind
  severity: Severity
  scoreMicros: number
  claimA: number
  claimB: number
  slotKey: string | null
  groupA: string | null
  groupB: string | null
  reason: string
  evidence: Evidence | null
  /** Absent for the rules. */
  foundBy?: string
  proposes?: 'replacement'
  /** Who cleared it, and why; absent while it is open. */
  cleared?: { by: string; reason: string }
  round: number
}

export async function insertPossible(tx: Transaction, place: RecordedPlace, writes: readonly PossibleWrite[]): Promise<void> {
  if (writes.length === 0) return
  await tx.run(
    `insert into possible_conflicts (tenant_id, scope_no, generation, possible_no, possible_conflict_id, status, kind, severity, score_micros,
       claim_a, claim_b, slot_key, group_a, group_b, reason, evidence, found_by, proposes, decision, detected_at, detected_round)
     select $1, $2, $3, "possibleNo", "possibleConflictId", case when decision is null then 'open' else 'cleared' end, kind, severity, "scoreMicros", "claimA", "claimB", "slotKey", "groupA",
       "groupB", reason, evidence, "foundBy", proposes, decision, $4, round
     from json_to_recordset($5::json) as p ("possibleNo" bigint, "possibleConflictId" text, kind text, severity text, "scoreMicros" integer,
       "claimA" bigint, "claimB" bigint, "slotKey" text, "groupA" text, "groupB" text, reason text, evidence json, "foundBy" text, proposes text, decision json,
         round bigint)`,
    [...placeOf(place), place.recordedAt, storableJson(writes.map(each => withDecision(each, place.recordedAt)))],
  )
}

function withDecision({ cleared, ...write }: PossibleWrite, decidedAt: string) {
  if (cleared === undefined) return { ...write, decision: null }
  const decision: PossibleDecision = { verdict: 'clear', ...cleared, decided_at: decidedAt, round: write.round }
  return { ...write, decision }
}

/** What a person decided; null takes it back. */
export async function decidePossible(
  tx: Transaction,
  scope: ScopePlace,
  possibleNo: number,
  { status, decision, contradictionNo }: Pick<PossibleRow, 'status' | 'decision'> & { contradictionNo: number | null },
): Promise<void> {
  await tx.run(
    `update possible_conflicts set status = $5, closed_itself = false, decision = $6, contradiction_no = $7
     where ${ofPlace} and possible_no = $4`,
    [...placeOf(scope), possibleNo, status, decision === null ? null : JSON.stringify(decision), contradictionNo],
  )
}

/** Those that close or open by themselves with these rounds; before the scope is certified, which counts them. */
export async function movePossible(
  tx: Transaction,
  scope: RecordedPlace,
  rounds: readonly Pick<RoundResult, 'round' | 'kind' | 'possible'>[],
): Promise<void> {
  const closes = rounds.flatMap(({ round, kind, possible }) => possible.closes.map(id => ({ id, round, kind })))
  const reopens = rounds.flatMap(({ possible }) => possible.reopens)
  const decision = ({ round, kind }: Pick<RoundResult, 'round' | 'kind'>): PossibleDecision => {
    const reason = closedBecause(kind, 'One of its claims no longer counts, or it was found before.')
    return { verdict: 'superseded', reason, by: 'system', decided_at: scope.recordedAt, round }
  }
  const sent: Promise<unknown>[] = []
  if (closes.length > 0) {
    sent.push(
      tx.run(
        `update possible_conflicts p set status = 'dismissed', closed_itself = true, decision = m.decision::json
          from unnest($2::text[], $3::text[]) as m (id, decision)
          where p.tenant_id = $1 and p.possible_conflict_id = m.id and p.status = 'open'`,
        [scope.tenantId, closes.map(each => each.id), closes.map(each => JSON.stringify(decision(each)))],
      ),
    )
  }
  if (reopens.length > 0) {
    sent.push(
      tx.run(
        `update possible_conflicts set status = 'open', closed_itself = false, decision = null
          where tenant_id = $1 and possible_conflict_id = any ($2::text[]) and status = 'dismissed'`,
        [scope.tenantId, reopens],
      ),
    )
  }
  await Promise.all(sent)
}

export interface SupersessionWrite {
  supersessionNo: number
  supersessionId: string
  kind: SupersessionKind
  claimNo: number
  byClaimNo: number
  reason: string
  evidence: Evidence | null
  /** Absent for the rules. */
  foundBy?: string
  round: number
}

export async function insertSupersessions(tx: Transaction, place: RecordedPlace, writes: readonly SupersessionWrite[]): Promise<void> {
  if (writes.length === 0) return
  await tx.run(
    `insert into supersessions (tenant_id, scope_no, generation, supersession_no, supersession_id, status, kind, claim_no, by_claim_no, reason,
       evidence, found_by, detected_at, detected_round)
     select $1, $2, $3, "supersessionNo", "supersessionId", 'standing', kind, "claimNo", "byClaimNo", reason, evidence, "foundBy", $4, round
     from json_to_recordset($5::json) as p ("supersessionNo" bigint, "supersessionId" text, kind text, "claimNo" bigint, "byClaimNo" bigint,
       reason text, evidence json, "foundBy" text, round bigint)`,
    [...placeOf(place), place.recordedAt, storableJson(writes)],
  )
}

/** Objected to, each with the contradiction it became; without an objection they stand again. */
export async function objectTo(
  tx: Transaction,
  scope: ScopePlace,
  pairs: readonly { supersessionNo: number; contradictionNo: number | null }[],
  objection: Objection | null,
): Promise<void> {
  const state = objection === null ? ['standing', null] : ['objected', JSON.stringify(objection)]
  await tx.run(
    `update supersessions p set status = $6, objection = $7, contradiction_no = o.contradiction_no
     from unnest($4::bigint[], $5::bigint[]) as o (no, contradiction_no)
     where ${inPlace('p')} and p.supersession_no = o.no`,
    [...placeOf(scope), ...columnsOf(pairs, 'supersessionNo', 'contradictionNo'), ...state],
  )
}

export async function withdrawSupersessions(tx: Transaction, scope: ScopePlace, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return
  await tx.run(
    `update supersessions p set status = 'withdrawn' where ${inPlace('p')} and p.supersession_no = any ($4::bigint[]) and p.status = 'standing'`,
    [...placeOf(scope), numbers],
  )
}
