/**
 * What becomes of the findings of a document when it is read again. A claim of the new reading that overlaps one of the old and
 * says the same value is its successor, and takes its place in every finding that goes on.
 *
 * decided    by a person: goes on with the successors and is not judged again; where a side has none it is detached, and listed
 * open       goes on where the new reading finds it again, or cannot say: its other side was not compared, because another
 *            version read it or because it is not among the rivals; what a model found goes on, for silence changes nothing
 * otherwise  withdrawn: a contradiction closes, a possible conflict is dismissed, a supersession no longer stands; nor does one by a claim that
 *            its document no longer says
 */

import { loserOf, verdictOf } from '../../kernel/standing.js'
import type { ClaimValue, PlacedClaim, Reconciliation, Supersession, SupporterAdded } from '../../reading/types.js'
import { toClaim } from '../../store/claims/claims.js'
import type {
  AttachedContradiction,
  AttachedFindings,
  AttachedPossible,
  AttachedSupersession,
  Member,
} from '../../store/findings/attached-findings.js'
import type { CarriedWrite } from '../../store/findings/later-readings.js'

export interface CarryInput {
  attached: AttachedFindings
  documentId: string
  /** Of the new reading, numbered from the first. */
  claims: readonly PlacedClaim[]
  firstClaimNo: number
  concluded: Reconciliation
  /** Whether the claim was compared with the new reading. */
  isCompared: (claimId: string) => boolean
  /** Whether a model answered about the new reading. */
  asked: boolean
}

export interface CarriedOver extends CarriedWrite {
  reconciliation: Reconciliation
  /** Possible conflicts that do not close although a claim of theirs ends. */
  keptPossible: Set<string>
  withdrawnIds: string[]
  /** Decisions of people whose statements the new reading does not have. */
  detached: string[]
  /** Decisions that go on. */
  kept: number
}

export function carryOver(input: CarryInput): CarriedOver {
  return new Carrying(input).carry()
}

/** Pairs `loser winner` of the new reading that a person said do not replace each other. */
export function objectedPairs(input: Pick<CarryInput, 'attached' | 'claims'>): Set<string> {
  const next = successors(input)
  const now = ({ claimId }: { claimId: string }) => next.get(claimId) ?? claimId
  const objected = input.attached.supersessions.filter(({ status }) => status === 'objected')
  return new Set(objected.map(({ claim, by }) => `${now(claim)} ${now(by)}`))
}

class Carrying {
  private readonly input: CarryInput
  /** Of each old claim that has one, the id of its successor. */
  private readonly next: Map<string, string>
  private readonly former: Set<string>
  private readonly dropped = { contradictions: new Set<unknown>(), unsure: new Set<unknown>(), supersessions: new Set<unknown>() }
  private readonly recorded = new Set<Supersession>()
  private readonly supporters: SupporterAdded[] = []
  private readonly ends: Supersession[] = []
  private readonly pairs = new Set<string>()
  private readonly result: Omit<CarriedOver, 'reconciliation' | 'moves'> = {
    contradictions: [],
    possible: [],
    supersessions: [],
    endedClaims: [],
    withdrawn: [],
    withdrawnIds: [],
    keptPossible: new Set(),
    detached: [],
    kept: 0,
  }

  constructor(input: CarryInput) {
    this.input = input
    this.next = successors(input)
    this.former = new Set(input.attached.former.map(row => row.claim_id))
  }

  carry(): CarriedOver {
    const { attached, concluded, claims, firstClaimNo } = this.input
    for (const each of attached.contradictions) if (each.status !== 'closed') this.contradiction(each)
    for (const each of attached.possible) if (each.status !== 'closed') this.possible(each)
    for (const each of attached.supersessions) this.supersession(each)
    const numbers = new Map(claims.map((claim, index) => [claim.claimId, firstClaimNo + index]))
    const replaced = attached.former
      .filter(({ ended }) => ended === null)
      .map(({ claim_id: claimId }): Supersession => ({ claimId, byClaimId: null, reason: 'The document was read again.', listed: false }))
    return {
      ...this.result,
      moves: attached.former.flatMap(({ claim_no: from, claim_id: fromId }) => {
        const toId = this.next.get(fromId)
        const to = toId === undefined ? undefined : numbers.get(toId)
        return toId === undefined || to === undefined ? [] : [{ from, fromId, to, toId }]
      }),
      reconciliation: {
        ...concluded,
        contradictions: concluded.contradictions.filter(each => !this.dropped.contradictions.has(each)),
        unsure: concluded.unsure.filter(each => !this.dropped.unsure.has(each)),
        supersessions: [
          ...replaced,
          ...concluded.supersessions
            .filter(each => !this.dropped.supersessions.has(each))
            .map(each => (this.recorded.has(each) ? { ...each, listed: false as const } : each)),
          ...this.ends,
        ],
        supporters: [...concluded.supporters, ...this.supporters],
      },
    }
  }

