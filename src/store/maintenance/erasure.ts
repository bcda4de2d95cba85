/**
 * Erases the words of a document wherever the database keeps them: ids, numbers, hashes and digests stay. `steps` is the
 * one list of places; whoever adds a table or column that can hold words of a document adds its step here, and
 * `test/scopes/erasure.test.ts` and `erasure-said.test.ts` look through every column of every table for words that stayed. Under the scope's lock, after the
 * document's claims have been ended. Doing it again changes nothing.
 */

import { removeTerms } from '../claims/claim-terms.js'
import { claimsOfStatements } from '../claims/statements.js'
import { claimRangesSql } from '../documents/documents.js'
import { eraseSent } from '../documents/model-off.js'
import { eraseModelReadings } from '../documents/model-readings.js'
import { removePassages } from '../documents/passages.js'
import { blankWordsOfEvents } from '../events/events.js'
import { blankComments } from '../findings/comments.js'
import { eraseFindingHistory } from '../findings/finding-history.js'
import { isReportedOf } from '../findings/reports.js'
import { inPlace, ofPlace, placeOf, type RecordedPlace, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'
import { type Erasing, eraseFindings, erasePossible, eraseReports, eraseSupersessions } from './erasure-findings.js'

type Step = (erasing: Erasing) => Promise<unknown>

/** Findings come before claims: what is left of a finding comes from the claims of other documents. */
const steps: readonly Step[] = [
  eraseFindings,
  eraseReports,
  erasePossible,
  eraseSupersessions,
  erasing => eraseFindingHistory(erasing.tx, erasing.scope, erasing),
  ({ tx, scope, contradictionNos }) => blankComments(tx, scope, contradictionNos),
  eraseEnds,
  eraseCrowds,
  ({ tx, scope, claimNos }) => removeTerms(tx, scope, claimNos),
  eraseClaims,
  eraseGoalsAndRisks,
  eraseSignOffs,
  eraseDecisions,
  eraseRereads,
  eraseEvents,
  eraseIdempotentAnswers,
  erasing => eraseModelReadings(erasing.tx, erasing.scope, erasing),
  ({ tx, scope, documentId }) => eraseSent(tx, scope, documentId),
  ({ tx, scope, documentId }) => removePassages(tx, scope, documentId),
  eraseFiles,
]

/** Gives the bytes of text and the number of claims whose words went. */
export async function eraseWords(tx: Transaction, scope: RecordedPlace, documentId: string): Promise<{ bytes: number; claims: number }> {
  const erasing = { tx, scope, documentId, ...(await findTraces(tx, scope, documentId)) }
  for (const step of steps) await step(erasing)
  return { bytes: await eraseDocumentRows(erasing), claims: erasing.worded }
}

interface Traces extends Pick<Erasing, 'claimNos' | 'claimIds' | 'contradictionNos' | 'findingIds'> {
  worded: number
}

async function findTraces(tx: Transaction, scope: ScopePlace, documentId: string): Promise<Traces> {
  const claims = await tx.rows<{ claim_no: number; claim_id: string; worded: boolean }>(
    `select distinct c.claim_no, c.claim_id, c.quote is not null as worded from documents d cross join ${claimRangesSql} as of_reading (numbers)
      join claims c on c.tenant_id = d.tenant_id and c.scope_no = d.scope_no and c.generation = d.generation
        and c.claim_no >= lower(of_reading.numbers) and c.claim_no < upper(of_reading.numbers) and c.document_id = d.document_id
      where ${inPlace('d')} and d.document_id = $4`,
    [...placeOf(scope), documentId],
  )
  const claimNos = claims.map(row => row.claim_no)
  const findings = await tx.rows<{ contradiction_no: number | null; finding_id: string }>(
    `select x.contradiction_no, x.contradiction_id as finding_id from contradictions x where ${inPlace('x')} and ${isReportedOf('x', '$5')}
      union
      select x.contradiction_no, x.contradiction_id from contradiction_sides m
      join contradictions x on x.tenant_id = m.tenant_id and x.scope_no = m.scope_no and x.generation = m.generation
        and x.contradiction_no = m.contradiction_no
      where ${inPlace('m')} and m.claim_no = any ($4::bigint[])
      union
      select null, possible_conflict_id from possible_conflicts
      where ${ofPlace} and (claim_a = any ($4::bigint[]) or claim_b = any ($4::bigint[]))
      union
      select null, supersession_id from supersessions
      where ${ofPlace} and (claim_no = any ($4::bigint[]) or by_claim_no = any ($4::bigint[]))`,
    [...placeOf(scope), claimNos, documentId],
  )
  return {
    claimNos,
    claimIds: claims.map(row => row.claim_id),
    worded: claims.filter(row => row.worded).length,
    contradictionNos: findings.flatMap(row => row.contradiction_no ?? []),
    findingIds: findings.map(row => row.finding_id),
  }
}

/**
 * Why claims of other documents ended, where this document or a person's words about it were the reason. What is decided ends a
 * statement, with all its claims; one of them stands on the side.
 */
async function eraseEnds({ tx, scope, claimNos, claimIds, contradictionNos }: Erasing): Promise<void> {
  const onSides = await tx.column<number>(
    `select distinct claim_no from contradiction_sides where ${ofPlace} and contradiction_no = any ($4::bigint[])`,
    [...placeOf(scope), contradictionNos],
  )
  for (const table of ['claims', 'claim_retirements']) {
    await tx.run(
      `with ${claimsOfStatements}
       update ${table} c set superseded_reason = 'Erased with a document.'
       where ${inPlace('c')} and c.superseded_reason is not null
         and (c.superseded_by = any ($5::text[]) or c.claim_no = any ($6::bigint[])
           or (c.superseded_reason like 'Decided by %' and c.claim_no in (select claim_no from own)))`,
      [...placeOf(scope), onSides, claimIds, claimNos],
    )
  }
}

/** Crowds of slots that have no live claim left. */
async function eraseCrowds({ tx, scope, claimNos }: Erasing): Promise<void> {
  await tx.run(
    `delete from slot_crowds k using claims c
     where ${inPlace('c')} and c.claim_no = any ($4::bigint[])
       and ${inPlace('k')} and k.slot_hash = c.slot_hash
       and not exists (
         select from claims l where ${inPlace('l')} and l.slot_hash = k.slot_hash and l.superseded_at is null)`,
    [...placeOf(scope), claimNos],
  )
}

async function eraseClaims({ tx, scope, claimNos }: Erasing): Promise<void> {
  await tx.run(
    `update claims set quote = null, subject = '', subject_hash = null, attribute = '', body = '{}', slot_hash = 0, valid_from = null, valid_to = null,
       superseded_reason = 'The document was erased.'
     where ${ofPlace} and claim_no = any ($4::bigint[])`,
    [...placeOf(scope), claimNos],
  )
}

async function eraseGoalsAndRisks({ tx, scope, documentId }: Erasing): Promise<void> {
  for (const table of ['goals', 'risks']) {
    await tx.run(`delete from ${table} where ${ofPlace} and document_id = $4`, [...placeOf(scope), documentId])
  }
}

/**
 * Decisions about the document, about its findings, and reviews of those, with the rounds they were made in; so are sign-offs and
 * approvals of a settlement while the document was in the case. The chain verifies without their words (`kernel/decision-record`).
 */
async function eraseDecisions({ tx, scope, documentId, findingIds }: Erasing): Promise<void> {
  await tx.run(
    `with about as materialized (
       select seq, round from decisions
       where ${ofPlace}
         and (document_id = $4 or (kind = 'resolution' and proposal->>'contradictionId' = any ($5::text[]))
           or (recorded_at >= $7 and ((kind = 'resolution' and proposal->>'verdict' in ('sign_off', 'withdraw_sign_off'))
             or (kind = 'review' and proposal->>'held' = 'finality'))))
     ), worded as materialized (
       select seq, round from about
       union
       select d.seq, d.round from decisions d
       where ${inPlace('d')} and d.kind = 'review'
         and (d.proposal->>'decisionSeq')::bigint in (select seq from about)
     ), rounded as (
       update rounds r set input = (case when r.input->'finding' is null then r.input::jsonb else jsonb_set(r.input::jsonb, '{finding,opens}', '[]') end
         || case when r.input->>'reason' is null then '{}'::jsonb else '{"reason": ""}' end)::json
       where ${inPlace('r')} and r.round in (select round from worded)
     )
     update decisions d set reasons = '[]', salt = null, erased_at = coalesce(d.erased_at, $6),
       proposal = (case when d.proposal->'document' is null then d.proposal::jsonb - 'reason'
         else d.proposal::jsonb #- '{document,source}' #- '{document,issuer}' end)::json
     from worded w where ${inPlace('d')} and d.seq = w.seq`,
    [...placeOf(scope), documentId, findingIds, scope.recordedAt, await cameAt(tx, scope, documentId)],
  )
}

/**
 * Why people signed the scope off while the document was in it, and why they took that back. Who, when and what it covered stay.
 * Rounds hold the same words: of one that policy held nothing else does.
 */
async function eraseSignOffs({ tx, scope, documentId }: Erasing): Promise<void> {
  const since = await cameAt(tx, scope, documentId)
  await tx.run(`update sign_offs o set reason = '', unread = ${blankedUnread('o.unread')} where ${inPlace('o')} and o.signed_at >= $4`, [
    ...placeOf(scope),
    since,
  ])
  // One signed before the document came may have been taken back because of it.
  await tx.run(
    `update sign_offs o set withdrawn = (o.withdrawn::jsonb || '{"reason": ""}')::json
     where ${inPlace('o')} and (o.withdrawn->>'withdrawn_at')::timestamptz >= $4`,
    [...placeOf(scope), since],
  )
  await tx.run(
    `update rounds r set input = (r.input::jsonb || '{"reason": ""}' || case when r.input->'sign_off'->'unread' is null then '{}' else
       jsonb_build_object('sign_off', (r.input->'sign_off')::jsonb || jsonb_build_object('unread', ${blankedUnread("r.input->'sign_off'->'unread'")}::jsonb)) end)::json
     where ${inPlace('r')} and r.input->'sign_off' is not null and r.recorded_at >= $4`,
    [...placeOf(scope), since],
  )
}

const blankedUnread = (unread: string) =>
  `(select coalesce(json_agg(u.value::jsonb || '{"reason": ""}' order by u.place), '[]') from json_array_elements(${unread}) with ordinality as u (value, place))`

/** When its first revision was received. */
async function cameAt(tx: Transaction, scope: ScopePlace, documentId: string): Promise<string> {
  return tx.value<string>(`select min(received_at) from documents where ${ofPlace} and document_id = $4`, [...placeOf(scope), documentId])
}

/** Why somebody wanted documents read again while it was among them: of a whole case, each round and each that waits has the reason. */
async function eraseRereads({ tx, scope, documentId }: Erasing): Promise<void> {
  await tx.run(
    `update rounds set input = (input::jsonb || '{"reason": null}')::json
     where ${ofPlace} and kind = 'reread' and (document_id = $4 or (recorded_at >= $5 and input->>'by' is not null))`,
    [...placeOf(scope), documentId, await cameAt(tx, scope, documentId)],
  )
  await tx.run(
    `update backlog set reread = (reread::jsonb || '{"reason": null}')::json where ${ofPlace} and reread->>'by' is not null`,
    placeOf(scope),
  )
}

async function eraseEvents({ tx, scope, documentId }: Erasing): Promise<void> {
  await tx.run(blankWordsOfEvents('subject = $3'), [scope.tenantId, scope.scopeNo, documentId])
}

/** The key stays used: a late retry must not bring the document back. */
async function eraseIdempotentAnswers({ tx, scope, documentId, findingIds }: Erasing): Promise<void> {
  await tx.run(
    `update idempotency_keys k set response = (k.response::jsonb || jsonb_build_object('reason', '', 'unread', ${blankedUnread("k.response->'unread'")}::jsonb))::json
     where ${inPlace('k')} and k.operation = 'sign_off'`,
    placeOf(scope),
  )
  await tx.run(
    `update idempotency_keys k set response = (k.response::jsonb || jsonb_build_object('name', null, 'source', null, 'provenance', null, 'about', null, 'reason', null))::json
     where ${inPlace('k')} and k.operation in ('attach', 'register') and k.response->>'document_id' = $4`,
    [...placeOf(scope), documentId],
  )
  await tx.run(
    `update idempotency_keys k set response = (k.response::jsonb || jsonb_build_object('reason', x.reason,
       'a', jsonb_build_object('quote', '', 'source', ''), 'b', jsonb_build_object('quote', '', 'source', '')))::json
     from contradictions x
     where ${inPlace('k')} and k.operation = 'report'
       and x.tenant_id = k.tenant_id and x.contradiction_id = k.response->>'contradiction_id' and (x.reported->>'claim_a' = '' or x.contradiction_id = any ($4::text[]))`,
    [...placeOf(scope), findingIds],
  )
}

/** Originals, and where the parts of their texts stand: names of sheets are words. */
async function eraseFiles({ tx, scope, documentId }: Erasing): Promise<void> {
  await tx.run(
    `delete from file_chunks where tenant_id = $1 and file_id in (
       select file_id from documents where ${ofPlace} and document_id = $4 and file_id is not null)`,
    [...placeOf(scope), documentId],
  )
  for (const table of ['text_places', 'recognised_pages'])
    await tx.run(`delete from ${table} where ${ofPlace} and document_id = $4`, [...placeOf(scope), documentId])
}

/** Last: the steps before find their way by what these rows say. */
async function eraseDocumentRows({ tx, scope, documentId }: Erasing): Promise<number> {
  return tx.value<number>(
    `with old as (
       select coalesce(sum(coalesce(octet_length(text), 0) + case when file_id is null then 0 else file_bytes end), 0)::bigint as bytes from documents
       where ${ofPlace} and document_id = $4),
     erased as (
       update documents set text = null, name = '', source = null, provenance = null, about = null, profile = null, diagnosis = null, approval = null,
         file_id = null, text_notes = null,
         reason = 'The document was erased.', erased_at = coalesce(erased_at, $5)
       where ${ofPlace} and document_id = $4)
     select bytes from old`,
    [...placeOf(scope), documentId, scope.recordedAt],
  )
}
