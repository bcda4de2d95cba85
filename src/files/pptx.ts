/** The text of a PPTX, unpacked within limits. */

import { readDeck } from './deck.js'
import type { Extracted, ExtractionLimits } from './extraction.js'
import { openArchive } from './zip.js'

export function extractPptx(bytes: Buffer, { maxChars, maxUnpackedBytes }: ExtractionLimits): Extracted {
  return readDeck(openArchive(bytes, maxUnpackedBytes), maxChars)
}
