/**
 * The certificates of a scope as a reader checks them: each signature, that each names the one before, that the signed list
 * of withdrawn ones agrees with what the service says of each, and that the decisions a certificate names are there.
 */

import type { Client } from '../client/client.js'
import { statusWords } from '../contract/field-words.js'
import type { Schema } from '../contract/types.js'
import type { Withdrawals } from '../scopes/certificates/statements.js'
import { undefinedWhenMissing } from './undefined-when-missing.js'

type Certificate = Schema['Certificate']

export interface ChainFindings {
  certificates: number
  withdrawn: number
  /** `certificate_id` is the scope's list of withdrawn ones where the fault is in that. */
  faults: { certificate_id: string; fault: string }[]
}

export async function chainFaults(client: Client, scopeId: string, { whole }: { whole: boolean }): Promise<ChainFindings> {
  const { verifyCertificate, verifyCertificateChain, verifyStatement } = await import('../scopes/certificates/certificates.js')
  const jwks = (await client.jwks()) as unknown as Parameters<typeof verifyCertificate>[1]
  const views = whole ? await client.certificates(scopeId, { limit: 200 }).toArray() : [await client.certificate(scopeId)]
  const jws = views.map(view => view.certificate)
  const verdicts = whole ? await verifyCertificateChain(jws, jwks) : await Promise.all(jws.map(each => verifyCertificate(each, jwks)))
  const signed = await client.withdrawnCertificates(scopeId)
  const list = await verifyStatement<Withdrawals>(signed.statement, jwks, 'concord-withdrawals+jws')
  const faults: ChainFindings['faults'] = views.flatMap((view, index) => {
    const verdict = verdicts[index]
    if (verdict === undefined || !verdict.ok) return [{ certificate_id: view.certificate_id, fault: verdict?.fault ?? 'is not there' }]
    if (verdict.payload.scope_id === scopeId) return []
    return [{ certificate_id: view.certificate_id, fault: `is about case ${verdict.payload.scope_id}, not ${scopeId}` }]
  })
  if (!list.ok) faults.push({ certificate_id: 'withdrawn', fault: list.fault })
  else faults.push(...withdrawalFaults(list.payload, views, whole))
  if (whole) faults.push(...(await decisionFaults(client, scopeId, views)))
  return { certificates: views.length, withdrawn: signed.count, faults }
}

function withdrawalFaults({ withdrawn, certificates, scope_id }: Withdrawals, views: readonly Certificate[], whole: boolean) {
  const listed = withdrawn.listed === null ? null : new Set(withdrawn.listed.map(each => each.sha256))
  const faults = views
    .filter(view => listed !== null && listed.has(view.sha256) !== (view.status === 'withdrawn'))
    .map(view => ({
      certificate_id: view.certificate_id,
      fault: `is ${statusWords(view.status)}, but the signed list of ${scope_id} says otherwise`,
    }))
  // One issued between the two requests is no fault: the list may know of more, never of fewer.
  if (whole && certificates.length < views.length) {
    faults.push({ certificate_id: 'withdrawn', fault: `lists ${certificates.length} certificates, but there are ${views.length}` })
  }
  return faults
}

/** Decisions of before a reset or a deletion are gone; of the others each certificate names the head at its time. */
async function decisionFaults(client: Client, scopeId: string, views: readonly Certificate[]): Promise<ChainFindings['faults']> {
  const { payloadOf } = await import('../scopes/certificates/certificates.js')
  const summary = await client.summary(scopeId).catch(undefinedWhenMissing)
  if (summary === undefined) return []
  const decisions = new Map<number, string>()
  for await (const { seq, hash } of client.decisions(scopeId, { limit: 200 })) decisions.set(seq, hash)
  return views
    .filter(view => view.generation === summary.generation)
    .flatMap(view => {
      const { length, head } = payloadOf(view.certificate).decisions
      const fits = length === 0 || decisions.get(length - 1) === head
      return fits ? [] : [{ certificate_id: view.certificate_id, fault: `names decision ${length - 1} with a hash it does not have` }]
    })
}
