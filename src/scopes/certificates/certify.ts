/**
 * Certifies a scope that a round has settled: what the certificate says is read in the transaction of that round, so
 * that the signature covers exactly what is committed with it.
 */

import { buildCertificate } from '../../kernel/certificate.js'
import type { Approval, CertificatePayload, CertifiedSignOff, CertifiedTrial } from '../../kernel/certificate-payload.js'
import type { RoundResult } from '../../kernel/round-types.js'
import { openContradictions } from '../../kernel/scores.js'
import { invariant } from '../../platform/errors.js'
import { newId } from '../../platform/ids.js'
import { readCleared, readDisputed, readLeftPossible } from '../../store/scopes/certificate-lists.js'
import { countCertificates, findNewestCertificate } from '../../store/scopes/certificates.js'
import { type Certify, foldRounds } from '../../store/scopes/rounds.js'
import type { ScopePlace } from '../../store/scopes/scopes.js'
import {
  type CertifiedRow,
  countStanding,
  listCertifiedRows,
  listLeftOpen,
  listSignedUnread,
  listSigning,
} from '../../store/scopes/sign-offs.js'
import type { Transaction } from '../../store/server/database.js'
import { payloadOf, type SigningKey, signCertificate } from './certificates.js'
import { certifiedLists } from './certified-lists.js'

const listedOpen = 100
const listedPossible = 100
const listedCleared = 100
const listedDisputed = 100
const listedSignOffs = 20

export interface CertifyOptions {
  issuer: string
  /** The key in use at this moment. */
  signingKey: () => SigningKey
  /** How models did in their last trial. */
  trials?: () => ReadonlyMap<string, CertifiedTrial>
}

export function createCertify({ issuer, signingKey, trials = () => new Map() }: CertifyOptions): Certify {
  return async (tx, scope, rounds) => {
    const result = rounds.at(-1)
    invariant(result !== undefined, 'a scope was certified that no round has settled')
    const { changedRound, policyHashes } = foldRounds(scope, rounds)
    const [lists, possibleLeft, disputed, previous, standing] = await Promise.all([
      certifiedLists(tx, scope),
      readLeftPossible(tx, scope, listedPossible),
      readDisputed(tx, scope, listedDisputed),
      findNewestCertificate(tx, scope),
      listCertifiedRows(tx, scope, listedSignOffs),
    ])
    const cleared = lists.possible.counts['cleared'] === undefined ? [] : await readCleared(tx, scope, listedCleared)
    const before = previous === null ? null : payloadOf(previous.certificate)
    const { aggregates, chain, settings } = result.scope
    const leftOpen = openContradictions(aggregates) === 0 ? [] : await listLeftOpen(tx, scope, listedOpen)
    const payload = buildCertificate({
      issuer,
      issuedAt: Math.floor(Date.parse(scope.recordedAt) / 1000),
      tenantId: scope.tenantId,
      scopeId: scope.scopeId,
      generation: scope.generation,
      verdict: result.verdict,
      point: result.point,
      ...lists,
      leftOpen,
      possibleLeft,
      cleared,
      disputed,
      aggregates,
      signOffs: standing.map(row => toCertified(row, changedRound)),
      signOffsTotal: standing.length < listedSignOffs ? standing.length : await countStanding(tx, scope),
      approvals: [...approvedSignOffs(standing, rounds, changedRound), ...(await approvalsToSettle(tx, scope, rounds, before))],
      trials: trials(),
      signedUnread: standing.length === 0 ? [] : await listSignedUnread(tx, scope, listedSignOffs),
      claims: { count: aggregates.claimsLive, digest: scope.claimsDigest },
      decisions: { length: chain.seq + 1, head: chain.hash },
      policyHashes,
      settings,
      previousJws: previous?.certificate ?? null,
      certificatesBefore: before === null ? 0 : (await placeOf(tx, scope, before)) + 1,
    })
    const key = signingKey()
    return { certificateId: newId('crt'), kid: key.kid, certificate: await signCertificate(payload, key) }
  }
}

/** How many were before it: it says so itself, unless it is an old one. */
async function placeOf(tx: Transaction, scope: ScopePlace, certificate: CertificatePayload): Promise<number> {
  const length = certificate.version === 1 ? undefined : certificate.certificates?.length
  return length ?? (await countCertificates(tx, scope)) - 1
}

function toCertified({ sign_off_id, signed_by: by, bound: vouched, signed_at, round }: CertifiedRow, changed: number): CertifiedSignOff {
  return { sign_off_id, by, vouched, signed_at, current: round > changed }
}

/** Of what counts now, the oldest first: whoever approved what somebody signed before says nothing of this. */
function approvedSignOffs(standing: readonly CertifiedRow[], rounds: readonly RoundResult[], changed: number): Approval[] {
  // Decisions of these rounds are written behind the certificate.
  const reviews = new Map(
    rounds.flatMap(({ decisions }) =>
      decisions.flatMap(({ decisionId, proposal }) => (proposal.kind === 'review' ? [[decisionId, proposal.actor] as const] : [])),
    ),
  )
  const current = standing.filter(({ round }) => round > changed).reverse()
  return current.flatMap(({ decision_id, approved_by: approvedBy }) => {
    const actor = approvedBy ?? reviews.get(decision_id)
    return actor === undefined ? [] : { actor, decision_id }
  })
}

/**
 * Whose approval let the scope settle; while it stays settled nobody is asked again, and the word given counts on. Where any of the rounds
 * settled it anew, what was said of an earlier settlement says nothing of this one.
 */
async function approvalsToSettle(
  tx: Transaction,
  scope: ScopePlace,
  rounds: readonly RoundResult[],
  previous: CertificatePayload | null,
): Promise<Approval[]> {
  const settled = rounds.findLastIndex(({ finality }) => finality.from !== 'resolved')
  const decisions = rounds.slice(Math.max(0, settled)).flatMap(round => round.decisions)
  const given = decisions.flatMap(({ decisionId, proposal, record }) =>
    proposal.kind === 'review' && proposal.held === 'finality' && record.outcome === 'admit'
      ? [{ actor: proposal.actor, decision_id: decisionId }]
      : [],
  )
  if (settled >= 0 || previous === null || previous.generation !== scope.generation) return given
  const before = approvalsOf(previous)
  // Who approved a sign-off is said of those that still stand.
  const signing = new Set(
    await listSigning(
      tx,
      scope,
      before.map(each => each.decision_id),
    ),
  )
  return [...before.filter(each => !signing.has(each.decision_id)), ...given]
}

function approvalsOf(certificate: CertificatePayload): Approval[] {
  if (certificate.version === 1) return []
  return certificate.version === 4 ? certificate.examined.approvals : certificate.signed_off
}
