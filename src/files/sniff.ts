/**
 * What a file is, by its content. Only between kinds of text, which have no mark of their own, the sender's word decides.
 * Pure: takes the first and the last bytes of the file, which is where every format has its marks.
 */

import { isUtf8 } from 'node:buffer'
import { type FileKind, meantKind } from './kinds.js'
import { directoryNames } from './zip-directory.js'

/** Bytes of the beginning and of the end that are looked at. */
export const headBytes = 64 * 1024
export const tailBytes = 256 * 1024

export interface Sample {
  head: Buffer
  /** The last bytes; the whole file when it is short. */
  tail: Buffer
  name: string
  declared: string | null
}

/** Null when it is nothing that is read. */
export function sniffKind({ head, tail, name, declared }: Sample): FileKind | null {
  if (head.subarray(0, 1024).includes('%PDF-')) return 'pdf'
  const meant = meantKind(name, declared)
  if (isZip(head)) return officeKind(directoryNames(tail))
  // What Office encrypts is an OLE container with this stream; it is accepted so that it can be quarantined with a reason.
  if (isOle(head)) return isEncryptedOffice(head, tail) ? (meant === 'xlsx' ? 'xlsx' : 'docx') : null
  if (!looksLikeText(head)) return null
  return textKindOf(startOf(head), meant)
}

/** Whether the head alone rules the file out, so that the rest need not be received. */
export function isRefusedByHead(head: Buffer): boolean {
  return !head.subarray(0, 1024).includes('%PDF-') && !isZip(head) && !isOle(head) && !looksLikeText(head)
}

function isZip(head: Buffer): boolean {
  return head.length >= 4 && head.readUInt32BE(0) === 0x504b0304
}

function isOle(head: Buffer): boolean {
  return head.length >= 8 && head.readUInt32BE(0) === 0xd0cf11e0
}

export function isEncryptedOffice(head: Buffer, tail: Buffer): boolean {
  const stream = Buffer.from('EncryptedPackage', 'utf16le')
  return isOle(head) && (head.includes(stream) || tail.includes(stream))
}

function officeKind(names: readonly string[]): FileKind | null {
  if (names.includes('word/document.xml') || names.some(name => /^word\/document\d*\.xml$/.test(name))) return 'docx'
  return names.some(name => /^xl\/workbook\.xml$/i.test(name)) ? 'xlsx' : null
}

function looksLikeText(head: Buffer): boolean {
  if (hasWideMark(head) || looksWide(head)) return true
  if (head.includes(0)) return false
  const cut = withoutCutCharacter(head)
  if (isUtf8(cut)) return countControls(cut) <= cut.length / 500
  // Windows-1252: any byte may be a letter, but controls are as rare as in any text, and most of it is ASCII.
  return countControls(cut) === 0 && countHigh(cut) <= cut.length / 3
}

function hasWideMark(head: Buffer): boolean {
  return head.length >= 2 && (head.readUInt16BE(0) === 0xfffe || head.readUInt16BE(0) === 0xfeff)
}

/** UTF-16 without a mark: every other byte of Western text is zero. */
function looksWide(head: Buffer): boolean {
  const sample = head.subarray(0, 4096)
  if (sample.length < 8) return false
  const zeros = [0, 0]
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2]!++
  const [even = 0, odd = 0] = zeros
  const half = sample.length / 2
  return (even > half * 0.8 && odd < half * 0.05) || (odd > half * 0.8 && even < half * 0.05)
}

/** The head may end within a character. */
function withoutCutCharacter(head: Buffer): Buffer {
  let end = head.length
  for (let back = 0; back < 3 && end > 0 && (head[end - 1]! & 0xc0) === 0x80; back++) end--
  return end > 0 && head[end - 1]! >= 0xc0 ? head.subarray(0, end - 1) : head
}

function countControls(bytes: Buffer): number {
  let count = 0
  for (const byte of bytes) if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x0c && byte !== 0x1b) count++
  return count
}

function countHigh(bytes: Buffer): number {
  let count = 0
  for (const byte of bytes) if (byte >= 0x80) count++
  return count
}

function startOf(head: Buffer): string {
  const wide = head.length >= 2 && head[0] !== 0 && (hasWideMark(head) || looksWide(head))
  return head
    .subarray(0, 8192)
    .toString(wide ? 'utf16le' : 'latin1')
    .replace(/^(?:\ufeff|ï»¿)/, '')
}

const mailHeaders = /^(?:Received|Return-Path|Message-ID|MIME-Version|Delivered-To|DKIM-Signature|X-[\w-]+):/im
const anyHeader =
  /^(?:From|To|Subject|Date|Cc|Reply-To|Sender|Received|Return-Path|Message-ID|MIME-Version|Content-Type|Delivered-To|X-[\w-]+|[A-Z][\w-]+):/i

function textKindOf(start: string, meant: FileKind | null): FileKind {
  if (isMail(start, meant)) return 'eml'
  if (beginsAsPage(start)) return 'html'
  if (meant === 'html' || meant === 'csv' || meant === 'json' || meant === 'md') return meant
  return 'txt'
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
