/**
 * A scope's log as it ought to be: what each act on the scope answers and appends, kept in plain memory. The acts are
 * the real ones; the model knows nothing of flushes, locks or tables.
 */

import type { AsyncCommand } from 'fast-check'
import { expect } from 'vitest'
import type { Ingest } from '../../src/ingest/ingest.js'
import { isAppError } from '../../src/platform/errors.js'
import type { ScopesDeps } from '../../src/scopes/deps.js'
import { attachDocument } from '../../src/scopes/documents/attach.js'
import { triggerIngest } from '../../src/scopes/documents/trigger.js'
import { resetScope } from '../../src/scopes/reset.js'
import { documentFor } from './support.js'

interface ModelDocument {
  revision: number
  text: string
  status: 'attached' | 'queued'
}

export interface Model {
  exists: boolean
  log: { type: string; subject: string | null }[]
  /** Insertion order is the order of attaching. */
  documents: Map<string, ModelDocument>
  keys: Map<string, { body: string; seq: number; documentId: string }>
}

export interface Real {
  tenantId: string
  scopeId: string
  ingests: Ingest[]
  scopes: ScopesDeps
}

export const emptyModel = (): Model => ({ exists: false, log: [], documents: new Map(), keys: new Map() })

type Command = AsyncCommand<Model, Real>

export interface IngestAct {
  documentId: string | undefined
  text: string
  key: string | undefined
  /** How many times it is sent at once, through different processes. */
  times: number
}

/** Ingest, replay, revision and simultaneous duplicates are one act with different luck. */
export function ingestCommand(act: IngestAct): Command {
  const { documentId, text, key, times } = act
  return {
    check: () => true,
    toString: () => `ingest(${documentId ?? '-'}, ${text}, key ${key ?? '-'}, ${times} at once)`,
    async run(model, real) {
      const input = documentFor(real.tenantId, real.scopeId, { document_id: documentId, text, ...(key === undefined ? {} : { key }) })
      const body = JSON.stringify([documentId, text])
      const known = key === undefined ? undefined : model.keys.get(key)
      const sent = Array.from({ length: times }, (_none, n) => real.ingests[n % real.ingests.length]!.accept(input))
      model.exists = true
      if (known !== undefined && known.body !== body) {
        for (const result of await Promise.allSettled(sent)) {
          expect(result.status === 'rejected' && isAppError(result.reason, 'IDEMPOTENCY_KEY_REUSED')).toBe(true)
        }
        return
      }
      const answers = await Promise.all(sent)
      if (known !== undefined) {
        for (const answer of answers)
          expect(answer).toMatchObject({ replayed: true, response: { seq: known.seq, document_id: known.documentId } })
        return
      }
      const fresh = answers.filter(answer => !answer.replayed)
      expect(fresh).toHaveLength(key === undefined ? times : 1)
      const seqs = fresh.map(answer => answer.response.seq).sort((a, b) => a - b)
      expect(seqs).toEqual(fresh.map((_answer, n) => model.log.length + n))
      for (const { response } of fresh.sort((a, b) => a.response.seq - b.response.seq)) {
        model.log.push({ type: 'document.queued', subject: response.document_id })
        const revision = (model.documents.get(response.document_id)?.revision ?? 0) + 1
        model.documents.delete(response.document_id)
        model.documents.set(response.document_id, { revision, text, status: 'queued' })
        if (key !== undefined) model.keys.set(key, { body, seq: response.seq, documentId: response.document_id })
      }
    },
  }
}

export function attachCommand(documentId: string, text: string): Command {
  return {
    check: model => model.exists,
    toString: () => `attach(${documentId}, ${text})`,
    async run(model, real) {
      const { body } = await attachDocument(real.scopes, real, { name: 'A report', text, document_id: documentId })
      const revision = (model.documents.get(documentId)?.revision ?? 0) + 1
      expect(body).toMatchObject({ document_id: documentId, revision, status: 'attached' })
      model.documents.delete(documentId)
      model.documents.set(documentId, { revision, text, status: 'attached' })
      model.log.push({ type: 'document.attached', subject: documentId })
    },
  }
}

export function triggerCommand(documentIds: string[] | undefined): Command {
  return {
    check: model => model.exists,
    toString: () => `trigger(${documentIds ?? 'all'})`,
    async run(model, real) {
      if (documentIds?.some(id => !model.documents.has(id))) {
        await expect(triggerIngest(real.scopes, real, documentIds)).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' })
        return
      }
      const attached = [...model.documents].filter(([id, { status }]) => status === 'attached' && (documentIds?.includes(id) ?? true))
      const result = await triggerIngest(real.scopes, real, documentIds)
      expect(result.documents).toEqual(attached.map(([document_id], n) => ({ document_id, seq: model.log.length + n })))
      for (const [id, document] of attached) {
        document.status = 'queued'
        model.log.push({ type: 'document.queued', subject: id })
      }
    },
  }
}

export function resetCommand(): Command {
  return {
    check: model => model.exists,
    toString: () => 'reset()',
    async run(model, real) {
      const result = await resetScope(real.scopes, real)
      expect(result).toMatchObject({ seq: model.log.length, documents: model.documents.size })
      model.log.push({ type: 'scope.reset', subject: null })
      model.documents.clear()
      model.keys.clear()
    },
  }
}
