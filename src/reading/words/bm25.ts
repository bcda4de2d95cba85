/** How well a text answers a word, as BM25 has it: rare words count more, repeats ever less, and long texts a little less. */

/** BM25's usual constants: how fast repeats stop counting, and how much length does. */
const saturation = 1.2
const lengthWeight = 0.75

/** What a word counts that so many of all texts have. */
export function rarityWeight(texts: number, having: number): number {
  return Math.log(1 + (texts - having + 0.5) / (having + 0.5))
}

export function wordScore(word: { weight: number; count: number }, text: { length: number; average: number }): number {
  const length = 1 - lengthWeight + (lengthWeight * text.length) / (text.average || 1)
  return (word.weight * word.count * (saturation + 1)) / (word.count + saturation * length)
}
