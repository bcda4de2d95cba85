/** Whether the log would have who opened something between two moments: where it would, a list without anybody says that nobody did. */

import type { ReadsKeptRow } from '../store/tenants/audit.js'

/** `to` is now where it is null. */
export function readsKeptBetween(
  rows: readonly ReadsKeptRow[],
  { from, to }: { from: string; to: string | null },
): 'all' | 'people' | 'part' | 'none' {
  const [fromMs, toMs] = [Date.parse(from), to === null ? Number.POSITIVE_INFINITY : Date.parse(to)]
  const times = rows.map(({ since, reads }) => ({ sinceMs: Date.parse(since), reads }))
  const begins = Math.max(fromMs, ...times.filter(({ reads }) => reads === null).map(({ sinceMs }) => sinceMs))
  const settings = [{ sinceMs: Number.NEGATIVE_INFINITY, reads: 'off' as const }, ...times.filter(({ reads }) => reads !== null)]
  const kept = new Set(
    settings
      .filter(
        ({ sinceMs }, place) => sinceMs <= toMs && (settings[place + 1]?.sinceMs ?? Number.POSITIVE_INFINITY) > begins && begins <= toMs,
      )
      .map(({ reads }) => reads),
  )
  if (begins > fromMs) kept.add('off')
  if (kept.has('off')) return kept.size === 1 ? 'none' : 'part'
  return kept.has('people') ? 'people' : 'all'
}
