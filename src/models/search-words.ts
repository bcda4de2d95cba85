/**
 * The words by which statements are found: lower case, without accents and common words, with plain endings folded, so that
 * "containers were damaged" meets "damage to the container". Numbers stay as they are written, without separators.
 */

const common = new Set(
  `a about above after again against all also although am an and any are as at be because been before being below between both but by can
  could did do does doing down during each either every few for from further had has have having he her here hers him his how i if in into is
  it its itself just may me might more most must my neither no nor not now of off on once only or other our out over own per same shall she
  should so some such than that the their them then there these they this those through to too under until up upon very was we were what when
  where whether which while who whom why will with within without would you your`.split(/\s+/),
)

export function searchWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/(?<=\d)[\s,'’](?=\d{3}(?!\d))/g, '')
  const words = plain.match(/\d+(?:\.\d+)?|\p{L}[\p{L}\p{N}]*/gu) ?? []
  return words.filter(word => !common.has(word) && (word.length > 1 || /\d/.test(word))).map(folded)
}

/** Enough to meet plural, past and -ing forms; where it errs it errs for both sides alike. */
function folded(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word
  const stem = word
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/(?<=[^s])(?:es|s)$/, '')
    .replace(/(?<=\p{L}{3})(?:ing|ed)$/u, '')
  return stem.replace(/(?<=\p{L}{3})e$/u, '').replace(/([^aeiouls])\1$/, '$1')
}
