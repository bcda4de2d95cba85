import { describe, expect, it } from 'vitest'
import { isEndpointOf } from './oidc-settings.js'

describe('an address that an issuer names', () => {
  const remote = 'https://id.example.com/realm'

  it.each(['https://id.example.com/token', 'https://keys.example.net/jwks'])('%s can be of one elsewhere', address => {
    expect(isEndpointOf(remote, address)).toBe(true)
  })

  it.each([
    'http://127.0.0.1:9/token',
    'http://localhost/token',
    'https://localhost/token',
    'https://a.localhost./token',
    'https://127.8.8.8/token',
    'https://2130706433/token',
    'https://0.0.0.0/token',
    'https://[::1]/token',
    'https://[::ffff:127.0.0.1]/token',
    'http://id.example.com/token',
    'file:///etc/passwd',
    'nonsense',
    undefined,
  ])('%s cannot be of one elsewhere', address => {
    expect(isEndpointOf(remote, address)).toBe(false)
  })

  it('can be on this machine where the issuer is', () => {
    expect(isEndpointOf('http://127.0.0.1:8080', 'http://localhost:8080/token')).toBe(true)
    expect(isEndpointOf('http://127.0.0.1:8080', 'http://id.example.com/token')).toBe(false)
  })
})
