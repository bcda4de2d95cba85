/** A database of one's own, with an owner that is no superuser, is backed up and restored where transaction ids are lower. */

import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, ReadStream, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { loadConfig } from '../../src/platform/config.js'
import { linesOf } from '../../src/platform/file-lines.js'
import { newTenantId, randomBase62 } from '../../src/platform/ids.js'
import { createLogger } from '../../src/platform/logger.js'
import type { ScopesDeps } from '../../src/scopes/deps.js'
import { lockScope } from '../../src/scopes/idempotent.js'
import { deleteScope } from '../../src/scopes/reset.js'
import { queueFile } from '../../src/store/documents/file-documents.js'
import { appendChunk, chunkBytes } from '../../src/store/documents/files.js'
import { appendServiceEvents } from '../../src/store/events/events.js'
import { readKernelEvents, readLogSnapshot, readTailLagSeconds } from '../../src/store/events/events-reading.js'
import { digestsOf } from '../../src/store/maintenance/backup.js'
import { rowsFile } from '../../src/store/maintenance/backup-rows.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { removeDeletedScopes } from '../../src/store/scopes/reset-removal.js'
import { type DatabaseAddress, withDatabase } from '../../src/store/server/connection.js'
import { connectAsOwner, knownMigrations, migrate } from '../../src/store/server/migrate.js'
import { openStorage, type Storage } from '../../src/store/server/storage.js'
import { feedWebhooks, lastId, readEndpointPage } from '../../src/store/webhooks/webhook-feed.js'
import { documentFor, makeTenant, openIngest } from '../ingest/support.js'
import { dropDatabase } from '../support/clone-database.js'
import { startCuttingProxy } from '../support/cutting-proxy.js'
import { testLimits } from '../support/limits.js'
import { testServer } from '../support/test-server.js'
import { runConcord } from './run-concord.js'

const folder = mkdtempSync(join(tmpdir(), 'concord-rows-'))
const name = `owner_${randomBase62(8).toLowerCase()}`
const made: DatabaseAddress[] = []
const known = knownMigrations()

async function asServerOwner(database: string, sql: string): Promise<void> {
  const owner = await connectAsOwner(withDatabase(testServer(), database), testLimits)
  await owner.query(sql).finally(() => owner.end())
}

/** As docs/operations.md tells an operator to make one. */
async function createOwned(): Promise<{ address: DatabaseAddress; env: Record<string, string> }> {
  const address = withDatabase(testServer(), `rows_${randomBase62(10).toLowerCase()}`)
  await asServerOwner('postgres', `create database ${address.database} owner ${name}`)
  made.push(address)
  const socket = address.host.startsWith('/')
  const url = new URL(`postgres://${name}:secret@${socket ? 'localhost' : address.host}:${address.port}/${address.database}`)
  if (socket) url.searchParams.set('host', address.host)
  return { address, env: { DATABASE_URL: url.href, DATABASE_ROLE_SECRET: address.roleSecret, HOME: folder } }
}

function open(env: Record<string, string>): Promise<Storage> {
  const loaded = loadConfig(env, { readFile: () => undefined })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults))
  return openStorage({
    config: loaded.config,
    logger: createLogger({ level: 'silent' }),
    onLost: error => expect.unreachable(error.message),
  })
}

const typesAfter = async ({ db }: Storage, after = { xid: 0, id: 0 }) => (await readKernelEvents(db, after, 1000)).map(event => event.type)

/** The original of a document, in more than one chunk. */
async function keepFile(db: Storage['db'], tenantId: string, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; at += chunkBytes)
    await db.inTenant(tenantId, tx => appendChunk(tx, 'fil_1', at / chunkBytes, bytes.subarray(at, at + chunkBytes)))
  await db.inTenant(tenantId, async tx => {
    const scope = await lockScope(tx, 'case')
    const file = { fileId: 'fil_1', sha256: randomBytes(32), mediaType: 'application/pdf', bytes: bytes.length, part: null, trace: null }
    await queueFile(tx, scope, {
      documentId: 'file',
      name: 'file.pdf',
      source: null,
      about: null,
      kind: 'pdf',
      isCurrent: () => false,
      file,
    })
  })
}

/** A backup whose line is cut while it waits for the documents. */
async function backUpAndLose({ address, env }: Awaited<ReturnType<typeof createOwned>>) {
  const [owner, line] = [await connectAsOwner(address, testLimits), await startCuttingProxy(address)]
  await owner.query('begin; lock table documents')
  const { host, port } = line.address
  const backingUp = runConcord(
    { ...env, DATABASE_URL: `postgres://${name}:secret@${host}:${port}/${address.database}` },
    'backup',
    join(folder, 'lost'),
  )
  const waiting = "select from pg_locks where relation = 'documents'::regclass and not granted"
  await expect.poll(async () => (await owner.query(waiting)).rowCount).toBe(1)
  await line.close()
  return await backingUp.finally(() => owner.end())
}

