import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

type Entry = Record<string, unknown>
type Lock = { packages: Record<string, Entry> }
type Manifest = Record<string, unknown>

const { lockFaults, missingPackages, mostPackages, platforms, sizeFaults } = (await import(
  new URL('../../scripts/lock-file.mjs', import.meta.url).href
)) as {
  lockFaults: (lock: Lock, manifest: Manifest) => string[]
  missingPackages: (lock: Lock, folder: string) => string[]
  mostPackages: number
  platforms: { os: string; cpu: string; libc?: string }[]
  sizeFaults: (lock: Lock) => string[]
}
const good = { version: '1.0.0', integrity: 'sha512-x' }
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

describe('the lock file', () => {
  it('installs on every platform and Node.js without a warning', () => {
    const lock = read('package-lock.json') as Lock
    expect(Object.keys(lock.packages).length).toBeGreaterThan(100)
    expect(lockFaults(lock, read('package.json'))).toEqual([])
    expect(lockFaults(read('bench/package-lock.json'), read('bench/package.json'))).toEqual([])
  })

  it('brings at most 300 packages, wherever it is installed', () => {
    expect(mostPackages).toBe(300)
    expect(sizeFaults(read('package-lock.json'))).toEqual([])
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_none, n) => [`node_modules/x${n}`, good]))
    const elsewhere = { 'node_modules/far': { ...good, os: ['aix'], cpu: ['ppc64'] }, 'node_modules/win': { ...good, os: ['win32'] } }
    expect(sizeFaults({ packages: { '': {}, ...many(300), 'node_modules/far': elsewhere['node_modules/far'] } })).toEqual([])
    expect(sizeFaults({ packages: { '': {}, ...many(300), ...elsewhere } })).toEqual([
      'npm ci brings 301 packages on win32 x64, at most 300 are allowed',
    ])
  })

  it('tells what is not installed as it says', () => {
    expect(missingPackages(read('package-lock.json'), 'node_modules')).toEqual([])
    const installed = read('node_modules/fastify/package.json').version
    const packages = {
      'node_modules/fastify': { ...good, version: installed },
      'node_modules/pg': { ...good, version: '0.0.1' },
      'node_modules/not-here': good,
      'node_modules/not-for-here': { ...good, optional: true },
    }
    expect(missingPackages({ packages }, 'node_modules')).toEqual(['pg', 'not-here'])
  })

  it.each([
    ['a package without a hash', { ...good, integrity: undefined }, 'x: has no integrity hash'],
    ['a package for another platform without a hash', { version: '1.0.0', os: ['darwin'], optional: true }, 'x: has no integrity hash'],
    ['an engine that is too new', { ...good, engines: { node: '>=22' } }, 'x: asks for Node.js >=22, we run on 20.19.0'],
    ['an install script nobody decided on', { ...good, hasInstallScript: true }, 'x: has an install script that allowScripts'],
    ['a package that was left out', { ...good, optionalDependencies: { gone: '1.0.0' } }, 'gone: wanted by x, not in the lock file'],
  ])('would not pass with %s', (_what, entry, fault) => {
    expect(lockFaults({ packages: { 'node_modules/x': entry } }, {}).join()).toContain(fault)
  })

  it.each(platforms)('would not pass with a tool that brings nothing native for $os $cpu', missing => {
    const brought = platforms.filter(each => each !== missing)
    const packages: Record<string, Entry> = {}
    for (const { os, cpu, libc } of brought) {
      packages[`node_modules/tool-${os}-${cpu}`] = { ...good, os: [os], cpu: [cpu], ...(libc && { libc: [libc] }) }
    }
    const optionalDependencies = Object.fromEntries(brought.map(({ os, cpu }) => [`tool-${os}-${cpu}`, '1.0.0']))
    packages['node_modules/tool'] = { ...good, optionalDependencies }
    expect(lockFaults({ packages }, {})).toEqual([`tool: brings no native package for ${missing.os} ${missing.cpu}`])
  })

  it('would not take a package for musl as one for glibc', () => {
    const packages = Object.fromEntries(
      platforms.map(({ os, cpu }) => [`node_modules/tool-${os}-${cpu}`, { ...good, os: [os], cpu: [cpu], libc: ['musl'] }]),
    )
    const optionalDependencies = Object.fromEntries(platforms.map(({ os, cpu }) => [`tool-${os}-${cpu}`, '1.0.0']))
    const lock = { packages: { ...packages, 'node_modules/tool': { ...good, optionalDependencies } } }
    expect(lockFaults(lock, {}).join()).toContain('tool: brings no native package for linux x64')
  })
})
