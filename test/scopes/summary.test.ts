import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getCertificate, getJwks } from '../../src/scopes/certificates/certificate-view.js'
import { verifyCertificate, verifyCertificateChain } from '../../src/scopes/certificates/certificates.js'
import { createCertify } from '../../src/scopes/certificates/certify.js'
import { openSigningKeys } from '../../src/scopes/certificates/signing-keys.js'
import { attachDocument } from '../../src/scopes/documents/attach.js'
import { triggerIngest } from '../../src/scopes/documents/trigger.js'
import { resolveContradiction } from '../../src/scopes/findings/resolution.js'
import { convergencePayload } from '../../src/scopes/kernel-convergence.js'
import { getMetrics } from '../../src/scopes/metrics.js'
import { getSummary } from '../../src/scopes/summary.js'
import { openWorld, readDocument, type World } from './support.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

describe('the summary', () => {
  it('of an empty scope has safe defaults', async () => {
    const scope = await world.newScope(await world.newTenant(), 'empty')
    const { body } = await getSummary(world.deps, scope)
    expect(body).toMatchObject({
      round: 0,
      last_seq: null,
      runtime: { state: 'running', service: 'running', tenant: 'running', scope: 'running' },
      documents: { total: 0 },
      claims: { live: 0, superseded: 0, total: 0 },
      contradictions: { open: 0, resolved: 0, dismissed: 0, items: [] },
      drift: null,
      finality: { status: 'active' },
      convergence: {
        round: 0,
        value: 0,
        goal_score: 1,
        rate: null,
        bottleneck: null,
        dimensions: { claim_confidence: { score: 1, threshold: 0.5 } },
      },
      certificate: null,
    })
  })

  it('has everything on one page, open contradictions first and the most severe on top', async () => {
    const scope = await world.newScope(await world.newTenant(), 'full')
    const one = await readDocument(world, scope, {
      documentId: 'one',
      claims: [
        { slot: 'revenue', value: '1' },
        { slot: 'costs', value: '2' },
      ],
      goals: [
        { what: 'done', done: true },
        { what: 'todo', done: false },
      ],
      risks: [
        { what: 'small', level: 'low' },
        { what: 'big', level: 'critical' },
      ],
    })
    const [revenue = '', costs = ''] = one.claimIds
    const two = await readDocument(world, scope, {
      documentId: 'two',
      claims: [
        { slot: 'revenue', value: '3' },
        { slot: 'costs', value: '4' },
      ],
      contradictions: [
        { a: revenue, b: 0, severity: 'low' },
        { a: costs, b: 1, severity: 'critical' },
        { a: costs, b: 0, severity: 'medium' },
      ],
    })
    await resolveContradiction(world.deps, {
      tenantId: scope.tenantId,
      contradictionId: two.contradictionIds[2] ?? '',
      verdict: 'dismiss',
      reason: 'no',
      by: 'p',
    })
    await attachDocument(world.deps, scope, { name: 'x', text: 'x' })
    const { body } = await getSummary(world.deps, scope)
    expect(body).toMatchObject({
      documents: { total: 3, indexed: 2, attached: 1 },
      claims: { live: 4, superseded: 0, total: 4 },
      goals: { total: 2, done: 1 },
      risks: { total: 2, low: 1, critical: 1 },
      contradictions: { open: 2, resolved: 0, dismissed: 1, open_critical: 1 },
      convergence: { round: 3 },
      drift: { round: 3 },
    })
    expect(body?.contradictions.items.map(item => [item.status, item.severity])).toEqual([
      ['open', 'critical'],
      ['open', 'low'],
      ['dismissed', 'medium'],
    ])
    expect(body?.contradictions.items[0]).toMatchObject({ a: { quote: '2' }, b: { quote: '4' } })
    expect(body?.goals.items.map(goal => goal.what)).toEqual(['todo', 'done'])
    expect(body?.risks.items.map(risk => risk.what)).toEqual(['big', 'small'])
    expect(body?.finality.gates.length).toBeGreaterThan(3)
    expect(body?.finality.gates[0]).toMatchObject({
      gate: expect.any(String),
      ok: expect.any(Boolean),
      needs: expect.any(String),
      how: expect.any(String),
    })
    expect(body?.decisions[0]?.seq).toBeGreaterThan(body?.decisions.at(-1)?.seq ?? 0)
    expect(JSON.stringify(body)).not.toContain('scope_no')
  })

  it('has a tag that holds until something changes', async () => {
    const scope = await world.newScope(await world.newTenant(), 'tag')
    const first = await getSummary(world.deps, scope)
    expect(await getSummary(world.deps, { ...scope, ifNoneMatch: first.etag })).toEqual({ etag: first.etag, body: null })
    expect((await getSummary(world.deps, { ...scope, ifNoneMatch: `"other", W/${first.etag}` })).body).toBeNull()
    await attachDocument(world.deps, scope, { name: 'x', text: 'x' })
    const second = await getSummary(world.deps, { ...scope, ifNoneMatch: first.etag })
    expect(second.body).not.toBeNull()
    await world.owner.query(`insert into runtime_states (tenant_id, scope_no, state) values ($1, 0, 'paused')`, [scope.tenantId])
    const third = await getSummary(world.deps, { ...scope, ifNoneMatch: second.etag })
    expect(third.body).toMatchObject({ runtime: { state: 'paused', tenant: 'paused', scope: 'running' } })
  })

  it('is not there for another tenant', async () => {
    await world.newScope(await world.newTenant(), 'mine')
    const other = { tenantId: await world.newTenant(), scopeId: 'mine' }
    await expect(getSummary(world.deps, other)).rejects.toMatchObject({ code: 'SCOPE_NOT_FOUND' })
    await expect(getMetrics(world.deps, other)).rejects.toMatchObject({ code: 'SCOPE_NOT_FOUND' })
    await expect(getCertificate(world.deps, other)).rejects.toMatchObject({ code: 'SCOPE_NOT_FOUND' })
  })
})

