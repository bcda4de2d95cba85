/**
 * Numbers that count nothing: "Article 9", "gate 4", "under 3", "at ten in the morning", "the last three years", "five times
 * the limit". They are never read as values; stretches of time without a date are read like one.
 */
import { namesByNumber } from './marks.js'
import { pattern } from './pattern.js'
import { type FoundPeriod, MONTH } from './periods.js'
import { NUMBER_WORD, NUMBER_WORDS } from './units.js'

/** "Site 07", "Phase II", "Art. 18": a number that names; it is no quantity. */
const NAMED_NUMBER =
  /(?:\b(?:[Aa]rt(?:icle)?s?|[Ss]ec(?:tion)?s?|[Dd]ocuments?|[Nn]os?|[Rr]ef|[Pp]hase|[Ss]ite|[Tt]ype|[Tt]ier|[Gg]rades?|[Gg]r|[Ss]tage|[Cc]laims?|[Oo]bservations?|[Cc]ases?|[Gg]uidelines?|[Pp]atient|[Cc]ycles?|[Dd]ay|[Pp]art|[Tt]able|[Ff]igure|[Aa]nnex|[Aa]ppendix|[Cc]lass|[Ss]tep|[Oo]ption|[Nn]ote|[Ii]tem|[Pp]oints?|[Pp]ara(?:graph)?s?|[Rr]ecommendations?|[Rr]equirements?|[Qq]uestions?|[Ff]irmware|[Ss]oftware|[Ee]ndorsement|[Aa]mendment|[Ii]ssue|[Rr]elease|[Cc]lause|[Ss]chedule|[Pp]age|[Uu]nit|[Bb]lock|[Ll]ot|[Bb]atch|[Ll]evel|[Vv]ersion|[Rr]evision|[Ww]eek|[Rr]oom|[Ll]ine|[Pp]illar|[Ss]cope|[Tt]op|[Ff]indings?|[Aa]ctions?|[Dd]ose|[Ss]heet|[Rr]ule|[Pp]rinciple|[Cc]hapter|[Ee]xhibit|[Ff]ootnote|[Vv]isit|[Cc]ondition|IFRS|IAS|ISO|SOC|ASC|CFR|GAAP|RECIST|CTCAE|TNM|ICH|Directive|Regulation)\.?\s?#?|(?:^|[^\p{L}])v)$/u

/** A day whose year is not known is still no quantity. */
const DAY_OF_MONTH = new RegExp(`^\\d{1,2}(?:st|nd|rd|th)?\\.?(?:(?: (?:and|to|or|until) | ?[-–] ?)\\d{1,2})?\\s${MONTH}(?![a-z])`, 'i')

/** Behind a number that names: it is something, or says something. */
const NAMES_WHAT =
  /^\d{1,2}(?:\.\d{1,2})? (?:is|was|requires|says|states|provides|limits|sets) (?:an? |the |to |only |at |now )*[\p{L}€$£]*\s?\d/u

/** "on a scale of 5", "to the nearest 5,000", "any one event". */
const NO_COUNT_BEFORE = pattern(/\b(?:scale (?:of|from)(?: (?:\d|one) (?:to|-))?|nearest|any|each|every|either|no) $/i)
const ONE_OF_MANY =
  /^one (?:another|or|hand|day|evening|morning|afternoon|night|occasion|time|\p{L}+day|of (?:which|whom)|of (?:the|its|our|their) (?:few|main|most|\p{L}+est))\b/iu
const MULTIPLE = /^\S{1,12} times (?:the|as|that|its|their|higher|greater|larger|more)\b/i
/** "the sum under 3", "findings under 1 and 2", "men under 40". */
const REFERRED = /\bunder (?:\d{1,2} (?:and|to|or) )?$/
const REFERRED_TO = /^\d{1,2}(?: (?:and|to|or) \d{1,2})?(?:[.,;)](?!\d)|$| (?:above|below|is|are|was|were|and|or)\b)/
const CLOCK_BEFORE = pattern(/\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|daily|noon|midnight) (?:at|from|by|until|between) $/i)
const CLOCK_AFTER = new RegExp(
  `^\\S{1,6}(?: (?:and|to|until) (?:\\d{1,2}|${NUMBER_WORD}))? (?:o['’]clock|[ap]\\.?m\\b|in the (?:morning|afternoon|evening))`,
  'i',
)
const CLOCK = /\b(?:at|from|by|until|till|between|before|after|around|about|and|to) $/i

