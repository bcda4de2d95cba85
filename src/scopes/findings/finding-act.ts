/**
 * A person's word on a possible conflict or a supersession: promotion, dismissal, acceptance of a replacement, objection, and taking one
 * of these back.
 * A round and a decision like a resolution, recorded, reversible, and refused once overtaken.
 */

import { recordOf } from '../../kernel/standing-difference.js'
import { invariant } from '../../platform/errors.js'
import {
  decidePossible,
  insertFindings,
  insertSupersessions,
  objectTo,
  saveResolution,
  takeBack,
} from '../../store/findings/finding-rows.js'
import { findPossible, type PossibleDecision } from '../../store/findings/possible-conflicts.js'
import { queueSettled, writeSettling } from '../../store/findings/settling.js'
import { findSupersession } from '../../store/findings/supersessions.js'
import type { StoredScope } from '../../store/scopes/rounds.js'
import type { TenantTransaction } from '../../store/server/database.js'
import { sayOfFinding, type Word } from '../act.js'
import type { ScopesDeps } from '../deps.js'
import type { Said } from '../person.js'
import type { PossibleConflictResult, SupersessionResult } from '../types.js'
import { answering, requireAnswered } from './answered-word.js'
import { type Decided, type FindingPlan, type FindingTarget, type FindingVerdict, noPlan, planFinding } from './finding-plan.js'
import { possible } from './possible-conflicts.js'
import { toSupersessionRecords } from './supersessions.js'

export interface FindingInput extends Said {
  tenantId: string
  findingId: string
}

export function decidePossibleConflict(
  deps: ScopesDeps,
  input: FindingInput & { verdict: 'promote' | 'dismiss' | 'accept' },
): Promise<PossibleConflictResult> {
  return sayOfPossible(deps, input)
}

/** Takes back what was decided, if it was that. */
export function reopenPossibleConflict(deps: ScopesDeps, input: FindingInput & { decided: Decided }): Promise<PossibleConflictResult> {
  return sayOfPossible(deps, { ...input, verdict: 'withdraw' })
}

export function objectToSupersession(deps: ScopesDeps, input: FindingInput): Promise<SupersessionResult> {
  return sayOfSupersession(deps, { ...input, verdict: 'object' })
}

export function restoreSupersession(deps: ScopesDeps, input: FindingInput): Promise<SupersessionResult> {
  return sayOfSupersession(deps, { ...input, verdict: 'withdraw' })
}

const supersession = { name: 'supersession' as const, find: findSupersession, records: toSupersessionRecords }

function sayOfPossible(deps: ScopesDeps, input: FindingInput & { verdict: FindingVerdict; decided?: Decided }) {
  return sayOfFinding(deps, possible, input, (tx, stored, row) =>
    findingWord(tx, stored, { of: 'possible_conflict', row, decided: input.decided }, input),
  )
}

function sayOfSupersession(deps: ScopesDeps, input: FindingInput & { verdict: FindingVerdict }) {
  return sayOfFinding(deps, supersession, input, (tx, stored, row) => findingWord(tx, stored, { of: 'supersession', row }, input))
}

interface Spoken {
  verdict: FindingVerdict
  reason: string
  by: string
}

/** A word that was held, as its round recorded it; rejected, it does nothing. */
export async function heldFinding(
  tx: TenantTransaction,
  stored: StoredScope,
  recorded: Record<string, unknown>,
  approved: boolean,
): Promise<Word> {
  const { finding, reason, by } = recorded as { finding: RecordedFinding; reason: string; by: string }
  const { of, finding_id: id, verdict, decided } = finding
  const row = of === 'supersession' ? await findSupersession(tx, id) : await findPossible(tx, id)
  invariant(row !== null, 'a held word is about a finding that is gone')
  const target = { of, row, decided } as FindingTarget
  if (approved) requireAnswered(recorded, wordOn(target))
  return findingWord(tx, stored, target, { verdict, reason, by }, approved)
}

function wordOn(target: FindingTarget) {
  return target.of === 'supersession' ? target.row.objection : target.row.decision
}

