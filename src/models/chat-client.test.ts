import { describe, expect, it } from 'vitest'
import { parseRetryAfter, retryDelayMs } from './chat-client.js'

describe('waiting before another attempt', () => {
  const options = { retryBaseMs: 100, retryMaxMs: 1000, random: () => 0.5 }

  it('is jittered below a ceiling that doubles up to the longest wait', () => {
    expect([0, 1, 2, 3, 4, 40].map(attempt => retryDelayMs(attempt, null, options))).toEqual([50, 100, 200, 400, 500, 500])
    expect(retryDelayMs(3, null, { ...options, random: () => 0 })).toBe(0)
  })

  it('is as long as the endpoint asks for, unless that is longer than the longest wait', () => {
    expect(retryDelayMs(0, 700, options)).toBe(700)
    expect(retryDelayMs(0, 1001, options)).toBeNull()
  })

  it('reads seconds and dates', () => {
    const now = Date.parse('2024-05-01T10:00:00Z')
    expect(parseRetryAfter('2', now)).toBe(2000)
    expect(parseRetryAfter('Wed, 01 May 2024 10:00:03 GMT', now)).toBe(3000)
    expect(parseRetryAfter('Wed, 01 May 2024 09:00:00 GMT', now)).toBe(0)
    expect(parseRetryAfter('soon', now)).toBeNull()
    expect(parseRetryAfter(null, now)).toBeNull()
  })
})
