/**
 * The key that signs certificates: given by SIGNING_KEY, or made once in the database, so that every node signs with
 * the same. Another node's rotation is noticed by a hint or within a second; until then the older key signs, which stays
 * listed.
 */

import type { JWK } from 'jose'
import type { Hints } from '../../events/hints.js'
import { AppError, invariant, messageOf, StartupError } from '../../platform/errors.js'
import type { Logger } from '../../platform/logger.js'
import type { Database, EngineTransaction } from '../../store/server/database.js'
import { findFirstKid, findKeyInUse, lockSigningKeys, type SigningKeyRow, useKey } from '../../store/tenants/signing-keys.js'
import { generateSigningKey, importSigningKey, type SigningKey } from './certificates.js'

export interface SigningKeys {
  current(): SigningKey
  /** Puts a new key to use on every node. Refused while the key is given by SIGNING_KEY. */
  rotate(): Promise<{ kid: string }>
  close(): void
}

export interface SigningKeysOptions {
  db: Database
  hints: Pick<Hints, 'notify' | 'subscribe'>
  logger: Logger
  /** SIGNING_KEY, if set. */
  given: string | undefined
}

const pollMs = 800

export async function openSigningKeys({ db, hints, logger, given }: SigningKeysOptions): Promise<SigningKeys> {
  if (given !== undefined) return useGiven(db, given)
  const held = { key: await db.engine(findOrMake) }
  const reload = () => {
    db.engine(findKeyInUse, { readOnly: true }).then(
      row => {
        if (row?.private_jwk && row.kid !== held.key.kid) held.key = toSigningKey(row)
      },
      (error: unknown) => logger.debug({ err: error }, 'signing key refresh failed'),
    )
  }
  const unsubscribe = hints.subscribe('keys', reload)
  // A hint may be lost; a key that was retired because it leaked must not sign on.
  const poll = setInterval(reload, pollMs).unref()
  return {
    current: () => held.key,
    rotate: async () => {
      held.key = await db.engine(makeKey)
      hints.notify('keys')
      return { kid: held.key.kid }
    },
    close: () => {
      clearInterval(poll)
      unsubscribe()
    },
  }
}

/** Names an installation that was not given a name: by its first signing key, which no other has and no rotation changes. */
export async function installationName(db: Database): Promise<string> {
  const kid = await db.engine(findFirstKid, { readOnly: true })
  invariant(kid !== null, 'an installation has no signing key')
  return `urn:concord:${kid}`
}

async function useGiven(db: Database, given: string): Promise<SigningKeys> {
  const key = await importSigningKey(given).catch((error: unknown) => {
    throw new StartupError(`SIGNING_KEY cannot be used: ${messageOf(error)}. It must be an Ed25519 private key as PKCS#8 PEM or JWK.`)
  })
  await db.engine(async tx => {
    await lockSigningKeys(tx)
    await useKey(tx, { kid: key.kid, publicJwk: { ...key.publicJwk }, privateJwk: null })
  })
  return {
    current: () => key,
    rotate: () =>
      Promise.reject(new AppError('STATE_CONFLICT', { detail: 'The signing key is given by SIGNING_KEY; change that setting instead.' })),
    close: () => undefined,
  }
}

async function findOrMake(tx: EngineTransaction): Promise<SigningKey> {
  await lockSigningKeys(tx)
  const row = await findKeyInUse(tx)
  // A key without its private part was given to the nodes by a setting that is gone.
  return row?.private_jwk ? toSigningKey(row) : writeKey(tx)
}

async function makeKey(tx: EngineTransaction): Promise<SigningKey> {
  await lockSigningKeys(tx)
  return writeKey(tx)
}

async function writeKey(tx: EngineTransaction): Promise<SigningKey> {
  const key = await generateSigningKey()
  await useKey(tx, { kid: key.kid, publicJwk: { ...key.publicJwk }, privateJwk: { ...key.privateJwk } })
  return key
}

function toSigningKey(row: SigningKeyRow): SigningKey {
  invariant(row.private_jwk !== null, 'a signing key has no private part')
  return { kid: row.kid, publicJwk: row.public_jwk as JWK, privateJwk: row.private_jwk as JWK }
}
