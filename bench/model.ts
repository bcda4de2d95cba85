/**
 * What a model adds when it is asked about each document beside its case, from recorded answers.
 *
 *   npm run bench -- model                          every recorded case against its gold
 *   npm run bench -- model --case <name> [--misses] [--unjudged]
 *   npx tsx bench/model.ts --record <folder of documents> [--out <folder>]   freezes a case and writes the questions without an answer
 *   npx tsx bench/model.ts --out <folder> --gold <folder>                    scores recordings kept elsewhere
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type CaseDocument, type CaseFinding, type FrozenDocument, freezeCase, runCase } from '../test/support/model-case.js'
import { MissingRecording, playRecordings, writeQuestion } from '../test/support/recordings.js'
import { type GoldPair, type ScoredFinding, scoreCorpus } from '../test/support/score-corpus.js'

const args = process.argv.slice(2)
const option = (name: string): string | undefined => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined)
const recordings = option('--out') ?? join('samples', 'recordings')
const goldFolder = option('--gold') ?? join('samples', 'gold')
const record = option('--record')

if (record !== undefined) recordCase(record)
else scoreCases()

function documentsOf(folder: string): CaseDocument[] {
  const names = readdirSync(folder).filter(name => /\.(?:txt|md|html|csv|json)$/.test(name))
  return names.sort().map(name => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
}

function recordCase(folder: string): void {
  const documents = documentsOf(folder)
  const target = join(recordings, basename(folder))
  mkdirSync(target, { recursive: true })
  const file = join(target, 'case.json')
  if (!existsSync(file)) writeFileSync(file, `${JSON.stringify({ folder, documents: freezeCase(documents) })}\n`)
  const { documents: frozen } = JSON.parse(readFileSync(file, 'utf8')) as { documents: FrozenDocument[] }
  const play = playRecordings(target)
  let waiting: string | null = null
  runCase(documents, frozen, (question, name) => {
    if (waiting !== null) return null
    try {
      return play(question)
    } catch (error) {
      if (!(error instanceof MissingRecording)) throw error
      waiting = writeQuestion(target, question)
      console.log(`${name}: ${waiting}`)
      return null
    }
  })
  writeFileSync(file, `${JSON.stringify({ folder, documents: frozen })}\n`)
}

function scoreCases(): void {
  const only = option('--case')
  const cases = readdirSync(recordings).filter(
    name => existsSync(join(recordings, name, 'case.json')) && (only === undefined || name === only),
  )
  const total = {
    documents: 0,
    wanted: 0,
    found: 0,
    right: 0,
    shown: 0,
    agreed: 0,
    unjudged: 0,
    near: 0,
    consistent: 0,
    badQuotes: 0,
    longest: 0,
  }
  const dropped: Record<string, number> = {}
  const alone = { found: 0, right: 0, shown: 0 }
  for (const name of cases.sort()) {
    const file = JSON.parse(readFileSync(join(recordings, name, 'case.json'), 'utf8')) as { folder: string; documents: FrozenDocument[] }
    const documents = documentsOf(file.folder)
    const run = runCase(documents, file.documents, playRecordings(join(recordings, name)))
    const rules = runCase(documents, file.documents, () => null)
    const beside = join(recordings, name, 'gold.json')
    const gold = JSON.parse(readFileSync(existsSync(beside) ? beside : join(goldFolder, `${name}.json`), 'utf8')) as GoldPair[]
    const score = scoreCorpus(run.result, gold)
    const before = scoreCorpus(rules.result, gold)
    const isOpen = (each: ScoredFinding): boolean => (each as CaseFinding).isOpen === true
    const unjudged = score.unjudged.filter(isOpen)
    const shown = run.result.findings.filter(isOpen).length
    const longest = Math.max(...run.questions.map(tokens))
    console.log(
      `${name}: found ${score.found.length}/${score.wanted.length} (rules alone ${before.found.length}), right verdict ${score.right.length}, contradictions open ${shown} (${run.byModel} by the model, ${before.contradictions} by rules alone), not in gold ${unjudged.length}, near misses ${score.falseAlarms.length}/${score.consistent.length}, wrong quotes ${run.result.badQuotes}, longest question ${longest} tokens, dropped ${JSON.stringify(run.dropped)}${run.invalid.length > 0 ? `, invalid ${run.invalid.join(' ')}` : ''}`,
    )
    if (args.includes('--misses'))
      for (const pair of score.wanted.filter(each => !score.right.includes(each)))
        console.log(
          `  missed ${pair.verdict} ${pair.kind}: ${pair.a.doc} «${short(pair.a.quote)}» / ${pair.b.doc} «${short(pair.b.quote)}»`,
        )
    if (args.includes('--unjudged'))
      for (const each of [...unjudged, ...score.falseAlarms.map(({ finding }) => finding)])
        console.log(
          `  not in gold ${each.label}: ${each.a[0]?.doc} «${short(each.a[0]?.quote ?? '')}» / ${each.b[0]?.doc} «${short(each.b[0]?.quote ?? '')}» ${each.reason}`,
        )
    for (const [reason, count] of Object.entries(run.dropped)) dropped[reason] = (dropped[reason] ?? 0) + count
    total.documents += documents.length
    total.wanted += score.wanted.length
    total.found += score.found.length
    total.right += score.right.length
    total.shown += shown
    total.unjudged += unjudged.length
    total.near += score.falseAlarms.length
    total.consistent += score.consistent.length
    total.badQuotes += run.result.badQuotes
    total.longest = Math.max(total.longest, longest)
    alone.found += before.found.length
    alone.right += before.right.length
    alone.shown += rules.result.findings.filter(isOpen).length
  }
  const share = (part: number, whole: number): string => `${part} of ${whole} (${(part / (whole || 1)).toFixed(2)})`
  console.log(
    `TOTAL ${cases.length} cases, ${total.documents} documents: found ${share(total.found, total.wanted)}, right verdict ${share(total.right, total.wanted)}; rules alone found ${share(alone.found, total.wanted)}, right ${alone.right}; contradictions open ${total.shown} (rules alone ${alone.shown}), not in gold ${total.unjudged}; near misses ${share(total.near, total.consistent)}; wrong quotes ${total.badQuotes}; longest question ${total.longest} tokens; dropped ${JSON.stringify(dropped)}`,
  )
}

/** About four characters a token, as English text has. */
function tokens({ messages }: { messages: { content: string }[] }): number {
  return Math.ceil(messages.reduce((sum, { content }) => sum + content.length, 0) / 4)
}

function short(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 150)
}
