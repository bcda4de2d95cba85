/**
 * What the service signs besides certificates, at the time somebody asks: which certificates of a scope are withdrawn, how far
 * the audit log reaches, both in ids, figures and digests alone, and a scope as it was at a moment. A tenant's list speaks of its scope alone; the audit log
 * spans tenants, so its checkpoint is for holders of an internals key.
 */

import { digest, sha256 } from '../../kernel/canonical.js'
import type { Clock } from '../../platform/clock.js'
import { countCertificates, findNewestCertificate, listWithdrawnDigests } from '../../store/scopes/certificates.js'
import { type Database, readTenant } from '../../store/server/database.js'
import { findAuditHead } from '../../store/tenants/audit.js'
import { type AsOfInput, walkAsOf } from '../as-of.js'
import type { ScopeName } from '../deps.js'
import { resolveCertified } from '../lifecycle.js'
import { type SigningKey, type StatementType, signStatement } from './certificates.js'
import { type Beside, createListDigests, type SignedAsOf } from './signed-as-of.js'

export interface WithdrawnCertificate {
  sha256: string
  generation: number
  round: number
  withdrawn_at: string
}

/** What the signed list of withdrawn certificates says. */
export interface Withdrawals {
  iss: string
  iat: number
  version: 1
  tenant_id: string
  scope_id: string
  /** The chain of certificates as it was then: how many, and the SHA-256 of the newest. */
  certificates: { length: number; head: string | null }
  withdrawn: { count: number; digest: string; listed: WithdrawnCertificate[] | null }
}

/** What a signed checkpoint of the audit log says: so many entries are chained, and the last has this hash. */
export interface AuditCheckpoint {
  iss: string
  iat: number
  version: 1
  audit: { length: number; head: string }
}

export interface Signed {
  statement: string
  kid: string
  issued_at: string
}

export type UndatedAsOf = Omit<Signed, 'issued_at'> & { payload: SignedAsOf }

export interface Statements {
  withdrawn(name: ScopeName): Promise<Signed & { scope_id: string; count: number }>
  auditCheckpoint(): Promise<Signed & { length: number; head: string }>
  asOf(input: AsOfInput): Promise<Signed & { payload: SignedAsOf }>
  /** Without the time of signing: the same moment of the same case gives the same bytes. */
  undatedAsOf(input: AsOfInput, beside?: Beside): Promise<UndatedAsOf>
}

export interface StatementsOptions {
  db: Database
  clock: Clock
  issuer: string
  signingKey: () => SigningKey
}

/** Beyond this many the list is a digest alone, so that its size stays bounded. */
const listedMost = 1000
const pageRows = 1000

export function createStatements({ db, clock, issuer, signingKey }: StatementsOptions): Statements {
  const head = { iss: issuer, version: 1 as const }
  const iatOf = (now: Date) => Math.floor(now.getTime() / 1000)
  const signUndated = async (body: object, typ: StatementType) => {
    const key = signingKey()
    return { statement: await signStatement({ ...head, ...body }, key, typ), kid: key.kid }
  }
  const sign = async (body: object, typ: StatementType): Promise<Signed> => {
    const now = clock.now()
    return { ...(await signUndated({ iat: iatOf(now), ...body }, typ)), issued_at: now.toISOString() }
  }
  const said = async (input: AsOfInput): Promise<SignedAsOf> => {
    const digests = createListDigests()
    const moment = await walkAsOf({ db }, input, digests.add)
    return { ...head, tenant_id: input.tenantId, ...moment, ...digests.lists() }
  }
  return {
    async withdrawn(name) {
      const { certificates, withdrawn } = await readWithdrawn(db, name)
      const { tenantId: tenant_id, scopeId: scope_id } = name
      const listed = withdrawn.length <= listedMost ? withdrawn : null
      const list = { count: withdrawn.length, digest: digest(withdrawn), listed }
      const signed = await sign({ tenant_id, scope_id, certificates, withdrawn: list }, 'concord-withdrawals+jws')
      return { scope_id, count: withdrawn.length, ...signed }
    },
    async auditCheckpoint() {
      const head = await db.engine(findAuditHead, { readOnly: true })
      const audit = { length: head.chain_no, head: head.hash }
      return { ...audit, ...(await sign({ audit }, 'concord-audit-checkpoint+jws')) }
    },
    async asOf(input) {
      const body = await said(input)
      const signed = await sign(body, 'concord-as-of+jws')
      return { payload: { ...body, iat: iatOf(new Date(signed.issued_at)) }, ...signed }
    },
    async undatedAsOf(input, beside) {
      const payload = { ...(await said(input)), ...beside }
      return { payload, ...(await signUndated(payload, 'concord-as-of+jws')) }
    },
  }
}

function readWithdrawn(db: Database, { tenantId, scopeId }: ScopeName) {
  return readTenant(db, tenantId, async tx => {
    const scope = await resolveCertified(tx, scopeId)
    const length = await countCertificates(tx, scope)
    const newest = await findNewestCertificate(tx, scope)
    const withdrawn: WithdrawnCertificate[] = []
    for (let after: { generation: number; round: number } | null = null; ; ) {
      const rows: WithdrawnCertificate[] = await listWithdrawnDigests(tx, scope, { after, limit: pageRows })
      withdrawn.push(...rows)
      after = rows.at(-1) ?? null
      if (after === null || rows.length < pageRows) break
    }
    return { certificates: { length, head: newest === null ? null : sha256(newest.certificate) }, withdrawn }
  })
}
