/** The version of this package, as its own package.json says. */

import { createRequire } from 'node:module'

export function packageVersion(): string {
  return (createRequire(import.meta.url)('../../package.json') as { version: string }).version
}
