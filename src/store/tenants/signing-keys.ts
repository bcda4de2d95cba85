/**
 * Keys that sign certificates. One is in use at a time, on every node the same; those before it stay listed, so that
 * what they signed can be verified for ever.
 */

import type { EngineTransaction } from '../server/database.js'

export type Jwk = Record<string, unknown>

export interface SigningKeyRow {
  kid: string
  public_jwk: Jwk
  /** Null when the private part is given to the nodes instead of being kept here. */
  private_jwk: Jwk | null
  created_at: string
  retired_at: string | null
}

/** Whoever makes or changes keys waits here, so that nodes starting together agree on one. */
export async function lockSigningKeys(tx: EngineTransaction): Promise<void> {
  await tx.run("select pg_advisory_xact_lock(1668641641, hashtext('signing_keys'))")
}

export async function findKeyInUse(tx: EngineTransaction): Promise<SigningKeyRow | null> {
  return tx.row<SigningKeyRow>(
    `select kid, public_jwk, private_jwk, created_at, retired_at from signing_keys
     where retired_at is null order by created_at desc limit 1`,
  )
}

/** Puts a key to use and retires the others. A key that was used before is used again. */
export async function useKey(tx: EngineTransaction, key: { kid: string; publicJwk: Jwk; privateJwk: Jwk | null }): Promise<void> {
  await tx.run('update signing_keys set retired_at = clock_timestamp(), private_jwk = null where retired_at is null and kid <> $1', [
    key.kid,
  ])
  await tx.run(
    `insert into signing_keys (kid, public_jwk, private_jwk) values ($1, $2, $3)
     on conflict (kid) do update set retired_at = null, private_jwk = excluded.private_jwk, tenants = null`,
    [key.kid, JSON.stringify(key.publicJwk), key.privateJwk === null ? null : JSON.stringify(key.privateJwk)],
  )
}

/** The first key ever used. It is never removed, so its name can stand for the installation. */
export async function findFirstKid(tx: EngineTransaction): Promise<string | null> {
  return tx.value<string | null>('select kid from signing_keys where tenants is null order by created_at, kid limit 1')
}

interface PublicKeyRow {
  public_jwk: Jwk
  /** Of a key that came with a tenant: those about which alone it may speak. */
  tenants: string[] | null
}

/** Public parts of every key ever used, newest first; those that came with tenants come last, so that they push none of our own out. */
export async function listPublicKeys(tx: EngineTransaction): Promise<PublicKeyRow[]> {
  return tx.rows<PublicKeyRow>('select public_jwk, tenants from signing_keys order by tenants is not null, created_at desc limit 1000')
}
