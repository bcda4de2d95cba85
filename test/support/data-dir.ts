/** For a service with a server of its own: a folder as its first start leaves it, with nothing in it. */

import { inject } from 'vitest'
import { copyFolder } from './copy-folder.js'

export function copyDataDir(to: string): void {
  copyFolder(inject('dataDir'), to)
}
