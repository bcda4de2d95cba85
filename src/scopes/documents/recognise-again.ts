/**
 * A scan that is in other languages than it was read in: its pages are recognised again. That makes a new revision, for quotes are slices of
 * the text; the picture stays, and what was read before stays with the revision before.
 */

import type { Static } from 'typebox'
import { statusWords } from '../../contract/field-words.js'
import { mayBeScan } from '../../contract/file-kinds.js'
import type { ScanLanguages } from '../../contract/scan-operations.js'
import { installCommand, languageFile, listLanguages } from '../../files/languages.js'
import { AppError, invalidMember } from '../../platform/errors.js'
import type { DocumentRow } from '../../store/documents/documents.js'
import { queueRevision } from '../../store/documents/file-documents.js'
import { insertFileRevision } from '../../store/documents/file-revisions.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import { lockScope } from '../idempotent.js'
import type { DocumentRecord } from '../types.js'
import { requireDocument, toDocumentRecord } from './documents.js'

export function scanLanguages(deps: Pick<ScopesDeps, 'config'>): Static<typeof ScanLanguages> {
  const names = new Intl.DisplayNames(['en'], { type: 'language' })
  const languages = listLanguages().map(({ language, installed }) => {
    return { language, name: names.of(language) ?? language, installed, install: installed ? null : installCommand(language) }
  })
  return { default: [...(deps.config.scanLanguages ?? [])], languages }
}

export interface RecogniseAgain extends ScopeName {
  documentId: string
  languages: readonly string[]
  by: string
  reason?: string | undefined
}

export async function recogniseAgain(deps: ScopesDeps, input: RecogniseAgain): Promise<DocumentRecord> {
  const { tenantId, scopeId, documentId, by, reason } = input
  const missing = input.languages.filter(language => languageFile(language) === null)
  if (missing.length > 0)
    throw invalidMember(
      '/languages',
      `${missing.join(', ')} is not installed; the operator does that: ${missing.map(installCommand).join(', ')}`,
    )
  const languages = input.languages.join('+')
  const record = await deps.db.inTenant(tenantId, async tx => {
    const scope = await lockScope(tx, scopeId)
    const row = await requireDocument(tx, scope, documentId)
    requireScan(row)
    const provenance = `Read again with ${languages}, says ${by}${reason === undefined ? '.' : `: ${reason}`}`
    const revision = await insertFileRevision(tx, scope, row, { provenance, text: null, languages })
    await queueRevision(tx, scope, { documentId, revision, type: row.type, unchanged: false, bytes: 0 }, { languages })
    return toDocumentRecord(await requireDocument(tx, scope, documentId), scope.scopeId)
  })
  deps.hints.notify('backlog')
  deps.hints.notify('events')
  return record
}

/** One whose pages were recognised, or could not be. */
function requireScan({ status, type, file_id: fileId, text_extractor: extractor }: DocumentRow): void {
  if (!['indexed', 'held', 'rejected', 'quarantined'].includes(status)) throw refused(`The document is ${statusWords(status)}.`)
  if (fileId === null || !mayBeScan(type)) throw refused('There is no picture of it to be read again.')
  if (extractor !== null && !/^(scan|ocr)@/.test(extractor)) throw refused('None of its pages was recognised: it has a text of its own.')
}

function refused(detail: string): AppError {
  return new AppError('STATE_CONFLICT', { detail })
}
