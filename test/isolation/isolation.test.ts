import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../../src/platform/logger.js'
import type { Database } from '../../src/store/server/database.js'
import { startTestService, type TestService } from '../support/service.js'
import { watchStatements } from '../support/watched-statements.js'
import { missingLike, type Parties } from './attempts.js'
import { tenantTables } from './catalogue.js'
import { furnish, type Household, settled, sharedScopes } from './household.js'
import { callerOf, runAttempts } from './run-attempts.js'

const proving = process.env['PROVE'] === '1'
const count = Number(process.env['ATTEMPTS'] ?? (proving ? 50_000 : 400))
const seed = Number(process.env['SEED'] ?? 20_260_131)

const ofOthers = 1_000_000_000

/** Statements under the tenant's role, by tenant, while something is recorded. */
const recorded: { tenantId: string; text: string }[] = []
let recording = false

const recordingDatabase = (db: Database): Database =>
  watchStatements(db, ({ text }, tenantId) => {
    if (recording) recorded.push({ tenantId, text })
  })

/** People have sessions; nobody signs in while this runs. */
const signingIn = {
  OIDC_ISSUER: 'https://issuer.invalid',
  OIDC_CLIENT_ID: 'isolation',
  OIDC_REDIRECT_URL: 'http://127.0.0.1:9/desk',
  OIDC_MAPPING: JSON.stringify([{ claim: 'sub', value: 'x', tenant_id: 'ten_0000000000000000000000', rights: ['read'] }]),
}

let service: TestService
let parties: Parties

beforeAll(async () => {
  service = await startTestService({ PUBLIC_AUTH: 'id', ...signingIn }, { wrapDatabase: recordingDatabase })
  await advanceSequences()
  const [attacker, victim] = [await furnish(service), await furnish(service)]
  parties = { attacker, victim, adminKey: service.adminKey, internalsKey: service.internalsKey }
}, 120_000)
afterAll(() => service.stop())

describe('two tenants with the same names for everything', () => {
  it('have what the attempts need: claims, contradictions, decisions, sign-offs, cursors, etags', () => {
    const { victim } = parties
    for (const name of ['documents', 'contradictions', 'decisions', 'signOffs', 'claims', 'keys', 'cursors', 'etags'] as const) {
      expect(victim[name].length, name).toBeGreaterThan(1)
    }
  })

  it('run the same statements for a foreign name and for a missing one', async () => {
    const { attacker, victim } = parties
    const lookups: [name: string, path: (name: string) => string][] = [
      [victim.scope, name => `GET /api/scopes/${name}/summary`],
      [victim.scope, name => `GET /api/scopes/${name}/documents`],
      [victim.scope, name => `GET /api/scopes/${name}/claims`],
      [victim.scope, name => `GET /api/scopes/${name}/contradictions`],
      [victim.scope, name => `GET /api/scopes/${name}/decisions`],
      [victim.scope, name => `GET /api/scopes/${name}/certificate`],
      [victim.scope, name => `GET /api/documents/report?scope_id=${name}`],
      [victim.documents[0] as string, name => `GET /api/documents/${name}?scope_id=alpha`],
      [victim.documents[0] as string, name => `DELETE /api/documents/${name}?scope_id=alpha`],
      [victim.contradictions[0] as string, name => `POST /api/contradictions/${name}/resolution`],
      [victim.decisions[0] as string, name => `POST /api/decisions/${name}/review`],
      [victim.scope, name => `GET /api/scopes/${name}/sign-offs`],
      [victim.scope, name => `POST /api/scopes/${name}/sign-off`],
      [victim.signOffs[0] as string, name => `DELETE /api/scopes/alpha/sign-offs/${name}?by=b&reason=r`],
      [victim.webhooks[0] as string, name => `GET /api/webhooks/${name}`],
      [victim.webhooks[0] as string, name => `DELETE /api/webhooks/${name}`],
      [victim.webhooks[0] as string, name => `GET /api/webhooks/${name}/deliveries`],
    ]
    const statements = async (line: string) => {
      const [method, path] = line.split(' ') as [string, string]
      const verdict = path.endsWith('/sign-off') ? {} : { verdict: path.includes('review') ? 'approve' : 'a' }
      const body = method === 'POST' ? { ...verdict, reason: 'r', by: 'b' } : undefined
      recorded.length = 0
      recording = true
      const answer = await service.call(method, path, { headers: { 'x-tenant-api-key': attacker.key }, body })
      recording = false
      expect(answer.status, line).toBe(404)
      return recorded.filter(entry => entry.tenantId === attacker.tenantId).map(entry => entry.text)
    }
    for (const [name, path] of lookups) {
      const foreign = await statements(path(name))
      expect(foreign.length, path(name)).toBeGreaterThan(0)
      expect(foreign, path(name)).toEqual(await statements(path(missingLike(name))))
    }
  })

  it('cannot name one another in a query', async () => {
    const { attacker, victim } = parties
    const [contradiction, possible, supersession] = [victim.contradictions[0], victim.possibleConflicts[0], victim.supersessions[0]]
    const lines: [path: string, named: Record<string, unknown>][] = [
      ['contradictions/x/resolution', { contradictionId: contradiction }],
      ['possible-conflicts/x/promotion', { findingId: possible }],
      ['possible-conflicts/x/dismissal', { findingId: possible }],
      ['supersessions/x/objection', { findingId: supersession }],
    ]
    for (const [path, named] of lines) {
      const query = new URLSearchParams({ reason: 'r', by: 'b', tenantId: victim.tenantId, ...named } as Record<string, string>)
      const answer = await service.call('DELETE', `/api/${path}?${query}`, { headers: { 'x-tenant-api-key': attacker.key } })
      expect(answer.status, path).toBe(404)
      expect(answer.text).not.toContain(victim.mark)
    }
  })

  it('cannot tell from their cursors how much others do', () => {
    for (const { cursors } of [parties.attacker, parties.victim]) {
      const places = cursors.map(cursor => JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[])
      expect(places.flat().filter(part => typeof part === 'number' && part >= ofOthers)).toEqual([])
    }
  })

  it('see only their own events, live and from the beginning', async () => {
    const { attacker, victim } = parties
    const seen = await Promise.all(sharedScopes.map(scope => followUntil(attacker, scope, 'sentinel')))
    for (const scope of sharedScopes) {
      await Promise.all(Array.from({ length: 10 }, (_none, n) => ingest(victim, scope, `${victim.mark}-live-${n}`)))
      await ingest(attacker, scope, 'sentinel')
    }
    for (const stream of seen) {
      const text = await stream.text
      expect(text).toContain('sentinel')
      expect(text).not.toContain(victim.mark)
      expect(text).not.toContain(victim.tenantId)
    }
  })

  it(
    `keep ${count} attempts of one at the other without a leak, and answer foreign names like missing ones`,
    async () => {
      // Nothing of the victim is under way: only an attack could change it.
      for (const scope of sharedScopes) await settled(service, parties.victim, scope)
      const before = await fingerprint(parties.victim)
      const outcome = await runAttempts({ parties, count, seed, call: callerOf(service) })
      console.log(
        `PROVE isolation attempts=${outcome.attempts} twins=${outcome.twins} leaks=${outcome.leaks.length} differences=${outcome.differences.length} failures=${outcome.failures.length} statuses=${JSON.stringify(outcome.statuses)}`,
      )
      expect(outcome.leaks.slice(0, 5)).toEqual([])
      expect(outcome.differences.slice(0, 5)).toEqual([])
      expect(outcome.failures.slice(0, 5)).toEqual([])
      expect(outcome.attempts).toBe(count)
      expect(outcome.twins).toBeGreaterThan(count / 4)
      // Nor did the attacker change anything.
      expect(await fingerprint(parties.victim)).toEqual(before)
    },
    count * 100 + 60_000,
  )
})

