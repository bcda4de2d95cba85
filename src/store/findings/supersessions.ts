import type { Supersession } from '../../reading/types.js'
import { inPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import { bindings } from '../server/columns.js'
import type { TenantTransaction, Transaction } from '../server/database.js'
import { findingsThen, numbersOf, storedAs } from './finding-history.js'
import { type FoundRow, presentScope } from './findings.js'
import { contradictionMade } from './possible-conflicts.js'

export type SupersessionKind = NonNullable<Supersession['kind']>

export interface SupersessionRow extends FoundRow {
  supersession_no: number
  supersession_id: string
  /** Withdrawn: not found again when a document of it was read again, or the document of the claim that replaces was erased. */
  status: 'standing' | 'objected' | 'withdrawn'
  kind: SupersessionKind
  claim_no: number
  by_claim_no: number
  objection: Objection | null
  contradiction_id: string | null
}

export interface Objection {
  reason: string
  by: string
  decided_at: string
  round: number
}

const columns = `
  p.supersession_no, p.supersession_id, p.scope_no, p.generation, p.status, p.kind, p.claim_no, p.by_claim_no, p.reason, p.evidence, p.found_by, p.detected_at,
  p.detected_round, p.objection, x.contradiction_id`

/** In the order they were found. */
export async function listSupersessionRows(
  tx: TenantTransaction,
  scope: ScopePlace,
  filter: {
    status: SupersessionRow['status'] | 'all'
    knownAt: string | null
    ids?: readonly string[] | null
    after: number
    limit: number
  },
): Promise<SupersessionRow[]> {
  const status = {
    standing: "and p.status = 'standing'",
    objected: "and p.status = 'objected'",
    withdrawn: "and p.status = 'withdrawn'",
    all: '',
  }
  const { values, bind } = bindings(...placeOf(scope), filter.after, filter.limit)
  const known = filter.knownAt === null ? null : `${bind(filter.knownAt)}::timestamptz`
  const from = storedAs('p', known)
  const named = filter.ids == null ? '' : `and ${from}.supersession_no = any (${numbersOf('supersessions', bind(filter.ids))})`
  return tx.rows<SupersessionRow>(
    `select ${columns} from ${findingsThen('supersessions', 'p', known)} ${contradictionMade}
     where ${inPlace(from)} and ${from}.supersession_no > $4 ${status[filter.status]} ${named}
     order by ${from}.supersession_no limit $5`,
    values,
  )
}

export async function findSupersession(tx: TenantTransaction, supersessionId: string): Promise<SupersessionRow | null> {
  return tx.row<SupersessionRow>(
    `select ${columns} from supersessions p ${presentScope('p')} ${contradictionMade}
     where p.tenant_id = $1 and p.supersession_id = $2`,
    [tx.tenantId, supersessionId],
  )
}

/** In the order they were found. */
export async function readSupersessions(tx: Transaction, scope: ScopePlace, numbers: readonly number[]): Promise<SupersessionRow[]> {
  return tx.rows<SupersessionRow>(
    `select ${columns} from supersessions p ${contradictionMade}
     where ${inPlace('p')} and p.supersession_no = any ($4::bigint[]) order by p.supersession_no`,
    [...placeOf(scope), numbers],
  )
}
