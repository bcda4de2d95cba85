/** Certificates as readers see them: they outlive the generation they were issued in. */

import type { Transaction } from '../server/database.js'
import { keyOf, type ScopeKey } from './scopes.js'

export interface CertificateRow {
  certificate_id: string
  generation: number
  round: number
  certificate: string
  kid: string
  issued_at: string
  /**
   * When the first document came that waits for its round, or waited for the next one, whatever became of it; without such a document, when the
   * next round was recorded: a scope that is still resolved then has a newer certificate. Null without either.
   */
  superseded_at: string | null
  /** What came then: a document, or what the next round was about. */
  superseded_cause: string | null
  withdrawn_at: string | null
  withdrawn_reason: string | null
}

const columns = `c.certificate_id, c.generation, c.round, c.certificate, c.kid, c.issued_at, c.withdrawn_at, c.withdrawn_reason,
  e.superseded_at, e.superseded_cause`

/** With what ended each. */
const certificates = `certificates c left join lateral (
    (select least(r.waiting_since, r.recorded_at) as superseded_at,
       case when r.waiting_since <= r.recorded_at then 'document' else r.kind end as superseded_cause, 1 as place
     from rounds r
     where r.tenant_id = c.tenant_id and r.scope_no = c.scope_no and r.generation = c.generation and r.round > c.round
     order by r.round limit 1)
    union all
    (select b.enqueued_at, 'document', 2 from backlog b
     where b.tenant_id = c.tenant_id and b.scope_no = c.scope_no and b.generation = c.generation and b.reread is null
     order by b.seq limit 1)
    order by place limit 1) e on true`

/** The newest of the scope, whatever generation it is of. */
export async function findNewestCertificate(tx: Transaction, scope: ScopeKey): Promise<CertificateRow | null> {
  return tx.row<CertificateRow>(
    `select ${columns} from ${certificates} where c.tenant_id = $1 and c.scope_no = $2 order by c.generation desc, c.round desc limit 1`,
    keyOf(scope),
  )
}

export async function countCertificates(tx: Transaction, scope: ScopeKey): Promise<number> {
  return tx.value<number>('select count(*) from certificates where tenant_id = $1 and scope_no = $2', keyOf(scope))
}

/** In the order of the chain: which certificates are withdrawn, by the digest of what was signed, without reading what that is. */
export async function listWithdrawnDigests(
  tx: Transaction,
  scope: ScopeKey,
  page: { after: { generation: number; round: number } | null; limit: number },
): Promise<{ sha256: string; generation: number; round: number; withdrawn_at: string }[]> {
  return tx.rows(
    `select encode(sha256(convert_to(c.certificate, 'UTF8')), 'hex') as sha256, c.generation, c.round, c.withdrawn_at from certificates c
     where c.tenant_id = $1 and c.scope_no = $2 and (c.generation, c.round) > ($3, $4) and c.withdrawn_at is not null
     order by c.generation, c.round limit $5`,
    [...keyOf(scope), page.after?.generation ?? -1, page.after?.round ?? -1, page.limit],
  )
}

/** Of all generations, in the order of the chain. */
export async function listCertificateRows(
  tx: Transaction,
  scope: ScopeKey,
  page: { after: { generation: number; round: number } | null; limit: number },
): Promise<CertificateRow[]> {
  return tx.rows<CertificateRow>(
    `select ${columns} from ${certificates}
      where c.tenant_id = $1 and c.scope_no = $2 and (c.generation, c.round) > ($3, $4)
      order by c.generation, c.round limit $5`,
    [...keyOf(scope), page.after?.generation ?? -1, page.after?.round ?? -1, page.limit],
  )
}
