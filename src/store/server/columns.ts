/** Rows as `unnest` takes them: an array for each column. */
export function columnsOf<T>(rows: readonly T[], ...names: readonly (keyof T)[]): unknown[][] {
  return names.map(name => rows.map(row => row[name]))
}

/** Parameters of a statement whose conditions depend on what is asked for: `bind` adds one and gives its name. */
export function bindings(...values: unknown[]): { values: unknown[]; bind(value: unknown): string } {
  return { values, bind: value => `$${values.push(value)}` }
}

/** An instant as answers write it, where it stands within JSON. */
export const isoSql = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
