/** How many files and sockets this process may have open (`ulimit -n`); undefined where the system does not say. */

export function openFilesLimit(): number | undefined {
  const report = process.report.getReport() as unknown as { userLimits?: { open_files?: { soft?: unknown } } }
  const soft = report.userLimits?.open_files?.soft
  return typeof soft === 'number' || (typeof soft === 'string' && /^\d+$/.test(soft)) ? Number(soft) : undefined
}
