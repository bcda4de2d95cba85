/** A function that remembers its answers, up to so many of them: words and labels come again, in a document and in the next one. */
export function memo<K, V extends {}>(most: number, make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return key => {
    const answer = known.get(key)
    if (answer !== undefined) return answer
    const made = make(key)
    if (known.size >= most) known.clear()
    known.set(key, made)
    return made
  }
}
