/** What the audit log does while the database is away. */

import { afterAll, expect, it, vi } from 'vitest'
import { createLogger } from '../platform/logger.js'
import type { Database } from '../store/server/database.js'

const { pauses, goOn } = vi.hoisted(() => ({ pauses: [] as number[], goOn: { rounds: 0 } }))

/** Short pauses are over at once, for so many rounds; all others last until the loop is stopped. */
vi.mock('../platform/deadline.js', async original => ({
  ...(await original<typeof import('../platform/deadline.js')>()),
  pause: async (ms: number, signal: AbortSignal) => {
    if (ms < 60_000) pauses.push(ms)
    if (ms < 60_000 && goOn.rounds-- > 0) return
    await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
  },
}))

// Another test of the same process may have loaded it with true pauses, and the next must not get these.
vi.resetModules()
afterAll(() => void vi.resetModules())
const { createAudit } = await import('./audit.js')

const call = { tier: 'tenant', action: 'ingestDocument', status: 401, address: '192.0.2.1' }

/** Statements fail that begin with a word in `failing`. */
function openAudit(...words: string[]) {
  const failing = new Set(words)
  const written: { statement: string; values: unknown[] }[] = []
  const engineQuery = async (text: string, values: unknown[]) => {
    const [statement = ''] = text.trimStart().split(' ')
    written.push({ statement, values })
    if (failing.has(statement)) throw new Error(`no ${statement}`)
    return { rows: [], rowCount: 0 }
  }
  const audit = createAudit({ db: { engineQuery } as unknown as Database, logger: createLogger({ level: 'silent' }) })
  return { audit, written, failing }
}

it('writes counted calls also when answers cannot be written', async () => {
  const { audit, written } = openAudit('update')
  audit.finish(1, 200)
  audit.count(call)
  await audit.close()
  expect(written.map(each => each.statement)).toEqual(['update', 'insert'])
})

it('keeps calls that could not be written, and adds those that came meanwhile', async () => {
  const { audit, written, failing } = openAudit('insert')
  audit.count(call)
  audit.count({ ...call, status: 403 })
  const flushed = audit.flush()
  audit.count(call)
  await expect(flushed).rejects.toThrow('no insert')
  failing.clear()
  await audit.close()
  expect(written).toHaveLength(2)
  const rows = JSON.parse(String(written.at(-1)?.values[0])) as { status: number; detail: object }[]
  expect(rows.map(row => [row.status, row.detail])).toEqual([
    [401, { calls: 2 }],
    [403, { calls: 1 }],
  ])
})

it('pauses longer after every failure, and writes counted calls once a minute', async () => {
  pauses.length = 0
  goOn.rounds = 12
  const { audit, written } = openAudit('update')
  audit.finish(1, 200)
  audit.count(call)
  await vi.waitFor(() => expect(pauses).toHaveLength(13))
  expect(written.map(each => each.statement)).toEqual(Array.from({ length: 12 }, () => 'update'))
  const [idle, ...afterFailures] = pauses
  expect(idle).toBe(500)
  for (const [index, ms] of afterFailures.entries()) {
    const full = Math.min(30_000, 1000 * 2 ** index)
    expect(ms).toBeGreaterThanOrEqual(full / 2)
    expect(ms).toBeLessThanOrEqual(full)
  }
  await audit.close()
})