/** "of the 1,231 cases 1,007 were closed" */
const COUNTS_THEM = /^(?:\d{1,3},\d{3}|\d{1,4} (?:(?:are|were|have|had)\b|of (?:(?:the|its|our|their) )?\d))/
/** "points 5 to 8 and 11" */
const CHAINED =
  /\b(?:[Pp]oints|[Aa]ctions|[Ff]indings|[Ii]tems|[Cc]lauses|[Ss]ections|[Aa]rticles|[Pp]aragraphs|[Rr]ecommendations|[Uu]nits|[Ll]ines) (?:\d{1,3}(?:, | and | to | or )){1,4}$/
const ODDS = /^1 in \d/

const namesNothing = (before: string, text: string): boolean =>
  NO_COUNT_BEFORE.test(before) ||
  ONE_OF_MANY.test(text) ||
  MULTIPLE.test(text) ||
  ODDS.test(text) ||
  /\b1 in $/.test(before) ||
  CHAINED.test(before) ||
  (REFERRED.test(before) && REFERRED_TO.test(text)) ||
  CLOCK_BEFORE.test(before) ||
  (CLOCK.test(before) && CLOCK_AFTER.test(text))

/** Tells for an offset of a text whether the number there counts nothing. */
export function countsNothing(text: string): (at: number) => boolean {
  return at => {
    const before = text.slice(Math.max(0, at - 36), at)
    const after = text.slice(at, at + 48)
    if (
      (NAMED_NUMBER.test(before.slice(-16)) && !COUNTS_THEM.test(after)) ||
      DAY_OF_MONTH.test(after.slice(0, 20)) ||
      namesNothing(before, after)
    )
      return true
    // "the freeboard in condition 9 is 2.0 m"
    if (/\p{Ll}{4} $/u.test(before) && NAMES_WHAT.test(after.slice(0, 24)) && !/\b(?:from|than|only|about|over|under|total) $/.test(before))
      return true
    const word = /(?:^|[^\p{L}])(\p{L}{3,14}) $/u.exec(before.slice(-16))?.[1]
    // "gate 4 did not open", but "per container 12 tonnes".
    return (
      word !== undefined &&
      namesByNumber(word.toLowerCase()) &&
      /^\d{1,3}(?![\d.,]*\d|\s?[%€$£]|\s(?!(?:has|is|was|does)\b)\p{L}+s\b)/u.test(after.slice(0, 24))
    )
  }
}

const LENGTH = `(\\d{1,3}|${NUMBER_WORD}) (?:full |whole |calendar |working |financial )?(day|week|month|quarter|year)s?`
/** "in the last three years", "over the first 12 weeks". */
const RELATIVE = pattern(
  new RegExp(
    `\\b(?:(?:the|its|their|our|these|those) )?(?:first|last|next|past|previous|preceding|following|coming|initial|final) ${LENGTH}(?![\\p{L}-])`,
    'giu',
  ),
)
const LEADING_TO = new RegExp(`\\b(?:the )?${LENGTH} (?:up )?(?:to|ended|ending|until) $`, 'iu')

/** "Receivables more than 90 days overdue": how old they are tells which. */
const AGED = pattern(
  new RegExp(
    `\\b(?:more than|less than|over|under|at least|up to) ${LENGTH} (?:overdue|past due|in arrears|old)(?= (?:\\p{L}+ ){0,8}(?:is|are|was|were|amount|amounted|stand|stood|total|totalled|came|come)\\b)`,
    'giu',
  ),
)

/** "was ended fourteen months later" */
const LATER = pattern(new RegExp(`\\b${LENGTH} (?:later|earlier|ago|beforehand|thereafter)(?! than)(?![\\p{L}-])`, 'giu'))

/** Stretches of time that say when or which, not how long. */
export function timesIn(text: string): { start: number; end: number }[] {
  return [...RELATIVE.all(text), ...AGED.all(text), ...LATER.all(text)].map(match => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
}

const MONTHS_IN: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 }

/** "the twelve months to June 2024": one period, which ends where the date does. */
export function stretched(text: string, periods: readonly FoundPeriod[]): FoundPeriod[] {
  return periods.map(found => {
    const lead = text.slice(Math.max(0, found.start - 48), found.start)
    const match = /[doglt] $/.test(lead) ? LEADING_TO.exec(lead) : null
    if (!match || (found.period.grain !== 'day' && found.period.grain !== 'month')) return found
    const size = MONTHS_IN[match[2]!.toLowerCase()]
    const start = found.start - (lead.length - match.index)
    if (size === undefined) return { ...found, start }
    const count = size * (NUMBER_WORDS[match[1]!.toLowerCase()] ?? Number(match[1]))
    const from = monthsBefore(found.period.to, count)
    return { ...found, start, period: { label: `${count} months to ${found.period.label}`, from, to: found.period.to, grain: 'range' } }
  })
}

function monthsBefore(day: string, count: number): string {
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - count
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}${day.slice(7)}`
}
