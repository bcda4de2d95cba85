/**
 * `npm run test:failover -- [--documents 1500] [--seed 7] [--asynchronous] [--binaries DIR]`: two real PostgreSQL servers,
 * the primary killed under load, the standby promoted. Exits 1 when an acknowledged document is lost or anything else
 * broke. `--asynchronous` is the proof that the run finds losses: it must exit 1.
 */

import { parseArgs } from 'node:util'
import { findBinaries } from '../test/operations/debian-postgres.js'
import { runFailover } from '../test/operations/failover-run.js'

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1500' },
    seed: { type: 'string' },
    asynchronous: { type: 'boolean', default: false },
    binaries: { type: 'string' },
  },
})
const binaries = values.binaries ?? findBinaries()
if (binaries === undefined) {
  console.error(
    'There is no PostgreSQL 15 or newer below /usr/lib/postgresql: install the package `postgresql`, or name its folder with --binaries.',
  )
  process.exit(2)
}
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const report = await runFailover({
  binaries,
  synchronous: !values.asynchronous,
  seed,
  documents: Number(values.documents),
  silentMs: 1000,
  log: line => console.log(line),
})
for (const line of report.broken.slice(0, 20)) console.log(`BROKEN ${line}`)
console.log(JSON.stringify({ seed, ...report, broken: report.broken.length }))
process.exitCode = report.broken.length === 0 ? 0 : 1
