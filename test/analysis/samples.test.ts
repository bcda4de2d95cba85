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

/**
 * What is found of each case today, how many consistent pairs are wrongly accused, and how many contradictions no gold pair covers
 * (none unless it says so): raise the first, lower the others.
 */
const FLOORS: Record<string, { found: number; numeric: number; accused: number; unjudged?: number }> = {
  'aircraft-return': { found: 16, numeric: 9, accused: 1 },
  'airport-ground-handling': { found: 20, numeric: 13, accused: 0, unjudged: 2 },
  arbitration: { found: 30, numeric: 19, accused: 0 },
  'bank-capital': { found: 40, numeric: 29, accused: 0, unjudged: 3 },
  'biogas-subsidy-audit': { found: 19, numeric: 13, accused: 1, unjudged: 13 },
  'bridge-works': { found: 4, numeric: 2, accused: 0 },
  'care-home-inquiry': { found: 14, numeric: 11, accused: 1, unjudged: 2 },
  'cargo-claim': { found: 12, numeric: 6, accused: 1, unjudged: 1 },
  'carve-out-diligence': { found: 12, numeric: 10, accused: 0, unjudged: 1 },
  'cyber-claim': { found: 23, numeric: 19, accused: 0, unjudged: 1 },
  'data-protection': { found: 2, numeric: 1, accused: 0 },
  'device-recall': { found: 8, numeric: 5, accused: 0, unjudged: 2 },
  'drug-registry': { found: 22, numeric: 12, accused: 2, unjudged: 1 },
  'food-recall': { found: 7, numeric: 5, accused: 0, unjudged: 2 },
  'fund-audit': { found: 20, numeric: 9, accused: 1 },
  'hospital-device': { found: 26, numeric: 13, accused: 0 },
  'hospital-malpractice': { found: 18, numeric: 12, accused: 0, unjudged: 3 },
  'hydro-dam': { found: 23, numeric: 10, accused: 0 },
  'lease-arbitration': { found: 6, numeric: 4, accused: 1, unjudged: 1 },
  'merger-remedy': { found: 16, numeric: 13, accused: 2, unjudged: 6 },
  'mine-permit': { found: 16, numeric: 6, accused: 0 },
  'office-lease': { found: 3, numeric: 2, accused: 0 },
  'offshore-wind-lender': { found: 21, numeric: 15, accused: 3, unjudged: 5 },
  'oncology-audit': { found: 18, numeric: 14, accused: 2, unjudged: 4 },
  'outpatient-clinic': { found: 1, numeric: 1, accused: 0 },
  'payroll-breach': { found: 14, numeric: 7, accused: 0 },
  'pension-scheme': { found: 21, numeric: 20, accused: 1, unjudged: 6 },
  'property-purchase': { found: 17, numeric: 9, accused: 0 },
  'rail-franchise': { found: 17, numeric: 4, accused: 2, unjudged: 1 },
  'refinery-turnaround': { found: 18, numeric: 12, accused: 0, unjudged: 2 },
  'reinsurance-flood': { found: 6, numeric: 6, accused: 1, unjudged: 3 },
  'reit-valuation': { found: 56, numeric: 26, accused: 0, unjudged: 3 },
  'revenue-dispute': { found: 6, numeric: 6, accused: 0 },
  'school-tender': { found: 18, numeric: 11, accused: 0 },
  'ship-collision': { found: 7, numeric: 6, accused: 0, unjudged: 6 },
  'software-sla': { found: 11, numeric: 6, accused: 0, unjudged: 3 },
  'sterile-plant': { found: 21, numeric: 10, accused: 0 },
  'stroke-service': { found: 18, numeric: 12, accused: 2 },
  'trustee-sanctions-review': { found: 16, numeric: 8, accused: 1, unjudged: 1 },
  'university-research-misconduct': { found: 10, numeric: 6, accused: 1, unjudged: 4 },
  'vaccine-trial': { found: 15, numeric: 12, accused: 1, unjudged: 1 },
  'water-utility': { found: 53, numeric: 23, accused: 0, unjudged: 1 },
  'wind-farm': { found: 3, numeric: 2, accused: 0 },
}

describe('samples', () => {
  it('all have a floor', () => {
    expect(cases).toEqual(Object.keys(FLOORS).sort())
  })

  it.each(scored)('$name: what was found is still found', ({ name, score }) => {
    const floor = FLOORS[name]!
    expect(score.found.length).toBeGreaterThanOrEqual(floor.found)
    expect(score.found.filter(pair => pair.kind === 'numeric').length).toBeGreaterThanOrEqual(floor.numeric)
  })

  it.each(scored)('$name: nobody else is accused, every quote is a slice', ({ name, result, score }) => {
    expect(score.falseAlarms.length).toBeLessThanOrEqual(FLOORS[name]!.accused)
    expect(result.badQuotes).toBe(0)
    const unjudged = score.unjudged.filter(finding => finding.verdict === 'contradiction')
    expect(unjudged.slice(FLOORS[name]!.unjudged ?? 0)).toEqual([])
  })

  it('are detected with the right verdict', () => {
    const found = scored.flatMap(item => item.score.found)
    const right = scored.flatMap(item => item.score.right)
    expect(right.length / found.length).toBeGreaterThanOrEqual(0.85)
  })

  it('put five confirming notes on one side of one contradiction', () => {
    const dispute = scored.find(item => item.name === 'revenue-dispute')!
    expect(dispute.result.findings.map(finding => [finding.verdict, finding.a.length, finding.b.length])).toEqual([['contradiction', 1, 6]])
  })
})
