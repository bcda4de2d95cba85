/** Shares and counts in words that no figure spells: "two thirds", "half of", "one in five", "half a dozen", "a couple of". */
import { matchesOf } from '../matches.js'
import { NUMBER_WORDS } from './unit-table.js'
import type { FoundFigure } from './values.js'

const PARTS: Readonly<Record<string, number>> = { half: 2, halves: 2, third: 3, quarter: 4, fifth: 5, sixth: 6, eighth: 8, tenth: 10 }
const COUNT = 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve'
const FORMS = new RegExp(
  `\\b(?:(a|one|two|three|four|five|seven|nine)[ -](half|third|quarter|fifth|sixth|eighth|tenth)s?(?= (?:of|as|compared|more|less|lower|higher|in|over|from)\\b|[.,;)]|$)|(half)(?= (?:of|the|our|its|their|as)\\b|[.,;)]|$)|(${COUNT}|\\d{1,3}) (?:in|out of)(?: every)? (${COUNT}|\\d{1,3})(?! (?:days|weeks|months|years|hours|minutes))|(half )?a (dozen|hundred|thousand|million)|a (pair|couple) of)\\b`,
  'gi',
)

const SIZES: Readonly<Record<string, number>> = { dozen: 12, hundred: 100, thousand: 1000, million: 1e6 }

const count = (word: string | undefined): number =>
  word === undefined || /^an?$/i.test(word) ? 1 : (NUMBER_WORDS[word.toLowerCase()] ?? Number(word))

export function findFractions(text: string, covered: (at: number) => number): FoundFigure[] {
  const found: FoundFigure[] = []
  for (const match of matchesOf(FORMS, text)) {
    if (
      covered(match.index) >= 0 ||
      /(?:^|\s)(?:first|second|third|last|past|next|the|this|each|every)\s$/i.test(text.slice(Math.max(0, match.index - 8), match.index))
    )
      continue
    const [whole, top, bottom, half, share, of, halved, size, two] = match
    const approximate = /(?:about|around|roughly|nearly|almost|some|approximately|over|under)\s$/i.test(
      text.slice(Math.max(0, match.index - 14), match.index),
    )
    const percent = (n: number, precision: number) => ({ type: 'percent' as const, points: false, low: n, high: n, precision, approximate })
    const quantity = (n: number, precision: number) => ({ type: 'quantity' as const, unit: null, low: n, high: n, precision, approximate })
    const value = bottom
      ? percent((100 * count(top)) / PARTS[bottom.toLowerCase()]!, 2)
      : half
        ? percent(50, 2)
        : share
          ? percent((100 * count(share)) / count(of), 2)
          : two
            ? quantity(2, 1)
            : quantity(SIZES[size!.toLowerCase()]! * (halved ? 0.5 : 1), 1)
    found.push({ start: match.index, end: match.index + whole.length, text: whole, value })
  }
  return found
}
