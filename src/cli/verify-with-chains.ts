/** The promises of a whole database, and its three chains beside them: each is shown as one promise more. */

import type { X509Certificate } from 'node:crypto'
import { verifyScopeChains } from '../scopes/verify-chains.js'
import { type BrokenInvariant, type Verification, verifyDatabase } from '../store/maintenance/verify.js'
import type { Database } from '../store/server/database.js'
import { type VerifiedAnchors, verifyAnchors } from '../tenancy/anchors.js'
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
  'chain.decisions': 'Every decision holds the hash of the one before, up to the head the scope keeps.',
  'chain.certificates': 'Every certificate is signed by a known key, names the one before and decisions that are there.',
}

const anchorPromise = 'Every anchor is of an entry that the audit log still has so, and its time stamp is right.'

/** With `anchors`, also what was anchored outside; `trusted` are the certificates of authorities, all where it is left out. */
export async function verifyWithChains(
  db: Database,
  { anchors: asked = false, trusted }: { anchors?: boolean; trusted?: readonly X509Certificate[] | undefined } = {},
): Promise<WholeVerification> {
  const kept = await verifyDatabase(db)
  const audit = await verifyAuditChain(db)
  const chains = await verifyScopeChains(db)
  const broken: BrokenInvariant[] = chains.broken.map(({ chain, ...fault }) => ({ invariant: `chain.${chain}`, ...fault }))
  if (!audit.ok) {
    const detail = `entry ${audit.id} does not follow the one before it`
    broken.push({ invariant: 'chain.audit', tenantId: null, scopeId: null, detail })
  }
  const anchors = asked ? await verifyAnchors(db, trusted) : undefined
  for (const { anchor, fault } of anchors?.faults ?? [])
    broken.push({ invariant: 'chain.anchors', tenantId: null, scopeId: null, detail: `anchor ${anchor}: ${fault}` })
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
