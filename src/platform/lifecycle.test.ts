import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createLifecycle, type Part } from './lifecycle.js'
import { createLogger } from './logger.js'

const logger = createLogger({ level: 'silent' })

function recorded(...names: string[]) {
  const log: string[] = []
  const parts = names.map(
    (name): Part => ({
      name,
      start: async () => void log.push(`start ${name}`),
      stop: async () => void log.push(`stop ${name}`),
    }),
  )
  return { log, parts }
}

describe('lifecycle', () => {
  it('starts in order and stops in reverse', async () => {
    const lifecycle = createLifecycle({ logger, graceMs: 1000 })
    const { log, parts } = recorded('database', 'server')
    for (const part of parts) lifecycle.add(part)
    await lifecycle.start()
    const report = await lifecycle.stop('test')
    expect(log).toEqual(['start database', 'start server', 'stop server', 'stop database'])
    expect(report).toMatchObject({ reason: 'test', failed: [] })
    expect(await lifecycle.stopped).toBe(report)
  })

  it('stops what was started when a part fails to start', async () => {
    const lifecycle = createLifecycle({ logger, graceMs: 1000 })
    const { log, parts } = recorded('database', 'server')
    lifecycle.add(parts[0]!)
    lifecycle.add({ name: 'broken', start: () => Promise.reject(new Error('no port')) })
    lifecycle.add(parts[1]!)
    await expect(lifecycle.start()).rejects.toThrow('no port')
    expect(log).toEqual(['start database', 'stop database'])
  })

  it('goes on stopping when a part hangs or fails, and names it', async () => {
    const lifecycle = createLifecycle({ logger, graceMs: 30 })
    const { log, parts } = recorded('database')
    lifecycle.add({ ...parts[0]!, stopMs: 1000 })
    lifecycle.add({ name: 'hangs', stop: () => new Promise(() => undefined) })
    lifecycle.add({ name: 'fails', stop: () => Promise.reject(new Error('no')) })
    await lifecycle.start()
    expect((await lifecycle.stop('test')).failed).toEqual(['fails', 'hangs'])
    expect(log).toEqual(['start database', 'stop database'])
  })

  it('stops once, however often it is asked', async () => {
    const lifecycle = createLifecycle({ logger, graceMs: 1000 })
    const { log, parts } = recorded('server')
    lifecycle.add(parts[0]!)
    await lifecycle.start()
    await Promise.all([lifecycle.stop('one'), lifecycle.stop('two')])
    expect(log).toEqual(['start server', 'stop server'])
  })

  it('does not start the rest when it is stopped while starting', async () => {
    const lifecycle = createLifecycle({ logger, graceMs: 1000 })
    const { log, parts } = recorded('server')
    lifecycle.add({ name: 'slow', start: async () => void lifecycle.stop('early') })
    lifecycle.add(parts[0]!)
    await lifecycle.start()
    expect(log).toEqual([])
  })

  it('stops at the first signal and ends at once at the second', async () => {
    const exits: number[] = []
    const source = Object.assign(new EventEmitter(), { exit: (code: number) => exits.push(code) })
    const lifecycle = createLifecycle({ logger, graceMs: 1000 })
    const stopListening = lifecycle.onSignals(source)
    await lifecycle.start()
    source.emit('SIGTERM')
    expect((await lifecycle.stopped).reason).toBe('SIGTERM')
    expect(exits).toEqual([])
    source.emit('SIGINT')
    expect(exits).toEqual([130])
    stopListening()
    expect(source.listenerCount('SIGTERM')).toBe(0)
  })
})
