import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_POLICIES } from '../../src/kernel/policies/default.js'
import { listClaims } from '../../src/scopes/claims.js'
import { listDecisions } from '../../src/scopes/decisions.js'
import { attachDocument } from '../../src/scopes/documents/attach.js'
import { getDocument } from '../../src/scopes/documents/documents.js'
import { eraseDocument } from '../../src/scopes/documents/erase.js'
import { triggerIngest } from '../../src/scopes/documents/trigger.js'
import { listContradictions } from '../../src/scopes/findings/contradictions.js'
import { resolveContradiction } from '../../src/scopes/findings/resolution.js'
import { getScope } from '../../src/scopes/lifecycle.js'
import { putScopePolicies } from '../../src/scopes/policies.js'
import { reviewDecision } from '../../src/scopes/review.js'
import { patchScope } from '../../src/scopes/settings.js'
import { getSummary } from '../../src/scopes/summary.js'
import { countedFigures, eventsOf, openWorld, readDocument, type World } from './support.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** In mode review, a document that contradicts what is known waits for a person. */
async function held(scopeId: string) {
  const scope = await world.newScope(await world.newTenant(), scopeId, 'review')
  const one = await readDocument(world, scope, { documentId: 'one', claims: [{ slot: 'revenue', value: '41.2' }] })
  await readDocument(world, scope, {
    documentId: 'two',
    claims: [{ slot: 'revenue', value: '33.9' }],
    contradictions: [{ a: one.claimIds[0] ?? '', b: 0 }],
  })
  const pending = await listDecisions(world.deps, { ...scope, review: 'pending' })
  return { scope, decisionId: pending.items[0]?.decision_id ?? '', pending: pending.items }
}

const answer = (scope: { tenantId: string }, decisionId: string, verdict: 'approve' | 'reject') =>
  reviewDecision(world.deps, { tenantId: scope.tenantId, decisionId, verdict, reason: 'Looked at it.', by: 'ann' })

