import { describe, expect, it } from 'vitest'
import { misspeltSettings } from './misspelt-settings.js'

const known = ['HOST', 'PORT', 'DATA_DIR', 'WORKERS', 'LEASE_MS', 'LOG_LEVEL', 'DATABASE_URL', 'DATABASE_URL_FILE']

describe('a misspelt setting', () => {
  it.each([
    ['WORKER', 'WORKERS'],
    ['LEASE_MSS', 'LEASE_MS'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['CONCORD_DATA_DIR', 'DATA_DIR'],
    ['CONCORD_PORT', 'PORT'],
  ])('%s is pointed out as %s', (name, meant) => {
    expect(misspeltSettings([name], known)).toEqual([{ name, meant }])
  })

  it.each(['HOME', 'POST', 'HOSTNAME', 'PATH', 'DATA', 'WORKERS', 'CONCORD_URL', 'MAX_WORKERS', 'npm_config_loglevel'])(
    '%s is none',
    name => {
      expect(misspeltSettings([name], known)).toEqual([])
    },
  )
})
