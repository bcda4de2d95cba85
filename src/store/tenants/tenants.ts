/** Tenants and their keys. Written by the service alone, so everything here runs as the engine. */

import { across, type Database, type EngineTransaction, type TenantTransaction } from '../server/database.js'

export interface TenantRow {
  tenant_id: string
  name: string
  created_at: string
  keys: number
}

export interface KeyRow {
  key_id: string
  key_prefix: string
  label: string | null
  created_at: string
  revoked_at: string | null
  rights: string[]
  scopes: string[] | null
  expires_at: string | null
  person: string | null
  speak_for: boolean
}

const keyColumns = 'key_id, key_prefix, label, created_at, revoked_at, rights, scopes, expires_at, person, speak_for'

export interface NewKey {
  tenantId: string
  keyId: string
  keyHash: Buffer
  keyPrefix: string
  label: string | null
  rights: readonly string[]
  scopes: readonly string[] | null
  expiresAt: string | null
  person: string | null
  speakFor: boolean
}

export async function insertTenant(tx: EngineTransaction, tenant: { tenantId: string; name: string }): Promise<{ created_at: string }> {
  return tx.one<{ created_at: string }>('insert into tenants (tenant_id, name) values ($1, $2) returning created_at', [
    tenant.tenantId,
    tenant.name,
  ])
}

export async function insertKey(tx: EngineTransaction, key: NewKey): Promise<KeyRow> {
  return tx.one<KeyRow>(
    `insert into tenant_keys (tenant_id, key_id, key_hash, key_prefix, label, rights, scopes, expires_at, person, speak_for)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${keyColumns}`,
    [key.tenantId, key.keyId, key.keyHash, key.keyPrefix, key.label, key.rights, key.scopes, key.expiresAt, key.person, key.speakFor],
  )
}

/** Keeps the tenant from being deleted until the transaction ends; false when there is none. */
export async function holdTenant(tx: EngineTransaction, tenantId: string): Promise<boolean> {
  return tx.touches("select 1 from tenants where tenant_id = $1 and tenant_id <> '-' and deleted_at is null for share", [tenantId])
}

/** Holds off the removal of what a deleted tenant owns, until the transaction ends; false when the tenant is deleted. */
export async function holdOffRemoval(tx: TenantTransaction): Promise<boolean> {
  await tx.run('select concord_lock_quota($1)', [tx.tenantId])
  return tx.touches('select 1 from tenants where tenant_id = $1 and deleted_at is null', [tx.tenantId])
}

/** Whoever sets a legal hold waits until the transaction ends, and those under way are waited for (`holdOffRemoval`). */
export async function holdOffHolds(tx: EngineTransaction, tenantId: string): Promise<void> {
  await tx.run('select concord_lock_quota($1)', [tenantId])
}

export async function tenantExists(db: Database, tenantId: string): Promise<boolean> {
  return across(db).touches("select 1 from tenants where tenant_id = $1 and tenant_id <> '-' and deleted_at is null", [tenantId])
}

/** What those of the tenants that exist may send. */
export async function findTenantRates(db: Database, tenantIds: string[]): Promise<Map<string, { requests_per_second: number | null }>> {
  const { rows } = await db.engineQuery<{ tenant_id: string; requests_per_second: number | null }>(
    `select tenant_id, (limits->>'requests_per_second')::float8 as requests_per_second
     from tenants where tenant_id = any($1::text[]) and tenant_id <> '-' and deleted_at is null`,
    [tenantIds],
  )
  return new Map(rows.map(({ tenant_id: tenantId, ...rate }) => [tenantId, rate]))
}

export interface KeyOwner extends Pick<KeyRow, 'key_id' | 'rights' | 'scopes' | 'person' | 'speak_for' | 'expires_at'> {
  tenant_id: string
  requests_per_second: number | null
  /** By the clock of the database, when it was asked; null for a key that does not expire. */
  expires_in_ms: number | null
}

/** Another number whenever something was taken away from a key, a session or a tenant. */
export async function readCredentialGeneration(db: Database): Promise<number> {
  return across(db).value<number>('select generation from credential_generation')
}

