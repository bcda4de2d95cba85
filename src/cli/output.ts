/**
 * What commands print. For people: lines, tables, colours where the terminal has them and NO_COLOR does not forbid them.
 * With --json or --format: one JSON or YAML value on standard output and nothing else there. Notes always go to standard error.
 */

import picocolors from 'picocolors'
import { namedAs } from './own-command.js'
import { type Column, table } from './text-layout.js'
import { yamlOf } from './yaml.js'

export const formats = ['table', 'json', 'yaml'] as const
export type Format = (typeof formats)[number]

export type Colors = ReturnType<typeof picocolors.createColors>

export type Output = ReturnType<typeof createOutput>

export function createOutput({ format, color, command }: { format: Format; color: boolean; command: string }) {
  const write = (text: string) => void process.stdout.write(text)
  const line = (text = '') => write(`${text}\n`)
  const lines = (texts: readonly string[]) => {
    for (const text of texts) line(text)
  }
  const colors = picocolors.createColors(color)
  /** The lines of a table. */
  const rows = <T>(items: readonly T[], columns: readonly Column<T>[]) => table(items, columns, colors.dim)
  /** A hint that names `concord …` in backticks, with the command as the reader can run it. */
  const hint = (text: string) => namedAs(command, text)
  /** The value for a program, or what a person wants to see of it. */
  const show = (value: unknown, forPeople: () => void) => {
    if (format === 'table') forPeople()
    else line(format === 'yaml' ? yamlOf(value) : JSON.stringify(value, null, 2))
  }
  return {
    /** For a program, as JSON or YAML. */
    json: format !== 'table',
    colors,
    isTerminal: process.stdout.isTTY === true,
    columns: process.stdout.columns ?? 100,
    line,
    lines,
    rows,
    table: <T>(items: readonly T[], columns: readonly Column<T>[]) => lines(rows(items, columns)),
    /** Items of a list as they are, or as a table. */
    list: <T>(items: readonly T[], columns: readonly Column<T>[], none?: string) =>
      show(items, () => lines(items.length === 0 && none !== undefined ? [hint(none)] : rows(items, columns))),
    /** For the person, not for the program that reads the output. */
    note: (text: string) => void process.stderr.write(`${text}\n`),
    write,
    hint,
    show,
  }
}

/** https://no-color.org: any value that is not empty. */
export function wantsColor(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env['NO_COLOR']) return false
  return env['FORCE_COLOR'] ? env['FORCE_COLOR'] !== '0' : process.stdout.isTTY === true && env['TERM'] !== 'dumb'
}
