/**
 * What a reading thread does: one document in, one extraction out. A pure function of its input; whatever it does to its
 * thread, throw, hang or die, the pool outside gives the document's attempt the blame and goes on.
 */

import { extract } from '../analysis/extract.js'
import type { DocumentInput, Extraction } from '../analysis/types.js'
import { injectFault } from './read-faults.js'

export interface ReadTask {
  document: DocumentInput
  /** Faults injected on purpose, for tests of recovery; empty outside them. */
  faults: string
  /** Shared; set to 1 when the thread takes the document up. */
  begun: Int32Array
}

export interface ReadAnswer {
  extraction: Extraction
  extractMs: number
}

export function read({ document, faults, begun }: ReadTask): ReadAnswer {
  Atomics.store(begun, 0, 1)
  if (faults !== '') injectFault(document.text, faults)
  const started = performance.now()
  const extraction = extract(document)
  return { extraction, extractMs: performance.now() - started }
}
