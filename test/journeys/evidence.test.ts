/** Certificates as evidence: a chain over keys and resets that a reader can follow, and breaks that are named. */

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainFaults } from '../../src/cli/certificate-chain.js'
import { verifyWithChains } from '../../src/cli/verify-with-chains.js'
import { createClient } from '../../src/client/client.js'
import { createHints } from '../../src/events/hints.js'
import type { CertificateV4 } from '../../src/kernel/certificate-payload.js'
import { payloadOf, verifyStatement } from '../../src/scopes/certificates/certificates.js'
import { openSigningKeys } from '../../src/scopes/certificates/signing-keys.js'
import type { AuditCheckpoint, Withdrawals } from '../../src/scopes/certificates/statements.js'
import { chainAuditLog } from '../../src/tenancy/audit.js'
import { addPossible } from '../support/possible-conflict.js'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
let tenant: { tenant_id: string; api_key: string }
let client: ReturnType<typeof createClient>

beforeAll(async () => {
  service = await startTestService({}, { examination: 'none' })
  tenant = await service.createTenant()
  client = createClient({ url: service.url, tenantKey: tenant.api_key, internalsKey: service.internalsKey })
})
afterAll(() => service.stop())

async function handIn(documentId: string, issuer: string, by = client): Promise<void> {
  const text = `${issuer}\nNote on Aurelia Holding\nIssued by: ${issuer}\nDate: 2026-03-01\n\n## Key figures FY2025 of Aurelia Holding\n\nRevenue: EUR 33.9M\nStaff: 140\n`
  await by.ingest({ scope_id: 'case', name: documentId, document_id: documentId, source: issuer, text })
  expect((await by.document('case', documentId, { wait: 30 })).status).toBe('indexed')
}

const all = () => client.certificates('case', { limit: 1 }).toArray()
const sql = (text: string, values: unknown[] = []) => service.database.owner.query(text, values)
const brokenChains = async () =>
  (await verifyWithChains(service.database.db)).broken.map(({ invariant, detail }) => `${invariant} ${detail}`)

