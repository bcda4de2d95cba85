/** Findings in the words people read, the same on the command line, in papers and at the desk. */

import type { Static } from 'typebox'
import { personKey } from '../platform/person-name.js'
import type { Severity as SeveritySchema } from './common.js'
import { countOf } from './field-words.js'
import type { reads_kept } from './finding-readers.js'
import type { ClaimRecord, ContradictionRecord } from './findings.js'

type Claim = Static<typeof ClaimRecord>
type Contradiction = Static<typeof ContradictionRecord>
type Resolution = NonNullable<Contradiction['resolution']>
type Severity = Static<typeof SeveritySchema>

/** A word of a scan that was recognised with less says so wherever it is quoted. */
export const sureRecognition = 0.8

/** Where a quote stands in the file it comes from, and that it may be misread; null where there is no file or nothing is known. */
export function placeInFile({
  page,
  cell,
  paragraph,
  recognised,
}: Pick<Claim, 'page' | 'cell' | 'paragraph' | 'recognised'>): string | null {
  if (page !== null) return `page ${page}${recognised === undefined ? '' : `, recognised ${Math.round(recognised * 100)} %`}`
  if (cell !== null) return `cell ${cell}`
  return paragraph === null ? null : `paragraph ${paragraph}`
}

/** What a finding is about. */
export function aboutOf({ subject, attribute }: { subject: string | null; attribute: string | null }): string {
  return [subject, attribute].filter(Boolean).join(' · ') || 'Reported contradiction'
}

/**
 * What two sides say otherwise, in the words that tell them apart: the value of each, without the name of the fact before it; where
 * one is but a part of the other (`30 November`, `30 November 2025`), the words that differ.
 */
export function wordsApart(
  values: readonly [string, string],
  { attribute, differs }: { attribute: string | null; differs: readonly { a: string; b: string }[] },
): [string, string] {
  const [left, right] = values.map(value => withoutName(value, attribute ?? '')) as [string, string]
  if (!isPart(left, right)) return [left, right]
  const found = differs.find(({ a, b }) => a !== '' && b !== '' && !isPart(a, b))
  return found === undefined ? [left, right] : [found.a, found.b]
}

function withoutName(value: string, name: string): string {
  const flat = value.replaceAll(/\s+/g, ' ').trim()
  if (name === '' || !flat.toLowerCase().startsWith(name.toLowerCase())) return flat
  return /^[\s:–-]+(\S.*)$/.exec(flat.slice(name.length))?.[1] ?? flat
}

function isPart(one: string, other: string): boolean {
  const [shorter, longer] = [one.toLowerCase(), other.toLowerCase()].sort((a, b) => a.length - b.length) as [string, string]
  return longer.includes(shorter)
}

/**
 * Who else is on a side: how many stand with the statement that is shown, and those of the supporters that were replaced. What ended at the
 * same time and for the same reason as the one shown stands with it: a verdict ends at once all that count, and what a revision took before
 * was never decided about.
 */
export function othersOf(side: Contradiction['a'], supporters: readonly Claim[], count: number): { saying: number; replaced: Claim[] } {
  const replaced = 'claim_id' in side ? supporters.filter(each => each.superseded_at !== null && !isEndedWith(each, side)) : []
  return { saying: count - replaced.length, replaced }
}

function isEndedWith({ superseded_at: at, superseded_reason: reason }: Claim, side: Claim): boolean {
  return at === side.superseded_at && reason === side.superseded_reason
}

/** Of so many on a side: where it does not count itself, none is said to hold on to it. */
export function sayWord(side: Contradiction['a'], count: number): 'say' | 'says' | 'said' {
  if ('claim_id' in side && side.superseded_at !== null) return 'said'
  return count === 1 ? 'says' : 'say'
}

/** Of one that said the same as a side. */
export function replacedWords(
  { document_id: id, revision, superseded_reason: reason }: Claim,
  nameOf: (documentId: string) => string,
): string {
  return `${nameOf(id)}, revision ${revision}, said the same and no longer counts${reason === null ? '' : `: ${reason}`}`
}

/** Of more on a side than were looked at: whether they still say it is not known. */
export function unnamedWords(count: number): string {
  return `and ${count} more that ${count === 1 ? 'says' : 'say'} or said the same`
}

const verdictWords: Record<Resolution['verdict'], string> = {
  a: 'A is right',
  b: 'B is right',
  both: 'Both stand',
  neither: 'Neither is right',
  dismiss: 'Dismissed',
  disputed: 'Stays disputed; both count',
  clerical_error: 'One side is a slip of the pen',
  not_the_same: 'Two different things',
  superseded: 'Closed by itself: one side no longer counts',
}

