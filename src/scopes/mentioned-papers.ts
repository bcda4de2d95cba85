/** Papers that others mention ("Annex 3", "our letter of 4 March") and that are not among those of the case. Pure. */

const months = [
  ['January', 'Januar', 'janvier'],
  ['February', 'Februar', 'février'],
  ['March', 'März', 'mars'],
  ['April', 'April', 'avril'],
  ['May', 'Mai', 'mai'],
  ['June', 'Juni', 'juin'],
  ['July', 'Juli', 'juillet'],
  ['August', 'August', 'août'],
  ['September', 'September', 'septembre'],
  ['October', 'Oktober', 'octobre'],
  ['November', 'November', 'novembre'],
  ['December', 'Dezember', 'décembre'],
]
const month = [...new Set(months.flat())].join('|')
const numbered =
  'Annex|ANNEX|annex|Annexe|annexe|Appendix|APPENDIX|appendix|Schedule|SCHEDULE|Exhibit|EXHIBIT|exhibit|Enclosure|enclosure|Attachment|attachment|Anlage|ANLAGE|Anhang'
const dated = 'letter|e-?mail|memo|memorandum|report|invoice|notice|offer|certificate|minutes|fax|statement|Schreiben|Brief|lettre|courrier'
const day = `\\d{1,2}(?:st|nd|rd|th|\\.|er)?\\s+(?:${month})(?:\\s+\\d{4})?|(?:${month})\\s+\\d{1,2}(?:,?\\s+\\d{4})?|\\d{4}-\\d\\d-\\d\\d`

/** For PostgreSQL: what stands before it as a heading does, and the mention. */
export const mentionPattern = `(^[\\s#*_]*)?\\m((?:${numbered})\\s+(?:[Nn]o\\.?\\s*)?(?:\\d{1,3}|[IVX]{1,5}|[A-Z])\\M|(?:${dated})\\s+(?:of|dated|vom|du)\\s+(?:${day}))`

interface KnownPaper {
  document_id: string
  name: string
  title: string | null
  issued_on: string | null
}

interface Mention {
  document_id: string
  heads: string | null
  mention: string
}

export interface MissingPaper {
  mention: string
  /** Who mentions it. */
  documentIds: string[]
}

/** Those most papers mention first. What a paper has as a heading of its own is in that paper. */
export function missingPapers(mentions: readonly Mention[], papers: readonly KnownPaper[]): MissingPaper[] {
  const there = new Set(mentions.filter(each => each.heads !== null).map(({ mention }) => keyOf(mention)))
  const found = new Map<string, { mention: string; documentIds: Set<string> }>()
  for (const { document_id: documentId, mention } of mentions) {
    const key = keyOf(mention)
    if (there.has(key)) continue
    const entry = found.get(key) ?? { mention: mention.replaceAll(/\s+/g, ' '), documentIds: new Set<string>() }
    entry.documentIds.add(documentId)
    found.set(key, entry)
  }
  return [...found.values()]
    .filter(({ mention }) => !papers.some(paper => isMentioned(paper, mention)))
    .map(({ mention, documentIds }) => ({ mention, documentIds: [...documentIds].sort() }))
    .sort((a, b) => b.documentIds.length - a.documentIds.length || (a.mention < b.mention ? -1 : 1))
}

/** Two ways to write it are one: case, spaces, ordinals and what a number is introduced with. */
function keyOf(mention: string): string {
  const of = dateIn(mention)
  if (of !== null) return `${mention.split(/\s/, 1)[0]?.toLowerCase()} ${of.month}-${of.day} ${of.year ?? ''}`
  return mention
    .toLowerCase()
    .replaceAll(/\bno\.?\s*/g, '')
    .replaceAll(/\s+/g, ' ')
}

function isMentioned({ name, title, issued_on: issuedOn }: KnownPaper, mention: string): boolean {
  const of = dateIn(mention)
  if (of !== null) {
    const [year, monthOf, dayOf] = (issuedOn ?? '').split('-').map(Number)
    return monthOf === of.month && dayOf === of.day && (of.year === null || of.year === year)
  }
  const [word = '', number = ''] = keyOf(mention).split(' ')
  const written = new RegExp(`(?<![a-z])${word}[\\s_.-]*(?:no\\.?[\\s_.-]*)?0*${number}(?![a-z0-9])`, 'i')
  return written.test(name) || written.test(title ?? '')
}

function dateIn(mention: string): { year: number | null; month: number; day: number } | null {
  const iso = /(\d{4})-(\d\d)-(\d\d)/.exec(mention)
  if (iso !== null) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }
  const named = months.findIndex(names => names.some(name => new RegExp(`(?<!\\p{L})${name}(?!\\p{L})`, 'u').test(mention)))
  const dayOf = /(?<!\d)(\d{1,2})(?!\d)/.exec(mention)
  if (named < 0 || dayOf === null) return null
  const year = /(?<!\d)(\d{4})(?!\d)/.exec(mention)
  return { year: year === null ? null : Number(year[1]), month: named + 1, day: Number(dayOf[1]) }
}
