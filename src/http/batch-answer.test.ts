import { expect, it } from 'vitest'
import { systemClock } from '../platform/clock.js'
import { AppError } from '../platform/errors.js'
import { createLogger } from '../platform/logger.js'
import { createBatchAnswer } from './batch-answer.js'
import type { Call } from './handler.js'
import type { Services } from './services.js'

const call = {
  caller: { permission: null } as Call['caller'],
  tenantId: 'ten_1',
  trace: null,
  headers: {},
  requestId: 'req_1',
  countAgain: () => undefined,
}

function answering(accept: Services['ingest']['accept']) {
  const lines: string[] = []
  const logger = createLogger({ level: 'warn', destination: { write: line => void lines.push(line) } })
  const answer = createBatchAnswer({ ingest: { accept } as Services['ingest'], scopes: { logger, clock: systemClock } })
  return { answer, lines }
}

it('logs an entry that fails inside, by its request and place, without the words of the document', async () => {
  const accept: Services['ingest']['accept'] = async ({ body }) => {
    if (body.text === 'good') return { replayed: false, response: { document_id: 'a' } } as never
    throw new Error(`cannot store ${body.text}`)
  }
  const { answer, lines } = answering(accept)
  const documents = ['good', 'The secret figure is 41.'].map(text => ({ scope_id: 'case-1', name: 'A note', text }))
  const { body } = await answer({ ...call, body: { documents } })
  expect(body).toMatchObject({ accepted: 1, refused: 1, items: [{ document_id: 'a' }, { status: 500, code: 'INTERNAL' }] })
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { level: 'error', msg: 'batch entry failed', request_id: 'req_1', tenant_id: 'ten_1', entry: 1 },
  ])
  expect(lines.join()).not.toContain('secret')
})

it('logs why storage did not take an entry, once for all of them', async () => {
  const { answer, lines } = answering(async () => {
    throw new AppError('STORAGE_UNAVAILABLE', { cause: new Error('timeout expired') })
  })
  const documents = ['one', 'two', 'three'].map(text => ({ scope_id: 'case-1', name: 'A note', text }))
  expect((await answer({ ...call, body: { documents } })).body).toMatchObject({ accepted: 0, refused: 3 })
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { level: 'warn', msg: 'storage unavailable', request_id: 'req_1', tenant_id: 'ten_1', entry: 0, err: { message: 'timeout expired' } },
  ])
})
