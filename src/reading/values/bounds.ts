/** How exact a figure is meant to be: "about", "at least", "no more than", as it stands before or behind it. */

export type Bound = 'min' | 'max' | null

export function qualifiersOf(text: string, start: number, end: number): { approximate: boolean; bound: Bound } {
  const lead = text.slice(Math.max(0, start - 18), start)
  const isQualified = QUALIFIED.test(lead)
  return {
    approximate: isQualified && APPROXIMATE.test(lead),
    bound: boundOf(text.slice(Math.max(0, start - 72), start), text.slice(end, end + 16), isQualified),
  }
}

const APPROXIMATE = /(?:approximately|approx\.?|about|around|roughly|circa|ca\.|nearly|almost|some|~|≈|c\.)\s{0,2}$/i
const AT_LEAST =
  /(?:at least|no less than|not less than|minimum of|more than|over|above|exceeding|exceeds|exceed|≥|>=|(?<![-=])>|no fewer than|in excess of|greater than)\s{0,2}$/i
const AT_MOST =
  /(?:at most|no more than|not more than|maximum of|(?<!\b(?:add|adds|added|adding|amount|amounts|sum|sums|went|goes|gone|built|builds|came|comes|come|climbed|moved|moves|rose|rises|risen|grown|grew) )up to|less than|under|below|within|≤|<=|<|not exceed|not to exceed|fewer than)\s{0,2}$/i

/** How each of these ends: nothing else before a value says how exact it is. */
const QUALIFIED =
  /(?:approximately|approx\.?|about|around|roughly|circa|ca\.|nearly|almost|some|c\.|least|than|of|over|above|exceed(?:s|ed|ing)?|most|to|under|below|within|[~≈≥≤=<>])\s{0,2}$/i

/** "cannot pay more than V": that is the most. */
const NOT_ABOVE =
  /\b(?:cannot|not|never|no|nor)\b[^.;,:]{0,40}\b(?:above|over|more than|exceed(?:s|ed|ing)?|in excess of|greater than)\s{0,2}$/i

/** "at least V", "V as a minimum". */
function boundOf(left: string, behind: string, isQualified: boolean): Bound {
  const lead = left.slice(-18)
  if (!isQualified && !/^ [ao]/.test(behind)) return null
  if (isQualified && NOT_ABOVE.test(left)) return 'max'
  if ((isQualified && AT_LEAST.test(lead)) || /^ (?:as a minimum|at (?:the )?least|or more)\b/.test(behind)) return 'min'
  return (isQualified && AT_MOST.test(lead)) || /^ (?:as a maximum|at (?:the )?most|or less)\b/.test(behind) ? 'max' : null
}
