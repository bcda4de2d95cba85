/**
 * `npm run prove`: every proof at its full size, one line each. `npm run prove -- isolation "line cut"` (or `line-cut`) takes some of
 * them, `--quick` the sizes of `npm test`, `--list` only says their names and minutes. `--write` puts each row into docs/reliability.md as
 * soon as it is there, `--table FILE` into the table of another file, so that the whole can be done in pieces: rows of other
 * proofs stay. Exits 1 when any of them fails.
 */

import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { proofsOf } from './proofs.mjs'

const heading = ['| proof | what it shows | figures | took | held | on |', '|---|---|---|---|---|---|']
const table = /<!-- figures -->[\s\S]*<!-- \/figures -->/

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      table: { type: 'string' },
    },
  })
  const proofs = proofsOf(values)
  const chosen = chosenOf(proofs, positionals)
  if (values.list) {
    for (const { name, minutes } of chosen) console.log(`${name.padEnd(16)} ${String(minutes).padStart(3)} min`)
    return
  }
  const size = values.quick ? {} : { PROVE: '1' }
  const path = values.table ?? (values.write ? 'docs/reliability.md' : undefined)
  const rows = []
  for (const proof of chosen) {
    console.log(`\n== ${proof.name}: ${proof.shows}`)
    const on = `${commit(path)}, ${machine()}, load ${loadavg()[0].toFixed(1)}${values.quick ? ', everyday size' : ''}`
    const started = performance.now()
    const { ok, output } = await run(proof, size)
    const seconds = Math.round((performance.now() - started) / 1000)
    rows.push({ name: proof.name, shows: proof.shows, ok, seconds, figures: figuresOf(proof.name, output), on })
    console.log(`${ok ? 'ok' : 'FAILED'} after ${seconds} s`)
    if (path !== undefined) keep(path, rows, proofs)
  }
  console.log(`\n${[...heading, ...rows.map(rowOf)].join('\n')}`)
  process.exitCode = rows.every(row => row.ok) ? 0 : 1
}

/** All where none is named; a name that is none is refused before anything runs. */
export function chosenOf(proofs, names) {
  const spaced = names.map(name => name.replaceAll('-', ' '))
  const unknown = spaced.filter(name => !proofs.some(proof => proof.name === name))
  if (unknown.length > 0)
    throw new Error(`no proof is called ${unknown.join(', ')}; there are ${proofs.map(({ name }) => name).join(', ')}`)
  return spaced.length === 0 ? proofs : proofs.filter(({ name }) => spaced.includes(name))
}

/** The text with these rows in its table, in the order of the proofs; rows of proofs that are not among them stay as they were. */
export function withRows(text, rows, proofs) {
  const [before = ''] = table.exec(text) ?? []
  const kept = new Map(before.split('\n').flatMap(line => (/^\| (?!proof \|)\w/.test(line) ? [[line.split('|')[1].trim(), line]] : [])))
  for (const row of rows) kept.set(row.name, rowOf(row))
  const ordered = proofs.flatMap(({ name }) => kept.get(name) ?? [])
  const block = `<!-- figures -->\n${[...heading, ...ordered].join('\n')}\n<!-- /figures -->`
  return table.test(text) ? text.replace(table, () => block) : `${text}${block}\n`
}

export function rowOf({ name, shows, figures, seconds, ok, on }) {
  return `| ${name} | ${shows} | ${figures.replaceAll('|', '/')} | ${seconds} s | ${ok ? 'yes' : '**no**'} | ${on} |`
}

function keep(path, rows, proofs) {
  writeFileSync(path, withRows(existsSync(path) ? readFileSync(path, 'utf8') : '', rows, proofs))
}

/** What is proven is the code: a table that was just written is no other. */
function commit(written) {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    git('rev-parse', 'HEAD')
  } catch {
    return 'no commit known'
  }
  const changed = git('status', '--porcelain', '--', '.', ':!docs', ...(written === undefined ? [] : [`:!${written}`]))
  return `${git('rev-parse', '--short=8', 'HEAD')}${changed === '' ? '' : ' and changes'}`
}

function machine() {
  const model = cpus()[0]?.model.trim() ?? ''
  return `${cpus().length} × ${model === '' || model === 'unknown' ? process.arch : model}, Node ${process.versions.node}`
}

function run({ command, env = {} }, size) {
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
  // What its suites prove at their everyday size has rows of its own.
  if (name === 'suites') return `${/Test Files\s+(.*)/.exec(plain)?.[1] ?? ''} files; ${/Tests\s+(.*)/.exec(plain)?.[1] ?? ''} tests`
  if (proven.length > 0) return proven.join('; ')
  if (name === 'supply chain')
    return plain
      .split('\n')
      .filter(line => /^(packages|npm audit)/.test(line))
      .join('; ')
  return /Tests\s+(.*)/.exec(plain)?.[1] ?? ''
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await main()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 2
  }
}
