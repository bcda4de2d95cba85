import { expect, it, onTestFinished } from 'vitest'
import { createLogger } from '../platform/logger.js'
import type { Database } from '../store/server/database.js'
import { createHints } from './hints.js'
import { KernelTail } from './kernel-tail.js'

const logger = createLogger({ level: 'silent' })

/** A log in memory; `append` ends when the tail has the event. */
function openTail() {
  const log: Record<string, unknown>[] = []
  const engineQuery = async (_text: string, values: unknown[] = []) => ({
    rows: log.filter(event => Number(event['xid']) > Number(values[0])),
  })
  const hints = createHints({ logger })
  let advanced: () => void = () => undefined
  const tail = new KernelTail({ db: { engineQuery } as unknown as Database, idKey: 'key', hints, logger, onAdvance: () => advanced() })
  onTestFinished(() => tail.close())
  tail.run({ xid: 0, id: 0 })
  const append = async (type: string, data: string) => {
    const seen = new Promise<void>(resolve => {
      advanced = resolve
    })
    const place = { xid: String(log.length + 1), id: 1, tenant_id: 'a', scope_no: 1, scope_id: 'case', seq: log.length }
    log.push({ ...place, type, subject: 'paper', data, time: '2026-01-01T00:00:00Z' })
    hints.notify('events')
    await seen
  }
  return { tail, append }
}

it.each(['document.erased', 'scope.reset', 'scope.deleted', 'tenant.removed'])(
  'keeps nothing of before %s, so that erased words are not read from it',
  async type => {
    const { tail, append } = openTail()
    await append('document.held', '{"reason":"Kestrelmere sends it"}')
    expect(tail.after({ xid: 0, id: 0 }, 10)).toMatchObject([{ type: 'document.held' }])
    const atTheEnd = tail.end
    await append(type, '{}')
    expect(tail.after({ xid: 0, id: 0 }, 10)).toBeNull()
    expect(tail.after(atTheEnd, 10)).toMatchObject([{ type }])
  },
)
