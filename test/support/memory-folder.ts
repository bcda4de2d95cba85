/**
 * Where a run keeps what it throws away: in memory where the system has a folder for that with room in it, because to copy and
 * remove the files of a cluster takes seconds on some disks. Undefined elsewhere, and where programs may not run from it.
 */

import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const folder = '/dev/shm'
const leastBytes = 3 * 2 ** 30

export function memoryFolder(): string | undefined {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find(line => line.split(' ')[1] === folder)
    const { bavail, bsize } = statfsSync(folder)
    accessSync(folder, constants.W_OK)
    const isFit = mount?.split(' ')[2] === 'tmpfs' && !/\bnoexec\b/.test(mount)
    return isFit && bavail * bsize >= leastBytes && freemem() >= 2 * leastBytes ? folder : undefined
  } catch {
    // No such folder, or none of ours: the usual one will do.
    return undefined
  }
}
