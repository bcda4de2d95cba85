/** Rows as `unnest` takes them: an array for each column. */

export function columnsOf<T>(rows: readonly T[], ...names: readonly (keyof T)[]): unknown[][] {
  return names.map(name => rows.map(row => row[name]))
}
