import { expect, it } from 'vitest'
import { systemClock } from '../platform/clock.js'
import { createLogger } from '../platform/logger.js'
import type { IngestRow } from '../store/documents/ingest.js'
import { createFlush } from './flush.js'
import { toRow } from './ingest.js'

function row(documentId: string): IngestRow {
  const body = { scope_id: 'case', document_id: documentId, name: 'A paper', type: 'txt', text: 'Revenue was EUR 4M.' }
  return toRow({ tenantId: 'ten_a', body, idempotencyKey: null })
}

/** A flush over a database in which something of the tenant is held, and a clock that moves with every look at it. */
function heldUp() {
  const clock = { ...systemClock, nowMs: 0, stepMs: 0, monotonicMs: () => (clock.nowMs += clock.stepMs) }
  let asked = 0
  const engineQuery = async () => {
    asked++
    throw Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
  }
  const db = { engineQuery } as never
  const flush = createFlush({
    db,
    hints: { notify: () => undefined } as never,
    logger: createLogger({ level: 'silent' }),
    clock,
    makeScopes: true,
  })
  const outcomes = async (rows: IngestRow[], patient = false) =>
    (await flush(rows, { patient })).map(answer => (answer instanceof Error ? answer.message : answer.outcome))
  return { clock, outcomes, asked: () => asked }
}

it('keeps all rows of a tenant that a long act holds together, whenever the time of not asking for it ends', async () => {
  const { clock, outcomes, asked } = heldUp()
  expect(await outcomes([row('first')])).toEqual(['busy'])
  clock.nowMs = 1999
  clock.stepMs = 0.6
  expect(await outcomes([row('a'), row('b')])).toEqual(['busy', 'busy'])
  expect(asked()).toBe(1)
})

it('goes on not asking for a tenant that a patient flush did not get either', async () => {
  const { outcomes, asked } = heldUp()
  expect(await outcomes([row('first')])).toEqual(['busy'])
  expect(await outcomes([row('first')], true)).toEqual(['busy'])
  expect(await outcomes([row('second')])).toEqual(['busy'])
  expect(asked()).toBe(2)
})