/** The owners of those keys that are live and of live tenants, by the clock of the database. */
export async function findKeyOwners(db: Database, keyHashes: Buffer[]): Promise<(KeyOwner & { key_hash: Buffer })[]> {
  return across(db).rows<KeyOwner & { key_hash: Buffer }>(
    `select k.key_hash, k.tenant_id, k.key_id, k.rights, k.scopes, k.person, k.speak_for, k.expires_at,
       extract(epoch from k.expires_at - clock_timestamp())::float8 * 1000 as expires_in_ms,
       (t.limits->>'requests_per_second')::float8 as requests_per_second
     from tenant_keys k join tenants t using (tenant_id)
     where k.key_hash = any($1::bytea[]) and k.revoked_at is null and t.deleted_at is null
       and (k.expires_at is null or k.expires_at > clock_timestamp())`,
    [keyHashes],
  )
}

export async function listTenants(db: Database, page: { after: string | null; limit: number }): Promise<TenantRow[]> {
  return across(db).rows<TenantRow>(
    `select t.tenant_id, t.name, t.created_at,
       (select count(*) from tenant_keys k where k.tenant_id = t.tenant_id and k.revoked_at is null)::int as keys
     from tenants t
     where t.tenant_id <> '-' and t.deleted_at is null and ($1::text is null or t.tenant_id > $1)
     order by t.tenant_id limit $2`,
    [page.after, page.limit],
  )
}

export async function listKeys(db: Database, tenantId: string, page: { after: string | null; limit: number }): Promise<KeyRow[]> {
  return across(db).rows<KeyRow>(
    `select ${keyColumns} from tenant_keys
     where tenant_id = $1 and ($2::text is null or key_id > $2) order by key_id limit $3`,
    [tenantId, page.after, page.limit],
  )
}

export async function revokeKey(tx: EngineTransaction, tenantId: string, keyId: string): Promise<KeyRow | null> {
  return tx.row<KeyRow>(
    `update tenant_keys set revoked_at = coalesce(revoked_at, clock_timestamp()) where tenant_id = $1 and key_id = $2
      returning ${keyColumns}`,
    [tenantId, keyId],
  )
}

/** Keys stop working and the name is gone at once; what the tenant owned is removed behind. */
export async function markTenantDeleted(tx: EngineTransaction, tenantId: string): Promise<string | null> {
  // Whoever adds or revokes a key holds the tenant first; sessions and keys come before the row whose change wakes every node.
  await tx.run('select 1 from tenants where tenant_id = $1 for no key update', [tenantId])
  await tx.run('delete from sessions where tenant_id = $1', [tenantId])
  await tx.run(
    'update tenant_keys set revoked_at = coalesce(revoked_at, clock_timestamp()), label = null, person = null, speak_for = true where tenant_id = $1',
    [tenantId],
  )
  return tx.value<string | null>(
    `update tenants set deleted_at = clock_timestamp(), name = 'deleted', limits = '{}'
      where tenant_id = $1 and tenant_id <> '-' and deleted_at is null returning deleted_at`,
    [tenantId],
  )
}

export interface LimitsRow {
  weight: number
  concurrent_scopes: number
  limits: {
    documents?: number | null
    bytes?: number | null
    scopes?: number | null
    requests_per_second?: number | null
    model_tokens_per_day?: number | null
    model?: 'off' | null
  }
  documents: number
  bytes: number
  scopes: number
  derived_bytes: number
  model_tokens_today: number
}

export async function readLimits(db: Database, tenantId: string): Promise<LimitsRow | null> {
  return across(db).row<LimitsRow>(
    `select t.weight, t.concurrent_scopes, t.limits,
       u.documents, u.bytes, u.scopes, u.derived_bytes,
       coalesce((select m.tokens from model_usage m where m.tenant_id = t.tenant_id and m.day = (clock_timestamp() at time zone 'utc')::date), 0)
         as model_tokens_today
     from tenants t cross join lateral concord_usage(t.tenant_id) u
     where t.tenant_id = $1 and t.tenant_id <> '-' and t.deleted_at is null`,
    [tenantId],
  )
}

export async function writeLimits(
  tx: EngineTransaction,
  tenantId: string,
  limits: { weight: number; concurrentScopes: number; quotas: object },
): Promise<boolean> {
  return tx.touches(
    `update tenants set weight = $2, concurrent_scopes = $3, limits = $4
      where tenant_id = $1 and tenant_id <> '-' and deleted_at is null`,
    [tenantId, limits.weight, limits.concurrentScopes, JSON.stringify(limits.quotas)],
  )
}
