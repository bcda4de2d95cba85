/** A PDF written out: lines of text on pages, with a table of where its objects are, so that parts of it can be read alone. */

interface PdfOptions {
  /** Run when it is opened, by programs that do so. */
  script?: string
  /** Bytes each page carries along without showing them, as pictures do. */
  weight?: number
  /** How many pages hang on a branch of their own, as most programs write them; all hang on one list without it. */
  branch?: number
}

export function pdfOf(pages: readonly (readonly string[])[], { script, weight = 0, branch }: PdfOptions = {}): Buffer {
  const firstPage = 5
  const leaves = pages.map((_, index) => `${firstPage + 2 * index} 0 R`)
  const firstBranch = firstPage + 2 * pages.length
  const branches = branch === undefined ? [] : Array.from({ length: Math.ceil(pages.length / branch) }, (_, n) => n * branch)
  const kids = branch === undefined ? leaves : branches.map((_, n) => `${firstBranch + n} 0 R`)
  const action = script === undefined ? '' : '/OpenAction 4 0 R/AA<</WC 4 0 R>>'
  const objects = [
    `<</Type/Catalog/Pages 2 0 R${action}>>`,
    `<</Type/Pages/Count ${pages.length}/Kids[${kids.join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    `<</S/JavaScript/JS(${escaped(script ?? '')})>>`,
    ...pages.flatMap((lines, index) => {
      const shown = lines.map((line, row) => `BT /F1 11 Tf 72 ${770 - row * 18} Td (${escaped(line)}) Tj ET`).join('\n')
      const content = `${shown}\n${'% weight\n'.repeat(weight / 9)}`
      return [
        `<</Type/Page/Parent ${branch === undefined ? 2 : firstBranch + Math.floor(index / branch)} 0 R/MediaBox[0 0 595 842]/Contents ${firstPage + 2 * index + 1} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
        `<</Length ${content.length}>>stream\n${content}\nendstream`,
      ]
    }),
    ...branches.map(from => {
      const held = leaves.slice(from, from + (branch as number))
      return `<</Type/Pages/Parent 2 0 R/Count ${held.length}/Kids[${held.join(' ')}]>>`
    }),
  ]
  let body = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const at = body.length
    body += `${index + 1} 0 obj${object}endobj\n`
    return at
  })
  const table = offsets.map(at => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer<</Root 1 0 R/Size ${objects.length + 1}>>\nstartxref\n${body.length}\n%%EOF`
  return Buffer.from(body + end, 'latin1')
}

function escaped(text: string): string {
  return text.replaceAll(/[\\()]/g, sign => `\\${sign}`)
}
