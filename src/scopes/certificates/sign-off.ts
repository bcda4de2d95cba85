/**
 * A person signs a scope off: a dated statement about the documents, what counts and what is left open at that moment. A round and a
 * decision like every act. It is never altered; taking it back is another round. Once something else counts it covers that no more,
 * and the next one covers the difference.
 */

import { statusWords, words } from '../../contract/field-words.js'
import { digest } from '../../kernel/canonical.js'
import { documentFigures } from '../../kernel/certificate.js'
import type { RoundResult, SignOffRound } from '../../kernel/round-types.js'
import { openContradictions } from '../../kernel/scores.js'
import { effectiveSettings } from '../../kernel/settings.js'
import { AppError, invalidMember, invariant } from '../../platform/errors.js'
import { personKey } from '../../platform/person-name.js'
import { readLeftPossible } from '../../store/scopes/certificate-lists.js'
import { readExamination } from '../../store/scopes/examination.js'
import type { StoredScope } from '../../store/scopes/rounds.js'
import type { ScopeRef } from '../../store/scopes/scopes.js'
import {
  findSignOff,
  insertSignOff,
  listCurrent,
  listLeftOpen,
  listNamed,
  listSignOffRows,
  listUnread,
  type SignedUnread,
  type SignOffRow,
  withdrawSignOff,
} from '../../store/scopes/sign-offs.js'
import type { TenantTransaction } from '../../store/server/database.js'
import { type Act, commitAct, concludeAct, idOf, loadStored, overtaken, refusedByPolicy } from '../act.js'
import type { PageRequest } from '../cursors.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import { documentNotFound } from '../documents/documents.js'
import { type Answer, actOnScope, lockScope } from '../idempotent.js'
import { personOf, type Said } from '../person.js'
import { listInScope } from '../scope-list.js'
import { isStorable } from '../storable.js'
import type { Page, SignOffInput, SignOffRecord, SignOffResult } from '../types.js'
import { certifiedLists } from './certified-lists.js'

/** As many documents without a reading as one sign-off may name, and ids of what is left open as it keeps. */
const mostUnread = 1000
const keptIds = 100
/** As many sign-offs of what counts now as are looked at for who signed already. */
const mostCurrent = 1000
/** As many as are named in one sentence; the list beside it has a hundred. */
const toldFaults = 5

export async function signOff(
  deps: ScopesDeps,
  name: ScopeName,
  { bound, ...request }: SignOffInput & { bound: boolean },
  idempotencyKey?: string,
): Promise<Answer<SignOffResult>> {
  const act = { ...name, operation: 'sign_off', request, idempotencyKey }
  return actOnScope(deps, act, async (tx, scope) => {
    const stored = await loadStored(tx, scope.scopeNo)
    const unread = await namedUnread(tx, scope, request.unread ?? [])
    const signOffId = idOf('sign_off', stored, nextRound(stored))
    const signed = { by: request.by, bound, reason: request.reason, unread, signOffId, signedAt: stored.recordedAt }
    const { result, decisionId } = await concludeAct(deps, tx, stored, {
      input: { ...(await signOffRound(tx, stored, signed)), actor: personOf(signed), reason: signed.reason },
      detail: { reason: signed.reason, by: signed.by, bound, sign_off: recordOf('sign_off', signed) },
      require: requireGates,
      apply: write(tx, stored, signed),
    })
    if (!result.applied) return refusedByPolicy(result, decisionId)
    return answerOf(tx, scope, signed.signOffId, result)
  })
}

export async function listSignOffs(deps: ScopesDeps, input: ScopeName & PageRequest): Promise<Page<SignOffRecord>> {
  return listInScope(deps, input, {
    name: 'sign_offs',
    filters: [],
    rows: (tx, scope, { after, limit }) => listSignOffRows(tx, scope, { before: (after?.[0] ?? null) as number | null, limit }),
    place: row => [row.round],
    shape: ['number'],
    items: rows => rows.map(row => toSignOffRecord(row, input.scopeId)),
  })
}

/** Anybody who may decide takes one back; who did is kept with it. */
export async function withdraw(deps: ScopesDeps, input: ScopeName & Said & { signOffId: string }): Promise<SignOffResult> {
  const { by, reason, bound = false, signOffId } = input
  return commitAct(deps, input.tenantId, async tx => {
    const scope = await lockScope(tx, input.scopeId)
    const row = await requireStanding(tx, scope, signOffId)
    const stored = await loadStored(tx, scope.scopeNo)
    const said = { by, bound, reason, row }
    const { result, decisionId } = await concludeAct(deps, tx, stored, {
      input: { ...(await withdrawalRound(tx, stored, row)), actor: personOf(input), reason },
      detail: { reason, by, bound, sign_off: recordOf('withdraw_sign_off', { signOffId }) },
      apply: takeBack(tx, stored, said),
    })
    if (!result.applied) return refusedByPolicy(result, decisionId)
    return answerOf(tx, scope, signOffId, result)
  })
}

