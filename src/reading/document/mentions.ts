/**
 * Other papers a document speaks of ("Annex 3", "our letter of 4 March"), and those it is or has within itself. Each by a key that
 * is the same however it is written.
 */
import { findPeriods } from '../values/periods.js'
import { NO_YEAR } from '../words/tokens.js'

export interface Mentions {
  /** Keys of what its name, its title or a heading of it says it is. */
  holds: string[]
  mentions: [key: string, words: string][]
}

const MOST = 40
const SEARCHED = 200_000
const NUMBERED = 'Annexe?|Appendix|Schedule|Exhibit|Enclosure|Attachment|Anlage|Anhang'
const DATED =
  '[Ll]etter|[Ee]-?mail|[Mm]emo|[Mm]emorandum|[Rr]eport|[Ii]nvoice|[Nn]otice|[Oo]ffer|[Cc]ertificate|[Mm]inutes|[Ff]ax|[Ss]tatement|Schreiben|Brief|lettre|courrier'
const DAY = '\\d{1,2}(?:st|nd|rd|th|\\.|er)?\\s+\\p{L}{3,9}(?:\\s+\\d{4})?|\\p{L}{3,9}\\s+\\d{1,2}(?:,?\\s+\\d{4})?|\\d{4}-\\d\\d-\\d\\d'
const words = (list: string): string =>
  list
    .split('|')
    .flatMap(word => [word, word.toUpperCase(), word.toLowerCase()])
    .join('|')
/** In running text "schedule a" is two words: what is numbered by a letter is written with a capital. */
const MENTION = new RegExp(
  `(?<![\\p{L}\\d])(?:(${words(NUMBERED)})\\s+(?:[Nn]o\\.?\\s*)?(\\d{1,3}|[IVX]{1,5}|[A-Z])|(${DATED})\\s+(?:of|dated|vom|du)\\s+(${DAY}))(?![\\p{L}\\d])`,
  'gu',
)
/** As files are called: annex_04.pdf. */
const CALLED = new RegExp(`(?<![a-z])(${NUMBERED})[\\s_.-]*(?:no\\.?[\\s_.-]*)?(\\d{1,3}|[ivx]{1,5}|[a-z])(?![a-z0-9])`, 'gi')

export function mentionsOf({ name, title, text }: { name: string; title: string | null; text: string }): Mentions {
  const searched = text.slice(0, SEARCHED)
  const holds = new Set(papersCalled(`${name}\n${title ?? ''}`))
  const found = new Map<string, string>()
  for (const match of searched.matchAll(MENTION)) {
    const key = keyOf(match)
    if (key === null) continue
    if (isHeading(searched, match)) holds.add(key)
    else if (found.size < MOST && !found.has(key)) found.set(key, match[0].replaceAll(/\s+/g, ' '))
  }
  return { holds: [...holds].slice(0, MOST), mentions: [...found].filter(([key]) => !holds.has(key)) }
}

/** What a name says a paper is. */
export function papersCalled(name: string): string[] {
  return [...name.matchAll(CALLED)].map(([, word = '', number = '']) => numberedKey(word, number))
}

/** Of a mention by its day, that day: `--03-04` where no year is told. Null for one by its number. */
export function dayMentioned(key: string): string | null {
  return /(?:\d{4}|-)-\d\d-\d\d$/.exec(key)?.[0] ?? null
}

function keyOf([, word, number = '', kind = '', written = '']: RegExpMatchArray): string | null {
  if (word !== undefined) return numberedKey(word, number)
  const [day] = findPeriods(written, NO_YEAR)
  if (day?.period.grain !== 'day') return null
  return `${kind.toLowerCase()} ${day.yearGuessed ? `-${day.period.from.slice(4)}` : day.period.from}`
}

function numberedKey(word: string, number: string): string {
  return `${word.toLowerCase().replace(/^annexe$/, 'annex')} ${number.toLowerCase().replace(/^0+(?=\d)/, '')}`
}

/** It begins its line, and no sentence goes on from it. */
function isHeading(text: string, { index = 0, 0: words, 1: numbered }: RegExpMatchArray): boolean {
  if (numbered === undefined) return false
  const before = index <= 20 ? `\n${text.slice(0, index)}` : text.slice(index - 20, index)
  const after = text.slice(index + words.length, index + words.length + 10)
  return /\n[\s#*_]*$/.test(before) && !/^[^\S\n]+\p{Ll}/u.test(after)
}
