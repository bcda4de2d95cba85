/** A value as YAML in block style. Every string that could be read as something else is quoted as JSON, which YAML reads. */

export function yamlOf(value: unknown): string {
  return linesOf(JSON.parse(JSON.stringify(value ?? null))).join('\n')
}

function linesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.length === 0 ? ['[]'] : value.flatMap(item => hung('- ', linesOf(item)))
  if (value === null || typeof value !== 'object') return [scalar(value)]
  const members = Object.entries(value)
  return members.length === 0 ? ['{}'] : members.flatMap(([name, member]) => named(scalar(name), member))
}

/** The first line beside the dash, the others below it. */
function hung(dash: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => (index === 0 ? dash : '  ') + line)
}

function named(name: string, member: unknown): string[] {
  const lines = linesOf(member)
  const isBlock = member !== null && typeof member === 'object' && Object.keys(member).length > 0
  return isBlock ? [`${name}:`, ...lines.map(line => `  ${line}`)] : [`${name}: ${lines[0]}`]
}

/** Letters alone are safe unless they are a word with a meaning of its own. */
const plain = /^[A-Za-z][A-Za-z_-]*$/
const meant = /^(true|false|null|yes|no|on|off|y|n)$/i

function scalar(value: unknown): string {
  return typeof value === 'string' && plain.test(value) && !meant.test(value) ? value : JSON.stringify(value)
}
