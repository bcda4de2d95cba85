import { describe, expect, it } from 'vitest'
import { limiter } from './limiter.js'

function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { opened, open }
}

describe('a limiter', () => {
  it('runs so many at once, lets so many wait and refuses the rest', async () => {
    const turns = limiter({ concurrency: 2, queueLimit: 1 })
    const { opened, open } = gate()
    const started: number[] = []
    const calls = [0, 1, 2, 3].map(index =>
      turns.run(async () => {
        started.push(index)
        await opened
        return index
      }),
    )
    expect(await calls[3]).toBeNull()
    expect(started).toEqual([0, 1])
    expect([turns.running(), turns.waiting()]).toEqual([2, 1])
    open()
    expect(await Promise.all(calls)).toEqual([0, 1, 2, null])
    expect([turns.running(), turns.waiting()]).toEqual([0, 0])
  })

  it('gives the place of a failed call to the next', async () => {
    const turns = limiter({ concurrency: 1, queueLimit: 5 })
    const failing = turns.run(() => Promise.reject(new Error('no')))
    const next = turns.run(async () => 'next')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('next')
    expect(turns.running()).toBe(0)
  })

  it('lets a waiting call leave the line', async () => {
    const turns = limiter({ concurrency: 1, queueLimit: 5 })
    const { opened, open } = gate()
    const first = turns.run(() => opened)
    const leaving = new AbortController()
    const second = turns.run(async () => 'second', leaving.signal)
    const third = turns.run(async () => 'third')
    leaving.abort()
    expect(await second).toBeNull()
    open()
    await first
    expect(await third).toBe('third')
  })
})
