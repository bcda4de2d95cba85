/** Rows as `unnest` takes them: an array for each column. */
export function columnsOf<T>(rows: readonly T[], ...names: readonly (keyof T)[]): unknown[][] {
  return names.map(name => rows.map(row => row[name]))
}

/** Parameters of a statement whose conditions depend on what is asked for: `bind` adds one and gives its name. */
export function bindings(...values: unknown[]): { values: unknown[]; bind(value: unknown): string } {
  return { values, bind: value => `$${values.push(value)}` }
}
