/** Decodes character references (`&amp;`, `&#8364;`, `&#x20AC;`). */
import { decodeHTMLAttribute } from 'entities/decode'
import { barInCell } from './blocks.js'

/** What may be a character reference, as the source of a pattern without regard to case. */
export const reference = '&(?:#\\d+|#x[\\da-f]+|[a-z][a-z\\d]*);?'

/**
 * Null for what is none and stays as text. Blanks of any width read as a blank; soft hyphens and zero-width marks vanish, because
 * they split words that are one; a bar would read as the edge of a table cell wherever it is written.
 */
export function decodeEntity(found: string): string | null {
  // Read as in an attribute, where `&copy` needs no semicolon and `&copying` is no reference: text is often written without care.
  const text = decodeHTMLAttribute(found)
  if (text === found) return null
  if (/^[\u00ad\u200b-\u200f\ufeff]$/.test(text)) return ''
  if (/^\s$/.test(text)) return ' '
  return text === '|' ? barInCell : text.replace(/[\u0000-\u001f]/, '\ufffd')
}
