/** The kinds of files that are read, each with the name it has as a document's `type` and its media type. */

export type FileKind = 'pdf' | 'docx' | 'xlsx' | 'eml' | 'html' | 'csv' | 'json' | 'md' | 'txt'

export const mediaTypes: Readonly<Record<FileKind, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  eml: 'message/rfc822',
  html: 'text/html',
  csv: 'text/csv',
  json: 'application/json',
  md: 'text/markdown',
  txt: 'text/plain',
}

export const kindsInWords = 'PDF, DOCX, XLSX, EML, HTML, CSV, JSON, Markdown and plain text'

/** What the end of a name says, among kinds of text that only their author can tell apart. */
const byEnding: Readonly<Record<string, FileKind>> = {
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
}

const byMediaType: Readonly<Record<string, FileKind>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'application/json': 'json',
  'application/x-ndjson': 'json',
  'text/markdown': 'md',
  'message/rfc822': 'eml',
}

/** The kind its sender meant, by the name or the declared media type; null when neither says one. A hint, never a proof. */
export function meantKind(name: string, declared: string | null): FileKind | null {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return byEnding[ending] ?? byMediaType[(declared ?? '').split(';', 1)[0]!.trim().toLowerCase()] ?? null
}
