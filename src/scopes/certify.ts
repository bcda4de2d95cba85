/**
 * Certifies a scope that a round has resolved: what the certificate says is read in the transaction of that round, so
 * that the signature covers exactly what is committed with it.
 */

import { buildCertificate, listDigest } from '../kernel/certificate.js'
import type { CertificateV2, PossibleFigures } from '../kernel/certificate-payload.js'
import type { RoundResult } from '../kernel/round-types.js'
import { newId } from '../platform/ids.js'
import { listPossibleStates } from '../store/findings/possible-conflicts.js'
import { listSupersessionStates } from '../store/findings/supersessions.js'
import { countCertificates, findNewestCertificate, listCertifiedDocuments, listUnreadDocuments } from '../store/scopes/certificates.js'
import type { Certify } from '../store/scopes/rounds.js'
import type { ScopePlace } from '../store/scopes/scopes.js'
import type { Transaction } from '../store/server/database.js'
import { payloadOf, type SigningKey, signCertificate } from './certificates.js'

export interface CertifyOptions {
  issuer: string
  /** The key in use at this moment. */
  signingKey: () => SigningKey
}

export function createCertify({ issuer, signingKey }: CertifyOptions): Certify {
  return async (tx, scope, result) => {
    const [documents, unread, possible, supersessions, previous, certificatesBefore] = await Promise.all([
      listCertifiedDocuments(tx, scope),
      listUnreadDocuments(tx, scope),
      readPossible(tx, scope),
      readSupersessions(tx, scope),
      findNewestCertificate(tx, scope),
      countCertificates(tx, scope),
    ])
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
      unread,
      aggregates,
      possible,
      supersessions,
      signedOff: signedOff(result, previous?.certificate ?? null),
      claims: { count: aggregates.claimsLive, digest: scope.claimsDigest },
      decisions: { length: chain.seq + 1, head: chain.hash },
      policyHashes: [...scope.policyHashes, ...result.decisions.map(each => each.record.policy_hash)],
      settings,
      previousJws: previous?.certificate ?? null,
      certificatesBefore,
    })
    const key = signingKey()
    return { certificateId: newId('crt'), kid: key.kid, certificate: await signCertificate(payload, key) }
  }
}

const listedPossible = 100

async function readPossible(tx: Transaction, scope: ScopePlace): Promise<PossibleFigures> {
  const states = await listPossibleStates(tx, scope)
  const left = states.filter(each => each.state === 'open')
  const count = (state: string) => states.filter(each => each.state === state).length
  return {
    left: left.length,
    promoted: count('promoted'),
    dismissed: count('dismissed'),
    closed: count('closed'),
    digest: listDigest(states.map(({ id, state }) => `${id} ${state}`)),
    left_ids: left.slice(0, listedPossible).map(each => each.id),
  }
}

async function readSupersessions(tx: Transaction, scope: ScopePlace): Promise<CertificateV2['supersessions']> {
  const states = await listSupersessionStates(tx, scope)
  const objected = states.filter(each => each.status === 'objected').length
  const digest = listDigest(states.map(({ id, status }) => `${id} ${status}`))
  return { standing: states.length - objected, objected, digest }
}

/** Whose approval let the scope settle; while it stays settled nobody is asked again, and the word given counts on. */
function signedOff({ decisions, finality }: RoundResult, previous: string | null): CertificateV2['signed_off'] {
  const given = decisions.flatMap(({ decisionId, proposal }) =>
    proposal.kind === 'review' && proposal.held === 'finality' ? [{ actor: proposal.actor, decision_id: decisionId }] : [],
  )
  const before = finality.from === 'resolved' && previous !== null ? payloadOf(previous) : null
  return [...(before?.version === 2 ? before.signed_off : []), ...given]
}
