/** `concord scopes`: list, create, change, reset and delete the scopes of a tenant. */

import { Option } from 'commander'
import { finalityWords } from '../contract/field-words.js'
import type { Schema } from '../contract/types.js'
import type { AddCommand } from './command.js'
import { jsonValue } from './json-argument.js'
import { printable } from './text-layout.js'

const settingsShape = '{"finality": {"minimum_documents": 3}, "thresholds": {"claim_confidence": 0.6}}'

const modeOption = () => new Option('--mode <mode>', 'how much policy leaves to people').choices(['auto', 'review', 'strict'])

interface ScopeFlags {
  displayName?: string
  mode?: Schema['ScopeMode']
  settings?: string
}

export const addScopes: AddCommand = program => {
  const scopes = program
    .command('scopes')
    .description('the cases of a tenant')
    .examples('concord scopes', 'concord scopes create case-1 --display-name "The case"', 'concord scopes reset case-1 --yes')
  scopes
    .command('list', { isDefault: true })
    .description('list them')
    .examples('concord scopes list', 'concord scopes list --json')
    .lists(
      'tenant-key',
      client => client.scopes({ limit: 200 }),
      [
        ['case', item => item.scope_id],
        ['state', item => finalityWords[item.finality]],
        ['mode', item => item.mode],
        ['runtime', item => item.runtime],
        ['documents', item => item.counts.documents.total],
        ['waiting', item => item.counts.documents.queued + item.counts.documents.processing],
        ['statements', item => item.counts.claims],
        ['open', item => item.counts.open_contradictions],
        ['possible', item => item.counts.possible_conflicts],
        ['examined', item => printable(item.examined.words)],
        ['compared', item => printable(item.examined.compared)],
        ['legal hold', item => (item.legal_hold === null ? '' : `by ${printable(item.legal_hold.by)}`), { max: 30 }],
        ['reading', item => (item.needs_reread ? 'needs reread' : '')],
        ['name', item => printable(item.display_name ?? '')],
      ],
      'No cases yet: `concord ingest <files> --scope <name>` makes one.',
    )
  scopes
    .command('create <case>')
    .description('create one')
    .examples('concord scopes create case-1 --display-name "The case"')
    .option('--display-name <name>', 'name for people')
    .addOption(modeOption())
    .runs(async ({ out, client: connect, isOperator }, scopeId: string, { displayName, mode }: ScopeFlags) => {
      const wanted = { scope_id: scopeId, display_name: displayName, mode }
      // A tenant makes its own; of what an operator does the audit log tells.
      const scope = await (isOperator ? connect('admin+tenant-key').admin.createScope(wanted) : connect('tenant-key').createScope(wanted))
      out.show(scope, () => out.line(`Case ${scope.scope_id} created (mode ${scope.mode}).`))
    })
  scopes
    .command('change <case>')
    .description('change name, mode or settings')
    .examples(
      'concord scopes change case-1 --mode review',
      `concord scopes change case-1 --settings '{"finality": {"minimum_documents": 3}}'`,
    )
    .option('--display-name <name>', 'name for people')
    .addOption(modeOption())
    .option('--settings <json>', 'targets, weights and thresholds: JSON, or a file that holds it')
    .calls(
      'admin+tenant-key',
      ({ admin }, scopeId: string, { displayName, mode, settings }: ScopeFlags) => {
        const wanted = settings === undefined ? undefined : jsonValue(settings, { what: '--settings', shape: settingsShape })
        return admin.patchScope(scopeId, { display_name: displayName, mode, settings: wanted })
      },
      scope => `Case ${scope.scope_id} is at version ${scope.version} (mode ${scope.mode}).`,
    )
  scopes
    .command('reset <case>')
    .description('forget documents, statements, contradictions and decisions; the case and its event log stay')
    .examples('concord scopes reset case-1 --yes')
    .confirms(scopeId => `Forget everything in ${scopeId}`)
    .calls(
      'admin+tenant-key',
      ({ admin }, scopeId: string) => admin.reset(scopeId),
      result => `${result.message} ${result.documents} documents are gone; generation ${result.generation} begins.`,
    )
  scopes
    .command('delete <case>')
    .description('erase a case with everything in it; its certificates stay, withdrawn')
    .examples('concord scopes delete case-1 --yes')
    .confirms(scopeId => `Erase ${scopeId} and everything in it`)
    .calls(
      'tenant-key',
      (client, scopeId: string) => client.deleteScope(scopeId),
      result => `${result.message} ${result.documents} documents are gone.`,
    )
}
