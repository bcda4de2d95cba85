/** A process that migrates a database, for tests in which many do so at once. Ends with 0 when the schema is current. */

import { createLogger } from '../../dist/platform/logger.js'
import { migrate } from '../../dist/store/server/migrate.js'

const { address, limits } = JSON.parse(process.argv[2] ?? '{}')
const { applied } = await migrate({ address, limits, logger: createLogger({ level: 'silent' }) })
process.stdout.write(String(applied.length))
