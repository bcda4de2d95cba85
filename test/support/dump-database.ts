/** Every row of every table as text, for tests that look for what must not be there. */

import type pg from 'pg'

export interface DumpedRow {
  table: string
  text: string
}

/** As the owner of everything, so that row-level security hides nothing. */
export async function dumpDatabase(owner: pg.Client): Promise<DumpedRow[]> {
  const { rows: tables } = await owner.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by tablename",
  )
  const dumped: DumpedRow[] = []
  for (const { name } of tables) {
    const { rows } = await owner.query<{ text: string }>(`select t::text as text from ${name} t`)
    // One by one: a table may have more rows than a call takes arguments.
    for (const { text } of rows) dumped.push({ table: name, text })
  }
  return dumped
}

/** Tables that hold one of the words, in any case. */
export function tablesWith(dump: readonly DumpedRow[], words: readonly string[]): string[] {
  const holds = searchFor(words.map(word => word.toLowerCase()))
  return [...new Set(dump.filter(({ text }) => holds(text.toLowerCase())).map(row => row.table))]
}

/** Thousands of words are looked for in hundreds of thousands of rows, so each by how it begins. */
function searchFor(words: readonly string[]): (text: string) => boolean {
  const startLength = Math.min(...words.map(word => word.length))
  const letters = new Set(words.map(word => word.charCodeAt(0)))
  const byStart = new Map<string, string[]>()
  for (const word of words) {
    const start = word.slice(0, startLength)
    byStart.set(start, [...(byStart.get(start) ?? []), word])
  }
  return text => {
    for (let at = 0; at + startLength <= text.length; at++) {
      if (!letters.has(text.charCodeAt(at))) continue
      const begun = byStart.get(text.slice(at, at + startLength))
      if (begun?.some(word => text.startsWith(word, at))) return true
    }
    return false
  }
}
