/**
 * What was attached to a mail or packed into an archive, as documents of their own: written as uploads first, then queued in the transaction that keeps
 * the mail's text, so that they exist if and only if the mail was read. What an earlier revision of the mail carried and this
 * one does not is retired when this one is admitted (`retireParts`).
 */

import { createHash } from 'node:crypto'
import { type FileKind, mediaTypes } from '../../contract/file-kinds.js'
import { type Attachment, mostAttachedBytes, mostAttachments } from '../../files/extraction.js'
import { isCurrentExtractor } from '../../files/extractors.js'
import { fileName, pathName } from '../../files/file-names.js'
import { sampleOf, sniffKind } from '../../files/sniff.js'
import { newId } from '../../platform/ids.js'
import type { Logger } from '../../platform/logger.js'
import { countParts, queueFile } from '../../store/documents/file-documents.js'
import { appendChunk, chunkBytes, dropUpload } from '../../store/documents/files.js'
import { keepFromModel, keptFromModelSince } from '../../store/documents/model-off.js'
import type { Lease, LeasedDocument } from '../../store/leases/leases.js'
import type { Database, TenantTransaction } from '../../store/server/database.js'

export interface MailParts {
  stage(attachments: readonly Attachment[]): Promise<void>
  /** Under the scope's lock: what has no room beside all else that came with the same mail or archive, as notes. */
  leaveOut(tx: TenantTransaction): Promise<string[]>
  /** The documents it brings, as far as they have room. */
  carried(): string[]
  /** Under the scope's lock. */
  queue(tx: TenantTransaction): Promise<void>
  /** What was staged and not queued. */
  drop(what: 'all' | 'left out'): Promise<void>
}

interface Part {
  fileId: string
  documentId: string
  name: string
  kind: FileKind
  sha256: Buffer
  bytes: number
}

export function createParts(
  { db, logger }: { db: Database; logger: Logger },
  lease: Lease,
  { document, depth }: { document: LeasedDocument; depth: number },
): MailParts {
  const { tenantId } = lease
  const staged: Part[] = []
  // Found anew whenever the transaction is repeated.
  let room = Number.POSITIVE_INFINITY
  return {
    async stage(attachments) {
      const seen = new Map<string, number>()
      for (const { name, declared, bytes } of attachments) {
        const content = Buffer.from(bytes)
        const kind = sniffKind(sampleOf(content, name, declared))
        if (kind === null) continue
        const nth = (seen.get(name) ?? 0) + 1
        seen.set(name, nth)
        const fileId = newId('fil')
        const sha256 = createHash('sha256').update(content).digest()
        staged.push({
          fileId,
          documentId: partId(document.documentId, name, nth),
          name: document.type === 'zip' ? pathName(name, 'file') : fileName(name, 'attachment'),
          kind,
          sha256,
          bytes: content.length,
        })
        for (let at = 0, no = 0; at < content.length; at += chunkBytes, no++) {
          await db.inTenant(tenantId, tx => appendChunk(tx, fileId, no, content.subarray(at, at + chunkBytes)))
        }
      }
    },
    async leaveOut(tx) {
      if (depth === 1 || staged.length === 0) return []
      room = roomFor(staged, await countParts(tx, lease, document.documentId))
      if (room >= staged.length) return []
      const most = `the first ${mostAttachments}, or beyond ${mostAttachedBytes / 1024 / 1024} MiB`
      return [`Files beyond ${most}, of the whole mail or archive, not read: ${staged.length - room}.`]
    },
    carried: () => staged.slice(0, room).map(part => part.documentId),
    async queue(tx) {
      const parts = staged.slice(0, room)
      // What no model is shown carries nothing that one is.
      const isOff = (await keptFromModelSince(tx, lease, document.documentId)) !== null
      if (isOff) for (const { documentId } of parts) await keepFromModel(tx, lease, documentId)
      for (const { fileId, documentId, name, kind, sha256, bytes } of parts) {
        const part = { of: document.documentId, depth }
        const file = { fileId, sha256, mediaType: mediaTypes[kind], bytes, part, trace: document.trace }
        await queueFile(tx, lease, {
          documentId,
          name,
          source: document.source,
          about: document.about,
          kind,
          isCurrent: extractor => isCurrentExtractor(kind, extractor),
          file,
        })
      }
    },
    async drop(what) {
      for (const { fileId } of what === 'all' ? staged : staged.slice(room)) {
        await db
          .inTenant(tenantId, tx => dropUpload(tx, fileId))
          .catch(error => logger.debug({ err: error }, 'attachment orphaned, left to retention'))
      }
    },
  }
}

/** How many of the first fit: so many through all within one, since a mail of a few megabytes can hold a hundred thousand others, an archive gigabytes. */
export function roomFor(parts: readonly { bytes: number }[], others: { documents: number; bytes: number }): number {
  let [documents, bytes] = [others.documents, others.bytes]
  const over = parts.findIndex(part => {
    documents++
    bytes += part.bytes
    return documents > mostAttachments || bytes > mostAttachedBytes
  })
  return over < 0 ? parts.length : over
}

/** The same for the same attachment of the same mail, so that a new revision of the mail is a new revision of what it carries. */
function partId(mailId: string, name: string, nth: number): string {
  return `att_${createHash('sha256')
    .update(JSON.stringify([mailId, name, nth]))
    .digest('hex')
    .slice(0, 32)}`
}
