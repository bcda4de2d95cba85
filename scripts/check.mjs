/** Everything that can be wrong without running: types, lint, import rules, unused code, contract drift. All are run; any fault fails. */

import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { ensureClientTypes } from './client-types.mjs'
import { missingPackages } from './lock-file.mjs'

// Every other fault would be one of these.
const missing = missingPackages(JSON.parse(readFileSync('package-lock.json', 'utf8')), 'node_modules')
if (missing.length > 0) {
  console.error(
    `node_modules is not what package-lock.json says (${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ', …' : ''}): run npm ci`,
  )
  process.exit(1)
}

// The compiler needs them, and they are not kept.
await ensureClientTypes()

const modules = readdirSync('src', { recursive: true }).filter(name => name.endsWith('.ts')).length

// The native compiler takes an eighth of the time; what needs the compiler as a library has the one before it.
const compiler = join('node_modules', 'typescript-native', 'bin', 'tsc')

const steps = [
  ['types', process.execPath, [compiler, '-p', 'tsconfig.check.json']],
  ['types of the desk', process.execPath, [compiler, '-p', 'desk/tsconfig.json']],
  ['lint', 'biome', ['check', '--error-on-warnings']],
  ['import rules', 'depcruise', ['src', 'desk', '--config', '.dependency-cruiser.cjs', '--output-type', 'err']],
  ['unused code', 'knip', ['--no-progress']],
  ['OpenAPI document', 'tsx', ['scripts/openapi.ts', '--check']],
  ['OpenAPI by redocly', 'redocly', ['lint', 'openapi.json']],
  ['Python client', 'tsx', ['scripts/python-client.ts']],
  ['unfinished merges', process.execPath, ['scripts/kept-files.mjs']],
  ['lock file', process.execPath, ['scripts/lock-file.mjs']],
  ['supply chain', process.execPath, ['scripts/supply-chain.mjs']],
]

const failed = []
const waiting = [...steps]
// Two at a time, as there are often two cores.
await Promise.all([1, 2].map(runSteps))

async function runSteps() {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    const [name, command, args] = step
    const started = performance.now()
    const { status, output } = await outcomeOf(isAbsolute(command) ? command : join('node_modules', '.bin', command), args)
    // An import check that sees nothing passes, so it has to say how much it saw.
    const seen = name === 'import rules' ? Number(/\((\d+) modules/.exec(output)?.[1] ?? 0) : modules
    const ok = status === 0 && seen >= modules
    if (!ok) failed.push(name)
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
    if (!ok) console.log(output, seen < modules ? `saw ${seen} of ${modules} modules` : '')
  }
}

/** Exit code, and everything the command printed. */
async function outcomeOf(command, args) {
  const child = spawn(command, args, {
    // On Windows these commands are scripts of the shell.
    shell: process.platform === 'win32' && !isAbsolute(command),
    env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => printed.push(chunk))
  const status = await new Promise(resolve => {
    child.once('error', error => {
      printed.push(Buffer.from(String(error)))
      resolve(1)
    })
    child.once('close', resolve)
  })
  return { status, output: Buffer.concat(printed).toString() }
}

if (failed.length > 0) {
  console.error(`\n${failed.length} of ${steps.length} checks failed: ${failed.join(', ')}`)
  process.exit(1)
}
