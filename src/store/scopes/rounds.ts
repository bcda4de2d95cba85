/**
 * A scope's state between rounds and the record of each round, read and written in the caller's transaction. Whoever
 * writes holds the scope's lock. One implementation for documents and for acts of people: rounds, decisions, state,
 * contradictions that close by themselves, certificate and events always go together.
 */

import { HISTORY_TAIL } from '../../kernel/convergence.js'
import type { KeptScope } from '../../kernel/restore.js'
import type { RoundDecision, RoundResult } from '../../kernel/round-types.js'
import type { ConvergencePoint, Examination, Gate, Mode, Workload } from '../../kernel/types.js'
import type { Glossary } from '../../reading/types.js'
import { saveCrowds } from '../claims/claims.js'
import type { RevisionRef } from '../documents/documents.js'
import { settleApprovals } from '../documents/overtaken-approvals.js'
import { appendEvents, type EventDraft } from '../events/events.js'
import { closeContradictions } from '../findings/finding-rows.js'
import type { Transaction } from '../server/database.js'
import { readExamination } from './examination.js'
import { inPlace, type NamedPlace, ofPlace, placeOf, type ScopeKey } from './scopes.js'

/** Everything a round starts from. */
export interface StoredScope extends NamedPlace {
  version: number
  glossary: Glossary
  /** For `restoreScope`. */
  kept: KeptScope
  nextClaimNo: number
  nextContradictionNo: number
  nextPossibleNo: number
  nextSupersessionNo: number
  claimsDigest: string
  policyHashes: string[]
  /** Held resolutions and changes of settings. A held finality is no obstacle to itself and not counted. */
  pending: number
  /** Documents that count, by the version of the reader that read them. */
  readers: Record<string, number>
  /** The last round after which something else counted. */
  changedRound: number
  /** Current documents by state; those that wait to be read again are queued. */
  counts: { queued: number; processing: number; held: number }
  /** Of the rounds that follow, where the scope was read under its lock. */
  recordedAt: string
  /** Of a scope that its last round left settled: when the first of the documents came that wait. Null where none does. */
  waitingSince: string | null
  /** Verdict's gates after the last round. */
  gates: Gate[]
}

/** One document less of the one version, one more of the other. */
export function moveReader(
  readers: StoredScope['readers'],
  { from, to }: { from: string | null; to: string | null },
): StoredScope['readers'] {
  const moved = { ...readers }
  if (to !== null) moved[to] = (moved[to] ?? 0) + 1
  if (from !== null) moved[from] = (moved[from] ?? 0) - 1
  return Object.fromEntries(Object.entries(moved).filter(([, documents]) => documents > 0))
}

type KeptState = NonNullable<KeptScope['kept']>

interface StateRow extends Omit<StoredScope, 'tenantId' | 'scopeNo' | 'kept'>, Omit<KeptState, 'round'> {
  mode: Mode
  settings: unknown
  chainHash: string | null
  /** Null before the first: then there is no state yet. */
  round: number | null
}

/**
 * The time that what the transaction writes is recorded at, and what findings were before is kept until. By the database's clock and taken
 * under the scope's lock: whoever had the lock after a moment has nothing to record of it (`isMomentOver`). Never before what was recorded
 * last, should that clock have been set back a little; one that was far ahead for once must not hold the case there.
 */
const takeRecordedAt = `set_config('concord.recorded_at', greatest(clock_timestamp(),
  (select max(l.at) from unnest(array[s.reset_at, t.updated_at]) as l (at) where l.at < clock_timestamp() + interval '1 hour'))::text, true)::timestamptz`