/** A copy of which a piece is missing, as its manifest has it. */
async function cutShort(backup: string): Promise<string> {
  const copy = `${backup}-cut`
  cpSync(backup, copy, { recursive: true })
  const [rows, manifest] = [join(copy, rowsFile), join(copy, 'manifest.json')]
  truncateSync(rows, statSync(rows).size - 100)
  const described = JSON.parse(readFileSync(manifest, 'utf8'))
  writeFileSync(manifest, JSON.stringify({ ...described, files: await digestsOf(copy) }))
  return copy
}

beforeAll(() => asServerOwner('postgres', `create role ${name} login createrole password 'secret'`))
afterAll(async () => {
  for (const address of made) await dropDatabase(address)
  await asServerOwner('postgres', `drop role ${name}`)
  rmSync(folder, { recursive: true, force: true })
})

it('restores every row, goes on with the log where it ended, and keeps health good', async () => {
  const [source, target] = [await createOwned(), await createOwned()]
  const migrated = await runConcord(source.env, 'migrate')
  expect(migrated).toMatchObject({
    code: 0,
    out: `The schema is at ${known.length}.\n`,
    err: known.map(({ name }) => `${name}: migration applied\n`).join(''),
  })
  const storage = await open(source.env)
  const tenantId = await makeTenant(storage.db)
  const ingest = openIngest({ db: storage.db, logger: createLogger({ level: 'silent' }) } as Parameters<typeof openIngest>[0])
  for (const key of ['a', 'b', 'c']) await ingest.accept(documentFor(tenantId, 'case', { key }))
  // What ends a line to some readers, and is left as it is by JSON.
  const parted = 'The rent\u2028is EUR 4,000\u2029a month.'
  await ingest.accept(documentFor(tenantId, 'case', { document_id: 'parted', text: parted }))
  await storage.db.engine(tx => appendServiceEvents(tx, tenantId, [{ type: 'runtime.changed', data: {} }]))
  const original = randomBytes(300_000)
  await keepFile(storage.db, tenantId, original)
  // Rows that others refer to are restored before those.
  await asServerOwner(
    source.address.database,
    `insert into policy_sets (tenant_id, hash, policies) values ('${tenantId}', 'h', 'p');
     insert into policy_assignments (tenant_id, scope_no, hash) values ('${tenantId}', 0, 'h');
     insert into webhooks (tenant_id, webhook_id, url, events, cursor_xid, cursor_id) values ('${tenantId}', 'w', 'https://a.invalid', '{*}', '0', 0);
     insert into webhook_secrets (tenant_id, webhook_id, secret_no, secret) values ('${tenantId}', 'w', 1, 'whsec_x');
     insert into claims (tenant_id, scope_no, generation, claim_no, claim_id, document_id, revision, start_at, end_at, slot_hash, subject, subject_hash,
       attribute, confidence, recorded_at, recorded_round, superseded_at, body)
     select tenant_id, 1, 1, 1, 'c', document_id, 1, 0, 1, 7, 'HÄFEN', 1, '', 1, now(), 1, now(), '{}'
       from documents where tenant_id = '${tenantId}' order by document_id limit 1;
     update documents d set former_claims = '{[1,2)}' from claims c where c.tenant_id = d.tenant_id and c.document_id = d.document_id;
     insert into backlog (tenant_id, scope_no, seq, generation, document_id, revision, reread)
       select tenant_id, scope_no, 1000000000000000, generation, document_id, revision, '{}' from documents where tenant_id = '${tenantId}' limit 1`,
  )
  // A cluster that has lived for long: its transaction ids are far ahead of where the rows will go.
  await asServerOwner(source.address.database, 'update events set xid = (xid::text::bigint + 5000000000)::text::xid8')
  const lost = /^concord: Connection terminated unexpectedly: .*\n$/
  expect(await backUpAndLose(source)).toMatchObject({ code: 1, err: expect.stringMatching(lost) })
  const backup = join(folder, 'backup')
  expect(await runConcord(source.env, 'backup', backup, '--json')).toMatchObject({ code: 0 })
  const before = await storage.db.engineQuery('select tenant_id, scope_no, seq, type, xid::text, id from events order by xid, id')
  await storage.close()

  expect(await runConcord(target.env, 'restore', await cutShort(backup))).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^concord: .*rows\.jsonl\.gz .*cannot be unpacked.*\n$/),
  })
  const restored = await runConcord(target.env, 'restore', backup, '--json')
  const { started_at } = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'))
  expect(restored).toMatchObject({ code: 0, json: { as_of: started_at, data_dir: null, scopes: 1, documents: 5, broken: [] } })
  const again = await open(target.env)
  expect((await again.db.engineQuery('select tenant_id, scope_no, seq, type, xid::text, id from events order by xid, id')).rows).toEqual(
    before.rows,
  )
  // By the lower() of the server they are on now.
  const hashed = 'select subject_hash = concord_subject_hash(subject) as hashed from claims'
  expect((await again.db.engineQuery(hashed)).rows).toEqual([{ hashed: true }])
  const pieces = await again.db.engineQuery<{ data: Buffer }>("select data from file_chunks where file_id = 'fil_1' order by chunk_no")
  expect(Buffer.concat(pieces.rows.map(row => row.data)).equals(original)).toBe(true)
  expect((await again.db.engineQuery("select text from documents where document_id = 'parted'")).rows).toEqual([{ text: parted }])
  const types = await typesAfter(again)
  expect(types).toHaveLength(before.rows.length)
  const last = (await readKernelEvents(again.db, { xid: 0, id: 0 }, 1000)).at(-1)!
  const later = openIngest({ db: again.db, logger: createLogger({ level: 'silent' }) } as Parameters<typeof openIngest>[0])
  expect(await later.accept(documentFor(tenantId, 'case', { key: 'a' }))).toMatchObject({ replayed: true })
  await later.accept(documentFor(tenantId, 'case', { key: 'd' }))
  await expect.poll(() => typesAfter(again, last)).toEqual(['document.queued'])
  expect(await readTailLagSeconds(again.db)).toBeLessThan(5)
  expect((await readLogSnapshot(again.db)).xmin).toBeGreaterThan(last.xid)
  expect((await verifyDatabase(again.db)).broken).toEqual([])
  await again.close()

  expect((await runConcord(target.env, 'restore', backup)).err).toContain('never replaces data')
  expect((await runConcord({ ...target.env, DATABASE_URL: '', DATA_DIR: join(folder, 'x') }, 'restore', backup)).err).toContain(
    'backup of a database of DATABASE_URL',
  )
})

