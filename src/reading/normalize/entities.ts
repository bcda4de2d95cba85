/** Decodes one character reference (`&amp;`, `&#8364;`, `&#x20AC;`) at a given place; unknown or unfinished ones are left as text. */
import { Parser } from 'htmlparser2'
import { barInCell } from './blocks.js'

const reference = /&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});?/y
/** What is read without its semicolon; other names may be part of an address. */
const lenient = /^&(?:#|(?:amp|lt|gt|quot|nbsp)$)/

export interface DecodedEntity {
  text: string
  end: number
}

export function decodeEntity(source: string, at: number, limit: number): DecodedEntity | null {
  reference.lastIndex = at
  const written = reference.exec(source)?.[0]
  const end = reference.lastIndex
  if (written === undefined || end > limit || !(written.endsWith(';') || lenient.test(written))) return null
  let decoded = ''
  new Parser({ ontext: text => (decoded += text) }).end(written)
  return decoded === written || [...decoded].length > 2 ? null : { text: [...decoded].map(plain).join(''), end }
}

/** Blanks of any width read as a blank; soft hyphens and zero-width marks split words that are one; a bar would end a cell. */
function plain(character: string): string {
  if (/\s/.test(character) && character !== '\ufeff') return ' '
  return character === '|' ? barInCell : /[\u00ad\u200b-\u200f\ufeff]/.test(character) ? '' : character
}