  private contradiction(found: AttachedContradiction): void {
    const decided = found.status !== 'open' || found.personal
    // What a verdict retired is still what it is about; what an earlier reading said is not.
    const holds = (member: Member) => member.said || this.former.has(member.claimId)
    const a = this.goOn(found.a.filter(holds))
    const b = this.goOn(found.b.filter(holds))
    if (a.length === 0 || b.length === 0) {
      if (!decided) return
      this.result.detached.push(found.id)
      // Should the other side be said again, it applies again.
      this.goOnIn(found)
      return
    }
    const again = this.input.concluded.contradictions.filter(each => opposes(each, a, b))
    const joined = this.input.concluded.supporters.some(each => each.contradictionId === found.id)
    const isFound = again.length > 0 || joined
    if (!decided && !isFound && found.foundBy === null && this.isAnyCompared(this.against(found))) return
    if (decided) this.result.kept++
    for (const each of again) this.drop(each, found, a)
    this.goOnIn(found)
    this.result.endedClaims.push(...[...found.a, ...found.b].map(member => member.claimNo))
    if (found.status === 'resolved') this.retire(found)
  }

  private goOnIn(found: AttachedContradiction): void {
    this.result.contradictions.push(found.no)
    for (const side of ['a', 'b'] as const) {
      this.join(
        found,
        side,
        found[side].flatMap(member => this.next.get(member.claimId) ?? []),
      )
    }
  }

  /** What was found again is the finding that is there; whatever else says it joins it. */
  private drop(again: Reconciliation['contradictions'][number], found: AttachedContradiction, a: readonly string[]): void {
    this.dropped.contradictions.add(again)
    const sides = { a: [again.a, ...again.supportersA], b: [again.b, ...again.supportersB] }
    const crossed = !sides.a.some(id => a.includes(id))
    this.join(found, crossed ? 'b' : 'a', sides.a)
    this.join(found, crossed ? 'a' : 'b', sides.b)
  }

  private join({ id: contradictionId }: AttachedContradiction, side: 'a' | 'b', claimIds: readonly string[]): void {
    for (const claimId of claimIds) this.supporters.push({ contradictionId, side, claimId })
  }

  /** What a verdict retired stays retired. */
  private retire({ word, a, b }: AttachedContradiction): void {
    const loser = word === null ? null : loserOf(verdictOf(word.verdict, word.side ?? undefined))
    const losing = new Set((loser === null ? [] : loser === 'a' ? a : b).map(member => member.claimId))
    for (const { claim_id: id, ended } of this.input.attached.former) {
      const claimId = this.next.get(id)
      if (claimId === undefined || ended === null || !losing.has(id)) continue
      const { by, reason, round } = ended
      this.ends.push({ claimId, byClaimId: by === null ? null : this.now(by), reason, round, listed: false })
    }
  }

  private possible(found: AttachedPossible): void {
    const decided = found.status !== 'open'
    const [a, b] = [this.goOn([found.a])[0], this.goOn([found.b])[0]]
    if (a === undefined || b === undefined) {
      if (found.status === 'dismissed') this.result.detached.push(found.id)
      return
    }
    const { concluded, asked, attached } = this.input
    const unsure = concluded.unsure.find(each => (each.a === a && each.b === b) || (each.a === b && each.b === a))
    const contradicting = concluded.contradictions.filter(each => opposes(each, [a], [b]))
    // What a model cleared was only possible.
    if (found.status === 'cleared' && contradicting.length > 0) return
    // A model may have said that what the rules take for a contradiction is none.
    const acquitted = !asked && attached.model?.answered === true
    if (!decided) {
      if (contradicting.length > 0 && !acquitted) return
      const compared = this.isAnyCompared([found.a, found.b])
      if (unsure === undefined && contradicting.length === 0 && found.foundBy === null && compared) return
    }
    if (found.status === 'dismissed') this.result.kept++
    if (unsure !== undefined) this.dropped.unsure.add(unsure)
    if (found.status !== 'promoted') for (const each of contradicting) this.dropped.contradictions.add(each)
    this.result.possible.push(found.no)
    this.result.keptPossible.add(found.id)
  }

