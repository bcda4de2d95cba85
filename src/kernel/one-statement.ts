/**
 * Claims of one document that are one statement: what is made of a whole passage for a finding says the same as the claim that was read
 * there, so that whatever ends one ends the other. Only where the passage says nothing else: a sentence with a second matter in it is not
 * settled by what was decided about the first. Pure.
 */

export interface ClaimAtPassage {
  /** Number of its statement. */
  statement: number
  documentId: string
  start: number
  end: number
  quote: string
  valueText: string
  /** The words it is about. */
  subject: string
  attribute: string
}

/** Statement `from` is `to`, the one that was said first. */
export interface SameStatement {
  from: number
  to: number
}

export function sameStatements(claims: readonly ClaimAtPassage[]): SameStatement[] {
  const found = new Map<number, number>()
  const first = (no: number): number => (found.has(no) ? first(found.get(no)!) : no)
  for (const there of touching(claims)) {
    for (const made of there.filter(isWhole)) {
      for (const other of saidThere(made, there)) {
        const [to, from] = [first(made.statement), first(other.statement)].sort((a, b) => a - b) as [number, number]
        if (from !== to) found.set(from, to)
      }
    }
  }
  return [...found.keys()].sort((a, b) => a - b).map(from => ({ from, to: first(from) }))
}

/** Those of one document that overlap, directly or by others between them. */
function touching(claims: readonly ClaimAtPassage[]): ClaimAtPassage[][] {
  const order = (a: ClaimAtPassage, b: ClaimAtPassage) =>
    a.documentId < b.documentId ? -1 : a.documentId > b.documentId ? 1 : a.start - b.start
  const groups: { of: ClaimAtPassage[]; documentId: string; end: number }[] = []
  for (const claim of [...claims].sort(order)) {
    const last = groups.at(-1)
    if (last?.documentId === claim.documentId && claim.start < last.end) {
      last.of.push(claim)
      last.end = Math.max(last.end, claim.end)
    } else groups.push({ of: [claim], documentId: claim.documentId, end: claim.end })
  }
  return groups.map(each => each.of)
}

/** Others made of the same passage, and the one that was read of it, if it is one and the passage says no more. */
function saidThere(made: ClaimAtPassage, claims: readonly ClaimAtPassage[]): ClaimAtPassage[] {
  const there = claims.filter(each => each.start < made.end && made.start < each.end)
  const again = there.filter(each => isWhole(each) && each.start === made.start && each.end === made.end)
  const read = there.filter(each => !isWhole(each))
  const [only] = read
  const isOne = only !== undefined && read.every(each => each.statement === only.statement)
  return isOne && saysNoMore(made.quote, only) ? [...again, only] : again
}

/** Its value is the passage as it stands; a long one is kept by its beginning. */
function isWhole({ quote, valueText }: ClaimAtPassage): boolean {
  return valueText !== '' && quote.startsWith(valueText) && (valueText.length === quote.length || valueText.length >= longestValue)
}

const longestValue = 190

/** Short words join others; every longer one is of the claim. */
function saysNoMore(quote: string, { valueText, subject, attribute }: ClaimAtPassage): boolean {
  if (!quote.includes(valueText)) return false
  const known = wordsOf(`${subject} ${attribute} ${valueText}`)
  return wordsOf(quote).every(word => word.length < 4 || known.some(each => alike(each, word)))
}

/** Whatever their endings. */
function alike(one: string, other: string): boolean {
  const shared = Math.max(4, Math.min(one.length, other.length) - 2)
  return one.slice(0, shared) === other.slice(0, shared)
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
