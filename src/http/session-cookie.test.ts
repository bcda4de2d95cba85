import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { createSessionCookies, csrfTokenOf } from './session-cookie.js'

const request = (cookie: string | undefined, method = 'GET', token?: string) =>
  ({ method, headers: { cookie, 'x-csrf-token': token } }) as unknown as FastifyRequest

describe('the cookies of a browser', () => {
  it('are bound to the host over https, out of reach of scripts and of other sites', () => {
    const secure = createSessionCookies({ isSecure: true })
    expect(secure.keepSession(request(undefined), 't', 60)).toBe(
      '__Host-concord_session=t; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure',
    )
    expect(secure.dropSignIn(request(undefined))).toBe('__Host-concord_sign_in=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure')
    // What another host of the domain can set does not count.
    expect(secure.sessionOf(request('concord_session=t'))).toBeUndefined()
  })

  it('are as safe as the way they come, where nothing else is said', () => {
    const { keepSession, sessionOf } = createSessionCookies({})
    const over = (protocol: string, cookie?: string) => ({ ...request(cookie), protocol }) as unknown as FastifyRequest
    expect(keepSession(over('https'), 't', 60)).toMatch(/^__Host-concord_session=t; .*; Secure$/)
    expect(keepSession(over('http'), 't', 60)).toBe('concord_session=t; Path=/; Max-Age=60; HttpOnly; SameSite=Strict')
    expect(sessionOf(over('https', 'concord_session=t'))).toBeUndefined()
    expect(sessionOf(over('http', 'concord_session=cns_t'))).toBe('cns_t')
  })

  it('are found among others, by their whole name', () => {
    const { sessionOf } = createSessionCookies({ isSecure: false })
    expect(sessionOf(request('a=b; concord_session=cns_t; c=d'))).toBe('cns_t')
    for (const other of [undefined, '', 'concord_session', 'concord_session=', 'xconcord_session=t', 'a=concord_session=t']) {
      expect(sessionOf(request(other)), other).toBeUndefined()
    }
  })

  it('hold sessions and no keys', () => {
    const { sessionOf } = createSessionCookies({ isSecure: false })
    expect(() => sessionOf(request('concord_session=cnk_0123456789'))).toThrow('SESSION_INVALID')
  })

  it('change nothing without the token that follows from them', () => {
    const { sessionOf } = createSessionCookies({ isSecure: false })
    const cookie = 'concord_session=cns_t'
    expect(sessionOf(request(cookie, 'HEAD'))).toBe('cns_t')
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(sessionOf(request(cookie, method, csrfTokenOf('cns_t')))).toBe('cns_t')
      expect(() => sessionOf(request(cookie, method, csrfTokenOf('cns_u')))).toThrow('CSRF_INVALID')
      expect(() => sessionOf(request(cookie, method))).toThrow('CSRF_INVALID')
    }
  })
})
