/** The text of a DOCX, unpacked within limits. */

import { writeBlocks } from './blocks-text.js'
import type { Extracted, ExtractionLimits } from './extraction.js'
import { readWord } from './word-body.js'
import { openArchive } from './zip.js'

export function extractDocx(bytes: Buffer, { maxChars, maxUnpackedBytes }: ExtractionLimits): Extracted {
  return writeBlocks(readWord(openArchive(bytes, maxUnpackedBytes), maxChars), maxChars)
}
