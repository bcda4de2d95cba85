/** Who opened a finding, as the audit log has it: beside the finding now, and by a moment that is asked about. */

import { invariant } from '../../platform/errors.js'
import { scopeOfFinding } from '../../store/findings/finding-scope.js'
import { listOpened } from '../../store/scopes/as-of.js'
import { type Database, readTenant } from '../../store/server/database.js'
import { listReaders, listReadsKept, objectSeen } from '../../store/tenants/audit.js'
import type { FindingKind } from '../act.js'
import type { ScopesDeps } from '../deps.js'
import { notFound } from '../idempotent.js'
import { resolveScope } from '../lifecycle.js'
import { readsKeptBetween } from '../reads-kept.js'
import { isStorable } from '../storable.js'
import type { AsOf, SeenContradiction } from '../types.js'

const shownReaders = 50

type Named = { scope_id: string; detected_at: string } & ({ contradiction_id: string } | { possible_conflict_id: string })
type Opened = Pick<NonNullable<AsOf['contradictions']>['items'][number], 'opened_by' | 'reads_kept'>

/** One finding by its id alone, with those who have opened it before. A foreign one is not there. */
export async function openFinding<Row, Item extends { scope_id: string; detected_at: string }>(
  { db }: Pick<ScopesDeps, 'db'>,
  { tenantId, id }: { tenantId: string; id: string },
  kind: FindingKind<Row, Item>,
): Promise<Item & Pick<SeenContradiction, 'seen_by' | 'reads_kept'>> {
  const record = await readTenant(db, tenantId, async tx => {
    const row = isStorable(id) ? await kind.find(tx, id) : null
    const scopeId = row === null ? null : await scopeOfFinding(tx, id)
    if (row === null || scopeId === null) throw notFound(kind.name)
    const [found] = await kind.records(tx, { ...(await resolveScope(tx, scopeId)), scopeId }, [row])
    invariant(found !== undefined, 'a finding has no record')
    return found
  })
  return withReaders(db, { tenantId, id }, record)
}

async function withReaders<T extends { scope_id: string; detected_at: string }>(
  db: Database,
  { tenantId, id }: { tenantId: string; id: string },
  record: T,
): Promise<T & Pick<SeenContradiction, 'seen_by' | 'reads_kept'>> {
  const readers = await listReaders(db, tenantId, objectOf(record.scope_id, id), shownReaders)
  const reads_kept = readsKeptBetween(await listReadsKept(db, tenantId), { from: record.detected_at, to: null })
  return { ...record, seen_by: readers.map(({ reader, ...times }) => ({ by: reader, ...times })), reads_kept }
}

export async function withReadersBy<T extends Named>(
  db: Database,
  { tenantId, at }: { tenantId: string; at: string },
  records: readonly T[],
): Promise<(T & Opened)[]> {
  if (records.length === 0) return []
  const objects = records.map(record =>
    objectOf(record.scope_id, 'possible_conflict_id' in record ? record.possible_conflict_id : record.contradiction_id),
  )
  const opened = await listOpened(db, tenantId, { objects, at, most: shownReaders })
  const kept = await listReadsKept(db, tenantId)
  return records.map((record, place) => ({
    ...record,
    opened_by: opened.filter(({ object }) => object === objects[place]).map(({ reader, first_at }) => ({ by: reader, first_at })),
    reads_kept: readsKeptBetween(kept, { from: record.detected_at, to: at }),
  }))
}

function objectOf(scopeId: string, id: string): string {
  return objectSeen({ kind: 'finding', scopeId, id })
}
