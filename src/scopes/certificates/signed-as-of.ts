/**
 * What a signed document about a case at a moment says, apart from how it comes about: each list with its count, its digest (that of a set:
 * order does not matter) and its entries where they are few. Whoever has the entries of a longer one can work its digest out.
 */

import { canonicalJson } from '../../kernel/canonical.js'
import { SetDigest } from '../../kernel/set-digest.js'
import type { AsOf } from '../types.js'

export type AsOfListName = 'papers' | 'statements' | 'contradictions' | 'possible_conflicts' | 'decisions' | 'sign_offs'
export const asOfNames: readonly AsOfListName[] = ['papers', 'statements', 'contradictions', 'possible_conflicts', 'decisions', 'sign_offs']

/** What is known of a moment apart from the lists. */
export type Moment = Omit<AsOf, AsOfListName>

export interface SignedList<T> {
  count: number
  digest: string
  /** Null where there are more than 1,000. */
  listed: T[] | null
}

type Entry<Name extends AsOfListName> = NonNullable<AsOf[Name]>['items'][number]
export type SignedLists = { [Name in AsOfListName]: SignedList<Entry<Name>> }

export interface Beside {
  /** Of the list of papers that is handed on with it: their digests are signed by this one. */
  papers_json_sha256?: string
}

/** Without `iat` it does not say when it was signed. Papers of those of 0.2.0 lack `file_sha256`. */
export type SignedAsOf = Moment & SignedLists & Beside & { iss: string; iat?: number; version: 1; tenant_id: string }

const listedMost = 1000

/** Takes the lists in parts, so that no more of them than is listed is ever in memory. */
export function createListDigests() {
  const made = new Map(asOfNames.map(name => [name, { count: 0, sum: new SetDigest(), listed: [] as object[] }]))
  return {
    add(name: AsOfListName, items: readonly object[]): void {
      const list = made.get(name)
      if (list === undefined) return
      for (const item of items) list.sum.add(canonicalJson(item))
      list.count += items.length
      if (list.count <= listedMost) list.listed.push(...items)
      else list.listed = []
    },
    lists(): SignedLists {
      const entries = [...made].map(([name, { count, sum, listed }]) => [
        name,
        { count, digest: sum.hex(), listed: count <= listedMost ? listed : null },
      ])
      return Object.fromEntries(entries) as SignedLists
    },
  }
}

/** Null where every list that is given is the one its digest and count say. */
export function listFault(signed: SignedAsOf): string | null {
  const digests = createListDigests()
  for (const name of asOfNames) digests.add(name, signed[name]?.listed ?? [])
  const worked = digests.lists()
  const wrong = asOfNames.find(name => {
    const list = signed[name]
    return list === undefined || (list.listed !== null && (list.digest !== worked[name].digest || list.count !== worked[name].count))
  })
  return wrong === undefined ? null : `the list of ${wrong} is not the one its digest is of`
}