interface RecordedFinding {
  of: FindingTarget['of']
  finding_id: string
  verdict: FindingVerdict
  decided?: Decided
}

async function findingWord(
  tx: TenantTransaction,
  stored: StoredScope,
  target: FindingTarget,
  spoken: Spoken,
  approved = true,
): Promise<Word> {
  const { verdict } = spoken
  const plan = approved ? await planFinding(tx, stored, target, verdict) : noPlan()
  const findingId = target.of === 'supersession' ? target.row.supersession_id : target.row.possible_conflict_id
  const { severity, parts, opened, difference } = plan
  const retired = difference.ended.map(({ claim: { claimId }, byClaimId }) => ({ claimId, byClaimId }))
  const dismisses = plan.dismissed.map(each => each.contradiction_id)
  return {
    round: {
      kind: 'finding',
      of: target.of,
      findingId,
      verdict,
      severity,
      parts,
      opens: opened.map(({ contradictionId, found: { kind, severity, a, b } }) => ({ contradictionId, kind, severity, a, b })),
      dismisses,
      retired,
      closes: difference.closes.map(each => each.id),
      possible: difference.possible,
    },
    detail: {
      finding: {
        of: target.of,
        finding_id: findingId,
        verdict,
        ...(target.of === 'possible_conflict' && target.decided !== undefined ? { decided: target.decided } : {}),
        opens: opened.map(({ contradictionId, found }) => ({
          contradiction_id: contradictionId,
          severity: found.severity,
          slot_key: found.slotKey,
          group_a: found.groupA,
          group_b: found.groupB,
          a: found.a,
          b: found.b,
        })),
        dismisses,
        ...(plan.made !== null && { supersessions: 1 }),
      },
      ...recordOf(difference),
      ...answering(wordOn(target)),
    },
    moves: {
      nextContradictionNo: stored.nextContradictionNo + opened.length,
      ...(plan.made !== null && { nextSupersessionNo: stored.nextSupersessionNo + 1 }),
    },
    queues: plan.rereads.length,
    apply: ({ round }) => applyFinding(tx, stored, target, plan, { ...spoken, round }),
  }
}

async function applyFinding(
  tx: TenantTransaction,
  stored: StoredScope,
  target: FindingTarget,
  plan: FindingPlan,
  { verdict, reason, by, round }: Spoken & { round: number },
): Promise<void> {
  const said = { reason, by, decided_at: stored.recordedAt, round }
  const [opened, sides] = [plan.opened.map(each => ({ ...each, round })), plan.opened.flatMap(each => each.sides)]
  await insertFindings(tx, stored, opened, sides)
  for (const { contradiction_no: no } of plan.dismissed) {
    const resolution = { verdict: 'dismiss', reason, by, resolved_at: stored.recordedAt, round }
    await saveResolution(tx, stored, no, { status: 'dismissed', resolution })
  }
  await takeBack(
    tx,
    stored,
    plan.dismissed.map(each => each.contradiction_no),
  )
  if (plan.made !== null) await insertSupersessions(tx, stored, [{ ...plan.made, round }])
  else if (plan.accepts !== null) await objectTo(tx, stored, plan.pairs, null)
  await writeSettling(tx, stored, plan, { reason: 'What a person said of it no longer lets it count.', round })
  await queueSettled(tx, stored, plan, {
    reason: 'Statements of it count again since a person said so, and other documents came meanwhile.',
  })
  if (target.of === 'supersession') return objectTo(tx, stored, plan.pairs, verdict === 'object' ? said : null)
  const { possible_no: no } = target.row
  // Open, unless what counts closes it again with this round.
  if (verdict === 'withdraw') return decidePossible(tx, stored, no, { status: 'open', decision: null, contradictionNo: null })
  const contradictionNo = plan.opened[0]?.contradictionNo ?? null
  const decision: PossibleDecision = {
    verdict: verdict === 'promote' || verdict === 'accept' ? verdict : 'dismiss',
    ...said,
    ...(plan.accepts !== null && { supersession_id: plan.accepts }),
  }
  return decidePossible(tx, stored, no, { status: verdict === 'promote' ? 'promoted' : 'dismissed', decision, contradictionNo })
}
