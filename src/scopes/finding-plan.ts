/**
 * What a person's word on a possible conflict or a supersession would do: which contradictions it opens, which it takes
 * back, which claims count again or no longer. Reads only; the round decides whether it happens. Whatever has moved on
 * since is a conflict of states: nothing is decided twice, and nothing about claims that no longer count.
 */

import { noParts } from '../kernel/effect.js'
import type { FindingRound } from '../kernel/round-types.js'
import { invariant } from '../platform/errors.js'
import type { ConflictKind, ContradictionFound } from '../reading/types.js'
import type { SideWrite } from '../store/findings/claims-findings.js'
import { type ContradictionRow, findContradiction } from '../store/findings/findings.js'
import { type ClaimState, listRevivable, readClaimStates } from '../store/findings/findings-resolution.js'
import type { PossibleRow } from '../store/findings/possible-conflicts.js'
import { listSupersessionsOf, type SupersessionRow } from '../store/findings/supersessions.js'
import type { StoredScope } from '../store/scopes/rounds.js'
import type { TenantTransaction } from '../store/server/database.js'
import { idOf } from './act.js'
import { type ClaimMoves, moveClaims } from './claim-moves.js'
import { overtaken } from './resolution-plan.js'

export type FindingTarget =
  | { of: 'possible_conflict'; row: PossibleRow; decided: Decided | undefined }
  | { of: 'supersession'; row: SupersessionRow }

/** What somebody who takes a decision back takes it for: another one made meanwhile stands. */
export type Decided = 'promoted' | 'dismissed'

export type FindingVerdict = FindingRound['verdict']

export interface OpenedContradiction {
  contradictionNo: number
  contradictionId: string
  found: ContradictionFound
  sides: SideWrite[]
}

export interface FindingPlan extends ClaimMoves {
  severity: PossibleRow['severity']
  opened: OpenedContradiction[]
  /** Contradictions an earlier act opened, which taking it back dismisses. */
  dismissed: ContradictionRow[]
  revived: ClaimState[]
  retired: { claim: ClaimState; byClaimId: string; reason: string }[]
  /** The supersessions concerned, each with the contradiction it becomes. */
  pairs: { supersessionNo: number; contradictionNo: number | null }[]
}

export async function planFinding(
  tx: TenantTransaction,
  stored: StoredScope,
  target: FindingTarget,
  verdict: FindingVerdict,
): Promise<FindingPlan> {
  if (target.of === 'supersession') {
    return verdict === 'object' ? planObjection(tx, stored, target.row) : planRestoring(tx, stored, target.row)
  }
  const { row, decided } = target
  if (verdict === 'withdraw') {
    const isTakenBack = row.status === decided || (decided === 'dismissed' && row.status === 'cleared')
    if (decided !== undefined && !isTakenBack) throw overtaken(`The possible conflict is ${row.status}, not ${decided}.`)
    return planReopening(tx, stored, row)
  }
  if (row.status !== 'open') throw overtaken(`The possible conflict is ${row.status} already.`)
  return verdict === 'promote' ? planPromotion(tx, stored, row) : { ...nothing(row.severity), parts: { ...noParts(), possibleClosed: 1 } }
}

async function planPromotion(tx: TenantTransaction, stored: StoredScope, row: PossibleRow): Promise<FindingPlan> {
  const [a, b] = await readPair(tx, stored, row.claim_a, row.claim_b)
  const opened = open(stored, 0, { ...row, a, b })
  const parts = { ...noParts(), opened: [row.severity], openedByModel: row.found_by === null ? 0 : 1, possibleClosed: 1 }
  return { ...nothing(row.severity), parts, opened: [opened] }
}

