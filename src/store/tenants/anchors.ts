/** Heads of the audit chain that were shown to somebody outside, and what they gave in return. */

import { across, type Database } from '../server/database.js'

export interface AnchorRow {
  anchor_no: number
  chain_no: number
  hash: string
  /** `tsa`: a time stamp of RFC 3161. `webhook`: the signed checkpoint that was taken. */
  kind: 'tsa' | 'webhook'
  url: string
  anchored_at: string
  proof: Buffer
}

export async function insertAnchor(db: Database, row: Omit<AnchorRow, 'anchor_no' | 'anchored_at'>): Promise<void> {
  await db.engineQuery('insert into audit_anchors (chain_no, hash, kind, url, proof) values ($1, $2, $3, $4, $5)', [
    row.chain_no,
    row.hash,
    row.kind,
    row.url,
    row.proof,
  ])
}

export async function findLastAnchor(db: Database): Promise<Pick<AnchorRow, 'chain_no' | 'anchored_at'> | null> {
  return across(db).row('select chain_no, anchored_at from audit_anchors order by anchor_no desc limit 1')
}

/** With the hash the log has at that place now; null where its retention has taken it. */
export async function listAnchors(
  db: Database,
  after: number,
  limit: number,
): Promise<(AnchorRow & { hash_now: string | null; is_cut: boolean })[]> {
  return across(db).rows(
    `select a.anchor_no, a.chain_no, a.hash, a.kind, a.url, a.anchored_at, a.proof, coalesce(l.hash, c.hash) as hash_now,
       a.chain_no < coalesce((select chain_no from audit_cut), 0) as is_cut
     from audit_anchors a left join audit_log l on l.chain_no = a.chain_no left join audit_cut c on c.chain_no = a.chain_no
     where a.anchor_no > $1 order by a.anchor_no limit $2`,
    [after, limit],
  )
}
