/** `concord summary`: everything about a scope on one screen. */

import asciichart from 'asciichart'
import { decisionWords, finalityWords, statusWords, words } from '../contract/field-words.js'
import { holdWords } from '../contract/hold-words.js'
import type { Schema } from '../contract/types.js'
import { paintedStanding } from './certificate-standing.js'
import type { AddCommand } from './command.js'
import { convergenceHistory, resample } from './convergence-history.js'
import { withDocumentNames } from './document-names.js'
import { contradictionLines, possibleLines } from './finding-lines.js'
import { adviceFor } from './gate-advice.js'
import type { Output } from './output.js'
import { moment } from './report/wording.js'
import { figure, printable } from './text-layout.js'

type Summary = Schema['ScopeSummary']

export const addSummary: AddCommand = program => {
  program
    .command('summary <case>')
    .description('everything about a case on one screen')
    .examples('concord summary case-1', 'concord summary case-1 --json | jq .finality')
    .runs(async ({ out, client: connect }, scopeId: string) => {
      const client = connect('tenant-key')
      const summary = await client.summary(scopeId)
      if (out.json) return out.show(summary, () => undefined)
      const history = await convergenceHistory(client, scopeId, { lastSeq: summary.last_seq, mostEvents: 5000 })
      const open = summary.contradictions.items.filter(item => item.status === 'open')
      const unsure =
        summary.contradictions.unsure === 0 ? [] : await client.possibleConflicts(scopeId, { limit: mostPossible }).toArray(mostPossible)
      const findings = { open: await withDocumentNames(client, scopeId, open), unsure: await withDocumentNames(client, scopeId, unsure) }
      out.lines(summaryLines(summary, findings, out))
      if (history.length <= 1) return
      const scores = history.map(point => point.score)
      out.lines(['', out.colors.bold('Goal score over time (1 is the goal)'), ...convergenceChart(scores, out.columns)])
    })
}

/** As many possible conflicts as one screen names. */
const mostPossible = 5

interface Findings {
  open: readonly Schema['Contradiction'][]
  unsure: readonly Schema['PossibleConflict'][]
}

function summaryLines(summary: Summary, { open, unsure }: Findings, out: Output): string[] {
  const { colors } = out
  const title = summary.display_name === null ? summary.scope_id : `${printable(summary.display_name)} (${summary.scope_id})`
  return [
    `${colors.bold(title)}  ${finality(summary, out)}  ${colors.dim(`mode ${summary.mode}, runtime ${summary.runtime.state}`)}`,
    `examined   ${printable(summary.examined.words)}; ${printable(summary.examined.compared)}`,
    ...holdLine(summary, out),
    documentsLine(summary),
    ...readingLines(summary, out),
    `statements ${summary.claims.live} that count, ${summary.claims.superseded} no longer; goals ${summary.goals.done}/${summary.goals.total} done; risks ${summary.risks.total} (${summary.risks.critical} critical, ${summary.risks.high} high)`,
    ...driftLine(summary),
    '',
    ...dimensionTable(summary, out),
    '',
    ...gateTable(summary, out),
    '',
    ...openContradictions(summary, open, out),
    ...possibleConflicts(summary, unsure, out),
    ...lastDecisions(summary, out),
    ...certificateLine(summary, out),
  ]
}

function finality({ finality: { status } }: Summary, { colors }: Output): string {
  const paint = { resolved: colors.green, active: colors.cyan, review: colors.yellow, escalated: colors.red, blocked: colors.red }[status]
  return paint(finalityWords[status])
}

function holdLine({ legal_hold: hold }: Summary, { colors }: Output): string[] {
  return hold === null ? [] : [colors.yellow(`legal hold ${printable(holdWords(hold, 'case', moment))}`)]
}

function documentsLine({ documents }: Summary): string {
  const { total, ...states } = documents
  const parts = Object.entries(states)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${statusWords(state)}`)
  return `documents  ${total}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`
}

function readingLines({ reading, scope_id: scopeId }: Summary, { colors, hint }: Output): string[] {
  const { outdated, waiting, without_model: withoutModel } = reading
  const line = (text: string) => colors.yellow(`reading    ${hint(text)}`)
  if (waiting > 0) return [line(`${waiting} documents wait to be read again`)]
  return [
    ...(outdated > 0 ? [line(`${outdated} documents were read by another version of the reader: \`concord reread ${scopeId}\``)] : []),
    ...(withoutModel > 0 ? [line(`${withoutModel} documents were read without the model: \`concord reread ${scopeId} --model\``)] : []),
  ]
}

function driftLine({ drift }: Summary): string[] {
  return drift === null || drift.level === 'none' ? [] : [`drift      ${drift.level} (${drift.score.toFixed(2)})`]
}