interface Signed {
  signOffId: string
  by: string
  bound: boolean
  reason: string
  unread: SignedUnread[]
  /** When they said so, which is before the round where policy held it. */
  signedAt: string
}

/** What a replay and a review need of it. */
interface RecordedSignOff {
  sign_off_id: string
  verdict: SignOffRound['verdict']
  unread?: SignedUnread[]
}

function recordOf(verdict: SignOffRound['verdict'], { signOffId, unread }: Pick<Signed, 'signOffId'> & Partial<Signed>): RecordedSignOff {
  return { sign_off_id: signOffId, verdict, ...(unread === undefined ? {} : { unread }) }
}

/** One that policy held, as its round recorded it, once a person approves it; rejected, it does nothing. */
export async function heldSignOff(
  tx: TenantTransaction,
  stored: StoredScope,
  recorded: { round: number; input: Record<string, unknown>; recorded_at: string },
  approved: boolean,
): Promise<Pick<Act, 'apply' | 'require' | 'detail'> & { round: Omit<SignOffRound, 'actor' | 'reason'> }> {
  const {
    sign_off,
    by,
    reason,
    bound = false,
  } = recorded.input as unknown as Omit<Signed, 'unread' | 'signedAt'> & { sign_off: RecordedSignOff }
  const { sign_off_id: signOffId, verdict, unread = [] } = sign_off
  const detail = { sign_off }
  const { examination } = stored.kept
  invariant(examination !== undefined, 'nobody counted who examined the scope')
  if (!approved) return { round: { kind: 'sign_off', signOffId, verdict, examination }, detail }
  if (verdict === 'withdraw_sign_off') {
    const row = await requireStanding(tx, stored, signOffId)
    return { round: await withdrawalRound(tx, stored, row), detail, apply: takeBack(tx, stored, { by, bound, reason, row }) }
  }
  if (stored.changedRound > recorded.round) throw signedBefore()
  const signed = { signOffId, by, bound, reason, unread: await namedUnread(tx, stored, unread), signedAt: recorded.recorded_at }
  // Of a paper that was not read, the signer saw this revision.
  const seen = new Set(unread.map(keyOf))
  if (!signed.unread.every(each => seen.has(keyOf(each)))) throw signedBefore()
  return { round: await signOffRound(tx, stored, signed), detail, require: requireGates, apply: write(tx, stored, signed) }
}

function signedBefore(): AppError {
  return overtaken('Something else counts since it was signed off: it has to be signed off again.')
}

function nextRound({ kept }: StoredScope): number {
  return (kept.kept?.round ?? 0) + 1
}

/** Who will have examined the scope once this person has signed it off, too. */
async function signOffRound(
  tx: TenantTransaction,
  stored: StoredScope,
  { signOffId, by, unread }: Signed,
): Promise<Omit<SignOffRound, 'actor' | 'reason'>> {
  const before = await listCurrent(tx, stored, mostCurrent)
  const people = new Set([...before.map(row => row.person), personKey(by)])
  const byEye = new Set([...before.flatMap(row => row.unread), ...unread].flatMap(each => (each.how === 'read_by_eye' ? keyOf(each) : [])))
  const { signatures } = effectiveSettings(stored.kept.settings).finality
  const unexamined = people.size >= signatures ? 0 : stored.kept.examination.unexamined
  const examination = { signers: people.size, readByEye: unread.filter(each => byEye.has(keyOf(each))).length, unexamined }
  return { kind: 'sign_off', signOffId, verdict: 'sign_off', examination }
}

function keyOf({ document_id: id, revision }: SignedUnread): string {
  return `${revision} ${id}`
}

async function withdrawalRound(
  tx: TenantTransaction,
  stored: StoredScope,
  row: SignOffRow,
): Promise<Omit<SignOffRound, 'actor' | 'reason'>> {
  const examination = await readExamination(tx, stored, { except: row.round })
  return { kind: 'sign_off', signOffId: row.sign_off_id, verdict: 'withdraw_sign_off', examination }
}

/** Its own examination is what it brings; and where policy holds it, it waits itself, which is no reason to refuse it. */
function requireGates({ verdict, outcome, workload: { queued, processing, held } }: RoundResult): void {
  const waitsAlone = outcome === 'hold' && queued + processing + held === 1
  const failing = verdict.gates.filter(({ gate, ok }) => !ok && gate !== 'examined' && !(gate === 'quiescent' && waitsAlone))
  if (failing.length === 0) return
  const errors = failing.map(({ gate, needs, how }) => ({ pointer: `/gates/${gate}`, detail: `needs ${needs}. ${how}` }))
  throw new AppError('STATE_CONFLICT', {
    detail: `Nothing can be signed off while these conditions fail: ${failing.map(({ gate }) => words(gate)).join(', ')}.`,
    errors,
  })
}

