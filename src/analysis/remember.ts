/** Answers that are asked for again and again, kept in a bounded table. It only saves time: what is forgotten is worked out anew. */
export function remembered<T>(limit: number, answer: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return text => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = answer(text)
    if (known.size >= limit) known.clear()
    known.set(text, made)
    return made
  }
}
