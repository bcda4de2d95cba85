/**
 * What a file is, by its first and last bytes, which is where every format has its marks. What the first bytes say is the
 * contract's rule; an archive and an OLE container say at their end whether they are an office file. Pure.
 */

import { type FileKind, headBytes, kindByHead, meantKind, officeKinds } from '../contract/file-kinds.js'
import { directoryNames } from './zip-directory.js'

/** Bytes of the end that are looked at. */
export const tailBytes = 256 * 1024

export interface Sample {
  head: Buffer
  /** The last bytes; the whole file when it is short. */
  tail: Buffer
  name: string
  declared: string | null
}

export function sampleOf(content: Buffer, name: string, declared: string | null = null): Sample {
  return { head: content.subarray(0, headBytes), tail: content.subarray(-tailBytes), name, declared }
}

/** Null when it is nothing that is read. */
export function sniffKind({ head, tail, name, declared }: Sample): FileKind | null {
  const meant = meantKind(name, declared)
  const kind = kindByHead(head, meant)
  if (kind === 'zip') return openDocumentKind(head) ?? archiveKind(directoryNames(tail), meant)
  if (kind === 'ole' && (meant === 'msg' || isMessage(head, tail))) return 'msg'
  // What Office encrypts is an OLE container with this stream; it is accepted so that it can be quarantined with a reason.
  if (kind === 'ole') return isEncryptedOffice(head, tail) ? (meant === 'xlsx' || meant === 'pptx' ? meant : 'docx') : null
  return kind
}

function isMessage(head: Buffer, tail: Buffer): boolean {
  const stream = Buffer.from('__properties_version1.0', 'utf16le')
  return head.includes(stream) || tail.includes(stream)
}

export function isEncryptedOffice(head: Buffer, tail: Buffer): boolean {
  const stream = Buffer.from('EncryptedPackage', 'utf16le')
  return kindByHead(head, null) === 'ole' && (head.includes(stream) || tail.includes(stream))
}

/** Programs and files of other office programs are archives too, and none that anybody would take apart. */
const notTaken = /^(?:\[Content_Types\]\.xml|mimetype|META-INF\/(?:MANIFEST\.MF|container\.xml)|AndroidManifest\.xml)$/i

function archiveKind(names: readonly string[], meant: FileKind | null): FileKind | null {
  if (names.includes('word/document.xml') || names.some(name => /^word\/document\d*\.xml$/.test(name))) return 'docx'
  if (names.some(name => /^xl\/workbook\.xml$/i.test(name))) return 'xlsx'
  if (names.includes('ppt/presentation.xml')) return 'pptx'
  if (names.some(name => notTaken.test(name))) return null
  // The list of a very large one does not fit into its last bytes.
  return (names.length > 0 && (meant === null || !officeKinds.has(meant))) || meant === 'zip' ? 'zip' : null
}

/** Such a file names its kind at its very beginning, unpacked. */
function openDocumentKind(head: Buffer): FileKind | null {
  const mark = 'mimetypeapplication/vnd.oasis.opendocument.'
  if (!head.toString('latin1', 30, 30 + mark.length).startsWith(mark)) return null
  const named = head.toString('latin1', 30 + mark.length, 60 + mark.length)
  if (/^text(?:-template)?PK/.test(named)) return 'odt'
  return /^spreadsheet(?:-template)?PK/.test(named) ? 'ods' : null
}
