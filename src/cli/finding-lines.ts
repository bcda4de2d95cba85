/** Findings as people read them: what they are about, and both quotes side by side with where they stand. */

import { countOf, statusWords } from '../contract/field-words.js'
import { aboutOf, decidedWords, effectWords, othersOf, placeInFile, replacedWords, sayWord, whyDecided } from '../contract/finding-words.js'
import type { Schema } from '../contract/types.js'
import { assignmentWords } from './assignments.js'
import type { Colors, Output } from './output.js'
import { printable, sideBySide, wrap } from './text-layout.js'

type Contradiction = Schema['Contradiction']
type Side = Contradiction['a']

export function contradictionLines(item: Contradiction, out: Output): string[] {
  const title = `${severity(item.severity, out.colors)} ${out.colors.bold(printable(aboutOf(item)))}`
  const together = [
    ...(item.assignment === undefined ? [] : [assignmentWords(item.assignment)]),
    ...(item.comments === undefined ? [] : [countOf(item.comments, 'comment')]),
  ]
  const effect = effectWords(item)
  const tags = [
    item.kind,
    ...stateTags(item),
    ...(effect === null ? [] : [printable(effect)]),
    `found by ${printable(item.found_by)}`,
    ...together,
    item.contradiction_id,
  ]
  const why = whyDecided(item)
  const said = `Why it ${item.status === 'open' ? 'was decided' : 'is closed'}: ${why}`
  return [...findingLines(title, tags, item, out), ...(why === '' ? [] : dimmed([said], out))]
}

/** That it is open; and what was decided, by whom where it did not close by itself. */
function stateTags({ status, resolution }: Contradiction): string[] {
  if (resolution === undefined) return [status]
  const decided = [decidedWords(resolution), ...(resolution.by === 'system' ? [] : [`decided by ${resolution.by}`])].join(', ')
  return [...(status === 'open' ? [status] : []), printable(decided)]
}

export function possibleLines(item: Schema['PossibleConflict'], out: Output): string[] {
  const tags = [item.kind, item.score.toFixed(2), stateOf(item.status, item.decision), item.possible_conflict_id]
  return findingLines(out.colors.bold(printable(aboutOf(item))), tags, item, out)
}

export function supersessionLines(item: Schema['Supersession'], out: Output): string[] {
  const tags = [item.kind, stateOf(item.status, item.objection), item.supersession_id]
  const sides = { a: item.claim, b: item.superseded_by, supporters_a: [], supporters_b: [], supporters: { a: 0, b: 0 } }
  return findingLines(out.colors.bold(printable(aboutOf(item.claim))), tags, { ...item, ...sides }, out)
}

function stateOf(status: string, decided: { by: string } | undefined): string {
  return decided === undefined ? statusWords(status) : `${statusWords(status)} (${printable(decided.by)})`
}

type Finding = Pick<Contradiction, 'a' | 'b' | 'supporters_a' | 'supporters_b' | 'supporters' | 'reason' | 'evidence'>

function findingLines(title: string, tags: readonly string[], finding: Finding, out: Output): string[] {
  return [`${title}  ${out.colors.dim(tags.join(' · '))}`, ...sidesOf(finding, out), ...whyLines(finding, out)]
}

/** Both quotes side by side, with where they stand. */
function sidesOf({ a, b, ...item }: Finding, { colors, columns }: Output): string[] {
  const half = Math.max(24, Math.floor((Math.min(columns, 160) - 7) / 2))
  const [left, right] = [
    sideLines('a', a, othersOf(a, item.supporters_a, item.supporters.a), half, colors),
    sideLines('b', b, othersOf(b, item.supporters_b, item.supporters.b), half, colors),
  ]
  return sideBySide(left, right, half).map(line => `  ${line}`)
}

/** The reason, and the evidence it was made from. */
function whyLines({ reason, evidence }: Finding, out: Output): string[] {
  return dimmed([reason, ...evidenceText(evidence)], out)
}

function dimmed(texts: readonly string[], { colors, columns }: Output): string[] {
  const width = Math.max(40, Math.min(columns, 160) - 4)
  return texts.flatMap(text => wrap(printable(text), width)).map(line => colors.dim(`  ${line}`))
}

/** One line for each part of the evidence that there is. */
export function evidenceText(evidence: Schema['Evidence'] | null): string[] {
  if (evidence === null) return []
  const { subject, shared, differs, times, issuers } = evidence
  const both = ({ a, b }: { a: string | null; b: string | null }) => `${a ?? 'not known'} / ${b ?? 'not known'}`
  const known = ({ a, b }: { a: string | null; b: string | null }) => a !== null || b !== null
  return [
    ...(subject === null ? [] : [`Both refer to: ${subject}`]),
    ...(shared.length === 0 ? [] : [`Shared words: ${shared.join(', ')}`]),
    ...(differs.length === 0 ? [] : [`Differs: ${differs.map(both).join('; ')}`]),
    ...(known(times) ? [`Times: ${both(times)}`] : []),
    ...(known(issuers) ? [`Issuers: ${both(issuers)}`] : []),
  ]
}

function severity(level: Schema['Severity'], colors: Colors): string {
  const paint = { critical: (text: string) => colors.bold(colors.red(text)), high: colors.red, medium: colors.yellow, low: colors.dim }[
    level
  ]
  return paint(`[${level}]`)
}

function placeOf(side: Side): string {
  if (!('claim_id' in side)) return side.source
  const inFile = placeInFile(side)
  return `${side.document_id} (revision ${side.revision}, ${inFile === null ? '' : `${inFile}, `}${side.start}–${side.end})`
}

function sideLines(letter: string, side: Side, { saying, replaced }: ReturnType<typeof othersOf>, width: number, colors: Colors): string[] {
  const quote = side.quote === null ? '(erased)' : `“${printable(side.quote)}”`
  const others = [
    ...(saying > 0 ? [`and ${saying} more that ${sayWord(side, saying)} the same`] : []),
    ...replaced.flatMap(each => wrap(printable(replacedWords(each, id => id)), width)),
  ]
  return [
    ...wrap(`${letter.toUpperCase()}  ${printable(placeOf(side))}`, width).map(line => colors.cyan(line)),
    ...wrap(quote, width),
    ...others.map(line => colors.dim(line)),
  ]
}
