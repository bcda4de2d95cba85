import { expect, it, onTestFinished, vi } from 'vitest'
import { issuerName, resume } from './session'

it('asks again what the page needs first, also where the first answer took long and was a refusal', async () => {
  vi.useFakeTimers()
  const overloaded = { type: 'about:blank', title: 'Busy', status: 503, detail: 'Busy.', code: 'OVERLOADED', request_id: 'req_1' }
  let asked = 0
  const answer = async () => {
    asked++
    if (asked > 1) return Response.json({ oidc: { name: 'The company' }, has_session: false })
    await new Promise(resolve => setTimeout(resolve, 20_000))
    return Response.json(overloaded, { status: 503, headers: { 'retry-after': '2' } })
  }
  const store = { getItem: () => null, removeItem: () => undefined }
  vi.stubGlobal('window', { location: { origin: 'http://desk.test', search: '' }, sessionStorage: store, fetch: answer })
  vi.stubGlobal('fetch', answer)
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })
  const resumed = resume()
  await vi.advanceTimersByTimeAsync(60_000)
  await resumed
  expect([asked, issuerName.value]).toEqual([2, 'The company'])
})
