import { describe, expect, it } from 'vitest'
import { loadConfig } from './config.js'
import { isProtected } from './oidc-settings.js'

const rule = { claim: 'groups', value: 'a', tenant_id: 'ten_0123456789ABCDEFGHIJKl', rights: ['read'] }
const whole = {
  OIDC_ISSUER: 'https://id.example.com',
  OIDC_CLIENT_ID: 'concord',
  OIDC_REDIRECT_URL: 'https://concord.example.com/desk',
  OIDC_MAPPING: JSON.stringify([rule]),
}
const faultsOf = (change: Record<string, string>) => {
  const loaded = loadConfig({ ...whole, ...change }, { readFile: () => undefined })
  return loaded.ok ? [] : loaded.faults.map(fault => fault.name)
}

describe('an address of the issuer', () => {
  it.each([
    ['https://id.example.com/authorize', true],
    ['http://localhost:8080/authorize', true],
    ['http://127.0.0.1/authorize', true],
    ['http://id.example.com/authorize', false],
    ['javascript://localhost/%0aalert(1)', false],
    ['file://localhost/etc/passwd', false],
  ])('%s: %s', (address, expected) => {
    expect(isProtected(address)).toBe(expected)
  })
})

describe('the settings of signing in', () => {
  it('are taken together or not at all', () => {
    expect(faultsOf({})).toEqual([])
    expect(faultsOf({ OIDC_CLIENT_ID: '', OIDC_REDIRECT_URL: '', OIDC_MAPPING: '' })).toEqual([
      'OIDC_CLIENT_ID',
      'OIDC_REDIRECT_URL',
      'OIDC_MAPPING',
    ])
    expect(faultsOf({ OIDC_ISSUER: '' })).toEqual([])
  })

  it('are https, except on the machine itself', () => {
    expect(faultsOf({ OIDC_ISSUER: 'http://id.example.com' })).toEqual(['OIDC_ISSUER'])
    expect(faultsOf({ OIDC_REDIRECT_URL: 'http://10.0.0.1/desk' })).toEqual(['OIDC_REDIRECT_URL'])
    expect(faultsOf({ OIDC_REDIRECT_URL: 'http://127.0.0.1.example.com/desk' })).toEqual(['OIDC_REDIRECT_URL'])
    expect(faultsOf({ OIDC_ISSUER: 'http://localhost:8080/realms/x', OIDC_REDIRECT_URL: 'http://127.0.0.1:3003/desk' })).toEqual([])
    expect(faultsOf({ OIDC_ISSUER: 'https://id.example.com/?x=1' })).toEqual(['OIDC_ISSUER'])
  })

  it.each([
    'no JSON',
    '{}',
    '[]',
    JSON.stringify([{ ...rule, rights: ['rule'] }]),
    JSON.stringify([{ ...rule, rights: [] }]),
    JSON.stringify([{ ...rule, rights: ['read', 'read'] }]),
    JSON.stringify([{ ...rule, tenant_id: 'acme' }]),
    JSON.stringify([{ ...rule, scopes: [] }]),
    JSON.stringify([{ ...rule, scopes: ['Case 1'] }]),
    JSON.stringify([{ ...rule, claim: '' }]),
    JSON.stringify([{ ...rule, value: { $ne: null } }]),
    JSON.stringify([{ ...rule, tenant: 'x' }]),
  ])('refuse the mapping %s', mapping => {
    expect(faultsOf({ OIDC_MAPPING: mapping })).toEqual(['OIDC_MAPPING'])
  })

  it('last no longer than an hour, and ask for an ID token', () => {
    expect(faultsOf({ OIDC_SESSION_MINUTES: '61' })).toEqual(['OIDC_SESSION_MINUTES'])
    expect(faultsOf({ OIDC_SCOPES: 'email' })).toEqual(['OIDC_SCOPES'])
  })
})