describe('the certificates of a scope', { timeout: 120_000 }, () => {
  it('form a chain over a rotated key and a reset, with a signed list of what was withdrawn', async () => {
    for (const [index, issuer] of ['Notary Keller', 'Bank Nord', 'Register Court', 'Tax Office'].entries())
      await handIn(`n-${index}`, issuer)
    const before = await all()
    expect(before.length).toBeGreaterThan(0)
    // A node that no hint reaches.
    const { db, logger } = service.database
    const other = await openSigningKeys({ db, hints: createHints({ logger }), logger, given: undefined })
    const { kid } = await client.internals.rotateSigningKey()
    await expect.poll(() => other.current().kid).toBe(kid)
    other.close()
    await handIn('late', 'Valuer Roth')
    expect((await all()).at(-1)).toMatchObject({ kid, status: 'current', previous: before.at(-1)?.sha256 })
    expect(await chainFaults(client, 'case', { whole: true })).toMatchObject({ withdrawn: 0, faults: [] })

    expect((await service.admin('POST', '/admin/scopes/case/reset', {}, tenant.api_key)).status).toBe(200)
    for (const [index, issuer] of ['Notary Keller', 'Bank Nord', 'Register Court', 'Tax Office'].entries())
      await handIn(`n-${index}`, issuer)
    const after = await all()
    const withdrawn = after.filter(each => each.status === 'withdrawn')
    expect(withdrawn).toHaveLength(before.length + 1)
    expect(after[withdrawn.length]).toMatchObject({ generation: 2, previous: withdrawn.at(-1)?.sha256 })
    const signed = await client.withdrawnCertificates('case')
    const verdict = await verifyStatement<Withdrawals>(signed.statement, (await client.jwks()) as never, 'concord-withdrawals+jws')
    expect(verdict).toMatchObject({
      ok: true,
      kid,
      payload: {
        tenant_id: tenant.tenant_id,
        scope_id: 'case',
        certificates: { length: after.length, head: after.at(-1)?.sha256 },
        withdrawn: { listed: withdrawn.map(({ sha256, generation, round }) => ({ sha256, generation, round })) },
      },
    })
    if (verdict.ok) expect(verdict.payload.withdrawn.digest).toBe(hashOf(sortedJson(verdict.payload.withdrawn.listed)))
    expect(await verifyStatement(signed.statement, (await client.jwks()) as never, 'concord-audit-checkpoint+jws')).toMatchObject({
      ok: false,
    })
    expect(await chainFaults(client, 'case', { whole: true })).toEqual({
      certificates: after.length,
      withdrawn: withdrawn.length,
      faults: [],
    })
    expect(await brokenChains()).toEqual([])
  })

  it('stay readable and verifiable once their case is deleted', async () => {
    const own = createClient({ url: service.url, tenantKey: (await service.createTenant()).api_key })
    for (const [index, issuer] of ['Notary Keller', 'Bank Nord', 'Register Court'].entries()) await handIn(`n-${index}`, issuer, own)
    const certificates = (await own.certificates('case').toArray()).length
    expect(certificates).toBeGreaterThan(0)
    await own.deleteScope('case')
    expect(await chainFaults(own, 'case', { whole: true })).toEqual({ certificates, withdrawn: certificates, faults: [] })
  })

  it('are not there for another tenant', async () => {
    const other = await service.createTenant()
    for (const path of ['certificates', 'certificates/withdrawn']) {
      const answer = await service.call('GET', `/api/scopes/case/${path}`, { headers: { 'x-tenant-api-key': other.api_key } })
      expect(answer).toMatchObject({ status: 404, body: { code: 'SCOPE_NOT_FOUND' } })
    }
    const refused = await service.call('POST', '/internals/signing-keys/rotation', {
      headers: { authorization: `Bearer ${service.adminKey}` },
    })
    expect(refused.status).toBe(403)
  })

  it('show what was taken out of a chain or changed in it, and where', async () => {
    const [first] = await all()
    await sql('delete from certificates where certificate_id = $1', [first?.certificate_id])
    expect((await brokenChains())[0]).toMatch(/^chain\.certificates certificate crt_\w+ \(.*\): does not name the certificate before it$/)
    expect((await chainFaults(client, 'case', { whole: true })).faults[0]?.fault).toBe('does not name the certificate before it')
    await sql("update decisions set outcome = 'reject' where tenant_id = $1 and generation = 2 and seq = 1", [tenant.tenant_id])
    expect(await brokenChains()).toContain('chain.decisions decision 1: hash does not match the content')
    await sql('delete from decisions where tenant_id = $1 and generation = 2 and seq > 0', [tenant.tenant_id])
    expect((await brokenChains()).join()).toMatch(/chain\.decisions the case's head is \w+, and the chain ends after decision 0/)
  })
})

describe('the digests of a certificate', { timeout: 120_000 }, () => {
  it('are worked out as docs/kernel.md tells, from what the service answers', async () => {
    const { tenant_id: tenantId, api_key: tenantKey } = await service.createTenant()
    const own = createClient({ url: service.url, tenantKey, internalsKey: service.internalsKey })
    const settings = { finality: { possible_conflicts: 'report' as const } }
    await own.createScope({ scope_id: 'case' })
    const changed = await service.admin('PATCH', '/admin/scopes/case', { settings }, tenantKey)
    await own.ingest({ scope_id: 'case', document_id: 'blank', name: 'blank', type: 'html', text: '<p></p>' })
    for (const [index, issuer] of ['Notary Keller', 'Bank Nord', 'Register Court'].entries()) await handIn(`n-${index}`, issuer, own)
    await addPossible(service, tenantId, 'case')
    const minutes = (title: string, metres: number) => `Harbour board\n${title}\nThe Corran pier is ${metres} m long.\n`
    const [first, second] = [minutes('Minutes of 4 May 2022', 212), minutes('Corrected minutes of 7 June 2022', 205)]
    await own.ingest({ scope_id: 'case', document_id: 'minutes', name: 'minutes', source: 'Harbour board', text: first })
    await own.ingest({ scope_id: 'case', document_id: 'corrected', name: 'corrected', source: 'Harbour board', text: second })
    await own.document('case', 'corrected', { wait: 30 })
    await handIn('n-4', 'Tax Office', own)
    const said = payloadOf((await own.certificate('case')).certificate) as CertificateV4
    const possible = await own.possibleConflicts('case', { status: 'all' }).toArray()
    const supersessions = await own.supersessions('case').toArray()
    expect([said.examined.not_read.count, possible.length, supersessions.length]).toEqual([1, expect.any(Number), 1])

    const states = (lines: string[]) => hashOf(lines.sort().join('\n'))
    expect(said.documents.digest).toBe(hashOf(sortedJson(said.documents.hashes)))
    expect(said.examined.not_read.digest).toBe(hashOf(sortedJson(said.examined.not_read.listed?.map(({ how: _, ...each }) => each))))
    expect(said.possible_conflicts.digest).toBe(
      states(possible.map(each => `${each.possible_conflict_id} ${each.decision?.verdict === 'superseded' ? 'closed' : each.status}`)),
    )
    expect(said.supersessions.digest).toBe(states(supersessions.map(each => `${each.supersession_id} ${each.status}`)))
    expect(said.settings_digest).toBe(hashOf(sortedJson(changed.body.effective_settings)))
    expect(said.decisions.head).toBe((await own.decisions('case').toArray()).find(({ seq }) => seq === said.decisions.length - 1)?.hash)
    const issued = (await own.certificates('case').toArray()).map(each => each.certificate)
    expect(said.previous).toBe(issued.length < 2 ? null : hashOf(issued.at(-2) as string))
    const { jti, ...others } = said
    expect(jti).toBe(`sha256:${hashOf(sortedJson(others))}`)
  })
})

/** Members in order of their names; the figures here are whole or short, and written as any program does. */
function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${sortedJson(each)}`).join(',')}}`
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

describe('a checkpoint of the audit log', () => {
  it('is signed, and shows that the end of the log was cut off', async () => {
    const { db } = service.database
    // Entries are chained once their answers are known, by the leader or here.
    await expect
      .poll(() => chainAuditLog(db).then(() => client.internals.auditCheckpoint()))
      .toMatchObject({ length: expect.toSatisfy((n: number) => n > 2) })
    const { statement, length, head } = await client.internals.auditCheckpoint()
    const verdict = await verifyStatement<AuditCheckpoint>(statement, (await client.jwks()) as never, 'concord-audit-checkpoint+jws')
    expect(verdict).toMatchObject({ ok: true, payload: { audit: { length, head } } })
    // With what waits to be chained, or the leader would go on where the log was cut.
    await sql('delete from audit_log where chain_no >= $1 or chain_no is null', [length])
    const { broken, auditEntries } = await verifyWithChains(db)
    expect(broken.filter(({ invariant }) => invariant === 'chain.audit')).toEqual([])
    expect(auditEntries).toBeLessThan(length)
    await sql("update audit_log set action = 'nothing' where chain_no = 2")
    expect(await brokenChains()).toContainEqual(expect.stringMatching(/^chain\.audit entry \d+ does not follow/))
  })
})
