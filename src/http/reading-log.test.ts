import { expect, it } from 'vitest'
import type { Call } from './handler.js'
import { createReadingLog } from './reading-log.js'

it.each([
  ['ahead of', 20],
  ['behind', -20],
])('has a row for every hour of the log, with a clock %s the database’s', async (_, aheadMinutes) => {
  const hour = 3_600_000
  let database = Date.parse('2026-01-31T10:50:00Z')
  const rows: string[] = []
  const log = createReadingLog({
    audit: {
      noteReading: async () => {
        rows.push(new Date(database).toISOString().slice(11, 16))
        return hour - (database % hour)
      },
    },
    config: { auditReads: 'all' },
    now: () => new Date(database + aheadMinutes * 60_000),
  })
  const call = { caller: { tenantId: 't', permission: { key_id: 'key_1', person: 'Ada' } }, request: { id: 'r', ip: null } }
  for (const time of ['10:50', '10:59', '11:00', '11:05', '11:59', '12:01', '12:30']) {
    database = Date.parse(`2026-01-31T${time}:00Z`)
    await log.note(call as unknown as Call, { kind: 'document', scopeId: 'case', id: 'first' })
  }
  expect(rows).toEqual(['10:50', '11:00', '12:01'])
})
