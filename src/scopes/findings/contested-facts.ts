/** What is contested, with how its severity came about in words, and what weighs most first. Pure. */

import { wordsApart } from '../../contract/finding-words.js'
import { SEVERITIES } from '../../kernel/dimensions.js'
import { isWeighty } from '../../reading/words/weight.js'
import type { CaseOverview, ContradictionRecord, Severity } from '../types.js'

type Contested = CaseOverview['contested']['items'][number]
type Side = ContradictionRecord['a']

const kinds: readonly Contested['says'][] = ['money', 'date', 'party', 'other']

export function contestedFact(record: ContradictionRecord, names: ReadonlyMap<string, string>): Contested {
  const { contradiction_id, subject, attribute, severity, a, detected_at, assignment, comments } = record
  return {
    ...{ contradiction_id, subject, attribute, severity, why: severityWords(record), says: saysOf(a), detected_at },
    ...sidesOf(record, names),
    ...(assignment === undefined ? {} : { assignment }),
    ...(comments === undefined ? {} : { comments }),
  }
}

/** By severity, then money, dates and parties, then those found last. */
export function heaviestFirst(items: readonly Contested[]): Contested[] {
  const rank = ({ severity, says }: Contested) => SEVERITIES.indexOf(severity) * kinds.length - kinds.indexOf(says)
  return [...items].sort((x, y) => rank(y) - rank(x) || y.detected_at.localeCompare(x.detected_at))
}

function sidesOf(record: ContradictionRecord, names: ReadonlyMap<string, string>): Pick<Contested, 'a' | 'b'> {
  const [left, right] = valuesOf(record)
  const sourceOf = (side: Side) => ('claim_id' in side ? names.get(side.document_id) || side.document_id : side.source)
  return { a: { value: left, source: sourceOf(record.a) }, b: { value: right, source: sourceOf(record.b) } }
}

/** What each says; where both say the same of a thing, as when one denies it, the words themselves tell them apart. */
function valuesOf({ kind, a, b, attribute, evidence }: ContradictionRecord): [string | null, string | null] {
  const [left, right] = [valueSaid(a), valueSaid(b)]
  if (kind === 'negation' || left === null || right === null) return kind === 'negation' ? [a.quote, b.quote] : [left, right]
  const apart = wordsApart([left, right], { attribute, differs: evidence?.differs ?? [] })
  return apart[0] === apart[1] ? [a.quote, b.quote] : apart
}

function valueSaid(side: Side): string | null {
  return side.quote !== null && 'claim_id' in side ? side.value || side.quote : side.quote
}

function saysOf(side: Side): Contested['says'] {
  const type = 'claim_id' in side ? (side.normalized as { type?: unknown }).type : undefined
  if (type === 'money' || type === 'date') return type
  return type === 'name' ? 'party' : 'other'
}

/** The rules go by how far figures are apart, and one step higher where the fact is one of weight; told where the finding itself shows it. */
export function severityWords({ a, b, severity, found_by: foundBy, attribute }: ContradictionRecord): string {
  if (foundBy.startsWith('person')) return 'As the person who reported it judged.'
  if (foundBy.startsWith('model')) return 'As the model that found it judged.'
  const apart = shareApart(a, b)
  const usual: Severity = apart === null ? 'medium' : apart >= 0.5 ? 'high' : apart >= 0.1 ? 'medium' : 'low'
  const steps = SEVERITIES.indexOf(severity) - SEVERITIES.indexOf(usual)
  const weighty = isWeighty(attribute ?? '')
  // What the two say elsewhere in their sentences may be what was compared.
  if (steps !== (weighty ? 1 : 0)) return 'By what the two say, and what about.'
  const weight = weighty ? `, on a matter of weight (${attribute})` : ''
  if (apart === null) return `Only one of the two can hold${weight}.`
  return `The figures are ${apart < 0.005 ? 'less than 1' : Math.round(apart * 100)} % apart${weight}.`
}

function shareApart(a: Side, b: Side): number | null {
  const [x, y] = [middleOf(a), middleOf(b)]
  if (x === null || y === null) return null
  return Math.abs(x - y) / (Math.max(Math.abs(x), Math.abs(y)) || 1)
}

function middleOf(side: Side): number | null {
  if (!('claim_id' in side)) return null
  const { low, high } = side.normalized as { low?: unknown; high?: unknown }
  return typeof low === 'number' && typeof high === 'number' ? (low + high) / 2 : null
}
