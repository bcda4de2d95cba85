/** `npm run soak -- --minutes 15`: the service at 70 % of its capacity for a while, on a database of its own. Exits 1 when anything grows or fails. */

import { parseArgs } from 'node:util'
import { startOwnService } from '../test/load/own-service.js'
import { judgeSoak, runSoak } from '../test/load/soak-run.js'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '15' } } })
const service = await startOwnService()
try {
  const report = await runSoak({ service, seconds: Number(values.minutes) * 60, log: console.log })
  const verdict = judgeSoak(report)
  for (const { second, rssMib, p99Ms, backlog } of report.samples) {
    console.log(`${second.toFixed(0).padStart(5)} s  ${rssMib.toFixed(0)} MiB  p99 ${p99Ms.toFixed(0)} ms  waiting ${backlog}`)
  }
  const { samples: _samples, ...figures } = report
  console.log(JSON.stringify({ ...figures, ...verdict }))
  process.exitCode = verdict.faults.length === 0 ? 0 : 1
} finally {
  await service.stop()
}
