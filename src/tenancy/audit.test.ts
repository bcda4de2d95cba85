import { expect, it } from 'vitest'
import { createLogger } from '../platform/logger.js'
import type { Database } from '../store/server/database.js'
import { createAudit } from './audit.js'

it('writes the statuses of answers later when the database was away', async () => {
  const written: unknown[] = []
  let isAway = true
  const engineQuery = async (_text: string, values: unknown[]) => {
    if (isAway) throw new Error('the database is away')
    written.push(values)
    return { rows: [], rowCount: 0 }
  }
  const audit = createAudit({ db: { engineQuery } as unknown as Database, logger: createLogger({ level: 'silent' }) })
  try {
    audit.finish(1, 200)
    await expect(audit.flush()).rejects.toThrow('away')
    audit.finish(2, 404)
    isAway = false
    await audit.flush()
    await audit.flush()
    expect(written).toEqual([
      [
        [1, 2],
        [200, 404],
      ],
    ])
  } finally {
    await audit.close()
  }
})
