/**
 * Which files are taken, and what each is by its content: the one rule that the service, the desk and the command line
 * follow. Only between kinds of text, which have no mark of their own, the sender's word decides. Pure, and without
 * anything of Node.js: it runs in browsers too.
 */

const pictureKinds = ['png', 'jpeg', 'webp', 'tiff'] as const

/** A page, or several, as a scanner or a camera saw it. */
export type PictureKind = (typeof pictureKinds)[number]

/** Text without a mark of its own: a file is of the kind its sender says, and of the first where nobody says any. */
export const textKinds = ['txt', 'md', 'csv', 'json', 'html'] as const

type TextKind = (typeof textKinds)[number]

export type FileKind = 'pdf' | 'docx' | 'xlsx' | 'pptx' | 'odt' | 'ods' | 'eml' | 'msg' | 'zip' | TextKind | PictureKind

export function isPicture(kind: FileKind): kind is PictureKind {
  return (pictureKinds as readonly string[]).includes(kind)
}

/** Whether letters of it may have been recognised. */
export function mayBeScan(type: string): boolean {
  return type === 'pdf' || isPicture(type as FileKind)
}

export const mediaTypes: Readonly<Record<FileKind, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  eml: 'message/rfc822',
  msg: 'application/vnd.ms-outlook',
  zip: 'application/zip',
  html: 'text/html',
  csv: 'text/csv',
  json: 'application/json',
  md: 'text/markdown',
  txt: 'text/plain',
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  tiff: 'image/tiff',
}

export const kindsInWords =
  'PDF, DOCX, XLSX, PPTX, ODT, ODS, EML, MSG, ZIP, HTML, CSV, JSON, Markdown, plain text, PNG, JPEG, WebP and TIFF'

/** What the end of a name says. */
const byEnding: Readonly<Record<string, FileKind>> = {
  pdf: 'pdf',
  htm: 'html',
  html: 'html',
  xhtml: 'html',
  csv: 'csv',
  tsv: 'csv',
  json: 'json',
  ndjson: 'json',
  jsonl: 'json',
  md: 'md',
  markdown: 'md',
  eml: 'eml',
  docx: 'docx',
  xlsx: 'xlsx',
  pptx: 'pptx',
  odt: 'odt',
  ods: 'ods',
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  webp: 'webp',
  tif: 'tiff',
  tiff: 'tiff',
  msg: 'msg',
  zip: 'zip',
}

const byMediaType: Readonly<Record<string, FileKind>> = {
  'application/pdf': 'pdf',
  [mediaTypes.docx]: 'docx',
  [mediaTypes.xlsx]: 'xlsx',
  [mediaTypes.pptx]: 'pptx',
  [mediaTypes.odt]: 'odt',
  [mediaTypes.ods]: 'ods',
  [mediaTypes.msg]: 'msg',
  [mediaTypes.zip]: 'zip',
  'application/x-zip-compressed': 'zip',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'application/json': 'json',
  'application/x-ndjson': 'json',
  'text/markdown': 'md',
  'message/rfc822': 'eml',
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/webp': 'webp',
  'image/tiff': 'tiff',
}

/** The kind its sender meant, by the name or the declared media type; null when neither says one. A hint, never a proof. */
export function meantKind(name: string, declared: string | null): FileKind | null {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return kindIn(byEnding, ending) ?? kindIn(byMediaType, (declared ?? '').split(';', 1)[0]!.trim().toLowerCase())
}

/** A file may end in `.constructor`, which every object has. */
function kindIn(kinds: Readonly<Record<string, FileKind>>, said: string): FileKind | null {
  return Object.hasOwn(kinds, said) ? kinds[said]! : null
}

/** Bytes of the beginning that are looked at. */
export const headBytes = 64 * 1024

/** Kinds that are archives of parts. */
export const officeKinds: ReadonlySet<FileKind> = new Set(['docx', 'xlsx', 'pptx', 'odt', 'ods'])

type ByHead = PictureKind | 'pdf' | 'eml' | TextKind

/**
 * What the first bytes say: a kind of text or picture, or PDF; `zip` and `ole`, whose end says whether they are an office file; null for
 * what is never read, so that the rest need not be sent.
 */
export function kindByHead(head: Uint8Array, meant: FileKind | null): ByHead | 'zip' | 'ole' | null {
  const picture = pictureByHead(head)
  if (picture !== null) return picture
  if (latin(head.subarray(0, 1024)).includes('%PDF-')) return 'pdf'
  if (beginsWith(head, [0x50, 0x4b, 0x03, 0x04])) return 'zip'
  if (beginsWith(head, [0xd0, 0xcf, 0x11, 0xe0])) return 'ole'
  return looksLikeText(head) ? textKindOf(startOf(head), meant) : null
}

