/**
 * What a certificate says of documents, possible conflicts and supersessions. Short lists are read whole. Of long ones the
 * first certificate makes a sum, and each after it adds what has changed since: settling a scope costs what is new in it,
 * however much it holds. Under the scope's lock, which everybody who changes a member holds as well.
 */

import { canonicalJson } from '../../kernel/canonical.js'
import { type CertifiedList, type CertifiedLists, LISTED_MEMBERS } from '../../kernel/certificate.js'
import { SetDigest } from '../../kernel/set-digest.js'
import { lockScopes } from '../../store/events/events.js'
import {
  dropKeptList,
  forgetLists,
  type KeptList,
  type ListMember,
  type ListName,
  listNames,
  listOutgrown,
  readKeptLists,
  readMembers,
  takeChanges,
  writeKeptList,
} from '../../store/scopes/certificate-lists.js'
import type { ScopePlace } from '../../store/scopes/scopes.js'
import type { Database, Transaction } from '../../store/server/database.js'

/** A scope keeps this many changes, or as many as its lists have members: looking at every member costs no more than those. */
const keptChanges = 10_000

/** Lists with more members than `whole` are kept as a sum; at most as many rows are in memory at once. */
export async function certifiedLists(
  tx: Transaction,
  place: ScopePlace,
  { whole = LISTED_MEMBERS, mostChanges = keptChanges } = {},
): Promise<CertifiedLists> {
  const sums = new Map([...(await readKeptLists(tx, place))].map(([list, kept]) => [list, new Sum(kept)]))
  const applied = sums.size === 0 || (await applyChanges(tx, place, sums, { limit: whole + 1, mostChanges }))
  // What a node of another version counted otherwise cannot be taken from what this one counts.
  if (!applied || [...sums.values()].some(sum => sum.isBroken())) {
    await forgetLists(tx, place)
    sums.clear()
  }
  const lists = await Promise.all(listNames.map(async list => [list, await oneList(tx, place, list, sums.get(list), whole)]))
  return Object.fromEntries(lists) as unknown as CertifiedLists
}

/** The leader's chore for scopes that change without ever being settled again. Answers how many it let go. */
export async function dropOutgrownLists(db: Database, limit: number, mostChanges = keptChanges): Promise<number> {
  const outgrown = await listOutgrown(db, mostChanges, limit)
  for (const place of outgrown) {
    await db.engine(async tx => {
      await lockScopes(tx, [place.scopeNo])
      await forgetLists(tx, place)
    })
  }
  return outgrown.length
}

/** False when there are too many. */
async function applyChanges(
  tx: Transaction,
  place: ScopePlace,
  sums: Map<ListName, Sum>,
  { limit, mostChanges }: { limit: number; mostChanges: number },
): Promise<boolean> {
  const members = [...sums.values()].reduce((total, sum) => total + sum.total(), 0)
  let [after, taken] = [0, 0]
  while (taken <= Math.max(members, mostChanges)) {
    const changes = await takeChanges(tx, place, { after, limit })
    for (const { id, list, added, ...member } of changes) {
      sums.get(list)?.apply(member, added)
      after = Math.max(after, id)
    }
    if (changes.length < limit) return true
    taken += changes.length
  }
  return false
}

async function oneList(
  tx: Transaction,
  place: ScopePlace,
  list: ListName,
  sum: Sum | undefined,
  whole: number,
): Promise<CertifiedList<object>> {
  const limit = whole + 1
  if (sum !== undefined && sum.total() > whole) {
    if (sum.changed) await writeKeptList(tx, place, list, sum.kept())
    return withStanding(tx, place, list, sum, limit)
  }
  if (sum !== undefined) await dropKeptList(tx, place, list)
  const made = new Sum()
  const members = await readMembers(tx, place, list, { limit })
  if (members.length < limit && list === 'documents') members.push(...(await readMembers(tx, place, 'standing', { limit })))
  if (members.length < limit) {
    for (const each of members) made.count(each, 1)
    return { counts: made.counts, members: members.map(({ member, beside }) => ({ ...member, ...beside })) }
  }
  await addAll(tx, place, list, made, limit)
  if (made.total() > whole) await writeKeptList(tx, place, list, made.kept())
  return withStanding(tx, place, list, made, limit)
}

/**
 * Where a later revision was not read, the scope rests on the one before it. Those are in no sum that is kept, for they come and go
 * with another row than their own; they are few.
 */
async function withStanding(tx: Transaction, place: ScopePlace, list: ListName, sum: Sum, limit: number): Promise<CertifiedList<object>> {
  if (list === 'documents') await addAll(tx, place, 'standing', sum, limit)
  return sum.certified()
}

async function addAll(tx: Transaction, place: ScopePlace, list: ListName | 'standing', sum: Sum, limit: number): Promise<void> {
  for (let after: string | number | undefined; ; ) {
    const page = await readMembers(tx, place, list, { after, limit })
    for (const each of page) sum.apply(each, true)
    if (page.length < limit) return
    after = page.at(-1)?.place
  }
}

class Sum {
  readonly counts: Record<string, number>
  changed = false
  private readonly digest: SetDigest

  constructor(kept?: KeptList) {
    this.counts = { ...kept?.counts }
    this.digest = new SetDigest(kept?.sum)
  }

  apply(each: ListMember, added: boolean): void {
    const text = canonicalJson(each.member)
    if (added) this.digest.add(text)
    else this.digest.remove(text)
    this.count(each, added ? 1 : -1)
    this.changed = true
  }

  count({ counted }: ListMember, by: 1 | -1): void {
    const count = (this.counts[counted] ?? 0) + by
    if (count === 0) delete this.counts[counted]
    else this.counts[counted] = count
  }

  isBroken(): boolean {
    return Object.values(this.counts).some(count => count < 0)
  }

  total(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0)
  }

  kept(): KeptList {
    return { sum: this.digest.toBytes(), counts: this.counts }
  }

  certified(): CertifiedList<never> {
    return { counts: this.counts, members: null, digest: this.digest.hex() }
  }
}
