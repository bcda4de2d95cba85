/**
 * The text of an XLSX: every sheet a table under its name, cells as they are shown where that can be told from their
 * format (dates, percentages), results of formulas instead of formulas.
 */

import type { Extracted, ExtractionLimits } from './extraction.js'
import { readSheets, writeSheets } from './xlsx-sheets.js'
import { openArchive } from './zip.js'

export function extractXlsx(bytes: Buffer, { maxChars, maxUnpackedBytes }: ExtractionLimits): Extracted {
  return writeSheets(readSheets(openArchive(bytes, maxUnpackedBytes)), maxChars)
}
