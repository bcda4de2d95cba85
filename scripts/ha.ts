/**
 * `npm run test:ha -- [--faults kill,freeze,cut,restarts,upgrade] [--documents 300] [--seed 7] [--asynchronous]`: three PostgreSQL under
 * Patroni, three etcd, HAProxy, PgBouncer, two API and two worker nodes, from Debian's packages, which root installs when they are
 * missing. Prints a line a fault. Exits 1 when an acknowledged document is lost or doubled, two servers wrote as
 * primary, or the death of a primary took longer than twenty-five seconds: its lease of twenty, the least Patroni allows, and
 * five to promote another. `--asynchronous` is the proof that the run finds losses: with the fault `cut` it must exit 1.
 */

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findBinaries } from '../test/operations/debian-postgres.js'
import { type HaFault, haFaults, runHa } from '../test/operations/ha-run.js'

const { values } = parseArgs({
  options: {
    faults: { type: 'string' },
    documents: { type: 'string', default: '300' },
    seed: { type: 'string' },
    asynchronous: { type: 'boolean', default: false },
  },
})
const deathMs = 25_000
/** What was acknowledged may be lost with an older one, whatever the service does: docs/operations.md. */
const firstSafePatroni = [3, 0, 3]
const packages = {
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
}

const missing = Object.entries(packages).flatMap(([name, file]) => (existsSync(file) ? [] : [name]))
if (findBinaries() === undefined) missing.push('postgresql-15')
if (missing.length > 0) install(missing)
const binaries = findBinaries()
if (binaries === undefined) throw new Error('there is no PostgreSQL below /usr/lib/postgresql')

const patroni = execFileSync(packages.patroni, ['--version'], { encoding: 'utf8' }).trim().split(' ').at(-1) as string
console.log(
  `PROVE ha patroni=${patroni}${isOlder(patroni, firstSafePatroni) ? ', which may let an old primary lead again: take 3.0.3 or newer' : ''}`,
)

const seed = Number(values.seed ?? Date.now() % 1_000_000)
const faults = values.faults === undefined ? haFaults : (values.faults.split(',') as HaFault[])
const report = await runHa({
  binaries,
  synchronous: !values.asynchronous,
  seed,
  faults,
  documents: Number(values.documents),
  log: line => console.log(`PROVE ha ${line}`),
})
if ((report.outages.kill ?? 0) > deathMs) report.broken.push(`the death of the primary took ${report.outages.kill} ms`)
for (const line of report.broken.slice(0, 20)) console.log(`BROKEN ${line}`)
console.log(JSON.stringify({ seed, patroni, ...report, broken: report.broken.length }))
process.exit(report.broken.length === 0 ? 0 : 1)

function isOlder(version: string, than: readonly number[]): boolean {
  const parts = version.split('.').map(Number)
  const first = than.findIndex((part, index) => part !== parts[index])
  return first !== -1 && (parts[first] ?? 0) < (than[first] as number)
}

function install(names: string[]): void {
  if (process.getuid?.() !== 0) {
    console.error(`Missing Debian packages: ${names.join(' ')}. Install them, or run this as root.`)
    process.exit(2)
  }
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  execFileSync('apt-get', ['update', '-qq'], options)
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], options)
}
