/**
 * The extraction of one document: by the deterministic reader in a thread, or, where a model is set up, by the model with
 * the reader as its ground and fallback. What a model gave is kept by tenant, content, extractor and version.
 */

import type { DocumentInput, Extraction } from '../analysis/types.js'
import type { ModelExtractor } from '../models/model-extractor.js'
import { READER_NAME, READER_VERSION } from '../reading/version.js'
import { findExtraction, keepExtraction } from '../store/claims-extractions.js'
import type { Database } from '../store/database.js'
import type { LeasedDocument } from '../store/leases.js'
import type { Reader, ReadHow } from './reader.js'
import { ReadError } from './threads.js'

export interface ExtractionStage {
  /** Null when `mayBegin` said no. */
  extract(tenantId: string, document: LeasedDocument, how: ReadHow): Promise<Extracted | null>
}

export interface Extracted {
  /** The extraction as JSON. */
  packed: string
  timings: Record<string, number>
}

export function createExtractionStage(deps: { db: Database; reader: Reader; model?: ModelExtractor; now: () => number }): ExtractionStage {
  const { reader, model } = deps
  return {
    async extract(tenantId, document, how) {
      if (document.text === null) throw new ReadError('text_erased', 'permanent', 'The text was erased before it was read.')
      const input = toInput(document, document.text)
      const started = deps.now()
      const read = await reader.read(input, how)
      if (read === null) return null
      const timings = { extract: read.extractMs, thread: Math.max(0, deps.now() - started - read.extractMs) }
      if (model === undefined) return { packed: read.packed, timings }
      const asked = deps.now()
      const answer = await askModel(deps.db, model, {
        tenantId,
        document,
        input,
        read: JSON.parse(read.packed) as Extraction,
        signal: how.signal,
      })
      const tokens = { input_tokens: answer.inputTokens, output_tokens: answer.outputTokens }
      return { packed: JSON.stringify(answer.extraction), timings: { ...timings, model: deps.now() - asked, ...tokens } }
    },
  }
}

function toInput({ documentId, revision, name, type, source }: LeasedDocument, text: string): DocumentInput {
  return { documentId, revision, name, type, source, text }
}

interface Question {
  tenantId: string
  document: LeasedDocument
  input: DocumentInput
  read: Extraction
  signal: AbortSignal
}

async function askModel(db: Database, model: ModelExtractor, { tenantId, document, input, read, signal }: Question) {
  const key = {
    contentHash: Buffer.from(document.textHash, 'hex'),
    extractor: model.id,
    version: model.cacheKey(input, `${READER_NAME}/${READER_VERSION}`),
  }
  const kept = await db.inTenant(tenantId, tx => findExtraction(tx, key), { readOnly: true })
  if (kept !== null) return { extraction: kept, inputTokens: 0, outputTokens: 0 }
  const { extraction, source, usage } = await model.extract(input, () => read, signal)
  if (source === 'model') await db.inTenant(tenantId, tx => keepExtraction(tx, key, extraction))
  return { extraction, inputTokens: usage.promptTokens, outputTokens: usage.completionTokens }
}