/** Why a file is not taken, and what to do: one that is called what it is not is most often damaged. */
export function refusalOf(meant: FileKind | null): string {
  if (meant === null) return `Unsupported file type; supported: ${kindsInWords}.`
  const called = { md: 'Markdown', webp: 'WebP' }[meant as string] ?? meant.toUpperCase()
  const article = /^(?:EML|HTML|MSG|OD|XL)/.test(called) ? 'an' : 'a'
  const cause = `It is called ${article} ${called} file, but its content is not that of one: it is damaged, was not copied whole, or is something else.`
  return `${cause} Open it, save it as ${called} again, and send that; supported: ${kindsInWords}.`
}

function pictureByHead(head: Uint8Array): PictureKind | null {
  if (beginsWith(head, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'png'
  if (beginsWith(head, [0xff, 0xd8, 0xff])) return 'jpeg'
  if (beginsWith(head, [0x49, 0x49, 0x2a, 0x00]) || beginsWith(head, [0x4d, 0x4d, 0x00, 0x2a])) return 'tiff'
  return latin(head.subarray(0, 4)) === 'RIFF' && latin(head.subarray(8, 12)) === 'WEBP' ? 'webp' : null
}

function beginsWith(head: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, at) => head[at] === byte)
}

function looksLikeText(head: Uint8Array): boolean {
  if (hasWideMark(head) || looksWide(head)) return true
  if (head.includes(0)) return false
  const cut = withoutCutCharacter(head)
  if (isUtf8(cut)) return count(cut, isControl) <= cut.length / 500
  // Windows-1252: any byte may be a letter, but controls are as rare as in any text, and most of it is ASCII.
  return count(cut, isControl) === 0 && count(cut, byte => byte >= 0x80) <= cut.length / 3
}

function hasWideMark(head: Uint8Array): boolean {
  return beginsWith(head, [0xff, 0xfe]) || beginsWith(head, [0xfe, 0xff])
}

/** UTF-16 without a mark: every other byte of Western text is zero. */
function looksWide(head: Uint8Array): boolean {
  const sample = head.subarray(0, 4096)
  if (sample.length < 8) return false
  const zeros = [0, 0]
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2]!++
  const [even = 0, odd = 0] = zeros
  const half = sample.length / 2
  return (even > half * 0.8 && odd < half * 0.05) || (odd > half * 0.8 && even < half * 0.05)
}

/** The head may end within a character. */
function withoutCutCharacter(head: Uint8Array): Uint8Array {
  let end = head.length
  for (let back = 0; back < 3 && end > 0 && (head[end - 1]! & 0xc0) === 0x80; back++) end--
  return end > 0 && head[end - 1]! >= 0xc0 ? head.subarray(0, end - 1) : head
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    // That it cannot be decoded is the answer.
    return false
  }
}

function isControl(byte: number): boolean {
  return byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x0c && byte !== 0x1b
}

function count(bytes: Uint8Array, is: (byte: number) => boolean): number {
  let found = 0
  for (const byte of bytes) if (is(byte)) found++
  return found
}

function startOf(head: Uint8Array): string {
  const wide = head.length >= 2 && head[0] !== 0 && (hasWideMark(head) || looksWide(head))
  const start = head.subarray(0, 8192)
  return (wide ? new TextDecoder('utf-16le', { ignoreBOM: true }).decode(start) : latin(start)).replace(/^(?:\ufeff|ï»¿)/, '')
}

/** Each byte as the character of its number: the browsers' `latin1` is Windows-1252. */
function latin(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

const mailHeaders = /^(?:Received|Return-Path|Message-ID|MIME-Version|Delivered-To|DKIM-Signature|X-[\w-]+):/im
const anyHeader =
  /^(?:From|To|Subject|Date|Cc|Reply-To|Sender|Received|Return-Path|Message-ID|MIME-Version|Content-Type|Delivered-To|X-[\w-]+|[A-Z][\w-]+):/i

function textKindOf(start: string, meant: FileKind | null): 'eml' | TextKind {
  if (isMail(start, meant)) return 'eml'
  if (beginsAsPage(start)) return 'html'
  return textKinds.find(kind => kind === meant) ?? 'txt'
}

/** Step by step: as one expression, comments that follow each other can be told apart in twice as many ways with each of them. */
function beginsAsPage(start: string): boolean {
  let rest = start.trimStart()
  for (const [opening, closing] of [
    ['<?xml', '?>'],
    ['<!--', '-->'],
  ] as const) {
    while (rest.startsWith(opening)) {
      const end = rest.indexOf(closing, opening.length)
      if (end < 0) return false
      rest = rest.slice(end + closing.length).trimStart()
    }
  }
  return /^<(?:!doctype\s+html|html)[\s>]/i.test(rest)
}

/** A memo also begins with From and To: a mail has headers that no person writes, or is called one. */
function isMail(start: string, meant: FileKind | null): boolean {
  if (!anyHeader.test(start)) return false
  const headers = start.split(/\r?\n\r?\n/, 1)[0] ?? ''
  const lines = headers.split(/\r?\n/)
  if (!lines.every((line, index) => /^[!-9;-~]+:/.test(line) || (index > 0 && /^[ \t]/.test(line)))) return false
  return meant === 'eml' || mailHeaders.test(headers)
}
