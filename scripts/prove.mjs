/**
 * `npm run prove`: every proof at its full size, and one table of what they found. `--quick` takes the sizes of `npm test`;
 * `--only isolation,fuzz` some of them; `--write` puts the table into docs/reliability.md. Exits 1 when any of them fails.
 */

import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' }, write: { type: 'boolean', default: false } },
})
const size = values.quick ? {} : { PROVE: '1' }
const suite = (...paths) => ['node_modules/.bin/vitest', 'run', '--no-file-parallelism', ...paths]

/** Each prints lines that begin with PROVE, its name, and figures as name=value. */
const proofs = [
  {
    name: 'catalogue',
    shows: 'every tenant-owned table is walled off, and gaps made on purpose are found',
    command: suite('test/isolation/catalogue.test.ts'),
  },
  { name: 'isolation', shows: 'attempts of one tenant at another', command: suite('test/isolation/isolation.test.ts') },
  { name: 'fuzz', shows: 'generated requests at every operation', command: suite('test/fuzz') },
  {
    name: 'damaged files',
    shows: 'files and pictures damaged at random or made to do harm, through the whole service',
    command: suite('test/files/damaged.test.ts'),
  },
  {
    name: 'fair files',
    shows: 'a file of one line beside fifty hostile ones of another tenant, from sent to indexed',
    command: suite('test/files/fair-files.test.ts'),
  },
  { name: 'hostile', shows: 'raw-socket attacks; p99 of healthy requests against normal', command: suite('test/hostile') },
  { name: 'simulation', shows: 'small workloads under injected faults against their promises', command: suite('test/simulation') },
  {
    name: 'sabotage',
    shows: 'mended faults brought back one by one, each of them noticed by a test',
    command: ['node_modules/.bin/tsx', 'scripts/sabotage.ts'],
  },
  {
    name: 'models',
    shows: 'random sequences of acts against models of the log and the runtime',
    command: suite('test/ingest/model.test.ts', 'test/hatchery/state-machine.test.ts', 'test/pipeline/scheduling.test.ts'),
  },
  {
    name: 'properties',
    shows: 'random texts, orders and batches: what holds of any of them',
    command: suite('src/reading/normalize/normalize-properties.test.ts', 'test/pipeline/order.test.ts', 'test/pipeline/batching.test.ts'),
  },
  {
    name: 'chaos',
    shows: 'kill -9 of service and database under load',
    command: ['node_modules/.bin/tsx', 'scripts/chaos.ts', '--kills', values.quick ? '5' : '200'],
  },
  {
    name: 'webhooks',
    shows: 'kill -9 of service and database while events are posted: each arrives, in the order of its scope',
    command: suite('test/chaos/webhooks.test.ts'),
  },
  {
    name: 'streams',
    shows: 'fifty readers that reconnect, a thousand that stall, ten thousand that wait',
    command: suite('test/events/readers.test.ts', 'test/events/idle-readers.test.ts'),
  },
  {
    name: 'ha',
    shows: 'three PostgreSQL under Patroni: primary killed, frozen, cut off; everything restarted; nodes upgraded (Debian, root)',
    command: ['node_modules/.bin/tsx', 'scripts/ha.ts', '--documents', values.quick ? '50' : '300'],
  },
  { name: 'line cut', shows: 'the line between a worker and the database cut', command: suite('test/pipeline/network-cut.test.ts') },
  {
    name: 'fairness',
    shows: 'waits of small tenants beside one with a hundred times their load, against an even load',
    command: suite('test/pipeline/fair-waits.test.ts'),
  },
  {
    name: 'long documents',
    shows: 'short documents of one tenant beside many long ones of another, from accepted to indexed',
    command: suite('test/pipeline/long-documents.test.ts'),
  },
  {
    name: 'journeys',
    shows: 'real processes killed, frozen, poisoned, paused, stopped and restarted',
    command: suite('test/journeys', '--exclude', '**/history.test.ts'),
  },
  {
    name: 'histories',
    shows:
      'random histories of cases over HTTP: no silent conflict on the way, and in the end what a fresh case holds; of every moment later what the lists answered then',
    command: suite('test/journeys/history.test.ts'),
  },
  { name: 'overload', shows: 'three times the capacity', command: suite('test/load/overload.test.ts') },
  {
    name: 'soak',
    shows: '70 % of capacity for a while',
    command: suite('test/load/soak.test.ts'),
    env: { SOAK_SECONDS: values.quick ? '30' : '900' },
  },
  {
    name: 'first start',
    shows: '`npm start` in a fresh checkout: five seconds, types of the client, the demo kept at the desk',
    command: [process.execPath, 'scripts/checkout-check.mjs', ...(values.quick ? [] : ['--strict'])],
  },
  { name: 'quotas', shows: 'limits of tenants over HTTP', command: suite('test/tenancy') },
  {
    name: 'supply chain',
    shows: 'registry, versions, licences, install scripts, bill of materials',
    command: [process.execPath, 'scripts/supply-chain.mjs'],
  },
  {
    name: 'suites',
    shows: 'every test at its everyday size: no suite over 40 s, none that passed only when it was tried again (quiet machine)',
    command: ['node_modules/.bin/vitest', 'run'],
    env: { PROVE: '', STRICT_TIMES: '1' },
  },
]

