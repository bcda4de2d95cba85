/** Run-in headings, which stand before what a paragraph says: "4. Fair value. Assets of level 3 …". */

export interface RunIn {
  title: string
  /** Where the words begin, from the start of the paragraph. */
  length: number
}

const NUMBERED =
  /^(?:Agenda item|Item|Note|Point|Re|Ad|Finding|Question|Answer|Reply|Comment|Paragraph|Ground|Issue)\s(?:\d{1,3}(?:\.\d{1,2})?|[A-Z])(?:\s?[.:)–—-])?\s+/
const TITLE = /^(\p{Lu}(?:[^.:;!?()\n]|\([^()\n]{1,40}\)){2,60})\.\s+(?=["“(]?[\p{Lu}\d])/u
/** What a title has not: a verb, somebody who speaks, an abbreviation at its end. */
const SPOKEN =
  /\b(?:is|are|was|were|be|been|has|have|had|will|shall|would|should|may|might|must|can|could|cannot|do|does|did|not|we|they|it|i|you|he|she|this|these|please|see|thank|yes|no)\b/i
const SHORTENED =
  /\b(?:\p{Lu}|Mr|Mrs|Ms|Dr|Prof|No|Nr|Art|Inc|Ltd|Co|Corp|St|vs|approx|incl|excl|Fig|Sec|Ref|e\.g|i\.e|cf|a\.m|p\.m|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)$/u

/** The title before the first stop of a paragraph or item, if it is one. */
export function runInOf(text: string, itemized: boolean): RunIn | null {
  const numbered = NUMBERED.exec(text)
  const from = numbered?.[0].length ?? 0
  const match = TITLE.exec(text.slice(from, from + 90))
  const title = match?.[1]
  if (!title) return numbered ? { title: '', length: from } : null
  const words = title
    .replace(/\([^()]*\)/g, ' ')
    .trim()
    .split(/\s+/)
  if (words.length > (itemized || numbered ? 7 : 4) || SPOKEN.test(title) || SHORTENED.test(title))
    return numbered ? { title: '', length: from } : null
  // "Prices fell. The …" may say something; only numbers and bullets make it sure that it does not.
  if (!itemized && !numbered && words.some(word => /(?:ed|ly|ell|ew|ose)$/.test(word))) return null
  return { title, length: from + match[0].length }
}
