import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyChain } from '../../src/kernel/decision-record.js'
import { listClaims } from '../../src/scopes/claims.js'
import { listDecisions } from '../../src/scopes/decisions.js'
import { listContradictions } from '../../src/scopes/findings/contradictions.js'
import { reportContradiction } from '../../src/scopes/findings/report.js'
import { resolveContradiction } from '../../src/scopes/findings/resolution.js'
import { countedFigures, eventsOf, openWorld, readDocument, type World } from './support.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const revenue = (value: string) => ({ slot: 'revenue', value, quote: `Revenue was ${value}.`, from: '2025-01-01', to: '2026-01-01' })

/** Two notes say 41.2, an auditor says 33.9. */
async function disputed(scopeId: string) {
  const scope = await world.newScope(await world.newTenant(), scopeId)
  const one = await readDocument(world, scope, { documentId: 'report', claims: [revenue('41.2')] })
  const two = await readDocument(world, scope, { documentId: 'note', claims: [revenue('41.2')] })
  const [a = '', support = ''] = [one.claimIds[0], two.claimIds[0]]
  const audit = await readDocument(world, scope, {
    documentId: 'audit',
    claims: [revenue('33.9')],
    contradictions: [{ a, b: 0, supportersA: [support] }],
  })
  return { scope, a, support, b: audit.claimIds[0] ?? '', id: audit.contradictionIds[0] ?? '' }
}

