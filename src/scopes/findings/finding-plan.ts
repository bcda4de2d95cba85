/**
 * What a person's word on a possible conflict or a supersession would do: which contradictions it opens, which it takes
 * back, which claims count again or no longer. Reads only; the round decides whether it happens. Whatever has moved on
 * since is a conflict of states: nothing is decided twice, and nothing about claims that no longer count.
 */

import type { FindingRound } from '../../kernel/round-types.js'
import type { KeptCase, KeptContradiction, KeptPossible, KeptReplacement, KeptStatement } from '../../kernel/standing-difference.js'
import { invariant } from '../../platform/errors.js'
import type { ConflictKind, ContradictionFound } from '../../reading/types.js'
import type { SideWrite, SupersessionWrite } from '../../store/findings/finding-rows.js'
import { type ContradictionRow, findContradiction } from '../../store/findings/findings.js'
import { type ClaimState, readClaimStates } from '../../store/findings/findings-resolution.js'
import { type PossibleRow, statusOf } from '../../store/findings/possible-conflicts.js'
import { nothingSettled, type Settling, settlingOf } from '../../store/findings/settling.js'
import { readKeptCase } from '../../store/findings/standing-facts.js'
import { readSupersessions, type SupersessionRow } from '../../store/findings/supersessions.js'
import type { StoredScope } from '../../store/scopes/rounds.js'
import type { TenantTransaction } from '../../store/server/database.js'
import { idOf, overtaken } from '../act.js'

export type FindingTarget =
  | { of: 'possible_conflict'; row: PossibleRow; decided: Decided | undefined }
  | { of: 'supersession'; row: SupersessionRow }

/** What somebody who takes a decision back takes it for: another one made meanwhile stands. */
export type Decided = 'promoted' | 'dismissed' | 'accepted'

export type FindingVerdict = FindingRound['verdict']

export interface OpenedContradiction {
  contradictionNo: number
  contradictionId: string
  found: ContradictionFound
  sides: SideWrite[]
}

export interface FindingPlan extends Settling {
  severity: PossibleRow['severity']
  opened: OpenedContradiction[]
  /** Contradictions an earlier act opened, which taking it back dismisses. */
  dismissed: ContradictionRow[]
  /** The supersession that a proposed replacement becomes, and what is written of it where it is new. */
  accepts: string | null
  made: Omit<SupersessionWrite, 'round'> | null
  /** The supersessions concerned, each with the contradiction it becomes. */
  pairs: { supersessionNo: number; contradictionNo: number | null }[]
}

export async function planFinding(
  tx: TenantTransaction,
  stored: StoredScope,
  target: FindingTarget,
  verdict: FindingVerdict,
): Promise<FindingPlan> {
  const at = (stored.kept.kept?.round ?? 0) + 1
  if (target.of === 'supersession') {
    return verdict === 'object' ? planObjection(tx, stored, target.row, at) : planRestoring(tx, stored, target.row, at)
  }
  const { row, decided } = target
  if (verdict === 'withdraw') {
    const status = statusOf(row)
    const isTakenBack = status === decided || (decided === 'dismissed' && status === 'cleared')
    if (decided !== undefined && !isTakenBack) throw overtaken(`The possible conflict is ${status}, not ${decided}.`)
    return status === 'accepted' ? planUndoing(tx, stored, row) : planReopening(tx, stored, row, at)
  }
  if (row.status !== 'open') throw overtaken(`The possible conflict is ${statusOf(row)} already.`)
  if (verdict === 'accept') return planAcceptance(tx, stored, row, at)
  if (verdict === 'promote') return planPromotion(tx, stored, row, at)
  const kept = await readKeptCase(tx, stored, { claimNos: [row.claim_a, row.claim_b] })
  return settlePossible(tx, stored, row, { kept, word: { verdict: 'dismiss', at } })
}

