/**
 * Claims as they are laid beside a document: those that stand close together in their own document are one statement, in its
 * words, so that the few statements a question has room for show more of the case and each shows what stands around it.
 */

/** Longest statement made of several claims; one claim may be longer. */
const longestJoined = 300
/** Characters left out between two claims of one statement. */
const widestGap = 30

export interface Passage {
  documentId: string
  start: number
  end: number
  /** Exactly the characters from `start` to `end`. */
  quote: string
  /** Row and column of a cell where its own words do not tell. */
  about: string | null
}

/** Its quote has the words of its claims, with a mark where something between them is left out. */
export interface JoinedStatement<T> extends Passage {
  /** In the order of the text. */
  claims: [T, ...T[]]
}

export function joinStatements<T extends Passage>(passages: readonly T[]): JoinedStatement<T>[] {
  const statements: JoinedStatement<T>[] = []
  const abouts = new Map<JoinedStatement<T>, Set<string>>()
  for (const passage of [...passages].sort(byPlace)) {
    const last = statements.at(-1)
    const more = last === undefined ? null : wordsBehind(last, passage)
    if (last !== undefined && more !== null) {
      last.quote += more
      last.end = Math.max(last.end, passage.end)
      last.claims.push(passage)
      if (passage.about !== null) abouts.get(last)?.add(passage.about)
    } else {
      const { documentId, start, end, quote, about } = passage
      const statement: JoinedStatement<T> = { documentId, start, end, quote, about, claims: [passage] }
      statements.push(statement)
      abouts.set(statement, new Set(about === null ? [] : [about]))
    }
  }
  for (const [statement, about] of abouts) statement.about = about.size === 0 ? null : [...about].join('; ')
  return statements
}

/** What the passage adds to the statement before it; null when it is a statement of its own. */
function wordsBehind(last: JoinedStatement<unknown>, { documentId, start, end, quote }: Passage): string | null {
  if (documentId !== last.documentId || start > last.end + widestGap) return null
  if (end <= last.end) return ''
  const more = start > last.end ? ` … ${quote}` : [...quote].slice(last.end - start).join('')
  return last.quote.length + more.length > longestJoined ? null : more
}

function byPlace(a: Passage, b: Passage): number {
  if (a.documentId !== b.documentId) return a.documentId < b.documentId ? -1 : 1
  return a.start - b.start || b.end - a.end
}
