/** The keys of a first start, in a folder of their own. */

import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { firstKeys } from '../../src/tenancy/first-keys.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'concord-first-keys-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('are one pair for all that start at once, readable by their owner alone', async () => {
  const dataDir = join(folder, 'data')
  const started = await Promise.all(Array.from({ length: 8 }, () => firstKeys(dataDir)))
  expect(new Set(started.map(({ admin, internals }) => `${admin} ${internals}`)).size).toBe(1)
  expect(started.filter(({ made }) => made)).toHaveLength(1)
  expect(await readdir(dataDir)).toEqual(['keys.json'])
  const path = join(dataDir, 'keys.json')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ admin: started[0]?.admin, internals: started[0]?.internals })
  expect(await firstKeys(dataDir)).toMatchObject({ made: false, admin: started[0]?.admin })
})

it('are made although a start before was killed amid writing them', async () => {
  await writeFile(join(folder, 'keys.json.killed'), '')
  expect(await firstKeys(folder)).toMatchObject({ made: true })
})

it('are not replaced where they cannot be read', async () => {
  await writeFile(join(folder, 'keys.json'), '')
  await expect(firstKeys(folder)).rejects.toThrow('is damaged')
  expect(await readFile(join(folder, 'keys.json'), 'utf8')).toBe('')
})

it('are refused in words where a link leads nowhere', async () => {
  await symlink(join(folder, 'elsewhere'), join(folder, 'keys.json'))
  await expect(firstKeys(folder)).rejects.toThrow('leads nowhere')
})
