/** `concord glossary`: the terms and names of a scope that mean the same. */

import { jsonValue } from './json-argument.js'
import { type AddCommand, shellOf } from './shell.js'
import { printable } from './text-layout.js'

const shape = '{"terms": {"net premium": ["NWP"]}, "entities": {"Aurelia Holding": ["Aurelia"]}}'

export const addGlossary: AddCommand = (program, context) => {
  const glossary = program
    .command('glossary')
    .description('terms and names of a case that mean the same')
    .examples('concord glossary case-1', 'concord glossary set case-1 glossary.json')
  glossary
    .command('show <scope>', { isDefault: true })
    .description('show it')
    .action(async (scopeId: string, _options, command) => {
      const { out, client } = shellOf(command, context)
      const found = await client('admin+tenant-key').admin.glossary(scopeId)
      out.show(found, () => {
        const entries = [...Object.entries(found.terms), ...Object.entries(found.entities)]
        if (entries.length === 0) return out.line(out.hint(`No words yet: \`concord glossary set ${scopeId} <file>\`.`))
        for (const [word, others] of entries) out.line(`${printable(word)} = ${others.map(printable).join(', ')}`)
      })
    })
  glossary
    .command('set <scope> <file>')
    .description('replace it by a file of JSON; `-` or the JSON itself will do')
    .action(async (scopeId: string, given: string, _options, command) => {
      const { out, client } = shellOf(command, context)
      const wanted = jsonValue(given, { what: 'the glossary', shape })
      const set = await client('admin+tenant-key').admin.setGlossary(scopeId, wanted)
      out.show(set, () =>
        out.line(`${Object.keys(set.terms).length} terms and ${Object.keys(set.entities).length} names (version ${set.version}).`),
      )
    })
}
