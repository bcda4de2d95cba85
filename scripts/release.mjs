/**
 * Makes a release ready: `npm run release -- 0.2.0` sets the version everywhere it stands, gives the changelog's
 * unreleased part its heading and date, builds, and puts into `release/` the server, both clients, a bill of materials of what the server
 * brings, and the checksums of all four. The version of the API is the contract's and stays. Nothing is published or pushed.
 */

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packClient } from './pack-client.mjs'

const unreleased = '## Unreleased'
const output = 'release'
/** Beside package.json, where the version is written and shown. */
export const versioned = [
  ['src/assemble.ts', version => [/^export const version = '.*'$/m, `export const version = '${version}'`]],
  ['docs/cli.md', version => [/concord-server-\d[\w.-]*\.tgz/g, `concord-server-${version}.tgz`]],
  ['docs/client.md', version => [/concord-client-\d[\w.-]*\.tgz/g, `concord-client-${version}.tgz`]],
  ['deploy/compose.yaml', version => [/^ {2}image: concord:.*$/m, `  image: concord:${version}`]],
  ['deploy/kubernetes/kustomization.yaml', version => [/^ {4}newTag: .*$/m, `    newTag: ${version}`]],
]

/** The part below "Unreleased" becomes that of the version; a new empty one stands above it. */
export function withHeading(changelog, version, day) {
  const [before, ...rest] = changelog.split(`${unreleased}\n`)
  if (rest.length !== 1) throw new Error(`CHANGELOG.md needs one heading "${unreleased}"`)
  if (!/^- /m.test(rest[0].split(/^## /m)[0])) throw new Error('CHANGELOG.md says nothing of this release')
  if (changelog.split('\n').some(line => line === `## ${version}` || line.startsWith(`## ${version} `)))
    throw new Error(`CHANGELOG.md has ${version} already`)
  return `${before}${unreleased}\n\n## ${version} (${day})\n${rest[0]}`
}

function main() {
  const version = process.argv[2] ?? ''
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) throw new Error('name the version: npm run release -- 0.2.0')
  if (run('git', ['status', '--porcelain']) !== '') throw new Error('commit first: a release is made from a clean working copy')
  const changelog = withHeading(readFileSync('CHANGELOG.md', 'utf8'), version, new Date().toISOString().slice(0, 10))
  run('npm', ['version', version, '--no-git-tag-version', '--allow-same-version'])
  for (const [path, change] of versioned) {
    const [found, written] = change(version)
    const text = readFileSync(path, 'utf8')
    if (!found.test(text)) throw new Error(`${path} does not say its version any more`)
    writeFileSync(path, text.replace(found, written))
  }
  run('npm', ['run', 'client-types'])
  writeFileSync('CHANGELOG.md', changelog)
  rmSync(output, { recursive: true, force: true })
  mkdirSync(output)
  run('npm', ['pack', '--loglevel=error', '--pack-destination', output])
  packClient(output)
  packPython(output)
  const materials = JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev']))
  // npm names the whole by the folder it stands in.
  materials.metadata.component.name = 'concord-server'
  writeFileSync(join(output, `concord-server-${version}.sbom.json`), `${JSON.stringify(materials, null, 2)}\n`)
  const made = writeChecksums(output)
  console.log(`In ${output}/:\n${made}Look at the changes, commit them, tag v${version}, and publish the packages.`)
}

/** By setuptools alone, of a copy: what a build leaves beside its source would be in the next one. */
function packPython(folder) {
  const copy = mkdtempSync(join(tmpdir(), 'concord-python-'))
  try {
    cpSync('clients/python', copy, { recursive: true, filter: path => !/\/build$|\.egg-info$|__pycache__$/.test(path) })
    run('python3', ['-W', 'ignore', '-c', 'import setuptools; setuptools.setup()', '-q', 'sdist', '--dist-dir', resolve(folder)], copy)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** As `sha256sum --check SHA256SUMS` reads them. */
export function writeChecksums(folder) {
  const sumOf = name =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  const lines = readdirSync(folder)
    .sort()
    .map(name => `${sumOf(name)}  ${name}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
  return lines.join('')
}

function run(command, args, cwd = '.') {
  const shell = process.platform === 'win32'
  const done = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'inherit'], shell })
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${done.status}`)
  return done.stdout.trim()
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    main()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
