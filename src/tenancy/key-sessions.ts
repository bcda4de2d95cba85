/** Sessions of browsers that a tenant key was exchanged for, and that a session was used. */

import type { Hints } from '../events/hints.js'
import type { Clock } from '../platform/clock.js'
import type { Config } from '../platform/config.js'
import { AppError } from '../platform/errors.js'
import { randomBase62 } from '../platform/ids.js'
import type { Logger } from '../platform/logger.js'
import type { Database } from '../store/server/database.js'
import { touchSessions } from '../store/tenants/sessions.js'
import type { KeyOwner } from '../store/tenants/tenants.js'
import type { Audit } from './audit.js'
import { openSession } from './sessions.js'
import { type Asked, type SignedIn, timesOf } from './sign-in.js'

interface KeySessionsDeps {
  db: Database
  hints: Pick<Hints, 'notify'>
  audit: Pick<Audit, 'begin'>
  config: Pick<Config, 'sessionIdleMinutes' | 'sessionLongestMinutes'>
}

export type KeySessions = ReturnType<typeof createKeySessions>

export function createKeySessions({ db, hints, audit, config }: KeySessionsDeps) {
  return {
    /** For the holder of the key; `replaces` is the token of a session the browser had. */
    async open(
      key: Pick<KeyOwner, 'key_id' | 'rights' | 'scopes' | 'person'> & { tenantId: string },
      asked: Asked & { replaces?: string | undefined },
    ): Promise<SignedIn> {
      const { tenantId, key_id: keyId, rights, scopes, person } = key
      const opened = await openSession(db, {
        tenantId,
        rights,
        scopes,
        person,
        keyId,
        issuer: 'key',
        subject: keyId,
        kind: 'desk',
        attempt: randomBase62(43),
        replaces: asked.replaces,
        ...timesOf(config),
      })
      if (opened === 'no-tenant' || opened === 'used') throw new AppError('TENANT_KEY_INVALID')
      if (opened.replaced !== null) hints.notify('keys')
      const detail = {
        session: opened.session.session_id,
        key_id: keyId,
        ...(person === null ? {} : { person }),
        ...(opened.replaced === null ? {} : { replaced: opened.replaced }),
      }
      const row = {
        tier: 'public',
        action: 'createKeySession',
        actor: `key:${keyId}`,
        outcome: 'allowed' as const,
        tenantId,
        scopeId: null,
        requestId: asked.requestId,
        address: asked.address,
        detail,
      }
      await audit.begin(row, 201)
      return opened
    },
  }
}

const noteEveryMs = 20_000
const mostNoted = 20_000

/** Notes the use of sessions a few times a minute each, behind the requests: what is lost costs its holder seconds of an hour. */
export function createSessionUse({ db, clock, logger }: { db: Database; clock: Clock; logger: Logger }) {
  const noted = new Map<string, number>()
  return (sessionId: string): void => {
    const now = clock.monotonicMs()
    if (now - (noted.get(sessionId) ?? Number.NEGATIVE_INFINITY) < noteEveryMs) return
    noted.delete(sessionId)
    noted.set(sessionId, now)
    if (noted.size > mostNoted) noted.delete(noted.keys().next().value as string)
    void touchSessions(db, [sessionId]).catch((error: unknown) => logger.debug({ err: error }, 'use of a session not noted'))
  }
}
