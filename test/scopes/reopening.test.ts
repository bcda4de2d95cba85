import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_POLICIES } from '../../src/kernel/policies/default.js'
import { listClaims } from '../../src/scopes/claims.js'
import { listDecisions } from '../../src/scopes/decisions.js'
import { eraseDocument } from '../../src/scopes/documents/erase.js'
import { listContradictions } from '../../src/scopes/findings/contradictions.js'
import { reportContradiction } from '../../src/scopes/findings/report.js'
import { reopenContradiction, resolveContradiction } from '../../src/scopes/findings/resolution.js'
import { putScopePolicies } from '../../src/scopes/policies.js'
import { reviewDecision } from '../../src/scopes/review.js'
import { countedFigures, eventsOf, openWorld, readDocument, type World } from './support.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const revenue = (value: string) => ({ slot: 'revenue', value, quote: `Revenue was ${value}.` })

const holdReopening = `${DEFAULT_POLICIES}
@id("second-look")
@outcome("hold")
@reason("Somebody else has to agree.")
forbid (principal, action == Action::"resolution", resource) when { context.verdict == "reopen" };
`

async function disputed(scopeId: string) {
  const scope = await world.newScope(await world.newTenant(), scopeId)
  const report = await readDocument(world, scope, { documentId: 'report', claims: [revenue('41.2')] })
  const audit = await readDocument(world, scope, {
    documentId: 'audit',
    claims: [revenue('33.9')],
    contradictions: [{ a: report.claimIds[0] ?? '', b: 0 }],
  })
  const said = { tenantId: scope.tenantId, contradictionId: audit.contradictionIds[0] ?? '', reason: 'Audited.', by: 'ann' }
  return { scope, said, a: report.claimIds[0] ?? '', b: audit.claimIds[0] ?? '' }
}

describe('taking a decision back', () => {
  it('opens the contradiction again and revives what the decision had retired, on record', async () => {
    const { scope, said, a, b } = await disputed('back')
    const before = await countedFigures(world, scope)
    await resolveContradiction(world.deps, { ...said, verdict: 'b' })
    const reopened = await reopenContradiction(world.deps, { ...said, reason: 'Too early.', by: 'bob' })
    expect(reopened).toMatchObject({ status: 'open', claims_revived: [a] })
    expect(reopened).not.toHaveProperty('resolution')
    expect((await listContradictions(world.deps, scope)).items).toHaveLength(1)
    expect((await listClaims(world.deps, scope)).items.map(item => item.claim_id).sort()).toEqual([a, b].sort())
    expect(await countedFigures(world, scope)).toEqual(before)
    const { items } = await listDecisions(world.deps, scope)
    expect(items.find(item => item.decision_id === reopened.decision_id)).toMatchObject({ kind: 'resolution', outcome: 'admit' })
    const events = await eventsOf(world, scope)
    expect(events.filter(event => event.type === 'contradiction.reopened')).toHaveLength(1)
  })

  it('is refused where nobody decided, and leaves closed what has a side that nobody says any more', async () => {
    const { scope, said } = await disputed('refused')
    await expect(reopenContradiction(world.deps, said)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    await resolveContradiction(world.deps, { ...said, verdict: 'b' })
    await eraseDocument(world.deps, { ...scope, documentId: 'report' })
    expect(await reopenContradiction(world.deps, said)).toMatchObject({ status: 'resolved', resolution: { by: 'system' } })
    await expect(reopenContradiction(world.deps, said)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    const stranger = { ...said, tenantId: await world.newTenant() }
    await expect(reopenContradiction(world.deps, stranger)).rejects.toMatchObject({ code: 'CONTRADICTION_NOT_FOUND' })
  })

  it('is refused where the system closed it', async () => {
    const { scope, said } = await disputed('closed')
    await eraseDocument(world.deps, { ...scope, documentId: 'report' })
    await expect(reopenContradiction(world.deps, said)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
  })

  it('works for a reported one', async () => {
    const tenantId = await world.newTenant()
    const reported = { scope_id: 'told', claim_a: 'Yes.', claim_b: 'No.', source_a: 'a', source_b: 'b', severity: 'high' as const }
    const { body } = await reportContradiction(world.deps, tenantId, reported, undefined)
    const said = { tenantId, contradictionId: body.contradiction_id, reason: 'r', by: 'ann' }
    await resolveContradiction(world.deps, { ...said, verdict: 'dismiss' })
    expect(await reopenContradiction(world.deps, said)).toMatchObject({ status: 'open', claims_revived: [] })
  })

  it('can be held for a person, who approves or rejects it', async () => {
    const { scope, said } = await disputed('held')
    await resolveContradiction(world.deps, { ...said, verdict: 'b' })
    await putScopePolicies(world.deps, scope, holdReopening)
    await expect(reopenContradiction(world.deps, said)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    await expect(reopenContradiction(world.deps, said)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    const [first, second] = (await listDecisions(world.deps, { ...scope, review: 'pending' })).items
    const review = { tenantId: scope.tenantId, reason: 'Seen.', by: 'eve' }
    await reviewDecision(world.deps, { ...review, decisionId: first?.decision_id ?? '', verdict: 'approve' })
    expect((await listContradictions(world.deps, scope)).items).toHaveLength(1)
    // Open already: the second request can only be turned down.
    const again = { ...review, decisionId: second?.decision_id ?? '' }
    await expect(reviewDecision(world.deps, { ...again, verdict: 'approve' })).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    expect(await reviewDecision(world.deps, { ...again, verdict: 'reject' })).toMatchObject({ review: 'rejected' })
  })

  it.each(['reopen', 'neither'] as const)('is overtaken by a newer word while it is held, as any act is (%s)', async act => {
    const { scope, said } = await disputed(`newer-${act}`)
    await resolveContradiction(world.deps, { ...said, verdict: 'a' })
    await putScopePolicies(world.deps, scope, holdReopening.replace('"reopen"', `"${act}"`))
    const alice = { ...said, by: 'alice' }
    const held = act === 'reopen' ? reopenContradiction(world.deps, alice) : resolveContradiction(world.deps, { ...alice, verdict: act })
    await expect(held).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    await resolveContradiction(world.deps, { ...said, verdict: 'b', by: 'bob' })
    const [waiting] = (await listDecisions(world.deps, { ...scope, review: 'pending' })).items
    const review = { tenantId: scope.tenantId, decisionId: waiting?.decision_id ?? '', reason: 'Seen.', by: 'eve' }
    await expect(reviewDecision(world.deps, { ...review, verdict: 'approve' })).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      message: expect.stringContaining('decided anew'),
    })
    const { items } = await listContradictions(world.deps, { ...scope, status: 'all' })
    expect(items).toMatchObject([{ status: 'resolved', resolution: { verdict: 'b', by: 'bob' } }])
    expect(await reviewDecision(world.deps, { ...review, verdict: 'reject' })).toMatchObject({ review: 'rejected' })
  })
})
