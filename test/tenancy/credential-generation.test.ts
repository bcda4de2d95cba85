import { afterAll, beforeAll, expect, it } from 'vitest'
import { readCredentialGeneration } from '../../src/store/tenants/tenants.js'
import { createTenants } from '../../src/tenancy/tenants.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'

let test: TestDatabase
beforeAll(async () => {
  test = await cloneDatabase()
})
afterAll(() => test.close())

it('is raised by whatever takes something away, and by nothing else', async () => {
  const tenants = createTenants({ db: test.db, hints: { notify: () => undefined } as never })
  const raises = async (work: () => Promise<unknown>) => {
    const before = await readCredentialGeneration(test.db)
    await work()
    return (await readCredentialGeneration(test.db)) > before
  }
  const { tenant_id: tenantId } = await tenants.create('a tenant')
  const query = (text: string) => () => test.owner.query(text, [tenantId])
  const session = `insert into sessions (tenant_id, session_id, token_hash, attempt_hash, kind, issuer, subject, person, rights, expires_at)
    values ($1, 's', sha256('t'), sha256('a'), 'desk', '', '', '', '{read}', clock_timestamp() + interval '1 minute')`
  expect(await raises(() => tenants.create('another'))).toBe(false)
  expect(await raises(query(session))).toBe(false)
  expect(await raises(query('update sessions set revoked_at = now() where tenant_id = $1'))).toBe(true)
  expect(await raises(query('update tenant_keys set revoked_at = now() where tenant_id = $1'))).toBe(true)
  expect(await raises(query(`update tenants set limits = '{"requests_per_second": 3}' where tenant_id = $1`))).toBe(true)
  expect(await raises(query('update tenants set weight = 2 where tenant_id = $1'))).toBe(false)
  expect(await raises(query('delete from tenant_keys where tenant_id = $1'))).toBe(true)
  expect(await raises(() => tenants.delete(tenantId))).toBe(true)
})
