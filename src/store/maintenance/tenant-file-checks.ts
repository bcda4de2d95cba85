/**
 * What a tenant's file must not bring along: values that are read together with those of other tenants, by everybody who follows
 * the log or verifies a certificate, and would break the installation for them; and figures of a case that nobody could read. Whatever else is
 * wrong, the database refuses.
 */

import { createHash } from 'node:crypto'
import { isInput, isPoint, unreadableFigures } from './stored-figures.js'
import { publicKeys, type TenantRow } from './tenant-rows.js'

type Row = TenantRow['row']

/** What is wrong with a row, for the operator; null when it may come in. */
export function faultOfRow(table: string, row: Row): string | null {
  if (table === 'tenants') return faultOfTenant(row)
  if (table === publicKeys) return isNamedByThumbprint(row) ? null : 'A signing key of the file is no Ed25519 key named by its thumbprint.'
  if (table === 'tenant_keys' && row['expires_at'] !== null && !isTime(row['expires_at'])) {
    return 'A key of the tenant expires at no time that there is.'
  }
  if (table === 'events') return faultOfEvent(row)
  if (table === 'scope_states') {
    const unreadable = unreadableFigures(row)
    if (unreadable !== null) return `The figures of a case cannot be read: ${unreadable} of scope_states has another form.`
  }
  if (table === 'rounds') {
    const unreadable = isPoint(row['point']) ? (isInput(row['input']) ? null : 'input') : 'point'
    if (unreadable !== null) return `The history of a case cannot be read: ${unreadable} of rounds has another form.`
  }
  return null
}

/** As `PUT /admin/tenants/{tenantId}/limits` takes them. */
export const limitNames: readonly string[] = ['documents', 'bytes', 'scopes', 'requests_per_second', 'model_tokens_per_day', 'model']
const mostOfLimit = 1_000_000_000_000

function faultOfTenant({ limits, weight, concurrent_scopes: concurrentScopes, name, created_at: createdAt }: Row): string | null {
  if (typeof limits !== 'object' || limits === null || Array.isArray(limits)) return "The tenant's limits are no limits."
  for (const [limit, value] of Object.entries(limits)) {
    if (!limitNames.includes(limit)) return `The tenant has a limit that there is not: ${JSON.stringify(limit)}.`
    if (limit === 'model' && value === 'off') continue
    if (value !== null && !isWhole(value, 0, mostOfLimit)) return `The tenant's limit ${limit} is no whole number and not null.`
  }
  if (!isWhole(weight, 1, 1000)) return "The tenant's weight is no whole number from 1 to 1000."
  if (!isWhole(concurrentScopes, 1, 100_000)) return "The tenant's concurrent_scopes is no whole number from 1 to 100000."
  if (typeof name !== 'string' || name === '') return 'The tenant has no name.'
  return isTime(createdAt) ? null : 'The tenant was created at no time that there is.'
}

/** A kind that a tenant has, with nothing in it that would end a line of a stream: events of the service belong to no tenant. */
const kindOfTenant = /^(?!(worker|tenant|stream)\.)[a-z_]+\.[a-z_]+$/

/** Everybody who follows the whole log reads these. */
function faultOfEvent({ type, data, time }: Row): string | null {
  if (typeof type !== 'string' || !kindOfTenant.test(type)) return 'An event of the file is of no kind that a tenant has.'
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return `The data of an event ${type} are no object.`
  const { revision, generation } = data as Row
  if (!isAbsentOrCounted(revision)) return `The revision in an event ${type} is no whole number.`
  if (!isAbsentOrCounted(generation)) return `The generation in an event ${type} is no whole number.`
  return isTime(time) ? null : `An event ${type} happened at no time that there is.`
}

function isAbsentOrCounted(value: unknown): boolean {
  return value === undefined || value === null || isWhole(value, 1, 999_999_999)
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most
}

/** PostgreSQL also has infinite times, which cannot be reckoned with. */
function isTime(value: unknown): boolean {
  return typeof value === 'string' && Number.isFinite(Date.parse(value))
}

/** RFC 7638: two keys can never have one name. */
function isNamedByThumbprint({ kid, public_jwk: jwk }: Row): boolean {
  const { kty, crv, x, kid: named, ...more } = (jwk ?? {}) as Row
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string' || Object.keys(more).length > 0) return false
  const bytes = Buffer.from(x, 'base64url')
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url')
  return bytes.length === 32 && bytes.toString('base64url') === x && kid === thumbprint && named === thumbprint
}
