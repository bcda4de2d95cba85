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
    dumped.push(...rows.map(({ text }) => ({ table: name, text })))
  }
  return dumped
}

/** Tables that hold one of the words, in any case. */
export function tablesWith(dump: readonly DumpedRow[], words: readonly string[]): string[] {
  const wanted = words.map(word => word.toLowerCase())
  const holds = ({ text }: DumpedRow) => wanted.some(word => text.toLowerCase().includes(word))
  return [...new Set(dump.filter(holds).map(row => row.table))]
}
