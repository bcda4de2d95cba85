/** The client's types are made from the document whenever they are asked for and not those of it. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const { ensureClientTypes } = (await import(new URL('../../scripts/client-types.mjs', import.meta.url).href)) as {
  ensureClientTypes: (paths: { openapi: string; types: string }) => Promise<boolean>
}

const { beTheOnlyOne } = (await import(new URL('../../scripts/client-declarations.mjs', import.meta.url).href)) as {
  beTheOnlyOne: (note: string) => boolean
}

const folder = mkdtempSync(join(tmpdir(), 'concord-types-'))
afterAll(() => rmSync(folder, { recursive: true }))
const paths = { openapi: join(folder, 'openapi.json'), types: join(folder, 'api-types.ts') }

function describe(properties: object): void {
  const Scope = { type: 'object', properties, required: Object.keys(properties), additionalProperties: true }
  writeFileSync(
    paths.openapi,
    JSON.stringify({ openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: {}, components: { schemas: { Scope } } }),
  )
}

it('are made where they are missing or old, and left alone otherwise', async () => {
  rmSync(paths.types, { force: true })
  describe({ scope_id: { type: 'string' } })
  expect(await ensureClientTypes(paths)).toBe(true)
  expect(readFileSync(paths.types, 'utf8')).toContain('scope_id: string;')
  expect(statSync(paths.types).mtimeMs).toBeLessThanOrEqual(statSync(paths.openapi).mtimeMs)
  expect(await ensureClientTypes(paths)).toBe(false)
  describe({ scope_id: { type: 'string' }, mode: { type: 'string' } })
  expect(await ensureClientTypes(paths)).toBe(true)
  expect(readFileSync(paths.types, 'utf8')).toContain('mode: string;')
})

it('name the members of today alone', async () => {
  describe({ scope_id: { type: 'string' } })
  await ensureClientTypes(paths)
  expect(readFileSync(paths.types, 'utf8')).not.toContain('[key: string]')
})

it('are declared by one process, however many services are started together', () => {
  const note = join(folder, 'made', 'by')
  expect(beTheOnlyOne(note)).toBe(true)
  expect(beTheOnlyOne(note)).toBe(false)
  const ended = spawnSync(process.execPath, ['-e', '']).pid
  writeFileSync(note, String(ended))
  expect(beTheOnlyOne(note)).toBe(true)
})
