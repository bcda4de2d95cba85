/**
 * What to do about a folder that fills, decided from what was seen in it: pure, time comes in as an argument.
 *
 *   new or changed → growing → finished (the same size and time of change for as long as it takes to settle) → known
 *   known → missing → gone, once it has been away for as long
 */

/** What tells without reading whether a file has changed. */
export interface Stamp {
  bytes: number
  changedMs: number
}

/** A file that was dealt with: its document, or why it is none. */
export interface Known extends Stamp {
  scopeId: string
  /** Of the document; stays when the file is renamed. */
  name: string
  /** SHA-256 of its content. */
  hash: string
  documentId: string | null
  /** Why it was not taken. */
  refusal: string | null
  isGone: boolean
}

export interface Watched {
  known: ReadonlyMap<string, Known>
  /** Since when a file is as it is. */
  growing: ReadonlyMap<string, Stamp & { sinceMs: number }>
  /** Since when a known file is away. */
  missing: ReadonlyMap<string, number>
}

export interface Look {
  finished: string[]
  gone: string[]
  growing: Map<string, Stamp & { sinceMs: number }>
  missing: Map<string, number>
}

export function lookAt(watched: Watched, seen: ReadonlyMap<string, Stamp>, { nowMs, settleMs }: { nowMs: number; settleMs: number }): Look {
  const look: Look = { finished: [], gone: [], growing: new Map(), missing: new Map() }
  for (const [path, stamp] of seen) {
    const known = watched.known.get(path)
    if (known !== undefined && !known.isGone && isSame(known, stamp)) continue
    const before = watched.growing.get(path)
    const sinceMs = before !== undefined && isSame(before, stamp) ? before.sinceMs : nowMs
    if (nowMs - sinceMs >= settleMs) look.finished.push(path)
    look.growing.set(path, { ...stamp, sinceMs })
  }
  for (const [path, { isGone }] of watched.known) {
    if (seen.has(path) || isGone) continue
    const sinceMs = watched.missing.get(path) ?? nowMs
    if (nowMs - sinceMs >= settleMs) look.gone.push(path)
    look.missing.set(path, sinceMs)
  }
  return look
}

/** Files that are gone are remembered, so that one that comes back under another name is known; the newest so many. */
const mostGone = 10_000

/** Marks it as gone, and forgets what has been gone longest. */
export function markGone(known: Map<string, Known>, path: string, most = mostGone): void {
  const file = known.get(path)
  if (file === undefined) return
  known.delete(path)
  known.set(path, { ...file, isGone: true })
  const gone = [...known].flatMap(([each, { isGone }]) => (isGone ? [each] : []))
  for (const each of gone.slice(0, Math.max(0, gone.length - most))) known.delete(each)
}

export type Step = { do: 'nothing' } | { do: 'rename'; from: string } | { do: 'send'; name: string }

export interface FinishedFile {
  path: string
  scopeId: string
  /** As the path gives it. */
  name: string
  hash: string
}

/** What a finished file is: as it was, another one's under a new name, or something to send. */
export function stepFor({ path, scopeId, name, hash }: FinishedFile, known: ReadonlyMap<string, Known>, seen: ReadonlySet<string>): Step {
  const before = known.get(path)
  if (before !== undefined)
    return before.hash === hash && before.scopeId === scopeId ? { do: 'nothing' } : { do: 'send', name: before.name }
  const moved = [...known].find(
    ([other, file]) => file.hash === hash && file.scopeId === scopeId && file.documentId !== null && !seen.has(other),
  )
  if (moved !== undefined) return { do: 'rename', from: moved[0] }
  const taken = new Set([...known.values()].filter(file => file.scopeId === scopeId && !file.isGone).map(file => file.name))
  return { do: 'send', name: freeName(name, taken) }
}

/** A renamed file keeps its document's name, so a new file of the old name needs another one. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2, free = name; ; free = `${name} (${number++})`) if (!taken.has(free)) return free
}

export function isSame(a: Stamp, b: Stamp): boolean {
  return a.bytes === b.bytes && a.changedMs === b.changedMs
}
