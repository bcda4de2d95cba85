/**
 * `concord contradictions`, `possible` and `supersessions`: where the documents of a scope disagree or may disagree, what replaced
 * what, and what a person says about each; `concord resolve` decides a contradiction. Reversible, on record; no claim is ever deleted.
 */

import { Argument, Option } from 'commander'
import type { Client, List } from '../client/index.js'
import { countOf, statusWords } from '../contract/field-words.js'
import { aboutOf } from '../contract/finding-words.js'
import type { Schema } from '../contract/types.js'
import type { AddCommand, Command } from './command.js'
import { withDocumentNames } from './document-names.js'
import { contradictionLines, possibleLines, supersessionLines } from './finding-lines.js'
import { contradictionId, documentIn, possibleConflictId, supersessionId } from './meant-by.js'
import type { Output } from './output.js'
import { printable } from './text-layout.js'

export const addContradictions: AddCommand = program => {
  const contradictions = program
    .command('contradictions <case>')
    .description('where the documents disagree, and where they may')
    .addOption(statusOption(['open', 'resolved', 'dismissed', 'all'], 'open'))
    .addOption(new Option('--found-by <whom>', 'who found them').choices(['rules', 'model', 'person']))
    .option('--assigned-to <person>', 'only those that this person is to look at')
    .option(...knownAt)
    .limited(100)
    .examples(
      'concord contradictions case-1',
      'concord contradictions case-1 --status all --json',
      'concord contradictions case-1 --found-by model',
    )
  lists(contradictions, {
    read: (client, scopeId, { foundBy, assignedTo, knownAt, ...query }) =>
      client.contradictions(scopeId, { ...query, found_by: foundBy, assigned_to: assignedTo, known_at: knownAt }),
    linesOf: contradictionLines,
    none: status => (status === 'open' ? 'No open contradictions.' : 'None.'),
    isCounted: ({ foundBy, assignedTo }) => foundBy === undefined && assignedTo === undefined,
    totalOf: ({ open, resolved, dismissed }, status) => ({ open, resolved, dismissed, all: open + resolved + dismissed })[status],
    next: out =>
      out.hint(
        'Decide one with `concord resolve <contradiction> a|b|both|neither|dismiss|disputed|clerical_error|not_the_same --reason "…"`',
      ),
    beside: possibleBeside,
  })
}

/** What may be a contradiction is open as well: whoever asks what is open is told of both. */
const possibleBeside: Beside<Schema['PossibleConflict']> = {
  isAsked: status => status === 'open' || status === 'all',
  read: (client, scopeId, { limit, knownAt }) => client.possibleConflicts(scopeId, { limit, known_at: knownAt }),
  linesOf: possibleLines,
  totalOf: ({ unsure }) => unsure,
  heading: count => `${count === 1 ? 'One possible conflict is' : `${count} possible conflicts are`} undecided`,
  elsewhere: scopeId => `list with \`concord possible list ${scopeId}\``,
  next: out => out.hint('Decide one with `concord possible promote|dismiss <possible conflict> --reason "…"`'),
}

const verdicts = ['a', 'b', 'both', 'neither', 'dismiss', 'disputed', 'clerical_error', 'not_the_same'] as const
type Verdict = (typeof verdicts)[number]

export const addResolve: AddCommand = program => {
  const resolve = program
    .command('resolve <contradiction>')
    .description('decide a contradiction')
    .addArgument(
      new Argument('<verdict>', 'a or b holds, or both, neither; dismiss; disputed: both count, closed as such').choices(verdicts),
    )
    .addOption(new Option('--side <side>', 'for clerical_error: the side with the slip').choices(['a', 'b']))
    .examples(
      'concord resolve ctr_… b --reason "The audited figure holds."',
      'concord resolve ctr_… dismiss -r "Two different sites" --by j.doe',
      'concord resolve ctr_… clerical_error --side a -r "A nought too many."',
    )
  resolve.decides(
    {},
    async (client, said, id: string, verdict: Verdict) => {
      const { side } = resolve.opts<{ side?: 'a' | 'b' }>()
      return client.resolve(await contradictionId(client, id), { verdict, ...(side === undefined ? {} : { side }), ...said })
    },
    (result, { colors }) => [
      `${result.contradiction_id} is ${statusWords(result.status)}: ${result.resolution.verdict}.`,
      ...(result.claims_retired.length > 0 ? [`No longer counted: ${countOf(result.claims_retired.length, 'statement')}.`] : []),
      ...(result.claims_revived.length > 0 ? [`Counted again: ${countOf(result.claims_revived.length, 'statement')}.`] : []),
      colors.dim(`recorded as ${result.decision_id}`),
    ],
  )
}

