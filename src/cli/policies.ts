/** `concord policies`: the policy set in force, setting another, and what it would have decided. */

import { readFileSync } from 'node:fs'
import type { Command } from './command.js'
import { CommandError, exitCodes } from './command-error.js'
import { mostItems } from './limit-option.js'
import { type AddCommand, type CommandContext, shellOf } from './shell.js'
import { addTargetOptions, needOf, type TargetFlags, targetOf } from './target-options.js'
import { printable } from './text-layout.js'

export const addPolicies: AddCommand = (program, context) => {
  const policies = program
    .command('policies')
    .description('what is admitted, held and rejected')
    .examples('concord policies show', 'concord policies dry-run new.cedar --scope case-1', 'concord policies set new.cedar --tenant')
  addTargetOptions(policies.command('show', { isDefault: true }).description('the set in force')).action(
    async (flags: TargetFlags, command: Command) => {
      const { out, client } = shellOf(command, context)
      const target = targetOf(flags)
      const view = await client(needOf(target)).admin.policies(target)
      out.show(view, () => {
        out.line(
          out.colors.dim(`// ${view.level}${view.inherited_from === null ? '' : `, inherited from ${view.inherited_from}`}, ${view.hash}`),
        )
        out.line(view.policies.trimEnd())
      })
    },
  )
  addTargetOptions(policies.command('set <file>').description('put a set into force; - reads standard input')).action(
    async (file: string, flags: TargetFlags, command: Command) => {
      const { out, client } = shellOf(command, context)
      const target = targetOf(flags)
      const view = await client(needOf(target)).admin.setPolicies(target, readPolicies(file))
      out.show(view, () => out.line(view.changed ? `In force: ${view.hash}` : `Nothing changed: ${view.hash} is in force already.`))
    },
  )
  addDryRun(policies, context)
}

function addDryRun(policies: Command, context: CommandContext): void {
  addTargetOptions(policies.command('dry-run <file>').description('which of the last decisions would have been others'))
    .option('--last <n>', 'how many decisions', mostItems, 200)
    .action(async (file: string, flags: TargetFlags & { last: number }, command: Command) => {
      const { out, client } = shellOf(command, context)
      const target = targetOf(flags)
      const result = await client(needOf(target)).admin.dryRunPolicies(target, { policies: readPolicies(file), last: flags.last })
      out.show(result, () => {
        out.line(result.message)
        if (result.changes.length === 0) return
        out.table(result.changes, [
          ['scope', change => change.scope_id],
          ['document', change => printable(change.document_id ?? change.kind)],
          ['outcome', change => `${change.recorded} → ${change.would_be}`],
          ['why', change => printable(change.reasons.join('; '))],
        ])
      })
    })
}

function readPolicies(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new CommandError(`${file} cannot be read`, {
      next: 'name a file with policies in Cedar',
      exitCode: exitCodes.usage,
      cause: error,
    })
  }
}