/** Each document without a reading with what is said about it. One that is not named, or has a reading, stands in the way. */
async function namedUnread(
  tx: TenantTransaction,
  scope: ScopeRef | StoredScope,
  named: readonly Pick<SignedUnread, 'document_id' | 'how' | 'reason'>[],
): Promise<SignedUnread[]> {
  const saidOf = new Map(named.map(each => [each.document_id, each]))
  if (saidOf.size !== named.length) throw invalidMember('/unread', 'names a document twice')
  if (named.some(each => !isStorable(each.document_id))) throw documentNotFound()
  const [found, unread] = await Promise.all([listNamed(tx, scope, [...saidOf.keys()]), listUnread(tx, scope, mostUnread + 1)])
  if (found.length !== named.length) throw documentNotFound()
  const faults = [
    ...unread.filter(each => !saidOf.has(each.document_id)).map(each => fault(each, `is ${each.status} and not named`)),
    ...found
      .filter(each => !each.unread)
      .map(each => fault(each, `is ${statusWords(each.status)}: only one that is attached or could not be read is named`)),
  ]
  if (faults.length > 0) {
    const told = faults.slice(0, toldFaults).map(each => each.detail)
    const more = faults.length > told.length ? `; and ${faults.length - told.length} more` : ''
    const detail = `Every document without a reading is named in \`unread\`, and no other: ${told.join('; ')}${more}.`
    throw new AppError('STATE_CONFLICT', { detail, errors: faults.slice(0, 100) })
  }
  return unread.map(({ document_id, revision, status }) => {
    const said = saidOf.get(document_id)
    invariant(said !== undefined, 'a document without a reading was not named')
    return { document_id, revision, status, how: said.how, reason: said.reason }
  })
}

function fault({ document_id: id, name }: { document_id: string; name: string | null }, detail: string) {
  return { pointer: '/unread', detail: `${id}${name === null || name === id ? '' : ` (${name})`} ${detail}` }
}

async function requireStanding(tx: TenantTransaction, scope: ScopeRef | StoredScope, signOffId: string): Promise<SignOffRow> {
  const row = isStorable(signOffId) ? await findSignOff(tx, scope, signOffId) : null
  if (row === null) throw new AppError('SIGN_OFF_NOT_FOUND', { detail: 'The case has no sign-off with this id.' })
  if (row.withdrawn !== null) throw new AppError('STATE_CONFLICT', { detail: 'The sign-off is withdrawn already.' })
  return row
}

/** Before the scope is certified: the certificate tells of it. */
function write(tx: TenantTransaction, stored: StoredScope, { signOffId, by, bound, reason, unread, signedAt }: Signed): Act['apply'] {
  return async result => {
    const { aggregates, settings } = result.scope
    const [{ documents }, contradictionIds, possibleIds] = [
      await certifiedLists(tx, stored),
      await listLeftOpen(tx, stored, keptIds),
      await readLeftPossible(tx, stored, keptIds),
    ]
    await insertSignOff(tx, stored, {
      round: result.round,
      sign_off_id: signOffId,
      decision_id: ownDecision(result),
      signed_by: by,
      bound,
      reason,
      signed_at: signedAt,
      unread,
      covers: {
        documents: documentFigures(documents),
        claims: { count: aggregates.claimsLive, digest: stored.claimsDigest },
        left_open: {
          contradictions: openContradictions(aggregates),
          contradiction_ids: contradictionIds,
          possible_conflicts: aggregates.possibleOpen,
          possible_conflict_ids: possibleIds,
        },
        settings_digest: digest(settings),
      },
    })
  }
}

function takeBack(
  tx: TenantTransaction,
  stored: StoredScope,
  { by, bound, reason, row }: Omit<Signed, 'unread' | 'signOffId' | 'signedAt'> & { row: SignOffRow },
): Act['apply'] {
  return async result => {
    const withdrawn = { by, bound, reason, withdrawn_at: stored.recordedAt, round: result.round, decision_id: ownDecision(result) }
    await withdrawSignOff(tx, stored, row.round, withdrawn)
  }
}

function ownDecision({ decisions }: RoundResult): string {
  const [own] = decisions
  invariant(own !== undefined, 'a sign-off was not put to policy')
  return own.decisionId
}

async function answerOf(tx: TenantTransaction, scope: ScopeRef, signOffId: string, { finality }: RoundResult): Promise<SignOffResult> {
  const row = await findSignOff(tx, scope, signOffId)
  invariant(row !== null, 'a sign-off disappeared')
  return { ...toSignOffRecord(row, scope.scopeId), finality: finality.to }
}

export function toSignOffRecord(row: SignOffRow, scopeId: string): SignOffRecord {
  const { withdrawn } = row
  return {
    sign_off_id: row.sign_off_id,
    scope_id: scopeId,
    by: row.signed_by,
    vouched: row.bound,
    reason: row.reason,
    signed_at: row.signed_at,
    round: row.round,
    decision_id: row.decision_id,
    current: row.current,
    covers: row.covers,
    unread: row.unread,
    withdrawn:
      withdrawn === null
        ? null
        : {
            by: withdrawn.by,
            vouched: withdrawn.bound,
            reason: withdrawn.reason,
            withdrawn_at: withdrawn.withdrawn_at,
            round: withdrawn.round,
            decision_id: withdrawn.decision_id,
          },
  }
}
