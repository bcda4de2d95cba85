/**
 * What was attached to a mail, as documents of their own: written as uploads first, then queued in the transaction that keeps
 * the mail's text, so that they exist if and only if the mail was read. What an earlier revision of the mail carried and this
 * one does not is retired in the same transaction.
 */

import { createHash } from 'node:crypto'
import { type FileKind, headBytes, mediaTypes } from '../contract/file-kinds.js'
import type { Attachment } from '../files/extraction.js'
import { isCurrentExtractor } from '../files/extractors.js'
import { fileName } from '../files/file-names.js'
import { sniffKind, tailBytes } from '../files/sniff.js'
import { newId } from '../platform/ids.js'
import type { Logger } from '../platform/logger.js'
import { queueFile, retireParts } from '../store/documents/file-documents.js'
import { appendChunk, chunkBytes, dropUpload } from '../store/documents/files.js'
import { keepFromModel, keptFromModelSince } from '../store/documents/model-off.js'
import type { Lease, LeasedDocument } from '../store/leases/leases.js'
import type { Database, TenantTransaction } from '../store/server/database.js'

export interface MailParts {
  stage(attachments: readonly Attachment[]): Promise<void>
  /** Under the scope's lock. */
  queue(tx: TenantTransaction): Promise<void>
  /** What was staged and not queued. */
  drop(): Promise<void>
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
  const parts: Part[] = []
  return {
    async stage(attachments) {
      const seen = new Map<string, number>()
      for (const { name, declared, bytes } of attachments) {
        const content = Buffer.from(bytes)
        const kind = sniffKind({ head: content.subarray(0, headBytes), tail: content.subarray(-tailBytes), name, declared })
        if (kind === null) continue
        const nth = (seen.get(name) ?? 0) + 1
        seen.set(name, nth)
        const fileId = newId('fil')
        const sha256 = createHash('sha256').update(content).digest()
        parts.push({
          fileId,
          documentId: partId(document.documentId, name, nth),
          name: fileName(name, 'attachment'),
          kind,
          sha256,
          bytes: content.length,
        })
        for (let at = 0, no = 0; at < content.length; at += chunkBytes, no++) {
          await db.inTenant(tenantId, tx => appendChunk(tx, fileId, no, content.subarray(at, at + chunkBytes)))
        }
      }
    },
    async queue(tx) {
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
      const carried = parts.map(part => part.documentId)
      if (document.revision > 1) await retireParts(tx, lease, document, carried)
    },
    async drop() {
      for (const { fileId } of parts) {
        await db
          .inTenant(tenantId, tx => dropUpload(tx, fileId))
          .catch(error => logger.debug({ err: error }, 'attachment orphaned, left to retention'))
      }
    },
  }
}

/** The same for the same attachment of the same mail, so that a new revision of the mail is a new revision of what it carries. */
function partId(mailId: string, name: string, nth: number): string {
  return `att_${createHash('sha256')
    .update(JSON.stringify([mailId, name, nth]))
    .digest('hex')
    .slice(0, 32)}`
}
