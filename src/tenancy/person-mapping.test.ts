import { describe, expect, it } from 'vitest'
import { rights } from '../contract/rights.js'
import { mappedRights } from '../platform/oidc-settings.js'
import { type Claims, grantOf } from './person-mapping.js'

const rules = [
  { claim: 'groups', value: 'a', tenant_id: 'ten_A', rights: ['read'] },
  { claim: 'https://example.com/role', value: 'b', tenant_id: 'ten_B', rights: ['decide'], scopes: ['s'] },
  { claim: 'realm.roles', value: 'c', tenant_id: 'ten_C', rights: ['ingest'] },
  { claim: 'admin', value: true, tenant_id: 'ten_D', rights: ['manage'] },
  { claim: 'email', value: 'eve@example.com', tenant_id: 'ten_E', rights: ['erase'] },
]
const mapped = (claims: Claims, tenantId?: string) => grantOf({ sub: 'u', ...claims }, { rules, personClaim: 'sub' }, tenantId)

describe('the mapping of people', () => {
  it('takes the first rule whose claim says or lists the value', () => {
    expect(mapped({ groups: 'a' })).toEqual({ person: 'u', tenantId: 'ten_A', rights: ['read'], scopes: null })
    expect(mapped({ groups: ['x', 'a'], realm: { roles: ['c'] } })).toMatchObject({ tenantId: 'ten_A' })
    expect(mapped({ groups: ['a'], realm: { roles: ['c'] } }, 'ten_C')).toMatchObject({ tenantId: 'ten_C' })
    expect(mapped({ 'https://example.com/role': 'b' })).toMatchObject({ tenantId: 'ten_B', scopes: ['s'] })
    expect(mapped({ admin: true })).toMatchObject({ tenantId: 'ten_D' })
  })

  it.each<[string, Claims]>([
    ['nothing', {}],
    ['part of a word', { groups: 'ab' }],
    ['a text for a truth', { admin: 'true' }],
    ['a list in a list', { groups: [['a']] }],
    ['what every object has', { realm: {} }],
    ['an address that is not verified', { email: 'eve@example.com' }],
    ['one whose verification is a word', { email: 'eve@example.com', email_verified: 'true' }],
  ])('lets nobody in for %s', (_what, claims) => {
    expect(mapped(claims)).toHaveProperty('refused')
  })

  it('trusts an address the issuer has verified', () => {
    expect(mapped({ email: 'eve@example.com', email_verified: true })).toMatchObject({ tenantId: 'ten_E' })
  })

  it('needs a name that can stand in a decision', () => {
    const named = (name: unknown) => grantOf({ groups: 'a', name }, { rules, personClaim: 'name' })
    expect(named('Ada Lovelace')).toMatchObject({ person: 'Ada Lovelace' })
    for (const name of [undefined, 7, '', '  ', '\u3164', 'System', 'x'.repeat(201), 'a\nb', 'a\u0000', '\ud800'])
      expect(named(name)).toHaveProperty('refused')
    for (const turned of ['\u061c', '\u200b', '\u200f', '\u2028', '\u202e', '\u2060', '\u2066', '\u2069', '\ufeff'])
      expect(named(`Ada${turned} Lovelace`)).toHaveProperty('refused')
  })

  it('knows every right a key can have', () => {
    expect(mappedRights).toEqual(rights)
  })
})
