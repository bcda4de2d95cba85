/** `concord ingest`: files and folders into a scope, with progress, resumable, through restarts of the service. */

import { stat } from 'node:fs/promises'
import { InvalidArgumentError } from 'commander'
import type { Client } from '../client/client.js'
import { estimatedCharacters, estimatedTokens } from '../client/model-estimate.js'
import { ConnectionError } from '../client/problem-error.js'
import { kindsInWords } from '../contract/file-kinds.js'
import type { Schema } from '../contract/types.js'
import type { AddCommand } from './command.js'
import { CommandError, exitCodes } from './command-error.js'
import { explainFailure } from './explain-failure.js'
import { discoverFiles, type FoundFile } from './file-discovery.js'
import { follow } from './follow.js'
import type { FollowFlags } from './follower.js'
import { type IngestResult, ingestFiles } from './ingest-files.js'
import { createProgress } from './progress.js'
import type { Shell } from './shell.js'
import { printable } from './text-layout.js'

interface IngestFlags extends Omit<FollowFlags, 'settle'> {
  settle?: number
  name?: string
  wait?: boolean
  estimate?: boolean
  follow?: boolean
}

export const addIngest: AddCommand = program => {
  program
    .command('ingest <paths...>')
    .description('submit files and folders, or standard input as `-`; run it again to resume')
    .option('-s, --scope <case>', 'case to put them into; made when it does not exist')
    .option('-c, --concurrency <n>', 'files under way at once', positive, 8)
    .option('-t, --type <type>', 'take all files as text of this type, instead of by their content')
    .option('--source <source>', 'where the documents come from')
    .option('--about <words>', 'what the documents are about; those about different things contradict nothing of each other')
    .option('--no-model', 'no language model is asked about these documents, nor shown them beside others')
    .option('--estimate', 'say what they would cost at the model, and send nothing')
    .option(
      '-n, --name <name>',
      'what standard input is called; the same name again is a new revision, without one another text is another document',
    )
    .option('-w, --wait', 'wait until they are processed')
    .option('--patience <seconds>', 'how long to wait for a service that does not answer', positive, 120)
    .option('-f, --follow', 'go on taking files of the folder as they are finished; nothing twice, also after a restart')
    .option('--settle <seconds>', 'with --follow: a file that did not change for so long is finished (default: 2)', seconds)
    .option('--scope-from-folder', 'with --follow: each sub-folder is a case of that id')
    .option('--create', 'with --follow: make cases that do not exist')
    .addHelpText(
      'after',
      `\nTaken are ${kindsInWords}, by their content, whatever their names. Hidden files and folders are left out; any other file that is not taken is named, and the exit code is 1.`,
    )
    .examples(
      'concord ingest contract.txt memo.md --scope case-1 --wait',
      'concord ingest ./dossier --scope case-1 --concurrency 16',
      'concord ingest - --scope case-1 --name minutes.pdf < minutes.pdf',
      'concord ingest ./inbox --follow --scope-from-folder',
    )
    .runs((shell, paths: readonly string[], flags: IngestFlags) =>
      flags.follow ? follow(shell, paths, followFlags(flags)) : ingestOnce(shell, paths, flags),
    )
}

function seconds(text: string): number {
  const value = Number(text)
  if (value >= 0.1 && value <= 3600) return value
  throw new InvalidArgumentError('It must be a number of seconds from 0.1 to 3600')
}

/** What is of one run only is a mistake where files are followed: what they promise would not be kept. */
function followFlags(flags: IngestFlags): FollowFlags {
  if (flags.estimate || flags.wait || flags.name !== undefined) {
    throw new CommandError('--estimate, --wait and --name do not go with --follow', { next: 'leave one out', exitCode: exitCodes.usage })
  }
  if (flags.scope !== undefined || flags.scopeFromFolder) return { ...flags, settle: flags.settle ?? 2 }
  throw new CommandError('it is not said which case the files belong to', {
    next: 'add --scope <case>, or --scope-from-folder',
    exitCode: exitCodes.usage,
  })
}

/** Without --follow, one case is meant, and what belongs to following is a mistake. */
async function ingestOnce(shell: Shell, paths: readonly string[], { scope, ...flags }: IngestFlags): Promise<number> {
  if (flags.scopeFromFolder || flags.create || flags.settle !== undefined) {
    throw new CommandError('--scope-from-folder, --create and --settle belong to --follow', {
      next: 'add --follow',
      exitCode: exitCodes.usage,
    })
  }
  if (scope === undefined) throw new CommandError('a case is needed', { next: 'add --scope <case>', exitCode: exitCodes.usage })
  return ingest(shell, paths, { ...flags, scope })
}

