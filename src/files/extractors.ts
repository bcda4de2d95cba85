/**
 * What makes the text of each kind of file, with its version: kept with the text, so that it is known what made it, and
 * compared when the same file comes again. Raise the number when the text of a file would come out otherwise.
 */

import { type FileKind, isPicture } from '../contract/file-kinds.js'

const scanner = 'scan@1+tesseract-7.0.0'

const versions: Readonly<Record<FileKind, string>> = {
  pdf: 'pdf@1+pdfjs-5.4.530',
  docx: 'docx@3',
  xlsx: 'xlsx@3',
  pptx: 'pptx@1',
  odt: 'odt@2',
  ods: 'ods@4',
  eml: 'eml@3+postal-mime-4.0.0',
  msg: 'msg@3+postal-mime-4.0.0',
  zip: 'zip@1',
  html: 'text@2',
  csv: 'text@2',
  json: 'text@2',
  md: 'text@2',
  txt: 'text@2',
  png: scanner,
  jpeg: scanner,
  webp: scanner,
  tiff: scanner,
}

/** The pages of a scan, and the languages they were taken to be in. */
export function scannerOf(languages: readonly string[]): string {
  return `${scanner}+${languages.join('+')}`
}

/** Whether the text of a file of this kind would be made by it today. */
export function isCurrentExtractor(kind: FileKind, extractor: string): boolean {
  return extractor === extractorOf(kind) || ((kind === 'pdf' || isPicture(kind)) && extractor.startsWith(`${scanner}+`))
}

export function extractorOf(kind: FileKind): string {
  return versions[kind]
}
