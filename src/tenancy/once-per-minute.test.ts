import { expect, it } from 'vitest'
import { createOncePerMinute } from './once-per-minute.js'

const setUp = () => {
  const time = { ms: 0 }
  const once = createOncePerMinute({ now: () => new Date(time.ms), monotonicMs: () => time.ms })
  const done: string[] = []
  const act = (name: string, network = 'here') => once({ network, name }, async () => done.push(name))
  return { time, once, done, act }
}

it('is done once for each name, and again a minute later', async () => {
  const { act, time, done } = setUp()
  expect(await Promise.all([act('a'), act('a'), act('b')])).toEqual([true, false, true])
  time.ms = 60_000
  expect(await act('a')).toBe(true)
  expect(done).toEqual(['a', 'b', 'a'])
})

it('is done for names of another network when one has had its many', async () => {
  const { act } = setUp()
  for (let n = 0; n < 200; n++) await act(`name ${n}`)
  expect(await act('one more')).toBe(false)
  expect(await act('somebody', 'elsewhere')).toBe(true)
})

it('is bounded over all networks', async () => {
  const { act, done } = setUp()
  for (let n = 0; n < 3000; n++) await act(`name ${n}`, `network ${n}`)
  expect(done).toHaveLength(2000)
})

it('that failed is done by the next', async () => {
  const { act, once } = setUp()
  await expect(once({ network: 'here', name: 'a' }, () => Promise.reject(new Error('no database')))).rejects.toThrow('no database')
  expect(await act('a')).toBe(true)
})
