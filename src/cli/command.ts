/**
 * A command of `concord`: its action gets a shell first, and what it answers becomes the exit code. Commands that only ask
 * the service for something and print it say so with `calls` and `lists`.
 */

import { createInterface } from 'node:readline/promises'
import { InvalidArgumentError, Option, Command as PlainCommand } from 'commander'
import type { Client } from '../client/client.js'
import type { List, Target } from '../client/index.js'
import type { Schema } from '../contract/types.js'
import { CommandError, exitCodes } from './command-error.js'
import type { Output } from './output.js'
import { type CommandContext, type GlobalFlags, type Need, type Shell, shellOf } from './shell.js'
import type { Column } from './text-layout.js'

export type AddCommand = (program: Command) => void
type LinesOf<T> = (answer: T, out: Output, ...given: never[]) => string | readonly string[]
type Said = Schema['FindingRequest']

export class Command extends PlainCommand {
  readonly context: CommandContext
  private question: ((...args: string[]) => string) | undefined

  constructor(name: string | undefined, context: CommandContext) {
    super(name)
    this.context = context
  }

  override createCommand(name?: string): Command {
    return new Command(name, this.context)
  }

  /** As they can be run from where the reader stands. */
  examples(...lines: readonly string[]): this {
    return this.addHelpText('after', () => {
      const named = lines.map(line => `  $ ${line.replace(/(?<=^|[ (])concord(?= )/, () => this.context.command)}`)
      return `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${named.join('\n')}`
    })
  }

  /** `given` are the arguments, then the options. */
  runs(act: (shell: Shell, ...given: never[]) => unknown): this {
    return this.action(async (...given) => {
      const shell = shellOf(this.optsWithGlobals<GlobalFlags>(), this.context)
      const code = await act(shell, ...(given.slice(0, -1) as never[]))
      if (typeof code === 'number') this.context.exitCode = code
    })
  }

  /** Asks the service once and shows what it answers: all of it to a program, these lines to a person. */
  calls<T>(need: Need, call: (client: Client, ...given: never[]) => Promise<T>, linesOf: LinesOf<T>): this {
    return this.runs(async ({ out, client: connect }, ...given) => {
      const client = connect(need)
      if (this.question !== undefined) await confirm(this.question(...this.args), this.opts<{ yes?: boolean }>().yes)
      const answer = await call(client, ...given)
      out.show(answer, () => out.lines([linesOf(answer, out, ...given)].flat()))
    })
  }

  /** Asks first, because what is called cannot be undone. */
  confirms(question: (...args: string[]) => string): this {
    this.question = question
    return this.option('-y, --yes', 'do not ask')
  }

  /** Like `calls`, for what a person decides: why, and in whose name. */
  decides<T>(
    { keptWith = 'decision', who = 'who decides', isReasonNeeded = true }: { keptWith?: string; who?: string; isReasonNeeded?: boolean },
    call: (client: Client, said: Said, ...given: never[]) => Promise<T>,
    linesOf: LinesOf<T>,
  ): this {
    return this.addOption(new Option('-r, --reason <reason>', `why; kept with the ${keptWith}`).makeOptionMandatory(isReasonNeeded))
      .option('--by <name>', `${who}; otherwise your account`)
      .calls(
        'tenant-key',
        async (client, ...given) => {
          const { reason, by } = this.opts<{ reason: string; by?: string }>()
          return call(client, { reason, by: await actingPerson(by, client, this.context.env) }, ...given)
        },
        linesOf,
      )
  }

  /** Like `calls`, on one scope, all of a tenant, or the whole service; `ofOwn` is what a tenant may ask of a scope without an operator's key. */
  callsTarget<T>(
    call: (client: Client, target: Target, ...given: never[]) => Promise<T>,
    linesOf: LinesOf<T>,
    ofOwn?: (client: Client, scopeId: string) => Promise<T>,
  ): this {
    return this.option('-s, --scope <case>', 'one case of the tenant')
      .option('--tenant', 'all cases of the tenant; without both, the whole service')
      .runs(async ({ out, client, isOperator }, ...given) => {
        const { scope, tenant } = this.opts<{ scope?: string; tenant?: boolean }>()
        const target: Target = scope !== undefined ? { level: 'scope', scopeId: scope } : { level: tenant ? 'tenant' : 'service' }
        const answer =
          scope !== undefined && ofOwn !== undefined && !isOperator
            ? await ofOwn(client('tenant-key'), scope)
            : await call(client(target.level === 'service' ? 'admin' : 'admin+tenant-key'), target, ...given)
        out.show(answer, () => out.lines([linesOf(answer, out, ...given)].flat()))
      })
  }

  /** Like `calls` with a list as a table; `limited` says how much of it is read. */
  lists<T>(
    need: Need,
    list: (client: Client, ...given: never[]) => List<T>,
    columns: readonly Column<T>[],
    none?: string | ((options: never) => string),
  ): this {
    return this.runs(async ({ out, client }, ...given) => {
      const items = await list(client(need), ...given).toArray(this.opts<{ limit?: number }>().limit)
      out.list(items, columns, typeof none === 'function' ? none(this.opts() as never) : none)
    })
  }

  limited(most: number): this {
    return this.option('-n, --limit <n>', 'most to show', mostItems, most)
  }
}

/** Of an option that may be given again. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

/** How many items are wanted. */
export function mostItems(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= 1_000_000) return value
  throw new InvalidArgumentError('It must be a whole number from 1 to 1,000,000')
}

/** Asks before what cannot be undone. Without a person at the terminal, --yes is the only yes. */
export async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new CommandError(`${question} needs confirmation`, { next: 'add --yes', exitCode: exitCodes.usage })
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await asking.question(`${question}? [y/N] `)
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('nothing was done')
  } finally {
    asking.close()
  }
}

/**
 * Who decides: --by, or the person whose key or session it is where that speaks for nobody else, or the account at this
 * machine. Decisions are signed with a name, never anonymous.
 */
export async function actingPerson(by: string | undefined, client: Client, env: CommandContext['env']): Promise<string> {
  const name = await knownPerson(by, client, env)
  if (name !== undefined) return name
  throw new CommandError('in whose name is not known', { next: 'add --by <name>, or set CONCORD_BY', exitCode: exitCodes.usage })
}

/** The same for what nobody has to sign: undefined where no name is known, as in a container. */
export async function knownPerson(by: string | undefined, client: Client, env: CommandContext['env']): Promise<string | undefined> {
  if (by) return by
  const { person, speak_for: speaksForAnybody } = await client.me()
  if (!speaksForAnybody && person !== null) return person
  return env['CONCORD_BY'] || env['USER'] || env['USERNAME'] || undefined
}
