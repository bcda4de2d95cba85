/** A contradiction as people read it: what is disputed, and both quotes side by side with where they stand. */

import type { Schema } from '../client/index.js'
import type { Colors, Output } from './output.js'
import { printable, sideBySide, wrap } from './text-layout.js'

type Contradiction = Schema['Contradiction']
type Side = Contradiction['a']

export function contradictionLines(finding: Contradiction, { colors, columns }: Pick<Output, 'colors' | 'columns'>): string[] {
  const state =
    finding.resolution === undefined ? finding.status : `${finding.status}: ${finding.resolution.verdict} (${finding.resolution.by})`
  return [
    `${severity(finding.severity, colors)} ${colors.bold(aboutOf(finding) || finding.kind)}  ${colors.dim(`${finding.kind} · ${state} · found by ${printable(finding.found_by)} · ${finding.contradiction_id}`)}`,
    ...sidesOf(finding, { colors, columns }),
    ...whyLines(finding, { colors, columns }),
  ]
}

export function aboutOf({ subject, attribute }: Pick<Contradiction, 'subject' | 'attribute'>): string {
  return [subject, attribute].flatMap(part => (part ? [printable(part)] : [])).join(' · ')
}

/** What came of a person's word about a finding. */
export function verdictLines(
  id: string,
  {
    status,
    contradiction_id: became,
    decision_id: decision,
  }: Pick<Schema['SupersessionResult'], 'contradiction_id' | 'decision_id'> & { status: string },
  { colors }: Output,
): string[] {
  return [`${id} is ${status}.`, ...(became === null ? [] : [`It became ${became}.`]), colors.dim(`recorded as ${decision}`)]
}

interface TwoSides extends Pick<Contradiction, 'a' | 'b' | 'supporters'> {}

/** Both quotes side by side, with where they stand. */
export function sidesOf({ a, b, supporters }: TwoSides, { colors, columns }: Pick<Output, 'colors' | 'columns'>): string[] {
  const half = Math.max(24, Math.floor((Math.min(columns, 160) - 7) / 2))
  const [left, right] = [sideLines('a', a, supporters.a, half, colors), sideLines('b', b, supporters.b, half, colors)]
  return sideBySide(left, right, half).map(line => `  ${line}`)
}

/** The reason, and the evidence it was made from. */
export function whyLines(
  { reason, evidence }: Pick<Contradiction, 'reason' | 'evidence'>,
  { colors, columns }: Pick<Output, 'colors' | 'columns'>,
): string[] {
  const width = Math.max(40, Math.min(columns, 160) - 4)
  return [reason, ...evidenceText(evidence)].flatMap(text => wrap(printable(text), width)).map(line => colors.dim(`  ${line}`))
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

export function severity(level: Schema['Severity'], colors: Colors): string {
  const paint = { critical: (text: string) => colors.bold(colors.red(text)), high: colors.red, medium: colors.yellow, low: colors.dim }[
    level
  ]
  return paint(`[${level}]`)
}

export function placeOf(side: Side): string {
  if (!('claim_id' in side)) return side.source
  const inFile = placeInFile(side)
  return `${side.document_id} (revision ${side.revision}, ${inFile === null ? '' : `${inFile}, `}${side.start}–${side.end})`
}

/** Where a quote stands in the file it comes from, in words; null where there is no file or nothing is known. */
export function placeInFile({ page, cell, paragraph }: Pick<Schema['Claim'], 'page' | 'cell' | 'paragraph'>): string | null {
  if (page !== null) return `page ${page}`
  if (cell !== null) return `cell ${cell}`
  return paragraph === null ? null : `paragraph ${paragraph}`
}

function sideLines(letter: string, side: Side, supporters: number, width: number, colors: Colors): string[] {
  const quote = side.quote === null ? '(erased)' : `“${printable(side.quote)}”`
  const others = supporters > 0 ? [colors.dim(`and ${supporters} more that say the same`)] : []
  return [
    ...wrap(`${letter.toUpperCase()}  ${printable(placeOf(side))}`, width).map(line => colors.cyan(line)),
    ...wrap(quote, width),
    ...others,
  ]
}
