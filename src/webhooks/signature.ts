/**
 * Signatures by the Standard Webhooks specification: HMAC-SHA256 over `id.timestamp.body`, as `v1,` and base64, one for
 * each secret in use, with a space between. A secret is `whsec_` and the base64 of its bytes.
 */

import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** 256 random bits. */
export function newWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}

export interface SignedMessage {
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
}

export function signatureOf({ id, timestamp, body }: SignedMessage, secrets: readonly string[]): string {
  return secrets
    .map(secret => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
}