export const addPossible: AddCommand = program => {
  const possible = program
    .command('possible')
    .description('possible conflicts: list, promote, accept, dismiss, undo-promotion, undo-acceptance, undo-dismissal')
    .examples('concord possible list case-1', 'concord possible facts case-1', 'concord possible promote pcf_… --reason "Looked at both."')
  const list = possible
    .command('list <case>')
    .description('where the documents may disagree, likeliest first')
    .addOption(statusOption(['open', 'promoted', 'accepted', 'dismissed', 'cleared', 'all'], 'open'))
    .option(...knownAt)
    .limited(50)
    .examples('concord possible list case-1', 'concord possible list case-1 --status all --json')
  lists(list, {
    read: (client, scopeId, { knownAt, ...query }) => client.possibleConflicts(scopeId, { ...query, known_at: knownAt }),
    linesOf: possibleLines,
    none: status => (status === 'open' ? 'No possible conflict is undecided.' : 'None.'),
    isCounted: ({ status }) => status === 'open',
    totalOf: ({ unsure }) => unsure,
    next: out => out.hint('Decide one with `concord possible promote|dismiss <possible conflict> --reason "…"`'),
  })
  addFacts(possible)
  takesWords(possible, 'possible-conflict', { example: 'pcf_… --reason "Looked at both."', find: possibleConflictId }, [
    ['promote', 'promote it to an open contradiction', (client, id, said) => client.promote(id, said)],
    ['accept', 'accept the replacement it proposes', (client, id, said) => client.accept(id, said)],
    ['dismiss', 'dismiss it: not a conflict', (client, id, said) => client.dismiss(id, said)],
    ['undo-promotion', 'withdraw a promotion', (client, id, said) => client.withdrawPromotion(id, said)],
    ['undo-acceptance', 'withdraw an acceptance', (client, id, said) => client.withdrawAcceptance(id, said)],
    ['undo-dismissal', 'withdraw a dismissal', (client, id, said) => client.withdrawDismissal(id, said)],
  ])
}

/** As a person works through them: ten of each paper, by fact, with one word for a fact. */
function addFacts(possible: Command): void {
  possible
    .command('facts <case>')
    .description('the undecided ones to look at first, by fact')
    .limited(50)
    .examples('concord possible facts case-1', 'concord possible dismiss-fact pcf_… --reason "Two different sites."')
    .runs(async ({ out, client: connect }, scopeId: string, { limit }: { limit: number }) => {
      const client = connect('tenant-key')
      const found = await atMost(client.possibleFacts(scopeId, { limit: Math.min(limit + 1, 200) }), limit)
      const named = await Promise.all(
        found.items.map(async fact => ({ ...fact, items: out.json ? fact.items : await withDocumentNames(client, scopeId, fact.items) })),
      )
      out.show(named, () => {
        const lines = named.flatMap(fact => [...factLines(fact, out), ''])
        const next = out.hint('Decide all of a fact with `concord possible promote-fact|dismiss-fact <one of them> --reason "…"`')
        out.lines(
          named.length === 0 ? ['No possible conflict is undecided.'] : [...lines, ...moreLines(found, undefined), out.colors.dim(next)],
        )
      })
    })
  for (const verdict of ['promote', 'dismiss'] as const) {
    possible
      .command(`${verdict}-fact <possible-conflict>`)
      .description(`${verdict} it and every other undecided one about the same fact`)
      .examples(`concord possible ${verdict}-fact pcf_… --reason "Looked at all."`)
      .decides(
        {},
        async (client, said, given: string) => {
          const id = await possibleConflictId(client, given)
          const { scope_id: scopeId } = await client.possibleConflict(id)
          return client.decidePossible(scopeId, { verdict, possible_conflict_ids: [id], whole_fact: true, ...said })
        },
        result => togetherLines(result, verdict === 'promote' ? 'promoted' : 'dismissed'),
      )
  }
}

function factLines({ subject, attribute, count, items }: Schema['PossibleFact'], out: Output): string[] {
  const further = count - items.length
  return [
    `${out.colors.bold(printable(aboutOf({ subject, attribute })))}  ${out.colors.dim(countOf(count, 'possible conflict'))}`,
    ...items.flatMap(each => possibleLines(each, out).map(line => `  ${line}`)),
    ...(further > 0 ? [out.colors.dim(`  ${further} less likely, decided with these`)] : []),
  ]
}

