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
  'aircraft-return': { found: 4, numeric: 2, accused: 0, unjudged: 1 },
  'airport-ground-handling': { found: 0, numeric: 0, accused: 0 },
  arbitration: { found: 0, numeric: 0, accused: 0 },
  'bank-capital': { found: 1, numeric: 0, accused: 0 },
  'biogas-subsidy-audit': { found: 4, numeric: 0, accused: 0, unjudged: 1 },
  'bridge-works': { found: 2, numeric: 1, accused: 0 },
  'care-home-inquiry': { found: 0, numeric: 0, accused: 0 },
  'cargo-claim': { found: 5, numeric: 3, accused: 0 },
  'carve-out-diligence': { found: 0, numeric: 0, accused: 0 },
  'cyber-claim': { found: 0, numeric: 0, accused: 0 },
  'data-protection': { found: 1, numeric: 1, accused: 0 },
  'device-recall': { found: 0, numeric: 0, accused: 0 },
  'drug-registry': { found: 0, numeric: 0, accused: 0 },
  'food-recall': { found: 1, numeric: 0, accused: 0 },
  'fund-audit': { found: 0, numeric: 0, accused: 0 },
  'hospital-device': { found: 0, numeric: 0, accused: 0 },
  'hospital-malpractice': { found: 4, numeric: 4, accused: 0 },
  'hydro-dam': { found: 6, numeric: 1, accused: 0, unjudged: 1 },
  'lease-arbitration': { found: 0, numeric: 0, accused: 0 },
  'merger-remedy': { found: 1, numeric: 1, accused: 0 },
  'mine-permit': { found: 0, numeric: 0, accused: 0 },
  'office-lease': { found: 2, numeric: 1, accused: 0 },
  'offshore-wind-lender': { found: 0, numeric: 0, accused: 0 },
  'oncology-audit': { found: 3, numeric: 2, accused: 0, unjudged: 4 },
  'outpatient-clinic': { found: 1, numeric: 1, accused: 0 },
  'payroll-breach': { found: 3, numeric: 2, accused: 0 },
  'pension-scheme': { found: 0, numeric: 0, accused: 0 },
  'property-purchase': { found: 1, numeric: 1, accused: 0, unjudged: 1 },
  'rail-franchise': { found: 0, numeric: 0, accused: 0 },
  'refinery-turnaround': { found: 0, numeric: 0, accused: 0, unjudged: 1 },
  'reinsurance-flood': { found: 0, numeric: 0, accused: 0 },
  'reit-valuation': { found: 2, numeric: 1, accused: 0, unjudged: 1 },
  'revenue-dispute': { found: 5, numeric: 5, accused: 0 },
  'school-tender': { found: 3, numeric: 2, accused: 0 },
  'ship-collision': { found: 1, numeric: 0, accused: 0 },
  'software-sla': { found: 0, numeric: 0, accused: 0 },
  'sterile-plant': { found: 7, numeric: 3, accused: 1 },
  'stroke-service': { found: 1, numeric: 1, accused: 0 },
  'trustee-sanctions-review': { found: 0, numeric: 0, accused: 0 },
  'university-research-misconduct': { found: 1, numeric: 1, accused: 0 },
  'vaccine-trial': { found: 2, numeric: 1, accused: 0 },
  'water-utility': { found: 1, numeric: 1, accused: 1, unjudged: 1 },
  'wind-farm': { found: 0, numeric: 0, accused: 0 },
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
    expect(right.length / found.length).toBeGreaterThanOrEqual(0.7)
  })

  it('hold contradictions of which most are right', () => {
    const shown = scored.reduce((sum, item) => sum + item.score.contradictions, 0)
    const accused = scored.reduce((sum, item) => sum + item.score.falseAlarms.length, 0)
    const unjudged = scored.flatMap(item => item.score.unjudged.filter(finding => finding.verdict === 'contradiction')).length
    expect((shown - accused - unjudged) / shown).toBeGreaterThanOrEqual(0.85)
  })

  it('put confirming notes on one side of one contradiction', () => {
    const dispute = scored.find(item => item.name === 'revenue-dispute')!
    expect(dispute.result.findings.map(finding => [finding.verdict, finding.a.length, finding.b.length])).toEqual([['contradiction', 1, 6]])
  })
})
