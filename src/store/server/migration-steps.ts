/**
 * Migrations of large tables, in steps: each statement commits by itself, so that indexes are built while the service works and
 * rows are changed a batch at a time. A file whose first line begins with `-- In steps` is one. What was interrupted begins again at
 * its first step, so every step says `if exists` or `if not exists`, or changes only what is not changed yet; one behind the line
 * `-- repeat` is run until it changes no row.
 */

import type pg from 'pg'

export function isInSteps({ sql }: { sql: string }): boolean {
  return sql.startsWith('-- In steps')
}

export async function applySteps(owner: pg.Client, { sql }: { sql: string }): Promise<void> {
  for (const step of stepsOf(sql)) {
    const index = /^create (?:unique )?index concurrently if not exists (\w+)/i.exec(step.text)?.[1]
    if (index !== undefined) await dropUnfinished(owner, index)
    for (;;) {
      const { rowCount } = await owner.query(step.text)
      if (!step.repeat || !rowCount) break
    }
  }
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
