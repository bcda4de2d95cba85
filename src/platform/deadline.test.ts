import { describe, expect, it } from 'vitest'
import { DeadlineError, pause, withDeadline } from './deadline.js'

const never = () => new Promise<never>(() => undefined)

describe('deadline', () => {
  it('gives what the work gives', async () => {
    expect(await withDeadline(async () => 'done', { ms: 1000, what: 'work' })).toBe('done')
  })

  it('rejects when the time is over, even if the work does not listen', async () => {
    await expect(withDeadline(never, { ms: 5, what: 'reading' })).rejects.toThrow('reading took longer than 5 ms')
  })

  it('tells the work that its time is over', async () => {
    let reason: unknown
    const work = (signal: AbortSignal) => new Promise<never>(() => signal.addEventListener('abort', () => (reason = signal.reason)))
    await expect(withDeadline(work, { ms: 5, what: 'work' })).rejects.toBeInstanceOf(DeadlineError)
    expect(reason).toBeInstanceOf(DeadlineError)
  })

  it('ends early with the reason of the signal it was given', async () => {
    const outside = new AbortController()
    const result = withDeadline(never, { ms: 60_000, what: 'work', signal: outside.signal })
    outside.abort(new Error('going home'))
    await expect(result).rejects.toThrow('going home')
    await expect(withDeadline(never, { ms: 60_000, what: 'work', signal: outside.signal })).rejects.toThrow('going home')
  })

  it('pauses no longer than its signal allows', async () => {
    const outside = new AbortController()
    const resting = pause(60_000, outside.signal)
    outside.abort()
    await resting
    await pause(60_000, outside.signal)
  })
})
