import { describe, expect, it } from 'vitest'
import type { Client } from '../client/client.js'
import { ProblemError } from '../client/problem-error.js'
import { contradictionId, documentIn, pendingDecisionId, possibleConflictId, supersessionId } from './meant-by.js'

const own = (text: string) => text.padEnd(22, '0')
const ids: Record<string, string[]> = { 'case-1': ['abcdXb', 'abcdYb'].map(own), 'case-2': ['bcdeZ', 'cdefZ'].map(own) }

async function* each<T>(items: readonly T[]) {
  yield* items
}

/** Lists two scopes, and in each what the kind of id asks for. */
const client = {
  scopes: () => each(Object.keys(ids).map(scope_id => ({ scope_id }))),
  contradictions: (scope: string) => each((ids[scope] ?? []).map(id => ({ contradiction_id: `ctr_${id}` }))),
  possibleConflicts: (scope: string) => each((ids[scope] ?? []).map(id => ({ possible_conflict_id: `pcf_${id}` }))),
  supersessions: (scope: string) => each((ids[scope] ?? []).map(id => ({ supersession_id: `sup_${id}` }))),
  decisions: (scope: string) => each((ids[scope] ?? []).map(id => ({ decision_id: `dec_${id}` }))),
} as unknown as Client

describe.each([
  ['ctr', 'contradictions', contradictionId],
  ['pcf', 'possible conflicts', possibleConflictId],
  ['sup', 'supersessions', supersessionId],
  ['dec', 'decisions', pendingDecisionId],
] as const)('the beginning of an id (%s_…)', (kind, what, find) => {
  it('means the only one that begins so, in any scope', async () => {
    expect(await find(client, `${kind}_abcdY`)).toBe(`${kind}_${own('abcdYb')}`)
    expect(await find(client, `${kind}_cdef`)).toBe(`${kind}_${own('cdefZ')}`)
  })

  it('that several have is refused as a mistake of usage, with those it may be', async () => {
    await expect(find(client, `${kind}_abcd`)).rejects.toMatchObject({
      message: `${kind}_abcd may be one of 2 ${what}: ${kind}_${own('abcdXb')}, ${kind}_${own('abcdYb')}`,
      next: 'give more of the id',
      exitCode: 2,
    })
  })

  it('that none has, and a whole id, are left to the service', async () => {
    expect(await find(client, `${kind}_xxxx`)).toBe(`${kind}_xxxx`)
    expect(await find({} as Client, `${kind}_${own('q')}`)).toBe(`${kind}_${own('q')}`)
  })

  it.each(['', kind.slice(0, 1), `${kind}_`, `${kind}_cde`, 'cdef'])(
    'that is too short to mean one is left to the service (%s)',
    async given => {
      expect(await find({} as Client, given)).toBe(given)
    },
  )
})

describe('the beginning of the id of a document', () => {
  const documents = ['file-abcd0', 'doc_bcde0', 'minutes-1', 'x1'].map(id => ({ document_id: id, name: `${id}.txt` }))
  const missing = Object.assign(Object.create(ProblemError.prototype), { code: 'DOCUMENT_NOT_FOUND' })
  const store = (held: { document_id: string; name: string }[]) =>
    ({
      document: async (_scope: string, id: string) => {
        const found = held.find(({ document_id }) => document_id === id)
        if (found === undefined) throw missing
        return found
      },
      documents: () => ({ toArray: async () => held }),
    }) as unknown as Client

  it.each([
    ['file-abcd', 'file-abcd0'],
    ['doc_bcde', 'doc_bcde0'],
    ['minu', 'minutes-1'],
    ['x1', 'x1'],
    ['x1.txt', 'x1'],
  ])('means the only one that begins so, and what is short means a whole id or name alone (%s)', async (given, id) => {
    expect((await documentIn(store(documents), 'case-1', given)).document_id).toBe(id)
  })

  it.each(['f', 'file', 'file-', 'file-abc', 'doc_', 'doc_bcd', 'min', 'x'])(
    'that is too short to mean one means none (%s)',
    async given => {
      for (const held of [documents, ...documents.map(each => [each])])
        await expect(documentIn(store(held), 'case-1', given)).rejects.toBe(missing)
    },
  )
})
