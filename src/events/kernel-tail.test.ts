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
  const append = async (type: string, data: string, { tenantId = 'a', scopeNo = 1 } = {}) => {
    const seen = new Promise<void>(resolve => {
      advanced = resolve
    })
    const scope = { tenantId, scopeNo, scopeId: `case ${scopeNo}` }
    log.push({ ...scope, xid: log.length + 1, id: 1, seq: log.length, type, subject: 'paper', data, time: '2026-01-01T00:00:00Z' })
    hints.notify('events')
    await seen
  }
  return { tail, append }
}

const words = '{"reason":"Kestrelmere sends it"}'

it.each(['document.erased', 'scope.reset', 'scope.deleted'])(
  'blanks what came before %s in its scope alone, so that erased words are not read from it',
  async type => {
    const { tail, append } = openTail()
    await append('document.held', words)
    await append('document.held', words, { scopeNo: 2 })
    await append('document.held', words, { tenantId: 'b' })
    for (const event of tail.after({ xid: 0, id: 0 }, 10) ?? []) tail.tenantFrameOf(event)
    await append(type, '{}')
    const [blank, ...others] = tail.after({ xid: 0, id: 0 }, 10) ?? []
    expect(blank).toMatchObject({ xid: 1, type: 'document.held', isBlank: true, frame: '', data: '' })
    expect(JSON.stringify(blank)).not.toMatch('Kestrelmere')
    expect(others.map(event => [event.type, event.isBlank, event.frame.includes('Kestrelmere')])).toEqual([
      ['document.held', undefined, true],
      ['document.held', undefined, true],
      [type, undefined, false],
    ])
  },
)

it('blanks the events of a tenant that was removed, so that erased words are not read from it', async () => {
  const { tail, append } = openTail()
  await append('document.held', words)
  await append('document.held', words, { scopeNo: 2 })
  await append('document.held', words, { tenantId: 'b' })
  await append('tenant.removed', '{"tenant_id":"a"}', { tenantId: 'service', scopeNo: 0 })
  expect(tail.after({ xid: 0, id: 0 }, 10)?.map(event => event.isBlank)).toEqual([true, true, undefined, undefined])
})

it('goes past the removal of no tenant', async () => {
  const { tail, append } = openTail()
  await append('document.held', words)
  await append('tenant.removed', 'null', { scopeNo: 0 })
  expect(tail.after({ xid: 0, id: 0 }, 10)?.map(event => event.isBlank)).toEqual([undefined, undefined])
})
