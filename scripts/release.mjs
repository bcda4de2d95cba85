/**
 * Makes a release ready: `npm run release -- 0.2.0` sets the version everywhere it stands, gives the changelog's
 * unreleased part its heading and date, builds, and packs both packages into `release/`. Nothing is published or pushed.
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { packClient } from './pack-client.mjs'

const unreleased = '## Unreleased'
const output = 'release'
/** Beside package.json, where the version is written and shown. */
export const versioned = [
  ['src/assemble.ts', version => [/^export const version = '.*'$/m, `export const version = '${version}'`]],
  ['src/contract/openapi.ts', version => [/^export const contractVersion = '.*'$/m, `export const contractVersion = '${version}'`]],
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
  run('npm', ['run', 'openapi'])
  run('npm', ['run', 'client-types'])
  writeFileSync('CHANGELOG.md', changelog)
  mkdirSync(output, { recursive: true })
  run('npm', ['pack', '--pack-destination', output])
  const client = packClient(output)
  console.log(`Packed into ${output}/ (with ${client}). Look at the changes, commit them, tag v${version}, and publish both tarballs.`)
}

function run(command, args) {
  const done = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], shell: process.platform === 'win32' })
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
