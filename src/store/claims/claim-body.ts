/**
 * The part of a claim that has no column of its own, as it is stored and digested. Most claims state a fact, deny nothing, correct
 * nothing and stand below no heading: what says nothing is left out, a third of all that is written of a document, and put back on
 * reading.
 */

import { storableJson } from '../../platform/storable-text.js'
import type { PlacedClaim } from '../../reading/types.js'

type ClaimBody = Omit<
  PlacedClaim,
  'claimId' | 'documentId' | 'revision' | 'quote' | 'start' | 'end' | 'subject' | 'attribute' | 'confidence'
>

type Members = Readonly<Record<string, unknown>>

const none: readonly unknown[] = Object.freeze([])
const ofClaim: Members = { unit: null, period: null, role: 'actual', polarity: 'affirmed' }
const ofSays: Members = {
  ...{ ids: none, toldIds: none, numbers: none, dates: none, labelDates: 0, negated: false, negates: none, denied: none },
  ...{ answer: null, roles: none, rates: none, bases: none, whens: none, corrects: false },
}
const ofAbove: Members = { words: none, heads: none, names: none, ids: none, periods: none }
/** Of a claim, what is written elsewhere or by itself. */
const apart = new Set(['claimId', 'documentId', 'revision', 'quote', 'start', 'end', 'subject', 'attribute', 'confidence', 'says'])
const aboveApart = new Set(['above'])

export function claimBody(claim: PlacedClaim): string {
  const { says } = claim as PlacedClaim & { says?: Members & { above: Members } }
  const body = told(claim, ofClaim, apart)
  if (says !== undefined) body['says'] = { ...told(says, ofSays, aboveApart), above: told(says.above, ofAbove) }
  return storableJson(body)
}

export function parseBody(json: string): ClaimBody {
  const body = JSON.parse(json) as ClaimBody & { says?: Members & { above: Members } }
  const { says } = body
  if (says === undefined) return { ...ofClaim, ...body }
  return { ...ofClaim, ...body, says: { ...ofSays, ...says, above: { ...ofAbove, ...says.above } } } as ClaimBody
}

/** In the order of their names: what was read has them in another than what was made, and its digest is the same. */
function told(members: object, nothing: Members, without?: ReadonlySet<string>): Record<string, unknown> {
  const given = members as Members
  const kept: Record<string, unknown> = {}
  for (const name of Object.keys(given).sort()) {
    if (without?.has(name)) continue
    if (!(name in nothing) || !isNothing(given[name], nothing[name])) kept[name] = given[name]
  }
  return kept
}

function isNothing(value: unknown, nothing: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : value === nothing
}
