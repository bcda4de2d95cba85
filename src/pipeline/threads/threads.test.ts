import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { accountOf } from './fair-turns.js'
import { createThreads } from './threads.js'

/** Answers each task with the number of its thread. */
const answering = `const { parentPort, threadId } = require('node:worker_threads')
parentPort.on('message', () => parentPort.postMessage({ answer: threadId }))
parentPort.postMessage('ready')`

it('keeps the first thread while there is nothing to do, and ends the others', async () => {
  const started: Worker[] = []
  const start = () => {
    const worker = new Worker(answering, { eval: true })
    started.push(worker)
    return worker
  }
  const threads = createThreads({ threads: 1, idleMs: 1, start })
  const { signal } = new AbortController()
  const job = { name: 'warm', task: {}, account: accountOf({ tenantId: 't', weight: 1 }), size: 0, signal, timeoutMs: 60_000 } as const
  try {
    const [first] = await Promise.all([threads.run(job), threads.run(job)])
    expect(started).toHaveLength(2)
    const other = started[1] as Worker
    if (other.threadId !== -1) await once(other, 'exit')
    expect((await threads.run(job))?.answer, 'it goes on in the thread it had').toBe(first?.answer)
    await threads.run({ ...job, preferred: 1 })
    expect(started).toHaveLength(3)
  } finally {
    await threads.close()
  }
})
