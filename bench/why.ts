/**
 * Why two texts contradict each other, or why not: every pair of statements that the rules compare, with the rule that decided.
 *
 *   npx tsx bench/why.ts "Number of cartons: 420" "Number of cartons: 402"
 *   npx tsx bench/why.ts --files a.txt b.txt
 */
import { readFileSync } from 'node:fs'
import { why } from '../test/support/why.js'

const [first, ...rest] = process.argv.slice(2)
const texts = first === '--files' ? rest.map(file => readFileSync(file, 'utf8')) : [first, ...rest]
const [a, b] = texts
if (a === undefined || b === undefined) throw new Error('Two texts are needed, or --files and two files.')
const judged = why(a, b)
for (const { a, b, because, kind } of judged) console.log(`${kind ?? 'nothing'}: ${because}\n   ${flat(a)}\n   ${flat(b)}`)
if (judged.length === 0) console.log('No two statements share two words, or all of a short label.')

function flat(text: string): string {
  return text.replace(/\s+/g, ' ')
}
