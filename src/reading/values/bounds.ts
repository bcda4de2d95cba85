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
const OVER = /(?:at least|minimum of|more than|over|above|exceed(?:s|ed|ing)?|≥|>=|(?<![-=])>|in excess of|greater than)\s{0,2}$/i
const UNDER =
  /(?:at most|maximum of|(?<!\b(?:add|adds|added|adding|amount|amounts|sum|sums|went|goes|gone|built|builds|came|comes|come|climbed|moved|moves|rose|rises|risen|grown|grew) )up to|less than|under|below|within|≤|<=|<|fewer than)\s{0,2}$/i
/** "cannot pay more than V" is the most, "not below V" the least. */
const DENIED = /\b(?:cannot|not|never|no|nor)\b[^.;,:]{0,40}$/i

/** How each of these ends: nothing else before a value says how exact it is. */
const QUALIFIED =
  /(?:approximately|approx\.?|about|around|roughly|circa|ca\.|nearly|almost|some|c\.|least|than|of|over|above|exceed(?:s|ed|ing)?|most|to|under|below|within|[~≈≥≤=<>])\s{0,2}$/i

/** "at least V", "V as a minimum". */
function boundOf(left: string, behind: string, isQualified: boolean): Bound {
  if (isQualified) {
    const [over] = OVER.exec(left) ?? []
    const said = over ?? UNDER.exec(left)?.[0]
    if (said !== undefined) return DENIED.test(left.slice(0, -said.length)) === (over !== undefined) ? 'max' : 'min'
  }
  if (/^ (?:as a minimum|at (?:the )?least|or more)\b/.test(behind)) return 'min'
  return /^ (?:as a maximum|at (?:the )?most|or less)\b/.test(behind) ? 'max' : null
}
