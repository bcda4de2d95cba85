/** The audit log: a row for every act of a valid key, a counter for the rest, and a chain over all of it. */

import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkpointReader } from '../../src/cli/verify-with-chains.js'
import { createClient } from '../../src/client/index.js'
import type { Database } from '../../src/store/server/database.js'
import { finishAuditRows, insertAuditRows } from '../../src/store/tenants/audit.js'
import { verifyAnchors } from '../../src/tenancy/anchors.js'
import { chainAuditLog, shortenAuditLog, verifyAuditChain } from '../../src/tenancy/audit.js'
import { createAnchoring } from '../../src/webhooks/anchoring.js'
import { runConcord } from '../cli/run-concord.js'
import { databaseEnv } from '../support/database-env.js'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ ROLE: 'api' })
})
afterAll(() => service.stop())

const entries = async (query = '') => (await service.admin('GET', `/admin/audit?limit=200${query}`)).body.items

describe('the audit log', () => {
  it('records acts with who, what, whom and how it ended', async () => {
    const tenant = await service.createTenant()
    const ofTenant = `&action=createScope&tenant_id=${tenant.tenant_id}`
    await service.admin('POST', '/admin/scopes', { scope_id: 'audited' }, tenant.api_key)
    await service.admin('POST', '/admin/scopes', { scope_id: 'audited' }, tenant.api_key)
    await expect
      .poll(async () => (await entries(ofTenant)).map((entry: { status: number; outcome: string }) => [entry.status, entry.outcome]))
      .toEqual([
        [409, 'refused'],
        [201, 'allowed'],
      ])
    const [latest] = await entries(ofTenant)
    expect(latest).toMatchObject({ tier: 'admin', tenant_id: tenant.tenant_id, scope_id: 'audited', address: '127.0.0.1' })
    expect(JSON.stringify(latest)).not.toContain(service.internalsKey)
    expect(JSON.stringify(latest)).not.toContain(tenant.api_key)
  })

  it('records what a valid key was refused', async () => {
    await service.call('POST', '/internals/kernel/runtime/stop', { headers: { authorization: `Bearer ${service.adminKey}` } })
    await service.admin('POST', '/admin/tenants', { wrong: 1 })
    const refused = async () =>
      (await entries())
        .filter((entry: { outcome: string }) => entry.outcome === 'refused')
        .map((entry: { action: string; status: number }) => [entry.action, entry.status])
    await expect.poll(refused).toEqual(
      expect.arrayContaining([
        ['stopInternalsRuntime', 403],
        ['createTenant', 400],
      ]),
    )
  })

  it('names the tenants and keys that were made, and has no key itself', async () => {
    const first = await service.createTenant()
    const second = (await service.admin('POST', `/admin/tenants/${first.tenant_id}/keys`, { label: 'ci' })).body
    const none = `ten_${'0'.repeat(22)}`
    expect((await service.admin('POST', `/admin/tenants/${none}/keys`)).status).toBe(404)
    const made = async (tenantId: string) =>
      (await entries(`&tenant_id=${tenantId}`)).filter(({ action }: { action: string }) => /^create/.test(action))
    const rows = await made(first.tenant_id)
    expect(rows).toMatchObject([
      { action: 'createTenantKey', tenant_id: first.tenant_id, detail: { key_id: second.key_id } },
      { action: 'createTenant', tenant_id: first.tenant_id, detail: { key_id: first.key_id } },
    ])
    for (const { api_key: key } of [first, second]) expect(JSON.stringify(rows)).not.toContain(key)
    await expect.poll(() => made(none)).toMatchObject([{ action: 'createTenantKey', status: 404, outcome: 'refused' }])
  })

  it('records names cut between characters, and loses no row over them', async () => {
    const tenant = await service.createTenant()
    const long = encodeURIComponent(`${'a'.repeat(199)}😀`)
    const asked = await service.admin('GET', `/admin/scopes/${long}/summary`, undefined, tenant.api_key)
    expect(asked.status).toBe(404)
    const refused = await service.admin('DELETE', `/admin/tenants/${'t'.repeat(99)}${encodeURIComponent('😀')}/keys/${long}`)
    expect(refused.status).toBe(404)
    const recorded = async (action: string) => (await entries(`&action=${action}`))[0]
    await expect.poll(() => recorded('getSummary')).toMatchObject({ scope_id: 'a'.repeat(199), status: 404 })
    for (const [path, id] of [
      ['paper', 'paper'],
      ['-', 'a paper'],
    ]) {
      const query = path === '-' ? '?document_id=a%20paper' : ''
      const put = `/admin/scopes/none/documents/${path}/model${query}`
      expect((await service.admin('PUT', put, { model: 'off' }, tenant.api_key)).status).toBe(404)
      await expect.poll(() => recorded('putDocumentModel')).toMatchObject({ detail: { document_id: id }, status: 404 })
    }
    await expect.poll(() => recorded('revokeTenantKey')).toMatchObject({ tenant_id: 't'.repeat(99), detail: { key_id: 'a'.repeat(100) } })
  })

  it('records how it ended although the client had gone, and counts the request', async () => {
    const { owner } = service.database
    const tenant = await service.createTenant()
    await service.admin('POST', '/admin/scopes', { scope_id: 'held' }, tenant.api_key)
    const hold = { by: 'j.doe', reason: 'A dispute is expected.' }
    const held = await service.call('POST', '/api/scopes/held/hold', { headers: { 'x-tenant-api-key': tenant.api_key }, body: hold })
    expect(held.status, held.text).toBeLessThan(300)
    const last = async (action: string) => (await entries(`&action=${action}`))[0]
    const metric = async (name: string) => {
      const { text } = await service.call('GET', '/metrics', { headers: { authorization: `Bearer ${service.internalsKey}` } })
      return Number(
        text
          .split('\n')
          .find(line => line.startsWith(name))
          ?.slice(name.length) ?? 0,
      )
    }
    const counted = (labels: string) => metric(`http_server_request_duration_seconds_count{${labels}}`)
    const ask = (method: string, path: string) => {
      const asked = request(service.url + path, { method, headers: { authorization: `Bearer ${service.internalsKey}` } })
      asked.on('error', () => undefined).end()
      return asked
    }

    await owner.query('begin')
    await owner.query('select concord_lock_quota($1)', [tenant.tenant_id])
    const impatient = ask('DELETE', `/admin/tenants/${tenant.tenant_id}`)
    await expect.poll(() => last('deleteTenant')).toMatchObject({ tenant_id: tenant.tenant_id, status: null })
    const connections = await metric('concord_connections')
    impatient.destroy()
    await expect.poll(() => metric('concord_connections')).toBeLessThan(connections)
    await owner.query('commit')
    await expect.poll(() => last('deleteTenant')).toMatchObject({ tenant_id: tenant.tenant_id, status: 409, outcome: 'refused' })
    expect(await counted('operation="deleteTenant",method="DELETE",status="409"')).toBe(1)

    // A stream has its answer when it opens, and is over when its reader leaves.
    const stream = ask('GET', '/internals/kernel/events')
    const [opened] = await once(stream, 'response')
    await expect.poll(() => last('streamKernel')).toMatchObject({ status: 200, outcome: 'allowed' })
    expect(await counted('operation="streamKernel",method="GET",status="200"')).toBe(0)
    opened.destroy()
    await expect.poll(() => counted('operation="streamKernel",method="GET",status="200"')).toBe(1)
  })

  it('counts what was refused by a limit, and calls without a valid key of every tier, without a row for each', async () => {
    const { database } = service
    const { tenant_id: tenantId, api_key: key, key_id: keyId } = await service.createTenant()
    const limited = await startTestService({ ROLE: 'api', RATE_LIMIT_PER_SECOND: '5' }, { database })
    const { rows: newest } = await database.owner.query('select max(id) as id from audit_log')
    const own = { 'x-tenant-api-key': key }
    /** Windows are whole seconds: asks until one is refused, and says how many were. */
    const refusedOf = async (method: string, path: string, headers: Record<string, string>) => {
      for (let tries = 0; tries < 200; tries++) {
        const answers = await Promise.all(Array.from({ length: 8 }, () => limited.call(method, path, { headers })))
        const refused = answers.filter(({ status }) => status === 429)
        if (refused.length > 0) return refused.length
      }
      throw new Error('nothing was refused')
    }
    let refused: number[]
    try {
      refused = [
        await refusedOf('GET', '/admin/tenants', { authorization: `Bearer ${service.adminKey}` }),
        await refusedOf('DELETE', '/api/documents/none?scope_id=none', own),
      ]
      await refusedOf('GET', '/api/scopes', own)
      for (const headers of [{}, { 'x-tenant-api-key': 'nonsense' } as Record<string, string>])
        await limited.call('GET', '/api/scopes', { headers })
      await limited.call('GET', '/admin/tenants')
      const passage = { document_id: 'a', revision: 1, start: 0, end: 1 }
      const report = { scope_id: 'none', severity: 'low', by: 'ada', reason: 'r', a: passage, b: passage }
      expect((await limited.call('POST', '/api/contradictions', { headers: { 'x-tenant-id': tenantId }, body: report })).status).toBe(401)
    } finally {
      // What was counted is written.
      await limited.stop()
    }
    const { rows } = await database.owner.query(
      `select action, status, outcome, actor, address, (detail->>'calls')::integer as calls from audit_log
       where id > $1 and (outcome = 'counted' or status = 429) order by action, status`,
      [newest[0].id],
    )
    const of = { outcome: 'counted', address: '127.0.0.1' }
    expect(rows).toEqual([
      { ...of, action: 'createContradiction', status: 401, actor: 'nobody', calls: 1 },
      { ...of, action: 'eraseDocument', status: 429, actor: `key:${keyId}`, calls: refused[1] },
      { ...of, action: 'listOwnScopes', status: 401, actor: 'nobody', calls: 2 },
      { ...of, action: 'listTenants', status: 401, actor: 'nobody', calls: 1 },
      { ...of, action: 'listTenants', status: 429, actor: expect.not.stringMatching('nobody'), calls: refused[0] },
    ])
  })

  it('does not record health reads', async () => {
    await service.admin('GET', '/admin/health')
    expect(await entries('&action=getAdminHealth')).toEqual([])
  })

  it('is not waited for by what is wrong: concord status says it also when the database takes no rows', async () => {
    const { owner } = service.database
    await owner.query(`create function refuse_row() returns trigger language plpgsql as $$ begin raise sqlstate '53100' using message = 'No space left on device'; end $$;
      create trigger full_disk before insert on audit_log for each row execute function refuse_row()`)
    try {
      expect((await service.admin('GET', '/admin/tenants')).status).toBe(503)
      const env = { CONCORD_URL: service.url, CONCORD_INTERNALS_KEY: service.internalsKey }
      expect(await runConcord(env, 'status', '--json')).toMatchObject({
        code: 0,
        json: { troubles: { items: expect.any(Array) }, scopes: null },
      })
    } finally {
      await owner.query('drop trigger full_disk on audit_log; drop function refuse_row()')
    }
  })

  it('is chained, and a changed row is found', async () => {
    await expect.poll(() => chainAuditLog(service.database.db)).toBe(0)
    expect(await verifyAuditChain(service.database.db)).toMatchObject({ ok: true })
    const { rows } = await service.database.owner.query(
      "update audit_log set actor = actor || 'x' where id = (select min(id) from audit_log where hash is not null) returning id",
    )
    const changed = await verifyAuditChain(service.database.db)
    await service.database.owner.query('update audit_log set actor = left(actor, -1) where id = $1', [rows[0].id])
    expect(changed).toEqual({ ok: false, id: Number(rows[0].id) })
    expect(await verifyAuditChain(service.database.db)).toMatchObject({ ok: true })
  })

  it('verifies although an answer became known while its row was being chained', async () => {
    const { db, owner } = service.database
    await expect.poll(() => chainAuditLog(db)).toBe(0)
    const unanswered = { tier: 'admin', actor: 'a', action: 'late', outcome: 'allowed', status: null } as const
    const [id] = await insertAuditRows(db, [{ ...unanswered, tenantId: null, scopeId: null, requestId: '-', address: null, detail: {} }])
    await owner.query(`update audit_log set at = at - interval '2 minutes' where id = $1`, [id])
    let finishing: Promise<void> | undefined
    const isWaiting = async () =>
      (await owner.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).rows.length > 0
    /** Between reading the rows and writing their hashes. */
    const answering: Database = {
      ...db,
      engine: work =>
        db.engine(tx =>
          work({
            ...tx,
            run: async (...statement) => {
              let isOver = false
              finishing = finishAuditRows(db, [{ id: id as number, status: 200 }]).finally(() => {
                isOver = true
              })
              await expect.poll(async () => isOver || (await isWaiting())).toBe(true)
              return tx.run(...statement)
            },
          }),
        ),
    }
    expect(await chainAuditLog(answering)).toBeGreaterThan(0)
    await finishing
    expect(await verifyAuditChain(db)).toMatchObject({ ok: true })
  })

  it('is anchored outside once a day, tried again when that fails, and what was rewritten, cut or removed is found', async () => {
    const { db, owner, address } = service.database
    const taken: { length: number; head: string; statement: string }[] = []
    let status = 500
    const receiver = createServer((request, response) => {
      const pieces: Buffer[] = []
      request.on('data', piece => pieces.push(piece))
      request.on('end', () => {
        if (status === 200) taken.push(JSON.parse(Buffer.concat(pieces).toString()))
        response.writeHead(status).end()
      })
    })
    await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
    let nowMs = Date.now()
    const clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs }
    const { port } = receiver.address() as AddressInfo
    const config = { anchorUrl: `http://127.0.0.1:${port}/`, webhookAllowPrivate: true, webhookTimeoutMs: 20_000 }
    const internals = createClient({ url: service.url, internalsKey: service.internalsKey }).internals
    const checkpoint = () => internals.auditCheckpoint()
    const readCheckpoint = await checkpointReader(db)
    const folder = mkdtempSync(join(tmpdir(), 'concord-anchors-'))
    const kept = join(folder, 'kept.jsonl')
    /** With what is kept outside, as the command has it. */
    const verified = async (...checkpoints: string[]) => {
      writeFileSync(kept, `${checkpoints.join('\n')}\n`)
      return verifyAnchors(db, {
        readCheckpoint,
        checkpoints: checkpoints.map((each, place) => ({
          name: `${place + 1}`,
          signed: (JSON.parse(each) as { statement: string }).statement,
        })),
      })
    }
    const entriesGrow = async () => {
      const before = (await checkpoint()).length
      await service.createTenant()
      await expect
        .poll(() =>
          chainAuditLog(db)
            .then(checkpoint)
            .then(({ length }) => length),
        )
        .toBeGreaterThan(before + 1)
    }
    try {
      await expect.poll(() => chainAuditLog(db)).toBe(0)
      const anchor = createAnchoring({ db, clock, config, checkpoint })
      await expect(anchor()).rejects.toThrow('status 500')
      status = 200
      expect(await anchor()).toBe(false)
      nowMs += 60_001
      expect(await anchor()).toBe(true)
      expect(await anchor()).toBe(false)
      expect(taken).toMatchObject([{ length: expect.any(Number), head: expect.stringMatching(/^[0-9a-f]{64}$/) }])
      const outside = JSON.stringify(taken[0])
      // What was sent proves nothing by itself; the copy that the webhook kept does.
      expect(await verified()).toMatchObject({ anchors: 1, last: null, unproved: 1, faults: [] })
      const proved = { anchors: 1, checkpoints: 1, last: { length: taken[0]?.length, by: 'checkpoint' }, unproved: 0, faults: [] }
      expect(await verified(outside)).toMatchObject(proved)
      const walled = createAnchoring({ db, clock, config: { ...config, webhookAllowPrivate: false }, checkpoint })
      nowMs += 25 * 3_600_000
      await entriesGrow()
      await expect(walled()).rejects.toThrow('not public')
      expect(await createAnchoring({ db, clock, config: { ...config, anchorUrl: undefined }, checkpoint })()).toBe(false)
      expect(await anchor()).toBe(true)
      await expect.poll(() => chainAuditLog(db)).toBe(0)

      const faultsAfter = async (change: string, values: unknown[] = [], ...checkpoints: string[]) => {
        await owner.query('begin')
        await owner.query(change, values)
        await owner.query('commit')
        return (await verified(...checkpoints)).faults.map(({ what, fault }) => `${what}: ${fault}`)
      }
      const [first, second] = taken.map(({ length }) => length)
      const was = (await owner.query('select * from audit_anchors where anchor_no = 2')).rows[0]
      const back = `insert into audit_anchors (anchor_no, chain_no, hash, kind, url, proof) overriding system value values (2, $1, $2, 'webhook', $3, $4)`
      // An anchor is removed, or made one of other words.
      expect(await faultsAfter('delete from audit_anchors where anchor_no = 2')).toEqual([
        expect.stringMatching(`^anchor 2: the log says that ${second} entries were anchored, and the anchor is gone`),
      ])
      const forged = { ...was, proof: Buffer.from(taken[0]?.statement ?? '') }
      expect(await faultsAfter(back, [was.chain_no, was.hash, was.url, forged.proof])).toEqual([
        expect.stringMatching(`^anchor 2: the checkpoint that was sent is of ${first} entries`),
      ])
      expect(await faultsAfter('update audit_anchors set proof = $1 where anchor_no = 2', [Buffer.from('made up')])).toEqual([
        expect.stringMatching('^anchor 2: the checkpoint that was sent is not a signed checkpoint'),
      ])
      expect(await faultsAfter('update audit_anchors set proof = $1 where anchor_no = 2', [was.proof])).toEqual([])
      // The log is written anew behind both: who holds the database writes the anchors anew as well, and the copy outside tells.
      await owner.query("update audit_log set hash = repeat('0', 64) where chain_no = $1", [first])
      expect(await faultsAfter('select 1')).toEqual([expect.stringMatching('^anchor 1: entry .* had another hash')])
      expect(await faultsAfter('select 1', [], outside)).toContainEqual(expect.stringMatching('^checkpoint 1: entry .* had another hash'))
      // The old end is cut off by other than the retention.
      await owner.query('delete from audit_log where chain_no <= $1', [first])
      const cut = 'insert into audit_cut (chain_no, hash) values ($1, $2)'
      expect(await faultsAfter(cut, [first, taken[0]?.head])).toEqual([
        `the log: begins behind entry ${first}, and no entry says that its retention cut it there`,
      ])
      expect(await verifyAuditChain(db)).toMatchObject({ ok: true })
      await owner.query("update audit_log set at = at - interval '40 days' where chain_no <= $1", [second])
      expect(await shortenAuditLog(db, 30)).toBe(Number(second) - Number(first))
      expect(await verified(outside)).toMatchObject({ beyond: 2, faults: [] })
      // The new end is cut off.
      const newest = await checkpoint()
      writeFileSync(kept, `${outside}\n${JSON.stringify(newest)}\n`)
      const env = { ...databaseEnv(address), HOME: folder }
      expect((await runConcord(env, 'verify', '--checkpoint', kept)).out).toMatch(
        /2 anchors and 2 checkpoints; the last proof is of \d+ entries, on .*: a checkpoint kept outside says so\.\nSent to a webhook and proved by nothing given here: 1\..*\nOf entries that retention took, so compared with nothing: 2\./,
      )
      // As it is printed, appended to what is kept.
      const keys = { ...env, CONCORD_URL: service.url, CONCORD_INTERNALS_KEY: service.internalsKey }
      for (const flags of [[], ['--json']]) appendFileSync(kept, (await runConcord(keys, 'audit', 'checkpoint', ...flags)).out)
      const appended = await runConcord(env, 'verify', '--checkpoint', kept)
      expect([appended.code, appended.out]).toEqual([0, expect.stringContaining('2 anchors and 4 checkpoints')])
      writeFileSync(kept, `${outside}\n${JSON.stringify(newest)}\nno checkpoint\n`)
      expect((await runConcord(env, 'verify', '--checkpoint', kept)).out).toContain(
        'kept.jsonl, line 3: is not a signed checkpoint: Invalid Compact JWS',
      )
      writeFileSync(kept, `${outside}\n${JSON.stringify(newest)}\n`)
      await owner.query('delete from audit_log where chain_no >= $1 or chain_no is null', [newest.length])
      const found = await runConcord(env, 'verify', '--checkpoint', kept)
      expect(found).toMatchObject({
        code: 1,
        out: expect.stringMatching(/chain\.anchors: .*checkpoint .*kept\.jsonl, line 2: entry \d+ (is gone|had another hash)/),
      })
      expect((await runConcord(env, 'verify', '--checkpoint', join(folder, 'none'))).err).toContain('there is no checkpoint in')
    } finally {
      receiver.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
