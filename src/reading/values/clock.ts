/** Times of day: "18:15", "6.40 am", "noon", "9 in the morning", with the zone where one is written. In minutes after midnight. */
import { matchesOf } from '../matches.js'
import type { FoundFigure } from './values.js'

export const CLOCK = 'time of day'

const TIME =
  /(?<![\d.:,/€$£-])(?:([01]?\d|2[0-4])[:.]([0-5]\d)(?::[0-5]\d)?(?![\d%]|[.:]\d)(?:\s?([ap])\.?\s?m\b\.?)?|(1[0-2]|[1-9])\s?([ap])\.?m\b\.?|(1[0-2]|[1-9])\s(?:o['’]clock\s)?in the (morning|afternoon|evening)|(1[0-2]|[1-9])\so['’]clock)(?:\s(UTC|GMT|BST|CET|CEST|EST|EDT|PST|PDT|Z)\b)?|\b(noon|midday|midnight)\b/gi
/** "6.40" is a time only where something says so; "18:15" is one anyway. */
const SAYS_SO = /\b(?:at|from|until|till|by|around|about|before|after|since|to|and|between)\s$/i
/** "6.40 m" is a length. */
const MEASURED = /^\s?(?:m|km|kg|%|million|EUR|USD|hours?|x)\b/i
const OFFSETS: Readonly<Record<string, number>> = { bst: 60, cet: 60, cest: 120, est: -300, edt: -240, pst: -480, pdt: -420 }

export function findTimes(text: string, covered: (at: number) => number): FoundFigure[] {
  const found: FoundFigure[] = []
  for (const match of matchesOf(TIME, text)) {
    if (covered(match.index) >= 0) continue
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
    found.push({
      start: match.index,
      end: match.index + whole.length,
      text: whole,
      value: { type: 'quantity', unit: CLOCK, low: minutes, high: minutes, precision: 1, approximate: false },
    })
  }
  return found
}
