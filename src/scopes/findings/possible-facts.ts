/**
 * Possible conflicts as a person works through them: the best of each document, those about one fact together, and one decision for all of
 * a fact. Each is a round and a decision of its own.
 */

import { factsOf, type OpenPair, type PossibleFact } from '../../kernel/possible-facts.js'
import { readOpenPairs, readPossibleNumbers, readPossibleRows } from '../../store/findings/possible-facts.js'
import type { ScopePlace } from '../../store/scopes/scopes.js'
import { readTenant, type TenantTransaction } from '../../store/server/database.js'
import type { PageRequest } from '../cursors.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import { resolveScope } from '../lifecycle.js'
import type { Said } from '../person.js'
import { listInScope } from '../scope-list.js'
import { isStorable } from '../storable.js'
import type { DecidedTogether, Page, PossibleFactRecord } from '../types.js'
import { decideEach } from './decide-each.js'
import { toPossibleRecords } from './possible-conflicts.js'

const bestOfEach = 10
/** Of one fact in a list; the others are counted. */
const mostListed = 20

export function listPossibleFacts(deps: ScopesDeps, input: ScopeName & PageRequest): Promise<Page<PossibleFactRecord>> {
  return listInScope(deps, input, {
    name: 'possible-facts',
    filters: [],
    rows: async (tx, scope, { after, limit }) =>
      rankedAfter(await readOpenPairs(tx, scope), after as [number, number] | null).slice(0, limit),
    place: ({ score, no }) => [score, no],
    shape: ['int4', 'number'],
    items: (facts, tx, scope) => toRecords(tx, scope, facts),
  })
}

/** A fact has the place of its likeliest; worked out from all of them, since a decision moves others up. */
function rankedAfter(
  pairs: readonly OpenPair[],
  after: readonly [score: number, no: number] | null,
): (PossibleFact & { score: number; no: number })[] {
  const scores = new Map(pairs.map(({ no, score }) => [no, score]))
  return factsOf(pairs, bestOfEach)
    .map(fact => {
      const no = fact.shown[0] ?? 0
      return { ...fact, no, score: scores.get(no) ?? 0 }
    })
    .sort((one, other) => other.score - one.score || one.no - other.no)
    .filter(({ score, no }) => after === null || score < after[0] || (score === after[0] && no > after[1]))
}

async function toRecords(
  tx: TenantTransaction,
  scope: ScopePlace & { scopeId: string },
  facts: readonly PossibleFact[],
): Promise<PossibleFactRecord[]> {
  const listed = facts.map(fact => fact.shown.slice(0, mostListed))
  const rows = await readPossibleRows(tx, scope, listed.flat())
  const records = await toPossibleRecords(tx, scope, [...rows.values()])
  const byNo = new Map([...rows.keys()].map((no, index) => [no, records[index]]))
  return facts.map(({ shown, further }, index) => {
    const items = (listed[index] ?? []).flatMap(no => byNo.get(no) ?? [])
    const { subject = null, attribute = null } = items[0] ?? {}
    return { scope_id: scope.scopeId, subject, attribute, count: shown.length + further.length, items }
  })
}

export interface PossibleConflictsInput extends ScopeName, Said {
  verdict: 'promote' | 'dismiss'
  possible_conflict_ids: string[]
  /** With every other undecided one of the same facts. */
  whole_fact?: boolean | undefined
}

export async function decidePossibleConflicts(deps: ScopesDeps, input: PossibleConflictsInput): Promise<DecidedTogether> {
  const { tenantId, scopeId, possible_conflict_ids: named, whole_fact: isWhole = false } = input
  const ids = await readTenant(deps.db, tenantId, async tx => {
    const scope = await resolveScope(tx, scopeId)
    const known = await readPossibleNumbers(tx, scope, named.filter(isStorable))
    const rows = await readPossibleRows(tx, scope, isWhole ? await ofTheirFacts(tx, scope, known) : known)
    return [...rows.values()].filter(row => row.status === 'open' && row.proposes === null).map(row => row.possible_conflict_id)
  })
  return decideEach(deps, input, {
    ids,
    named,
    unknown: 'No undecided possible conflict of this case has this id, or it proposes a replacement: those go by pairs of documents.',
  })
}

async function ofTheirFacts(tx: TenantTransaction, scope: ScopePlace, numbers: readonly number[]): Promise<number[]> {
  const pairs = await readOpenPairs(tx, scope)
  const facts = factsOf(pairs, pairs.length).filter(({ shown }) => shown.some(no => numbers.includes(no)))
  return [...new Set([...numbers, ...facts.flatMap(fact => fact.shown)])]
}
