/** `concord glossary`: the terms and names of a scope that mean the same. */

import type { AddCommand } from './command.js'
import { jsonValue } from './json-argument.js'
import { printable } from './text-layout.js'

const shape = '{"terms": {"net premium": ["NWP"]}, "entities": {"Aurelia Holding": ["Aurelia"]}}'

export const addGlossary: AddCommand = program => {
  const glossary = program
    .command('glossary')
    .description('terms and names of a case that mean the same')
    .examples('concord glossary case-1', 'concord glossary set case-1 glossary.json')
  glossary
    .command('show <case>', { isDefault: true })
    .description('show it')
    .examples('concord glossary show case-1')
    .calls(
      'admin+tenant-key',
      ({ admin }, scopeId: string) => admin.glossary(scopeId),
      ({ terms, entities }, out, scopeId: string) => {
        const entries = [...Object.entries(terms), ...Object.entries(entities)]
        if (entries.length === 0) return out.hint(`No words yet: \`concord glossary set ${scopeId} <file>\`.`)
        return entries.map(([word, others]) => `${printable(word)} = ${others.map(printable).join(', ')}`)
      },
    )
  glossary
    .command('set <case> <file>')
    .description('replace it by a file of JSON; `-` or the JSON itself will do')
    .addHelpText('after', `\nThe file is like ${shape}: words with those that mean the same, and names likewise.`)
    .examples('concord glossary set case-1 glossary.json', `concord glossary set case-1 '${shape}'`)
    .calls(
      'admin+tenant-key',
      ({ admin }, scopeId: string, given: string) => admin.setGlossary(scopeId, jsonValue(given, { what: 'the glossary', shape })),
      set => `${Object.keys(set.terms).length} terms and ${Object.keys(set.entities).length} names (version ${set.version}).`,
    )
}
