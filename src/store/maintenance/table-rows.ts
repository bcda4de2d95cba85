/** What backups and moves of tenants share: tables in the order their rows can be written, and rows read in batches. */

import type { Transaction } from '../server/database.js'

type Reader = Pick<Transaction, 'query'>

/** What refers to another table comes before it: the order of removal, and backwards that of writing. */
export async function inOrderOfReferences(tx: Reader, tables: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ from: string; to: string }>({
    text: `select f.relname as "from", t.relname as "to" from pg_constraint k
     join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
     where k.contype = 'f' and f.relnamespace = 'public'::regnamespace and f.oid <> t.oid`,
  })
  const ordered: string[] = []
  const visit = (table: string) => {
    if (ordered.includes(table) || !tables.includes(table)) return
    for (const { from, to } of rows) if (to === table) visit(from)
    ordered.push(table)
  }
  for (const table of tables) visit(table)
  return ordered
}

/** Texts of files are the largest rows, up to eight megabytes each, then chunks of originals: a batch stays below 100 MB. */
const batchRows = (table: string) => (table === 'documents' ? 10 : 100)

/** The rows a statement gives, a batch at a time, inside the transaction of `tx`. `select` names one column, `row`. */
export async function* batchesOf(
  tx: Reader,
  table: string,
  select: { text: string; values?: readonly unknown[] },
): AsyncGenerator<string[]> {
  await tx.query({ text: `declare each_row no scroll cursor for ${select.text}`, values: select.values ?? [] })
  for (;;) {
    const { rows } = await tx.query<{ row: string }>({ text: `fetch ${batchRows(table)} from each_row` })
    if (rows.length === 0) break
    yield rows.map(({ row }) => row)
  }
  await tx.query({ text: 'close each_row' })
}
