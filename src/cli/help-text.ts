/** Examples at the end of a command's help. */

export function examples(...lines: readonly string[]): string {
  return `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map(line => `  $ ${line}`).join('\n')}`
}
