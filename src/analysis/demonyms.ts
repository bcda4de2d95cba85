/** Words of one country: "Danish" law is the law of Denmark. */

/** Those whose first letters part from the country's. */
const IRREGULAR: Record<string, string> = {
  danish: 'denmark',
  dutch: 'netherlands',
  holland: 'netherlands',
  french: 'france',
  swiss: 'switzerland',
  spanish: 'spain',
  irish: 'ireland',
  welsh: 'wales',
  polish: 'poland',
  finnish: 'finland',
  greek: 'greece',
  czech: 'czechia',
  turkish: 'turkey',
  british: 'britain',
  scots: 'scotland',
  manx: 'man',
}
const ADJECTIVE = /(?:ish|ian|ean|an|ese|ch|ss|i|k|ic|ot|er|ine)$/

const country = (word: string): string => IRREGULAR[word] ?? word

/** Both words may stand for one country. */
function oneCountry(a: string, b: string): boolean {
  const [left, right] = [country(a), country(b)]
  if (left === right) return true
  return (ADJECTIVE.test(a) || ADJECTIVE.test(b)) && left.length >= 4 && right.length >= 4 && left.slice(0, 4) === right.slice(0, 4)
}

/** A word of the one name is the adjective or the noun of a country in the other. */
export function sameCountry(a: string, b: string): boolean {
  const [left, right] = [a, b].map(name => name.toLowerCase().match(/\p{L}{4,}/gu) ?? [])
  return left!.some(word => right!.some(other => oneCountry(word, other)))
}
