/**
 * Scores the reader on pairs of short documents in memory: does it show a contradiction where there is one, and none where
 * there is none, in both orders of arrival?
 *
 *   npx tsx bench/analysis-pairs.ts <file.json>... [--wrong] [--groups]
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { analyseFolder, type ScoredFinding } from '../test/support/score-corpus.js'

interface Pair {
  id: string
  group: string
  expect: 'contradiction' | 'none'
  a: string
  b: string
}

const files = process.argv.slice(2).filter(arg => !arg.startsWith('--'))
const flags = new Set(process.argv.slice(2).filter(arg => arg.startsWith('--')))

for (const file of files) {
  const pairs = JSON.parse(readFileSync(file, 'utf8')) as Pair[]
  const groups = new Map<string, [shown: number, of: number]>()
  const total = { contradiction: [0, 0], none: [0, 0] } as Record<Pair['expect'], [number, number]>
  let unequal = 0
  let possible = 0
  for (const pair of pairs) {
    const documents = (['a', 'b'] as const).map(side => ({ name: `${side}.txt`, text: pair[side] }))
    const [first, second] = [analyseFolder(documents), analyseFolder([...documents].reverse())]
    const [one, two] = [shown(pair, first.findings), shown(pair, second.findings)]
    if (one.length > 0 !== two.length > 0) unequal++
    const isShown = pair.expect === 'contradiction' ? one.length > 0 && two.length > 0 : one.length > 0 || two.length > 0
    if (!isShown && pair.expect === 'contradiction' && first.unsure.length > 0) possible++
    const group = groups.get(`${pair.expect} ${pair.group}`) ?? [0, 0]
    groups.set(`${pair.expect} ${pair.group}`, [group[0] + (isShown ? 1 : 0), group[1] + 1])
    total[pair.expect][0] += isShown ? 1 : 0
    total[pair.expect][1]++
    if (flags.has('--wrong') && isShown !== (pair.expect === 'contradiction'))
      console.log(
        `${isShown ? 'FALSE ' : 'missed'} ${pair.id} ${pair.group}\n   ${flat(pair.a)}\n   ${flat(pair.b)}\n   ${[...one, ...two][0]?.reason ?? `possible: ${first.unsure.length}`}`,
      )
  }
  if (flags.has('--groups')) for (const [group, [hit, of]] of [...groups].sort()) console.log(`  ${group}: ${hit}/${of}`)
  console.log(
    `${basename(file)}: found ${total.contradiction.join('/')} traps ${total.none.join('/')} order changed the answer ${unequal}; ${possible} more listed as possible`,
  )
}

/** As the service is scored: one passage of each document, except where a document contradicts itself. */
function shown(pair: Pair, findings: readonly ScoredFinding[]): ScoredFinding[] {
  return findings.filter(
    ({ verdict, a, b }) =>
      verdict === 'contradiction' && (pair.expect === 'none' || pair.group === 'self-contradiction' || a[0]!.doc !== b[0]!.doc),
  )
}

function flat(text: string): string {
  return text.replace(/\n/g, ' // ')
}
