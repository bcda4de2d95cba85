/** The text of OpenDocument files, unpacked within limits: of a written document and of a spreadsheet. */

import { writeBlocks } from './blocks-text.js'
import type { Extracted, ExtractionLimits } from './extraction.js'
import { readOdsSheets } from './odf-sheets.js'
import { readOdt } from './odf-text.js'
import { writeSheets } from './xlsx-sheets.js'
import { openArchive } from './zip.js'

export function extractOdt(bytes: Buffer, { maxChars, maxUnpackedBytes }: ExtractionLimits): Extracted {
  return writeBlocks(readOdt(openArchive(bytes, maxUnpackedBytes), maxChars), maxChars)
}

export function extractOds(bytes: Buffer, { maxChars, maxUnpackedBytes }: ExtractionLimits): Extracted {
  return writeSheets(readOdsSheets(openArchive(bytes, maxUnpackedBytes)), maxChars)
}
