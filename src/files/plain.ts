/**
 * Files that are text already, decoded and otherwise as they are: the reader of texts knows HTML, CSV, JSON and Markdown.
 * UTF-8, UTF-16, what an HTML page says of itself, and where it is none of these Windows-1252, with a note.
 */

import { isUtf8 } from 'node:buffer'
import { separatorOf } from '../contract/csv-rows.js'
import type { FileKind } from '../contract/file-kinds.js'
import { type Extracted, type ExtractionLimits, FileFault, mostPlaces, type Places } from './extraction.js'
import { WholeTextDecoder } from './text-decoder.js'
import { clean, codePoints } from './text-writer.js'
import { columnName } from './xlsx-sheets.js'

export function extractPlain(bytes: Buffer, kind: FileKind, { maxChars }: ExtractionLimits): Extracted {
  const { text: decoded, note } = decode(bytes, kind)
  const text = clean(decoded)
  if (text.trim() === '') throw new FileFault('NO_TEXT')
  if (codePoints(text) > maxChars) throw new FileFault('TOO_LONG')
  const places = kind === 'csv' ? csvPlaces(text) : kind === 'txt' || kind === 'md' ? paragraphPlaces(text) : null
  return { text, places, notes: note === null ? [] : [note], attachments: [] }
}

function decode(bytes: Buffer, kind: FileKind): { text: string; note: string | null } {
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0
  if (mark === 0xfffe || mark === 0xfeff)
    return { text: new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be').decode(bytes), note: null }
  // First, since ASCII in UTF-16 is UTF-8 too, with a NUL behind every letter.
  const wide = wideOf(bytes)
  if (wide !== null)
    return { text: new TextDecoder(wide).decode(bytes), note: 'The file does not say its encoding; it was read as UTF-16.' }
  if (isUtf8(bytes)) return { text: new TextDecoder('utf-8').decode(bytes), note: null }
  const said = kind === 'html' ? /<meta[^>]{0,200}charset=["']?([\w-]{2,30})/i.exec(bytes.toString('latin1', 0, 4096))?.[1] : undefined
  const decoder = said === undefined ? null : decoderOf(said)
  if (decoder !== null) return { text: decoder.decode(bytes), note: null }
  return {
    text: new WholeTextDecoder('windows-1252').decode(bytes),
    note: 'The file is not UTF-8; it was read as Windows-1252, which may show some letters wrong.',
  }
}

function decoderOf(label: string): WholeTextDecoder | null {
  try {
    return new WholeTextDecoder(label)
  } catch {
    return null
  }
}

/** Every other byte of Western text in UTF-16 is zero. */
function wideOf(bytes: Buffer): string | null {
  const sample = bytes.subarray(0, 4096)
  const zeros = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2]!++
  const half = sample.length / 2
  if (zeros[1]! > half * 0.8) return 'utf-16le'
  return zeros[0]! > half * 0.8 ? 'utf-16be' : null
}

/** Paragraphs are parted by blank lines. Line by line: an expression that looks for blank lines is quadratic in how many there are. */
function paragraphPlaces(text: string): Places {
  const places: Places = { kind: 'paragraph', starts: [], labels: [] }
  let counted = 0
  let from = 0
  let parted = true
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    const words = text.slice(at, end).trimStart()
    if (words !== '' && parted) {
      const start = end - words.length
      counted += codePoints(text.slice(from, start))
      from = start
      note(places, counted, String(places.labels.length + 1))
    }
    parted = words === ''
    at = end + 1
  }
  return places
}

/** A file of two megabytes can hold a million places, each of which costs far more than its two bytes. */
function note(places: Places, start: number, label: string): void {
  if (places.starts.length === mostPlaces) throw new FileFault('TOO_COMPLEX')
  places.starts.push(start)
  places.labels.push(label)
}

/** The cell at each place of a CSV file. Quoted fields may hold separators and line breaks. */
function csvPlaces(text: string): Places {
  const separator = separatorOf(text)
  const places: Places = { kind: 'cell', starts: [], labels: [] }
  let row = 1
  let column = 0
  let quoted = false
  let at = 0
  const begin = () => note(places, at, `${columnName(column)}${row}`)
  begin()
  for (const character of text) {
    at++
    if (character === '"') quoted = !quoted
    else if (!quoted && character === separator) {
      column++
      begin()
    } else if (!quoted && character === '\n') {
      row++
      column = 0
      begin()
    }
  }
  return places
}
