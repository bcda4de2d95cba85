/** A contradiction as people read it: what is disputed, and both quotes side by side with where they stand. */

import type { Schema } from '../client/index.js'
import type { Colors, Output } from './output.js'
import { printable, sideBySide, wrap } from './text-layout.js'

type Contradiction = Schema['Contradiction']
type Side = Contradiction['a']

export function contradictionLines(finding: Contradiction, { colors, columns }: Pick<Output, 'colors' | 'columns'>): string[] {
  const half = Math.max(24, Math.floor((Math.min(columns, 160) - 7) / 2))
  const about = [finding.subject, finding.attribute]
    .filter(Boolean)
    .map(part => printable(part as string))
    .join(' · ')
  const state =
    finding.resolution === undefined ? finding.status : `${finding.status}: ${finding.resolution.verdict} (${finding.resolution.by})`
  return [
    `${severity(finding.severity, colors)} ${colors.bold(about || finding.kind)}  ${colors.dim(`${finding.kind} · ${state} · ${finding.contradiction_id}`)}`,
    ...sideBySide(
      sideLines('a', finding.a, finding.supporters.a, half, colors),
      sideLines('b', finding.b, finding.supporters.b, half, colors),
      half,
    ).map(line => `  ${line}`),
    ...wrap(printable(finding.reason), Math.max(40, Math.min(columns, 160) - 4)).map(line => colors.dim(`  ${line}`)),
  ]
}

export function severity(level: Schema['Severity'], colors: Colors): string {
  const paint = { critical: (text: string) => colors.bold(colors.red(text)), high: colors.red, medium: colors.yellow, low: colors.dim }[
    level
  ]
  return paint(`[${level}]`)
}

export function placeOf(side: Side): string {
  return 'claim_id' in side ? `${side.document_id} (revision ${side.revision}, ${side.start}–${side.end})` : side.source
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
