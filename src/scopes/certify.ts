/**
 * Certifies a scope that a round has resolved: what the certificate says is read in the transaction of that round, so
 * that the signature covers exactly what is committed with it.
 */

import { buildCertificate } from '../kernel/certificate.js'
import { newId } from '../platform/ids.js'
import { findNewestCertificate, listCertifiedDocuments } from '../store/certificates.js'
import { type SigningKey, signCertificate } from './certificates.js'
import type { Certify } from './deps.js'

export interface CertifyOptions {
  issuer: string
  /** The key in use at this moment. */
  signingKey: () => SigningKey
}

export function createCertify({ issuer, signingKey }: CertifyOptions): Certify {
  return async (tx, scope, result) => {
    const [documents, previous] = await Promise.all([listCertifiedDocuments(tx, scope), findNewestCertificate(tx, scope)])
    const { aggregates, chain, settings } = result.scope
    const payload = buildCertificate({
      issuer,
      issuedAt: Math.floor(Date.parse(scope.recordedAt) / 1000),
      tenantId: scope.tenantId,
      scopeId: scope.scopeId,
      generation: scope.generation,
      verdict: result.verdict,
      point: result.point,
      documents,
      claims: { count: aggregates.claimsLive, digest: scope.claimsDigest },
      decisions: { length: chain.seq + 1, head: chain.hash },
      policyHashes: [...scope.policyHashes, ...result.decisions.map(each => each.record.policy_hash)],
      settings,
      previousJws: previous?.certificate ?? null,
    })
    const key = signingKey()
    return { certificateId: newId('crt'), kid: key.kid, certificate: await signCertificate(payload, key) }
  }
}
