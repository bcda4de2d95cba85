import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../kernel/canonical.js'
import { SetDigest } from '../../kernel/set-digest.js'
import { asOfNames, createListDigests, listFault, type SignedAsOf, type SignedLists } from './signed-as-of.js'

const papers = (count: number) => Array.from({ length: count }, (_, place) => ({ document_id: `d${place}`, revision: 1 }))

function listsOf(entries: readonly object[], partRows = 300): SignedLists {
  const digests = createListDigests()
  for (let from = 0; from < entries.length; from += partRows) digests.add('papers', entries.slice(from, from + partRows))
  return digests.lists()
}

describe('the lists of a signed as-of', () => {
  it('have their entries up to 1,000, and beyond that their count and digest alone', () => {
    expect(listsOf(papers(1000)).papers).toMatchObject({ count: 1000, listed: papers(1000) })
    const many = papers(1001)
    const sum = new SetDigest()
    for (const paper of many) sum.add(canonicalJson(paper))
    for (const partRows of [300, 1001]) expect(listsOf(many, partRows).papers).toEqual({ count: 1001, digest: sum.hex(), listed: null })
    expect(listsOf(many.toReversed()).papers.digest).toBe(sum.hex())
    expect(listsOf([...many.slice(1), { document_id: 'other', revision: 1 }]).papers.digest).not.toBe(sum.hex())
  })

  it('are at fault where an entry was taken out, changed or put in, a count is another, or a list is missing', () => {
    const right = listsOf(papers(3)) as SignedAsOf
    expect(listFault(right)).toBeNull()
    expect(listFault(listsOf(papers(1001)) as SignedAsOf)).toBeNull()
    const { listed } = right.papers
    for (const forged of [
      { listed: listed?.slice(1) },
      { listed: [...(listed ?? []), ...(listed?.slice(0, 1) ?? [])] },
      { listed: listed?.map(paper => ({ ...paper, revision: 2 })) },
      { listed: listed?.slice(1), count: 2 },
      { count: 4 },
      { digest: right.statements.digest },
    ])
      expect(listFault({ ...right, papers: { ...right.papers, ...forged } } as SignedAsOf), JSON.stringify(forged)).toBe(
        'the list of papers is not the one its digest is of',
      )
    for (const name of asOfNames) expect(listFault({ ...right, [name]: undefined } as never)).toContain(`the list of ${name}`)
  })
})
