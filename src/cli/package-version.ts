/** Name and version of this package, as its own package.json says. */

import { createRequire } from 'node:module'

export function packageVersion(): string {
  return manifest().version
}

export function packageName(): string {
  return manifest().name
}

function manifest(): { name: string; version: string } {
  return createRequire(import.meta.url)('../../package.json') as { name: string; version: string }
}