function positive(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= 10_000) return value
  throw new InvalidArgumentError('It must be a whole number from 1')
}

/** What a model would be asked about these files, before anything is sent. */
async function estimate({ out, client: connect }: Shell, files: readonly FoundFile[], scope: string): Promise<number> {
  const costs = await connect('tenant-key').scopeModel(scope)
  const sizes = await Promise.all(
    files.filter(({ refusal }) => refusal === undefined).map(async ({ path, name }) => estimatedCharacters(name, (await stat(path)).size)),
  )
  const tokens = costs.model === null ? 0 : estimatedTokens(sizes, costs)
  out.show({ scope_id: scope, model: costs.model, files: sizes.length, tokens }, () =>
    out.line(
      costs.model === null
        ? `No model reads ${printable(scope)} (${costs.none_because?.replaceAll('_', ' ')}): it costs no tokens.`
        : `${sizes.length} files would cost about ${tokens.toLocaleString('en')} tokens of ${printable(costs.model)}.`,
    ),
  )
  return exitCodes.done
}

async function ingest(shell: Shell, paths: readonly string[], flags: IngestFlags & { scope: string }): Promise<number> {
  const files = await discoverFiles(paths, { type: flags.type, stdinName: flags.name })
  requireDifferentNames(files)
  if (files.length === 0) {
    throw new CommandError('no files were found', { next: 'name files, or a folder that has some', exitCode: exitCodes.usage })
  }
  if (flags.estimate && files.some(({ path }) => path === '-')) {
    throw new CommandError('standard input is not estimated, since its size is not known', {
      next: 'name a file that holds it',
      exitCode: exitCodes.usage,
    })
  }
  if (flags.estimate) return estimate(shell, files, flags.scope)
  const progress = createProgress(shell.out, 'documents', files.length)
  const client = shell.client(flags.wait ? 'tenant-key' : 'tenant', {
    attempts: Number.POSITIVE_INFINITY,
    deadlineMs: flags.patience * 1000,
    maxMs: 2000,
    onRetry: ({ status }) => progress.note(status === undefined ? 'no answer, trying again' : `answer ${status}, trying again`),
  })
  const startedAt = performance.now()
  const result = await interruptible(signal =>
    ingestFiles(files, {
      client,
      scopeId: flags.scope,
      source: flags.source,
      about: flags.about,
      model: flags.model === false ? 'off' : undefined,
      concurrency: flags.concurrency,
      signal,
      onFile: outcome => progress.step('error' in outcome),
    }),
  )
  progress.stop()
  const seconds = (performance.now() - startedAt) / 1000
  const isWaitedFor = flags.wait === true && result.done.length > 0
  // A program gets one value, when everything is known; a person is told first what was accepted.
  const processed = isWaitedFor && shell.out.json ? await waitForAll(shell, client, flags.scope) : undefined
  report(shell, { ...result, seconds, scope: flags.scope, processed })
  if (!isWaitedFor && result.done.length > 0 && !shell.out.json)
    shell.out.line(
      shell.out.hint(`What could not be read is not known yet: \`--wait\` names it, \`concord summary ${flags.scope}\` counts it.`),
    )
  if (isWaitedFor && !shell.out.json) sayProcessed(shell, flags.scope, await waitForAll(shell, client, flags.scope))
  if (result.failed.some(({ error }) => error instanceof ConnectionError)) return exitCodes.unreachable
  return result.failed.length + result.left === 0 ? exitCodes.done : exitCodes.failed
}

function requireDifferentNames(files: readonly FoundFile[]): void {
  const seen = new Map<string, string>()
  for (const { name, path } of files) {
    const other = seen.get(name)
    if (other !== undefined) {
      throw new CommandError(`${other} and ${path} would be the same document ${name}`, {
        next: 'name the folder above both instead',
        exitCode: exitCodes.usage,
      })
    }
    seen.set(name, path)
  }
}

/** The first Ctrl-C ends the run in an orderly way: what was acknowledged is reported, the rest is left for the next run. */
async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const interrupt = () => controller.abort(new Error('interrupted'))
  process.once('SIGINT', interrupt)
  try {
    return await work(controller.signal)
  } finally {
    process.off('SIGINT', interrupt)
  }
}

interface Report extends IngestResult {
  seconds: number
  scope: string
  processed: Processed | undefined
}

