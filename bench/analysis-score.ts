/**
 * Scores the reader on folders of documents, in memory: every document in name order, then the contradictions and
 * supersessions against gold pairs by overlap of their spans.
 *
 *   npx tsx bench/analysis-score.ts <folder>... [--gold <folder of name.json>] [--misses] [--unjudged] [--superseded] [--false]
 *
 * Without folders: every sample that has gold pairs.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { analyseFolder, type GoldPair, type ScoredFinding, scoreCorpus } from '../test/support/score-corpus.js'

const args = process.argv.slice(2)
const flags = new Set(args.filter(arg => arg.startsWith('--')))
const goldAt = args.indexOf('--gold')
const named = args.filter((arg, i) => !arg.startsWith('--') && !(goldAt >= 0 && i === goldAt + 1))
const goldFolder = goldAt >= 0 ? args[goldAt + 1]! : named.length === 0 ? 'samples/gold' : null
const folders = named.length > 0 ? named : readdirSync('samples/gold').map(file => join('samples', basename(file, '.json')))

const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 170)
const show = (finding: ScoredFinding): string =>
  `${finding.verdict} ${finding.label}\n    A ${finding.a.map(span => `${span.doc.slice(0, 14)} «${short(span.quote)}»`).join(' + ')}\n    B ${finding.b.map(span => `${span.doc.slice(0, 14)} «${short(span.quote)}»`).join(' + ')}\n    ${finding.reason}`

interface UnplacedPair extends Omit<GoldPair, 'a' | 'b'> {
  a: { document: string; quote: string }
  b: { document: string; quote: string }
}

/** A gold pair may name its passages by quote alone. */
function placed(pairs: readonly (GoldPair | UnplacedPair)[], documents: readonly { name: string; text: string }[]): GoldPair[] {
  const at = (side: GoldPair['a'] | UnplacedPair['a']): GoldPair['a'] => {
    if ('start' in side) return side
    const text = documents.find(({ name }) => name === basename(side.document))?.text ?? ''
    const found = text.indexOf(side.quote)
    if (found < 0) throw new Error(`no such passage in ${side.document}: ${side.quote}`)
    const start = [...text.slice(0, found)].length
    return { doc: side.document, quote: side.quote, start, end: start + [...side.quote].length }
  }
  return pairs.map(pair => ({ ...pair, a: at(pair.a), b: at(pair.b) }))
}

const total = {
  detected: 0,
  wanted: 0,
  right: 0,
  numeric: 0,
  numericWanted: 0,
  wrong: 0,
  consistent: 0,
  contradictions: 0,
  documents: 0,
  unjudgedContradictions: 0,
  badQuotes: 0,
}
for (const folder of folders) {
  const files = readdirSync(folder)
    .filter(name => /\.(?:txt|md|html|csv|json)$/.test(name))
    .sort()
  const documents = files.map(name => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
  const result = analyseFolder(documents)
  const goldFile = goldFolder ? join(goldFolder, `${basename(folder)}.json`) : join(folder, '..', '..', 'gold', `${basename(folder)}.json`)
  const gold = placed(JSON.parse(readFileSync(goldFile, 'utf8')) as (GoldPair | UnplacedPair)[], documents)
  const score = scoreCorpus(result, gold)
  console.log(
    `${basename(folder)}: docs ${files.length} claims ${result.claims} contradictions ${score.contradictions} superseded ${score.superseded} | detected ${score.found.length}/${score.wanted.length} verdict ${score.right.length} | false ${score.falseAlarms.length}/${score.consistent.length} | unjudged c ${score.unjudged.filter(f => f.verdict === 'contradiction').length} s ${score.unjudged.filter(f => f.verdict === 'supersession').length} | bad quotes ${result.badQuotes} | by kind ${JSON.stringify(score.byKind)} | unsure ${result.unsure.length} (would hit ${score.unsureHits})`,
  )
  total.detected += score.found.length
  total.wanted += score.wanted.length
  total.right += score.right.length
  total.numeric += score.found.filter(pair => pair.kind === 'numeric').length
  total.numericWanted += score.wanted.filter(pair => pair.kind === 'numeric').length
  total.wrong += score.falseAlarms.length
  total.consistent += score.consistent.length
  total.contradictions += score.contradictions
  total.documents += files.length
  total.unjudgedContradictions += score.unjudged.filter(f => f.verdict === 'contradiction').length
  total.badQuotes += result.badQuotes
  if (flags.has('--misses'))
    for (const pair of score.wanted.filter(p => !score.found.includes(p)))
      console.log(
        `  missed ${pair.kind} ${pair.verdict}: ${pair.a.doc.slice(0, 14)} «${short(pair.a.quote)}» / ${pair.b.doc.slice(0, 14)} «${short(pair.b.quote)}»`,
      )
  if (flags.has('--verdicts'))
    for (const pair of score.found.filter(p => !score.right.includes(p)))
      console.log(
        `  other verdict, wanted ${pair.verdict}: ${pair.a.doc.slice(0, 14)} «${short(pair.a.quote)}» / ${pair.b.doc.slice(0, 14)} «${short(pair.b.quote)}»`,
      )
  if (flags.has('--false'))
    for (const { pair, finding } of score.falseAlarms)
      console.log(`  FALSE ${pair.kind}: «${short(pair.a.quote)}» / «${short(pair.b.quote)}»\n   ${show(finding)}`)
  if (flags.has('--unjudged'))
    for (const finding of score.unjudged.filter(f => f.verdict === 'contradiction')) console.log(`  UNJUDGED ${show(finding)}`)
  if (flags.has('--superseded'))
    for (const finding of score.unjudged.filter(f => f.verdict === 'supersession')) console.log(`  UNJUDGED ${show(finding)}`)
  if (flags.has('--unsure')) for (const finding of result.unsure) console.log(`  UNSURE ${show(finding)}`)
}
const ratio = (a: number, b: number): string => `${a}/${b} = ${(b ? a / b : 0).toFixed(3)}`
console.log(
  `TOTAL detected ${ratio(total.detected, total.wanted)} numeric ${ratio(total.numeric, total.numericWanted)} verdict ${ratio(total.right, total.detected)} false ${ratio(total.wrong, total.consistent)} contradictions/doc ${ratio(total.contradictions, total.documents)} unjudged contradictions ${total.unjudgedContradictions} bad quotes ${total.badQuotes}`,
)
