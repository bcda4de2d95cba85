/** What the steps of an erasure know of the document. */

import type { ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'

export interface Erasing {
  tx: Transaction
  scope: ScopePlace & { recordedAt: string }
  documentId: string
  /** Numbers of all claims of all its revisions. */
  claimNos: readonly number[]
  claimIds: readonly string[]
  /** Contradictions one of its claims stands in, and those that were reported of it. */
  contradictionNos: readonly number[]
  /** Of contradictions, possible conflicts and supersessions: decisions are about them. */
  findingIds: readonly string[]
}
