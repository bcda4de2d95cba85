/** `concord policies`: the policy set in force, setting another, and what it would have decided. */

import { readFileSync } from 'node:fs'
import { type AddCommand, mostItems } from './command.js'
import { CommandError, exitCodes } from './command-error.js'
import { printable } from './text-layout.js'

export const addPolicies: AddCommand = program => {
  const policies = program
    .command('policies')
    .description('what is admitted, held and rejected')
    .examples('concord policies show', 'concord policies dry-run new.cedar --scope case-1', 'concord policies set new.cedar --tenant')
  policies
    .command('show', { isDefault: true })
    .description('the set in force')
    .examples('concord policies show', 'concord policies show --scope case-1')
    .callsTarget(
      ({ admin }, target) => admin.policies(target),
      ({ level, inherited_from: above, hash, policies: text }, { colors }) => [
        colors.dim(`// ${level}${above === null ? '' : `, inherited from ${above}`}, ${hash}`),
        text.trimEnd(),
      ],
      (client, scopeId) => client.policies(scopeId),
    )
  policies
    .command('set <file>')
    .description('put a set into force; - reads standard input')
    .examples('concord policies set case-1.cedar --scope case-1', 'concord policies set - --tenant < own.cedar')
    .callsTarget(
      ({ admin }, target, file: string) => admin.setPolicies(target, readPolicies(file)),
      ({ changed, hash }) => (changed ? `In force: ${hash}` : `Nothing changed: ${hash} is in force already.`),
    )
  policies
    .command('dry-run <file>')
    .description('which of the last decisions would have been others')
    .examples('concord policies dry-run case-1.cedar --scope case-1')
    .option('--last <n>', 'how many decisions', mostItems, 200)
    .callsTarget(
      ({ admin }, target, file: string, { last }: { last: number }) => admin.dryRunPolicies(target, { policies: readPolicies(file), last }),
      ({ message, changes }, { rows }) => {
        if (changes.length === 0) return message
        const changed = rows(changes, [
          ['case', change => change.scope_id],
          ['document', change => printable(change.document_id ?? change.kind)],
          ['outcome', change => `${change.recorded} → ${change.would_be}`],
          ['why', change => printable(change.reasons.join('; '))],
        ])
        return [message, ...changed]
      },
    )
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
