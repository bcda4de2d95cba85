/**
 * `npm run test:pooler`: the service behind PgBouncer in transaction mode, on the embedded PostgreSQL. Two nodes take in, read and
 * stream documents, halt and go on, one leads, a revoked key ends; then ingest is measured direct and pooled. Needs `pgbouncer`
 * (Debian: `apt-get install pgbouncer`). Ends by itself with one line a check, and with 1 when one fails.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { keyPlace, runLoad } from '../bench/support/load.js'
import { createLogger } from '../src/platform/logger.js'
import { verifyDatabase } from '../src/store/maintenance/verify.js'
import { type DatabaseAddress, loginRoles, rolePassword } from '../src/store/server/connection.js'
import { openDatabase } from '../src/store/server/database.js'
import { startEmbedded } from '../src/store/server/embedded.js'
import { type ConcordProcess, processKeys, startConcord, urlOf } from '../test/support/concord-process.js'
import { freePort } from '../test/support/free-port.js'

const limits = { connectTimeoutMs: 10_000, statementTimeoutMs: 30_000 }
const logger = createLogger({ level: 'error' })
const failures: string[] = []
const admin = { authorization: `Bearer ${processKeys.admin}` }
const folder = mkdtempSync(join(tmpdir(), 'concord-pooler-'))
chmodSync(folder, 0o711)
mkdirSync(join(folder, 'data'), { mode: 0o711 })

const server = await startEmbedded({ dataDir: join(folder, 'data'), logger })
const services: ConcordProcess[] = []
let pooler: ChildProcess | undefined
try {
  // The first start makes the roles that the pooler lets in.
  services.push(await startConcord({ address: server.address, role: 'api' }))
  await services.pop()?.end('SIGTERM')
  const { child, url } = await startPooler(server.address)
  pooler = child
  const env = { DATABASE_URL: url, DATABASE_SESSION_URL: urlOf(server.address), DATABASE_POOLER: 'transaction' }
  for (const role of ['all', 'all'] as const) services.push(await startConcord({ address: server.address, role, env }))
  await checkNodes(services as [ConcordProcess, ConcordProcess])
  await Promise.all(services.splice(0).map(service => service.end('SIGTERM')))
  const [direct, pooled] = [await ingestRate({}), await ingestRate(env)]
  console.log(`RESULT ${JSON.stringify({ direct_per_second: Math.round(direct), pooled_per_second: Math.round(pooled), failures })}`)
  process.exitCode = failures.length === 0 ? 0 : 1
} finally {
  for (const service of services) await service.end('SIGTERM')
  if (pooler !== undefined) {
    pooler.kill('SIGTERM')
    await once(pooler, 'exit')
  }
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

function check(what: string, holds: boolean): void {
  console.log(`${holds ? 'ok' : 'FAILED'}: ${what}`)
  if (!holds) failures.push(what)
}

async function startPooler(address: DatabaseAddress): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort()
  const users = [
    [address.user, address.password],
    ...(['tenant', 'engine'] as const).map(role => [loginRoles[role], rolePassword(address, role)]),
  ]
  const at = (name: string) => join(folder, name)
  writeFileSync(at('users.txt'), users.map(([name, password]) => `"${name}" "${password}"\n`).join(''), { mode: 0o644 })
  writeFileSync(
    at('pgbouncer.ini'),
    `[databases]
${address.database} = host=${address.host} port=${address.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${at('users.txt')}
pool_mode = transaction
default_pool_size = 6
max_client_conn = 200
`,
    { mode: 0o644 },
  )
  const as = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  if (spawnSync('pgbouncer', ['--version']).error !== undefined) throw new Error('pgbouncer is not installed')
  const child = spawn('pgbouncer', [...as, '-q', at('pgbouncer.ini')], { stdio: ['ignore', 'inherit', 'inherit'] })
  const { user, password = '', database } = address
  return { child, url: `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}` }
}

async function call(service: ConcordProcess, method: string, path: string, headers: Record<string, string>, body?: object) {
  const init =
    body === undefined
      ? { method, headers }
      : { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const answer = await fetch(`${service.url}${path}`, init)
  return { status: answer.status, body: (await answer.json().catch(() => ({}))) as Record<string, string & string[]> }
}

async function newTenant(service: ConcordProcess): Promise<{ id: string; headers: Record<string, string> }> {
  const { body } = await call(service, 'POST', '/admin/tenants', admin, { name: 'pooled' })
  return {
    id: body['tenant_id'] as string,
    headers: { 'x-tenant-id': body['tenant_id'] as string, 'x-tenant-api-key': body['api_key'] as string },
  }
}

function answersOf(answers: readonly { status: number; body: { code?: string } }[]): string {
  return [...new Set(answers.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim()))].join(', ')
}

async function checkNodes([one, other]: [ConcordProcess, ConcordProcess]): Promise<void> {
  const { id, headers } = await newTenant(one)
  const sent = await Promise.all(
    Array.from({ length: 100 }, (_none, n) =>
      call(n % 2 ? one : other, 'POST', '/api/ingest', headers, {
        scope_id: `case-${n % 10}`,
        name: `Report ${n}`,
        text: `The output of plant ${n} for FY2025 was ${n} tonnes.`,
      }),
    ),
  )
  check(
    `100 documents are accepted by two nodes (${answersOf(sent)})`,
    sent.every(({ status }) => status === 202),
  )
  const read = await Promise.all(
    sent.map(({ body }) => call(one, 'GET', `/api/documents/${body['document_id']}?scope_id=${body['scope_id']}&wait=30`, headers)),
  )
  check(
    'all of them are indexed',
    read.every(({ body }) => body['status'] === 'indexed'),
  )
  const db = await openDatabase({ address: server.address, limits, tenantPool: 1, enginePool: 1, logger })
  const { broken } = await verifyDatabase(db)
  check('every promise of the log holds', broken.length === 0)
  const { rows } = await db.engineQuery<{ pooled: number; sessions: number; leaders: number }>(
    `select count(*) filter (where application_name <> 'concord leader')::int as pooled, count(*)::int as sessions,
       (select count(*)::int from pg_locks where locktype = 'advisory' and objid = 3 and granted) as leaders
     from pg_stat_activity where usename in ('concord_tenant', 'concord_engine') and pid <> pg_backend_pid()`,
  )
  check(`two nodes share the sessions of the pooler (${rows[0]?.sessions})`, (rows[0]?.sessions ?? 99) <= 2 * 6 + 2 * 2 + 1)
  check('one node leads', rows[0]?.leaders === 1)
  await db.close()
  const paused = await call(one, 'POST', '/admin/runtime/pause', { ...admin, ...headers })
  const resumed = await call(other, 'POST', '/admin/runtime/resume', { ...admin, ...headers })
  check(
    `the runtime is paused by one node and resumed by the other (${answersOf([paused, resumed])})`,
    paused.status === 200 && resumed.status === 200,
  )
  const key = (await call(one, 'POST', `/admin/tenants/${id}/keys`, admin, {})).body
  const presented = { 'x-tenant-api-key': key['api_key'] as string }
  const before = (await call(other, 'GET', '/api/scopes', presented)).status
  await call(one, 'DELETE', `/admin/tenants/${id}/keys/${key['key_id']}`, admin)
  await wait(1000)
  check('a revoked key ends on the other node', before === 200 && (await call(other, 'GET', '/api/scopes', presented)).status === 401)
}

async function ingestRate(env: Record<string, string>): Promise<number> {
  const service = await startConcord({ address: server.address, role: 'api', env })
  services.push(service)
  const { headers } = await newTenant(service)
  const text = 'Revenue for FY2025 was EUR 41.2M. '.repeat(120)
  const bodies = Array.from({ length: 16 }, (_none, n) =>
    JSON.stringify({ scope_id: `case-${n}`, name: 'Annual report', text, idempotency_key: keyPlace }),
  )
  const target = { port: Number(new URL(service.url).port), path: '/api/ingest', headers, bodies }
  const { perSecond } = await runLoad(target, { connections: 64, warmUpMs: 1000, measureMs: 3000 })
  await services.pop()?.end('SIGTERM')
  return perSecond
}
