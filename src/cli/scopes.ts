/** `concord scopes`: list, create, change, reset and delete the scopes of a tenant. */

import { Option } from 'commander'
import type { Schema } from '../client/index.js'
import type { Command } from './command.js'
import { confirm } from './confirm.js'
import { jsonValue } from './json-argument.js'
import type { Output } from './output.js'
import { type AddCommand, type CommandContext, shellOf } from './shell.js'
import { table } from './text-layout.js'

const settingsShape = '{"finality": {"minimum_documents": 3}, "thresholds": {"claim_confidence": 0.6}}'

const modeOption = () => new Option('--mode <mode>', 'how much policy leaves to people').choices(['auto', 'review', 'strict'])

export const addScopes: AddCommand = (program, context) => {
  const scopes = program
    .command('scopes')
    .description('the cases of a tenant')
    .examples('concord scopes', 'concord scopes create case-1 --display-name "The case"', 'concord scopes reset case-1 --yes')
  scopes
    .command('list', { isDefault: true })
    .description('list them')
    .action(async (_options, command) => {
      const shell = shellOf(command, context)
      const items = await shell.client('tenant-key').scopes({ limit: 200 }).toArray()
      shell.out.show(items, () => shell.out.lines(scopeLines(shell.out, items)))
    })
  addCreate(scopes, context)
  addChange(scopes, context)
  scopes
    .command('reset <scope>')
    .description('forget documents, claims, contradictions and decisions; the case and its event log stay')
    .option('-y, --yes', 'do not ask')
    .action(async (scopeId: string, options: { yes?: boolean }, command) => {
      const shell = shellOf(command, context)
      const client = shell.client('admin+tenant-key')
      await confirm(`Forget everything in ${scopeId}`, options.yes)
      const result = await client.admin.reset(scopeId)
      shell.out.show(result, () =>
        shell.out.line(`${result.message} ${result.documents} documents are gone; generation ${result.generation} begins.`),
      )
    })
  scopes
    .command('delete <scope>')
    .description('erase a case with everything in it; its certificates stay, withdrawn')
    .option('-y, --yes', 'do not ask')
    .action(async (scopeId: string, options: { yes?: boolean }, command) => {
      const shell = shellOf(command, context)
      const client = shell.client('tenant-key')
      await confirm(`Erase ${scopeId} and everything in it`, options.yes)
      const result = await client.deleteScope(scopeId)
      shell.out.show(result, () => shell.out.line(`${result.message} ${result.documents} documents are gone.`))
    })
}

function addCreate(scopes: Command, context: CommandContext): void {
  scopes
    .command('create <scope>')
    .description('create one')
    .option('--display-name <name>', 'name for people')
    .addOption(modeOption())
    .action(async (scopeId: string, options: { displayName?: string; mode?: Schema['ScopeMode'] }, command) => {
      const shell = shellOf(command, context)
      const { displayName, mode } = options
      const scope = await shell.client('admin+tenant-key').admin.createScope({
        scope_id: scopeId,
        ...(displayName === undefined ? {} : { display_name: displayName }),
        ...(mode === undefined ? {} : { mode }),
      })
      shell.out.show(scope, () => shell.out.line(`Scope ${scope.scope_id} created (mode ${scope.mode}).`))
    })
}

function addChange(scopes: Command, context: CommandContext): void {
  scopes
    .command('change <scope>')
    .description('change name, mode or settings')
    .option('--display-name <name>', 'name for people')
    .addOption(modeOption())
    .option('--settings <json>', 'targets, weights and thresholds: JSON, or a file that holds it')
    .action(async (scopeId: string, options: { displayName?: string; mode?: Schema['ScopeMode']; settings?: string }, command) => {
      const shell = shellOf(command, context)
      const { displayName, mode, settings } = options
      const scope = await shell.client('admin+tenant-key').admin.patchScope(scopeId, {
        ...(displayName === undefined ? {} : { display_name: displayName }),
        ...(mode === undefined ? {} : { mode }),
        ...(settings === undefined ? {} : { settings: jsonValue(settings, { what: '--settings', shape: settingsShape }) }),
      })
      shell.out.show(scope, () => shell.out.line(`Scope ${scope.scope_id} is at version ${scope.version} (mode ${scope.mode}).`))
    })
}

function scopeLines({ colors, hint }: Output, items: readonly Schema['Scope'][]): string[] {
  if (items.length === 0) return [hint('No scopes yet: `concord ingest <files> --scope <name>` makes one.')]
  return table(
    items,
    [
      ['scope', item => item.scope_id],
      ['finality', item => item.finality],
      ['mode', item => item.mode],
      ['runtime', item => item.runtime],
      ['documents', item => item.counts.documents.total],
      ['waiting', item => item.counts.documents.queued + item.counts.documents.processing],
      ['claims', item => item.counts.claims],
      ['open', item => item.counts.open_contradictions],
      ['reading', item => (item.needs_reread ? 'needs reread' : '')],
      ['name', item => item.display_name ?? ''],
    ],
    colors.dim,
  )
}
