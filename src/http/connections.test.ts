import { describe, expect, it } from 'vitest'
import { socketLimits } from './connections.js'

const config = { sseMaxReaders: 20_000, databaseTenantPool: 10, databaseEnginePool: 12 }

describe('sockets', () => {
  it('are as many as the settings ask for where the system allows it', () => {
    expect(socketLimits(config, 1_000_000)).toEqual({ most: 28_192, reserve: 512, readers: 20_000 })
    expect(socketLimits(config, undefined)).toEqual(socketLimits(config, 1_000_000))
  })

  it('are divided within `ulimit -n`, with a reserve that streams cannot take', () => {
    const { most, reserve, readers } = socketLimits(config, 1024)
    expect(most).toBeLessThan(1024 - 22)
    expect(readers).toBeLessThan(most - reserve)
    expect(reserve).toBeGreaterThan(64)
  })

  it('are never so few that nobody is answered', () => {
    expect(socketLimits(config, 100)).toMatchObject({ most: 64, reserve: 16 })
  })
})