/** Undefined when there is no such scope. The three statements share a round trip. */
export async function loadScope(tx: Transaction, tenantId: string, scopeNo: number): Promise<StoredScope | undefined> {
  const [row, tail, examination] = await Promise.all([
    tx.row<StateRow>(
      `select s.scope_id as "scopeId", s.generation, s.version, s.mode, s.settings, s.glossary, s.chain_hash as "chainHash",
          json_build_object('queued', h.queued + h.rereads, 'processing', h.processing, 'held', h.held) as counts,
          ${takeRecordedAt} as "recordedAt", t.round, t.aggregates, t.decision_seq as "decisionSeq", t.decision_hash as "decisionHash", t.drift,
          t.finality, coalesce(t.next_claim_no, 0) as "nextClaimNo", coalesce(t.next_contradiction_no, 0) as "nextContradictionNo",
          coalesce(t.next_possible_no, 0) as "nextPossibleNo", coalesce(t.next_supersession_no, 0) as "nextSupersessionNo",
          coalesce(t.gates, '[]') as gates, coalesce(t.claims_digest, '') as "claimsDigest", coalesce(t.policy_hashes, '[]') as "policyHashes",
          coalesce(t.pending, 0) as pending, coalesce(t.readers, '{}') as readers, coalesce(t.changed_round, 0) as "changedRound",
          case when t.finality = 'resolved' then (select b.enqueued_at from backlog b
            where b.tenant_id = s.tenant_id and b.scope_no = s.scope_no and b.generation = s.generation and b.reread is null
            order by b.seq limit 1) end as "waitingSince"
        from scopes s
        join scope_heads h on h.tenant_id = s.tenant_id and h.scope_no = s.scope_no
        left join scope_states t on t.tenant_id = s.tenant_id and t.scope_no = s.scope_no and t.generation = s.generation
        where s.tenant_id = $1 and s.scope_no = $2`,
      [tenantId, scopeNo],
    ),
    tx.rows<{ point: ConvergencePoint; round: number }>(
      `select r.point, r.round from rounds r
        where r.tenant_id = $1 and r.scope_no = $2
          and r.generation = (select generation from scopes where tenant_id = $1 and scope_no = $2)
        order by r.round desc limit ${HISTORY_TAIL}`,
      [tenantId, scopeNo],
    ),
    readExamination(tx, { tenantId, scopeNo }),
  ])
  if (row === null) return undefined
  const points = tail.filter(each => each.round <= (row.round ?? 0)).map(each => each.point)
  return toStoredScope({ tenantId, scopeNo }, row, points.reverse(), examination)
}

/** For a transaction that writes what another one planned, under the scope's lock. `loadScope` does it itself. Null when the scope is gone. */
export async function recordFromNow(tx: Transaction, { tenantId, scopeNo }: ScopeKey): Promise<string | null> {
  return tx.value<string | null>(
    `select ${takeRecordedAt} from scopes s
     left join scope_states t on t.tenant_id = s.tenant_id and t.scope_no = s.scope_no and t.generation = s.generation
     where s.tenant_id = $1 and s.scope_no = $2`,
    [tenantId, scopeNo],
  )
}

function toStoredScope({ tenantId, scopeNo }: ScopeKey, row: StateRow, points: ConvergencePoint[], examination: Examination): StoredScope {
  const { mode, settings, chainHash, round, aggregates, decisionSeq, decisionHash, drift, finality, ...stored } = row
  const { scopeId, generation } = stored
  const kept = round === null ? null : { round, aggregates, decisionSeq, decisionHash, drift, finality }
  return { ...stored, tenantId, scopeNo, kept: { tenantId, scopeId, generation, mode, settings, chainHash, kept, points, examination } }
}

/** What the last round counted as waiting, its own document not among it. */
export async function readWorkload(tx: Transaction, { kept, ...place }: StoredScope): Promise<Workload | null> {
  return tx.row<Workload>(
    `select r.input->'workload'->'queued' as queued, r.input->'workload'->'processing' as processing, r.input->'workload'->'held' as held
     from rounds r where ${inPlace('r')} and r.round = $4`,
    [...placeOf(place), kept.kept?.round ?? 0],
  )
}