it('goes on with the log of what was restored before, and sends what comes to endpoints that were at its end', async () => {
  const [source, first, second, third] = [await createOwned(), await createOwned(), await createOwned(), await createOwned()]
  const storage = await open(source.env)
  const tenantId = await makeTenant(storage.db)
  const tell = ({ db }: Storage, n: number) =>
    db.engine(tx => appendServiceEvents(tx, tenantId, [{ type: 'runtime.changed', data: { n } }]))
  await tell(storage, 1)
  // An endpoint at rest and the feed of all stand where the log ended, far behind its newest event.
  await asServerOwner(
    source.address.database,
    `insert into webhooks (tenant_id, webhook_id, url, events, cursor_xid, cursor_id, due_at)
       values ('${tenantId}', 'w', 'https://a.invalid', '{*}', '5000000000', ${lastId}, null);
     update webhook_feed set xid = '5000000000', id = ${lastId}`,
  )
  const [once, twice] = [join(folder, 'once'), join(folder, 'twice')]
  expect(await runConcord(source.env, 'backup', once)).toMatchObject({ code: 0 })
  await storage.close()
  expect(await runConcord(first.env, 'restore', once, '--json')).toMatchObject({ code: 0, json: { broken: [] } })
  const restored = await open(first.env)
  await tell(restored, 2)
  const cursor = { xid: 5_000_000_000, id: lastId }
  const filter = { tenantId, events: ['*'], scopes: null }
  const page = () => readEndpointPage(restored.db, filter, cursor, { most: 10, look: 10 })
  await expect.poll(async () => (await page()).events.map(({ data }) => data)).toEqual(['{"n":2}'])
  await feedWebhooks(restored.db, 100)
  expect((await restored.db.engineQuery('select due_at is not null as due from webhooks')).rows).toEqual([{ due: true }])
  expect(await runConcord(first.env, 'backup', twice)).toMatchObject({ code: 0 })
  const { xmin } = await readLogSnapshot(restored.db)
  await restored.close()
  const described = JSON.parse(readFileSync(join(twice, 'manifest.json'), 'utf8'))
  expect(described.log_end).toBeLessThanOrEqual(xmin)
  expect(described.log_end).toBeGreaterThan(cursor.xid)

  // The base came along with the rows, and the cluster is far enough by it.
  expect(await runConcord(second.env, 'restore', twice, '--json')).toMatchObject({ code: 0, json: { broken: [] } })
  const again = await open(second.env)
  const last = (await readKernelEvents(again.db, { xid: 0, id: 0 }, 10)).at(-1)!
  await tell(again, 3)
  await expect.poll(async () => (await readKernelEvents(again.db, last, 10)).map(({ data }) => data)).toEqual(['{"n":3}'])
  expect((await verifyDatabase(again.db)).broken).toEqual([])
  await again.close()

  // Readers were far ahead of the newest event.
  writeFileSync(join(twice, 'manifest.json'), JSON.stringify({ ...described, log_end: 6_000_000_000 }))
  expect(await runConcord(third.env, 'restore', twice, '--json')).toMatchObject({ code: 0, json: { broken: [] } })
  const ahead = await open(third.env)
  await tell(ahead, 4)
  const read = async () => (await readKernelEvents(ahead.db, { xid: 6_000_000_000 - 1, id: lastId }, 10)).map(({ data }) => data)
  await expect.poll(read).toEqual(['{"n":4}'])
  await ahead.close()
})

