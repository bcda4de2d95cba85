/**
 * The day a document gives as its own in the lines at its top: "Issued 24 February 2031 to the Lenders", "17 July 2031,
 * 14:00-16:20, Boardroom", "Rotterdam, 25 September 2031". Days of other papers and of what is told are left alone.
 */
import { pattern } from './pattern.js'
import { type FoundPeriod, findPeriods } from './periods.js'
import type { Period } from './types.js'

export interface IssueDay {
  period: Period
  start: number
  /** How surely it is the day of issue: 3 by what was done to the document, 2 by where it stands, 1 by what the document shows. */
  rank: 1 | 2 | 3
  /** The day is all that the line says of itself, so that what stands before may be a name. */
  placed: boolean
}

/** What is done to a document on the day it carries. */
export const ISSUED =
  'issued|re-?issued|published|printed|exported|generated|extracted|downloaded|dated|sent|served|typed|filed|lodged|released|delivered|rendered|handed down|pronounced|given|done|executed|sworn|written|prepared|compiled|drafted|produced|created|submitted|circulated|distributed|transmitted|updated|revised|amended|corrected|presented|recorded|reported|logged|made|certified|raised|granted|registered|entered|noted|declared|affirmed'
const AGREED =
  'approved|adopted|endorsed|authorised|authorized|signed|held|convened|completed|finalised|finalized|concluded|closed|conformed copy|certified copy|true copy|copy|final|draft|effective'
/** What is of one day by its nature: a sitting, a ruling, a version. */
const OF_A_DAY =
  'judgment|judgement|ruling|decision|order|award|decree|resolution|minutes|meeting|session|sitting|hearing|shift|night|call|conference|version|edition|revision|rev|issue|status|position|state|stand|notice|circular|bulletin|statement|declaration|certificate|opinion|report|memo|note'
const SNAPSHOT =
  'register|list|log|extract|inventory|overview|dashboard|tracker|snapshot|schedule|findings|printout|status|stock|ledger|roster|balance|summary of positions'

const BY_ACT = pattern(
  new RegExp(
    `(?:^|[\\s(,*_])(?:${ISSUED}|${AGREED})\\b(?! (?:for|from|until|before|after|since)\\b)(?:[^.;:|]|(?<=\\p{Lu})\\.){0,70}?[\\s,]{0,3}(?:(?:on|dated|the|at|of|as at|as of|day of)\\s{1,3})*(?:\\p{L}{2,9}day,?\\s)?$`,
    'iu',
  ),
)
const BY_ISSUE = pattern(new RegExp(`(?:^|[\\s(,*_])(?:${ISSUED})\\b`, 'iu'))
const BY_KIND = pattern(
  new RegExp(
    `^[^.;]{0,80}?\\b(?:${OF_A_DAY})\\b(?:\\s(?:no\\.?|nr\\.?|#|number)?\\s?[\\dA-Z][\\d./-]{0,12})?(?:\\s(?:of|dated|held|on|at|for|from)|\\sof the \\p{L}{3,12} (?:of|held on|on))*,?\\s(?:\\p{L}{2,9}day,?\\s)?$`,
    'iu',
  ),
)
const BY_SNAPSHOT = pattern(new RegExp(`\\b(?:${SNAPSHOT})\\b[^.;]{0,60}?\\b(?:at|on|of|per)\\s$|\\bas (?:at|of)\\s$`, 'iu'))
/** A day of something else: another paper, a deadline, a birth, a term. */
const ELSEWHERE = pattern(
  /\b(?:respon(?:se|d(?:s|ing)?) to|repl(?:y|ies) to|re|regarding|concerning|following|further to|in reply|appeal (?:against|from)|pursuant to|under the|refers? to|with reference to|replac(?:es|ing|ed)|supersed(?:es|ing|ed)|cancel(?:s|ling|led)|in place of|instead of|(?:addendum|amendment|supplement|annex|corrigendum|erratum) to|due|expir(?:y|es|ed|ing)|matur(?:ity|es|ing)|born|birth|dob|admitted|admission|discharged|received|valid|start(?:s|ed|ing)?|commenc(?:es|ed|ing|ement)|until|next|previous|last|deadline|drawn|opened|ended|ending|period|year to|between|built|since|before|after|no later)\b/i,
)
/** "the inspection of 4 May", "Accident on 4 May" */
const HAPPENED =
  /\b(?:inspect(?:ed|ion)|examin(?:ed|ation)|audit(?:ed)?|visit(?:ed|s)?|survey(?:ed)?|sampled|tested|test|incident|accident|loss|event|fire|failure|agreement|contract|lease|deed|letter|application|works?)(?: (?:of|on|from|dated|dates?|made on))?\s$/i
