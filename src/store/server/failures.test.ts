import { describe, expect, it } from 'vitest'
import { isLineLost, isStorageUnavailable } from './failures.js'

describe('an error with a code', () => {
  const withCode = (code: string) => Object.assign(new Error('on purpose'), { code })

  it.each([
    ...['ECONNRESET', 'EPIPE', 'EAGAIN', 'EPROTO', 'ENETDOWN', 'ENOMEM', 'EAI_AGAIN', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SOCKET_CLOSED'],
    ...['CERT_HAS_EXPIRED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])('of the system or the line (%s) means that storage is away, and that nobody knows what became of a statement', code => {
    expect(isStorageUnavailable(withCode(code))).toBe(true)
    expect(isLineLost(withCode(code))).toBe(true)
  })

  it.each(['22021', '23505', 'P0001', 'XX000', 'ENOSPC', 'EIO', 'ENCRYPTED', 'ERR_INVALID_ARG_TYPE', 'ERR_STREAM_DESTROYED'])(
    'of a statement or a call (%s) is a fault of its own',
    code => {
      expect(isStorageUnavailable(withCode(code))).toBe(false)
      expect(isLineLost(withCode(code))).toBe(false)
    },
  )

  it('of a server that is full or stopping means that storage is away, on a line that holds', () => {
    for (const code of ['53100', '57P01']) {
      expect(isStorageUnavailable(withCode(code))).toBe(true)
      expect(isLineLost(withCode(code))).toBe(false)
    }
  })
})

it.each([
  'Connection terminated unexpectedly',
  'There was an error establishing an SSL connection',
  'The server does not support SSL connections',
  'Received unexpected commandComplete message from backend.',
])('the driver says without a code that the line failed: %s', message => {
  expect(isStorageUnavailable(new Error(message))).toBe(true)
  expect(isLineLost(new Error(message))).toBe(true)
})
