/**
 * Shows the head of the audit chain to somebody outside once a day, so that whoever holds the database cannot rewrite the log from then
 * back: a time stamp authority (RFC 3161), whose answer is kept, or a webhook, which keeps the signed checkpoint. What fails is tried again,
 * later each time.
 */

import { randomBytes } from 'node:crypto'
import type { Clock } from '../platform/clock.js'
import type { Config } from '../platform/config.js'
import { timeStampRequest, verifyTimeStamp } from '../platform/time-stamp.js'
import type { Database } from '../store/server/database.js'
import { type AnchorRow, findLastAnchor, insertAnchor } from '../store/tenants/anchors.js'
import { postOnce } from './post-once.js'

export interface AnchoringOptions {
  db: Database
  clock: Clock
  config: Pick<Config, 'anchorUrl' | 'webhookAllowPrivate' | 'webhookTimeoutMs'>
  /** The signed head of the chain. */
  checkpoint(): Promise<{ length: number; head: string; statement: string }>
}

const dayMs = 24 * 3_600_000
const [firstRetryMs, longestRetryMs] = [60_000, 3_600_000]

/** A chore of the leader. Answers whether something was anchored; throws what went wrong. */
export function createAnchoring({ db, clock, config, checkpoint }: AnchoringOptions): () => Promise<boolean> {
  let [failures, notBeforeMs] = [0, 0]
  return async () => {
    const nowMs = clock.now().getTime()
    if (config.anchorUrl === undefined || nowMs < notBeforeMs) return false
    const last = await findLastAnchor(db)
    if (last !== null && nowMs < Date.parse(last.anchored_at) + dayMs) return false
    const head = await checkpoint()
    // Of what came since, one entry is the anchor's own.
    if (head.length <= (last === null ? 0 : last.chain_no + 1)) return false
    try {
      const anchored = await anchor(config.anchorUrl, head, config)
      await insertAnchor(db, { chain_no: head.length, hash: head.head, ...anchored })
      failures = 0
      return true
    } catch (error) {
      notBeforeMs = nowMs + Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(failures++, 10))
      throw error
    }
  }
}

async function anchor(
  address: string,
  { head, length, statement }: { head: string; length: number; statement: string },
  { webhookAllowPrivate: allowPrivate, webhookTimeoutMs: timeoutMs }: AnchoringOptions['config'],
): Promise<Pick<AnchorRow, 'kind' | 'url' | 'proof'>> {
  const url = address.replace(/^tsa\+/, '')
  const post = (contentType: string, body: Buffer) => postOnce({ url, contentType, body, allowPrivate, timeoutMs })
  if (url === address) {
    await post('application/json', Buffer.from(JSON.stringify({ length, head, statement })))
    return { kind: 'webhook', url, proof: Buffer.from(statement) }
  }
  const [digest, nonce] = [Buffer.from(head, 'hex'), randomBytes(8)]
  const proof = await post('application/timestamp-query', timeStampRequest(digest, nonce))
  const verdict = verifyTimeStamp(proof, { digest, nonce })
  if (!verdict.ok) throw new Error(`the time stamp is not right: ${verdict.fault}`)
  return { kind: 'tsa', url, proof }
}