it('gives no new scope the number of a deleted one', async () => {
  const [source, target] = [await createOwned(), await createOwned()]
  const storage = await open(source.env)
  const tenantId = await makeTenant(storage.db)
  const accept = (db: Storage['db'], scopeId: string) =>
    openIngest({ db, logger: createLogger({ level: 'silent' }) } as Parameters<typeof openIngest>[0]).accept(documentFor(tenantId, scopeId))
  await accept(storage.db, 'kept')
  await accept(storage.db, 'gone')
  await deleteScope({ db: storage.db, hints: { notify: () => undefined } } as unknown as ScopesDeps, { tenantId, scopeId: 'gone' })
  const backup = join(folder, 'deleted')
  expect(await runConcord(source.env, 'backup', backup, '--json')).toMatchObject({ code: 0 })
  await storage.close()

  expect(await runConcord(target.env, 'restore', backup, '--json')).toMatchObject({ code: 0 })
  const { db, close } = await open(target.env)
  await accept(db, 'fresh')
  await removeDeletedScopes(db, { batchRows: 1000, batches: 1000 })
  const documents = 'select s.scope_id from documents d join scopes s using (tenant_id, scope_no) order by 1'
  expect((await db.engineQuery(documents)).rows).toEqual([{ scope_id: 'fresh' }, { scope_id: 'kept' }])
  await accept(db, 'gone')
  expect((await verifyDatabase(db)).broken).toEqual([])
  await close()

  // A later migration changes rows that are there: one that ran before these came is not run again.
  const ahead = await createOwned()
  await runConcord(ahead.env, 'migrate')
  const further = known.length + 1
  await asServerOwner(ahead.address.database, `insert into schema_migrations values (${further}, '000${further}_further', '', true)`)
  expect((await runConcord(ahead.env, 'restore', backup)).err).toContain(
    `at schema ${further} already, and the backup is of schema ${known.length}`,
  )
})

it('restores what an older version backed up, and brings it to the schema of this one', async () => {
  const [source, target] = [await createOwned(), await createOwned()]
  const address = { ...source.address, user: name, password: 'secret' }
  await migrate({ address, limits: testLimits, logger: createLogger({ level: 'silent' }), migrations: known.slice(0, 1) })
  const tenantId = newTenantId()
  await asServerOwner(source.address.database, `insert into tenants (tenant_id, name) values ('${tenantId}', 'older')`)
  const backup = join(folder, 'older')
  expect(await runConcord(source.env, 'backup', backup, '--json')).toMatchObject({ code: 0, json: { schema: 1 } })
  expect(await runConcord(target.env, 'restore', backup, '--json')).toMatchObject({ code: 0, json: { broken: [] } })
  expect((await runConcord(target.env, 'migrate')).out).toBe(`The schema is at ${known.length}.\n`)
  const { db, close } = await open(target.env)
  expect((await db.engineQuery('select name from tenants where tenant_id = $1', [tenantId])).rows).toEqual([{ name: 'older' }])
  await close()
})

it('reads the lines of a file one after the other, whatever they hold', async () => {
  const path = join(folder, 'lines')
  const line = `{"text":"\u2028${'x'.repeat(16_000)}\u2029"}`
  writeFileSync(path, `${line}\n`.repeat(200))
  const reading = vi.spyOn(ReadStream.prototype, '_read')
  for await (const first of linesOf(path)) {
    expect(first).toBe(line)
    break
  }
  // Of fifty pieces.
  expect(reading.mock.calls.length).toBeLessThan(5)
  reading.mockRestore()
  await expect(linesOf(join(folder, 'none')).next()).rejects.toMatchObject({ code: 'ENOENT' })
  writeFileSync(path, 'x'.repeat(200_000))
  await expect(linesOf(path, 10_000).next()).rejects.toThrow('longer than any that was written')
})
