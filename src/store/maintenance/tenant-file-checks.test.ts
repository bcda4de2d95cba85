import { describe, expect, it } from 'vitest'
import { scopeWith, walk } from '../../../test/kernel/builders.js'
import { eventKinds } from '../../contract/events.js'
import { TenantLimits } from '../../contract/tenants.js'
import { generateSigningKey } from '../../scopes/certificates/certificates.js'
import { faultOfRow, limitNames } from './tenant-file-checks.js'

const tenant = {
  tenant_id: 'ten_1',
  name: 'Northwind',
  weight: 1,
  concurrent_scopes: 64,
  limits: {},
  created_at: '2026-03-01T10:00:00.1+00:00',
}

describe('the row of a tenant', () => {
  it('may have every limit an operator can set', () => {
    expect([...limitNames, 'concurrent_scopes', 'weight'].sort()).toEqual(Object.keys(TenantLimits.properties).sort())
    for (const limit of [null, 0, 1_000_000_000_000]) {
      expect(faultOfRow('tenants', { ...tenant, limits: Object.fromEntries(limitNames.map(name => [name, limit])) })).toBeNull()
    }
  })

  it.each([
    [{ limits: { requests_per_second: 'x' } }, 'limit requests_per_second'],
    [{ limits: { bytes: 1.5 } }, 'limit bytes'],
    [{ limits: { documents: -1 } }, 'limit documents'],
    [{ limits: { scopes: 1e13 } }, 'limit scopes'],
    [{ limits: { pages: 1 } }, '"pages"'],
    [{ limits: [] }, 'limits'],
    [{ limits: null }, 'limits'],
    [{ weight: 0 }, 'weight'],
    [{ concurrent_scopes: '64' }, 'concurrent_scopes'],
    [{ name: '' }, 'name'],
    [{ created_at: 'infinity' }, 'created'],
  ])('is refused with %j', (change, named) => {
    expect(faultOfRow('tenants', { ...tenant, ...change })).toContain(named)
  })
})

describe('a key of a tenant', () => {
  it('expires never, or at a time', () => {
    for (const expires_at of [null, '2026-03-01T10:00:00+00:00']) expect(faultOfRow('tenant_keys', { expires_at })).toBeNull()
    expect(faultOfRow('tenant_keys', { expires_at: 'infinity' })).toContain('expires')
  })
})

describe('an event', () => {
  const event = { type: 'document.queued', data: { document_id: 'd', revision: 1 }, time: '2026-03-01T10:00:00.1+00:00' }

  it('may be of every kind that a tenant has', () => {
    const refused = eventKinds.filter(type => faultOfRow('events', { ...event, type }) !== null)
    expect(refused).toEqual(eventKinds.filter(type => /^(worker|tenant|stream)\./.test(type)))
    for (const data of [{}, { generation: 2 }, { revision: null }]) expect(faultOfRow('events', { ...event, data })).toBeNull()
  })

  it.each([
    [{ type: 'a\n\nid: x\nevent: tenant.removed' }, 'kind'],
    [{ type: 'scope.reset\n' }, 'kind'],
    [{ type: 'tenant.removed', data: { tenant_id: 'ten_2' } }, 'kind'],
    [{ type: null }, 'kind'],
    [{ data: null }, 'data'],
    [{ data: ['x'] }, 'data'],
    [{ data: '{}' }, 'data'],
    [{ data: { revision: 'x' } }, 'revision'],
    [{ data: { revision: 1.5 } }, 'revision'],
    [{ data: { revision: 3e9 } }, 'revision'],
    [{ type: 'scope.reset', data: { generation: 'x' } }, 'generation'],
    [{ time: 'infinity' }, 'time'],
    [{ time: null }, 'time'],
  ])('is refused with %j', (change, named) => {
    expect(faultOfRow('events', { ...event, ...change })).toContain(named)
  })
})

describe('the figures of a case', () => {
  const [{ point, verdict, drift }] = walk([scopeWith({ risks: { high: 1 } })]) as [ReturnType<typeof walk>[number]]
  const state = {
    aggregates: scopeWith(),
    drift,
    convergence: point,
    gates: verdict.gates,
    policy_hashes: ['0a'],
    readers: { 'rules-26': 3 },
  }

  const input = {
    aggregates: scopeWith(),
    workload: { queued: 0, processing: 1, held: 0 },
    examination: { signers: 0, readByEye: 0, unexamined: 0 },
  }

  it('come in as rounds write them', () => {
    expect(faultOfRow('scope_states', state)).toBeNull()
    expect(faultOfRow('scope_states', { ...state, drift: null, convergence: null, gates: [], policy_hashes: [], readers: {} })).toBeNull()
    expect(faultOfRow('scope_states', { ...state, aggregates: { ...scopeWith(), contradictionsByModel: 1 } })).toBeNull()
    expect(faultOfRow('rounds', { point, input })).toBeNull()
  })

  it.each([
    ['aggregates', null],
    ['aggregates', {}],
    ['aggregates', { ...scopeWith(), claimsLive: -1 }],
    ['aggregates', { ...scopeWith(), goalsDone: '0' }],
    ['aggregates', { ...scopeWith(), risks: { low: 1 } }],
    ['drift', { ...drift, level: 'wild' }],
    ['drift', []],
    ['convergence', {}],
    ['convergence', { ...point, scores: { claim_confidence: 1 } }],
    ['convergence', { ...point, bottleneck: 'mood' }],
    ['gates', {}],
    ['gates', [{ ...verdict.gates[0], ok: 1 }]],
    ['policy_hashes', [1]],
    ['readers', []],
    ['readers', { 'rules-26': '3' }],
  ])('are refused with %s as %j', (column, value) => {
    expect(faultOfRow('scope_states', { ...state, [column]: value })).toContain(`${column} of scope_states`)
  })

  it('have a history of points', () => {
    for (const broken of [undefined, null, { ...point, round: null }])
      expect(faultOfRow('rounds', { point: broken, input })).toContain('point')
    for (const broken of [undefined, { ...input, examination: undefined }, { ...input, workload: { queued: 0 } }])
      expect(faultOfRow('rounds', { point, input: broken })).toContain('input')
  })
})

describe('a signing key', () => {
  it('is an Ed25519 key named by its thumbprint', async () => {
    const { kid, publicJwk, privateJwk } = await generateSigningKey()
    const other = await generateSigningKey()
    expect(faultOfRow('signing_keys', { kid, public_jwk: publicJwk })).toBeNull()
    const { x = '' } = publicJwk
    for (const row of [
      { kid: other.kid, public_jwk: publicJwk },
      { kid, public_jwk: { ...publicJwk, kid: other.kid } },
      { kid: other.kid, public_jwk: { ...publicJwk, kid: other.kid } },
      { kid, public_jwk: { ...publicJwk, x: other.publicJwk.x } },
      { kid, public_jwk: { ...publicJwk, x: `${x}=` } },
      { kid, public_jwk: { ...publicJwk, crv: 'X25519' } },
      { kid, public_jwk: privateJwk },
      { kid, public_jwk: null },
      { kid },
    ]) {
      expect(faultOfRow('signing_keys', row)).toContain('thumbprint')
    }
  })
})
