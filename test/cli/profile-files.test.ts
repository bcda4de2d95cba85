/** The file of profiles when it cannot be read or written, and what commands that change it answer. No service is asked. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runConcord } from './run-concord.js'

const folder = mkdtempSync(join(tmpdir(), 'concord-profiles-'))
const home = join(folder, 'config')
const path = join(home, 'concord', 'profiles.json')
const tenant = { tenant_id: 'ten_1', api_key: 'cnk_only_once' }
let service: Server
let env: Record<string, string>
let made = 0
const nothing = () => undefined
let meanwhile: () => void = nothing

beforeAll(async () => {
  service = createServer((_request, response) => {
    made++
    meanwhile()
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(tenant))
  })
  await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  env = { XDG_CONFIG_HOME: home, DATA_DIR: join(folder, 'data'), CONCORD_URL: url, CONCORD_ADMIN_KEY: 'cna_1' }
})
afterAll(() => {
  service.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  made = 0
  meanwhile = nothing
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home)
})

describe('concord init', () => {
  it('makes no tenant where its only key cannot be kept', async () => {
    symlinkSync(join(folder, 'nowhere', 'at', 'all'), join(home, 'concord'))
    const refused = await runConcord(env, 'init')
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(`${path} cannot be written (E`) })
    expect(refused.err).toContain('XDG_CONFIG_HOME')
    expect(made).toBe(0)
  })

  it('says the key when it cannot be kept all the same', async () => {
    meanwhile = () => {
      rmSync(home, { recursive: true })
      writeFileSync(home, '')
    }
    for (const args of [[], ['--json']]) {
      rmSync(home, { recursive: true, force: true })
      mkdirSync(home)
      const { code, out, err } = await runConcord(env, 'init', ...args)
      expect([code, out]).toEqual([1, expect.stringContaining(tenant.api_key)])
      expect(err).toMatch(/profiles\.json cannot be (read|written) \(E\w+\)/)
    }
    expect(made).toBe(2)
  })
})

describe('concord profiles', () => {
  it('names what keeps the file from being read, and does not advise to remove what is not the fault', async () => {
    rmSync(home, { recursive: true })
    writeFileSync(home, '')
    expect((await runConcord(env, 'profiles')).err).toMatch(/profiles\.json cannot be read \(ENOTDIR\)/)
    rmSync(home)
    mkdirSync(join(home, 'concord'), { recursive: true })
    writeFileSync(path, '{')
    expect((await runConcord(env, 'profiles')).err).toContain('cannot be read as JSON: correct the file, or remove it')
  })

  it('answers a program with one value, whatever it did', async () => {
    mkdirSync(join(home, 'concord'))
    writeFileSync(path, JSON.stringify({ profiles: { work: { url: 'http://127.0.0.1:1' } } }))
    expect(await runConcord(env, 'profiles', 'use', 'work', '--json')).toMatchObject({ code: 0, json: { profile: 'work', default: true } })
    expect(JSON.parse(readFileSync(path, 'utf8')).default).toBe('work')
    const removed = await runConcord(env, 'profiles', 'remove', 'work', '--json')
    expect(removed).toMatchObject({ code: 0, json: { profile: 'work', removed: true } })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ profiles: {} })
  })
})
