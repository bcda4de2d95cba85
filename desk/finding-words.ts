/** Findings as a person would name them, and what lies between the two sides, worked out. Pure. */

import { placeInFile, wordsApart } from '../src/contract/finding-words.js'
import type { Schema } from '../src/contract/types.js'
import { periodWords } from './wording'

type Claim = Schema['Claim']
type Side = Schema['Contradiction']['a']

export interface Finding {
  a: Side
  b: Side
  subject: string | null
  attribute: string | null
  kind: string
  evidence?: Pick<Schema['Evidence'], 'differs'> | null
}

/** `Completion date: 30 June 2024 or 31 May 2024?` */
export function titleOf(finding: Finding): string {
  const { a, b } = finding
  if (!('claim_id' in a) || !('claim_id' in b)) return `${cut(quoteOf(a))} or ${cut(quoteOf(b))}?`
  const fact = factOf(finding)
  const [left, right] =
    finding.kind === 'negation'
      ? [yesNo(a), yesNo(b)]
      : wordsApart([saidValue(a), saidValue(b)], { attribute: finding.attribute, differs: finding.evidence?.differs ?? [] })
  const values = left === right ? `${cut(quoteOf(a))} or ${cut(quoteOf(b))}?` : `${cut(left)} or ${cut(right)}?`
  return fact === '' ? values : `${fact}: ${values}`
}

/** The same of what the first page tells of a finding; where both read alike, as when both are erased, their papers tell them apart. */
export function titleBetween({
  subject,
  attribute,
  a,
  b,
}: Pick<Finding, 'subject' | 'attribute'> & Record<'a' | 'b', { value: string | null; source: string }>): string {
  const fact = (attribute || subject || '').trim()
  const [left, right] = [cut(a.value ?? 'erased'), cut(b.value ?? 'erased')]
  const values = left === right ? `${left} (${cut(a.source)}) or as in ${cut(b.source)}?` : `${left} or ${right}?`
  return fact === '' ? values : `${fact.charAt(0).toLocaleUpperCase()}${fact.slice(1)}: ${values}`
}

/** What both are about: the attribute, with the period both mean, else what they speak of. */
export function factOf({ a, b, subject, attribute }: Pick<Finding, 'a' | 'b' | 'subject' | 'attribute'>): string {
  const name = (attribute || subject || '').trim()
  const period = 'claim_id' in a && 'claim_id' in b && a.period !== null && a.period === b.period ? (periodWords(a.period) ?? '') : ''
  const named = period === '' || name.includes(period) ? name : `${name} ${period}`
  return named.charAt(0).toLocaleUpperCase() + named.slice(1)
}

export function sourceOf(side: Side, names: ReadonlyMap<string, string>): string {
  if (!('claim_id' in side)) return side.source
  return [names.get(side.document_id) ?? side.document_id, placeInFile(side)].filter(Boolean).join(', ')
}

export function saidValue(side: Side): string {
  return ('claim_id' in side && side.value) || cut(quoteOf(side))
}

function quoteOf(side: Side): string {
  return side.quote ?? 'erased'
}

function yesNo(claim: Claim): string {
  return claim.polarity === 'negated' ? 'no' : claim.value && !/^(true|false)$/i.test(claim.value) ? claim.value : 'yes'
}

function cut(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  return flat.length > 60 ? `${flat.slice(0, 58).trimEnd()} …` : flat
}

interface Figure {
  type?: unknown
  low?: unknown
  high?: unknown
  currency?: unknown
  unit?: unknown
  from?: unknown
  to?: unknown
}

/** `EUR 7.3M, 18 %` or `30 days`; null where nothing can be worked out. */
export function differenceOf(a: Side, b: Side): string | null {
  if (!('claim_id' in a) || !('claim_id' in b)) return null
  const [left, right] = [a.normalized as Figure, b.normalized as Figure]
  if (left.type !== right.type) return null
  if (left.type === 'date') return daysBetween(left, right)
  if (typeof left.low !== 'number' || typeof right.low !== 'number' || left.low !== left.high || right.low !== right.high) return null
  const apart = Math.abs(left.low - right.low)
  if (apart === 0) return null
  if (left.type === 'percent') return `${plain(apart)} percentage points`
  if (left.type === 'money' && left.currency !== right.currency) return null
  if (left.type === 'quantity' && left.unit !== right.unit) return null
  const sign = left.type === 'money' ? left.currency : null
  const unit = left.type === 'quantity' ? left.unit : null
  const shown = [sign, plain(apart), unit].filter(each => typeof each === 'string' && each !== '').join(' ')
  const most = Math.max(Math.abs(left.low), Math.abs(right.low))
  const share = most === 0 ? null : `${plain((apart / most) * 100, 1)} %`
  return [shown, share].filter(Boolean).join(', ')
}

function daysBetween(left: Figure, right: Figure): string | null {
  if (left.from !== left.to || right.from !== right.to) return null
  const days = Math.abs(Date.parse(String(left.from)) - Date.parse(String(right.from))) / 86_400_000
  if (!Number.isFinite(days) || days === 0) return null
  return `${Math.round(days).toLocaleString('en')} day${Math.round(days) === 1 ? '' : 's'}`
}

function plain(value: number, digits = 2): string {
  return Number(value.toPrecision(12)).toLocaleString('en', { maximumFractionDigits: digits })
}