function dimensionTable({ convergence }: Summary, { colors, rows }: Output): string[] {
  const rate = convergence.rate === null ? '' : `, rate ${convergence.rate.toFixed(3)}`
  const right = { align: 'right' } as const
  const dimensions = rows(Object.entries(convergence.dimensions), [
    ['dimension', ([name]) => (name === convergence.bottleneck ? `${words(name)} ←` : words(name))],
    ['', ([, { score }]) => bar(score)],
    ['score', ([, { score }]) => score.toFixed(2), right],
    ['target', ([, { target }]) => target.toFixed(2), right],
    ['pressure', ([, { pressure }]) => pressure.toFixed(3), right],
  ])
  const distance = `goal score ${convergence.goal_score.toFixed(3)}, distance ${convergence.value.toFixed(3)}${rate}`
  return [`${colors.bold('Convergence')} ${distance}`, ...dimensions]
}

function bar(score: number): string {
  const filled = Math.round(Math.max(0, Math.min(1, score)) * 20)
  return '█'.repeat(filled) + '░'.repeat(20 - filled)
}

function gateTable({ scope_id, finality: { gates } }: Summary, { colors, hint, rows }: Output): string[] {
  const max = 100
  const shown = rows(gates, [
    ['', gate => (gate.ok ? colors.green('✓') : colors.red('✗'))],
    ['condition', gate => words(gate.gate), { max }],
    ['is', gate => (typeof gate.value === 'number' ? figure(gate.value) : String(gate.value ?? '–')), { max }],
    ['needs', gate => gate.needs, { max }],
  ])
  // Below the table: a command that is cut off helps nobody.
  const open = gates.filter(({ ok }) => !ok).map(gate => `   ${words(gate.gate)}: ${hint(adviceFor(gate, scope_id))}`)
  return [colors.bold('Conditions for the review to be complete'), ...shown, ...open]
}

function openContradictions(
  { contradictions, scope_id: scopeId }: Summary,
  open: readonly Schema['Contradiction'][],
  out: Output,
): string[] {
  const heading = `${out.colors.bold('Contradictions')} ${contradictions.open} open (${contradictions.open_critical} critical), ${contradictions.resolved} decided, ${contradictions.dismissed} dismissed; ${contradictions.unsure} possible conflicts undecided`
  const more =
    contradictions.open > open.length
      ? [out.hint(`… and ${contradictions.open - open.length} more: \`concord contradictions ${scopeId}\``), '']
      : []
  return [heading, '', ...open.flatMap(item => [...contradictionLines(item, out), '']), ...more]
}

function possibleConflicts(
  { contradictions, scope_id: scopeId }: Summary,
  unsure: readonly Schema['PossibleConflict'][],
  out: Output,
): string[] {
  if (unsure.length === 0) return []
  const more =
    contradictions.unsure > unsure.length
      ? [out.hint(`… and ${contradictions.unsure - unsure.length} more: \`concord possible list ${scopeId}\``), '']
      : []
  return [out.colors.bold('Possible conflicts'), '', ...unsure.flatMap(item => [...possibleLines(item, out), '']), ...more]
}

function lastDecisions({ decisions }: Summary, { colors, rows }: Output): string[] {
  if (decisions.length === 0) return []
  const last = rows(decisions.slice(0, 8), [
    ['#', decision => String(decision.seq)],
    ['outcome', decision => decision.outcome],
    ['about', decision => decisionWords(decision)],
    ['document', decision => printable(decision.document_id ?? ''), { max: 32 }],
    ['review', decision => decision.review ?? ''],
    ['why', decision => printable(decision.reasons.join('; ')), { max: 80 }],
  ])
  return [colors.bold('Last decisions'), ...last, '']
}

function certificateLine({ certificate }: Summary, out: Output): string[] {
  const { colors } = out
  if (certificate === null) return [colors.dim('No certificate yet.')]
  return [
    `${colors.bold('Certificate')} ${certificate.certificate_id}, issued ${certificate.issued_at}, ${paintedStanding(certificate, out)}`,
  ]
}

const axis = 8

/** As wide as the terminal allows. */
function convergenceChart(values: readonly number[], columns: number): string[] {
  const most = Math.max(10, Math.min(columns, 160) - axis - 2)
  const format = (value: number) => value.toFixed(3).padStart(axis - 1)
  const drawn = resample(values, most)
  // A flat line has no height of its own.
  const flat = drawn.every(value => value === drawn[0])
  const chart = asciichart.plot(drawn, { height: flat ? 1 : 8, format })
  return chart.split('\n').map(line => line.trimEnd())
}