function togetherLines({ decided, left, more }: Schema['DecidedTogether'], done: string): string[] {
  return [
    `${decided.length} ${done}.`,
    ...left.map(each => `${each.possible_conflict_id} was left: ${printable(each.reason)}`),
    ...(more > 0 ? [`${more} more are undecided: say it again.`] : []),
  ]
}

export const addReplacements: AddCommand = program => {
  const replacements = program
    .command('replacements')
    .description('replacements a model proposes: list, accept, dismiss')
    .examples('concord replacements list case-1', 'concord replacements accept case-1 lease.txt amendment.txt --reason "Amended."')
  replacements
    .command('list <case>')
    .description('by pairs of documents, with what accepting would do')
    .examples('concord replacements list case-1', 'concord replacements accept case-1 lease.txt amendment.txt --reason "Amended."')
    .runs(async ({ out, client: connect }, scopeId: string) => {
      const client = connect('tenant-key')
      const items = await client.replacements(scopeId, { limit: 100 }).toArray(100)
      out.show(items, () =>
        out.lines(items.length === 0 ? ['No replacement is proposed.'] : items.flatMap(item => replacementLines(item, out))),
      )
    })
  for (const verdict of ['accept', 'dismiss'] as const) {
    replacements
      .command(`${verdict} <case> <document> <by-document>`)
      .description(`${verdict} all replacements of one document by another`)
      .examples(`concord replacements ${verdict} case-1 lease.txt amendment.txt --reason "Looked at all."`)
      .decides(
        {},
        async (client, said, scopeId: string, given: string, by: string) =>
          client.decideReplacements(scopeId, {
            document_id: (await documentIn(client, scopeId, given)).document_id,
            by_document_id: (await documentIn(client, scopeId, by)).document_id,
            verdict,
            ...said,
          }),
        result => togetherLines(result, verdict === 'accept' ? 'accepted' : 'dismissed'),
      )
  }
}

function replacementLines(item: Schema['ProposedReplacement'], out: Output): string[] {
  const { retires, closes } = item.accepting
  const would = `accepting: ${retires} statements count no longer${closes.length > 0 ? `, ${closes.length} contradictions close` : ''}`
  return [
    `${out.colors.bold(printable(item.document_id))} by ${out.colors.bold(printable(item.by_document_id))}  ${out.colors.dim(`${item.count} · ${would}`)}`,
    ...item.items.flatMap(each => possibleLines(each, out).map(line => `  ${line}`)),
    '',
  ]
}

export const addSupersessions: AddCommand = program => {
  const supersessions = program
    .command('supersessions')
    .description('what replaced what: list, object, undo-objection')
    .examples('concord supersessions list case-1', 'concord supersessions object sup_… --reason "The draft was right."')
  const list = supersessions
    .command('list <case>')
    .description('what replaced what, and why')
    .addOption(statusOption(['standing', 'objected', 'withdrawn', 'all'], 'all'))
    .option(...knownAt)
    .limited(100)
    .examples('concord supersessions list case-1', 'concord supersessions list case-1 --json')
  lists(list, {
    read: (client, scopeId, { knownAt, ...query }) => client.supersessions(scopeId, { ...query, known_at: knownAt }),
    linesOf: supersessionLines,
    none: () => 'Nothing was replaced.',
    next: out => out.hint('Object to one with `concord supersessions object <supersession> --reason "…"`'),
  })
  takesWords(supersessions, 'supersession', { example: 'sup_… --reason "The draft was right."', find: supersessionId }, [
    ['object', 'dispute it in an open contradiction', (client, id, said) => client.object(id, said)],
    ['undo-objection', 'withdraw an objection', (client, id, said) => client.withdrawObjection(id, said)],
  ])
}

function statusOption(statuses: readonly string[], standard: string): Option {
  return new Option('--status <status>', 'which of them').choices(statuses).default(standard)
}

const knownAt = ['--known-at <time>', 'as the service knew them then'] as const

/** The choices of the options are those of the service. */
interface Query {
  status: never
  foundBy?: never
  assignedTo?: string
  knownAt?: string
  limit: number
}

type Counts = Schema['ScopeSummary']['contradictions']

/** What a list names besides its own items. Where only what somebody found is listed, it is counted alone: nobody is said to have found it. */
interface Beside<T> {
  isAsked(status: string): boolean
  read(client: Client, scopeId: string, query: Pick<Query, 'limit' | 'knownAt'>): List<T>
  linesOf(item: T, out: Output): string[]
  totalOf(counts: Counts): number
  heading(count: number): string
  elsewhere(scopeId: string): string
  next(out: Output): string
}

