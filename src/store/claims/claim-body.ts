/**
 * The part of a claim that has no column of its own, as it is stored and digested. Most claims state a fact, deny nothing, correct
 * nothing and stand below no heading: what says nothing is left out, a third of all that is written of a document, and put back on
 * reading. The words a claim is looked up by have a table of their own.
 */

import { storableJson } from '../../platform/storable-text.js'
import type { PlacedClaim } from '../../reading/types.js'

type ClaimBody = Omit<
  PlacedClaim,
  'claimId' | 'documentId' | 'revision' | 'quote' | 'start' | 'end' | 'subject' | 'attribute' | 'confidence'
>

type Members = Readonly<Record<string, unknown>>

const none: readonly unknown[] = Object.freeze([])
const ofClaim: Members = { unit: null, period: null, role: 'actual', polarity: 'affirmed', lookupKeys: none }
const ofSays: Members = {
  ...{ ids: none, toldIds: none, numbers: none, dates: none, labelDates: 0, negated: false, negates: none, denied: none },
  ...{ answer: null, roles: none, rates: none, bases: none, whens: none, corrects: false },
}
const ofAbove: Members = { words: none, heads: none, names: none, ids: none, periods: none }
/** Of a claim, what is written elsewhere or by itself. */
const apart = new Set([
  ...['claimId', 'documentId', 'revision', 'quote', 'start', 'end', 'subject', 'attribute', 'confidence', 'lookupKeys', 'says'],
])
const aboveApart = new Set(['above'])

export function claimBody(claim: PlacedClaim): string {
  return claimBodies([claim])[0] as string
}

export function claimBodies(claims: readonly PlacedClaim[]): string[] {
  const claimMembers = membersOf(ofClaim, apart)
  const saysMembers = membersOf(ofSays, aboveApart)
  const aboveMembers = membersOf(ofAbove)
  return claims.map(claim => {
    const { says } = claim as PlacedClaim & { says?: Members & { above: Members } }
    const body = claimMembers(claim)
    if (says !== undefined) body['says'] = { ...saysMembers(says), above: aboveMembers(says.above) }
    return storableJson(body)
  })
}

export function parseBody(json: string): ClaimBody {
  const body = JSON.parse(json) as ClaimBody & { says?: Members & { above: Members } }
  const { says } = body
  if (says === undefined) return { ...ofClaim, ...body }
  return { ...ofClaim, ...body, says: { ...ofSays, ...says, above: { ...ofAbove, ...says.above } } } as ClaimBody
}

/**
 * In the order of their names: what was read has them in another than what was made, and its digest is the same. Claims of one
 * document have them alike, so that they are put in order once and not for each.
 */
function membersOf(nothing: Members, without?: ReadonlySet<string>): (members: object) => Record<string, unknown> {
  let made: readonly string[] = []
  let ordered: readonly string[] = []
  return members => {
    const names = Object.keys(members)
    if (names.length !== made.length || names.some((name, at) => name !== made[at])) {
      made = names
      ordered = names.filter(name => !without?.has(name)).sort()
    }
    const given = members as Members
    const kept: Record<string, unknown> = {}
    for (const name of ordered) if (!(name in nothing) || !isNothing(given[name], nothing[name])) kept[name] = given[name]
    return kept
  }
}

function isNothing(value: unknown, nothing: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : value === nothing
}
