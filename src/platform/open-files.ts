/** How many files and sockets this process may have open (`ulimit -n`); undefined where the system does not say. */

import { readFileSync } from 'node:fs'

export function openFilesLimit(): number | undefined {
  return fromLinux() ?? fromReport()
}

/** The report of Node.js tells everywhere, but takes a tenth of a second to write. */
function fromLinux(): number | undefined {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}

function fromReport(): number | undefined {
  const report = process.report.getReport() as unknown as { userLimits?: { open_files?: { soft?: unknown } } }
  const soft = report.userLimits?.open_files?.soft
  return typeof soft === 'number' || (typeof soft === 'string' && /^\d+$/.test(soft)) ? Number(soft) : undefined
}
