import { expect, it, onTestFinished, vi } from 'vitest'
import { isSameReader } from './same-reader'
import { fetchAsNow, hasEnded, isOperator, me, resume, signIn } from './session'

const ada = { tenant_id: 't-1', person: 'ada', rights: ['read' as const, 'decide' as const], reach: null }
const key = { ...ada, person: null }

it('knows a person again by their name, whatever they may do by now', () => {
  expect(isSameReader(ada, { ...ada, rights: ['read'], reach: ['case-1'] })).toBe(true)
  expect(isSameReader(ada, { ...ada, person: 'bob' })).toBe(false)
  expect(isSameReader(ada, { ...ada, tenant_id: 't-2' })).toBe(false)
})

it('knows a key of nobody by name by what it may do', () => {
  expect(isSameReader(key, { ...key, rights: ['decide', 'read'] })).toBe(true)
  expect(isSameReader(key, { ...key, rights: ['read'] })).toBe(false)
  expect(isSameReader(key, { ...key, reach: ['case-1'] })).toBe(false)
  expect(isSameReader(key, ada)).toBe(false)
  expect(isSameReader(ada, key)).toBe(false)
})

it('refuses a key that stands for no reader over a page whose session has ended', async () => {
  const operator = { tier: 'admin', tenant_id: null, person: null, rights: [], reach: null }
  const reader = { ...ada, tier: 'tenant', session: { session_id: 's-1', csrf_token: 'token' } }
  let hasSession = true
  const answer = async (input: string | URL | Request, init?: RequestInit) => {
    const { url, headers } = new Request(input, init)
    if (url.endsWith('/api/sign-in')) return Response.json({ oidc: null, has_session: hasSession })
    if (headers.get('authorization') === 'Bearer the-admin-key') return Response.json(operator)
    return hasSession ? Response.json(reader) : Response.json({ code: 'SESSION_INVALID' }, { status: 401 })
  }
  const reload = vi.fn()
  const store = { getItem: () => null, removeItem: () => undefined }
  vi.stubGlobal('window', { location: { origin: 'http://desk.test', search: '', reload }, sessionStorage: store, fetch: answer })
  vi.stubGlobal('fetch', answer)
  onTestFinished(() => void vi.unstubAllGlobals())
  await resume()
  hasSession = false
  await fetchAsNow('http://desk.test/api/me')
  expect([me.value?.person, hasEnded.value]).toEqual(['ada', true])
  await expect(signIn('the-admin-key')).rejects.toThrow('Enter a tenant key, or press Leave')
  // The dialog stays over the page, the key is not kept, and what is half written is still there for who wrote it.
  expect([hasEnded.value, isOperator.value, reload.mock.calls.length]).toEqual([true, false, 0])
})
