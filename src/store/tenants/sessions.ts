/** Sessions of people. Made and ended by the service alone, so everything here runs as the engine. */

import { across, type Database, type EngineTransaction } from '../server/database.js'
import type { KeyOwner } from './tenants.js'

export interface SessionRow {
  session_id: string
  tenant_id: string
  kind: 'desk' | 'device'
  /** Null for one of a key that is nobody's. */
  person: string | null
  subject: string
  /** The key it was exchanged for. */
  key_id: string | null
  rights: string[]
  scopes: string[] | null
  created_at: string
  used_at: string
  expires_at: string
  revoked_at: string | null
}

export interface NewSession {
  tenantId: string
  sessionId: string
  tokenHash: Buffer
  attemptHash: Buffer
  kind: 'desk' | 'device'
  issuer: string
  subject: string
  person: string | null
  keyId: string | null
  rights: readonly string[]
  scopes: readonly string[] | null
  /** The longest it lasts, and how long without being used. */
  minutes: number
  idleMinutes: number
}

/** A session of a key ends with the key at the latest. */
const endSql = `least(sessions.expires_at,
  (select k.expires_at from tenant_keys k where k.tenant_id = sessions.tenant_id and k.key_id = sessions.key_id))`
const columns = `session_id, tenant_id, kind, person, subject, key_id, rights, scopes, created_at, used_at, ${endSql} as expires_at, revoked_at`

/** Null when the sign-in has made its session already. */
export async function insertSession(tx: EngineTransaction, session: NewSession): Promise<SessionRow | null> {
  const { tenantId, sessionId, tokenHash, attemptHash, kind, issuer, subject, person, keyId, rights, scopes, minutes, idleMinutes } =
    session
  return tx.row<SessionRow>(
    `insert into sessions (tenant_id, session_id, token_hash, attempt_hash, kind, issuer, subject, person, key_id, rights, scopes,
        idle_minutes, created_at, used_at, expires_at)
      select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $13, t, t, t + make_interval(mins => $12) from clock_timestamp() as t
      on conflict (attempt_hash) do nothing returning ${columns}`,
    [tenantId, sessionId, tokenHash, attemptHash, kind, issuer, subject, person, keyId, rights, scopes, minutes, idleMinutes],
  )
}

/** The owners of those tokens whose sessions go on and whose tenants live, by the clock of the database. */
export async function findSessionOwners(
  db: Database,
  tokenHashes: Buffer[],
  { ofIssuer }: { ofIssuer: boolean },
): Promise<(KeyOwner & { key_hash: Buffer })[]> {
  return across(db).rows<KeyOwner & { key_hash: Buffer }>(
    `select s.token_hash as key_hash, s.tenant_id, s.session_id as key_id,
       case when s.key_id is null then s.rights else k.rights end as rights,
       case when s.key_id is null then s.scopes else k.scopes end as scopes,
       case when s.key_id is null then s.person else k.person end as person,
       coalesce(k.speak_for, false) as speak_for, least(s.expires_at, k.expires_at) as expires_at,
       extract(epoch from least(s.expires_at, k.expires_at, s.used_at + make_interval(mins => s.idle_minutes))
         - clock_timestamp())::float8 * 1000 as expires_in_ms,
       (t.limits->>'requests_per_second')::float8 as requests_per_second
     from sessions s join tenants t using (tenant_id)
       left join tenant_keys k on k.tenant_id = s.tenant_id and k.key_id = s.key_id
     where s.token_hash = any($1::bytea[]) and s.revoked_at is null and t.deleted_at is null and s.expires_at > clock_timestamp()
       and s.used_at + make_interval(mins => s.idle_minutes) > clock_timestamp()
       and (s.key_id is null or (k.revoked_at is null and k.key_id is not null
         and (k.expires_at is null or k.expires_at > clock_timestamp())))
       and ($2 or s.key_id is not null)`,
    [tokenHashes, ofIssuer],
  )
}

/** Notes that they were used, by those who hold them. One that has ended by not being used stays so. */
export async function touchSessions(db: Database, sessionIds: readonly string[]): Promise<void> {
  await across(db).run(
    `update sessions set used_at = clock_timestamp()
     where session_id = any($1::text[]) and revoked_at is null and used_at + make_interval(mins => idle_minutes) > clock_timestamp()`,
    [sessionIds],
  )
}

/** Those that have not expired, revoked ones included. */
export async function listSessions(db: Database, tenantId: string, page: { after: string | null; limit: number }): Promise<SessionRow[]> {
  return across(db).rows<SessionRow>(
    `select ${columns} from sessions
     where tenant_id = $1 and ${endSql} > clock_timestamp() and ($2::text is null or session_id > $2) order by session_id limit $3`,
    [tenantId, page.after, page.limit],
  )
}

export async function revokeSession(db: Database, tenantId: string, sessionId: string): Promise<SessionRow | null> {
  return across(db).row<SessionRow>(
    `update sessions set revoked_at = coalesce(revoked_at, clock_timestamp()) where tenant_id = $1 and session_id = $2
     returning ${columns}`,
    [tenantId, sessionId],
  )
}

/** The name of the session, where it went on until now. */
export async function revokeToken(tx: EngineTransaction, tokenHash: Buffer): Promise<string | null> {
  return tx.value<string | null>(
    `update sessions set revoked_at = clock_timestamp() where token_hash = $1 and revoked_at is null and expires_at > clock_timestamp()
      returning session_id`,
    [tokenHash],
  )
}

/** Sessions are kept for a day after their end, so that what a sign-in was begun with makes no second one. */
export async function removeOldSessions(db: Database, limit: number): Promise<number> {
  return across(db).run(
    `delete from sessions where (tenant_id, session_id) in (
       select tenant_id, session_id from sessions where expires_at < clock_timestamp() - interval '1 day' order by expires_at limit $1)`,
    [limit],
  )
}
