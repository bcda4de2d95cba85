/** Copies the data folder of a server that is stopped. */

import { chmodSync, cpSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
  // Node.js 24 gives copied folders the usual mode instead of their own.
  for (const name of ['', 'postgres', 'run']) if (existsSync(join(from, name))) chmodSync(join(to, name), statSync(join(from, name)).mode)
}
