/** How exact a figure is meant to be: "about", "at least", "no more than", as it stands before it. */

export type Bound = 'min' | 'max' | null

export function qualifiersOf(text: string, start: number): { approximate: boolean; bound: Bound } {
  const lead = text.slice(Math.max(0, start - 72), start)
  const [over] = OVER.exec(lead) ?? []
  const said = over ?? UNDER.exec(lead)?.[0]
  const approximate = APPROXIMATE.test(lead)
  if (said === undefined) return { approximate, bound: null }
  return { approximate, bound: DENIED.test(lead.slice(0, -said.length)) === (over !== undefined) ? 'max' : 'min' }
}

const APPROXIMATE = /(?:approximately|approx\.?|about|around|roughly|circa|ca\.|nearly|almost|some|~|≈|c\.)\s{0,2}$/i
const OVER = /(?:at least|minimum of|more than|over|above|exceed(?:s|ed|ing)?|≥|>=|(?<![-=])>|in excess of|greater than)\s{0,2}$/i
const UNDER =
  /(?:at most|maximum of|(?<!\b(?:add|adds|added|adding|amount|amounts|sum|sums|went|goes|gone|built|builds|came|comes|come|climbed|moved|moves|rose|rises|risen|grown|grew) )up to|less than|under|below|within|≤|<=|<|fewer than)\s{0,2}$/i
/** "cannot pay more than V" is the most, "not below V" the least. */
const DENIED = /\b(?:cannot|not|never|no|nor)\b[^.;,:]{0,40}$/i
