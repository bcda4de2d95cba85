import { expect, it } from 'vitest'
import { AppError } from '../../platform/errors.js'
import { ModelWait, untilScopeIsFree } from './model-wait.js'

const taken = new AppError('STORAGE_UNAVAILABLE', { detail: 'Taken.', cause: Object.assign(new Error('lock timeout'), { code: '55P03' }) })
const patience = { tries: 3, betweenMs: 0 }

/** Fails so often before it goes through. */
function work(failures: number, error: unknown = taken) {
  let tried = 0
  const run = async () => {
    if (tried++ < failures) throw error
    return 'sent'
  }
  return { run, tried: () => tried }
}

it('tries again while somebody holds the lock of the scope', async () => {
  const { run, tried } = work(2)
  expect([await untilScopeIsFree(run, new AbortController().signal, patience), tried()]).toEqual(['sent', 3])
})

it('has the document wait where the lock stays taken, which is no failure of it', async () => {
  const { run, tried } = work(3)
  await expect(untilScopeIsFree(run, new AbortController().signal, patience)).rejects.toBeInstanceOf(ModelWait)
  expect(tried()).toBe(3)
})

it('ends with its signal', async () => {
  const stop = new AbortController()
  const { run, tried } = work(3)
  const ends = async () => run().finally(() => stop.abort(new Error('stopped')))
  await expect(untilScopeIsFree(ends, stop.signal, { tries: 3, betweenMs: 60_000 })).rejects.toThrow('stopped')
  expect(tried()).toBe(1)
})

it('passes on whatever else goes wrong', async () => {
  const { run, tried } = work(1, new Error('no'))
  await expect(untilScopeIsFree(run, new AbortController().signal, patience)).rejects.toThrow('no')
  expect(tried()).toBe(1)
})
