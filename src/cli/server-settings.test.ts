import { describe, expect, it } from 'vitest'
import { resolveSettings } from './server-settings.js'

const profile = {
  name: 'p',
  profile: { url: 'http://profile.example/', adminKey: 'profile-admin', tenantId: 'profile-tenant', tenantKey: 'profile-key' },
}
const firstKeys = { path: 'data/keys.json', admin: 'first-admin', internals: 'first-internals' }

describe('where settings come from', () => {
  it('takes flags before the environment before the profile before the first keys', () => {
    const env = { CONCORD_ADMIN_KEY: 'env-admin', CONCORD_URL: '' }
    const settings = resolveSettings({ flags: { tenantId: 'profile-tenant' }, env, profile, firstKeys })
    expect(settings).toMatchObject({
      url: 'http://profile.example',
      tenantId: 'profile-tenant',
      adminKey: 'env-admin',
      tenantKey: 'profile-key',
    })
    expect(settings.from).toMatchObject({ tenantId: '--tenant-id', adminKey: 'CONCORD_ADMIN_KEY', tenantKey: 'profile p' })
  })

  it('does not mix the tenant that is given with that of the profile', () => {
    const tenantOf = (flags: object, env: Record<string, string>) => {
      const { tenantId, tenantKey } = resolveSettings({ flags, env, profile, firstKeys })
      return [tenantId, tenantKey]
    }
    expect(tenantOf({}, { CONCORD_TENANT_KEY: 'other-key' })).toEqual([undefined, 'other-key'])
    expect(tenantOf({ tenantKey: 'other-key' }, { CONCORD_TENANT_ID: 'third' })).toEqual([undefined, 'other-key'])
    expect(tenantOf({ tenantId: 'other' }, {})).toEqual(['other', undefined])
    expect(tenantOf({ tenantId: 'other' }, { CONCORD_TENANT_KEY: 'other-key' })).toEqual(['other', 'other-key'])
    expect(tenantOf({ tenantId: 'other' }, { CONCORD_TENANT_ID: 'third', CONCORD_TENANT_KEY: 'third-key' })).toEqual(['other', undefined])
    expect(tenantOf({}, {})).toEqual(['profile-tenant', 'profile-key'])
  })

  it('uses the first keys for this machine alone', () => {
    const local = resolveSettings({ flags: {}, env: { PORT: '4000' }, profile: undefined, firstKeys })
    expect(local).toMatchObject({ url: 'http://127.0.0.1:4000', adminKey: 'first-admin', internalsKey: 'first-internals' })
    for (const url of ['http://example.com', 'http://127.0.0.1.example.com', 'http://localhost.example']) {
      expect(resolveSettings({ flags: { url }, env: {}, profile: undefined, firstKeys }).adminKey).toBeUndefined()
    }
  })

  it('takes no other machine from a port, which may be of an `.env` of others', () => {
    const env = { CONCORD_TENANT_KEY: 'env-key', CONCORD_ADMIN_KEY: 'env-admin' }
    for (const port of ['80@elsewhere.example', '@elsewhere.example', '80/../', '3003?', ' ', 'x'])
      expect(resolveSettings({ flags: {}, env: { ...env, PORT: port }, profile: undefined, firstKeys }).url).toBe('http://127.0.0.1:3003')
  })

  it('does not send a profile’s keys to another server', () => {
    const settings = resolveSettings({ flags: { url: 'http://other.example' }, env: {}, profile, firstKeys: undefined })
    expect(settings).toMatchObject({ adminKey: undefined, tenantId: undefined, tenantKey: undefined })
  })
})