export interface RoundWrite {
  result: RoundResult
  /** The document the round is about, or that was reviewed or erased. */
  document: RevisionRef | null
  /** What a replay reads beyond the round's figures: ids, verdicts, who and why; JSON. */
  detail: Record<string, unknown>
  /** Decisions settled by this round: `approved`, `rejected`, or `obsolete` when a document moved on without them. */
  reviews?: readonly { seq: number; review: 'approved' | 'rejected' | 'obsolete' }[]
  certificate?: { certificateId: string; kid: string; certificate: string }
}

/**
 * Signs a settled scope as it stands after these rounds, all that one transaction writes with it: what counts may have changed with an
 * earlier one of them, each may have been decided under a set of its own, and with any of them the scope may have settled anew.
 */
export type Certify = (
  tx: Transaction,
  scope: StoredScope,
  rounds: readonly RoundResult[],
) => Promise<NonNullable<RoundWrite['certificate']>>

/**
 * Writes rounds that follow `before` in their order, and the state they lead to. `after` carries the counters the
 * caller has moved (claims, findings, digest); round figures come from the last result.
 */
export async function saveRounds(tx: Transaction, after: StoredScope, writes: readonly RoundWrite[]): Promise<void> {
  const last = writes.at(-1)
  if (last === undefined) return
  const results = writes.map(({ result }) => result)
  const slots = writes.flatMap(write => write.result.slots)
  await Promise.all([
    insertRounds(tx, after, writes),
    replaceFinality(tx, after, writes),
    insertDecisions(tx, after, writes),
    settleReviews(tx, after, writes),
    settleApprovals(tx, after, overtakenBy(writes)),
    closeContradictions(tx, after, results),
    upsertState(tx, { ...after, ...foldRounds(after, results) }, last.result),
    insertCertificates(tx, after, writes),
    saveCrowds(tx, after, slots),
    appendEvents(tx, after, writes.flatMap(eventsOf(after.scopeId))),
  ])
}

/** What rounds leave to those that follow and to a certificate, whichever of them it came with. */
export function foldRounds(
  { changedRound, policyHashes }: StoredScope,
  results: readonly RoundResult[],
): Pick<StoredScope, 'changedRound' | 'policyHashes'> {
  const decided = results.flatMap(({ decisions }) => decisions.map(each => each.record.policy_hash))
  return {
    changedRound: results.findLast(({ changesWhatCounts }) => changesWhatCounts)?.round ?? changedRound,
    policyHashes: [...new Set([...policyHashes, ...decided])],
  }
}

function eventsOf(scopeId: string): (write: RoundWrite) => EventDraft[] {
  return ({ result, certificate }) => {
    if (certificate === undefined) return result.events
    const data = { scope_id: scopeId, certificate_id: certificate.certificateId, round: result.round, kid: certificate.kid }
    return [...result.events, { type: 'certificate.issued', data }]
  }
}

/** What waits for a person. Of several proposals of finality only the last can wait, unless who signed off has answered it. */
function reviewOf(
  row: RoundDecision,
  lastFinality: RoundDecision | undefined,
  answered: ReadonlySet<number>,
): 'pending' | 'obsolete' | 'approved' | null {
  if (row.record.outcome !== 'hold' || row.proposal.kind === 'review') return null
  if (answered.has(row.record.seq)) return 'approved'
  return row.proposal.kind === 'finality' && row !== lastFinality ? 'obsolete' : 'pending'
}

async function insertRounds(tx: Transaction, place: StoredScope, writes: readonly RoundWrite[]): Promise<void> {
  await tx.run(
    `insert into rounds (tenant_id, scope_no, generation, round, kind, document_id, revision, input, point, recorded_at, waiting_since)
     select $1, $2, $3, r.round, r.kind, r.document_id, r.revision, r.input::json, r.point::json, $4, $11
     from unnest($5::bigint[], $6::text[], $7::text[], $8::integer[], $9::text[], $10::text[]) as r (round, kind, document_id, revision, input, point)`,
    [
      ...placeOf(place),
      place.recordedAt,
      writes.map(({ result }) => result.round),
      writes.map(({ result }) => result.kind),
      writes.map(({ document }) => document?.documentId ?? null),
      writes.map(({ document }) => document?.revision ?? null),
      writes.map(write => JSON.stringify(roundInput(write))),
      writes.map(({ result }) => JSON.stringify(result.point)),
      place.waitingSince,
    ],
  )
}

