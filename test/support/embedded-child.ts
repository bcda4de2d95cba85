/**
 * A process that owns an embedded server, for tests that kill it. Prints one line of JSON when the server is up, or the
 * reason why it is not; stops the server on SIGTERM.
 */

import { createLogger } from '../../src/platform/logger.js'
import { startEmbedded } from '../../src/store/embedded.js'

const dataDir = process.argv[2] ?? ''

try {
  const server = await startEmbedded({ dataDir, logger: createLogger({ level: 'silent' }) })
  process.once('SIGTERM', () => server.stop().then(() => process.exit(0)))
  process.stdout.write(
    `${JSON.stringify({ up: server.pid(), address: server.address, attached: server.attached, uid: process.getuid?.() })}\n`,
  )
} catch (error) {
  process.stdout.write(`${JSON.stringify({ failed: (error as Error).message })}\n`)
  process.exit(1)
}
