/**
 * Times of day in minutes after midnight: "18:15", "6.40 am", "noon", "9 in the morning", with the zone where one is written,
 * and as they are said: "a quarter past eight in the evening".
 */
import { matchesOf } from '../matches.js'
import { NUMBER_WORDS } from './unit-table.js'
import type { FoundFigure } from './values.js'

export const CLOCK = 'time of day'

export const TIME =
  /(?<![\d.:,/€$£-])(?:([01]?\d|2[0-4])[:.]([0-5]\d)(?::[0-5]\d)?(?![\d%]|[.:]\d)(?:\s?([ap])\.?\s?m\b\.?)?|(1[0-2]|[1-9])\s?([ap])\.?m\b\.?|(1[0-2]|[1-9])\s(?:o['’]clock\s)?in the (morning|afternoon|evening)|(1[0-2]|[1-9])\so['’]clock)(?:\s(UTC|GMT|BST|CET|CEST|EST|EDT|PST|PDT|Z)\b)?|\b(noon|midday|midnight)\b/gi
/** "6.40" is a time only where something says so; "18:15" is one anyway. */
const SAYS_SO = /\b(?:at|from|until|till|by|around|about|before|after|since|to|and|between)\s$/i
/** "6.40 m" is a length. */
const MEASURED = /^\s?(?:m|km|kg|%|million|EUR|USD|hours?|x)\b/i
const OFFSETS: Readonly<Record<string, number>> = { bst: 60, cet: 60, cest: 120, est: -300, edt: -240, pst: -480, pdt: -420 }

export function findTimes(text: string): FoundFigure[] {
  const found: FoundFigure[] = []
  for (const match of matchesOf(TIME, text)) {
    const [whole, hour, minute, half, plainHour, plainHalf, dayHour, partOfDay, clockHour, zone, word] = match
    if (hour !== undefined && whole.includes('.')) {
      const isSaid = whole[hour.length] !== '.' || half !== undefined || SAYS_SO.test(text.slice(Math.max(0, match.index - 9), match.index))
      if (!isSaid || MEASURED.test(text.slice(match.index + whole.length))) continue
    }
    const afternoon = /p/i.test(half ?? plainHalf ?? '') || /afternoon|evening/i.test(partOfDay ?? '')
    const spoken = Number(hour ?? plainHour ?? dayHour ?? clockHour ?? (word?.toLowerCase() === 'midnight' ? 0 : 12))
    const inHalf = half ?? plainHalf ?? partOfDay
    const hours = inHalf === undefined ? spoken : afternoon ? (spoken % 12) + 12 : spoken % 12
    const minutes = hours * 60 + Number(minute ?? 0) - (zone ? (OFFSETS[zone.toLowerCase()] ?? 0) : 0)
    found.push(timeOf(match.index, whole, minutes, 1))
  }
  return found
}

const timeOf = (start: number, text: string, minutes: number, precision: number): FoundFigure => ({
  start,
  end: start + text.length,
  text,
  value: { type: 'quantity', unit: CLOCK, low: minutes, high: minutes, precision, approximate: false },
})

const HOUR = 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|1[0-2]|[1-9]'
export const SPOKEN = new RegExp(
  `\\b(?:(?:(an? quarter|half|five|ten|twenty|twenty-five|\\d{1,2})(?: minutes)? (past|to) )?(${HOUR})(?: o['’]clock)?,? (?:(?:in the|that|this|the same|on the following) (morning|afternoon|evening)|at (night)))\\b`,
  'gi',
)

/** Only where the part of the day is said as well: "half past six" alone may be either. */
export function spokenTimes(text: string): FoundFigure[] {
  const found: FoundFigure[] = []
  for (const match of matchesOf(SPOKEN, text)) {
    const [whole, part, way, hour, light, night] = match
    const number = (word: string): number => NUMBER_WORDS[word.toLowerCase()] ?? Number(word)
    const minutes = part === undefined ? 0 : /quarter/i.test(part) ? 15 : /half/i.test(part) ? 30 : number(part)
    const spoken = number(hour!) % 12
    const late = (light !== undefined && !/morning/i.test(light)) || (night !== undefined && spoken >= 6)
    const at = (spoken + (late ? 12 : 0)) * 60 + (way?.toLowerCase() === 'to' ? -minutes : minutes)
    found.push(timeOf(match.index, whole, at, part === undefined ? 30 : 10))
  }
  return found
}
