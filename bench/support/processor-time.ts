/** Processor time and memory of programs that a benchmark started, PostgreSQL among them, as the kernel counts them. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Of a process and all it started, in whole hundredths of a second; 0 where there is no /proc. */
export function processorUs(root: number): number {
  const tick = 10_000
  let sum = 0
  for (const pid of existsSync('/proc') ? readdirSync('/proc').filter(name => /^\d+$/.test(name)) : []) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const isRoot = Number(pid) === root
      if (!isRoot && Number(fields[1]) !== root) continue
      // Of the first also what those it started took that have ended.
      for (const field of isRoot ? [11, 12, 13, 14] : [11, 12]) sum += Number(fields[field]) * tick
    } catch (error) {
      // A process that ended meanwhile has nothing to tell.
      if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
  return sum
}

/** The most memory that a process ever had, without those it started; not a number where there is no /proc. */
export function peakMib(pid: number): number {
  const path = `/proc/${pid}/status`
  return existsSync(path) ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync(path, 'utf8'))?.[1]) / 1024 : Number.NaN
}
