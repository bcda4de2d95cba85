/**
 * What a tenant's file must not bring along: values that are read together with those of other tenants, or by everybody who
 * verifies a certificate, and would break the installation for them; and figures of a case that nobody could read. Whatever else is
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
