import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chooseAccount, commandAs } from '../../src/store/server/embedded-account.js'
import { type BinariesPackage, findPackage, prepareBinaries } from '../../src/store/server/embedded-binaries.js'

describe('binaries of the embedded server', () => {
  let folder: string
  let source: BinariesPackage

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'concord-binaries-'))
    chmodSync(folder, 0o755)
    source = { ...findPackage(), folder: join(folder, 'package') }
    mkdirSync(source.folder)
    cpSync(join(findPackage().folder, 'native'), join(source.folder, 'native'), { recursive: true, verbatimSymlinks: true })
    for (const link of links()) rmSync(link, { force: true })
  })

  afterEach(() => {
    chmodSync(join(source.folder, 'native', 'lib'), 0o755)
    rmSync(folder, { recursive: true, force: true })
  })

  const links = () => {
    const list = JSON.parse(readFileSync(join(findPackage().folder, 'native', 'pg-symlinks.json'), 'utf8')) as { target: string }[]
    return list.map(({ target }) => join(source.folder, target))
  }

  const versionOf = (dataDir: string, program: string) => {
    const { file, args, options } = commandAs(chooseAccount(dataDir), program, ['--version'])
    return execFileSync(file, args, { ...options, cwd: '/', encoding: 'utf8' })
  }

  it('makes the links that a skipped install script left out', () => {
    const dataDir = join(folder, 'data')
    const binaries = prepareBinaries(dataDir, chooseAccount(dataDir), source)
    expect(links().every(existsSync)).toBe(true)
    expect(binaries).toMatchObject({ postgres: join(source.folder, 'native/bin/postgres'), major: 17 })
    expect(versionOf(dataDir, binaries.postgres)).toContain('PostgreSQL) 17')
  })

  it('copies them below the data folder where they cannot be reached or completed', () => {
    // Root's unprivileged account cannot enter it; anyone else cannot add links to it.
    chmodSync(join(source.folder, 'native', 'lib'), process.getuid?.() === 0 ? 0o700 : 0o555)
    const dataDir = join(folder, 'data')
    const binaries = prepareBinaries(dataDir, chooseAccount(dataDir), source)
    expect(binaries.postgres).toBe(join(dataDir, `binaries-${source.version}`, 'native/bin/postgres'))
    expect(versionOf(dataDir, binaries.postgres)).toContain('PostgreSQL) 17')
    expect(prepareBinaries(dataDir, chooseAccount(dataDir), source)).toEqual(binaries)
  })
})
