/** Signed texts as files hold them: alone, in the answer of the service, with the line breaks of a mail, or many in one file. */

export interface KeptText {
  /** The file, and the line where it holds several. */
  name: string
  signed: string
}

/** Three parts with dots between them, as no file is named. */
const itself = /^[\w-]{20,}\.[\w-]{20,}\.[\w-]{20,}$/

/** What `concord audit checkpoint` printed above each up to version 0.2.0. */
const heading = /^\d+ entries, head [0-9a-f]{64}$/

export function isSignedText(text: string): boolean {
  return itself.test(text)
}

/** Without the line breaks of a mail or a terminal, and out of the answer of the service that holds it. */
export function signedIn(text: string): string {
  try {
    const { certificate, statement } = JSON.parse(text) as { certificate?: unknown; statement?: unknown }
    return String(certificate ?? statement)
  } catch {
    // It is no JSON: a signed text never is.
    return text.replace(/\s/g, '')
  }
}

/** Every signed text of a file to which answers were appended, on one line each or on several. */
export function signedTextsIn(text: string, file: string): KeptText[] {
  const kept = blocksOf(text).flatMap(lines => (lines.every(isWhole) ? lines.map(line => [line]) : [lines]))
  return kept.map(lines => ({
    name: kept.length === 1 ? file : `${file}, line ${lines[0]?.number}`,
    signed: signedIn(lines.map(line => line.text).join('\n')),
  }))
}

interface Line {
  number: number
  text: string
}

/** An answer and a heading begin a new one, and an answer on one line ends there. */
function blocksOf(text: string): Line[][] {
  const blocks: Line[][] = [[]]
  for (const [index, each] of text.split('\n').entries()) {
    const line = { number: index + 1, text: each.trimEnd() }
    const isHeading = heading.test(line.text)
    if (isHeading || line.text.startsWith('{')) blocks.push([])
    if (line.text !== '' && !isHeading) blocks.at(-1)?.push(line)
    if (isAnswer(line)) blocks.push([])
  }
  return blocks.filter(lines => lines.length > 0)
}

function isWhole({ text }: Line): boolean {
  return isSignedText(text.trim()) || isAnswer({ text })
}

function isAnswer({ text }: Pick<Line, 'text'>): boolean {
  return text.startsWith('{') && text.endsWith('}')
}
