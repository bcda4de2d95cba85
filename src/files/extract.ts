/** One file in, its text out. Runs in the child process alone: what it reads may want to break it. */

import { type FileKind, isPicture } from '../contract/file-kinds.js'
import { extractZip } from './archive.js'
import { writeBlocks } from './blocks-text.js'
import { readDeck } from './deck.js'
import { extractEml } from './eml.js'
import { type Extracted, type ExtractionLimits, FileFault } from './extraction.js'
import { extractMsg } from './msg.js'
import { readOdsSheets } from './odf-sheets.js'
import { readOdt } from './odf-text.js'
import { extractPdf } from './pdf.js'
import { extractPlain } from './plain.js'
import { isEncryptedOffice } from './sniff.js'
import { readWord } from './word-body.js'
import { readSheets, writeSheets } from './xlsx-sheets.js'
import { openArchive } from './zip.js'

export async function extract(bytes: Buffer, kind: FileKind, limits: ExtractionLimits): Promise<Extracted> {
  // Before the test for encryption: what is attached to a message may be encrypted, and is looked at by itself.
  if (kind === 'msg') return extractMsg(bytes, limits)
  if (isEncryptedOffice(bytes, bytes)) throw new FileFault('ENCRYPTED')
  if (isPicture(kind)) return { text: '', places: null, notes: [], attachments: [], scan: 'whole' }
  const { maxChars, maxUnpackedBytes } = limits
  const parts = () => openArchive(bytes, maxUnpackedBytes)
  switch (kind) {
    case 'pdf':
      return extractPdf(new Uint8Array(bytes), limits)
    case 'docx':
      return writeBlocks(readWord(parts(), maxChars), maxChars)
    case 'odt':
      return writeBlocks(readOdt(parts(), maxChars), maxChars)
    case 'xlsx':
      return writeSheets(readSheets(parts()), maxChars)
    case 'ods':
      return writeSheets(readOdsSheets(parts()), maxChars)
    case 'pptx':
      return readDeck(parts(), maxChars)
    case 'eml':
      return extractEml(bytes, limits)
    case 'zip':
      return extractZip(bytes, limits)
    default:
      return extractPlain(bytes, kind, limits)
  }
}
