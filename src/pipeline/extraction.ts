/** The extraction of one document by the reader, in a thread. */

import type { DocumentInput } from '../reading/types.js'
import type { LeasedDocument } from '../store/leases/leases.js'
import type { Reader, ReadHow } from './reader.js'
import { ReadError } from './threads.js'

export interface ExtractionStage {
  /** Null when `mayBegin` said no. */
  extract(document: LeasedDocument, how: ReadHow): Promise<Extracted | null>
}

export interface Extracted {
  /** The extraction as JSON. */
  packed: string
  timings: Record<string, number>
}

export function createExtractionStage({ reader, now }: { reader: Reader; now: () => number }): ExtractionStage {
  return {
    async extract(document, how) {
      if (document.text === null) throw new ReadError('text_erased', 'permanent', 'The text was erased before it was read.')
      const input = toInput(document, document.text)
      const started = now()
      const read = await reader.read(input, how)
      if (read === null) return null
      const timings = { extract: read.extractMs, thread: Math.max(0, now() - started - read.extractMs) }
      return { packed: read.packed, timings }
    },
  }
}

function toInput({ documentId, revision, name, type, source }: LeasedDocument, text: string): DocumentInput {
  return { documentId, revision, name, type, source, text }
}
