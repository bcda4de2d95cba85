/**
 * Replacements that a model found and that do not act by themselves: those of one document by another are one item for a person, with
 * what accepting them would do, decided together or one by one. Each is a round and a decision of its own.
 */

import { differenceOf, type KeptReplacement } from '../../kernel/standing-difference.js'
import type { PossibleRow } from '../../store/findings/possible-conflicts.js'
import { listProposed, listReplacementGroups } from '../../store/findings/replacements.js'
import { readKeptCase } from '../../store/findings/standing-facts.js'
import type { ScopePlace } from '../../store/scopes/scopes.js'
import { readTenant, type TenantTransaction } from '../../store/server/database.js'
import type { PageRequest } from '../cursors.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import { resolveScope } from '../lifecycle.js'
import type { Said } from '../person.js'
import { listInScope } from '../scope-list.js'
import { isStorable } from '../storable.js'
import type { DecidedTogether, Page, ProposedReplacementRecord } from '../types.js'
import { decideEach, mostTogether } from './decide-each.js'
import { toPossibleRecords } from './possible-conflicts.js'

/** Of one document by another, to say how many are left over. */
const mostCounted = 10_000

export function listReplacements(deps: ScopesDeps, input: ScopeName & PageRequest): Promise<Page<ProposedReplacementRecord>> {
  return listInScope(deps, input, {
    name: 'replacements',
    filters: [],
    rows: (tx, scope, { after, limit }) => listReplacementGroups(tx, scope, { after: after as [string, string] | null, limit }),
    place: row => [row.document_id, row.by_document_id],
    shape: ['string', 'string'],
    items: async (groups, tx, scope) => {
      const records: ProposedReplacementRecord[] = []
      for (const group of groups) {
        const rows = await listProposed(tx, scope, group, mostTogether)
        const items = await toPossibleRecords(tx, scope, rows)
        records.push({ scope_id: scope.scopeId, ...group, items, accepting: await effectOf(tx, scope, rows) })
      }
      return records
    },
  })
}

/** What would follow if all of them were accepted. */
async function effectOf(
  tx: TenantTransaction,
  scope: ScopePlace,
  rows: readonly PossibleRow[],
): Promise<ProposedReplacementRecord['accepting']> {
  const kept = await readKeptCase(tx, scope, { claimNos: rows.flatMap(row => [row.claim_a, row.claim_b]) })
  const numbers = new Set(rows.map(row => row.possible_no))
  const proposed = kept.possible.filter(each => numbers.has(each.no))
  const replacements = proposed.map(
    ({ a: statement, b: by }, index): KeptReplacement => ({
      ...{ no: -1 - index, id: '', statement, by, kept: 'standing', inForce: true, objection: null, why: '' },
    }),
  )
  const { ended, closes, possible } = differenceOf({
    ...kept,
    replacements: [...kept.replacements, ...replacements],
    possible: kept.possible.map(each => (numbers.has(each.no) ? { ...each, word: { verdict: 'dismiss', at: 0 } } : each)),
  })
  return {
    retires: ended.length,
    closes: closes.map(each => each.id),
    closes_possible: possible.closes.length,
  }
}

export interface ReplacementsInput extends ScopeName, Said {
  document_id: string
  by_document_id: string
  verdict: 'accept' | 'dismiss'
  /** All of them where it is not given. */
  possible_conflict_ids?: string[] | undefined
}

export async function decideReplacements(deps: ScopesDeps, input: ReplacementsInput): Promise<DecidedTogether> {
  const { tenantId, possible_conflict_ids: named } = input
  const proposed = await readTenant(deps.db, tenantId, async tx => {
    const scope = await resolveScope(tx, input.scopeId)
    const isNamed = isStorable(input.document_id) && isStorable(input.by_document_id)
    return isNamed ? listProposed(tx, scope, input, mostCounted) : []
  })
  const ids = proposed.map(each => each.possible_conflict_id).filter(id => named === undefined || named.includes(id))
  return decideEach(deps, input, { ids, named, unknown: 'No undecided replacement of the one document by the other has this id.' })
}
