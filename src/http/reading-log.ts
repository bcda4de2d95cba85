/**
 * Who saw what, in the audit log. However often somebody reads a document, finding or certificate, and in however many parts,
 * an hour of it has one row: of the person, or of the key where nobody is known by name. Ids alone are kept, no word of what was
 * read.
 */

import type { Config } from '../platform/config.js'
import { cut } from '../platform/storable-text.js'
import { objectSeen, type Seen } from '../store/tenants/audit.js'
import type { Audit } from '../tenancy/audit.js'
import { actorOf } from './auditing.js'
import type { Caller } from './auth.js'
import type { Call } from './handler.js'

/** Beyond them the oldest is forgotten, and the database finds that it has the row. */
const mostReadings = 5000

export type ReadingLog = ReturnType<typeof createReadingLog>

export interface ReadingLogOptions {
  audit: Pick<Audit, 'noteReading'>
  config: Pick<Config, 'auditReads'>
  /** The time of the wall. Only differences of it count: hours are the database's, whatever this node's clock says. */
  now: () => Date
}

export function createReadingLog({ audit, config, now }: ReadingLogOptions) {
  /** Until when the row of the hour is there, by this node's clock. */
  const noted = new Map<string, number>()
  return {
    /** Resolves when the row is on disk: nobody gets a word of which nothing is known. */
    async note({ caller, request }: Pick<Call, 'caller' | 'request'>, seen: Seen): Promise<void> {
      if (!isNoted(config.auditReads, caller, seen)) return
      const { permission } = caller
      const object = objectSeen(seen)
      const reader = permission?.person ?? actorOf(caller)
      const name = JSON.stringify([caller.tenantId, object, reader])
      const asked = now().getTime()
      if (asked < (noted.get(name) ?? 0)) return
      const leftMs = await audit.noteReading({
        tier: 'public',
        actor: actorOf(caller),
        action: request.operation?.id ?? 'read',
        outcome: 'allowed',
        status: 200,
        tenantId: caller.tenantId,
        scopeId: cut(seen.scopeId, 200),
        requestId: request.id,
        address: request.ip,
        detail: detailOf(seen, permission?.person ?? null),
        object,
        reader,
      })
      noted.delete(name)
      noted.set(name, asked + leftMs)
      if (noted.size > mostReadings) noted.delete(noted.keys().next().value as string)
    },
  }
}

/** Originals leave the service as they came, so that it is always known who has them. */
function isNoted(reads: Config['auditReads'], { permission }: Caller, { kind }: Seen): boolean {
  if (reads === 'off') return false
  return reads === 'all' || kind === 'original' || permission?.key_id.startsWith('ses_') === true
}

function detailOf({ kind, id, revision }: Seen, person: string | null) {
  const named = id === null ? {} : { [kind === 'finding' ? 'finding_id' : 'document_id']: cut(id, 200) }
  return { ...named, ...(revision === undefined ? {} : { revision }), ...(person === null ? {} : { person }) }
}