function report({ out }: Shell, { done, failed, left, seconds, scope, processed }: Report): void {
  const known = done.filter(outcome => outcome.known).length
  const failures = failed.map(({ file, error }) => ({ file: file.path, reason: explainFailure(error).line }))
  const documents = done.map(({ file, documentId, seq, known: before }) => ({
    file: file.path,
    document_id: documentId,
    seq,
    known: before,
  }))
  const counts = { accepted: done.length - known, known, failed: failed.length, left }
  out.show({ scope_id: scope, ...counts, seconds, documents, failures, ...quarantinedIn(processed) }, () => {
    const rate = done.length / Math.max(seconds, 0.001)
    out.line(
      `${out.colors.bold(String(counts.accepted))} accepted into ${scope}${known > 0 ? `, ${known} already known` : ''} in ${seconds.toFixed(1)} s (${rate.toFixed(0)} files/s)`,
    )
    if (failures.length > 0) {
      out.line()
      out.line(out.colors.red(`${failures.length} not taken:`))
      out.table(failures.slice(0, 50), [
        ['file', ({ file }) => printable(file), { max: 60 }],
        ['reason', ({ reason }) => printable(reason)],
      ])
      if (failures.length > 50) out.line(`… and ${failures.length - 50} more; --json lists all`)
    }
    if (left > 0) out.line(`${left} files were not sent. Run the same command again: it resumes where this one stopped.`)
  })
}

interface Processed {
  summary: Schema['ScopeSummary']
  /** The first of them. */
  quarantined: Schema['Document'][]
}

const mostQuarantined = 20

async function waitForAll(shell: Shell, client: Client, scope: string): Promise<Processed> {
  const summary = await waitUntilProcessed(shell, client, scope)
  const quarantined =
    summary.documents.quarantined === 0 ? [] : await client.documents(scope, { status: 'quarantined' }).toArray(mostQuarantined)
  return { summary, quarantined }
}

function quarantinedIn(processed: Processed | undefined) {
  if (processed === undefined) return {}
  const { summary, quarantined } = processed
  return {
    processed: summary.documents,
    open_contradictions: summary.contradictions.open,
    possible_conflicts: summary.contradictions.unsure,
    quarantined: quarantined.map(({ document_id, name, reason, failure }) => ({
      document_id,
      name,
      reason,
      error_class: failure?.error_class ?? null,
    })),
  }
}

/** Contradictions, and what may be one: neither is left out. */
function openIn({ contradictions: { open, unsure } }: Schema['ScopeSummary']): string {
  return `${open} open contradiction${open === 1 ? '' : 's'}, ${unsure} possible conflict${unsure === 1 ? '' : 's'} undecided`
}

/** What could not be read is compared with nothing, so it is named and not only counted. */
function sayProcessed({ out }: Shell, scope: string, { summary, quarantined: some }: Processed): void {
  const { indexed, held, rejected, quarantined } = summary.documents
  const found = `${indexed} read, ${held} held, ${rejected} rejected, ${quarantined} could not be read; ${openIn(summary)}.`
  out.line(`${found} ${out.hint(`See \`concord summary ${scope}\`.`)}`)
  const { without_model: without } = summary.reading
  if (without > 0) {
    const next = `\`concord documents ${scope}\` says why, \`concord reread ${scope} --model\` asks it again.`
    out.line(`${out.colors.yellow(`The model has not answered about ${without} of them:`)} ${out.hint(next)}`)
  }
  if (some.length === 0) return
  out.line()
  out.line(out.colors.red(`${quarantined} could not be read, so nothing is compared with ${quarantined === 1 ? 'it' : 'them'}:`))
  out.table(some, [
    ['document', ({ name, document_id }) => printable(name ?? document_id), { max: 60 }],
    ['reason', ({ reason }) => printable(reason ?? '')],
  ])
  if (quarantined > some.length) out.line(`… and ${quarantined - some.length} more`)
  out.line(out.hint(`\`concord quarantine list --scope ${scope}\` lists them, \`concord quarantine --help\` says what can be done.`))
}

const lookEveryMs = 300

/** Until nothing of the scope is queued or being processed, or it is said why it never will be. */
async function waitUntilProcessed({ out }: Shell, client: Client, scopeId: string): Promise<Schema['ScopeSummary']> {
  const progress = createProgress(out, 'processed', 1)
  try {
    for (;;) {
      const summary = await client.summary(scopeId)
      const { total, queued, processing, attached, registered } = summary.documents
      const waiting = queued + processing
      progress.update(total - attached - registered - waiting, total - attached - registered)
      if (waiting === 0) return summary
      if (summary.runtime.state !== 'running') {
        out.note(out.hint(`The runtime is ${summary.runtime.state}: ${waiting} documents wait. \`concord runtime start\` goes on.`))
        return summary
      }
      await new Promise(resolve => setTimeout(resolve, lookEveryMs))
    }
  } finally {
    progress.stop()
  }
}
