/** A page of a list of one scope, read in one snapshot. */

import type { ScopePlace } from '../store/scopes/scopes.js'
import { readTenant, type TenantTransaction } from '../store/server/database.js'
import { type ListIdentity, type PageRequest, type Place, type PlaceKind, pageOf, readPaging } from './cursors.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { resolveScope } from './lifecycle.js'
import type { Page } from './types.js'

export interface ScopeList<Row, Item> {
  name: string
  /** What decides its content beside the scope. */
  filters: ListIdentity
  rows: (tx: TenantTransaction, scope: ListedScope, page: { after: Place | null; limit: number }) => Promise<readonly Row[]>
  /** Sort key of a row, and of what kind its parts are. */
  place: (row: Row) => Place
  shape: readonly PlaceKind[]
  /** The rows as they are shown, in the same order. */
  items: (rows: readonly Row[], tx: TenantTransaction, scope: ListedScope) => Promise<Item[]> | Item[]
}

export type ListedScope = ScopePlace & { scopeId: string }

export function listInScope<Row, Item>(deps: ScopesDeps, input: ScopeName & PageRequest, list: ScopeList<Row, Item>): Promise<Page<Item>> {
  const { tenantId, scopeId } = input
  return readTenant(deps.db, tenantId, async tx => {
    const scope = { ...(await resolveScope(tx, scopeId)), scopeId }
    const identity = [list.name, tenantId, scopeId, scope.generation, ...list.filters]
    const paging = readPaging(input, identity, list.shape)
    const rows = await list.rows(tx, scope, { after: paging.after, limit: paging.limit + 1 })
    const page = pageOf(rows, paging, identity, { place: list.place, item: row => row })
    return { ...page, items: await list.items(page.items, tx, scope) }
  })
}
