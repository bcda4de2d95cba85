/** The promises of a whole database, and its three chains beside them: each is shown as one promise more. */

import { toJwks, verifyStatement } from '../scopes/certificates/certificates.js'
import type { AuditCheckpoint } from '../scopes/certificates/statements.js'
import { verifyScopeChains } from '../scopes/certificates/verify-chains.js'
import { type Verification, verifyDatabase } from '../store/maintenance/verify.js'
import type { BrokenInvariant } from '../store/maintenance/verify-invariants.js'
import type { Database } from '../store/server/database.js'
import { listPublicKeys } from '../store/tenants/signing-keys.js'
import { type AnchorsAsked, type ReadCheckpoint, type VerifiedAnchors, verifyAnchors } from '../tenancy/anchors.js'
import { verifyAuditChain } from '../tenancy/audit.js'

export interface WholeVerification extends Verification {
  decisions: number
  certificates: number
  auditEntries: number
  /** Where they were asked for. */
  anchors?: VerifiedAnchors
}

const promises = {
  'chain.audit': 'Every entry of the audit log that is chained holds the hash of the one before.',
  'chain.decisions': 'Every decision holds the hash of the one before, up to the head the case keeps.',
  'chain.certificates': 'Every certificate is signed by a known key, names the one before and decisions that are there.',
}

const anchorPromise =
  'Every anchor and checkpoint is of an entry that the audit log still has so, rightly stamped or signed; none is gone, and retention alone cut the log.'

/** With `anchors`, also what was anchored outside. */
export async function verifyWithChains(
  db: Database,
  { anchors: asked }: { anchors?: Omit<AnchorsAsked, 'readCheckpoint'> | undefined } = {},
): Promise<WholeVerification> {
  const kept = await verifyDatabase(db)
  const audit = await verifyAuditChain(db)
  const chains = await verifyScopeChains(db)
  const broken: BrokenInvariant[] = chains.broken.map(({ chain, ...fault }) => ({ invariant: `chain.${chain}`, ...fault }))
  if (!audit.ok) {
    const detail = `entry ${audit.id} does not follow the one before it`
    broken.push({ invariant: 'chain.audit', tenantId: null, scopeId: null, detail })
  }
  const anchors = asked && (await verifyAnchors(db, { ...asked, readCheckpoint: await checkpointReader(db) }))
  for (const { what, fault } of anchors?.faults ?? [])
    broken.push({ invariant: 'chain.anchors', tenantId: null, scopeId: null, detail: `${what}: ${fault}` })
  const invariants = Object.entries({ ...promises, ...(asked && { 'chain.anchors': anchorPromise }) }).map(([name, promise]) => ({
    name,
    promise,
    broken: broken.filter(fault => fault.invariant === name).length,
  }))
  return {
    ...kept,
    invariants: [...kept.invariants, ...invariants],
    broken: [...kept.broken, ...broken],
    decisions: chains.decisions,
    certificates: chains.certificates,
    auditEntries: audit.ok ? audit.rows : 0,
    ...(anchors && { anchors }),
  }
}

/** Signed by a key of this installation: one that came with a tenant says nothing about its log. */
export async function checkpointReader(db: Database): Promise<ReadCheckpoint> {
  const keys = toJwks(await db.engine(listPublicKeys, { readOnly: true }))
  return async signed => {
    const verdict = await verifyStatement<AuditCheckpoint>(signed, keys, 'concord-audit-checkpoint+jws')
    if (!verdict.ok) return verdict
    const { audit, iat } = verdict.payload
    return { ok: true, shown: { ...audit, at: new Date(iat * 1000).toISOString() } }
  }
}
