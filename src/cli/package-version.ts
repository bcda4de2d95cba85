/** The version of this package, as its own package.json says. */

import { createRequire } from 'node:module'

const manifest = () => createRequire(import.meta.url)('../../package.json') as { version: string }

export const packageVersion = (): string => manifest().version
