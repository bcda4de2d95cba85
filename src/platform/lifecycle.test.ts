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
    expect(await lifecycle.start()).toBe(false)
    expect(log).toEqual([])
  })

  it('stops a part that is starting once its start has ended, and tells it to end', async () => {
    const lifecycle = createLifecycle({ logger, graceMs: 1000 })
    const log: string[] = []
    let cameUp: () => void = () => undefined
    lifecycle.add({
      name: 'database',
      start: signal =>
        new Promise(resolve => {
          signal.addEventListener('abort', () => log.push('told'))
          cameUp = () => {
            log.push('up')
            resolve()
          }
        }),
      stop: async () => void log.push('stop'),
    })
    const started = lifecycle.start()
    const stopped = lifecycle.stop('early')
    expect(log).toEqual(['told'])
    cameUp()
    expect(await started).toBe(false)
    expect((await stopped).failed).toEqual([])
    expect(log).toEqual(['told', 'up', 'stop'])
  })

  it('fails for nobody who gave the start up', async () => {
    const lifecycle = createLifecycle({ logger, graceMs: 1000 })
    lifecycle.add({
      name: 'database',
      start: signal => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    })
    const started = lifecycle.start()
    await lifecycle.stop('early')
    expect(await started).toBe(false)
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

  it('stops in order when its terminal is closed, however often that is told', async () => {
    const exits: number[] = []
    const source = Object.assign(new EventEmitter(), { exit: (code: number) => exits.push(code) })
    const lifecycle = createLifecycle({ logger, graceMs: 1000 })
    lifecycle.onSignals(source)
    await lifecycle.start()
    source.emit('SIGHUP')
    source.emit('SIGHUP')
    expect((await lifecycle.stopped).reason).toBe('SIGHUP')
    expect(exits).toEqual([])
  })
})
