/**
 * The part of a claim that has no column of its own, as it is stored and digested. Most claims state a fact, deny nothing, correct
 * nothing and stand below no heading: what says nothing is left out, a third of all that is written of a document, and put back on
 * reading. The words a claim is looked up by have a table of their own.
 */

import { storableJson } from '../../platform/storable-text.js'
import type { Says } from '../../reading/document/says.js'
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
  ...{ roles: none, rates: none, bases: none, corrects: false },
}
const ofAbove: Members = { words: none, heads: none, names: none, ids: none, periods: none }
/** Of a claim, what is written elsewhere or by itself. */
const apart = new Set([
  ...['claimId', 'documentId', 'revision', 'quote', 'start', 'end', 'subject', 'attribute', 'confidence', 'lookupKeys', 'says'],
])
const aboveApart = new Set(['above'])
const claimNames = Object.keys(ofClaim)

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

/** A new object, for its reader to add to. Members are put back one by one: copying objects cost twice what reading them did. */
export function parseBody(json: string): ClaimBody {
  const body = JSON.parse(json) as Record<string, unknown>
  for (const name of claimNames) if (body[name] === undefined) body[name] = ofClaim[name]
  if (body['says'] !== undefined) body['says'] = parsedSays(body['says'] as StoredSays)
  return body as unknown as ClaimBody
}

type StoredSays = Pick<Says, 'kind' | 'words'> &
  Partial<Omit<Says, 'above'>> & {
    above: Partial<Says['above']>
    /** Kept by readers before 30, and in the digests of what they read. */
    whens?: readonly string[]
  }

/** Written out, so that all have the same members in the same order, as those that were just read: comparing looks at thousands. */
function parsedSays(told: StoredSays): Says {
  const { above, whens } = told
  const says: Says = {
    kind: told.kind,
    words: told.words,
    ids: told.ids ?? [],
    toldIds: told.toldIds ?? [],
    numbers: told.numbers ?? [],
    dates: told.dates ?? [],
    labelDates: told.labelDates ?? 0,
    negated: told.negated ?? false,
    negates: told.negates ?? [],
    denied: told.denied ?? [],
    roles: told.roles ?? [],
    rates: told.rates ?? [],
    bases: told.bases ?? [],
    corrects: told.corrects ?? false,
    above: {
      words: above.words ?? [],
      heads: above.heads ?? [],
      names: above.names ?? [],
      ids: above.ids ?? [],
      periods: above.periods ?? [],
      ...(above.asked !== undefined && { asked: above.asked }),
    },
  }
  return whens === undefined ? says : Object.assign(says, { whens })
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
