/** One file in, its text out. Runs in the child process alone: what it reads may want to break it. */

import { type FileKind, isPicture } from '../contract/file-kinds.js'
import { extractZip } from './archive.js'
import { extractDocx } from './docx.js'
import { extractEml } from './eml.js'
import { type Extracted, type ExtractionLimits, FileFault } from './extraction.js'
import { extractMsg } from './msg.js'
import { extractOds, extractOdt } from './odf.js'
import { extractPdf } from './pdf.js'
import { extractPlain } from './plain.js'
import { extractPptx } from './pptx.js'
import { isEncryptedOffice } from './sniff.js'
import { extractXlsx } from './xlsx.js'

export async function extract(bytes: Buffer, kind: FileKind, limits: ExtractionLimits): Promise<Extracted> {
  // Before the test for encryption: what is attached to a message may be encrypted, and is looked at by itself.
  if (kind === 'msg') return extractMsg(bytes, limits)
  if (isEncryptedOffice(bytes, bytes)) throw new FileFault('ENCRYPTED')
  if (isPicture(kind)) return { text: '', places: null, notes: [], attachments: [], scan: 'whole' }
  if (kind === 'pdf') return extractPdf(new Uint8Array(bytes), limits)
  if (kind === 'docx') return extractDocx(bytes, limits)
  if (kind === 'xlsx') return extractXlsx(bytes, limits)
  if (kind === 'pptx') return extractPptx(bytes, limits)
  if (kind === 'odt') return extractOdt(bytes, limits)
  if (kind === 'ods') return extractOds(bytes, limits)
  if (kind === 'eml') return extractEml(bytes, limits)
  if (kind === 'zip') return extractZip(bytes, limits)
  return extractPlain(bytes, kind, limits)
}
