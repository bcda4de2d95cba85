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

export function pairsOf(input: ReconcileInput): Pair[] {
  const ids = new Set(input.claims.map(claim => claim.claimId))
  const others = input.live.filter(claim => !ids.has(claim.claimId) && claim.documentId !== input.document.documentId).map(viewOf)
  const live = byKey(others)
  const statements = new Statements(others)
  // Filled as we go: a claim meets what the document said before it.
  const ownStatements = new Statements([])
  const own = new Map<string, View[]>()
  const situations = new Situations(input)
  const byFigure = figures(others)
  const slots = new Slots()
  const pairs: Pair[] = []
  const compare = (old: View, fresh: View, likeness = 0): void => {
    const relation = relate(old, fresh, situations.of(old.claim.documentId), likeness)
    if (relation) pairs.push({ old: old.claim, fresh: fresh.claim, relation })
  }
  const said = input.claims.map(viewOf)
  for (const fresh of said) {
    const { slotKey, lookupKeys } = fresh.claim
    if (isStatement(fresh.claim)) {
      const limit = slots.take(slotKey, others, MAX_RIVALS, false).length
      for (const old of statements.rivalsOf(fresh, limit)) compare(old, fresh)
      for (const old of ownStatements.rivalsOf(fresh, Math.min(OWN_RIVALS, Math.max(limit, FEW_RIVALS)))) compare(old, fresh)
      ownStatements.add(fresh)
      continue
    }
    const seen = new Set<string>()
    const meet = (rivals: readonly View[]): void => {
      for (const old of rivals) {
        if (seen.has(old.claim.claimId)) continue
        seen.add(old.claim.claimId)
        compare(old, fresh)
      }
    }
    meet(cited(fresh.claim, byFigure))
    // In a long list of sites the same site comes first.
    for (const mark of ownersOf(fresh)) meet(slots.take(`#${mark}`, live.get(`${slotKey}#${mark}`) ?? NO_RIVALS, MAX_RIVALS, false))
    for (const key of [slotKey, ...lookupKeys]) {
      meet(slots.take(key, live.get(key) ?? NO_RIVALS, MAX_RIVALS, false))
      meet(slots.take(key, own.get(key) ?? NO_RIVALS, OWN_RIVALS, true))
    }
    put(own, fresh)
  }
  const unsure = (pair: Pair | undefined): boolean => pair === undefined || pair.relation.kind === 'unsure'
  const met = byFresh(pairs)
  const replaced = new Set<Pair>()
  for (const { old, fresh, likeness } of nearestPairs(others, said)) {
    const known = met.get(fresh.claim.claimId)?.findLast(pair => pair.old.claimId === old.claim.claimId)
    if (!unsure(known)) continue
    if (known) replaced.add(known)
    compare(old, fresh, likeness)
  }
  const found = replaced.size ? pairs.filter(pair => !replaced.has(pair)) : pairs
  return withoutLists(found, others, said)
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