describe('reviewing a held document', () => {
  it('finds it among the pending decisions', async () => {
    const { scope, pending } = await held('pending')
    expect(pending).toHaveLength(1)
    expect(pending[0]).toMatchObject({ kind: 'document', document_id: 'two', outcome: 'hold', review: 'pending' })
    expect(await getDocument(world.deps, { ...scope, documentId: 'two' })).toMatchObject({ status: 'held', counts: { claims: 0 } })
  })

  it('rejects it at once, as a record of its own', async () => {
    const { scope, decisionId } = await held('reject')
    const result = await answer(scope, decisionId, 'reject')
    expect(result).toMatchObject({ review: 'rejected', document: { status: 'rejected', reason: 'Rejected by ann: Looked at it.' } })
    expect(result.review_decision_id).toMatch(/^dec_/)
    const { counts } = await getScope(world.deps, scope)
    expect(counts.documents).toMatchObject({ held: 0, rejected: 1, indexed: 1 })
    const decisions = (await listDecisions(world.deps, scope)).items
    expect(decisions.find(item => item.decision_id === result.review_decision_id)).toMatchObject({ kind: 'review', outcome: 'reject' })
    expect((await eventsOf(world, scope)).map(event => event.type)).toContain('document.rejected')
    await expect(answer(scope, decisionId, 'approve')).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
  })

  it('sends an approved one back to the worker, with the approval', async () => {
    const { scope, decisionId, pending } = await held('approve')
    const seq = (await getDocument(world.deps, { ...scope, documentId: 'two' })).seq
    const result = await answer(scope, decisionId, 'approve')
    expect(result).toMatchObject({ review: 'approved', review_decision_id: null, document: { status: 'queued', seq } })
    const { rows } = await world.owner.query(
      'select d.approval, b.seq::int from documents d join backlog b using (tenant_id, scope_no, document_id, revision) where d.tenant_id = $1',
      [scope.tenantId],
    )
    expect(rows).toEqual([
      {
        seq,
        approval: {
          decision_seq: pending[0]?.seq,
          decision_hash: pending[0]?.hash,
          actor: { kind: 'person', id: 'ann' },
          reason: 'Looked at it.',
        },
      },
    ])
    expect((await getScope(world.deps, scope)).counts.documents).toMatchObject({ held: 0, queued: 1 })
    expect((await eventsOf(world, scope)).at(-1)).toMatchObject({
      type: 'document.requeued',
      data: { document_id: 'two', status: 'queued' },
    })
    await expect(answer(scope, decisionId, 'reject')).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
  })

  it('refuses decisions that wait for nobody, and those of other tenants', async () => {
    const { scope, decisionId } = await held('refuse')
    const [first] = (await listDecisions(world.deps, scope)).items
    const refused = answer(scope, first?.decision_id ?? '', 'approve')
    await expect(refused).rejects.toMatchObject({ code: 'STATE_CONFLICT', detail: 'The decision is not waiting for review.' })
    const other = { tenantId: await world.newTenant() }
    for (const unknown of [decisionId, 'dec_none', 'x\0']) {
      await expect(answer(other, unknown, 'approve')).rejects.toMatchObject({ code: 'DECISION_NOT_FOUND' })
    }
  })

  it('lets one of two answers at once count', async () => {
    const { scope, decisionId } = await held('race')
    const results = await Promise.allSettled([answer(scope, decisionId, 'approve'), answer(scope, decisionId, 'reject')])
    expect(results.map(result => result.status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})

const holdResolutions = `${DEFAULT_POLICIES}
@id("two-pairs-of-eyes")
@outcome("hold")
@reason("A second person looks at every resolution.")
forbid (principal, action == Action::"resolution", resource);

@id("no-quiet-changes")
@outcome("hold")
@reason("A second person looks at every change of settings.")
forbid (principal, action == Action::"settings", resource);
`

describe('reviewing what policy held back', () => {
  async function governed(scopeId: string, policies = holdResolutions) {
    const scope = await world.newScope(await world.newTenant(), scopeId)
    const one = await readDocument(world, scope, { documentId: 'one', claims: [{ slot: 'revenue', value: '41.2' }] })
    const two = await readDocument(world, scope, {
      documentId: 'two',
      claims: [{ slot: 'revenue', value: '33.9' }],
      contradictions: [{ a: one.claimIds[0] ?? '', b: 0 }],
    })
    await putScopePolicies(world.deps, scope, policies)
    return { scope, contradictionId: two.contradictionIds[0] ?? '', loser: one.claimIds[0] ?? '' }
  }
  const pendingOf = async (scope: { tenantId: string; scopeId: string }, kind: string) =>
    (await listDecisions(world.deps, { ...scope, review: 'pending' })).items.find(item => item.kind === kind)?.decision_id ?? ''

  it('applies a resolution when a second person approves it', async () => {
    const { scope, contradictionId, loser } = await governed('eyes')
    const input = { tenantId: scope.tenantId, contradictionId, verdict: 'b' as const, reason: 'Audited.', by: 'ann' }
    await expect(resolveContradiction(world.deps, input)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    expect((await listContradictions(world.deps, scope)).items).toHaveLength(1)
    const result = await reviewDecision(world.deps, {
      tenantId: scope.tenantId,
      decisionId: await pendingOf(scope, 'resolution'),
      verdict: 'approve',
      reason: 'Agreed.',
      by: 'bob',
    })
    expect(result).toMatchObject({ kind: 'resolution', review: 'approved', document: null })
    const [closed] = (await listContradictions(world.deps, { ...scope, status: 'resolved' })).items
    expect(closed).toMatchObject({ resolution: { verdict: 'b', by: 'ann' } })
    expect((await listClaims(world.deps, { ...scope, state: 'superseded' })).items.map(item => item.claim_id)).toEqual([loser])
    expect(await countedFigures(world, scope)).toMatchObject({ live: 1, kept_live: 1, open: 0, kept_open: 0 })
  })

  it('leaves the contradiction open when it is rejected', async () => {
    const { scope, contradictionId } = await governed('no')
    const input = { tenantId: scope.tenantId, contradictionId, verdict: 'a' as const, reason: 'Guess.', by: 'ann' }
    await expect(resolveContradiction(world.deps, input)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    expect(await answer(scope, await pendingOf(scope, 'resolution'), 'reject')).toMatchObject({ review: 'rejected' })
    expect(await countedFigures(world, scope)).toMatchObject({ live: 2, kept_live: 2, open: 1, kept_open: 1 })
  })

  it('names the decision that goes on waiting where policy does not let somebody review it', async () => {
    const notAnn =
      '@id("not-ann") @reason("Not ann.") forbid (principal, action == Action::"review", resource) when { principal.name == "ann" };'
    const { scope, contradictionId } = await governed('refused', `${holdResolutions}${notAnn}`)
    const input = { tenantId: scope.tenantId, contradictionId, verdict: 'a' as const, reason: 'Audited.', by: 'bob' }
    await expect(resolveContradiction(world.deps, input)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    const waiting = (await listDecisions(world.deps, { ...scope, review: 'pending' })).items
    const decisionId = await pendingOf(scope, 'resolution')
    for (const verdict of ['approve', 'reject'] as const)
      await expect(answer(scope, decisionId, verdict)).rejects.toMatchObject({
        code: 'STATE_CONFLICT',
        detail: `Not ann. The review has no effect: ${decisionId} still waits for one.`,
      })
    expect((await listDecisions(world.deps, { ...scope, review: 'pending' })).items).toEqual(waiting)
  })

  it('leaves a contradiction alone that closed itself before the approval', async () => {
    const { scope, contradictionId } = await governed('overtaken')
    const input = { tenantId: scope.tenantId, contradictionId, verdict: 'a' as const, reason: 'Guess.', by: 'ann' }
    await expect(resolveContradiction(world.deps, input)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    await eraseDocument(world.deps, { ...scope, documentId: 'two' })
    const decisionId = await pendingOf(scope, 'resolution')
    await expect(answer(scope, decisionId, 'approve')).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    const [closed] = (await listContradictions(world.deps, { ...scope, status: 'resolved' })).items
    expect(closed).toMatchObject({ resolution: { verdict: 'superseded' } })
    expect(await answer(scope, decisionId, 'reject')).toMatchObject({ review: 'rejected' })
  })

  it('holds a change of settings until it is approved', async () => {
    const { scope } = await governed('settings')
    const change = patchScope(world.deps, scope, { mode: 'strict', settings: { finality: { minimum_claims: 9 } } })
    await expect(change).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    expect(await getScope(world.deps, scope)).toMatchObject({ mode: 'auto', settings: {} })
    const changes = async () => (await eventsOf(world, scope)).filter(event => event.type === 'scope.changed').map(event => event.data)
    const before = (await changes()).length
    await answer(scope, await pendingOf(scope, 'settings'), 'approve')
    expect(await getScope(world.deps, scope)).toMatchObject({ mode: 'strict', settings: { finality: { minimum_claims: 9 } } })
    expect((await changes()).slice(before)).toMatchObject([{ mode: 'strict' }])
  })

  it('lays an approved change of settings over what was changed since', async () => {
    const { scope } = await governed('patched')
    const weights = { claim_confidence: 0.5, contradiction_resolution: 0.2, goal_completion: 0.2, risk_inverse: 0.1 }
    const changes = [
      { settings: { finality: { minimum_claims: 9 } } },
      { settings: { weights: { claim_confidence: 0.4, contradiction_resolution: 0.2 } } },
      { display_name: 'New name', mode: 'strict' as const, settings: { weights, finality: { minimum_documents: 4 } } },
    ]
    for (const change of changes) await expect(patchScope(world.deps, scope, change)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    const pending = (await listDecisions(world.deps, { ...scope, review: 'pending' })).items.filter(item => item.kind === 'settings')
    const [claims = '', some = '', whole = ''] = pending.map(item => item.decision_id)
    await answer(scope, whole, 'approve')
    await answer(scope, claims, 'approve')
    const now = { display_name: 'New name', mode: 'strict', settings: { weights, finality: { minimum_documents: 4, minimum_claims: 9 } } }
    expect(await getScope(world.deps, scope)).toMatchObject(now)
    await expect(answer(scope, some, 'approve')).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    expect(await getScope(world.deps, scope)).toMatchObject(now)
    expect(await answer(scope, some, 'reject')).toMatchObject({ review: 'rejected' })
  })
})

describe('erasing a document', () => {
  it('takes text and quotes, ends its claims, and keeps the hash', async () => {
    const scope = await world.newScope(await world.newTenant(), 'erase')
    const one = await readDocument(world, scope, {
      documentId: 'one',
      claims: [{ slot: 'revenue', value: '41.2', quote: 'secret words' }],
      goals: [{ what: 'file', done: true }],
      risks: [{ what: 'late', level: 'critical' }],
    })
    await readDocument(world, scope, {
      documentId: 'two',
      claims: [{ slot: 'revenue', value: '33.9' }],
      contradictions: [{ a: one.claimIds[0] ?? '', b: 0 }],
    })
    const before = await getDocument(world.deps, { ...scope, documentId: 'one' })
    const erased = await eraseDocument(world.deps, { ...scope, documentId: 'one' })
    expect(erased).toMatchObject({ claims_erased: 1, content_hash: before.content_hash, status: 'indexed' })
    expect(erased.erased_at).not.toBeNull()
    const [claim] = (await listClaims(world.deps, { ...scope, state: 'superseded' })).items
    expect(claim).toMatchObject({
      claim_id: one.claimIds[0],
      quote: null,
      superseded_by: null,
      superseded_reason: 'The document was erased.',
    })
    expect(await countedFigures(world, scope)).toMatchObject({ live: 1, kept_live: 1, open: 0, kept_open: 0 })
    const { body } = await getSummary(world.deps, scope)
    expect(body).toMatchObject({ goals: { total: 0, items: [] }, risks: { total: 0, critical: 0, items: [] } })
    expect((await eventsOf(world, scope)).map(event => event.type)).toContain('document.erased')
    for (const table of ['documents', 'claims', 'goals', 'risks', 'rounds', 'decisions', 'events']) {
      const { rows } = await world.owner.query(
        `select count(*)::int as n from ${table} t where tenant_id = $1 and t::text like '%secret words%'`,
        [scope.tenantId],
      )
      expect([table, rows[0].n]).toEqual([table, 0])
    }
    const again = await eraseDocument(world.deps, { ...scope, documentId: 'one' })
    expect(again).toMatchObject({ claims_erased: 0, erased_at: erased.erased_at })
  })

  it('waits until a worker is done with it', async () => {
    const scope = await world.newScope(await world.newTenant(), 'busy')
    await attachDocument(world.deps, scope, { name: 'd', text: 'd', document_id: 'd' })
    await triggerIngest(world.deps, scope)
    await world.owner.query("update documents set status = 'processing' where tenant_id = $1", [scope.tenantId])
    await expect(eraseDocument(world.deps, { ...scope, documentId: 'd' })).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
  })

  it('rejects for good what was attached or held, and settles what waited', async () => {
    const { scope, decisionId } = await held('unread')
    expect(await eraseDocument(world.deps, { ...scope, documentId: 'two' })).toMatchObject({
      status: 'rejected',
      reason: 'The document was erased.',
    })
    const decision = (await listDecisions(world.deps, scope)).items.find(item => item.decision_id === decisionId)
    expect(decision?.review).toBe('obsolete')
    await attachDocument(world.deps, scope, { name: 'd', text: 'd', document_id: 'd' })
    expect(await eraseDocument(world.deps, { ...scope, documentId: 'd' })).toMatchObject({ status: 'rejected' })
    expect((await getScope(world.deps, scope)).counts.documents).toMatchObject({ attached: 0, held: 0, rejected: 0, erased: 2 })
    expect(await triggerIngest(world.deps, scope)).toMatchObject({ queued: 0 })
  })

  it('gives the space back to the quota', async () => {
    const scope = await world.newScope(await world.newTenant(), 'bytes')
    await attachDocument(world.deps, scope, { name: 'd', text: 'é'.repeat(100), document_id: 'd' })
    const bytes = async () =>
      (await world.owner.query('select bytes::int from scope_heads where tenant_id = $1', [scope.tenantId])).rows[0].bytes
    expect(await bytes()).toBe(200)
    await eraseDocument(world.deps, { ...scope, documentId: 'd' })
    expect(await bytes()).toBe(0)
  })

  it('is not there for another tenant', async () => {
    const scope = await world.newScope(await world.newTenant(), 'mine')
    await attachDocument(world.deps, scope, { name: 'd', text: 'd', document_id: 'd' })
    const other = await world.newScope(await world.newTenant(), 'mine')
    await expect(eraseDocument(world.deps, { ...other, documentId: 'd' })).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' })
  })
})
