/** What is read can be stored, wherever a text is cut and whatever its escapes decode to. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { storableJson } from '../../platform/storable-text.js'
import { placeClaims } from '../relations/place.js'
import { extract } from './extract.js'

/** Emoji, letters outside the first plane (a capital, a small one, one without case), and plain words between them. */
const astral = ['😀', '𝐀', '𐐨', '𠀀', '👩‍🚀']
const words = ['the', 'Harbour', 'Bridge', 'approved', 'revenue', 'EUR 4M', 'risk', 'must', 'by 4 May 2024,', 'is high']
const wordy = fc.array(fc.constantFrom(...astral, ...astral, ...words, 'é'), { minLength: 1, maxLength: 40 }).map(parts => parts.join(' '))
/** A long name of astral letters, so that a cut at any place falls into one; one unit more or less in front shifts all pairs. */
const unbroken = fc
  .tuple(fc.constantFrom('', 'a', 'A '), fc.constantFrom(...astral), fc.integer({ min: 15, max: 650 }))
  .map(([front, letter, count]) => `${front}${letter.repeat(count)}`)
const piece = fc.oneof(wordy, unbroken)
const shapes: ((a: string, b: string) => string)[] = [
  (a, b) => `${a}: ${b}`,
  (a, b) => `# ${a}\n\n${b}.`,
  (a, b) => `The council of ${a} approved ${b} in 2024.`,
  (a, b) => `Version: ${a}\nReference: ${b}\nIssued by: ${b}\n`,
  (a, b) => `| ${a} | Amount |\n|---|---|\n| ${b} | EUR 12M |\n| Action | ${a} |`,
  (a, b) => `## Actions\n\n- Owner: ${a}. The team must ${b} by 4 May 2024.`,
  (a, b) => `## Risks\n\n- The risk that ${a} is high: ${b}.`,
  (a, b) => `This report replaces the report of ${a} dated 4 May 2023. ${b}`,
  (a, b) => `Yours sincerely,\nM${a}\n${b}`,
]
const lines = fc.array(
  fc.tuple(fc.constantFrom(...shapes), piece, piece).map(([shape, a, b]) => shape(a, b)),
  { minLength: 1, maxLength: 6 },
)
const escapes = fc
  .tuple(piece, fc.array(fc.constantFrom('\\ud83d', '\\ude00', '\\u0000', 'approved', ' ', '\\n', '4M'), { minLength: 1, maxLength: 80 }))
  .map(([name, parts]) => `{"${name}":"${parts.join('')}","Status ${parts[0]}":"${name}"}`)
const document = fc.oneof(
  fc.record({ type: fc.constantFrom('txt', 'md'), text: lines.map(each => each.join('\n\n')) }),
  fc.record({ type: fc.constant('json'), text: escapes }),
)

it('finds only what can be stored', () => {
  fc.assert(
    fc.property(document, ({ type, text }) => {
      const input = { documentId: 'd', revision: 1, name: 'd', type, source: null, text }
      const reading = extract(input)
      const placed = placeClaims({ ...input, extraction: reading, glossary: { terms: {}, entities: {} }, claimId: String })
      expect(JSON.stringify({ reading, placed })).toBe(storableJson({ reading, placed }))
    }),
    { numRuns: process.env['PROVE'] === '1' ? 3000 : 300 },
  )
})
