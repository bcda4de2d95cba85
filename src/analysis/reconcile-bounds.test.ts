/** Numbered things are different things, and one document costs and reports a bounded amount whatever it holds. */
import { describe, expect, it } from 'vitest'
import { extract } from './extract.js'
import { emptyMemory, placeClaims } from './place.js'
import { reconcile } from './reconcile.js'
import type { PlacedClaim, Reconciliation } from './types.js'

/** Reads documents in order, each by another issuer, and returns what the last one concludes. */
function last(documents: readonly (readonly string[])[]): Reconciliation {
  let memory = emptyMemory()
  const live: PlacedClaim[] = []
  let result: Reconciliation | null = null
  for (const [index, lines] of documents.entries()) {
    const id = `d${index}`
    const issuer = ['Harbour Audit', 'Northern Bank', 'City Treasury'][index % 3]!
    const text = `Note\nPrepared by: ${issuer}\nDate: 2025-01-1${index % 10}\n\n${lines.join('\n')}\n`
    const extraction = extract({ documentId: id, revision: 1, name: id, type: 'txt', source: null, text })
    const glossary = { terms: {}, entities: {} }
    const placed = placeClaims({ extraction, documentId: id, revision: 1, name: id, memory, glossary, claimId: i => `${id}#${i}` })
    memory = placed.memory
    const document = { ...memory.documents[id]!, documentId: id }
    result = reconcile({ document, claims: placed.claims, live: [...live], previousRevision: [], findings: [], memory })
    live.push(...placed.claims)
  }
  return result!
}

const lines = (count: number, line: (i: number) => string): string[] => Array.from({ length: count }, (_, i) => line(i))

describe('numbered subjects', () => {
  const kinds: [string, (d: number, i: number) => string][] = [
    ['sites', (d, i) => `Site ${d}-${i} reported revenue of EUR ${10 + 7 * d + i} million.`],
    ['patients', (d, i) => `Patient 0${d}4${i} had a haemoglobin of ${8 + d + i / 10} g/dL.`],
    ['contracts', (d, i) => `Contract 7${d}-${i} has a value of EUR ${3 + 5 * d + i} million.`],
    ['kinds nobody listed', (d, i) => `Borrower ${d * 50 + i} owes EUR ${3 + 5 * d + i} million.`],
  ]
  it.each(kinds)('keeps %s apart', (_name, line) => {
    const result = last([0, 1, 2].map(d => lines(2, i => line(d, i))))
    expect(result.contradictions).toEqual([])
    expect(result.supersessions).toEqual([])
  })

  it('still contradicts about one of them', () => {
    const result = last([['Unit B reported revenue of EUR 12 million.'], ['Unit B reported revenue of EUR 31 million.']])
    expect(result.contradictions).toMatchObject([{ a: 'd0#0', b: 'd1#0', kind: 'numeric' }])
  })
})

describe('bounds', () => {
  it('does not take the entries of a list for rivals of another document', () => {
    const result = last([0, 1].map(d => lines(30, i => `The shop reported revenue of EUR ${100 + d * 40 + i} million.`)))
    expect(result.contradictions).toEqual([])
  })

  it('reports at most 50 contradictions and 50 unsure pairs', () => {
    const result = last([0, 1].map(d => lines(80, i => `Unit ${i + 1} reported revenue of EUR ${100 + d * 400 + i} million.`)))
    expect(result.contradictions).toHaveLength(50)
    expect(result.unsure.length).toBeLessThanOrEqual(50)
  })

  it('costs a claim no more in a long document than in a short one', () => {
    const cost = (count: number): number => {
      const text = `Note\n\n${lines(count, i => `The shop in the north reported revenue of EUR ${100 + i} million.`).join('\n')}\n`
      const extraction = extract({ documentId: 'd', revision: 1, name: 'd', type: 'txt', source: null, text })
      const glossary = { terms: {}, entities: {} }
      const placed = placeClaims({
        extraction,
        documentId: 'd',
        revision: 1,
        name: 'd',
        memory: emptyMemory(),
        glossary,
        claimId: i => `d#${i}`,
      })
      const document = { ...placed.memory.documents['d']!, documentId: 'd' }
      const input = { document, claims: placed.claims, live: [], previousRevision: [], findings: [], memory: placed.memory }
      const times = [1, 2, 3].map(() => {
        const before = process.cpuUsage()
        reconcile(input)
        const used = process.cpuUsage(before)
        return used.user + used.system
      })
      return Math.min(...times) / placed.claims.length
    }
    cost(100)
    expect(cost(800)).toBeLessThan(4 * cost(100))
  })
})