/** Back to undecided, while what it became is undecided too. */
async function planReopening(tx: TenantTransaction, stored: StoredScope, row: PossibleRow): Promise<FindingPlan> {
  if (row.status === 'open') throw overtaken('The possible conflict is undecided.')
  const pair = await readPair(tx, stored, row.claim_a, row.claim_b)
  if (pair.some(claim => !claim.live)) throw overtaken('One of its claims no longer counts.')
  const plan = { ...nothing(row.severity), parts: { ...noParts(), possibleOpened: 1 } }
  if (row.contradiction_id === null) return plan
  const contradiction = await stillOpen(tx, row.contradiction_id)
  return { ...plan, parts: { ...plan.parts, closed: [contradiction.severity] }, dismissed: [contradiction] }
}

/** Who objects says that the claim still holds: it counts again, against everything that had replaced it. */
async function planObjection(tx: TenantTransaction, stored: StoredScope, row: SupersessionRow): Promise<FindingPlan> {
  if (row.status === 'withdrawn') throw overtaken('It no longer stands: a document of it was reread or erased.')
  if (row.status !== 'standing') throw overtaken('Somebody has objected to the supersession already.')
  const pairs = (await listSupersessionsOf(tx, stored, row.claim_no)).filter(each => each.status === 'standing')
  const states = await readClaimStates(tx, stored, [row.claim_no, ...pairs.map(each => each.by_claim_no)])
  const claim = states.get(row.claim_no)
  const replacedBy = pairs.flatMap(each => states.get(each.by_claim_no)?.claim_id ?? [])
  const revivable = await listRevivable(tx, stored, [row.claim_no])
  if (claim === undefined || claim.live || claim.superseded_by === null || !replacedBy.includes(claim.superseded_by)) {
    throw overtaken('Something else has decided about the claim since.')
  }
  if (revivable.length === 0) throw overtaken('The document of the claim was revised or erased: what it said before no longer counts.')
  if (states.get(row.by_claim_no)?.live !== true) throw overtaken('The claim that replaced it no longer counts itself.')
  const moves = await moveClaims(tx, stored, { ended: [], revived: [claim], except: new Set() })
  // The one that was objected to comes first.
  const others = pairs.filter(each => each.supersession_no !== row.supersession_no)
  const disputed = [row, ...others].flatMap(({ supersession_no: no, by_claim_no: byNo, reason, evidence }) => {
    const by = states.get(byNo)
    return by?.live === true ? [{ no, b: by, reason: `Objected to by a person: ${reason}`, evidence }] : []
  })
  const opened = disputed.map((each, index) => open(stored, index, { ...each, a: claim, kind: kindOf(claim), severity }))
  const numbers = new Map(disputed.map((each, index) => [each.no, opened[index]?.contradictionNo ?? null]))
  return {
    ...nothing(severity),
    ...moves,
    parts: { ...moves.parts, opened: opened.map(() => severity) },
    opened,
    revived: [claim],
    pairs: pairs.map(each => ({ supersessionNo: each.supersession_no, contradictionNo: numbers.get(each.supersession_no) ?? null })),
  }
}

/** Readers give supersessions no severity; what was taken for settled is at least worth looking at. */
const severity = 'medium'

/**
 * The supersessions of one objection stand again, while the contradictions it made are undecided. Those by a claim that is no longer said,
 * because its document was erased, revised or read again, stay as they are.
 */
