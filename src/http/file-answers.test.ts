import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { createFileAnswers, type FileAnswersOptions } from './file-answers.js'

const placeBytes = 256 * 1024

it.each(['schedule', 'asOfPage', 'bundle'] as const)('%s holds a place among the transfers until its answer is out', async kind => {
  const never = () => new Promise<never>(() => undefined)
  const options = { scopes: { db: { inTenant: never } }, statements: { asOf: never, undatedAsOf: never }, readings: {} }
  const config = { maxFileBytes: 1, fileTotalBytes: 3 * placeBytes }
  const answers = createFileAnswers({ ...options, config } as unknown as FileAnswersOptions)
  const ask = () => {
    const raw = Object.assign(new EventEmitter(), { req: { socket: new EventEmitter() } })
    const call = { caller: { tenantId: 't', credential: 'k' }, request: {}, reply: { raw } } as never
    const name = { tenantId: 't', scopeId: 'case', at: '2026-01-31T09:00:00Z', format: 'xlsx' } as const
    return { raw, answer: Promise.race([answers[kind](call, name), new Promise(resolve => setImmediate(resolve, 'under way'))]) }
  }
  const held = [ask(), ask()]
  for (const { answer } of held) expect(await answer).toBe('under way')
  await expect(ask().answer).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  held[0]?.raw.emit('close')
  expect(await ask().answer).toBe('under way')
})
