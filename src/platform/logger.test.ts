import type { EventEmitter } from 'node:events'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { AppError } from './errors.js'
import { createLogger } from './logger.js'

function written(log: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = []
  log(createLogger({ level: 'info', destination: { write: line => void lines.push(line) } }))
  return lines.join('')
}

describe('logger', () => {
  it.each([
    { authorization: 'SECRET' },
    { headers: { authorization: 'SECRET', 'x-tenant-api-key': 'SECRET' } },
    { req: { headers: { authorization: 'SECRET', cookie: 'SECRET' } } },
    { body: { text: 'SECRET', quote: 'SECRET' } },
    { tenant: { api_key: 'SECRET', apiKey: 'SECRET' } },
    { database: { password: 'SECRET' } },
  ])('hides what %o holds', fields => {
    expect(written(logger => logger.info(fields, 'said'))).not.toContain('SECRET')
  })

  it('writes an error with its causes and without the row values of a database error', () => {
    const database = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: 'Key (text)=(SECRET)',
      where: 'SECRET',
      parameters: ['SECRET'],
    })
    const line = written(logger => logger.error({ err: new AppError('INTERNAL', { cause: database }) }, 'failed'))
    expect(line).not.toContain('SECRET')
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      err: { type: 'AppError', code: 'INTERNAL', cause: { code: '23505', message: 'duplicate key' } },
    })
  })
})

it('goes on when the terminal it wrote to was closed, and hides no other fault of its output', () => {
  const output = (createLogger({ level: 'info' }) as unknown as Record<symbol, EventEmitter>)[pino.symbols.streamSym]
  const failing = (code: string) => output?.emit('error', Object.assign(new Error(code), { code }))
  expect(() => failing('EPIPE')).not.toThrow()
  expect(() => failing('ENOSPC')).toThrow('ENOSPC')
  expect(() => failing('EIO')).not.toThrow()
  // What could not be written is not tried again, at the end neither.
  const { flushSync } = output as unknown as { flushSync: () => void }
  expect(Object.hasOwn(output ?? {}, 'flushSync')).toBe(true)
  expect(flushSync()).toBeUndefined()
})
