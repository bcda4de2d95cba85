/** `concord as-of`: a case as it was at a moment, on the screen, signed, or as a page to print. */

import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { decidedWords, goneWords, unopenedWords } from '../contract/finding-words.js'
import type { Schema } from '../contract/types.js'
import type { AddCommand } from './command.js'
import type { Output } from './output.js'
import { printable } from './text-layout.js'

interface Flags {
  at: string
  subject?: string
  output?: string
}

type AsOf = Schema['AsOf']

export const addAsOf: AddCommand = program => {
  program
    .command('as-of <case>')
    .description('a case as it was at a moment: papers, statements, open conflicts, decisions, and who had signed off')
    .requiredOption('--at <moment>', 'such as 2026-01-31, its end in UTC, or 2026-01-31T09:00:00Z')
    .option('--subject <subject>', 'only statements and conflicts about this')
    .option('-o, --output <file>', 'write it: signed, or as a page to print where the name ends in .html')
    .examples(
      'concord as-of case-1 --at 2026-01-31',
      'concord as-of case-1 --at 2026-01-31T09:00:00Z -o case-1.jws',
      'concord as-of case-1 --at 2026-01-31 -o case-1.html',
    )
    .runs(async ({ out, client }, scopeId: string, { at, subject, output }: Flags) => {
      const query = { at: momentOf(at), ...(subject === undefined ? {} : { subject }) }
      const service = client('tenant-key')
      if (output === undefined) {
        const asOf = await service.asOf(scopeId, { ...query, limit: 200 })
        return out.show(asOf, () => show(asOf, out))
      }
      const isPage = /\.html?$/i.test(output)
      const text = isPage ? await service.asOfPage(scopeId, query) : `${(await service.signedAsOf(scopeId, query)).statement}\n`
      const file = resolve(output)
      writeFileSync(file, text)
      out.show({ file, at: query.at }, () => {
        out.line(`Written to ${file}.`)
        if (!isPage)
          out.line(out.hint(`To verify: \`concord verify as-of ${output} --jwks keys.json\`, with the keys of /.well-known/jwks.json`))
      })
    })
}

/** Of a day its end, unless that is still to come. */
function momentOf(at: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(at)) return at
  const now = new Date().toISOString()
  const end = `${at}T23:59:59.999Z`
  return at === now.slice(0, 10) ? now : end
}

function show(asOf: AsOf, out: Output): void {
  out.line(`${asOf.scope_id} as it was on ${asOf.at}${asOf.subject === null ? '' : `, about ${printable(asOf.subject)}`}`)
  if (asOf.before_reset) out.line(`The case was ${goneWords(asOf)} on ${asOf.reset_at}: what was there before is gone.`)
  else showLists(asOf, out)
}

function showLists(asOf: AsOf, out: Output): void {
  const { papers, statements, contradictions, possible_conflicts: possible, decisions, sign_offs: signed } = asOf
  const names = new Map(papers?.items.map(({ document_id: id, name }) => [id, name]))
  section(out, 'Papers', papers, ({ document_id, revision, name, received_at, erased_at }) =>
    [name ?? `(erased ${erased_at?.slice(0, 10)})`, `revision ${revision}`, `received ${received_at.slice(0, 10)}`, document_id].join(', '),
  )
  section(
    out,
    'Statements that counted',
    statements,
    ({ quote, document_id }) => `${quote ?? '(erased)'}  (${names.get(document_id) ?? document_id})`,
  )
  section(out, 'Open contradictions', contradictions, item => conflictLine(item.contradiction_id, item))
  section(out, 'Possible conflicts', possible, item => conflictLine(item.possible_conflict_id, item))
  section(out, 'What people had decided', decisions, ({ by, recorded_at, verdict, kind, finding_id, reason, erased_at }) =>
    [
      `${recorded_at.slice(0, 10)} ${by}: ${decidedWords({ verdict: verdict ?? kind }).replaceAll('_', ' ')}`,
      finding_id ?? '',
      reason ?? (erased_at === null ? '' : '(erased)'),
    ]
      .filter(Boolean)
      .join(', '),
  )
  section(out, 'Signed off by', signed, ({ by, signed_at, reason }) => `${by} on ${signed_at.slice(0, 10)}: ${reason || '(erased)'}`)
}

type Conflict = Pick<NonNullable<AsOf['contradictions']>['items'][number], 'a' | 'b' | 'detected_at' | 'opened_by' | 'reads_kept'>

function conflictLine(id: string, { a, b, detected_at, opened_by, reads_kept }: Conflict): string {
  const opened = opened_by.length === 0 ? unopenedWords(reads_kept) : `opened by ${opened_by.map(({ by }) => by).join(', ')}`
  return `${id}: ${a.quote || '(erased)'} / ${b.quote || '(erased)'}  (found ${detected_at.slice(0, 10)}, ${opened[0]?.toLowerCase()}${opened.slice(1)})`
}

function section<T>(out: Output, title: string, page: { items: T[]; next: string | null } | undefined, line: (item: T) => string): void {
  const { items = [], next = null } = page ?? {}
  out.line()
  out.line(out.colors.bold(`${title}: ${next === null ? items.length : `more than ${items.length}, the first`}`))
  for (const item of items) out.line(`  ${printable(line(item))}`)
}
