/** A tenant with something of everything moves from one installation to another, and is the same there. */

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainFaults } from '../../src/cli/certificate-chain.js'
import { verifyWithChains } from '../../src/cli/verify-with-chains.js'
import { createClient } from '../../src/client/index.js'
import { replayScope } from '../../src/pipeline/replay/replay.js'
import { importTenant } from '../../src/store/maintenance/tenant-import.js'
import { listTenantTables, Seal, type TenantRow } from '../../src/store/maintenance/tenant-rows.js'
import { removeDeletedScopes, removeOldGenerations } from '../../src/store/scopes/reset-removal.js'
import { databaseEnv } from '../support/database-env.js'
import { startTestService, type TestService } from '../support/service.js'
import { runConcord } from './run-concord.js'

const folder = mkdtempSync(join(tmpdir(), 'concord-move-'))
const file = join(folder, 'tenant.ndjson.gz')
let [source, target]: TestService[] = []
let tenant: { tenant_id: string; api_key: string }

beforeAll(async () => {
  source = await startTestService({}, { examination: 'none' })
  target = await startTestService()
  tenant = await source.createTenant('Northwind')
  await fill()
}, 120_000)
afterAll(async () => {
  await source?.stop()
  await target?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const clientOf = (service: TestService) => createClient({ url: service.url, tenantKey: tenant.api_key, internalsKey: service.internalsKey })

const envOf = ({ database: { address } }: TestService) => ({ ...databaseEnv(address), HOME: folder })

async function fill(): Promise<void> {
  const client = clientOf(source!)
  const read = async (documentId: string, text: string, scopeId = 'case') => {
    await client.ingest({
      scope_id: scopeId,
      name: `Paper ${documentId}`,
      document_id: documentId,
      source: documentId,
      text,
      ...(scopeId === 'case' ? { idempotency_key: documentId } : {}),
    })
    expect((await client.document(scopeId, documentId, { wait: 30 })).status).toBe('indexed')
  }
  // Numbers of scopes are given anew where they go.
  const other = await target!.createTenant('Other')
  await createClient({ url: target!.url, tenantKey: other.api_key }).createScope({ scope_id: 'case' })
  await client.createScope({ scope_id: 'case', display_name: 'Case "ü"\nwith a second line' })
  await client.admin.setPolicies({ level: 'scope', scopeId: 'case' }, '@id("all") permit (principal, action, resource);')
  for (const issuer of ['Notary Keller', 'Bank Nord', 'Register Court', 'Tax Office']) {
    await read(
      issuer.replace(' ', '-'),
      `${issuer}\nNote on Aurelia Holding\nIssued by: ${issuer}\nDate: 2026-03-01\n\n## Key figures FY2025 of Aurelia Holding\n\nRevenue: EUR 33.9M\nStaff: 140\n`,
    )
  }
  await read('late', 'Valuer Roth\nDate: 2026-03-02\n\nRevenue of Aurelia Holding for FY2025 was EUR 52.0 million.\n')
  await read('one', 'The site manager of Harbour Tower is Anna Weber.', 'signed')
  await read('two', 'The contract sum of Harbour Tower is EUR 4.2M.', 'signed')
  const { sign_off_id: id } = await client.signOff('signed', { by: 'J. Doe', reason: 'I read both.' })
  await client.withdrawSignOff('signed', id, { by: 'R. Roe', reason: 'Too early.' })
  const said = { by: 'J. Doe', reason: 'Litigation is expected.' }
  await client.hold('signed', said, { documentId: 'one' })
  await client.liftHold('signed', { by: 'R. Roe', reason: 'Copied.' }, { documentId: 'one' })
  await client.hold('signed', said)
  await client.ingestFile(new Blob(['Staff of Aurelia Holding: 150.']), {
    scope_id: 'case',
    document_id: 'file',
    name: 'staff.txt',
    about: 'Staff',
  })
  await client.document('case', 'file', { wait: 30 })
  await read('old', 'Secretum of before the reset.', 'reset')
  await client.admin.reset('reset')
  await read('gone', 'Secretum of a deleted scope.', 'gone')
  await client.deleteScope('gone')
  await client.createScope({ scope_id: 'waits' })
  await read('again', 'The pier of Harbour Tower is 40 m long.', 'waits')
  await client.admin.runtime('pause', { level: 'scope', scopeId: 'waits' })
  await client.ingest({ scope_id: 'waits', name: 'n', document_id: 'later', text: 'Revenue of Aurelia Holding was EUR 5M.' })
  expect(await client.reread('waits', {})).toMatchObject({ queued: 1 })
  await source!.database.owner.query("update scope_heads set rest_until = clock_timestamp() + interval '1 hour' where tenant_id = $1", [
    tenant.tenant_id,
  ])
}

/** Every row that moves, by the name of its scope instead of its number. */
async function rowsOf({ database }: TestService): Promise<string[]> {
  const tables = await database.db.engine(listTenantTables, { readOnly: true })
  const all: string[] = []
  for (const table of tables) {
    const { rows } = await database.owner.query(
      `select (to_jsonb(t) - array['scope_no', 'xid', 'id', 'turn_at', 'rest_until', 'owner', 'leased_until', 'in_hand_seq', 'oldest_generation', 'cleared'])::text as row,
         coalesce(s.scope_id, d.scope_id, '') as scope
       from ${table} t left join scopes s on s.tenant_id = t.tenant_id and s.scope_no::text = to_jsonb(t) ->> 'scope_no'
       left join scope_tombstones d on d.tenant_id = t.tenant_id and d.scope_no::text = to_jsonb(t) ->> 'scope_no'
       where t.tenant_id = $1`,
      [tenant.tenant_id],
    )
    const isService = (row: string, scope: string) => table === 'events' && scope === '' && row !== ''
    all.push(...rows.map(({ row, scope }) => `${table} ${scope} ${isService(row, scope) ? row.replace(/"seq": \d+/, '') : row}`))
  }
  return all.sort()
}

describe('a tenant that moves', { timeout: 120_000 }, () => {
  it('is the same with every row, and goes on where it was', async () => {
    const exported = await runConcord(envOf(source!), 'tenants', 'export', tenant.tenant_id, file, '--json')
    expect(exported).toMatchObject({
      code: 0,
      json: { tenant_id: tenant.tenant_id, rows: { scopes: 4, sign_offs: 1, certificates: expect.any(Number) } },
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const text = gunzipSync(readFileSync(file)).toString('utf8')
    const lines = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines[0]).toMatchObject({ format: 'concord-tenant-1', tenant_id: tenant.tenant_id })
    expect(lines.slice(1, -1).every(line => typeof line.table === 'string' && typeof line.row === 'object')).toBe(true)
    // What a reset or a deletion took away does not come back, and no key of the service that signs leaves it.
    expect(text).not.toMatch(/Secretum|private_jwk|"d":/)
    for (const remove of [removeOldGenerations, removeDeletedScopes]) await remove(source!.database.db, { batchRows: 1000, batches: 1000 })
    const before = await rowsOf(source!)

    const imported = await runConcord(envOf(target!), 'tenants', 'import', file, '--json')
    expect(imported).toMatchObject({ code: 0, json: { tenant_id: tenant.tenant_id, rows: exported.json.rows } })
    const after = await rowsOf(target!)
    // The set of the service that decided goes along.
    expect(before.filter(row => !after.includes(row))).toEqual([])
    expect(after.filter(row => !before.includes(row) && !row.startsWith('policy_sets'))).toEqual([])
    expect(before.length).toBeGreaterThan(100)
    expect((await verifyWithChains(target!.database.db)).broken).toEqual([])
    expect(await replayScope(target!.database.db, { tenantId: tenant.tenant_id, scopeId: 'case' })).toMatchObject({ ok: true })
    const byKey = await runConcord(envOf(source!), 'replay', 'case', '--tenant-key', tenant.api_key, '--json')
    expect([byKey.code, byKey.json?.ok], byKey.err).toEqual([0, true])
    const unknown = await runConcord(envOf(source!), 'replay', 'case', '--tenant-key', 'cnk_unknown')
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('knows no tenant with this key')])

    const [here, there] = [clientOf(source!), clientOf(target!)]
    // The key that comes along never takes the place of one's own.
    const own = await target!.database.owner.query('select kid from signing_keys where retired_at is null')
    expect((await there.jwks()).keys.map(({ kid }) => kid)).toEqual([own.rows[0].kid, expect.any(String)])
    expect(await there.summary('case')).toEqual(await here.summary('case'))
    expect(await there.certificates('case').toArray()).toEqual(await here.certificates('case').toArray())
    expect(await chainFaults(there, 'case', { whole: true })).toMatchObject({ faults: [] })
    const holds = await there.holds('signed').toArray()
    expect(holds).toMatchObject([
      { document_id: 'one', lifted: { by: 'R. Roe', reason: 'Copied.' } },
      { document_id: null, lifted: null },
    ])
    expect(holds).toEqual(await here.holds('signed').toArray())
    await expect(there.deleteScope('signed')).rejects.toMatchObject({ code: 'LEGAL_HOLD' })
    expect(await (await there.original('case', 'file')).text()).toBe('Staff of Aurelia Holding: 150.')
    // The tokens of a day are counted per installation: no scope rests there because they were spent here.
    const resting = 'select from scope_heads where tenant_id = $1 and rest_until is not null'
    expect((await target!.database.owner.query(resting, [tenant.tenant_id])).rowCount).toBe(0)
    // What waited is read there once it may be, and the log goes on.
    await there.admin.runtime('resume', { level: 'scope', scopeId: 'waits' })
    expect((await there.document('waits', 'later', { wait: 30 })).status).toBe('indexed')
    const next = await Promise.all(
      [here, there].map(client => client.ingest({ scope_id: 'case', name: 'n', text: 'Staff of Aurelia Holding: 160.' })),
    )
    expect(next[1]?.seq).toBe(next[0]?.seq)
    expect((await there.createScope({ scope_id: 'gone' })).generation).toBe(2)
    await expect.poll(async () => (await there.summary('case')).documents.queued).toBe(0)
    expect((await verifyWithChains(target!.database.db)).broken).toEqual([])
  })

  it('is refused where it is or was already', async () => {
    for (const service of [source!, target!]) {
      const run = await runConcord(envOf(service), 'tenants', 'import', file)
      expect([run.code, run.err]).toEqual([1, expect.stringContaining('exists here already')])
    }
    expect((await runConcord(envOf(source!), 'tenants', 'export', tenant.tenant_id, file)).err).toContain('exists already')
    expect(await runConcord(envOf(source!), 'tenants', 'export', tenant.tenant_id, join(folder, 'none', 'x.jsonl'))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^concord: ENOENT: .*x\.jsonl'.*\n$/),
    })
    writeFileSync(join(folder, 'plain.gz'), 'not compressed')
    expect((await runConcord(envOf(target!), 'tenants', 'import', join(folder, 'plain.gz'))).err).toContain('cannot be unpacked')
    expect((await runConcord(envOf(source!), 'tenants', 'export', 'ten_0000000000000000000000', join(folder, 'none'))).code).toBe(1)
  })

  it('brings no time that is still to come', async () => {
    const third = await startTestService()
    try {
      const ahead: [table: string, column: string][] = [
        ['events', 'time'],
        ['backlog', 'not_before'],
      ]
      const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n')
      const changed = lines.slice(0, -1).map(line => {
        const column = ahead.find(([table]) => line.startsWith(`{"table":"${table}"`))?.[1]
        return column === undefined ? line : line.replace(new RegExp(`"${column}": ?"[^"]+"`), `"${column}":"9999-01-01T00:00:00+00:00"`)
      })
      expect(changed.filter(line => line.includes('9999-01-01')).length).toBeGreaterThan(10)
      const path = join(folder, 'ahead.ndjson')
      const paused = {
        table: 'runtime_states',
        row: { tenant_id: tenant.tenant_id, scope_no: 0, state: 'paused', run: 1, changed_at: '2026-01-31' },
      }
      writeFileSync(path, `${sealed([...changed, JSON.stringify(paused)]).join('\n')}\n`)
      const came = await runConcord(envOf(third), 'tenants', 'import', path)
      expect([came.code, came.out]).toEqual([0, expect.stringContaining('It is paused, as it was')])
      for (const [table, column] of ahead) {
        const { rows } = await third.database.owner.query(
          `select count(*)::int as rows, count(*) filter (where ${column} > clock_timestamp())::int as ahead from ${table} where tenant_id = $1`,
          [tenant.tenant_id],
        )
        expect([rows[0].rows > 0, rows[0].ahead], table).toEqual([true, 0])
      }
    } finally {
      await third.stop()
    }
  })

  it('comes whole or not at all', async () => {
    const third = await startTestService()
    try {
      const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n')
      const rowsLeft = async () =>
        (await third.database.owner.query('select from tenants where tenant_id = $1', [tenant.tenant_id])).rowCount
      const damaged: [string[], string][] = [
        [lines.slice(0, -1), 'ends too early'],
        [lines.map(line => line.replace('EUR 33.9M', 'EUR 34.9M')), 'was changed'],
        [
          lines.map(line => (line.startsWith('{"table":"claims"') ? line.replace(tenant.tenant_id, '-') : line)),
          'not a row of this tenant',
        ],
        [[...lines.slice(0, 40), '{"table":"audit_log","row":{}}', ...lines.slice(40)], 'not a row of this tenant'],
        [lines.map(line => line.replace('"limits":{}', '"limits":{"requests_per_second":"x"}')), 'limit requests_per_second'],
        [lines.map(line => line.replace(/"claimsLive":\s*\d+/, '"claimsLive":"many"')), 'aggregates of scope_states'],
        [lines.map(line => line.replace(/"crv":\s*"Ed25519"/, '"crv":"X25519"')), 'named by its thumbprint'],
        [sealed([...lines.slice(0, -1), withNumberOf(lines, 'case')]), 'number of another'],
        [[lines[0]!.replace(/"schema":\d+/, '"schema":9999'), ...lines.slice(1)], 'same schema'],
        [['{}'], 'not a tenant export'],
      ]
      for (const [content, complaint] of damaged) {
        const path = join(folder, 'damaged.ndjson')
        writeFileSync(path, `${content.join('\n')}\n`)
        const run = await runConcord(envOf(third), 'tenants', 'import', path)
        expect([run.code, run.err]).toEqual([1, expect.stringContaining(complaint)])
        expect(await rowsLeft()).toBe(0)
      }
      // A process that stands still in the middle: the next one begins anew, and meanwhile nobody sees anything.
      let goOn: () => void = () => undefined
      const waiting = new Promise<void>(resolve => {
        goOn = resolve
      })
      const overtaken = importTenant(third.database.db, withPause(lines, 60, waiting))
      overtaken.catch(() => undefined)
      await expect
        .poll(async () => (await third.database.owner.query('select from scopes where tenant_id = $1', [tenant.tenant_id])).rowCount)
        .toBe(4)
      expect((await clientOf(third).admin.tenants().toArray()).map(each => each.tenant_id)).not.toContain(tenant.tenant_id)
      expect((await runConcord(envOf(third), 'tenants', 'import', file)).code).toBe(0)
      // When the first one goes on, what is there is no longer its own to write to or to take away.
      goOn()
      await expect(overtaken).rejects.toThrow('Another import of this tenant began meanwhile.')
      expect(await clientOf(third).scopes().toArray()).toHaveLength(4)
      expect((await verifyWithChains(third.database.db)).broken).toEqual([])
    } finally {
      await third.stop()
    }
  })
})

/** A deleted scope with the number of this one. */
function withNumberOf(lines: readonly string[], scopeId: string): string {
  const rows = lines.slice(1, -1).map(line => JSON.parse(line) as TenantRow)
  const tombstone = rows.find(({ table }) => table === 'scope_tombstones')!
  const scope = rows.find(({ table, row }) => table === 'scopes' && row['scope_id'] === scopeId)!
  return JSON.stringify({ ...tombstone, row: { ...tombstone.row, scope_id: 'before', scope_no: scope.row['scope_no'] } })
}

function sealed(lines: readonly string[]): string[] {
  const seal = new Seal()
  for (const line of lines) seal.add(line, JSON.parse(line).table)
  return [...lines, JSON.stringify(seal.end())]
}

async function* withPause(lines: readonly string[], at: number, until: Promise<void>): AsyncGenerator<string> {
  yield* lines.slice(0, at)
  await until
  yield* lines.slice(at)
}
