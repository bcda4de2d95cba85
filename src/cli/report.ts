/** `concord report`: a scope as one self-contained page, for people who would rather look than read. */

import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { countOf, finalityWords } from '../contract/field-words.js'
import type { AddCommand } from './command.js'
import { gatherReport } from './report/gather.js'
import { reportPage } from './report/page.js'
import { printable } from './text-layout.js'
import { wholeFile } from './whole-file.js'

export const addReport: AddCommand = program => {
  program
    .command('report <case>')
    .description('one self-contained HTML page about a case')
    .option('-o, --output <file>', 'where to write it', 'report.html')
    .examples('concord report case-1 -o case-1.html')
    .runs(async ({ out, client, settings }, scopeId: string, { output }: { output: string }) => {
      const data = await gatherReport(client('tenant-key'), scopeId, { server: settings.url, madeAt: new Date().toISOString() })
      const page = reportPage(data)
      const file = resolve(output)
      await wholeFile(file, draft => writeFile(draft, page))
      const { summary, documents, contradictions, decisions } = data
      const { open, unsure } = summary.contradictions
      const about = { file, bytes: Buffer.byteLength(page), finality: summary.finality.status }
      out.show(
        {
          ...about,
          documents: documents.length,
          contradictions: contradictions.length,
          open_contradictions: open,
          possible_conflicts: unsure,
          examined: summary.examined.words,
          decisions: decisions.length,
        },
        () =>
          out.line(
            `Written to ${file}: ${finalityWords[summary.finality.status]}, ${countOf(documents.length, 'document')}, ${countOf(contradictions.length, 'contradiction')} (${open} open), ${countOf(unsure, 'possible conflict')} undecided, ${countOf(decisions.length, 'decision')}; ${printable(summary.examined.words)}.`,
          ),
      )
    })
}
