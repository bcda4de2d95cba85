import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { greetingOf } from './greeting.js'
import { idleFirstKeys } from './tenancy/first-keys.js'

const config = {
  role: 'all',
  modelUrl: undefined,
  modelName: undefined,
  publicAuth: 'id',
  adminApiKeys: ['a'],
  internalsApiKeys: [],
} as const
const start = { command: 'npx concord', url: () => 'http://127.0.0.1:3003', keys: undefined }

test('a start says to which model documents are sent, without what its address holds beside the host', () => {
  const asking = { ...config, modelUrl: 'https://models.example/v1?key=secret', modelName: 'm-1' }
  const said = greetingOf({ ...start, config: asking }).join('\n')
  expect(said).toMatch(/sent to the model m-1 at models\.example; `npx concord doctor --model` tries it/)
  expect(said).not.toContain('secret')
  expect(greetingOf({ ...start, config }).join('\n')).not.toContain('model')
})

test('a worker says nothing of an address, and is not asked for one', () => {
  const url = () => {
    throw new Error('it does not listen')
  }
  expect(greetingOf({ ...start, url, config: { ...config, role: 'worker' } })).toEqual(['Concord processes documents (role worker).'])
})

test('a start says that the keys of the first one are out of use, since a key is given for one tier alone', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'concord-keys-'))
  const said = (change: object) => {
    const now = { ...config, databaseUrl: undefined, dataDir, ...change }
    return greetingOf({ ...start, config: now, idleKeys: idleFirstKeys(now) }).join('\n')
  }
  expect(said({})).not.toContain('out of use')
  const path = join(dataDir, 'keys.json')
  writeFileSync(path, '{"admin":"a","internals":"i"}')
  expect(said({})).toContain(
    `ADMIN_API_KEY is set and INTERNALS_API_KEY is not: the keys in ${path} are out of use, and /internals answers 503 TIER_DISABLED. Set both.`,
  )
  expect(said({ adminApiKeys: [], internalsApiKeys: ['i'] })).toContain(`the keys in ${path} are out of use. Set both.`)
  expect(said({ internalsApiKeys: ['i'] })).not.toContain('out of use')
  expect(said({ databaseUrl: 'postgres://db/concord' })).not.toContain('out of use')
  rmSync(dataDir, { recursive: true })
})

test('what to try next works as it stands: with the keys there are, or says which one is missing', () => {
  const said = (change: object) => greetingOf({ ...start, config: { ...config, ...change } }).join('\n')
  expect(said({})).toContain('/admin/tenants -H "Authorization: Bearer $ADMIN_API_KEY"')
  expect(said({})).toContain('/api/ingest -H "X-Tenant-ID: <tenant_id>"')
  expect(said({ publicAuth: 'key' })).toContain('/api/ingest -H "X-Tenant-API-Key: <api_key>"')
  expect(said({ adminApiKeys: [], internalsApiKeys: ['i'] })).toContain('Bearer $INTERNALS_API_KEY')
  const without = said({ adminApiKeys: [] })
  expect(without).toContain('No ADMIN_API_KEY is set')
  expect(without).not.toContain('/admin/tenants')
})
