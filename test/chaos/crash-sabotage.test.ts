import { expect, it } from 'vitest'
import { copyDataDir } from '../support/data-dir.js'
import { runCrashes } from './crash-run.js'

const minutes = 60_000

it(
  'notices when commits return before they are on disk and the database dies',
  async () => {
    // What is lost depends on the moment of the kill, so one run may get away with it; several do not.
    let noticed = false
    // Nothing is read: what is acknowledged is lost or not.
    const env = { ROLE: 'api' }
    for (let seed = 7; seed < 13 && !noticed; seed++) {
      const report = await runCrashes({ seed, kills: 2, kinds: ['database', 'both'], sabotage: true, env, prepare: copyDataDir })
      noticed = report.broken.some(line => line.includes('and not there'))
    }
    expect(noticed).toBe(true)
  },
  10 * minutes,
)
