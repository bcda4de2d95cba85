/** `concord overview`: the first page of a case. */

import { countOf, statusWords } from '../contract/field-words.js'
import { asideWords, changeWords } from '../contract/overview-words.js'
import type { Schema } from '../contract/types.js'
import type { AddCommand } from './command.js'
import type { Output } from './output.js'
import { moment } from './report/wording.js'
import { printable } from './text-layout.js'

type Overview = Schema['CaseOverview']

export const addOverview: AddCommand = program => {
  program
    .command('overview <case>')
    .description('the first page of a case: what is contested, what changed since your last visit, what is missing, who looks at what')
    .examples('concord overview case-1', 'concord overview case-1 --json')
    .calls('tenant-key', (client, scopeId: string) => client.overview(scopeId), overviewLines)
}

function overviewLines(overview: Overview, out: Output): string[] {
  const { contested, reviewed, missing, not_read: notRead, people } = overview
  const heading = (text: string) => ['', out.colors.bold(text)]
  const { decided, total } = reviewed.contradictions
  return [
    ...heading(
      `${contested.open === 1 ? 'One fact is' : `${contested.open} facts are`} contested; ${decided} of ${total} contradictions decided`,
    ),
    ...contested.items.map(contestedLine),
    ...changeLines(overview),
    ...(missing.length === 0 ? [] : heading('Mentioned, and not there')),
    ...missing.map(({ mention, papers }) => `  ${printable(mention)} (in ${papers.map(nameOf).join(', ')})`),
    ...(notRead.count === 0 ? [] : heading(`${countOf(notRead.count, 'document')} not read`)),
    ...notRead.items.map(each => `  ${nameOf(each)}: ${statusWords(each.why)}`),
    ...(notRead.set_aside.length === 0 ? [] : heading('Set aside, or read by eye')),
    ...notRead.set_aside.map(each => `  ${nameOf(each)}: ${asideWords(each.how)} by ${printable(each.by)}: ${printable(each.reason)}`),
    ...(people.items.length === 0 ? [] : heading('Who looks at what')),
    ...people.items.map(
      ({ person, open, overdue, next_due: due }) =>
        `  ${printable(person)}: ${open} open${overdue > 0 ? `, ${overdue} overdue` : ''}${due === null ? '' : `, next due ${due}`}`,
    ),
    ...(people.items.length > 0 && people.unassigned > 0 ? [`  nobody: ${people.unassigned}`] : []),
  ].slice(1)
}

function contestedLine({ subject, attribute, severity, a, b, why, contradiction_id: id }: Overview['contested']['items'][number]): string {
  const about = [subject, attribute].filter(Boolean).join(' · ') || 'Reported'
  const side = ({ value, source }: typeof a) => `${value ?? '(erased)'} (${source})`
  return `  [${severity}] ${printable(`${about}: ${side(a)} or ${side(b)}? ${why}`)} ${id}`
}

function changeLines({ since }: Overview): string[] {
  if (since === null) return []
  return ['', `Since your last visit${since.at === null ? '' : ` (${moment(since.at)})`}: ${changeWords(since.changes)}`]
}

function nameOf({ document_id: id, name }: { document_id: string; name: string | null }): string {
  return printable(name ?? id)
}