const chosen = values.only === undefined ? proofs : proofs.filter(({ name }) => values.only.split(',').includes(name))
const rows = []
for (const proof of chosen) {
  console.log(`\n== ${proof.name}: ${proof.shows}`)
  const started = performance.now()
  const { ok, output } = await run(proof)
  const seconds = Math.round((performance.now() - started) / 1000)
  rows.push({ name: proof.name, shows: proof.shows, ok, seconds, figures: figuresOf(proof.name, output) })
  console.log(`${ok ? 'ok' : 'FAILED'} after ${seconds} s`)
}

const heading = ['| proof | what it shows | figures | took | held |', '|---|---|---|---|---|']
console.log(`\n${[...heading, ...rows.map(rowOf)].join('\n')}`)
if (values.write) keep()
process.exitCode = rows.every(row => row.ok) ? 0 : 1

function run({ command, env = {} }) {
  return new Promise(resolve => {
    const child = spawn(command[0], command.slice(1), { env: { ...process.env, ...size, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const take = chunk => {
      output += chunk
      process.stdout.write(chunk)
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.on('close', code => resolve({ ok: code === 0, output }))
  })
}

function figuresOf(name, output) {
  const plain = output.replaceAll(/\u001b\[[\d;]*m/g, '')
  const proven = [...plain.matchAll(/^PROVE \S+ (.*)$/gm)].map(([, line]) => line.replaceAll(/statuses=\S+/g, '').trim())
  if (proven.length > 0) return proven.join('; ')
  if (name === 'chaos') return chaosFigures(plain)
  if (name === 'supply chain')
    return plain
      .split('\n')
      .filter(line => /^(packages|npm audit)/.test(line))
      .join('; ')
  return /Tests\s+(.*)/.exec(plain)?.[1] ?? ''
}

function chaosFigures(plain) {
  const line = plain.split('\n').findLast(each => each.startsWith('{'))
  if (line === undefined) return ''
  const { kills, acknowledged, repeated, broken } = JSON.parse(line)
  const total = Object.values(kills).reduce((sum, each) => sum + each, 0)
  return `kills=${total} acknowledged=${acknowledged} repeated=${repeated} lost, duplicated or changed=${broken}`
}

function rowOf({ name, shows, figures, seconds, ok }) {
  return `| ${name} | ${shows} | ${figures.replaceAll('|', '/')} | ${seconds} s | ${ok ? 'yes' : '**no**'} |`
}

/** Rows of proofs that were not part of this run stay as they were. */
function keep() {
  const path = 'docs/reliability.md'
  const text = readFileSync(path, 'utf8')
  const [, before = ''] = /<!-- figures -->([\s\S]*)<!-- \/figures -->/.exec(text) ?? []
  const kept = new Map(before.split('\n').flatMap(line => (/^\| (?!proof)\w/.test(line) ? [[line.split('|')[1].trim(), line]] : [])))
  for (const row of rows) kept.set(row.name, rowOf(row))
  const ordered = proofs.flatMap(({ name }) => kept.get(name) ?? [])
  const machine = `${cpus().length} shared cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`
  const block = `<!-- figures -->\nMeasured on ${machine}; each row says its size.\n\n${[...heading, ...ordered].join('\n')}\n<!-- /figures -->`
  writeFileSync(path, text.replace(/<!-- figures -->[\s\S]*<!-- \/figures -->/, block))
}
