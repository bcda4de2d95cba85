/** `concord finding`: one contradiction or possible conflict, and who opened it before. Asking for it is what opening it leaves in the record. */

import { unopenedWords } from '../contract/finding-words.js'
import type { AddCommand } from './command.js'
import { withDocumentNames } from './document-names.js'
import { contradictionLines, possibleLines } from './finding-lines.js'
import { contradictionId, possibleConflictId } from './meant-by.js'
import type { Output } from './output.js'
import { moment } from './report/wording.js'
import { printable } from './text-layout.js'

export const addFinding: AddCommand = program => {
  program
    .command('finding <finding>')
    .description('one contradiction or possible conflict, and who opened it before')
    .examples('concord finding ctr_…', 'concord finding pcf_… --json')
    .runs(async ({ out, client: connect }, given: string) => {
      const client = connect('tenant-key')
      if (given.startsWith('pcf_')) await show(await client.possibleConflict(await possibleConflictId(client, given)), possibleLines)
      else await show(await client.contradiction(await contradictionId(client, given)), contradictionLines)

      async function show<T extends Seen>(found: T, linesOf: (named: T, out: Output) => string[]): Promise<void> {
        const [named = found] = out.json ? [] : await withDocumentNames(client, found.scope_id, [found])
        out.show(found, () => out.lines([...linesOf(named, out), '', ...readerLines(found, out)]))
      }
    })
}

interface Seen {
  scope_id: string
  seen_by: { by: string; first_at: string; last_at: string }[]
  reads_kept: Parameters<typeof unopenedWords>[0]
}

function readerLines({ seen_by: seen, reads_kept: kept }: Seen, { colors }: Output): string[] {
  if (seen.length === 0) return [colors.dim(`${unopenedWords(kept)}.`)]
  return [colors.bold('Opened before by'), ...seen.map(({ by, first_at, last_at }) => `  ${printable(by)}, ${times(first_at, last_at)}`)]
}

function times(first: string, last: string): string {
  return first === last ? moment(first) : `first ${moment(first)}, last ${moment(last)}`
}
