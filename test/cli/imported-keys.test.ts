/** Whoever writes a tenant's file may hold the private part of the keys in it. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkpointReader } from '../../src/cli/verify-with-chains.js'
import { digest, sha256 } from '../../src/kernel/canonical.js'
import type { CertificatePayload } from '../../src/kernel/certificate-payload.js'
import { newTenantId } from '../../src/platform/ids.js'
import { generateSigningKey, type SigningKey, signCertificate, signStatement } from '../../src/scopes/certificates/certificates.js'
import { exportTenant } from '../../src/store/maintenance/tenant-export.js'
import { importTenant } from '../../src/store/maintenance/tenant-import.js'
import { Seal, type TenantRow } from '../../src/store/maintenance/tenant-rows.js'
import { startTestService, type TestService } from '../support/service.js'
import { runConcord } from './run-concord.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

/** The file of a tenant of this service, for another id and with a key of its own. */
async function fileWith(key: SigningKey, tenantId: string): Promise<string[]> {
  const { tenant_id: like } = await service.createTenant()
  const lines: string[] = []
  await exportTenant(service.database.db, like, async line => void lines.push(line.replaceAll(like, tenantId)))
  const row: TenantRow = { table: 'signing_keys', row: { kid: key.kid, public_jwk: key.publicJwk } as unknown as TenantRow['row'] }
  const [header = '', ...rows] = lines.slice(0, -1).filter(line => /^\{"format"|"table": ?"tenants"/.test(line))
  const seal = new Seal()
  seal.add(header)
  const all = [...rows, JSON.stringify(row)]
  for (const line of all) seal.add(line, (JSON.parse(line) as TenantRow).table)
  return [header, ...all, JSON.stringify(seal.end())]
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

it('refuses a certificate about another tenant that is signed with the key of an imported one', async () => {
  const [key, imported] = [await generateSigningKey(), newTenantId()]
  await importTenant(service.database.db, each(await fileWith(key, imported)))
  const { tenant_id: victim } = await service.createTenant()
  const forge = async (tenantId: string) => {
    const body = { version: 2, iss: 'https://concord.example', iat: 1_760_000_000, tenant_id: tenantId, scope_id: 'case', round: 1 }
    return signCertificate({ ...body, jti: `sha256:${digest(body)}` } as unknown as CertificatePayload, key)
  }
  const jwks = `${service.url}/.well-known/jwks.json`
  const verify = async (tenantId: string) => runConcord({}, 'verify', 'certificate', await forge(tenantId), '--jwks', jwks)
  expect(await verify(imported)).toMatchObject({ code: 0, out: expect.stringContaining('The signature is right') })
  const refused = { code: 1, out: expect.stringContaining('imported with other tenants') }
  expect(await verify(victim)).toMatchObject(refused)
  // Nor a case as it was, nor a checkpoint of the log, which is about nobody.
  const asOf = await signStatement(
    { version: 1, iss: 'https://concord.example', tenant_id: victim, scope_id: 'case' },
    key,
    'concord-as-of+jws',
  )
  expect(await runConcord({}, 'verify', 'as-of', asOf, '--jwks', jwks)).toMatchObject(refused)
  const checkpoint = await signStatement({ version: 1, iat: 1, audit: { length: 1, head: '0' } }, key, 'concord-audit-checkpoint+jws')
  expect(await runConcord({}, 'verify', 'checkpoint', checkpoint, '--jwks', jwks)).toMatchObject(refused)
  expect(await (await checkpointReader(service.database.db))(checkpoint)).toMatchObject({ ok: false })
  const served = (await (await fetch(jwks)).json()) as { keys: { kid: string; concord_tenants?: string[] }[] }
  expect(served.keys.find(({ kid }) => kid === key.kid)?.concord_tenants).toEqual([sha256(imported)])
  expect(served.keys.filter(({ concord_tenants }) => concord_tenants === undefined)).toHaveLength(1)
  // A second tenant from there brings the same key.
  const second = newTenantId()
  await importTenant(service.database.db, each(await fileWith(key, second)))
  expect(await verify(second)).toMatchObject({ code: 0 })
  expect(await verify(imported)).toMatchObject({ code: 0 })
  expect(await verify(victim)).toMatchObject({ code: 1 })
})
