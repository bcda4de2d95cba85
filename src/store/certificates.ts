/** Certificates as readers see them: they outlive the generation they were issued in. */

import type { Transaction } from './database.js'

export interface CertificateRow {
  certificate_id: string
  generation: number
  round: number
  certificate: string
  kid: string
  issued_at: string
  withdrawn_at: string | null
  withdrawn_reason: string | null
}

const columns = 'certificate_id, generation, round, certificate, kid, issued_at, withdrawn_at, withdrawn_reason'

/** The newest of the scope, whatever generation it is of. */
export async function findNewestCertificate(tx: Transaction, scope: { tenantId: string; scopeNo: number }): Promise<CertificateRow | null> {
  const { rows } = await tx.query<CertificateRow>({
    name: 'certificates-newest',
    text: `select ${columns} from certificates where tenant_id = $1 and scope_no = $2 order by generation desc, round desc limit 1`,
    values: [scope.tenantId, scope.scopeNo],
  })
  return rows[0] ?? null
}

export interface CertifiedDocument {
  document_id: string
  revision: number
  sha256: string
}

/** Current documents that were read and admitted, with the hashes of their texts. */
export async function listCertifiedDocuments(
  tx: Transaction,
  scope: { tenantId: string; scopeNo: number; generation: number },
): Promise<CertifiedDocument[]> {
  const { rows } = await tx.query<CertifiedDocument>({
    name: 'certificates-documents',
    text: `
      select document_id, revision, encode(text_hash, 'hex') as sha256 from documents
      where tenant_id = $1 and scope_no = $2 and generation = $3 and current and status = 'indexed' and text_hash is not null and erased_at is null
      order by document_id`,
    values: [scope.tenantId, scope.scopeNo, scope.generation],
  })
  return rows
}
