/** How often something is done, said by an adverb: "are screened once a week", "has been running daily since 2023". */
import { type Category, categoriesIn } from './categories.js'
import { pattern } from './pattern.js'

const OFTEN =
  '(?:twice|once|two times) (?:a|per|each|every) (?:year|quarter|month|week|day|hour)|(?:every|each) (?:year|quarter|month|week|day|hour)|every (?:2|3|5|6|12|14|24|two|three|five|six|twelve) (?:days|weeks|months|years)|every other week|(?:semi|bi)-?annually|half-?yearly|annually|yearly|quarterly|monthly|fortnightly|weekly|daily|hourly'
/** "the weekly report" is called so; "tested weekly", "running daily since" says how often. */
const RHYTHM = pattern(
  new RegExp(
    `(?<!\\b(?:the|an?|this|its|their|our|of|per|no|for|in|and|or|last|next)\\s)\\b(?:${OFTEN})\\b(?=\\s*(?:[.,;:)]|$)|\\s(?:since|from|until|by|in|and|at|for|with|to|on|during|before|after|against|under|using|through|as|between|of the|when)\\b)`,
    'i',
  ),
)
/** Verbs that say a rhythm wherever it stands behind them: "reviewed on a quarterly basis". */
const REPEATED = pattern(
  /\b(?:scheduled|performed|conducted|carried out|reviewed|reported|submitted|updated|calculated|inspected|tested|monitored|verified|audited|calibrated|assessed|repeated|measured|paid|takes place|meets?|occurs?)\b[^.;]{0,40}?\b(?:semi-?annual(?:ly)?|annual(?:ly)?|quarterly|monthly|weekly|daily|every (?:two|three|six|3|12|24) (?:months|years))\b/i,
)
const DONE =
  /\b(?:is|are|was|were|been|being|be|takes? place|took place|meets?|met|runs?|ran|occurs?|reports?|reviews?|tests?|checks?|[a-z]{3,}(?:ed|es))\b/i
/** How often something was counted or paid is a figure, not a rhythm. */
const COUNTED = /\b(?:\d[\d,.]*|per cent|percent|times)\s(?:\p{L}+\s)?$/iu

export function rhythmIn(text: string): Category | null {
  const match = RHYTHM.exec(text)
  const before = match ? text.slice(0, match.index) : ''
  const said = match && DONE.test(before) && !COUNTED.test(before) ? match[0] : REPEATED.exec(text)?.[0]
  return said === undefined ? null : (categoriesIn(said, true).find(item => item.set === 'frequency') ?? null)
}

/** The text without the words that say how often. */
export const withoutRhythm = (text: string): string => RHYTHM.replace(text, ' ')
