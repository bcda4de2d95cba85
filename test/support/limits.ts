/** Time limits of database sessions in tests: generous, since the machine is shared. */

import type { SessionLimits } from '../../src/store/server/connection.js'

export const testLimits: SessionLimits = { connectTimeoutMs: 20_000, statementTimeoutMs: 30_000 }