describe('metrics', () => {
  it('count what happened in the period, and nothing outside it', async () => {
    const scope = await world.newScope(await world.newTenant(), 'numbers')
    await readDocument(world, scope, {
      documentId: 'one',
      claims: [
        { slot: 'a', value: '1' },
        { slot: 'b', value: '2' },
      ],
    })
    await readDocument(world, scope, { documentId: 'two', claims: [{ slot: 'c', value: '3' }] })
    await attachDocument(world.deps, scope, { name: 'x', text: 'x', document_id: 'x' })
    await triggerIngest(world.deps, scope)
    const { body } = await getMetrics(world.deps, scope)
    expect(body).toMatchObject({
      throughput: { received: 3, indexed: 2, held: 0, claims: 3 },
      queue: { depth: 1, processing: 0 },
      retries: 0,
      dead_letters: { period: 0, now: 0 },
      extractors: [{ extractor: 'by-hand', version: '1', documents: 2, claims: 3, input_tokens: 0, output_tokens: 0 }],
      convergence: { rounds: 2, from: { round: 1 }, to: { round: 2 } },
      sample: { documents: 2, complete: true },
    })
    expect(body?.latency['extract']).toMatchObject({ count: 2, p50_ms: 3, max_ms: 3 })
    expect(body?.latency['total']?.count).toBe(2)
    expect(body?.queue.oldest_age_seconds).toBeGreaterThanOrEqual(0)
    const past = await getMetrics(world.deps, { ...scope, from: '2001-01-01T00:00:00Z', to: '2001-01-02T00:00:00Z' })
    expect(past.body).toMatchObject({ throughput: { received: 0, indexed: 0 }, convergence: { rounds: 0, change: null }, latency: {} })
    expect(
      (await getMetrics(world.deps, { ...scope, from: '2001-01-01T00:00:00Z', to: '2001-01-02T00:00:00Z', ifNoneMatch: past.etag })).etag,
    ).toBe(past.etag)
    const backwards = getMetrics(world.deps, { ...scope, from: '2001-01-02T00:00:00Z', to: '2001-01-01T00:00:00Z' })
    await expect(backwards).rejects.toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ pointer: '/query/from' }] })
  })
})

