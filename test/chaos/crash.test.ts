import { expect, it } from 'vitest'
import { copyDataDir } from '../support/data-dir.js'
import { runCrashes } from './crash-run.js'

const proving = process.env['PROVE'] === '1'
const kills = proving ? 200 : 3
const minutes = 60_000

it(
  `keeps every acknowledged document once, in order and with its answer, through ${kills} kills`,
  async () => {
    const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000)
    const report = await runCrashes({ seed, kills, prepare: copyDataDir, log: line => proving && console.log(line) })
    expect(report.broken, `seed ${seed}`).toEqual([])
    expect(report.kills.service + report.kills.database + report.kills.both).toBe(kills)
    expect(report.acknowledged).toBeGreaterThan(kills * 10)
    expect(report.repeated).toBeGreaterThan(0)
  },
  (proving ? 120 : 15) * minutes,
)
