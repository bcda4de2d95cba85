/** `.env` sets the service of a folder; commands run in that folder mean the same data and the same port. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const program = fileURLToPath(new URL('../../bin/concord.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'concord-dot-env-'))

beforeAll(() => {
  mkdirSync(join(folder, 'concord'))
  const profile = { url: 'http://127.0.0.1:3999', dataDir: join(folder, 'of-profile') }
  writeFileSync(join(folder, 'concord', 'profiles.json'), JSON.stringify({ profiles: { work: profile } }))
  mkdirSync(join(folder, 'of-dot-env'))
  const keys = { admin: 'cna_first', internals: 'cni_first' }
  writeFileSync(join(folder, 'of-dot-env', 'keys.json'), JSON.stringify(keys))
  writeFileSync(join(folder, '.env'), 'DATA_DIR=of-dot-env\nPORT=4321\nCONCORD_URL=https://stranger.example\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function concord(...args: string[]) {
  const env = { PATH: process.env['PATH'], XDG_CONFIG_HOME: folder }
  return spawnSync(process.execPath, [program, ...args], { cwd: folder, env, encoding: 'utf8' })
}

describe('a folder with a .env', () => {
  it('says before a profile where the data is, as it does for the service', () => {
    expect(concord('backup', 'backup', '--profile', 'work').stderr).toContain(`${join(folder, 'of-dot-env')} holds no database`)
    const flagged = concord('backup', 'backup', '--profile', 'work', '--data-dir', 'of-flag')
    expect(flagged.stderr).toContain(`${join(folder, 'of-flag')} holds no database`)
  })

  it('says which port the service has and where its first keys are, and names no server', () => {
    const { service, command_line: said } = JSON.parse(concord('config', '--json').stdout)
    expect(service).toMatchObject({ DATA_DIR: 'of-dot-env', PORT: 4321 })
    expect(said.values).toContainEqual({ name: 'url', value: 'http://127.0.0.1:4321', from: 'the default' })
    expect(said.values).toContainEqual({ name: 'admin key', value: '(hidden)', from: join('of-dot-env', 'keys.json') })
  })
})
