/** Whether lines are running text: a sentence that ends, or one that goes on in the next line. */

/** Words that end like a sentence and are one. */
export function isSentence(text: string): boolean {
  return /^\p{Lu}/u.test(text) && /[.!?]["')]?$/.test(text) && text.split(/\s+/).length >= 4 && !/^(?:dear|yours)\b/i.test(text)
}

const JOINING =
  '(?:of|in|on|at|to|for|from|by|with|and|or|as|the|a|an|is|are|was|were|that|which|who|than|but|not|its|their|until|since|per)'
const GOES_ON = new RegExp(`^\\s*${JOINING}\\s`)
const LEFT_OPEN = new RegExp(`\\s${JOINING}$`)

/** Words of a sentence without its end, by a word that joins them to what follows. */
export const breaksOff = (line: string, next: string): boolean =>
  /^\s*\S+(?:\s+\S+){3,}$/.test(line.trimEnd()) &&
  !/[.!?:;|]$/.test(line.trimEnd()) &&
  (GOES_ON.test(next) || LEFT_OPEN.test(line.trimEnd()))