async function planPromotion(tx: TenantTransaction, stored: StoredScope, row: PossibleRow, at: number): Promise<FindingPlan> {
  const kept = await readKeptCase(tx, stored, { claimNos: [row.claim_a, row.claim_b] })
  const pair = pairOf(kept, row)
  const states = await readClaimStates(
    tx,
    stored,
    pair.map(each => each.claimNo),
  )
  const [a, b] = pair.map(({ claimNo }) => stateOf(states, claimNo)) as [ClaimState, ClaimState]
  const opened = [open(stored, 0, { ...row, a, b })]
  const plan = await settlePossible(tx, stored, row, { kept, word: { verdict: 'promote', at }, opened })
  return { ...plan, parts: { ...plan.parts, openedByModel: row.found_by === null ? 0 : plan.parts.opened.length } }
}

/** Back to undecided, while what it became is undecided too; closed again where another about the same two goes before it. */
async function planReopening(tx: TenantTransaction, stored: StoredScope, row: PossibleRow, at: number): Promise<FindingPlan> {
  if (row.status === 'open') throw overtaken('The possible conflict is undecided.')
  const kept = await readKeptCase(tx, stored, { claimNos: [row.claim_a, row.claim_b] })
  if (ownOf(kept, row).kept === 'closed')
    throw overtaken('Nobody decided it: one of its statements no longer counts, or the same was found again.')
  if (pairOf(kept, row).some(each => !each.live)) throw overtaken('One of its statements no longer counts.')
  const dismissed = row.contradiction_id === null ? [] : [await stillOpen(tx, row.contradiction_id)]
  return settlePossible(tx, stored, row, { kept, word: null, dismissed, at })
}

/** The newer statement replaces the older one, as if it had acted by itself. */
async function planAcceptance(tx: TenantTransaction, stored: StoredScope, row: PossibleRow, at: number): Promise<FindingPlan> {
  if (row.proposes !== 'replacement') throw overtaken('It proposes no replacement: promote it, or dismiss it.')
  const kept = await readKeptCase(tx, stored, { claimNos: [row.claim_a, row.claim_b] })
  const [older, newer] = pairOf(kept, row)
  // Accepted before and taken back, it stands again.
  const again = kept.replacements.find(each => each.statement === older.no && each.by === newer.no && each.kept === 'withdrawn')
  const no = again?.no ?? stored.nextSupersessionNo
  const id = again?.id ?? idOf('supersession', stored, no)
  const fact: KeptReplacement = {
    ...{ no, id, statement: older.no, by: newer.no, kept: 'standing', inForce: true, objection: null, why: row.reason },
  }
  const changed = { ...kept, replacements: [...kept.replacements.filter(each => each !== again), fact] }
  const plan = await settlePossible(tx, stored, row, { kept: changed, word: { verdict: 'dismiss', at } })
  if (!plan.difference.ended.some(each => each.claim.no === older.no))
    throw overtaken('A person objected to it before, or the older statement replaces the newer one in its turn.')
  if (again !== undefined) return { ...plan, accepts: id, pairs: [{ supersessionNo: no, contradictionNo: null }] }
  const { reason, evidence, found_by: foundBy } = row
  const made = {
    ...{ supersessionNo: no, supersessionId: id, kind: 'words' as const, claimNo: older.claimNo, byClaimNo: newer.claimNo },
    ...{ reason, evidence, ...(foundBy === null ? {} : { foundBy }) },
  }
  return { ...plan, accepts: id, made }
}

/** What was accepted is proposed again. */
async function planUndoing(tx: TenantTransaction, stored: StoredScope, row: PossibleRow): Promise<FindingPlan> {
  const kept = await readKeptCase(tx, stored, { claimNos: [row.claim_a, row.claim_b] })
  const own = kept.replacements.find(each => each.id === row.decision?.supersession_id)
  if (own?.kept !== 'standing') throw overtaken('The replacement stands no more: somebody objected, or a document of it is gone.')
  const undone = { ...kept, replacements: kept.replacements.map(each => (each === own ? { ...each, inForce: false } : each)) }
  const plan = await settlePossible(tx, stored, row, { kept: undone, word: null })
  requireRevived(plan, pairOf(kept, row)[0])
  return plan
}

interface PossibleChange {
  kept: KeptCase
  word: KeptPossible['word']
  opened?: OpenedContradiction[]
  dismissed?: ContradictionRow[]
  at?: number
}

