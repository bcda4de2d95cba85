/** All matches of a global expression. `String.matchAll` gives the same and makes a copy of the expression each time. */
export function matchesOf(regex: RegExp, text: string): RegExpExecArray[] {
  const found: RegExpExecArray[] = []
  regex.lastIndex = 0
  for (let match = regex.exec(text); match !== null; match = regex.exec(text)) {
    found.push(match)
    if (match[0] === '') regex.lastIndex++
  }
  return found
}