describe('the same attempts, when the wall is broken on purpose', () => {
  it('find the difference when a foreign name is answered with another word', async () => {
    const call = callerOf(service)
    const outcome = await runAttempts({
      parties,
      count: 200,
      seed,
      untilFound: 'differences',
      call: async (request, stream) => {
        const answer = await call(request, stream)
        const foreign = request.path.includes(parties.victim.scope)
        return foreign ? { ...answer, text: answer.text.replace('There is no such', 'You may not see this') } : answer
      },
    })
    expect(outcome.differences.length).toBeGreaterThan(0)
  })

  it('find leaks when a transaction sometimes runs inside the wrong tenant', async () => {
    const { attacker, victim } = parties
    let calls = 0
    const confused = await startTestService(
      { PUBLIC_AUTH: 'id', ROLE: 'api' },
      {
        database: service.database,
        logger: createLogger({ level: 'silent' }),
        wrapDatabase: db => ({
          ...db,
          inTenant: (tenantId, work, options) =>
            db.inTenant(tenantId === attacker.tenantId && ++calls % 3 === 0 ? victim.tenantId : tenantId, work, options),
        }),
      },
    )
    try {
      const outcome = await runAttempts({ parties, count: 300, seed, call: callerOf(confused), untilFound: 'leaks' })
      expect(outcome.leaks.length).toBeGreaterThan(0)
    } finally {
      await confused.stop()
    }
  }, 120_000)
})

/** As if other tenants had done that much of everything that is numbered across tenants. */
async function advanceSequences(): Promise<void> {
  const advanced = await service.database.owner.query(
    "select setval(c.oid, $1) from pg_class c where c.relkind = 'S' and c.relnamespace = 'public'::regnamespace",
    [ofOthers],
  )
  expect(advanced.rowCount).toBeGreaterThan(3)
}

function ingest(who: Household, scope: string, name: string) {
  return service.call('POST', '/api/ingest', {
    headers: { 'x-tenant-id': who.tenantId },
    body: { scope_id: scope, name, text: `${name}.` },
  })
}

/** A digest of every row a tenant owns; leases and turns move with the clock. */
async function fingerprint(who: Household): Promise<Record<string, string>> {
  const { owner } = service.database
  const tables = (await tenantTables(owner)).filter(
    name => !['scope_leases', 'tenant_turns', 'tenant_usage', 'event_horizon'].includes(name),
  )
  // Its rows are added up in the background; their sum stays.
  const usage = await owner.query(
    'select sum(scopes) as scopes, sum(documents) as documents, sum(bytes) as bytes, sum(derived_bytes) as derived from tenant_usage where tenant_id = $1',
    [who.tenantId],
  )
  const digests: Record<string, string> = { tenant_usage: JSON.stringify(usage.rows) }
  for (const table of tables) {
    const { rows } = await owner.query<{ row: string }>(`select t::text as row from ${table} t where tenant_id = $1 order by 1`, [
      who.tenantId,
    ])
    digests[table] = createHash('sha256')
      .update(rows.map(each => each.row).join('\n'))
      .digest('hex')
  }
  return digests
}

async function followUntil(who: Household, scope: string, word: string): Promise<{ text: Promise<string> }> {
  const stop = new AbortController()
  const response = await fetch(`${service.url}/api/scopes/${scope}/events?after=-1`, {
    headers: { 'x-tenant-api-key': who.key },
    signal: stop.signal,
  })
  const read = async () => {
    let text = ''
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString('utf8')
      if (text.includes(word)) break
    }
    stop.abort()
    return text
  }
  return { text: read() }
}
