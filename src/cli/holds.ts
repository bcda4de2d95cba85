/** `concord hold`, `lift-hold` and `holds`: what must not be removed, by whose word, and why. */

import type { Client } from '../client/client.js'
import { ProblemError } from '../client/problem-error.js'
import type { AddCommand } from './command.js'
import { documentIn } from './meant-by.js'
import { printable } from './text-layout.js'

interface Options {
  document?: string
}

async function chosen(client: Client, scopeId: string, { document }: Options) {
  if (document === undefined) return {}
  try {
    return { documentId: (await documentIn(client, scopeId, document)).document_id }
  } catch (error) {
    // A key that may hold and not read names the document by its id.
    if (error instanceof ProblemError && error.status === 403) return { documentId: document }
    throw error
  }
}

const named = ({ scope_id: scopeId, document_id: documentId }: { scope_id: string; document_id: string | null }) =>
  documentId === null ? scopeId : `${printable(documentId)} of ${scopeId}`

export const addHold: AddCommand = program => {
  program
    .command('hold <case>')
    .description('put a case or a document on legal hold: nothing removes it until it is lifted')
    .option('--document <document>', 'this document alone: its id, the beginning of it or its name')
    .examples('concord hold case-1 --reason "Litigation is expected."', 'concord hold case-1 --document offer -r "Evidence" --by j.doe')
    .decides(
      { keptWith: 'hold', who: 'who sets it' },
      async (client, said, scopeId: string, options: Options) => client.hold(scopeId, said, await chosen(client, scopeId, options)),
      held =>
        held.changed
          ? `${named(held)} is on legal hold (${held.hold_id}).`
          : `${named(held)} is on legal hold already, set by ${printable(held.by)}.`,
    )
}

export const addLiftHold: AddCommand = program => {
  program
    .command('lift-hold <case>')
    .description('lift a legal hold; it stays on record')
    .option('--document <document>', 'that of this document: its id, the beginning of it or its name')
    .examples('concord lift-hold case-1 --reason "The case was settled."')
    .decides(
      { keptWith: 'hold', who: 'who lifts it' },
      async (client, said, scopeId: string, options: Options) => client.liftHold(scopeId, said, await chosen(client, scopeId, options)),
      held =>
        held.changed
          ? `The legal hold of ${named(held)} is lifted.`
          : `The legal hold of ${named(held)} was lifted before, by ${printable(held.lifted?.by ?? '')}.`,
    )
}

export const addHolds: AddCommand = program => {
  program
    .command('holds <case>')
    .description('legal holds of a case and its documents')
    .option('--standing', 'only those that were not lifted')
    .limited(100)
    .examples('concord holds case-1', 'concord holds case-1 --standing --json')
    .lists(
      'tenant-key',
      (client, scopeId: string, { standing = false }: { standing?: boolean }) => client.holds(scopeId, { standing }),
      [
        ['hold', hold => hold.hold_id],
        ['on', hold => (hold.document_id === null ? 'the case' : printable(hold.document_id))],
        ['set by', hold => printable(hold.by)],
        ['since', hold => hold.set_at.slice(0, 10)],
        ['lifted', hold => (hold.lifted === null ? 'no' : `${hold.lifted.at.slice(0, 10)} by ${printable(hold.lifted.by)}`)],
        ['why', hold => printable(hold.reason ?? '(erased)')],
      ],
      ({ standing }: { standing?: boolean }) => (standing ? 'Nothing is on legal hold.' : 'Nothing was put on legal hold.'),
    )
}
