/** Heads of the audit chain that were shown to somebody outside, and what they gave in return. */

import { across, type Database } from '../server/database.js'
import { cutting } from './audit.js'

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

const anchoring = 'anchorAuditLog'

/** With an entry of the log itself, so that an anchor that is removed leaves one behind. */
export async function insertAnchor(db: Database, row: Omit<AnchorRow, 'anchor_no' | 'anchored_at'>): Promise<void> {
  await db.engineQuery(
    `with anchored as (
       insert into audit_anchors (chain_no, hash, kind, url, proof) values ($1, $2, $3, $4, $5) returning anchor_no, chain_no, hash, kind)
     insert into audit_log (tier, actor, action, outcome, status, request_id, detail)
     select 'internals', 'service', '${anchoring}', 'allowed', 200, '-',
       json_build_object('anchor_no', anchor_no, 'length', chain_no, 'head', hash, 'kind', kind) from anchored`,
    [row.chain_no, row.hash, row.kind, row.url, row.proof],
  )
}

/** Anchors that the log tells of and that are not there, or not as it says. */
export async function listLostAnchors(db: Database, limit: number): Promise<{ anchor_no: number; length: number }[]> {
  return across(db).rows(
    `select (l.detail->>'anchor_no')::bigint as anchor_no, (l.detail->>'length')::bigint as length from audit_log l
     where l.action = '${anchoring}' and not exists (
       select from audit_anchors a where a.anchor_no = (l.detail->>'anchor_no')::bigint
         and a.chain_no = (l.detail->>'length')::bigint and a.hash = l.detail->>'head')
     order by l.id limit $1`,
    [limit],
  )
}

/** Where the log begins, unless an entry says that its retention cut it there. */
export async function findUnrecordedCut(db: Database): Promise<{ chain_no: number } | null> {
  return across(db).row(
    `select c.chain_no from audit_cut c where not exists (
       select from audit_log l where l.action = '${cutting}'
         and (l.detail->>'length')::bigint = c.chain_no and l.detail->>'head' = c.hash)`,
  )
}

/** The hash the log has at that place now; null where it has none, or its retention has taken it. */
export async function readPlaceInLog(db: Database, chainNo: number): Promise<{ hash_now: string | null; is_cut: boolean }> {
  const [place] = await across(db).rows<{ hash_now: string | null; is_cut: boolean }>(
    `select coalesce((select hash from audit_log where chain_no = $1), (select hash from audit_cut where chain_no = $1)) as hash_now,
       $1 < coalesce((select chain_no from audit_cut), 0) as is_cut`,
    [chainNo],
  )
  return place ?? { hash_now: null, is_cut: false }
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
