/**
 * Readings of originals in the audit log. A reader asks for a file in many parts; however many, one reading of a document by
 * one key or session within ten minutes has one row.
 */

import type { Clock } from '../platform/clock.js'
import { cut } from '../platform/storable-text.js'
import type { GetDocumentInput } from '../scopes/documents.js'
import type { Audit } from '../tenancy/audit.js'
import { actorOf } from './auditing.js'
import type { Call } from './handler.js'

const readingMs = 10 * 60_000
/** Beyond them the oldest is forgotten, and its next part has another row. */
const mostReadings = 5000

export type ReadingLog = ReturnType<typeof createReadingLog>

export function createReadingLog({ audit, clock }: { audit: Pick<Audit, 'begin'>; clock: Clock }) {
  const begun = new Map<string, number>()
  return {
    /** Resolves when the row is on disk: nobody gets a byte of which nothing is known. */
    async note(call: Pick<Call, 'caller' | 'request'>, input: GetDocumentInput): Promise<void> {
      const { caller, request } = call
      const { tenantId, scopeId, documentId, revision } = input
      const name = JSON.stringify([caller.credential, tenantId, scopeId, documentId, revision])
      const now = clock.monotonicMs()
      const since = begun.get(name)
      if (since !== undefined && now - since < readingMs) return
      begun.delete(name)
      begun.set(name, now)
      if (begun.size > mostReadings) begun.delete(begun.keys().next().value as string)
      const { permission } = caller
      const row = {
        tier: 'public',
        actor: actorOf(caller),
        action: 'getOriginal',
        outcome: 'allowed' as const,
        tenantId,
        scopeId,
        requestId: request.id,
        address: request.ip,
        // Ids alone: what a person called the document goes with it when it is erased.
        detail: { document_id: cut(documentId, 200), revision, ...(permission?.person == null ? {} : { person: permission.person }) },
      }
      await audit.begin(row, 200).catch((error: unknown) => {
        begun.delete(name)
        throw error
      })
    },
  }
}