async function settlePossible(
  tx: TenantTransaction,
  stored: StoredScope,
  row: PossibleRow,
  { kept, word, opened = [], dismissed = [], at = 0 }: PossibleChange,
): Promise<FindingPlan> {
  const [a, b] = pairOf(kept, row)
  const settling = await settlingOf(tx, stored, {
    ...kept,
    possible: kept.possible.map(each => (each.no === row.possible_no ? { ...each, word } : each)),
    contradictions: [...withDismissed(kept, dismissed, at), ...opened.map(each => toFact(each, a.no, b.no))],
  })
  return { ...noPlan(), ...settling, severity: row.severity, opened, dismissed }
}

function ownOf({ possible }: KeptCase, { possible_no: no }: PossibleRow): KeptPossible {
  const own = possible.find(each => each.no === no)
  invariant(own !== undefined, 'a possible conflict is not among the facts about its claims')
  return own
}

/** Its statements, each with the claim that holds it now. */
function pairOf(kept: KeptCase, row: PossibleRow): [KeptStatement, KeptStatement] {
  const own = ownOf(kept, row)
  const [a, b] = [statementOf(kept, own.a), statementOf(kept, own.b)]
  invariant(a !== undefined && b !== undefined, 'a possible conflict has lost a claim')
  return [a, b]
}

function statementOf(kept: KeptCase, no: number | undefined): KeptStatement | undefined {
  return kept.statements.find(each => each.no === no)
}

/** Who objects says that the statement still holds: it counts again, against everything that had replaced it. */
async function planObjection(tx: TenantTransaction, stored: StoredScope, row: SupersessionRow, at: number): Promise<FindingPlan> {
  if (row.status === 'withdrawn') throw overtaken('It no longer stands: a document of it was reread or erased.')
  if (row.status !== 'standing') throw overtaken('Somebody has objected to the replacement already.')
  if (row.kind === 'revision') throw overtaken(noLongerSaid)
  const { kept, own, claim } = await readReplaced(tx, stored, row)
  if (statementOf(kept, own.by)?.live !== true) throw overtaken('The statement that replaced it no longer counts itself.')
  if (claim.live) throw overtaken('Something else has decided about the statement since.')
  const standing = kept.replacements.filter(each => each.statement === own.statement && each.kept === 'standing')
  // The one that was objected to comes first; of several by one statement, one opens a contradiction.
  const ordered = [own, ...standing.filter(each => each !== own)]
  const isFirst = (each: KeptReplacement) => ordered.find(other => other.by === each.by) === each
  const pairs = ordered.filter(each => isFirst(each) && statementOf(kept, each.by)?.live === true)
  const opened = await openDisputed(tx, stored, claim, kept, pairs)
  const numbers = new Map(pairs.map((each, index) => [each.no, opened[index]?.contradictionNo ?? null]))
  const objected = new Set(standing.map(each => each.no))
  const settling = await settlingOf(tx, stored, {
    ...kept,
    replacements: kept.replacements.map(each =>
      objected.has(each.no) ? { ...each, kept: 'objected', objection: { verdict: 'object', at } } : each,
    ),
    contradictions: [...kept.contradictions, ...pairs.map((each, index) => toFact(opened[index]!, each.statement, each.by))],
  })
  requireRevived(settling, claim)
  return {
    ...noPlan(),
    ...settling,
    opened,
    pairs: standing.map(each => ({ supersessionNo: each.no, contradictionNo: numbers.get(each.no) ?? null })),
  }
}

/** A contradiction for each that replaced the claim. */
async function openDisputed(
  tx: TenantTransaction,
  stored: StoredScope,
  claim: KeptStatement,
  kept: KeptCase,
  pairs: readonly KeptReplacement[],
): Promise<OpenedContradiction[]> {
  const byClaims = pairs.map(each => statementOf(kept, each.by)!.claimNo)
  const states = await readClaimStates(tx, stored, [claim.claimNo, ...byClaims])
  const rows = await readSupersessions(
    tx,
    stored,
    pairs.map(each => each.no),
  )
  const found = new Map(rows.map(each => [each.supersession_no, each]))
  const a = stateOf(states, claim.claimNo)
  return pairs.map(({ no }, index) => {
    const { reason, evidence } = found.get(no)!
    const b = stateOf(states, byClaims[index]!)
    return open(stored, index, { a, b, kind: kindOf(a), severity, reason: `Objected to by a person: ${reason}`, evidence })
  })
}

