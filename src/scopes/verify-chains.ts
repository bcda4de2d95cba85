/**
 * The chains of a whole database, walked from their beginnings: decisions of every scope against the head the scope keeps,
 * and certificates with their signatures, their places and the decisions they name. Each fault says where a chain breaks;
 * of one chain the first alone, because everything after it stands on nothing.
 */

import type { CertificatePayload } from '../kernel/certificate-payload.js'
import { genesis, verifyChain } from '../kernel/decision-record.js'
import { type CertificateRow, listCertificateRows } from '../store/scopes/certificates.js'
import { type ChainedScope, listChainedScopes, readDecisionHashes, readDecisionRecords } from '../store/scopes/chains.js'
import type { Database, EngineTransaction } from '../store/server/database.js'
import { listPublicKeys } from '../store/tenants/signing-keys.js'
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
    await db.engine(tx => new Walk(tx, scope, jwks, result).run(), { readOnly: true, snapshot: true })
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

class Walk {
  private readonly tx: EngineTransaction
  private readonly listed: ChainedScope
  private readonly jwks: ReturnType<typeof toJwks>
  private readonly result: ChainsVerification

  constructor(tx: EngineTransaction, listed: ChainedScope, jwks: ReturnType<typeof toJwks>, result: ChainsVerification) {
    this.tx = tx
    this.listed = listed
    this.jwks = jwks
    this.result = result
  }

  async run(): Promise<void> {
    // Read again inside the snapshot: the scope may have gone on, or been reset, since it was listed.
    const { tenant_id, scope_no } = this.listed
    const [scope] = await listChainedScopes(this.tx, { after: { tenant_id, scope_no: scope_no - 1 }, limit: 1 })
    if (scope?.scope_no !== scope_no || scope.tenant_id !== tenant_id) return
    this.result.scopes++
    const faults = { decisions: await this.decisionFault(scope), certificates: await this.certificateFault(scope) }
    for (const chain of ['decisions', 'certificates'] as const) {
      const detail = faults[chain]
      if (detail !== null) this.result.broken.push({ chain, tenantId: tenant_id, scopeId: scope.scope_id, detail })
    }
  }

  private async decisionFault(scope: ChainedScope): Promise<string | null> {
    let head = genesis(scope.chain_hash ?? undefined)
    for (;;) {
      const records = await readDecisionRecords(this.tx, scope, { after: head.seq, limit: pageRows })
      const verdict = verifyChain(records, head)
      if (!verdict.ok) return `decision ${verdict.seq}: ${verdict.fault}`
      head = verdict.head
      this.result.decisions += records.length
      if (records.length < pageRows) break
    }
    const kept = scope.decision_hash ?? head.hash
    return kept === head.hash ? null : `the scope's head is ${kept}, and the chain ends after decision ${head.seq} with ${head.hash}`
  }

  private async certificateFault(scope: ChainedScope): Promise<string | null> {
    const place = { tenantId: scope.tenant_id, scopeNo: scope.scope_no }
    let before: CertificateRow | undefined
    for (let index = 0; ; ) {
      const rows = await listCertificateRows(this.tx, place, { after: before ?? null, withdrawn: false, limit: pageRows })
      for (const row of rows) {
        const fault = await this.oneFault(scope, row, { index, before: before?.certificate })
        if (fault !== null) return `certificate ${row.certificate_id} (generation ${row.generation}, round ${row.round}): ${fault}`
        before = row
        index++
        this.result.certificates++
      }
      if (rows.length < pageRows) return null
    }
  }

  private async oneFault(
    scope: ChainedScope,
    row: CertificateRow,
    { index, before }: { index: number; before: string | undefined },
  ): Promise<string | null> {
    const verdict = await verifyCertificate(row.certificate, this.jwks, { tenantId: scope.tenant_id, scopeId: scope.scope_id })
    if (!verdict.ok) return verdict.fault
    return (
      placeFault(verdict.payload, index, before) ?? (row.generation === scope.generation ? this.headFault(scope, verdict.payload) : null)
    )
  }

  /** Whether the decisions it names are there; those of before a reset are gone. */
  private async headFault(scope: ChainedScope, { decisions }: CertificatePayload): Promise<string | null> {
    if (decisions.length === 0) return null
    const last = decisions.length - 1
    const hash = (await readDecisionHashes(this.tx, scope, [last])).get(last)
    if (hash === undefined) return `decision ${last} is missing`
    return hash === decisions.head ? null : `decision ${last} has the hash ${hash}, not ${decisions.head}`
  }
}
