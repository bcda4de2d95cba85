/**
 * Whether `npm ci` works, without a warning, on every platform and Node.js we name, looked up in package-lock.json alone:
 * the machine that checks is only one of them. A package that no registry carries has no integrity hash; one that npm left
 * out makes `npm ci` refuse the whole file elsewhere; an engine that is too new or an install script that nobody decided on
 * is a warning. Every clone and every run of the checks waits for what it brings, so that has a limit too.
 */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import semver from 'semver'

export const platforms = [
  { os: 'linux', cpu: 'x64', libc: 'glibc' },
  { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { os: 'darwin', cpu: 'x64' },
  { os: 'darwin', cpu: 'arm64' },
  { os: 'win32', cpu: 'x64' },
]

/** The oldest of each line that is supported: what runs on it runs on the later ones of its line. */
const nodes = ['20.19.0', '22.13.0', '24.0.0']

export const mostPackages = 300

/** @returns {string[]} every platform on which `npm ci` would bring more packages than we allow */
export function sizeFaults(lock) {
  return platforms.flatMap(platform => {
    const count = Object.entries(lock.packages).filter(([path, entry]) => path !== '' && fits(entry, platform)).length
    return count > mostPackages
      ? [`npm ci brings ${count} packages on ${platform.os} ${platform.cpu}, at most ${mostPackages} are allowed`]
      : []
  })
}

/** @returns {string[]} packages the lock file asks for that are not there, or in another version; what is optional may be missing */
export function missingPackages(lock, folder) {
  return Object.entries(lock.packages).flatMap(([path, entry]) => {
    if (path === '' || entry.optional || entry.devOptional) return []
    const manifest = join(dirname(folder), path, 'package.json')
    const isThere = existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === entry.version
    return isThere ? [] : [nameOf(path)]
  })
}

/** @returns {string[]} everything that would fail or warn at `npm ci` */
export function lockFaults(lock, manifest) {
  return Object.entries(lock.packages).flatMap(([path, entry]) => [
    ...(path === '' ? [] : entryFaults(path, entry, manifest)),
    ...optionalFaults(lock, path, entry),
  ])
}

function entryFaults(path, entry, manifest) {
  const name = nameOf(path)
  const faults = []
  if (entry.integrity === undefined && !entry.inBundle) faults.push(`${name}: has no integrity hash`)
  const refused = nodes.filter(node => entry.engines?.node !== undefined && !semver.satisfies(node, entry.engines.node))
  if (refused.length > 0) faults.push(`${name}: asks for Node.js ${entry.engines.node}, we run on ${refused.join(', ')}`)
  if (entry.hasInstallScript && manifest.allowScripts?.[name] === undefined) {
    faults.push(`${name}: has an install script that allowScripts in package.json does not decide on`)
  }
  return faults
}

/** A tool that brings native code for several platforms has to bring it for all of ours. */
function optionalFaults(lock, path, entry) {
  const owner = nameOf(path) || 'package.json'
  const wanted = Object.keys(entry.optionalDependencies ?? {}).map(name => ({ name, found: entryFor(lock, path, name) }))
  const faults = wanted.filter(({ found }) => found === undefined).map(({ name }) => `${name}: wanted by ${owner}, not in the lock file`)
  const native = wanted.flatMap(({ found }) => (found?.os !== undefined && found.cpu !== undefined ? [found] : []))
  if (native.length < 2) return faults
  const bare = platforms.filter(platform => !native.some(each => fits(each, platform)))
  return [...faults, ...bare.map(({ os, cpu }) => `${owner}: brings no native package for ${os} ${cpu}`)]
}

/** As Node.js resolves it: the nearest `node_modules` on the way up. */
function entryFor(lock, path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const found = lock.packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`]
    if (found !== undefined || folder === '') return found
  }
}

/** What names no system, processor or C library fits all of them. */
function fits(entry, { os, cpu, libc }) {
  return isFor(entry.os, os) && isFor(entry.cpu, cpu) && (libc === undefined || isFor(entry.libc, libc))
}

function isFor(named, wanted) {
  if (named === undefined) return true
  const isList = named.some(name => !name.startsWith('!'))
  return isList ? named.includes(wanted) : !named.includes(`!${wanted}`)
}

function nameOf(path) {
  return path === '' ? '' : path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function main() {
  const [own, bench] = ['.', 'bench'].map(folder =>
    ['package-lock.json', 'package.json'].map(name => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'))),
  )
  // What the benchmarks are measured against is installed for them alone, however much it is.
  const faults = [...lockFaults(...own), ...sizeFaults(own[0]), ...lockFaults(...bench).map(fault => `bench: ${fault}`)]
  for (const fault of faults) console.error(`FAULT ${fault}`)
  return faults.length === 0 ? 0 : 1
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = main()