/** What was replaced, as the facts around it are now. */
async function readReplaced(tx: TenantTransaction, stored: StoredScope, { claim_no, supersession_no }: SupersessionRow) {
  const kept = await readKeptCase(tx, stored, { claimNos: [claim_no] })
  const own = kept.replacements.find(each => each.no === supersession_no)
  const claim = statementOf(kept, own?.statement)
  invariant(own !== undefined && claim !== undefined, 'a supersession has lost a claim')
  return { kept, own, claim }
}

function requireRevived({ difference }: Settling, claim: KeptStatement): void {
  if (difference.revived.some(each => each.no === claim.no)) return
  if (!claim.said) throw overtaken(noLongerSaid)
  throw overtaken('Something else has decided about the statement since.')
}

const noLongerSaid = 'The document of the statement was revised or erased: what it said before no longer counts.'

/** Readers give supersessions no severity; what was taken for settled is at least worth looking at. */
const severity = 'medium'

/**
 * The supersessions of one objection stand again, while the contradictions it made are undecided. Those by a statement that is no longer
 * said stay as they are.
 */
async function planRestoring(tx: TenantTransaction, stored: StoredScope, row: SupersessionRow, at: number): Promise<FindingPlan> {
  if (row.status !== 'objected') throw overtaken('Nobody has objected to the replacement.')
  const { kept, own, claim } = await readReplaced(tx, stored, row)
  const objected = kept.replacements.filter(each => each.statement === own.statement && each.objection?.at === own.objection?.at)
  const pairs = objected.filter(each => statementOf(kept, each.by)?.said === true)
  if (!pairs.includes(own)) throw overtaken('The statement that replaced it is no longer said.')
  if (!claim.live) throw overtaken('Something else has decided about the statement since.')
  if (!pairs.some(each => statementOf(kept, each.by)?.live === true))
    throw overtaken('The statement that replaced it no longer counts itself.')
  const restored = new Set(pairs.map(each => each.no))
  const dismissed: ContradictionRow[] = []
  for (const { contradiction_id: id } of await readSupersessions(tx, stored, [...restored]))
    if (id !== null) dismissed.push(await stillOpen(tx, id))
  const settling = await settlingOf(tx, stored, {
    ...kept,
    replacements: kept.replacements.map(each => (restored.has(each.no) ? { ...each, kept: 'standing', objection: null } : each)),
    contradictions: withDismissed(kept, dismissed, at),
  })
  return {
    ...noPlan(),
    ...settling,
    dismissed,
    pairs: pairs.map(each => ({ supersessionNo: each.no, contradictionNo: null })),
  }
}

function withDismissed({ contradictions }: KeptCase, dismissed: readonly ContradictionRow[], at: number): KeptContradiction[] {
  const numbers = new Set(dismissed.map(each => each.contradiction_no))
  return contradictions.map(each => (numbers.has(each.no) ? { ...each, inForce: false, word: { verdict: 'dismiss', at } } : each))
}

/** A contradiction that opens with the act, between two statements. */
function toFact({ contradictionNo: no, contradictionId: id, found }: OpenedContradiction, a: number, b: number): KeptContradiction {
  const fresh = { inForce: true, word: null, reported: null, kept: null, onRecord: false, why: '' }
  return { no, id, severity: found.severity, a: [a], b: [b], ...fresh }
}

async function stillOpen(tx: TenantTransaction, contradictionId: string): Promise<ContradictionRow> {
  const row = await findContradiction(tx, contradictionId)
  invariant(row !== null, 'a contradiction disappeared')
  if (row.status !== 'open') throw overtaken(`The contradiction it became (${contradictionId}) has been decided.`)
  return row
}

function stateOf(states: ReadonlyMap<number, ClaimState>, claimNo: number): ClaimState {
  const state = states.get(claimNo)
  invariant(state !== undefined, 'a finding has lost a claim')
  return state
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

/** Of an act that is not to happen: a held one that a person rejects. What others add to. */
export function noPlan(): FindingPlan {
  return { ...nothingSettled(), severity, opened: [], dismissed: [], accepts: null, made: null, pairs: [] }
}