/** The part of a round that a replay of the kernel needs; settings travel with the first round and with each change. */
function roundInput({ result, detail }: RoundWrite): Record<string, unknown> {
  const { outcome, applied, puts, change, workload, verdict, finality, scope } = result
  const settings = result.round === 1 || puts ? { mode: scope.mode, settings: scope.settings } : {}
  return {
    ...detail,
    outcome,
    applied,
    change,
    aggregates: scope.aggregates,
    workload,
    status: verdict.status,
    finality: finality.to,
    examination: scope.examination,
    ...(result.changesWhatCounts ? { changes: true } : {}),
    ...(result.closes.length === 0 ? {} : { closes: result.closes }),
    ...(result.possible.closes.length === 0 ? {} : { possible_closes: result.possible.closes }),
    ...(result.possible.reopens.length === 0 ? {} : { possible_reopens: result.possible.reopens }),
    ...(puts ? { puts } : {}),
    ...settings,
  }
}

async function insertDecisions(tx: Transaction, place: StoredScope, writes: readonly RoundWrite[]): Promise<void> {
  const rows = writes.flatMap(({ result, document }) => result.decisions.map(decision => ({ ...decision, round: result.round, document })))
  if (rows.length === 0) return
  const lastFinality = rows.findLast(row => row.proposal.kind === 'finality')
  const answered = new Set(
    rows.flatMap(({ proposal, record }) => (proposal.kind === 'review' && record.outcome === 'admit' ? proposal.decisionSeq : [])),
  )
  await tx.run(
    `insert into decisions (tenant_id, scope_no, generation, seq, decision_id, round, kind, document_id, revision, outcome, policy_hash,
       policies, reasons, obligations, proposal, state, proposal_digest, state_digest, prev_hash, hash, review, reasons_digest, salt, recorded_at)
     select $1, $2, $3, d.seq, d.decision_id, d.round, d.kind, d.document_id, d.revision, d.outcome, d.policy_hash, d.policies::json,
       d.reasons::json, d.obligations::json, d.proposal::json, d.state::json, d.proposal_digest, d.state_digest, d.prev_hash, d.hash, d.review,
       d.reasons_digest, d.salt, $4
     from unnest($5::bigint[], $6::text[], $7::bigint[], $8::text[], $9::text[], $10::integer[], $11::text[], $12::text[], $13::text[],
       $14::text[], $15::text[], $16::text[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[], $23::text[], $24::text[])
       as d (seq, decision_id, round, kind, document_id, revision, outcome, policy_hash, policies, reasons, obligations, proposal, state,
         proposal_digest, state_digest, prev_hash, hash, review, reasons_digest, salt)`,
    [
      ...placeOf(place),
      place.recordedAt,
      rows.map(row => row.record.seq),
      rows.map(row => row.decisionId),
      rows.map(row => row.round),
      rows.map(row => row.proposal.kind),
      rows.map(row => (row.proposal.kind === 'finality' ? null : (row.document?.documentId ?? null))),
      rows.map(row => (row.proposal.kind === 'finality' ? null : (row.document?.revision ?? null))),
      rows.map(row => row.record.outcome),
      rows.map(row => row.record.policy_hash),
      rows.map(row => JSON.stringify(row.record.policies)),
      rows.map(row => JSON.stringify(row.record.reasons)),
      rows.map(row => JSON.stringify(row.record.obligations)),
      rows.map(row => JSON.stringify(row.proposal)),
      rows.map(row => JSON.stringify(row.state)),
      rows.map(row => row.record.proposal_digest),
      rows.map(row => row.record.state_digest),
      rows.map(row => row.record.prev_hash),
      rows.map(row => row.record.hash),
      rows.map(row => reviewOf(row, lastFinality, answered)),
      rows.map(row => row.record.reasons_digest),
      rows.map(row => row.record.salt),
    ],
  )
}