describe('claims', () => {
  it('come with the exact quote, its offsets, and the value as text and as data', async () => {
    const scope = await world.newScope(await world.newTenant(), 'quotes')
    await readDocument(world, scope, { documentId: 'd', claims: [{ ...revenue('41.2'), confidence: 0.83 }] })
    const { items } = await listClaims(world.deps, scope)
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({
      document_id: 'd',
      quote: 'Revenue was 41.2.',
      start: 2,
      end: 19,
      value: '41.2',
      normalized: { type: 'money', currency: 'EUR' },
      unit: 'EUR',
      period: 'FY2025',
      role: 'actual',
      polarity: 'affirmed',
      confidence: 0.83,
      valid_from: '2025-01-01',
      valid_to: '2026-01-01',
      superseded_at: null,
      superseded_by: null,
    })
  })

  it('are filtered by state, document, subject, attribute and valid time', async () => {
    const scope = await world.newScope(await world.newTenant(), 'filters')
    const { claimIds } = await readDocument(world, scope, { documentId: 'd1', claims: [revenue('1'), { slot: 'costs', value: '2' }] })
    await readDocument(world, scope, { documentId: 'd2', claims: [revenue('3')], supersedes: [{ claimId: claimIds[0] ?? '', by: 0 }] })
    const values = async (filter: object) => (await listClaims(world.deps, { ...scope, ...filter })).items.map(item => item.value)
    expect(await values({})).toEqual(['2', '3'])
    expect(await values({ state: 'superseded' })).toEqual(['1'])
    expect(await values({ state: 'all' })).toEqual(['1', '2', '3'])
    expect(await values({ state: 'all', documentId: 'd1' })).toEqual(['1', '2'])
    expect(await values({ documentId: 'none' })).toEqual([])
    expect(await values({ attribute: 'COSTS' })).toEqual(['2'])
    expect(await values({ subject: 'aurelia', attribute: 'revenue' })).toEqual(['3'])
    expect(await values({ attribute: 'revenue', asOf: '2025-06-30' })).toEqual(['3'])
    expect(await values({ attribute: 'revenue', asOf: '2026-01-01' })).toEqual([])
    expect(await values({ attribute: 'revenue', asOf: '2025-12-31T23:30:00-23:59' })).toEqual([])
    expect(await values({ knownAt: '0000-01-01T00:00:00Z' })).toEqual([])
    expect(await values({ knownAt: '9999-12-31T23:59:59-23:59' })).toEqual(['2', '3'])
    await expect(values({ knownAt: '2016-12-31T23:59:60Z' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    expect(await values({ subject: 'a\0' })).toEqual([])
  })

  it('tell what was known at an instant, also when claims were retired and revived since', async () => {
    const { scope, a, b, id } = await disputed('known')
    const known = async (knownAt: string) => (await listClaims(world.deps, { ...scope, knownAt })).items.map(item => item.claim_id)
    const before = (await listClaims(world.deps, scope)).items.find(item => item.claim_id === b)?.recorded_at ?? ''
    const first = await resolveContradiction(world.deps, {
      tenantId: scope.tenantId,
      contradictionId: id,
      verdict: 'b',
      reason: 'Audited.',
      by: 'ann',
    })
    const second = await resolveContradiction(world.deps, {
      tenantId: scope.tenantId,
      contradictionId: id,
      verdict: 'both',
      reason: 'Both.',
      by: 'ann',
    })
    expect(await known(before)).toContain(a)
    expect(await known(first.resolution.resolved_at)).toEqual([b])
    expect(await known(second.resolution.resolved_at)).toContain(a)
    expect(await known('2000-01-01T00:00:00Z')).toEqual([])
    const then = await listClaims(world.deps, { ...scope, state: 'superseded', knownAt: first.resolution.resolved_at })
    expect(then.items[0]).toMatchObject({ claim_id: a, superseded_by: b })
  })

  it('are paged, and not there for another tenant', async () => {
    const scope = await world.newScope(await world.newTenant(), 'pages')
    await readDocument(world, scope, { documentId: 'd', claims: ['1', '2', '3'].map(value => ({ slot: `s${value}`, value })) })
    const first = await listClaims(world.deps, { ...scope, limit: 2 })
    const second = await listClaims(world.deps, { ...scope, limit: 2, cursor: first.next ?? '' })
    expect([...first.items, ...second.items].map(item => item.value)).toEqual(['1', '2', '3'])
    expect(second.next).toBeNull()
    const other = await world.newScope(await world.newTenant(), 'pages')
    expect((await listClaims(world.deps, other)).items).toEqual([])
    await expect(listClaims(world.deps, { ...other, cursor: first.next ?? '' })).rejects.toMatchObject({ code: 'CURSOR_INVALID' })
    await expect(listContradictions(world.deps, { ...scope, cursor: first.next ?? '' })).rejects.toMatchObject({ code: 'CURSOR_INVALID' })
  })
})

describe('contradictions', () => {
  it('show both sides, their supporters and the reason', async () => {
    const { scope, a, support, b, id } = await disputed('sides')
    const { items } = await listContradictions(world.deps, scope)
    expect(items).toHaveLength(1)
    const [found] = items
    expect(found).toMatchObject({
      contradiction_id: id,
      status: 'open',
      kind: 'numeric',
      severity: 'high',
      a: { claim_id: a, quote: 'Revenue was 41.2.' },
      b: { claim_id: b, quote: 'Revenue was 33.9.' },
      supporters_a: [{ claim_id: support }],
      supporters_b: [],
      supporters: { a: 1, b: 0 },
    })
    expect(found).not.toHaveProperty('resolution')
  })

  it('can be reported from elsewhere, once per key, and move convergence', async () => {
    const tenantId = await world.newTenant()
    const input = {
      scope_id: 'reported',
      claim_a: 'The roof was replaced in 2019.',
      claim_b: 'The roof is original.',
      source_a: 'survey',
      source_b: 'broker',
      severity: 'critical' as const,
      round: 3,
    }
    const answers = await Promise.all([1, 2].map(() => reportContradiction(world.deps, tenantId, input, 'k')))
    expect(answers[0]?.body.contradiction_id).toBe(answers[1]?.body.contradiction_id)
    expect(answers[0]?.body).toMatchObject({
      status: 'open',
      kind: 'reported',
      severity: 'critical',
      a: { quote: input.claim_a, source: 'survey' },
      b: { quote: input.claim_b, source: 'broker' },
    })
    const scope = { tenantId, scopeId: 'reported' }
    expect((await listContradictions(world.deps, scope)).items).toHaveLength(1)
    const types = (await eventsOf(world, scope)).map(event => event.type)
    expect(types.slice(0, 1)).toEqual(['contradiction.detected'])
    expect(types).toContain('convergence.updated')
    expect(JSON.stringify(await eventsOf(world, scope))).not.toContain('roof')
    const reused = reportContradiction(world.deps, tenantId, { ...input, severity: 'low' }, 'k')
    await expect(reused).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
  })
})

describe('resolving a contradiction', () => {
  const decide = (scope: { tenantId: string }, id: string, verdict: 'a' | 'b' | 'both' | 'neither' | 'dismiss') =>
    resolveContradiction(world.deps, { tenantId: scope.tenantId, contradictionId: id, verdict, reason: 'Looked at it.', by: 'ann' })

  it('retires the losing claims in favour of the winner and never deletes one', async () => {
    const { scope, a, support, b, id } = await disputed('lose')
    const result = await decide(scope, id, 'b')
    expect(result).toMatchObject({ status: 'resolved', resolution: { verdict: 'b', by: 'ann' }, claims_revived: [] })
    expect(result.claims_retired.sort()).toEqual([a, support].sort())
    const superseded = await listClaims(world.deps, { ...scope, state: 'superseded' })
    expect(superseded.items.map(item => item.superseded_by)).toEqual([b, b])
    expect((await listClaims(world.deps, { ...scope, state: 'all' })).items).toHaveLength(3)
    expect(await countedFigures(world, scope)).toMatchObject({ live: 1, kept_live: 1, open: 0, kept_open: 0 })
    expect((await listContradictions(world.deps, { ...scope, status: 'resolved' })).items).toHaveLength(1)
    const { rows } = await world.owner.query('select kind, outcome from decisions where tenant_id = $1 and decision_id = $2', [
      scope.tenantId,
      result.decision_id,
    ])
    expect(rows).toEqual([{ kind: 'resolution', outcome: 'admit' }])
    const types = (await eventsOf(world, scope)).map(event => event.type)
    expect(types).toContain('contradiction.resolved')
    expect(types.filter(type => type === 'claim.superseded')).toHaveLength(2)
  })

  it('is reversible: deciding again revives what the verdict before retired', async () => {
    const { scope, a, support, b, id } = await disputed('reverse')
    await decide(scope, id, 'b')
    const back = await decide(scope, id, 'a')
    expect(back.claims_retired).toEqual([b])
    expect(back.claims_revived.sort()).toEqual([a, support].sort())
    expect((await listClaims(world.deps, scope)).items.map(item => item.claim_id).sort()).toEqual([a, support].sort())
    const again = await decide(scope, id, 'a')
    expect(again).toMatchObject({ claims_retired: [], claims_revived: [] })
    const both = await decide(scope, id, 'both')
    expect(both.claims_revived).toEqual([b])
    expect(await countedFigures(world, scope)).toMatchObject({ live: 3, kept_live: 3, slots: 1, kept_slots: 1, open: 0, kept_open: 0 })
  })

  it('leaves both sides live for both, neither and dismiss', async () => {
    for (const verdict of ['both', 'neither', 'dismiss'] as const) {
      const { scope, id } = await disputed(`keep-${verdict}`)
      const result = await decide(scope, id, verdict)
      expect(result).toMatchObject({ status: verdict === 'dismiss' ? 'dismissed' : 'resolved', claims_retired: [] })
      expect((await listClaims(world.deps, scope)).items).toHaveLength(3)
      expect(await countedFigures(world, scope)).toMatchObject({ open: 0, kept_open: 0 })
    }
  })

  it('closes other contradictions that lose a side, and opens them again when it comes back', async () => {
    const { scope, a, support, id } = await disputed('ripple')
    const other = await readDocument(world, scope, {
      documentId: 'third',
      claims: [revenue('12.0')],
      contradictions: [{ a, b: 0, supportersA: [support], severity: 'critical' }],
    })
    const otherId = other.contradictionIds[0] ?? ''
    await decide(scope, id, 'b')
    const closed = await listContradictions(world.deps, { ...scope, status: 'resolved' })
    expect(closed.items.find(item => item.contradiction_id === otherId)).toMatchObject({
      resolution: { by: 'system', verdict: 'superseded' },
    })
    expect(await countedFigures(world, scope)).toMatchObject({ open: 0, kept_open: 0 })
    await decide(scope, id, 'neither')
    expect((await listContradictions(world.deps, scope)).items.map(item => item.contradiction_id)).toEqual([otherId])
    expect(await countedFigures(world, scope)).toMatchObject({ open: 1, kept_open: 1, live: 4, kept_live: 4 })
    expect((await eventsOf(world, scope)).map(event => event.type)).toContain('contradiction.reopened')
  })

  it('closes reported ones without touching claims', async () => {
    const tenantId = await world.newTenant()
    const report = { scope_id: 'r', claim_a: 'x', claim_b: 'y', source_a: 's', source_b: 't', severity: 'high' as const }
    const { body } = await reportContradiction(world.deps, tenantId, report)
    expect(await decide({ tenantId }, body.contradiction_id, 'a')).toMatchObject({ status: 'resolved', claims_retired: [] })
  })

  it('is not there for another tenant, nor for an unknown id', async () => {
    const { id } = await disputed('foreign')
    const other = { tenantId: await world.newTenant() }
    for (const unknown of [id, 'ctr_none', 'x\0']) {
      await expect(decide(other, unknown, 'a')).rejects.toMatchObject({ code: 'CONTRADICTION_NOT_FOUND' })
    }
  })

  it('lets two people decide one after the other', async () => {
    const { scope, id } = await disputed('both-at-once')
    const results = await Promise.all([decide(scope, id, 'a'), decide(scope, id, 'b')])
    expect(results.map(result => result.status)).toEqual(['resolved', 'resolved'])
    const figures = await countedFigures(world, scope)
    expect(figures.kept_live).toBe(figures.live)
  })
})

describe('decisions', () => {
  it('are listed in the order of a chain that verifies', async () => {
    const { scope, id } = await disputed('chain')
    await resolveContradiction(world.deps, { tenantId: scope.tenantId, contradictionId: id, verdict: 'b', reason: 'r', by: 'p' })
    const { items } = await listDecisions(world.deps, scope)
    expect(items.length).toBeGreaterThanOrEqual(4)
    const records = items.map(({ seq, proposal_digest, state_digest, policy_hash, outcome, policies, ...rest }) => {
      const { reasons, reasons_digest, salt, obligations, prev_hash, hash } = rest
      const said = { outcome, policies, reasons, reasons_digest, salt, obligations }
      return { seq, proposal_digest, state_digest, policy_hash, ...said, prev_hash, hash }
    })
    expect(verifyChain(records)).toMatchObject({ ok: true })
    expect(items[0]).toMatchObject({ seq: 0, kind: 'document', document_id: 'report', outcome: 'admit', review: null })
    expect(items[0]).not.toHaveProperty('scope_no')
    const first = await listDecisions(world.deps, { ...scope, limit: 2 })
    const second = await listDecisions(world.deps, { ...scope, limit: 200, cursor: first.next ?? '' })
    expect([...first.items, ...second.items]).toEqual(items)
    const other = await world.newScope(await world.newTenant(), 'chain')
    expect((await listDecisions(world.deps, other)).items).toEqual([])
  })
})
