/** The server of the worker this test runs in: no test of another worker has anything under way there. */

import { inject } from 'vitest'
import type { DatabaseAddress } from '../../src/store/server/connection.js'

export function testServer(): DatabaseAddress {
  const servers = inject('servers')
  // Numbers of workers begin with 1.
  return servers[(Number(process.env['VITEST_POOL_ID'] ?? 1) - 1) % servers.length] as DatabaseAddress
}
