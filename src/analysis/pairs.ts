/**
 * The pairs of claims that are compared for one document: with live claims of the scope and with what the document said
 * before. Bounded: a claim meets a limited number of rivals, and a slot that is used very often is only sampled.
 */

import { nearestPairs } from './align.js'
import { replacesDocument, sameIssuer } from './issuers.js'
import { listedIn } from './listed.js'
import { isEntityMark } from './marks.js'
import { relate } from './relate.js'
import type { Relation, Situation } from './relation.js'
import { cited, figures, isStatement, MAX_RIVALS, Statements } from './rivals.js'
import type { PlacedClaim, ReconcileInput } from './types.js'
import { type View, viewOf } from './view.js'

export interface Pair {
  old: PlacedClaim
  fresh: PlacedClaim
  relation: Relation
}

class Situations {
  private readonly known = new Map<string, Situation>()
  private readonly input: ReconcileInput

  constructor(input: ReconcileInput) {
    this.input = input
  }

  of(documentId: string): Situation {
    const known = this.known.get(documentId)
    if (known) return known
    const { document, memory } = this.input
    const old = (Object.hasOwn(memory.documents, documentId) ? memory.documents[documentId] : null) ?? null
    const made: Situation = {
      sameDocument: documentId === document.documentId,
      sameIssuer: sameIssuer(old, document),
      later: !old?.issuedOn || !document.issuedOn || old.issuedOn <= document.issuedOn,
      oldDocument: old,
      newDocument: document,
      replaces: replacesDocument(document, old),
    }
    this.known.set(documentId, made)
    return made
  }
}

/** Claims that share a key, so that only those are compared. */
function byKey(views: readonly View[]): Map<string, View[]> {
  const map = new Map<string, View[]>()
  for (const view of views) put(map, view)
  return map
}

/** Under its key, and under the key of the one site, patient or unit it is about. */
function put(map: Map<string, View[]>, view: View): void {
  const { slotKey } = view.claim
  add(map, slotKey, view)
  for (const mark of ownersOf(view)) add(map, `${slotKey}#${mark}`, view)
}

function add(map: Map<string, View[]>, key: string, view: View): void {
  const bucket = map.get(key)
  if (bucket) bucket.push(view)
  else map.set(key, [view])
}

const ownersOf = (view: View): readonly string[] => (view.above.length ? view.above.filter(isEntityMark).slice(0, 2) : view.above)

/** A slot may cost this many comparisons in one document; claims beyond meet only the latest few. */
const SLOT_BUDGET = 2_048
const FEW_RIVALS = 4
const OWN_RIVALS = 24

/** Hands out rivals by key and grows tighter where one key is used very often. */
class Slots {
  private readonly spent = new Map<string, number>()

  take(key: string, bucket: readonly View[], limit: number, newest: boolean): readonly View[] {
    const spent = this.spent.get(key) ?? 0
    const count = Math.min(bucket.length, spent >= SLOT_BUDGET ? FEW_RIVALS : limit)
    this.spent.set(key, spent + count)
    if (count === bucket.length) return bucket
    return newest ? bucket.slice(-count) : bucket.slice(0, count)
  }
}

const NO_RIVALS: readonly View[] = []

/** One document being compared: a class, because functions made for each document would be made ready by the engine each time anew. */
class Comparing {
  readonly pairs: Pair[] = []
  private readonly situations: Situations
  private readonly slots = new Slots()
  private readonly others: readonly View[]
  private readonly live: Map<string, View[]>
  private readonly statements: Statements
  private readonly byFigure: Map<string, View[]>
  // Filled as we go: a claim meets what the document said before it.
  private readonly ownStatements = new Statements([])
  private readonly own = new Map<string, View[]>()

  constructor(input: ReconcileInput, others: readonly View[]) {
    this.situations = new Situations(input)
    this.others = others
    this.live = byKey(others)
    this.statements = new Statements(others)
    this.byFigure = figures(others)
  }

  compare(old: View, fresh: View, likeness: number): void {
    const relation = relate(old, fresh, this.situations.of(old.claim.documentId), likeness)
    if (relation) this.pairs.push({ old: old.claim, fresh: fresh.claim, relation })
  }

  take(fresh: View): void {
    if (isStatement(fresh.claim)) this.takeStatement(fresh)
    else this.takeFigure(fresh)
  }

