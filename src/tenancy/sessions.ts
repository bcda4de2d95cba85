/** Sessions of people: opened by signing in, listed and revoked by operators, ended by their holder. */

import type { Static } from 'typebox'
import type { Right } from '../contract/rights.js'
import type { Session } from '../contract/sign-in.js'
import type { Hints } from '../events/hints.js'
import { sha256 } from '../platform/digest.js'
import { AppError } from '../platform/errors.js'
import { newId, newSessionToken } from '../platform/ids.js'
import type { Database } from '../store/server/database.js'
import { insertSession, listSessions, revokeSession, revokeToken, type SessionRow } from '../store/tenants/sessions.js'
import { holdTenant, tenantExists } from '../store/tenants/tenants.js'
import type { Grant } from './person-mapping.js'

/** How a session comes about. */
export interface Way {
  kind: SessionRow['kind']
  /** What the sign-in was begun with. */
  attempt: string
  /** The token of a session that ends with it. */
  replaces?: string | undefined
}

interface WantedSession extends Omit<Grant, 'person'>, Way {
  person: string | null
  keyId: string | null
  issuer: string
  subject: string
  minutes: number
  idleMinutes: number
}

/** Only the caller has the token: its hash is kept. */
export async function openSession(
  db: Database,
  { attempt, replaces, ...wanted }: WantedSession,
): Promise<{ session: SessionRow; token: string; replaced: string | null } | 'used' | 'no-tenant'> {
  const token = newSessionToken()
  return db.engine(async tx => {
    if (!(await holdTenant(tx, wanted.tenantId))) return 'no-tenant'
    const sessionId = newId('ses')
    const session = await insertSession(tx, { ...wanted, sessionId, tokenHash: sha256(token), attemptHash: sha256(attempt) })
    if (session === null) return 'used'
    return { session, token, replaced: replaces === undefined ? null : await revokeToken(tx, sha256(replaces)) }
  })
}

export type Sessions = ReturnType<typeof createSessions>

export function createSessions({ db, hints }: { db: Database; hints: Pick<Hints, 'notify'> }) {
  return {
    async list(tenantId: string, page: { after: string | null; limit: number }): Promise<Static<typeof Session>[]> {
      if (!(await tenantExists(db, tenantId))) throw new AppError('TENANT_NOT_FOUND', { detail: 'There is no tenant with this id.' })
      return (await listSessions(db, tenantId, page)).map(toSession)
    },
    async revoke(tenantId: string, sessionId: string): Promise<Static<typeof Session>> {
      const revoked = await revokeSession(db, tenantId, sessionId)
      if (revoked === null) throw new AppError('SESSION_NOT_FOUND', { detail: 'The tenant has no session with this id.' })
      hints.notify('keys')
      return toSession(revoked)
    },
  }
}

/** The database holds no other rights: a constraint says so. */
export function toSession(row: SessionRow): Static<typeof Session> {
  return { ...row, rights: row.rights as Right[] }
}