async function planRestoring(tx: TenantTransaction, stored: StoredScope, row: SupersessionRow): Promise<FindingPlan> {
  if (row.objection === null) throw overtaken('Nobody has objected to the supersession.')
  const objected = (await listSupersessionsOf(tx, stored, row.claim_no)).filter(each => each.objection?.round === row.objection?.round)
  const byNos = objected.map(each => each.by_claim_no)
  const states = await readClaimStates(tx, stored, [row.claim_no, ...byNos])
  const said = new Set(await listRevivable(tx, stored, byNos))
  const pairs = objected.filter(({ by_claim_no: no }) => states.get(no)?.live === true || said.has(no))
  const claim = states.get(row.claim_no)
  if (!pairs.some(each => each.supersession_no === row.supersession_no)) throw overtaken('The claim that replaced it is no longer said.')
  if (claim?.live !== true) throw overtaken('Something else has decided about the claim since.')
  // Of several that replaced it, one that counts: the one whose objection is taken back comes first.
  const standing = [row, ...pairs].find(each => states.get(each.by_claim_no)?.live === true)
  const by = standing && states.get(standing.by_claim_no)
  if (standing === undefined || by === undefined) throw overtaken('The claim that replaced it no longer counts itself.')
  const dismissed: ContradictionRow[] = []
  for (const { contradiction_id: id } of pairs) if (id !== null) dismissed.push(await stillOpen(tx, id))
  const except = new Set(dismissed.map(each => each.contradiction_no))
  const moves = await moveClaims(tx, stored, { ended: [claim], revived: [], except })
  return {
    ...nothing(severity),
    ...moves,
    parts: { ...moves.parts, closed: [...dismissed.map(each => each.severity), ...moves.parts.closed] },
    dismissed,
    retired: [{ claim, byClaimId: by.claim_id, reason: standing.reason }],
    pairs: pairs.map(each => ({ supersessionNo: each.supersession_no, contradictionNo: null })),
  }
}

async function stillOpen(tx: TenantTransaction, contradictionId: string): Promise<ContradictionRow> {
  const row = await findContradiction(tx, contradictionId)
  invariant(row !== null, 'a contradiction disappeared')
  if (row.status !== 'open') throw overtaken(`The contradiction it became (${contradictionId}) has been decided.`)
  return row
}

async function readPair(tx: TenantTransaction, stored: StoredScope, a: number, b: number): Promise<[ClaimState, ClaimState]> {
  const states = await readClaimStates(tx, stored, [a, b])
  const [first, second] = [states.get(a), states.get(b)]
  invariant(first !== undefined && second !== undefined, 'a possible conflict has lost a claim')
  return [first, second]
}

type Opening = Pick<PossibleRow, 'kind' | 'severity' | 'reason' | 'evidence'> &
  Partial<Pick<PossibleRow, 'found_by' | 'slot_key' | 'group_a' | 'group_b'>> & { a: ClaimState; b: ClaimState }

function open(stored: StoredScope, index: number, opening: Opening): OpenedContradiction {
  const { a, b, kind, severity, reason, evidence, found_by: foundBy } = opening
  const contradictionNo = stored.nextContradictionNo + index
  return {
    contradictionNo,
    contradictionId: idOf('contradiction', stored, contradictionNo),
    found: {
      slotKey: opening.slot_key ?? a.slot_key,
      kind,
      severity,
      subject: a.subject,
      attribute: a.attribute,
      a: a.claim_id,
      b: b.claim_id,
      supportersA: [],
      supportersB: [],
      groupA: opening.group_a ?? `claim ${a.claim_id}`,
      groupB: opening.group_b ?? `claim ${b.claim_id}`,
      reason,
      ...(evidence === null ? {} : { evidence }),
      ...(foundBy == null ? {} : { foundBy }),
    },
    sides: [
      { contradictionNo, side: 'a', claimNo: a.claim_no, lead: true },
      { contradictionNo, side: 'b', claimNo: b.claim_no, lead: true },
    ],
  }
}

function kindOf({ value_type: type }: ClaimState): ConflictKind {
  if (type === 'date') return 'date'
  if (type === 'boolean') return 'negation'
  return type === 'category' || type === 'name' ? 'categorical' : 'numeric'
}

/** Of an act that is not to happen: a held one that a person rejects. */
export function noPlan(): FindingPlan {
  return nothing(severity)
}

function nothing(severity: PossibleRow['severity']): FindingPlan {
  return {
    severity,
    parts: noParts(),
    closes: [],
    reopens: [],
    possible: { closes: [], reopens: [] },
    opened: [],
    dismissed: [],
    revived: [],
    retired: [],
    pairs: [],
  }
}
