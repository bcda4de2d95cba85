/** The project's own cases: what the reader finds in them must not get worse. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { analyseFolder, type GoldPair, scoreCorpus } from '../support/score-corpus.js'

const samples = fileURLToPath(new URL('../../samples', import.meta.url))
const cases = readdirSync(`${samples}/gold`)
  .map(name => name.replace(/\.json$/, ''))
  .sort()

const scored = cases.map(name => {
  const files = readdirSync(`${samples}/${name}`).sort()
  const result = analyseFolder(files.map(file => ({ name: file, text: readFileSync(`${samples}/${name}/${file}`, 'utf8') })))
  return { name, result, score: scoreCorpus(result, JSON.parse(readFileSync(`${samples}/gold/${name}.json`, 'utf8')) as GoldPair[]) }
})

describe('samples', () => {
  it('cover at least six fields', () => {
    expect(cases.length).toBeGreaterThanOrEqual(6)
  })

  it.each(scored)('$name: nothing consistent is accused, every quote is a slice', ({ result, score }) => {
    expect(score.falseAlarms).toEqual([])
    expect(result.badQuotes).toBe(0)
    expect(score.unjudged.filter(finding => finding.verdict === 'contradiction')).toEqual([])
  })

  it('are detected, numeric ones all, with the right verdict', () => {
    const wanted = scored.flatMap(item => item.score.wanted)
    const found = scored.flatMap(item => item.score.found)
    const right = scored.flatMap(item => item.score.right)
    expect(found.filter(pair => pair.kind === 'numeric').length).toBe(wanted.filter(pair => pair.kind === 'numeric').length)
    expect(found.length / wanted.length).toBeGreaterThanOrEqual(0.9)
    expect(right.length).toBe(found.length)
  })

  it('put five confirming notes on one side of one contradiction', () => {
    const dispute = scored.find(item => item.name === 'revenue-dispute')!
    expect(dispute.result.findings.map(finding => [finding.verdict, finding.a.length, finding.b.length])).toEqual([['contradiction', 1, 6]])
  })
})
