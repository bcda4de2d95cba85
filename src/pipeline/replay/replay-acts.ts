/** Acts of people during a replay, as their rounds recorded them: what each does to the scope in memory. */

import { isDismissal } from '../../kernel/standing.js'
import type { Severity } from '../../kernel/types.js'
import type { RecordedRoundRow } from '../../store/scopes/replay.js'
import type { WorkingScope } from '../planning/working-scope.js'
import type { RecordedInput } from './replay-report.js'

/** Claims retired, revived and erased, contradictions closed and opened. Answers how many contradictions it brought. */
export function replayAct(scope: WorkingScope, { kind, document_id }: RecordedRoundRow, input: RecordedInput, nextNo: number): number {
  const { contradiction_id: contradictionId, verdict, said = verdict } = input
  scope.move({ ended: idsIn(input['retired']), revived: idsIn(input['revived']) })
  // Before what follows from it: one that is taken back may close with that.
  if (typeof contradictionId === 'string' && kind !== 'report') {
    if (said === 'reopen') scope.findings.takeBack(contradictionId)
    else scope.findings.setStatus(contradictionId, isDismissal(String(said)) ? 'dismissed' : 'resolved')
  }
  for (const id of idsIn(input['reopens'])) scope.findings.setStatus(id, 'open')
  for (const id of idsIn(input['resolves'])) scope.findings.setStatus(id, 'resolved')
  for (const id of idsIn(input['dismisses'])) scope.findings.setStatus(id, 'dismissed')
  for (const id of idsIn(input['closes'])) scope.findings.setStatus(id, 'closed')
  const finding = input['finding'] as RecordedAct | undefined
  if (finding !== undefined) actOnFinding(scope, finding, idsIn(input['retired']), nextNo)
  // Behind the act: one that is taken back may close again with it.
  for (const id of idsIn(input['possible_closes'])) scope.findings.closePossible(id)
  for (const id of idsIn(input['possible_reopens'])) scope.findings.reopenPossible(id)
  if (kind === 'erasure' && document_id !== null) scope.forget(document_id)
  return (finding?.opens.length ?? 0) + (kind === 'report' ? 1 : 0)
}

function actOnFinding(scope: WorkingScope, act: RecordedAct, retired: readonly string[], nextNo: number): void {
  if (act.verdict === 'promote' || act.verdict === 'dismiss' || act.verdict === 'accept') scope.findings.closePossible(act.finding_id)
  if (act.verdict === 'withdraw') scope.findings.reopenPossible(act.finding_id)
  act.opens.forEach((opened, index) => {
    const { contradiction_id: contradictionId, severity, slot_key: slotKey, group_a: groupA, group_b: groupB, a, b } = opened
    scope.findings.open({ contradictionNo: nextNo + index, contradictionId, severity, slotKey, groupA, groupB, a: [a], b: [b] })
  })
  for (const id of act.dismisses) scope.findings.setStatus(id, 'dismissed')
  scope.retire(retired)
}

/** A person's word on a possible conflict or a supersession. */
interface RecordedAct {
  finding_id: string
  verdict: 'promote' | 'dismiss' | 'accept' | 'object' | 'withdraw'
  opens: RecordedOpening[]
  dismisses: string[]
}

interface RecordedOpening {
  contradiction_id: string
  severity: Severity
  slot_key: string
  group_a: string
  group_b: string
  a: string
  b: string
}

function idsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}
