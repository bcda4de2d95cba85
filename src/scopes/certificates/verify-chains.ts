/**
 * The chains of a whole database, walked from their beginnings: decisions of every scope against the head the scope keeps,
 * and certificates with their signatures, their places and the decisions they name. Each fault says where a chain breaks;
 * of one chain the first alone, because everything after it stands on nothing.
 */

import type { CertificatePayload } from '../../kernel/certificate-payload.js'
import { genesis, verifyChain } from '../../kernel/decision-record.js'
import { type CertificateRow, listCertificateRows } from '../../store/scopes/certificates.js'
import { type ChainedScope, listChainedScopes, readDecisionHashes, readDecisionRecords } from '../../store/scopes/chains.js'
import type { Database, EngineTransaction } from '../../store/server/database.js'
import { listPublicKeys } from '../../store/tenants/signing-keys.js'
import { placeFault, toJwks, verifyCertificate } from './certificates.js'

export interface BrokenChain {
  chain: 'decisions' | 'certificates'
  tenantId: string
  scopeId: string
  detail: string
}

export interface ChainsVerification {
  scopes: number
  decisions: number
  certificates: number
  broken: BrokenChain[]
}

const pageRows = 500

export async function verifyScopeChains(db: Database): Promise<ChainsVerification> {
  const jwks = toJwks(await db.engine(listPublicKeys, { readOnly: true }))
  const result: ChainsVerification = { scopes: 0, decisions: 0, certificates: 0, broken: [] }
  for await (const scope of allScopes(db)) {
    // A snapshot for each scope: what is written meanwhile is either whole or not there.
    await db.engine(tx => verifyScope({ tx, jwks, result }, scope), { readOnly: true, snapshot: true })
  }
  return result
}

async function* allScopes(db: Database): AsyncGenerator<ChainedScope> {
  let after: ChainedScope | null = null
  for (;;) {
    const place = after
    const scopes: ChainedScope[] = await db.engine(tx => listChainedScopes(tx, { after: place, limit: pageRows }), { readOnly: true })
    yield* scopes
    after = scopes.at(-1) ?? null
    if (scopes.length < pageRows) return
  }
}

interface Walk {
  tx: EngineTransaction
  jwks: ReturnType<typeof toJwks>
  result: ChainsVerification
}

async function verifyScope(walk: Walk, { tenant_id, scope_no }: ChainedScope): Promise<void> {
  // Read again inside the snapshot: the scope may have gone on, or been reset, since it was listed.
  const [scope] = await listChainedScopes(walk.tx, { after: { tenant_id, scope_no: scope_no - 1 }, limit: 1 })
  if (scope?.scope_no !== scope_no || scope.tenant_id !== tenant_id) return
  walk.result.scopes++
  const faults = { decisions: await decisionFault(walk, scope), certificates: await certificateFault(walk, scope) }
  for (const chain of ['decisions', 'certificates'] as const) {
    const detail = faults[chain]
    if (detail !== null) walk.result.broken.push({ chain, tenantId: tenant_id, scopeId: scope.scope_id, detail })
  }
}

async function decisionFault({ tx, result }: Walk, scope: ChainedScope): Promise<string | null> {
  let head = genesis(scope.chain_hash ?? undefined)
  for (;;) {
    const records = await readDecisionRecords(tx, scope, { after: head.seq, limit: pageRows })
    const verdict = verifyChain(records, head)
    if (!verdict.ok) return `decision ${verdict.seq}: ${verdict.fault}`
    head = verdict.head
    result.decisions += records.length
    if (records.length < pageRows) break
  }
  const kept = scope.decision_hash ?? head.hash
  return kept === head.hash ? null : `the case's head is ${kept}, and the chain ends after decision ${head.seq} with ${head.hash}`
}

async function certificateFault({ tx, jwks, result }: Walk, scope: ChainedScope): Promise<string | null> {
  const { tenant_id: tenantId, scope_no: scopeNo, scope_id: scopeId } = scope
  let before: CertificateRow | undefined
  for (let index = 0; ; ) {
    const rows = await listCertificateRows(tx, { tenantId, scopeNo }, { after: before ?? null, limit: pageRows })
    for (const row of rows) {
      const verdict = await verifyCertificate(row.certificate, jwks, { tenantId, scopeId })
      const placed = verdict.ok ? placeFault(verdict.payload, index, before?.certificate) : verdict.fault
      const fault = placed ?? (verdict.ok && row.generation === scope.generation ? await headFault(tx, scope, verdict.payload) : null)
      if (fault !== null) return `certificate ${row.certificate_id} (generation ${row.generation}, step ${row.round}): ${fault}`
      before = row
      index++
      result.certificates++
    }
    if (rows.length < pageRows) return null
  }
}

/** Whether the decisions it names are there; those of before a reset are gone. */
async function headFault(tx: EngineTransaction, scope: ChainedScope, { decisions }: CertificatePayload): Promise<string | null> {
  if (decisions.length === 0) return null
  const last = decisions.length - 1
  const hash = (await readDecisionHashes(tx, scope, [last])).get(last)
  if (hash === undefined) return `decision ${last} is missing`
  return hash === decisions.head ? null : `decision ${last} has the hash ${hash}, not ${decisions.head}`
}
