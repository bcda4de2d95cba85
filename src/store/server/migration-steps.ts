/**
 * Migrations of large tables, in steps: each statement commits by itself, so that indexes are built while the service works and
 * rows are changed a batch at a time. A file whose first line begins with `-- In steps` is one. What was interrupted begins again at
 * its first step, so every step says `if exists` or `if not exists`, or changes only what is not changed yet; one behind the line
 * `-- repeat` is run until it changes no row. A step that is not `concurrently` makes way for others like a whole migration does.
 */

import type pg from 'pg'

export function isInSteps({ sql }: { sql: string }): boolean {
  return sql.startsWith('-- In steps')
}

/** `makingWay` runs a step in a transaction that gives up waiting for a table, and tries again later. */
export async function applySteps(
  owner: pg.Client,
  { sql }: { sql: string },
  makingWay: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<void> {
  for (const { text, repeat } of stepsOf(sql)) {
    const index = /^create (?:unique )?index concurrently if not exists (\w+)/i.exec(text)?.[1]
    if (index !== undefined) await dropUnfinished(owner, index)
    const run = () => owner.query(text)
    for (;;) {
      const { rowCount } = await (isConcurrent(text) ? run() : makingWay(run))
      if (!repeat || !rowCount) break
    }
  }
}

/** Such a step holds up nobody, and is refused inside a transaction. */
function isConcurrent(step: string): boolean {
  return /^(create|drop) (unique )?index concurrently /i.test(step)
}

function stepsOf(sql: string): { text: string; repeat: boolean }[] {
  const parts = sql.split(/;[ \t]*(?:\n|$)/).map(part => ({
    repeat: /^-- repeat$/m.test(part),
    text: part
      .split('\n')
      .filter(line => !line.startsWith('--'))
      .join('\n')
      .trim(),
  }))
  return parts.filter(({ text }) => text !== '')
}

/** One that was interrupted stays behind, is kept up with every write and never used. */
async function dropUnfinished(owner: pg.Client, index: string): Promise<void> {
  const { rowCount } = await owner.query('select from pg_index i where i.indexrelid = to_regclass($1) and not i.indisvalid', [index])
  if (rowCount) await owner.query(`drop index concurrently ${index}`)
}