  private takeStatement(fresh: View): void {
    const limit = this.slots.take(fresh.claim.slotKey, this.others, MAX_RIVALS, false).length
    for (const old of this.statements.rivalsOf(fresh, limit)) this.compare(old, fresh, 0)
    for (const old of this.ownStatements.rivalsOf(fresh, Math.min(OWN_RIVALS, Math.max(limit, FEW_RIVALS)))) this.compare(old, fresh, 0)
    this.ownStatements.add(fresh)
  }

  private takeFigure(fresh: View): void {
    const { slotKey, lookupKeys } = fresh.claim
    const seen = new Set<string>()
    this.meet(fresh, cited(fresh.claim, this.byFigure), seen)
    // In a long list of sites the same site comes first.
    for (const mark of ownersOf(fresh)) this.meetUnder(fresh, `#${mark}`, this.live.get(`${slotKey}#${mark}`), seen)
    this.meetAll(fresh, slotKey, seen)
    for (const key of lookupKeys) this.meetAll(fresh, key, seen)
    put(this.own, fresh)
  }

  private meetAll(fresh: View, key: string, seen: Set<string>): void {
    this.meetUnder(fresh, key, this.live.get(key), seen)
    this.meet(fresh, this.slots.take(key, this.own.get(key) ?? NO_RIVALS, OWN_RIVALS, true), seen)
  }

  private meetUnder(fresh: View, key: string, rivals: readonly View[] | undefined, seen: Set<string>): void {
    this.meet(fresh, this.slots.take(key, rivals ?? NO_RIVALS, MAX_RIVALS, false), seen)
  }

  private meet(fresh: View, rivals: readonly View[], seen: Set<string>): void {
    for (const old of rivals) {
      if (seen.has(old.claim.claimId)) continue
      seen.add(old.claim.claimId)
      this.compare(old, fresh, 0)
    }
  }
}

function othersIn({ claims, live, document }: ReconcileInput): View[] {
  const ids = new Set<string>()
  for (const { claimId } of claims) ids.add(claimId)
  const others: View[] = []
  for (const claim of live) if (!ids.has(claim.claimId) && claim.documentId !== document.documentId) others.push(viewOf(claim))
  return others
}

export function pairsOf(input: ReconcileInput): Pair[] {
  const others = othersIn(input)
  const said = input.claims.map(viewOf)
  const comparing = new Comparing(input, others)
  for (const fresh of said) comparing.take(fresh)
  const { pairs } = comparing
  const met = byFresh(pairs)
  const replaced = new Set<Pair>()
  for (const { old, fresh, likeness } of nearestPairs(others, said)) {
    const known = met.get(fresh.claim.claimId)?.findLast(pair => pair.old.claimId === old.claim.claimId)
    // What is related already, and not only unsure, stays.
    if (known && known.relation.kind !== 'unsure') continue
    if (known) replaced.add(known)
    comparing.compare(old, fresh, likeness)
  }
  return withoutLists(replaced.size ? pairs.filter(pair => !replaced.has(pair)) : pairs, others, said)
}

function byFresh(pairs: readonly Pair[]): Map<string, Pair[]> {
  const map = new Map<string, Pair[]>()
  for (const pair of pairs) {
    const known = map.get(pair.fresh.claimId)
    if (known) known.push(pair)
    else map.set(pair.fresh.claimId, [pair])
  }
  return map
}

const accuses = ({ fresh, relation }: Pair): boolean => relation.kind === 'contradicting' && !relation.cites && !isStatement(fresh)

/** What accuses only by an entry of a list is unsure. */
function withoutLists(pairs: Pair[], others: readonly View[], said: readonly View[]): Pair[] {
  const keys = new Set<string>()
  for (const pair of pairs) if (accuses(pair)) keys.add(pair.old.slotKey).add(pair.fresh.slotKey)
  if (!keys.size) return pairs
  const claims: PlacedClaim[] = []
  for (const { claim } of others) if (keys.has(claim.slotKey)) claims.push(claim)
  for (const { claim } of said) if (keys.has(claim.slotKey)) claims.push(claim)
  const listed = listedIn(claims)
  if (!listed.size) return pairs
  return pairs.map(pair =>
    accuses(pair) && (listed.has(pair.old.claimId) || listed.has(pair.fresh.claimId))
      ? { ...pair, relation: { ...pair.relation, kind: 'unsure' } }
      : pair,
  )
}
