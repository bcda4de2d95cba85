/** `concord as-of`: a case as it was at a moment, on the screen, signed, or as a page to print. */

import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Option } from 'commander'
import { countOf } from '../contract/field-words.js'
import { coversWords, decidedWords, unknownThen, unopenedWords } from '../contract/finding-words.js'
import type { Schema } from '../contract/types.js'
import type { AddCommand } from './command.js'
import { CommandError, exitCodes } from './command-error.js'
import type { Output } from './output.js'
import { printable } from './text-layout.js'
import { wholeFile } from './whole-file.js'

interface Flags {
  at: string
  subject?: string
  output?: string
  list?: ListName
  cursor?: string
  limit: number
}

type AsOf = Schema['AsOf']

const lists = ['papers', 'statements', 'contradictions', 'possible_conflicts', 'decisions', 'sign_offs'] as const
type ListName = (typeof lists)[number]

export const addAsOf: AddCommand = program => {
  program
    .command('as-of <case>')
    .description('a case as it was at a moment: papers, statements, open conflicts, decisions, and who had signed off')
    .requiredOption('--at <moment>', 'such as 2026-01-31, its end in UTC, or 2026-01-31T09:00:00Z')
    .option('--subject <subject>', 'only statements and conflicts about this')
    .addOption(new Option('--list <list>', 'this list alone').choices(lists))
    .option('--cursor <cursor>', 'go on with the list from where it ended')
    .limited(200)
    .option('-o, --output <file>', 'write it: signed, or as a page to print where the name ends in .html')
    .examples(
      'concord as-of case-1 --at 2026-01-31',
      'concord as-of case-1 --at 2026-01-31 --list statements --limit 1000',
      'concord as-of case-1 --at 2026-01-31T09:00:00Z -o case-1.jws',
      'concord as-of case-1 --at 2026-01-31 -o case-1.html',
    )
    .runs(async ({ out, client }, scopeId: string, { at, subject, output, list, cursor, limit }: Flags) => {
      if (output !== undefined && (list ?? cursor) !== undefined) {
        throw new CommandError('what is written holds every list', {
          next: 'leave out --list and --cursor, or --output',
          exitCode: exitCodes.usage,
        })
      }
      const query = { at: momentOf(at), ...(subject === undefined ? {} : { subject }) }
      const service = client('tenant-key')
      if (output === undefined) {
        const asked = { ...query, ...(list && { list }), ...(cursor && { cursor }) }
        const asOf = await atMost(limit, left => service.asOf(scopeId, { ...asked, ...left }), list)
        return out.show(asOf, () => show(asOf, out))
      }
      const isPage = /\.html?$/i.test(output)
      const text = isPage ? await service.asOfPage(scopeId, query) : `${(await service.signedAsOf(scopeId, query)).statement}\n`
      const file = resolve(output)
      await wholeFile(file, draft => writeFile(draft, text))
      out.show({ file, at: query.at }, () => {
        out.line(`Written to ${file}.`)
        if (!isPage)
          out.line(out.hint(`To verify: \`concord verify as-of ${output} --jwks keys.json\`, with the keys of /.well-known/jwks.json`))
      })
    })
}

/** One list in as many pages as it takes; of all of them the first page. */
async function atMost(limit: number, read: (page: { limit: number; cursor?: string }) => Promise<AsOf>, list?: ListName): Promise<AsOf> {
  const asOf = await read({ limit: Math.min(limit, pageItems) })
  const page = list && asOf[list]
  if (page === undefined) return asOf
  for (let left = limit - page.items.length; page.next !== null && left > 0; left = limit - page.items.length) {
    const further: { items: object[]; next: string | null } | undefined = (
      await read({ limit: Math.min(left, pageItems), cursor: page.next })
    )[list as ListName]
    page.items.push(...((further?.items ?? []) as never[]))
    page.next = further?.next ?? null
  }
  return asOf
}

const pageItems = 200

/** Of a day its end, unless that is still to come. */
function momentOf(at: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(at)) return at
  const now = new Date().toISOString()
  const end = `${at}T23:59:59.999Z`
  return at === now.slice(0, 10) ? now : end
}

