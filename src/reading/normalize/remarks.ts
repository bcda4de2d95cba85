/**
 * What was done to a document stands at the end of its text, below a line of its own: what was inserted and deleted, and what was
 * commented. It is no part of what the document says: it is found and quoted, and compared with nothing. Pure.
 */

export const remarksHeading = '[Tracked changes and comments]'

/** Kinds of files that may have such an end: another text that has the line has only the line. */
const withRemarks: ReadonlySet<string> = new Set(['docx', 'odt'])

export interface Remark {
  /** In UTF-16 units of the text. */
  start: number
  end: number
  kind: 'inserted' | 'deleted' | 'comment'
}

/** Where what the document says ends. */
export function saidUntil(text: string, type: string): number {
  // The text of an archive is a list of what is in it, each of which is a document.
  if (type === 'zip') return 0
  if (!withRemarks.has(type)) return text.length
  if (text.startsWith(`${remarksHeading}\n`)) return 0
  const at = text.lastIndexOf(`\n\n${remarksHeading}\n`)
  return at < 0 ? text.length : at
}

/** What the document says, for whoever may see no remark. */
export function saidOf(text: string, type: string): string {
  return text.slice(0, saidUntil(text, type))
}

export function remarksOf(text: string, type: string): Remark[] {
  const remarks: Remark[] = []
  if (!withRemarks.has(type)) return remarks
  const from = saidUntil(text, type)
  for (const { 0: line, 1: did, index } of text.slice(from).matchAll(/^Paragraph \d+, (inserted|deleted|comment)\b.*$/gm)) {
    remarks.push({ start: from + index, end: from + index + line.length, kind: did as Remark['kind'] })
  }
  return remarks
}
