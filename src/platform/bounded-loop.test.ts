import { describe, expect, it } from 'vitest'
import { startLoop } from './bounded-loop.js'
import { createLogger, type Logger } from './logger.js'

const logger = createLogger({ level: 'silent' })
const longMs = 3_600_000

/** A round that tells when it was entered. */
function observed(outcomes: (() => Promise<'again' | 'idle'>)[]) {
  const waiting: (() => void)[] = []
  const state = { rounds: 0 }
  const run = async () => {
    const outcome = outcomes[state.rounds] ?? (async () => 'idle' as const)
    state.rounds++
    for (const resolve of waiting.splice(0)) resolve()
    return outcome()
  }
  const reached = async (rounds: number) => {
    while (state.rounds < rounds) await new Promise<void>(resolve => waiting.push(resolve))
  }
  return { state, run, reached }
}

describe('bounded loop', () => {
  it('goes on at once while there is work, then rests until it is woken', async () => {
    const { run, reached, state } = observed([async () => 'again', async () => 'again', async () => 'idle'])
    const loop = startLoop({ name: 'test', run, pollMs: longMs, logger })
    await reached(3)
    expect(state.rounds).toBe(3)
    await new Promise(resolve => setImmediate(resolve))
    loop.wake()
    await reached(4)
    await loop.stop()
    expect(state.rounds).toBe(4)
  })

  it('looks by itself without ever being woken', async () => {
    const { run, reached } = observed([])
    const loop = startLoop({ name: 'test', run, pollMs: 1, logger })
    await reached(5)
    await loop.stop()
  })

  it('does not lose a hint that comes during a round', async () => {
    const { run, reached } = observed([
      async () => {
        loop.wake()
        return 'idle'
      },
    ])
    const loop = startLoop({ name: 'test', run: () => Promise.resolve().then(run), pollMs: longMs, logger })
    await reached(2)
    await loop.stop()
  })

  it('survives failures, counts them, and forgets them after a good round', async () => {
    const fail = () => Promise.reject(new Error('database away'))
    const { run, reached } = observed([fail, fail, async () => 'idle'])
    const loop = startLoop({ name: 'test', run, pollMs: longMs, failurePauseMs: 1, maxFailurePauseMs: 2, logger, random: () => 0 })
    await reached(2)
    expect(loop.failures()).toBeGreaterThanOrEqual(1)
    await reached(3)
    await new Promise(resolve => setImmediate(resolve))
    expect(loop.failures()).toBe(0)
    await loop.stop()
  })

  it('logs ever fewer of the failures of an outage', async () => {
    const logged: number[] = []
    const warn = ({ failures }: { failures: number }) => void logged.push(failures)
    const { run, reached } = observed(Array.from({ length: 9 }, () => () => Promise.reject(new Error('database away'))))
    const loop = startLoop({ name: 'test', run, pollMs: longMs, failurePauseMs: 0, logger: { warn } as unknown as Logger })
    await reached(10)
    await loop.stop()
    expect(logged).toEqual([1, 2, 4, 8])
  })

  it('ends the round in hand when it is stopped, and waits for it', async () => {
    let ended = false
    let entered: () => void = () => undefined
    const inside = new Promise<void>(resolve => {
      entered = resolve
    })
    const loop = startLoop({
      name: 'test',
      pollMs: longMs,
      logger,
      run: signal => {
        entered()
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            ended = true
            reject(signal.reason)
          }),
        )
      },
    })
    await inside
    await loop.stop()
    expect(ended).toBe(true)
  })
})
