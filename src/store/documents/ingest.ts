/**
 * Group commit: any number of documents in one round trip and one transaction, by `concord_ingest`. What a row became
 * is in its answer; an error means that nothing of the flush was written, or, when the connection was lost, that
 * nobody knows.
 */

import { invariant } from '../../platform/errors.js'
import { boolArray, byteaArray, int4Array, textArray } from '../server/binary-arrays.js'
import { across, type Database } from '../server/database.js'
import { commitBarrierSql } from './commit-barrier.js'

export interface IngestRow {
  tenantId: string
  scopeId: string
  documentId: string
  /** The client named the document, so it may have earlier revisions. */
  named: boolean
  name: string
  type: string
  source: string | null
  text: string
  textHash: Buffer
  idempotencyKey: string | null
  bodyHash: Buffer | null
  /** The start of the event's data, a JSON object without its closing brace: the revision is known to the database alone. */
  eventStart: string
  trace: string | null
  /** No model is shown it. */
  modelOff?: boolean
  /** What its submitter says it is about; null: what the revision before is about. */
  about?: string | null
}

export type IngestOutcome =
  | 'queued'
  | 'replayed'
  | 'reused'
  | 'scope'
  | 'tenant'
  | 'busy'
  | 'quota:documents'
  | 'quota:bytes'
  | 'quota:scopes'

export interface IngestAnswer {
  outcome: IngestOutcome
  seq: number | null
  revision: number | null
  documentId: string
}

/**
 * Writes what can be written and says of every row, in order, what became of it. Rows of a scope that somebody else holds are `busy`,
 * unless the flush is patient: then it waits for them, and keeps whoever needs its other scopes waiting, too. One that is not waits
 * half a second for anything else that somebody holds (`isTableTaken` beyond).
 */
export async function writeDocuments(db: Database, rows: readonly IngestRow[], { patient }: { patient: boolean }): Promise<IngestAnswer[]> {
  const { targets, places } = distinctTargets(rows)
  const result = await db.engineQuery<{ answers: [IngestOutcome, number | null, number | null, string][] }>(
    `with written as materialized (
       select concord_ingest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) as answers)
     select answers, case when strpos(answers::text, '"replayed"') > 0 then ${commitBarrierSql} end as barrier from written`,
    [
      textArray(targets.map(target => target.tenantId)),
      textArray(targets.map(target => target.scopeId)),
      int4Array(places),
      textArray(rows.map(row => row.documentId)),
      boolArray(rows.map(row => row.named)),
      textArray(rows.map(row => row.name)),
      textArray(rows.map(row => row.type)),
      textArray(rows.map(row => row.source)),
      textArray(rows.map(row => row.text)),
      byteaArray(rows.map(row => row.textHash)),
      textArray(rows.map(row => row.idempotencyKey)),
      byteaArray(rows.map(row => row.bodyHash)),
      textArray(rows.map(row => row.eventStart)),
      textArray(rows.map(row => row.trace)),
      rows.some(row => row.modelOff === true) ? boolArray(rows.map(row => row.modelOff === true)) : null,
      rows.some(row => row.about != null) ? textArray(rows.map(row => row.about ?? null)) : null,
      patient,
    ],
  )
  const answers = result.rows[0]?.answers
  invariant(answers?.length === rows.length, 'a group commit did not answer for every document')
  return answers.map(([outcome, seq, revision, documentId]) => ({ outcome, seq, revision, documentId }))
}

export interface ScopeName {
  tenantId: string
  scopeId: string
}

export type MadeScope = 'made' | 'exists' | 'quota' | 'tenant'

/** Makes scopes that do not exist yet, in a transaction of its own, with their `scope.created`. Waits as a flush does. */
export async function makeScopes(
  db: Database,
  scopes: readonly ScopeName[],
  { patient }: { patient: boolean } = { patient: true },
): Promise<MadeScope[]> {
  return db.engine(tx =>
    tx.value<MadeScope[]>('select concord_make_scopes($1, $2, $3)', [
      textArray(scopes.map(scope => scope.tenantId)),
      textArray(scopes.map(scope => scope.scopeId)),
      patient,
    ]),
  )
}

/** Of these, those that do not exist. */
export async function findMissingScopes(db: Database, scopes: readonly ScopeName[]): Promise<ScopeName[]> {
  return across(db).rows<ScopeName>(
    `select n.tenant_id as "tenantId", n.scope_id as "scopeId" from unnest($1::text[], $2::text[]) as n (tenant_id, scope_id)
     where not exists (select from scopes s where s.tenant_id = n.tenant_id and s.scope_id = n.scope_id)`,
    [textArray(scopes.map(scope => scope.tenantId)), textArray(scopes.map(scope => scope.scopeId))],
  )
}

/** Places count from 1, as the database's arrays do. */
function distinctTargets(rows: readonly ScopeName[]): { targets: ScopeName[]; places: number[] } {
  const placeOf = new Map<string, number>()
  const targets: ScopeName[] = []
  const places = rows.map(row => {
    const name = `${row.tenantId} ${row.scopeId}`
    const known = placeOf.get(name)
    if (known !== undefined) return known
    placeOf.set(name, targets.push(row))
    return targets.length
  })
  return { targets, places }
}