const PREPOSED = /\b(?:of|dated|from|on|by|until|to|ended|ending|since|before|after|at|the|for|in|between|and|until|per)\s$/i
const WEEKDAY = /(?:^|[\s,])(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s$/i
/** After the day: nothing, a remark in parentheses, a time, a place, whom it goes to. */
const AFTER =
  /^\s*(?:$|[,;|·)–—]|-\s|\(|\s{2}|at \d|(?:to|for) (?:the )?\p{Lu}|by (?:the )?\p{Lu}|\d{1,2}[:.]\d{2}(?:\s?(?:h|hrs|am|pm))?\s*(?:$|[,;|–—-]))/u

/** Where the words about a day begin: behind the day before it, a stop, or a bar. */
function leftOf(line: string, from: number, at: number): string {
  const text = line.slice(from, at)
  const stop = Math.max(
    text.lastIndexOf('. ') < 0 ? -1 : endOfSentence(text),
    text.lastIndexOf('; '),
    text.lastIndexOf(' | '),
    text.lastIndexOf(' · '),
  )
  return stop < 0 ? text : text.slice(stop + 2)
}

/** Behind "Report No. 8. Issued" but not behind "No." itself. */
function endOfSentence(text: string): number {
  for (let at = text.lastIndexOf('. '); at > 0; at = text.lastIndexOf('. ', at - 1))
    if (/[\p{L}\d)]{3}$/u.test(text.slice(0, at)) && /^\. ["(]?[\p{Lu}\d]/u.test(text.slice(at, at + 4))) return at
  return -1
}

function rankOf(left: string, right: string, alone: boolean): Pick<IssueDay, 'rank' | 'placed'> | null {
  const near = left.slice(/^.*(?:, | [–—-] |\()/.exec(left)?.[0].length ?? 0)
  if (ELSEWHERE.test(near) || HAPPENED.test(near)) return null
  if (BY_ACT.test(left)) return { rank: BY_ISSUE.test(left) ? 3 : 2, placed: false }
  const bare = left.replace(WEEKDAY, ' ').trimStart()
  const ends = AFTER.test(right)
  if (bare.trim().length === 0 && ends) return { rank: 2, placed: alone }
  if (!PREPOSED.test(bare) && (ends || /^\W*$/.test(right))) return { rank: 2, placed: /^[\s)*_.]*$/.test(right) }
  if (BY_KIND.test(left) && !/\b(?:to|on|under|against|with)\s(?:the|our|your|a)\b/i.test(left)) return { rank: 2, placed: false }
  return BY_SNAPSHOT.test(left) ? { rank: 1, placed: false } : null
}

/** The surest day of issue in one line of a header; the first of equals. */
export function issueDayIn(line: string): IssueDay | null {
  const days: FoundPeriod[] = findPeriods(line, null).filter(item => item.period.grain === 'day')
  let best: IssueDay | null = null
  let from = 0
  for (const day of days.slice(0, 3)) {
    const ranked = rankOf(leftOf(line, from, day.start), line.slice(day.end, day.end + 60), days.length === 1)
    if (ranked && (!best || ranked.rank > best.rank)) best = { period: day.period, start: day.start, ...ranked }
    from = day.end
  }
  return best
}
