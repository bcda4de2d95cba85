/** Which of the five kinds of text a submitted `type` means. Synonyms, MIME types, parameters, case and a leading dot are understood; anything else is text. */

export type TextKind = 'txt' | 'md' | 'html' | 'csv' | 'json'

const kinds: ReadonlyMap<string, TextKind> = new Map([
  ...names('md', 'md markdown mdown mkd mkdn mdx gfm commonmark text/markdown text/x-markdown text/md application/markdown'),
  ...names('html', 'html htm xhtml html5 text/html application/xhtml application/xhtml+xml'),
  ...names('csv', 'csv tsv psv ssv tab text/csv text/x-csv application/csv application/x-csv text/tsv text/tab-separated-values'),
  ...names('csv', 'application/vnd.ms-excel text/comma-separated-values'),
  ...names('json', 'json ndjson jsonl jsonlines geojson jsonld application/json text/json text/x-json application/x-json'),
  ...names('json', 'application/ndjson application/x-ndjson application/jsonl application/x-jsonlines application/jsonlines text/ndjson'),
])

export function textKind(type: string): TextKind {
  const name = (type.split(';', 1)[0] ?? '').trim().toLowerCase().replace(/^\./, '')
  return kinds.get(name) ?? (name.endsWith('+json') ? 'json' : 'txt')
}

function names(kind: TextKind, list: string): [string, TextKind][] {
  return list.split(' ').map(name => [name, kind])
}
