/**
 * Names in the environment that are no setting but look like one: a setting that is spelt wrong is otherwise ignored,
 * and the default taken in its place. Short names (HOST, PORT) have too many neighbours that mean something else.
 */

const shortestName = 6
const mostEdits = 2
const prefix = 'CONCORD_'

export interface Misspelt {
  name: string
  meant: string
}

export function misspeltSettings(names: readonly string[], known: readonly string[]): Misspelt[] {
  const settings = new Set(known)
  return names.flatMap(name => {
    const meant = settings.has(name) ? undefined : meantBy(name, settings)
    return meant === undefined ? [] : [{ name, meant }]
  })
}

function meantBy(name: string, settings: ReadonlySet<string>): string | undefined {
  if (name.startsWith(prefix)) return settings.has(name.slice(prefix.length)) ? name.slice(prefix.length) : undefined
  if (name.length < shortestName) return undefined
  const near = [...settings]
    .filter(known => known.length >= shortestName && Math.abs(known.length - name.length) <= mostEdits)
    .map(known => ({ known, edits: editsBetween(name, known) }))
    .filter(({ known, edits }) => edits <= Math.min(mostEdits, Math.floor(known.length / 5)))
  return near.sort((a, b) => a.edits - b.edits)[0]?.known
}

/** Insertions, deletions and replacements; two neighbours that changed places count as one. */
function editsBetween(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped))
    }
  }
  return at(a.length, b.length)
}