/** Before the new decisions are written: a newer proposal of finality takes the place of one that waits. */
async function replaceFinality(tx: Transaction, place: StoredScope, writes: readonly RoundWrite[]): Promise<void> {
  if (!writes.some(({ result }) => result.decisions.some(({ proposal }) => proposal.kind === 'finality'))) return
  await tx.run(`update decisions set review = 'obsolete' where ${ofPlace} and review = 'pending' and kind = 'finality'`, placeOf(place))
}

async function settleReviews(tx: Transaction, place: StoredScope, writes: readonly RoundWrite[]): Promise<void> {
  const reviews = writes.flatMap(write => write.reviews ?? [])
  if (reviews.length === 0) return
  await tx.run(
    `update decisions d set review = r.review from unnest($4::bigint[], $5::text[]) as r (seq, review)
     where ${inPlace('d')} and d.seq = r.seq and d.review = 'pending'`,
    [...placeOf(place), reviews.map(each => each.seq), reviews.map(each => each.review)],
  )
}

/** Approvals that the rounds record and that nothing came of. */
function overtakenBy(writes: readonly RoundWrite[]): Parameters<typeof settleApprovals>[2] {
  const seqsOf = ({ proposal }: RoundDecision) =>
    proposal.kind === 'review' && proposal.overtaken !== undefined ? proposal.decisionSeq : []
  return {
    documentIds: writes.flatMap(({ document }) => document?.documentId ?? []),
    decisionSeqs: writes.flatMap(({ result }) => result.decisions.flatMap(seqsOf)),
  }
}

async function upsertState(tx: Transaction, after: StoredScope, result: RoundResult): Promise<void> {
  const { scope, point, verdict } = result
  await tx.run(
    `insert into scope_states as s (tenant_id, scope_no, generation, round, next_claim_no, next_contradiction_no, next_possible_no,
       next_supersession_no, aggregates, decision_seq, decision_hash, drift, convergence, finality, gates, updated_at, claims_digest, policy_hashes, readers, changed_round, pending)
     values ($1, $2, $3, $4, $5, $6, $7, $18, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $19, $20,
       (select count(*) from decisions where ${ofPlace} and review = 'pending' and kind not in ('document', 'finality')))
     on conflict (tenant_id, scope_no, generation) do update set
       round = excluded.round, next_claim_no = excluded.next_claim_no, next_contradiction_no = excluded.next_contradiction_no,
       next_possible_no = excluded.next_possible_no, next_supersession_no = excluded.next_supersession_no, aggregates = excluded.aggregates,
       decision_seq = excluded.decision_seq, decision_hash = excluded.decision_hash, drift = excluded.drift,
       convergence = excluded.convergence, finality = excluded.finality, gates = excluded.gates, updated_at = excluded.updated_at,
       claims_digest = excluded.claims_digest, policy_hashes = excluded.policy_hashes, readers = excluded.readers, changed_round = excluded.changed_round,
       pending = excluded.pending`,
    [
      ...placeOf(after),
      scope.round,
      after.nextClaimNo,
      after.nextContradictionNo,
      after.nextPossibleNo,
      JSON.stringify(scope.aggregates),
      scope.chain.seq + 1,
      scope.chain.hash,
      JSON.stringify(scope.drift),
      JSON.stringify(point),
      scope.finality,
      JSON.stringify(verdict.gates),
      after.recordedAt,
      after.claimsDigest,
      JSON.stringify(after.policyHashes),
      after.nextSupersessionNo,
      JSON.stringify(after.readers),
      after.changedRound,
    ],
  )
}

async function insertCertificates(tx: Transaction, place: StoredScope, writes: readonly RoundWrite[]): Promise<void> {
  for (const { result, certificate } of writes) {
    if (certificate === undefined) continue
    await tx.run(
      `insert into certificates (tenant_id, scope_no, generation, round, certificate_id, kid, certificate, issued_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [...placeOf(place), result.round, certificate.certificateId, certificate.kid, certificate.certificate, place.recordedAt],
    )
  }
}
