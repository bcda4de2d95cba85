/**
 * An archive: a list of what is in it, and every file that is read given out to become a document of its own, under its path. How
 * large it says it is and how large it turns out to be are both looked at before anything of it is kept.
 */

import { type Attachment, type Extracted, type ExtractionLimits, FileFault, mostAttachedBytes, mostAttachments } from './extraction.js'
import { sampleOf, sniffKind } from './sniff.js'
import { TextWriter } from './text-writer.js'
import { unpackEntry } from './zip.js'
import { directoryOf, type ZipEntry } from './zip-directory.js'

/** Names that are listed. */
const mostListed = 1000

/** What programs put into archives for themselves. */
const leftOut = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|~\$[^/]*$)/i

export function extractZip(bytes: Buffer, { maxChars }: ExtractionLimits): Extracted {
  const all = directoryOf(bytes)
  refuseBombs(all, bytes.length)
  const entries = all.filter(({ name }) => !name.endsWith('/') && !leftOut.test(name))
  const { kept, counts } = unpackAll(bytes, entries)
  if (entries.length > 0 && counts.locked === entries.length) throw new FileFault('ENCRYPTED')
  if (entries.length > 0 && counts.damaged === entries.length) throw new FileFault('BROKEN')
  const out = new TextWriter({ kind: null, maxChars })
  if (entries.length > 0) out.line('Files in the archive:').gap(2)
  for (const { name } of entries.slice(0, mostListed)) out.line(`- ${name.replaceAll(/\s+/g, ' ')}`)
  if (entries.length > mostListed) out.line(`And ${entries.length - mostListed} more.`)
  return { ...out.finish(notesOf(counts)), attachments: kept }
}

/** By what it says itself: larger than may be kept, or files that share their bytes. */
function refuseBombs(entries: readonly ZipEntry[], archiveBytes: number): void {
  const [says, packed] = entries.reduce(([sum, own], each) => [sum + each.bytes, own + each.compressedBytes], [0, 0])
  if (says > mostAttachedBytes) throw new FileFault('TOO_LARGE')
  if (packed > archiveBytes) throw new FileFault('BROKEN')
}

interface Counts {
  unread: number
  locked: number
  damaged: number
  over: number
}

function unpackAll(bytes: Buffer, entries: readonly ZipEntry[]): { kept: Attachment[]; counts: Counts } {
  const kept: Attachment[] = []
  const counts: Counts = { unread: 0, locked: 0, damaged: 0, over: 0 }
  for (const entry of entries) {
    if (kept.length === mostAttachments) counts.over++
    else if (entry.encrypted) counts.locked++
    else {
      const content = unpackUnlessDamaged(bytes, entry)
      if (content === null) counts.damaged++
      else if (content.length === 0 || sniffKind(sampleOf(content, entry.name)) === null) counts.unread++
      else kept.push({ name: entry.name, declared: null, bytes: content })
    }
  }
  return { kept, counts }
}

/** Never more than it says: one that has more wants to fill the memory. */
function unpackUnlessDamaged(bytes: Buffer, entry: ZipEntry): Buffer | null {
  try {
    return unpackEntry(bytes, entry, entry.bytes)
  } catch (error) {
    if (error instanceof FileFault && error.code === 'BROKEN') return null
    throw error
  }
}

function notesOf({ unread, locked, damaged, over }: Counts): string[] {
  return [
    ...(unread === 0 ? [] : [`Files in the archive that are empty or of kinds that are not read: ${unread}.`]),
    ...(locked === 0 ? [] : [`Files in the archive that are protected by a password, not read: ${locked}.`]),
    ...(damaged === 0 ? [] : [`Files in the archive that are damaged, not read: ${damaged}.`]),
    ...(over === 0 ? [] : [`Files in the archive beyond the first ${mostAttachments}, not read: ${over}.`]),
  ]
}
