/**
 * What a reading thread does: one document in, one extraction out. A pure function of its input; whatever it does to its
 * thread, throw, hang or die, `threads.ts` gives the document's attempt the blame and goes on.
 */

import { extract } from '../reading/document/extract.js'
import type { DocumentInput } from '../reading/types.js'
import { injectFault } from './read-faults.js'

export interface ReadTask {
  document: DocumentInput
  /** Faults injected on purpose, for tests of recovery; empty outside them. */
  faults: string
}

export interface ReadAnswer {
  /** The extraction as JSON: planning is in a thread too, and nothing in between parses it. */
  packed: string
  extractMs: number
}

export function read({ document, faults }: ReadTask): ReadAnswer {
  if (faults !== '') injectFault(document.text, faults)
  const started = performance.now()
  const packed = JSON.stringify(extract(document))
  return { packed, extractMs: performance.now() - started }
}
