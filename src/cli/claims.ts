/** `concord claims`: what the documents of a scope say, with the exact quotes. */

import { Option } from 'commander'
import { placeInFile } from '../contract/finding-words.js'
import type { Schema } from '../contract/types.js'
import type { AddCommand } from './command.js'
import { documentNames } from './document-names.js'
import { type Column, printable } from './text-layout.js'

interface Flags {
  search?: string
  state: 'live' | 'superseded' | 'all'
  document?: string
  subject?: string
  attribute?: string
  asOf?: string
  knownAt?: string
  limit: number
}

export const addClaims: AddCommand = program => {
  program
    .command('claims <case>')
    .description('what the documents say')
    .option('--search <words>', 'those that say this, the best first')
    .addOption(new Option('--state <state>', 'which of them').choices(['live', 'superseded', 'all']).default('live'))
    .option('--document <id>', 'of one document')
    .option('--subject <subject>', 'about one subject')
    .option('--attribute <attribute>', 'about one attribute')
    .option('--as-of <time>', 'what held then')
    .option('--known-at <time>', 'what the service knew then')
    .limited(200)
    .examples(
      'concord claims case-1',
      'concord claims case-1 --search "damaged containers"',
      'concord claims case-1 --attribute revenue --state all',
      'concord claims case-1 --json',
    )
    .runs(async ({ out, client }, scopeId: string, flags: Flags) => {
      const query = {
        q: flags.search,
        state: flags.state,
        document_id: flags.document,
        subject: flags.subject,
        attribute: flags.attribute,
        as_of: flags.asOf,
        known_at: flags.knownAt,
        limit: Math.min(flags.limit, 200),
      }
      const service = client('tenant-key')
      const items = await service.claims(scopeId, query).toArray(flags.limit)
      const names = out.json || items.length === 0 ? undefined : await documentNames(service, scopeId)
      const columns: Column<Schema['Claim']>[] = [
        ['subject', claim => printable(claim.subject), { max: 24 }],
        ['attribute', claim => printable(claim.attribute), { max: 24 }],
        ['value', claim => printable(shownValue(claim)), { max: 24 }],
        ['period', claim => claim.period ?? '', { max: 14 }],
        ['sure', claim => `${Math.round(claim.confidence * 100)} %`, { align: 'right' }],
        ['document', claim => printable(names?.get(claim.document_id) ?? claim.document_id), { max: 24 }],
        ['place', claim => printable(placeInFile(claim) ?? ''), { max: 20 }],
        ['quote', claim => (claim.quote === null ? '(erased)' : printable(claim.quote)), { max: Math.max(30, out.columns - 148) }],
      ]
      out.list(items, columns, 'None.')
    })
}

/** Most values are written with their unit. */
function shownValue({ polarity, value, unit }: Schema['Claim']): string {
  const complete = unit === null || value.includes(unit) ? value : `${value} ${unit}`
  return polarity === 'negated' ? `not ${complete}` : complete
}
