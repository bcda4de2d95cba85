/** What an operator does with tenants: create, list, delete, issue and revoke keys, set limits. */

import type { Static } from 'typebox'
import { type Right, rights } from '../contract/rights.js'
import type {
  CreateKeyRequest,
  CreateKeyResponse,
  CreateTenantResponse,
  Tenant,
  TenantDeleted,
  TenantKey,
  TenantLimits,
  TenantLimitsView,
} from '../contract/tenants.js'
import type { Hints } from '../events/hints.js'
import { sha256 } from '../platform/digest.js'
import { AppError } from '../platform/errors.js'
import { newId, newTenantId, newTenantKey, tenantKeyPrefix } from '../platform/ids.js'
import { findObstacleOfTenant, type TenantObstacle } from '../store/scopes/legal-holds.js'
import type { Database, EngineTransaction } from '../store/server/database.js'
import {
  holdOffHolds,
  holdTenant,
  insertKey,
  insertTenant,
  type KeyRow,
  listKeys,
  listTenants,
  markTenantDeleted,
  readLimits,
  revokeKey,
  tenantExists,
  writeLimits,
} from '../store/tenants/tenants.js'

interface TenancyDeps {
  db: Database
  hints: Pick<Hints, 'notify'>
}

/** Of what is made, where somebody has to know them before. */
export interface NewIds {
  tenantId?: string
  keyId?: string
}

const keepIt = 'Keep the api_key: it is not shown again.'

export type Tenants = ReturnType<typeof createTenants>

export function createTenants({ db, hints }: TenancyDeps) {
  return {
    async create(name: string, { tenantId = newTenantId(), keyId }: NewIds = {}): Promise<Static<typeof CreateTenantResponse>> {
      return db.engine(async tx => {
        const { created_at } = await insertTenant(tx, { tenantId, name })
        const key = await issueKey(tx, { tenantId, keyId }, {})
        return {
          tenant_id: tenantId,
          api_key: key.api_key,
          key_prefix: key.key_prefix,
          message: `Tenant created. ${keepIt}`,
          key_id: key.key_id,
          name,
          created_at,
        }
      })
    },

    list(page: { after: string | null; limit: number }): Promise<Static<typeof Tenant>[]> {
      return listTenants(db, page)
    },

    async delete(tenantId: string): Promise<Static<typeof TenantDeleted>> {
      const deletedAt = await db.engine(async tx => {
        await holdOffHolds(tx, tenantId)
        const obstacle = await findObstacleOfTenant(tx, tenantId)
        if (obstacle !== null) throw onHold(obstacle)
        return markTenantDeleted(tx, tenantId)
      })
      if (deletedAt === null) throw notFound()
      hints.notify('keys')
      hints.notify('runtime')
      return { tenant_id: tenantId, deleted_at: deletedAt, message: 'Tenant deleted. Its data is removed in the background.' }
    },

    async listKeys(tenantId: string, page: { after: string | null; limit: number }): Promise<Static<typeof TenantKey>[]> {
      if (!(await tenantExists(db, tenantId))) throw notFound()
      return (await listKeys(db, tenantId, page)).map(toKey)
    },

    async createKey(
      tenantId: string,
      wanted: Static<typeof CreateKeyRequest>,
      { keyId }: NewIds = {},
    ): Promise<Static<typeof CreateKeyResponse>> {
      return db.engine(async tx => {
        if (!(await holdTenant(tx, tenantId))) throw notFound()
        const { revoked_at: _never, ...key } = await issueKey(tx, { tenantId, keyId }, wanted)
        return { tenant_id: tenantId, ...key, message: `Key created. ${keepIt}` }
      })
    },

    async revokeKey(tenantId: string, keyId: string): Promise<Static<typeof TenantKey>> {
      const revoked = await db.engine(async tx => {
        if (!(await holdTenant(tx, tenantId))) throw notFound()
        return revokeKey(tx, tenantId, keyId)
      })
      if (revoked === null) throw new AppError('KEY_NOT_FOUND', { detail: 'The tenant has no key with this id.' })
      hints.notify('keys')
      return toKey(revoked)
    },

    async limits(tenantId: string): Promise<Static<typeof TenantLimitsView>> {
      const row = await readLimits(db, tenantId)
      if (row === null) throw notFound()
      const {
        documents = null,
        bytes = null,
        scopes = null,
        requests_per_second = null,
        model_tokens_per_day = null,
        model = null,
      } = row.limits
      return {
        tenant_id: tenantId,
        limits: {
          ...{ documents, bytes, scopes, requests_per_second, model_tokens_per_day, model },
          concurrent_scopes: row.concurrent_scopes,
          weight: row.weight,
        },
        usage: {
          ...{ documents: row.documents, bytes: row.bytes, scopes: row.scopes, derived_bytes: row.derived_bytes },
          model_tokens_today: row.model_tokens_today,
        },
      }
    },

    async setLimits(tenantId: string, wanted: Static<typeof TenantLimits>): Promise<Static<typeof TenantLimitsView>> {
      const { weight = 1, concurrent_scopes: concurrentScopes = 64, ...quotas } = wanted
      const found = await db.engine(tx => writeLimits(tx, tenantId, { weight, concurrentScopes, quotas }))
      if (!found) throw notFound()
      hints.notify('keys')
      return this.limits(tenantId)
    },
  }
}

async function issueKey(
  tx: EngineTransaction,
  { tenantId, keyId = newId('key') }: { tenantId: string; keyId: string | undefined },
  wanted: Static<typeof CreateKeyRequest>,
) {
  const apiKey = newTenantKey()
  const row = await insertKey(tx, {
    tenantId,
    keyId,
    keyHash: sha256(apiKey),
    keyPrefix: tenantKeyPrefix(apiKey),
    label: wanted.label ?? null,
    rights: wanted.rights ?? rights,
    scopes: wanted.scopes ?? null,
    expiresAt: wanted.expires_at ?? null,
    person: wanted.person ?? null,
    speakFor: wanted.speak_for ?? wanted.person === undefined,
  })
  return { ...toKey(row), api_key: apiKey }
}

/** The database holds no other rights: a constraint says so. */
function toKey(row: KeyRow): Static<typeof TenantKey> {
  return { ...row, rights: row.rights as Right[] }
}

function onHold({ scope_id: scopeId, document_id: documentId, set_by: by, set_at: at, others }: TenantObstacle): AppError {
  const what = documentId === null ? `The case ${scopeId}` : `The document ${documentId} of the case ${scopeId}`
  const more = others > 0 ? ` ${others} more legal holds stand.` : ''
  return new AppError('LEGAL_HOLD', { detail: `${what} is on legal hold, set by ${by} on ${at.slice(0, 10)}.${more}` })
}

function notFound(): AppError {
  return new AppError('TENANT_NOT_FOUND', { detail: 'There is no tenant with this id.' })
}
