/**
 * A word of a scan that was misread, as a person reads it on the page. The text so corrected is a new revision, for quotes are slices of the
 * text; the picture stays, and what was read before stays with the revision before. The word is as sure as who read it.
 */

import { sha256 } from '../../platform/digest.js'
import { AppError, invalidMember, limitReached } from '../../platform/errors.js'
import type { DocumentRow } from '../../store/documents/documents.js'
import { brokenQuota } from '../../store/documents/documents-intake.js'
import { queueRevision } from '../../store/documents/file-documents.js'
import { insertFileRevision, keepCorrectedPlaces, noteCorrections } from '../../store/documents/file-revisions.js'
import { listWordRows, readSlice } from '../../store/documents/recognised-pages.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import { lockScope } from '../idempotent.js'
import type { DocumentRecord } from '../types.js'
import { requireDocument, toDocumentRecord } from './documents.js'

export interface WordCorrection extends ScopeName {
  documentId: string
  by: string
  reason?: string | undefined
  /** Whose text `start` counts in. */
  revision: number
  /** Where the word begins. */
  start: number
  /** What it says. */
  text: string
}

/** More than any text has. */
const wholeText = 2_000_000_000

export async function correctWord(deps: ScopesDeps, input: WordCorrection): Promise<DocumentRecord> {
  const { tenantId, scopeId, documentId, start } = input
  const record = await deps.db.inTenant(tenantId, async tx => {
    const scope = await lockScope(tx, scopeId)
    const row = await requireDocument(tx, scope, documentId)
    requireRead(row, input.revision)
    const [word] = await listWordRows(tx, scope, { documentId, revision: row.revision }, { after: start - 1, limit: 1 })
    if (word?.start !== start) throw invalidMember('/start', 'must be where a recognised word begins')
    const text = await readSlice(tx, scope, { documentId, revision: row.revision }, { from: 0, to: wholeText })
    if (text === null) throw new AppError('STATE_CONFLICT', { detail: 'The text of the document is no longer kept.' })
    const points = [...text]
    // As recognition writes it: a bar parts the cells of a table.
    const said = input.text.trim().replaceAll('|', '¦')
    const read = points.splice(start, word.length, ...said).join('')
    if (read === said && word.corrected) throw new AppError('STATE_CONFLICT', { detail: 'The word was corrected to this before.' })
    const words = points.join('')
    const limit = await brokenQuota(tx, { documents: 0, bytes: Buffer.byteLength(words), scopes: 0 })
    if (limit !== null) throw limitReached(limit)
    const provenance = provenanceOf(input, { read, said, page: word.page })
    const revision = await insertFileRevision(tx, scope, row, { provenance, text: { words, hash: sha256(words) }, languages: null })
    const next = { documentId, revision }
    const length = [...said].length
    await keepCorrectedPlaces(tx, scope, next, word, { length, longer: length - word.length })
    await noteCorrections(tx, scope, next)
    await queueRevision(tx, scope, { ...next, type: row.type, unchanged: false, bytes: 0 }, { corrected_page: word.page })
    return toDocumentRecord(await requireDocument(tx, scope, documentId), scope.scopeId)
  })
  deps.hints.notify('backlog')
  deps.hints.notify('events')
  return record
}

function requireRead({ revision, status, erased_at: erasedAt }: DocumentRow, wanted: number): void {
  const isRead = (status === 'indexed' || status === 'held') && erasedAt === null
  if (isRead && revision === wanted) return
  const detail = erasedAt === null ? `The document is at revision ${revision} by now, and ${status}.` : 'The document was erased.'
  throw new AppError('STATE_CONFLICT', { detail })
}

function provenanceOf({ by, reason }: WordCorrection, { read, said, page }: { read: string; said: string; page: number }): string {
  const what = read === said ? `“${said}” on page ${page} was read rightly` : `“${read}” on page ${page} reads “${said}”`
  return `${what}, says ${by}${reason === undefined ? '.' : `: ${reason}`}`
}
