/** Why two texts contradict each other, or why not: every pair of statements that is compared, with the rule that decided on it. */
import { extract } from '../../src/reading/document/extract.js'
import { compareClaims } from '../../src/reading/relations/compare.js'
import { placeClaims } from '../../src/reading/relations/place.js'
import type { Relation } from '../../src/reading/types.js'

export interface Judged {
  a: string
  b: string
  because: string
  /** What came of it; null where nothing is shown. */
  kind: Relation['kind'] | null
  /** What would be stored of it. */
  relation: Relation | null
}

export function why(first: string, second: string): Judged[] {
  const [one, two] = [placed('a', first), placed('b', second)]
  const judged: Judged[] = []
  compareClaims(
    { document: { ...two.facts, documentId: 'b' }, claims: two.claims, rivals: one.claims, documents: { a: one.facts } },
    (a, b, { because, relation }) =>
      judged.push({ a: a.claims[0]!.quote, b: b.claims[0]!.quote, because, kind: relation?.kind ?? null, relation }),
  )
  return judged
}

function placed(documentId: string, text: string): ReturnType<typeof placeClaims> {
  const extraction = extract({ documentId, revision: 1, name: documentId, type: 'txt', source: null, text })
  const glossary = { terms: {}, entities: {} }
  return placeClaims({ extraction, documentId, revision: 1, name: documentId, glossary, claimId: at => `${documentId}${at}` })
}
