import { describe, expect, it } from 'vitest'
import { misspeltSettings } from './misspelt-settings.js'

const known = ['HOST', 'PORT', 'DATA_DIR', 'WORKERS_MIN', 'WORKERS_MAX', 'LOG_LEVEL', 'DATABASE_URL', 'DATABASE_URL_FILE']

describe('a misspelt setting', () => {
  it.each([
    ['WORKER_MIN', 'WORKERS_MIN'],
    ['WORKERS_MXA', 'WORKERS_MAX'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['CONCORD_DATA_DIR', 'DATA_DIR'],
    ['CONCORD_PORT', 'PORT'],
  ])('%s is pointed out as %s', (name, meant) => {
    expect(misspeltSettings([name], known)).toEqual([{ name, meant }])
  })

  it.each(['HOME', 'POST', 'HOSTNAME', 'PATH', 'DATA', 'WORKERS_MIN', 'CONCORD_URL', 'MAX_WORKERS', 'npm_config_loglevel'])(
    '%s is none',
    name => {
      expect(misspeltSettings([name], known)).toEqual([])
    },
  )
})