describe('convergence of all scopes', () => {
  it('comes worst pressure first, filtered and paged, and for one scope with its history', async () => {
    const tenantId = await world.newTenant()
    const calm = await world.newScope(tenantId, 'calm')
    const tense = await world.newScope(tenantId, 'tense')
    await world.newScope(tenantId, 'empty')
    await readDocument(world, calm, { documentId: 'one', claims: [{ slot: 'a', value: '1', confidence: 0.95 }] })
    await readDocument(world, tense, { documentId: 'one', claims: [{ slot: 'a', value: '1', confidence: 0.2 }] })
    await readDocument(world, tense, { documentId: 'two', claims: [{ slot: 'b', value: '1', confidence: 0.2 }] })
    const all = await convergencePayload(world.deps, { tenant_id: tenantId })
    expect(all.items.map(item => item.scope_id)).toEqual(['tense', 'calm', 'empty'])
    expect(all.scopes).toBe(3)
    expect(Object.values(all.by_finality).reduce((sum, count) => sum + count, 0)).toBe(3)
    const first = await convergencePayload(world.deps, { tenant_id: tenantId, limit: 2 })
    const second = await convergencePayload(world.deps, { tenant_id: tenantId, limit: 2, cursor: first.next ?? '' })
    expect([...first.items, ...second.items].map(item => item.scope_id)).toEqual(['tense', 'calm', 'empty'])
    expect(Buffer.from(first.next ?? '', 'base64url').toString()).not.toContain('scope_no')
    const one = await convergencePayload(world.deps, { tenant_id: tenantId, scope_id: 'tense', limit: 1 })
    expect(one).toMatchObject({ scopes: 1, items: [{ tenant_id: tenantId, scope_id: 'tense' }] })
    expect(one.history?.items).toMatchObject([{ round: 2, kind: 'document', document_id: 'two' }])
    const older = await convergencePayload(world.deps, { tenant_id: tenantId, scope_id: 'tense', limit: 1, cursor: one.next ?? '' })
    expect(older.history?.items).toMatchObject([{ round: 1, document_id: 'one' }])
    expect(one.gates?.length).toBeGreaterThan(3)
    const missing = convergencePayload(world.deps, { tenant_id: tenantId, scope_id: 'none' })
    await expect(missing).rejects.toMatchObject({ code: 'SCOPE_NOT_FOUND' })
    await expect(convergencePayload(world.deps, { cursor: first.next ?? '' })).rejects.toMatchObject({ code: 'CURSOR_INVALID' })
    expect((await convergencePayload(world.deps, { tenant_id: tenantId, finality: 'resolved' })).items).toEqual([])
  })
})

