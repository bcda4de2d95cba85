import { expect, it } from 'vitest'
import { AppError } from '../platform/errors.js'
import { createLogger } from '../platform/logger.js'
import type { Database } from '../store/server/database.js'
import { type AuditDraft, createAudit } from './audit.js'

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

it('writes the other rows of a statement that one row spoils', async () => {
  let statements = 0
  const engineQuery = async (_text: string, [json]: [string]) => {
    statements++
    const rows = JSON.parse(json) as { actor: string }[]
    if (rows.some(row => row.actor === 'spoilt')) throw Object.assign(new Error('on purpose'), { code: '22P02' })
    return { rows: rows.map(row => ({ id: Number(row.actor) })), rowCount: rows.length }
  }
  const audit = createAudit({ db: { engineQuery } as unknown as Database, logger: createLogger({ level: 'silent' }) })
  try {
    const begun = ['1', '2', 'spoilt', '4'].map(actor => audit.begin(draft(actor)))
    expect(await Promise.allSettled(begun)).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: expect.objectContaining({ code: '22P02' }) },
      { status: 'fulfilled', value: 4 },
    ])
    expect(statements).toBe(5)
  } finally {
    await audit.close()
  }
})

it('refuses all rows of a statement at once when the database is away', async () => {
  let statements = 0
  const engineQuery = async () => {
    statements++
    throw new AppError('STORAGE_UNAVAILABLE', { detail: 'on purpose' })
  }
  const audit = createAudit({ db: { engineQuery } as unknown as Database, logger: createLogger({ level: 'silent' }) })
  const begun = await Promise.allSettled(['1', '2', '3'].map(actor => audit.begin(draft(actor))))
  expect(begun.map(each => each.status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(statements).toBe(2)
  await audit.close()
})

function draft(actor: string): AuditDraft {
  const nobody = { tenantId: null, scopeId: null, requestId: '-', address: null, detail: {} }
  return { tier: 'admin', actor, action: 'createTenant', outcome: 'allowed', ...nobody }
}
