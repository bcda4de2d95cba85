/** Findings like another one: to be decided alike, or with a reason that was given before. And the question to who wrote a paper. Pure. */

import { placeInFile } from '../src/contract/finding-words.js'
import type { Schema } from '../src/contract/types.js'
import { factOf } from './finding-words'

type Item = Schema['Contradiction']

/** Open findings between the same two values of the same fact: whoever decides one may decide them alike. */
export function alike(item: Item, open: readonly Item[]): { item: Item; isSwapped: boolean }[] {
  const values = ({ a, b }: Item) => ['claim_id' in a ? a.value : '', 'claim_id' in b ? b.value : ''] as const
  const [left, right] = values(item)
  if (left === '' || right === '') return []
  return open.flatMap((other): { item: Item; isSwapped: boolean }[] => {
    if (other.contradiction_id === item.contradiction_id || other.attribute !== item.attribute || other.status !== 'open') return []
    const [a, b] = values(other)
    if (a === left && b === right) return [{ item: other, isSwapped: false }]
    return a === right && b === left ? [{ item: other, isSwapped: true }] : []
  })
}

const mostOffered = 3

/** Reasons why alike pairs were not the same thing: of the same fact, or between the same two papers; the latest first. */
export function reasonsGivenBefore(item: Item, decided: readonly Item[]): string[] {
  const pair = (each: Item) =>
    [each.a, each.b]
      .map(side => ('claim_id' in side ? side.document_id : side.source))
      .sort()
      .join('\u0000')
  const isAlike = (other: Item) =>
    (other.attribute !== null && other.attribute !== '' && other.attribute === item.attribute) || pair(other) === pair(item)
  const given = decided
    .filter(each => each.contradiction_id !== item.contradiction_id && each.resolution?.verdict === 'not_the_same' && isAlike(each))
    .sort((a, b) => ((a.resolution?.resolved_at ?? '') < (b.resolution?.resolved_at ?? '') ? 1 : -1))
    .map(each => each.resolution?.reason ?? '')
  return [...new Set(given.filter(reason => reason !== ''))].slice(0, mostOffered)
}

/** To who wrote the paper of a side, with both quotes. */
export function questionTo(item: Item, side: 'a' | 'b', names: ReadonlyMap<string, string>): string {
  const [own, other] = side === 'a' ? [item.a, item.b] : [item.b, item.a]
  const author = item.evidence?.issuers[side]
  return [
    author ? `Dear ${author},` : 'Dear Sir or Madam,',
    '',
    `${paperOf(own, names)} says:`,
    `“${(own.quote ?? '').trim()}”`,
    '',
    `${paperOf(other, names)} says:`,
    `“${(other.quote ?? '').trim()}”`,
    '',
    `Which of the two holds${factOf(item) === '' ? '' : ` for “${factOf(item)}”`}, and on what does it rest? If both do, please say what each of them is about.`,
  ].join('\n')
}

function paperOf(side: Item['a'], names: ReadonlyMap<string, string>): string {
  if (!('claim_id' in side)) return side.source
  const place = placeInFile(side)
  return `${names.get(side.document_id) ?? side.document_id}${place === null ? '' : ` (${place})`}`
}