/** What was decided, with the side where one is named. A later version may send verdicts this one has no words for. */
export function decidedWords(resolution: { verdict: string; side?: Resolution['side'] } | undefined): string {
  if (resolution?.side !== undefined) return `${resolution.side.toUpperCase()} is a slip of the pen`
  return verdictWords[resolution?.verdict as Resolution['verdict']] ?? resolution?.verdict ?? 'Decided'
}

/** Why it was decided; of one that closed by itself, also what ended the statement of a side: a revision, other words, or what a person decided elsewhere. */
export function whyDecided({ a, b, resolution }: Pick<Contradiction, 'a' | 'b' | 'resolution'>): string {
  if (resolution === undefined) return ''
  if (resolution.by !== 'system') return resolution.reason
  const ended = Object.entries({ A: a, B: b }).flatMap(([letter, side]) =>
    'claim_id' in side && side.superseded_at !== null && side.superseded_reason !== null
      ? [`${letter} no longer counts: ${side.superseded_reason}`]
      : [],
  )
  return [resolution.reason, ...ended].join(' ')
}

/** Whether whoever named a person was that person. */
export function vouchedWords(vouched: boolean): string {
  return vouched ? 'own key or sign-in' : 'name given with a key'
}

/** Each person once with all they signed, in the order of what they signed first; a name that was only given may be somebody else's. */
export function byPerson<T extends { by: string; vouched: boolean }>(signed: readonly T[]): (readonly [T, ...T[]])[] {
  const people = new Map<string, readonly [T, ...T[]]>()
  for (const each of signed) {
    const key = JSON.stringify([personKey(each.by), each.vouched])
    const [first, ...further] = people.get(key) ?? []
    people.set(key, first === undefined ? [each] : [first, ...further, each])
  }
  return [...people.values()]
}

/** What a sign-off says was left open; null where nothing was. */
export function leftOpenWords({
  contradictions,
  possible_conflicts: possible,
}: {
  contradictions: number
  possible_conflicts: number
}): string | null {
  const left = [
    ...(contradictions === 0 ? [] : [countOf(contradictions, 'contradiction')]),
    ...(possible === 0 ? [] : [countOf(possible, 'possible conflict')]),
  ]
  return left.length === 0 ? null : `${left.join(' and ')} left open`
}

/** What became of a decision since; null where there is none or it simply holds. One that leads back to what later ones say leaves open what it is about. */
export function effectWords({ status, resolution }: Pick<Contradiction, 'status' | 'resolution'>): string | null {
  if (resolution === undefined) return null
  if (status === 'open') return 'Without effect, because later decisions lead to the contrary'
  const { by, effect } = resolution
  if (effect === undefined) return null
  return effect.state === 'again'
    ? `Decided earlier by ${by}: applies again, because it is said again`
    : 'On record only: a side is no longer said by anybody'
}

/** Of a finding that nobody is listed to have opened: that nobody did, or that it is not known. */
export function unopenedWords(kept: Static<typeof reads_kept>): string {
  if (kept === 'all') return 'Nobody had opened it'
  if (kept === 'people') return 'Nobody who had signed in had opened it; reads with keys were not recorded'
  return kept === 'part'
    ? 'Whether anybody had opened it is not known: reads were recorded for a part of the time'
    : 'Whether anybody had opened it is not known: reads were not recorded'
}

/** Whether a finding speaks of these words: in what it is about, in a quote or in a value that was read. */
export function saysWords(
  { subject, attribute, a, b }: Pick<Static<typeof ContradictionRecord>, 'subject' | 'attribute' | 'a' | 'b'>,
  words: string,
): boolean {
  const said = [attribute, subject, ...[a, b].flatMap(side => [side.quote, 'claim_id' in side ? side.value : side.source])]
  return said.join(' ').toLowerCase().includes(words.trim().toLowerCase())
}

/** Of a sign-off: whether what counts is still what it was given for. */
export function coversWords(current: boolean): string {
  return current ? 'all that counted' : 'not all that counted: something else counts since'
}

/** Why nothing is known of a case at a moment; null where something may be. Where a deleted case had its name before, it was made after `reset_at`. */
export function unknownThen(
  { at, created_at, reset_at, before_reset }: { at: string; created_at: string; reset_at: string | null; before_reset: boolean },
  day: (instant: string) => string,
): string | null {
  if (before_reset && reset_at !== null)
    return `The case was ${created_at >= reset_at ? 'deleted' : 'reset'} on ${day(reset_at)}, after this moment. What was there before is gone.`
  return at < created_at ? `The case was made on ${day(created_at)}, after this moment.` : null
}

const severities: readonly Severity[] = ['critical', 'high', 'medium', 'low']

/** The most severe first. */
export function bySeverity(a: { severity: Severity }, b: { severity: Severity }): number {
  return severities.indexOf(a.severity) - severities.indexOf(b.severity)
}
