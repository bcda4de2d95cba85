import { expect, it } from 'vitest'
import type { FailedDocument } from '../../store/documents/quarantine.js'
import type { HeldRead } from '../planning/batch-plan.js'
import { afterRefusal, blamed, nextReads, type Pending, pendingOf, type Refusal } from './pending-commits.js'

const read = (seq: number, attempts = 0) => ({ document: { seq, attempts }, packed: '{}', timings: {} }) as unknown as HeldRead
const reads = [read(1), read(2), read(3)]
const seqs = (pending: Pending) => pending.rest.map(({ document }) => document.seq)

/** How often the same refusal is answered with another try, and what comes after. */
function retries(refusal: Refusal, tried: readonly HeldRead[]): [number, string] {
  let pending = pendingOf(tried, [], false)
  for (let count = 0; ; count++) {
    const next = afterRefusal(pending, tried, refusal)
    if (next.to !== 'retry' || count === 100) return [count, next.to]
    pending = next.pending
  }
}

it('plans a document that failed before alone, and so each one after a failure', () => {
  expect(nextReads(pendingOf(reads, [], false))).toHaveLength(3)
  expect(nextReads(pendingOf(reads, [], true))).toHaveLength(1)
  expect(nextReads(pendingOf([read(1), read(2, 1), read(3)], [], false))).toHaveLength(1)
  expect(nextReads(pendingOf([read(1, 2), read(2)], [], false))).toHaveLength(1)
  const next = afterRefusal(pendingOf(reads, [], false), reads, 'failed')
  expect(next).toMatchObject({ to: 'retry', pending: { most: 1, rest: reads } })
})

it('blames the only document of a commit that failed, and nobody where there was none', () => {
  const [first] = reads as [HeldRead]
  expect(afterRefusal(pendingOf(reads, [], true), [first], 'failed')).toEqual({ to: 'blame', document: first.document, others: 'next' })
  expect(seqs(blamed(pendingOf(reads, [], true), { seq: 1 } as FailedDocument))).toEqual([2, 3])
  expect(afterRefusal(pendingOf([], [], false), [], 'failed')).toEqual({ to: 'give_up' })
})

it('lets one document through when the scope is paused', () => {
  const next = afterRefusal(pendingOf(reads, [], false), reads, 'paused')
  expect(next.to === 'drain' && seqs(next.pending)).toEqual([1])
})

it('waits for the database as long as it takes, for a scope that moves on and a server that is lost only so often', () => {
  expect(retries('unavailable', reads)).toEqual([100, 'retry'])
  expect(retries('changed', reads)).toEqual([20, 'blame'])
  expect(retries('changed', [])).toEqual([20, 'give_up'])
  expect(retries('server_lost', reads.slice(0, 1))).toEqual([10, 'blame'])
})