function show(asOf: AsOf, out: Output): void {
  out.line(`${asOf.scope_id} as it was on ${asOf.at}${asOf.subject === null ? '' : `, about ${printable(asOf.subject)}`}`)
  const unknown = unknownThen(asOf, instant => instant)
  if (unknown === null) showLists(asOf, out)
  else out.line(unknown)
}

function showLists(asOf: AsOf, out: Output): void {
  const { papers, statements, contradictions, possible_conflicts: possible, decisions, sign_offs: signed } = asOf
  const names = new Map(papers?.items.map(({ document_id: id, name }) => [id, name]))
  const about = asOf.subject === null ? '' : ` --subject ${quoted(asOf.subject)}`
  const section = sectionsOn(out, `--at ${asOf.at}${about}`)
  section('papers', 'Papers', papers, ({ document_id, revision, name, received_at, erased_at }) => [
    [name ?? `(erased ${erased_at?.slice(0, 10)})`, `revision ${revision}`, `received ${received_at.slice(0, 10)}`, document_id].join(', '),
  ])
  section('statements', 'Statements that counted', statements, ({ quote, document_id }) => [
    `${quote ?? '(erased)'}  (${names.get(document_id) ?? document_id})`,
  ])
  section('contradictions', 'Open contradictions', contradictions, item => [
    conflictLine(item.contradiction_id, item),
    ...writtenLines(item),
  ])
  section('possible_conflicts', 'Possible conflicts', possible, item => [conflictLine(item.possible_conflict_id, item)])
  section('decisions', 'What people had decided', decisions, ({ by, recorded_at, verdict, kind, finding_id, reason, erased_at }) => [
    [
      `${recorded_at.slice(0, 10)} ${by}: ${decidedWords({ verdict: verdict ?? kind }).replaceAll('_', ' ')}`,
      finding_id ?? '',
      reason ?? (erased_at === null ? '' : '(erased)'),
    ]
      .filter(Boolean)
      .join(', '),
  ])
  section('sign_offs', 'Signed off by', signed, ({ by, signed_at, reason, current }) => [
    `${by} on ${signed_at.slice(0, 10)}: ${reason || '(erased)'}  (covers ${coversWords(current)})`,
  ])
}

type Contradiction = NonNullable<AsOf['contradictions']>['items'][number]
type Conflict = Pick<Contradiction, 'a' | 'b' | 'detected_at' | 'opened_by' | 'reads_kept'>

function conflictLine(id: string, { a, b, detected_at, opened_by, reads_kept }: Conflict): string {
  const opened = opened_by.length === 0 ? unopenedWords(reads_kept) : `opened by ${opened_by.map(({ by }) => by).join(', ')}`
  return `${id}: ${a.quote || '(erased)'} / ${b.quote || '(erased)'}  (found ${detected_at.slice(0, 10)}, ${opened[0]?.toLowerCase()}${opened.slice(1)})`
}

function writtenLines({ assignment, comments = 0, discussion }: Contradiction): string[] {
  return [
    ...(assignment === undefined ? [] : [`${assignment.to} was to look at it`]),
    ...discussion.map(({ by, text, said_at }) => `${said_at.slice(0, 10)} ${by}: ${text ?? '(erased)'}`),
    ...(comments > discussion.length ? [`and ${countOf(comments - discussion.length, 'more comment')}`] : []),
  ]
}

/** One word to a shell, whatever is in it. */
function quoted(text: string): string {
  return `'${printable(text).replaceAll("'", "'\\''")}'`
}

type PageOf<T> = { items: T[]; next: string | null } | undefined

/** A list that was not asked for is not shown; one that goes on says how. */
function sectionsOn(out: Output, asked: string) {
  return <T>(list: ListName, title: string, page: PageOf<T>, lines: (item: T) => string[]): void => {
    if (page === undefined) return
    const { items, next } = page
    out.line()
    out.line(out.colors.bold(`${title}: ${next === null ? items.length : `more than ${items.length}, the first`}`))
    for (const item of items) {
      const [first = '', ...below] = lines(item).map(printable)
      out.lines([`  ${first}`, ...below.map(line => `    ${line}`)])
    }
    if (next !== null) out.line(out.colors.dim(`  More: ${asked} --list ${list} --cursor ${next}`))
  }
}
