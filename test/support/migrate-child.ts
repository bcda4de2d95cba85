/** A process that migrates a database, for tests in which many do so at once. Ends with 0 when the schema is current. */

import { createLogger } from '../../src/platform/logger.js'
import type { DatabaseAddress } from '../../src/store/connection.js'
import { migrate } from '../../src/store/migrate.js'
import { testLimits } from './limits.js'

const address = JSON.parse(process.argv[2] ?? '{}') as DatabaseAddress
const { applied } = await migrate({ address, limits: testLimits, logger: createLogger({ level: 'silent' }) })
process.stdout.write(String(applied.length))