  private supersession(found: AttachedSupersession): void {
    const [claimId, by] = [this.goOn([found.claim])[0], this.goOn([found.by])[0]]
    const objected = found.status === 'objected'
    const again = this.input.concluded.supersessions.find(each => each.claimId === claimId && each.byClaimId === by)
    const isSaid = objected || found.by.said
    // Also where both were read as one passage now: a claim does not replace itself.
    if (claimId === undefined || by === undefined || claimId === by || !isSaid) {
      if (objected) this.result.detached.push(found.id)
      else this.withdraw(found)
      return
    }
    const isNew = !this.pairs.has(`${claimId} ${by}`)
    const stands = objected || again !== undefined || found.foundBy !== null || !this.isAnyCompared([found.claim, found.by])
    if (!stands || !isNew) {
      this.withdraw(found)
      return
    }
    this.pairs.add(`${claimId} ${by}`)
    this.result.supersessions.push(found.no)
    this.result.endedClaims.push(found.claim.claimNo)
    if (objected) {
      this.result.kept++
      if (again !== undefined) this.dropped.supersessions.add(again)
      return
    }
    if (again !== undefined) this.recorded.add(again)
    else if (this.former.has(found.claim.claimId)) this.ends.push({ claimId, byClaimId: by, reason: found.reason, listed: false })
  }

  /** Whether what it replaced counts again is settled behind the reading. */
  private withdraw({ no, id }: AttachedSupersession): void {
    this.result.withdrawn.push(no)
    this.result.withdrawnIds.push(id)
  }

  /** The claims these are from now on; those of the old reading that have no successor are gone. */
  private goOn(members: readonly { claimId: string }[]): string[] {
    return members.flatMap(({ claimId }) => (this.former.has(claimId) ? (this.next.get(claimId) ?? []) : [claimId]))
  }

  private now(claimId: string): string {
    return this.next.get(claimId) ?? claimId
  }

  /** What stands against the document: that it was compared with who says the same tells nothing of the other side. */
  private against({ a, b }: AttachedContradiction): Member[] {
    const isOwn = ({ claimId }: Member) => this.former.has(claimId)
    return [...(a.some(isOwn) ? b : []), ...(b.some(isOwn) ? a : [])]
  }

  /** Whether the new reading could have found it: within one document always. */
  private isAnyCompared(members: readonly { claimId: string; documentId: string }[]): boolean {
    const others = members.filter(({ documentId }) => documentId !== this.input.documentId)
    return others.length === 0 || others.some(({ claimId }) => this.input.isCompared(claimId))
  }
}

type Sides = Pick<Reconciliation['contradictions'][number], 'a' | 'b' | 'supportersA' | 'supportersB'>

function opposes({ a, b, supportersA, supportersB }: Sides, one: readonly string[], other: readonly string[]): boolean {
  const [sideA, sideB] = [
    [a, ...supportersA],
    [b, ...supportersB],
  ]
  const meet = (ids: readonly string[], among: readonly string[]) => ids.some(id => among.includes(id))
  return (meet(one, sideA) && meet(other, sideB)) || (meet(one, sideB) && meet(other, sideA))
}

/** Overlapping spans and the same value; of several, the one about the same thing, then the one that overlaps most. */
function successors({ attached, claims }: Pick<CarryInput, 'attached' | 'claims'>): Map<string, string> {
  const byValue = new Map<string, PlacedClaim[]>()
  for (const claim of claims) {
    const key = valueKey(claim)
    const known = byValue.get(key)
    if (known === undefined) byValue.set(key, [claim])
    else known.push(claim)
  }
  const next = new Map<string, string>()
  for (const row of attached.former) {
    const old = toClaim(row)
    const likeness = (claim: PlacedClaim): number => {
      const overlap = Math.min(old.end, claim.end) - Math.max(old.start, claim.start)
      if (overlap <= 0) return 0
      const same = (claim.attributeKey === old.attributeKey ? 1 : 0) + (claim.subjectKey === old.subjectKey ? 1 : 0)
      return same + overlap / Math.max(old.end - old.start, claim.end - claim.start)
    }
    let best: { claim: PlacedClaim; likeness: number } | null = null
    for (const claim of byValue.get(valueKey(old)) ?? []) {
      const value = likeness(claim)
      if (value > (best?.likeness ?? 0)) best = { claim, likeness: value }
    }
    if (best !== null) next.set(old.claimId, best.claim.claimId)
  }
  return next
}

/** What a claim says, whatever unit or precision a reader sees in it. */
export function valueKey({ value, polarity, valueText }: Pick<PlacedClaim, 'value' | 'polarity' | 'valueText'>): string {
  return `${polarity} ${said(value, valueText)}`
}

function said(value: ClaimValue, valueText: string): string {
  if ('low' in value) return `${value.low} ${value.high}`
  if (value.type === 'date') return `${value.from} ${value.to}`
  if (value.type === 'boolean') return String(value.value)
  return (value.value || valueText).toLowerCase()
}
