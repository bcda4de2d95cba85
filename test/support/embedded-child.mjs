/**
 * A process that owns an embedded server, for tests that kill it. Prints one line of JSON when the server is up, or the
 * reason why it is not; stops the server on SIGTERM. Loads the compiled program, as quickly as Node.js can.
 */

import { createLogger } from '../../dist/platform/logger.js'
import { startEmbedded } from '../../dist/store/server/embedded.js'

try {
  const server = await startEmbedded({ dataDir: process.argv[2] ?? '', logger: createLogger({ level: 'silent' }) })
  process.once('SIGTERM', () => server.stop().then(() => process.exit(0)))
  process.stdout.write(
    `${JSON.stringify({ up: server.pid(), address: server.address, attached: server.attached, uid: process.getuid?.() })}\n`,
  )
} catch (error) {
  process.stdout.write(`${JSON.stringify({ failed: error.message })}\n`)
  process.exit(1)
}
