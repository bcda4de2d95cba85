/** Who opened a finding, as the audit log has it: beside the finding now, and by a moment that is asked about. */

import { listOpened } from '../store/scopes/as-of.js'
import type { Database } from '../store/server/database.js'
import { listReaders, objectSeen } from '../store/tenants/audit.js'
import type { AsOf, SeenContradiction } from './types.js'

const shownReaders = 50

type Named = { scope_id: string } & ({ contradiction_id: string } | { possible_conflict_id: string })
type OpenedBy = NonNullable<AsOf['contradictions']>['items'][number]['opened_by']

export async function withReaders<T extends { scope_id: string }>(
  db: Database,
  { tenantId, id }: { tenantId: string; id: string },
  record: T,
): Promise<T & Pick<SeenContradiction, 'seen_by'>> {
  const readers = await listReaders(db, tenantId, objectOf(record.scope_id, id), shownReaders)
  return { ...record, seen_by: readers.map(({ reader, ...times }) => ({ by: reader, ...times })) }
}

export async function withReadersBy<T extends Named>(
  db: Database,
  { tenantId, at }: { tenantId: string; at: string },
  records: readonly T[],
): Promise<(T & { opened_by: OpenedBy })[]> {
  const objects = records.map(record =>
    objectOf(record.scope_id, 'possible_conflict_id' in record ? record.possible_conflict_id : record.contradiction_id),
  )
  const opened = await listOpened(db, tenantId, { objects, at, most: shownReaders })
  return records.map((record, place) => ({
    ...record,
    opened_by: opened.filter(({ object }) => object === objects[place]).map(({ reader, first_at }) => ({ by: reader, first_at })),
  }))
}

function objectOf(scopeId: string, id: string): string {
  return objectSeen({ kind: 'finding', scopeId, id })
}
