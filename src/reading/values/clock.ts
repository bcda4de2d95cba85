/**
 * Times of day in minutes after midnight: "18:15", "6.40 am", "noon", "9 in the morning", with the zone where one is written,
 * and as they are said: "a quarter past eight in the evening".
 */
import { matchesOf } from '../matches.js'
import { NUMBER_WORDS } from './unit-table.js'
import type { FoundFigure } from './values.js'

export const CLOCK = 'time of day'

const WRITTEN =
  /([01]?\d|2[0-4])[:.]([0-5]\d)(?::[0-5]\d)?(?![\d%]|[.:]\d)(?:\s?([ap])\.?\s?m\b\.?)?|(1[0-2]|[1-9])(?:\s?([ap])\.?m\b\.?|\so['’]clock(?!,? (?:in|that|this|at)))/
    .source
const HOUR = 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|1[0-2]|[1-9]'
/** Only where the part of the day is said as well: "half past six" alone may be either. */
const SPOKEN = `\\b(?:(an? quarter|half|five|ten|twenty|twenty-five|\\d{1,2})(?: minutes)? (past|to) )?(${HOUR})(?: o['’]clock)?,? (?:(?:in the|that|this|the same|on the following) (morning|afternoon|evening)|at (night))\\b`
export const TIME = new RegExp(
  `(?<![\\d.:,/€$£-])(?:${WRITTEN}|${SPOKEN})(?:\\s(UTC|GMT|BST|CET|CEST|EST|EDT|PST|PDT|Z)\\b)?|\\b(noon|midday|midnight)\\b`,
  'gi',
)
/** "6.40" is a time only where something says so; "18:15" is one anyway. */
const SAYS_SO = /\b(?:at|from|until|till|by|around|about|before|after|since|to|and|between)\s$/i
/** "6.40 m" is a length. */
const MEASURED = /^\s?(?:m|km|kg|%|million|EUR|USD|hours?|x)\b/i
const OFFSETS: Readonly<Record<string, number>> = { bst: 60, cet: 60, cest: 120, est: -300, edt: -240, pst: -480, pdt: -420 }

export function findTimes(text: string): FoundFigure[] {
  const found: FoundFigure[] = []
  for (const match of matchesOf(TIME, text)) {
    const [whole, hour, minute, half, plainHour, plainHalf, part, way, dayHour, light, night, zone, word] = match
    if (hour !== undefined && whole.includes('.')) {
      const isSaid = whole[hour.length] !== '.' || half !== undefined || SAYS_SO.test(text.slice(Math.max(0, match.index - 9), match.index))
      if (!isSaid || MEASURED.test(text.slice(match.index + whole.length))) continue
    }
    const number = (said: string): number => NUMBER_WORDS[said.toLowerCase()] ?? Number(said)
    const spoken = number(hour ?? plainHour ?? dayHour ?? (word?.toLowerCase() === 'midnight' ? '0' : '12'))
    const inHalf = half ?? plainHalf ?? light ?? night
    const isLate = /p|noon|even/i.test(half ?? plainHalf ?? light ?? '') || (night !== undefined && spoken >= 6)
    const hours = inHalf === undefined ? spoken : (spoken % 12) + (isLate ? 12 : 0)
    const away = part === undefined ? 0 : /quarter/i.test(part) ? 15 : /half/i.test(part) ? 30 : number(part)
    const minutes = hours * 60 + (minute ? Number(minute) : way?.toLowerCase() === 'to' ? -away : away)
    const low = minutes - (OFFSETS[zone?.toLowerCase() ?? ''] ?? 0)
    const value = { type: 'quantity', unit: CLOCK, low, high: low, precision: dayHour ? 10 : 1, approximate: false } as const
    found.push({ start: match.index, end: match.index + whole.length, text: whole, value })
  }
  return found
}
