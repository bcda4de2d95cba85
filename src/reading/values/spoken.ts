/** Days and times as they are said: "the fifth of October", "a quarter past eight in the evening", "ten to six in the morning". */

import { matchesOf } from '../matches.js'
import { CLOCK } from './clock.js'
import { type FoundPeriod, findPeriods } from './periods.js'
import { NUMBER_WORDS } from './unit-table.js'
import type { FoundFigure } from './values.js'

const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first'.split(
    ' ',
  )
const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December'
const DAY = new RegExp(
  `\\b(${[...ORDINALS].reverse().join('|')}) (?:day )?of (${MONTHS})(?:,? ((?:19|20)\\d\\d))?\\b|\\b(${MONTHS}) the (${[...ORDINALS].reverse().join('|')})\\b`,
  'g',
)

export function spokenDays(text: string, year: number): FoundPeriod[] {
  const found: FoundPeriod[] = []
  for (const match of matchesOf(DAY, text)) {
    const [whole, ordinal, month, own, before, behind] = match
    const day = ORDINALS.indexOf(ordinal ?? behind!) + 1
    const read = findPeriods(`${day} ${month ?? before}${own ? ` ${own}` : ''}`, year)[0]
    if (read) found.push({ start: match.index, end: match.index + whole.length, period: read.period, yearGuessed: read.yearGuessed })
  }
  return found
}

const HOUR = 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|1[0-2]|[1-9]'
const TIME = new RegExp(
  `\\b(?:(?:(an? quarter|half|five|ten|twenty|twenty-five|\\d{1,2})(?: minutes)? (past|to) )?(${HOUR})(?: o['’]clock)?,? (?:(?:in the|that|this|the same|on the following) (morning|afternoon|evening)|at (night)))\\b`,
  'gi',
)

/** Only where the part of the day is said as well: "half past six" alone may be either. */
export function spokenTimes(text: string): FoundFigure[] {
  const found: FoundFigure[] = []
  for (const match of matchesOf(TIME, text)) {
    const [whole, part, way, hour, light, night] = match
    const number = (word: string): number => NUMBER_WORDS[word.toLowerCase()] ?? Number(word)
    const minutes = part === undefined ? 0 : /quarter/i.test(part) ? 15 : /half/i.test(part) ? 30 : number(part)
    const spoken = number(hour!) % 12
    const late = (light !== undefined && !/morning/i.test(light)) || (night !== undefined && spoken >= 6)
    const at = (spoken + (late ? 12 : 0)) * 60 + (way?.toLowerCase() === 'to' ? -minutes : minutes)
    found.push({
      start: match.index,
      end: match.index + whole.length,
      text: whole,
      value: { type: 'quantity', unit: CLOCK, low: at, high: at, precision: part === undefined ? 30 : 10, approximate: false },
    })
  }
  return found
}