describe('a case that settles', () => {
  it('is certified when it is resolved, and reopened by new evidence', async () => {
    const keys = await openSigningKeys({ db: world.db, hints: world.deps.hints, logger: world.logger, given: undefined })
    const settled: World = {
      ...world,
      deps: { ...world.deps, certify: createCertify({ issuer: 'concord', signingKey: () => keys.current() }) },
    }
    const scope = await world.newScope(await world.newTenant(), 'settles')
    await expect(getCertificate(world.deps, scope)).rejects.toMatchObject({ code: 'CERTIFICATE_NOT_FOUND' })
    const issuer = await readDocument(settled, scope, {
      documentId: 'issuer',
      claims: [{ slot: 'revenue', value: '41.2', confidence: 0.95 }],
    })
    const auditor = await readDocument(settled, scope, {
      documentId: 'auditor',
      claims: [{ slot: 'revenue', value: '33.9', confidence: 0.95 }],
      contradictions: [{ a: issuer.claimIds[0] ?? '', b: 0 }],
    })
    expect((await getSummary(settled.deps, scope)).body?.finality.status).not.toBe('resolved')
    const contradictionId = auditor.contradictionIds[0] ?? ''
    await resolveContradiction(settled.deps, { tenantId: scope.tenantId, contradictionId, verdict: 'b', reason: 'Audited.', by: 'ann' })
    for (const note of [1, 2, 3, 4, 5]) {
      await readDocument(settled, scope, { documentId: `note-${note}`, claims: [{ slot: 'revenue', value: '33.9', confidence: 0.95 }] })
    }
    const { body } = await getSummary(settled.deps, scope)
    expect(body).toMatchObject({ finality: { status: 'resolved' }, certificate: { status: 'current', superseded_at: null } })
    const certificate = await getCertificate(settled.deps, scope)
    const jwks = await getJwks(world.db)
    const verdict = await verifyCertificate(certificate.certificate, jwks as Parameters<typeof verifyCertificate>[1])
    expect(verdict).toMatchObject({
      ok: true,
      payload: { scope_id: 'settles', status: 'resolved', documents: { count: 7 }, round: body?.round },
    })
    const { rows } = await world.owner.query('select certificate from certificates where tenant_id = $1 order by round', [scope.tenantId])
    const chain = await verifyCertificateChain(
      rows.map(row => row.certificate),
      jwks as Parameters<typeof verifyCertificate>[1],
    )
    expect(chain.every(link => link.ok)).toBe(true)
    await readDocument(settled, scope, {
      documentId: 'challenge',
      claims: [{ slot: 'revenue', value: '12.0', confidence: 0.95 }],
      contradictions: [{ a: auditor.claimIds[0] ?? '', b: 0, severity: 'critical' }],
    })
    expect((await getSummary(settled.deps, scope)).body?.finality.status).not.toBe('resolved')
    expect(await getCertificate(settled.deps, scope)).toMatchObject({ status: 'superseded', certificate_id: certificate.certificate_id })
    keys.close()
  })
})

describe('signing keys', () => {
  it('are made once, however many nodes start together, and stay listed after rotation', async () => {
    const own = await openWorld()
    const open = () => openSigningKeys({ db: own.db, hints: own.deps.hints, logger: own.logger, given: undefined })
    const nodes = await Promise.all([open(), open(), open()])
    expect(new Set(nodes.map(node => node.current().kid)).size).toBe(1)
    const first = nodes[0]?.current().kid
    const noticed = new Promise<void>(resolve => {
      const stop = own.deps.hints.subscribe('keys', () => {
        stop()
        resolve()
      })
    })
    const rotated = await nodes[0]?.rotate()
    await noticed
    await expect.poll(() => nodes[1]?.current().kid).toBe(rotated?.kid)
    const { keys } = await getJwks(own.db)
    expect(keys.map(key => key['kid']).sort()).toEqual([first, rotated?.kid].sort())
    expect(JSON.stringify(keys)).not.toContain('"d"')
    const { rows } = await own.owner.query('select count(*)::int as n from signing_keys where private_jwk is not null')
    expect(rows).toEqual([{ n: 1 }])
    const given = nodes[0]?.current().privateJwk
    const fixed = await openSigningKeys({ db: own.db, hints: own.deps.hints, logger: own.logger, given: JSON.stringify(given) })
    expect(fixed.current().kid).toBe(rotated?.kid)
    await expect(fixed.rotate()).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    const broken = openSigningKeys({ db: own.db, hints: own.deps.hints, logger: own.logger, given: 'nonsense' })
    await expect(broken).rejects.toMatchObject({ name: 'StartupError' })
    for (const node of nodes) node.close()
    await own.close()
  })

  it('are out of reach for tenants', async () => {
    const tenantId = await world.newTenant()
    await expect(world.db.inTenant(tenantId, tx => tx.query({ text: 'select private_jwk from signing_keys' }))).rejects.toThrow()
  })
})
