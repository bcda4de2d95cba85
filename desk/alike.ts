/** Findings like another one: decided alike, or with a reason that was given before. And the question to who wrote a paper. Pure. */

import { placeInFile } from '../src/contract/finding-words.js'
import type { Schema } from '../src/contract/types.js'
import { factOf } from './finding-words'

type Item = Schema['Contradiction']

interface Alike {
  item: Item
  isSwapped: boolean
}

/**
 * Open findings between the same two statements of the same fact: whoever decides one may decide them alike. Where both sides state the
 * same, nothing tells which of them is meant in another finding, so none is offered.
 */
export function alike(item: Item, open: readonly Item[]): Alike[] {
  const [left, right] = [statedBy(item.a), statedBy(item.b)]
  if (left === null || right === null || left === right) return []
  return open.flatMap((other): Alike[] => {
    if (other.contradiction_id === item.contradiction_id || !isSameFact(other, item) || other.status !== 'open') return []
    const [a, b] = [statedBy(other.a), statedBy(other.b)]
    if (a === left && b === right) return [{ item: other, isSwapped: false }]
    return a === right && b === left ? [{ item: other, isSwapped: true }] : []
  })
}

/** The value with all that it holds for: revenue of 2023 is none of 2024, and a negation says the opposite with the same value. */
function statedBy(side: Item['a']): string | null {
  if (!('claim_id' in side) || side.value === '') return null
  const { value, normalized, unit, period, valid_from: from, valid_to: to, role, polarity } = side
  return JSON.stringify([value, normalized, unit, period, from, to, role, polarity])
}

/** Of the same subject, which the reader tells apart without regard to capitals: the floor area of Hall A is none of Hall B. */
function isSameFact(one: Item, other: Item): boolean {
  return one.attribute === other.attribute && (one.subject ?? '').toLowerCase() === (other.subject ?? '').toLowerCase()
}

/** What became of findings that were to be decided together. */
export interface DecidedTogether {
  decided: number
  closed: number
  left: { item: Item; failure: unknown }[]
}

/**
 * One after the other, each asked about first: one that closed meanwhile, by the first verdict or somebody else's, is not decided again.
 * What is refused holds up no other, and is told.
 */
export async function decideEach(
  others: readonly Alike[],
  { isOpen, decide }: { isOpen: (item: Item) => Promise<boolean>; decide: (other: Alike) => Promise<unknown> },
): Promise<DecidedTogether> {
  const outcome: DecidedTogether = { decided: 0, closed: 0, left: [] }
  for (const other of others) {
    try {
      if (await isOpen(other.item)) {
        await decide(other)
        outcome.decided++
      } else outcome.closed++
    } catch (failure) {
      outcome.left.push({ item: other.item, failure })
    }
  }
  return outcome
}

/** With the one that was decided first. */
export function decidedTogetherWords({ decided, closed, left }: DecidedTogether): string {
  const all = 1 + decided + closed + left.length
  return `${1 + decided} of ${all} decided${closed === 0 ? '' : `, ${closed} closed meanwhile`}; still open:`
}

const mostOffered = 3

/** Reasons why alike pairs were not the same thing: of the same attribute, or between the same two papers; the latest first. */
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
