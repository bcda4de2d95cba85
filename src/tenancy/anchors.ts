/** Whether the audit log still holds what was anchored outside, and whether the time stamps on it are right. */

import type { X509Certificate } from 'node:crypto'
import { verifyTimeStamp } from '../platform/time-stamp.js'
import type { Database } from '../store/server/database.js'
import { listAnchors } from '../store/tenants/anchors.js'

export interface VerifiedAnchors {
  anchors: number
  /** The latest that is right: until then nothing was changed or cut off without being seen. */
  last: { at: string; length: number; authority: string | null } | null
  faults: { anchor: number; fault: string }[]
}

/** Without `trusted` it is not asked who the authority is. */
export async function verifyAnchors(db: Database, trusted?: readonly X509Certificate[]): Promise<VerifiedAnchors> {
  const found: VerifiedAnchors = { anchors: 0, last: null, faults: [] }
  for (let after = 0; ; ) {
    const rows = await listAnchors(db, after, 100)
    for (const row of rows) {
      found.anchors++
      after = row.anchor_no
      const stamp =
        row.kind === 'tsa' ? verifyTimeStamp(row.proof, { digest: Buffer.from(row.hash, 'hex'), ...(trusted && { trusted }) }) : null
      const fault = chainFault(row) ?? (stamp === null || stamp.ok ? null : stamp.fault)
      if (fault !== null) found.faults.push({ anchor: row.anchor_no, fault })
      else if (stamp === null) found.last = { at: row.anchored_at, length: row.chain_no, authority: null }
      else if (stamp.ok) found.last = { at: stamp.at, length: row.chain_no, authority: stamp.authority }
    }
    if (rows.length === 0) return found
  }
}

function chainFault({
  chain_no,
  hash,
  hash_now,
  is_cut,
}: {
  chain_no: number
  hash: string
  hash_now: string | null
  is_cut: boolean
}): string | null {
  if (hash_now === hash || is_cut) return null
  return hash_now === null ? `entry ${chain_no} is gone` : `entry ${chain_no} had another hash when it was anchored`
}
