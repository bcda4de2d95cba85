/** The certificates of a scope, the newest alone or all in the order of their chain, and the public keys that certificates are verified with. */

import { sha256 } from '../../kernel/canonical.js'
import { AppError } from '../../platform/errors.js'
import { type CertificateRow, findNewestCertificate, listCertificateRows } from '../../store/scopes/certificates.js'
import { type Database, readTenant } from '../../store/server/database.js'
import { listPublicKeys } from '../../store/tenants/signing-keys.js'
import { type PageRequest, pageOf, readPaging } from '../cursors.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import { resolveCertified, resolveScope } from '../lifecycle.js'
import type { CertificateView, JwksView, Page } from '../types.js'
import { payloadOf, toJwks } from './certificates.js'

export async function getCertificate(deps: Pick<ScopesDeps, 'db'>, name: ScopeName): Promise<CertificateView> {
  return readTenant(deps.db, name.tenantId, async tx => {
    const scope = await resolveCertified(tx, name.scopeId)
    const row = await findNewestCertificate(tx, scope)
    if (row === null) {
      // Of a case that was deleted there may be certificates and nothing else.
      await resolveScope(tx, name.scopeId)
      throw new AppError('CERTIFICATE_NOT_FOUND', { detail: 'The review of the case is not complete yet.' })
    }
    return toCertificateView(row, scope.scopeId)
  })
}

export async function listCertificates(deps: ScopesDeps, input: ScopeName & PageRequest): Promise<Page<CertificateView>> {
  return readTenant(deps.db, input.tenantId, async tx => {
    const scope = await resolveCertified(tx, input.scopeId)
    const list = ['certificates', input.tenantId, input.scopeId]
    const paging = readPaging(input, list, ['int4', 'number'])
    const [generation, round] = (paging.after ?? []) as number[]
    const after = generation === undefined || round === undefined ? null : { generation, round }
    const rows = await listCertificateRows(tx, scope, { after, limit: paging.limit + 1 })
    return pageOf(rows, paging, list, { place: row => [row.generation, row.round], item: row => toCertificateView(row, scope.scopeId) })
  })
}

export async function getJwks(db: Database): Promise<JwksView> {
  const publicKeys = await db.engine(listPublicKeys, { readOnly: true })
  return { keys: toJwks(publicKeys).keys.map(key => ({ ...key })) }
}

export function toCertificateView(row: CertificateRow, scopeId: string): CertificateView {
  return {
    certificate_id: row.certificate_id,
    scope_id: scopeId,
    generation: row.generation,
    round: row.round,
    certificate: row.certificate,
    sha256: sha256(row.certificate),
    previous: payloadOf(row.certificate).previous,
    kid: row.kid,
    issued_at: row.issued_at,
    status: row.withdrawn_at !== null ? 'withdrawn' : row.superseded_at !== null ? 'superseded' : 'current',
    superseded_at: row.superseded_at,
    superseded_cause: row.superseded_cause,
    withdrawn_at: row.withdrawn_at,
    withdrawn_reason: row.withdrawn_reason,
  }
}
