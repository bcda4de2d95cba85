import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

type Lock = { packages: Record<string, Record<string, unknown>> }
type Check = (lock: Lock, manifest: Record<string, Record<string, string>>) => string[]

const { benchPackage, supplyChainFaults } = (await import(new URL('../../scripts/supply-chain.mjs', import.meta.url).href)) as {
  benchPackage: () => Parameters<Check>
  supplyChainFaults: Check
}
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string>>

describe('what is installed', () => {
  it('is from the registry, exact, licensed and without unknown install scripts', () => {
    expect(Object.keys(lock.packages).length).toBeGreaterThan(100)
    expect(supplyChainFaults(lock, manifest)).toEqual([])
    expect(supplyChainFaults(...benchPackage())).toEqual([])
  })

  const good = { version: '1.0.0', license: 'MIT', integrity: 'sha512-x' }
  it.each([
    ['a package from elsewhere', { ...good, version: 'git+ssh://example.com/x' }, 'not from the registry'],
    ['an address', { ...good, resolved: 'https://example.com/x.tgz' }, 'names an address'],
    ['a licence that binds us', { ...good, license: 'GPL-3.0' }, 'licence GPL-3.0'],
    ['no licence', { ...good, license: undefined }, 'licence unknown'],
    ['a copyleft licence in what is shipped', { ...good, license: 'MPL-2.0' }, 'licence MPL-2.0'],
    ['an install script', { ...good, hasInstallScript: true }, 'an install script that nobody has looked at'],
  ])('would not pass with %s', (_what, entry, fault) => {
    expect(supplyChainFaults({ packages: { 'node_modules/x': entry } }, {}).join()).toContain(fault)
  })

  it('would not pass with a range of versions', () => {
    expect(supplyChainFaults({ packages: {} }, { dependencies: { x: '^1.0.0' } })).toEqual(['x: version ^1.0.0 is not exact'])
  })
})
