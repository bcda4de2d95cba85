/** `npm run chaos -- --kills 50 --seed 7 [--sabotage]`: crashes on purpose, and what they broke. Exits 1 when anything did. */

import { parseArgs } from 'node:util'
import { runCrashes } from '../test/chaos/crash-run.js'

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '50' }, seed: { type: 'string' }, sabotage: { type: 'boolean', default: false } },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
console.log(`seed ${seed}`)
const report = await runCrashes({ seed, kills: Number(values.kills), sabotage: values.sabotage, log: console.log })
for (const line of report.broken) console.log(`BROKEN ${line}`)
const kills = Object.values(report.kills).reduce((sum, each) => sum + each, 0)
const { documents, acknowledged, repeated, broken } = report
console.log(
  `PROVE chaos kills=${kills} documents=${documents} acknowledged=${acknowledged} repeated=${repeated} lost, duplicated or changed=${broken.length}`,
)
process.exitCode = report.broken.length === 0 ? 0 : 1
