/**
 * Threads for every service and every worker of this process: to start some takes most of a second of its processor, more
 * than most tests do with them.
 */

import { createReader, type Reader } from '../../src/pipeline/threads/reader.js'

/** Modules of tests are loaded anew for each file. */
const kept = globalThis as { concordTestReader?: Reader }

export function sharedReader(): Reader {
  kept.concordTestReader ??= createReader({ threads: 1, timeoutMs: 30_000 })
  return kept.concordTestReader
}