interface Listing<T> {
  read(client: Client, scopeId: string, query: Query): List<T>
  linesOf(item: T, out: Output): string[]
  none(status: string): string
  /** Whether the summary counts what is listed. */
  isCounted?(query: Query): boolean
  /** How many there are without a limit. */
  totalOf?(counts: Counts, status: string): number | undefined
  /** What to do with one of them. */
  next(out: Output): string
  beside?: Beside<Schema['PossibleConflict']>
}

function lists<T extends object>(command: Command, { read, linesOf, none, isCounted, totalOf, next, beside }: Listing<T>): void {
  command.runs(async ({ out, client: connect }, scopeId: string, query: Query) => {
    const client = connect('tenant-key')
    const page = Math.min(query.limit + 1, 200)
    const found = await atMost(read(client, scopeId, { ...query, limit: page }), query.limit)
    const isBeside = beside?.isAsked(query.status) === true && query.assignedTo === undefined
    const isCountedAlone = !out.json && isBeside && query.foundBy !== undefined && query.knownAt === undefined
    const isListed = isBeside && query.foundBy === undefined
    const others = await atMost(isListed ? beside.read(client, scopeId, { ...query, limit: page }) : null, query.limit)
    // The summary counts what is known now, and is read where a count is said.
    const isTotalSaid = found.isCut && isCounted?.(query) === true
    const needsCounts = query.knownAt === undefined && (isCountedAlone || others.isCut || isTotalSaid)
    const counts = needsCounts ? (await client.summary(scopeId)).contradictions : undefined
    const more = moreLines(found, isTotalSaid && counts ? totalOf?.(counts, query.status) : undefined)
    const besides = beside && counts && (isCountedAlone || others.isCut) ? beside.totalOf(counts) : others.items.length
    const moreBeside = moreLines(others, counts && besides)
    if (out.json) {
      out.show([...found.items, ...others.items], () => undefined)
      for (const line of [...more, ...moreBeside]) out.note(line)
      return
    }
    const named = await withDocumentNames(client, scopeId, found.items)
    const lines = named.flatMap(item => [...linesOf(item, out), ''])
    out.lines(named.length === 0 ? [none(query.status)] : [...lines, ...more, out.colors.dim(next(out))])
    if (beside === undefined || besides === 0 || !isBeside) return
    if (isCountedAlone) return out.lines(['', out.hint(`${beside.heading(besides)}: ${beside.elsewhere(scopeId)}.`)])
    const othersNamed = await withDocumentNames(client, scopeId, others.items)
    const otherLines = othersNamed.flatMap(item => [...beside.linesOf(item, out), ''])
    out.lines(['', out.colors.bold(`${beside.heading(besides)}:`), '', ...otherLines, ...moreBeside, out.colors.dim(beside.next(out))])
  })
}

interface Found<T> {
  items: T[]
  isCut: boolean
}

/** One more than is shown tells whether there are more. */
async function atMost<T>(list: List<T> | null, limit: number): Promise<Found<T>> {
  const found = (await list?.toArray(limit + 1)) ?? []
  return { items: found.slice(0, limit), isCut: found.length > limit }
}

/** Lists and counts are read one after the other: what was cut off is at least one. */
function moreLines({ items, isCut }: Found<unknown>, total: number | undefined): string[] {
  if (!isCut) return []
  return [`… and ${total === undefined ? '' : `${Math.max(1, total - items.length)} `}more: say how many with --limit.`]
}

type Result = Schema['PossibleConflictResult'] | Schema['SupersessionResult']
type Say = (client: Client, id: string, said: Schema['FindingRequest']) => Promise<Result>

interface Named {
  example: string
  find(client: Client, given: string): Promise<string>
}

function takesWords(
  command: Command,
  what: string,
  { example, find }: Named,
  verdicts: readonly (readonly [name: string, description: string, say: Say])[],
): void {
  for (const [name, description, say] of verdicts)
    command
      .command(`${name} <${what}>`)
      .description(description)
      .examples(`concord ${command.name()} ${name} ${example}`)
      .decides({}, async (client, said, id: string) => say(client, await find(client, id), said), resultLines)
}

function resultLines(result: Result, { colors }: Output): string[] {
  const id = 'supersession_id' in result ? result.supersession_id : result.possible_conflict_id
  const { status, contradiction_id: became, decision_id: decision } = result
  return [`${id} is ${statusWords(status)}.`, ...(became === null ? [] : [`It became ${became}.`]), colors.dim(`recorded as ${decision}`)]
}
