/** Statements that later ones replaced: objecting to that, taking it back, and what comes of it when a document is erased. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listClaims } from '../../src/scopes/claims.js'
import { eraseDocument } from '../../src/scopes/documents/erase.js'
import { listContradictions } from '../../src/scopes/findings/contradictions.js'
import { objectToSupersession, restoreSupersession } from '../../src/scopes/findings/finding-act.js'
import { resolveContradiction } from '../../src/scopes/findings/resolution.js'
import { listSupersessions } from '../../src/scopes/findings/supersessions.js'
import { expectTrueFigures, revenue, said, types } from './revenue-findings.js'
import { eventsOf, openWorld, readDocument, type World } from './support.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** A later report replaced what an earlier one said. */
async function replaced(scopeId: string) {
  const scope = await world.newScope(await world.newTenant(), scopeId)
  const one = await readDocument(world, scope, { documentId: 'draft', claims: [revenue('41.2')] })
  const [old = ''] = one.claimIds
  const two = await readDocument(world, scope, { documentId: 'final', claims: [revenue('33.9')], supersedes: [{ claimId: old, by: 0 }] })
  return { scope, old, by: two.claimIds[0] ?? '', id: two.supersessionIds[0] ?? '', tenantId: scope.tenantId }
}

describe('supersessions', () => {
  it('are listed with both claims and the reason', async () => {
    const { scope, old, by, id } = await replaced('listed')
    const { items } = await listSupersessions(world.deps, scope)
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({
      supersession_id: id,
      status: 'standing',
      kind: 'later_issue',
      claim: { claim_id: old, superseded_by: by },
      superseded_by: { claim_id: by, superseded_at: null },
      reason: 'A later document of the same issuer says otherwise.',
      contradiction_id: null,
    })
    const superseded = (await eventsOf(world, scope)).find(event => event.type === 'claim.superseded')
    expect(superseded?.data).toMatchObject({ claim_id: old, supersession_id: id })
  })

  it('become open contradictions when somebody objects, and stand again when that is taken back', async () => {
    const { scope, tenantId, old, by, id } = await replaced('objection')
    const act = { tenantId, findingId: id, ...said }
    const objected = await objectToSupersession(world.deps, act)
    expect(objected).toMatchObject({ status: 'objected', objection: said, contradiction_id: expect.any(String) })
    const [contradiction] = (await listContradictions(world.deps, scope)).items
    expect(contradiction).toMatchObject({
      contradiction_id: objected.contradiction_id,
      a: { claim_id: old, superseded_at: null },
      b: { claim_id: by },
    })
    expect(await expectTrueFigures(world, scope)).toMatchObject({ live: 2, open: 1 })
    await expect(objectToSupersession(world.deps, act)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    expect(await restoreSupersession(world.deps, act)).toMatchObject({ status: 'standing', claim: { superseded_by: by } })
    expect(await expectTrueFigures(world, scope)).toMatchObject({ live: 1, open: 0 })
    await expect(restoreSupersession(world.deps, act)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    expect(await types(world, scope)).toEqual(expect.arrayContaining(['supersession.objected', 'supersession.restored']))
  })

  it('answer a conflict once the contradiction of an objection is decided, or the claim is gone', async () => {
    const { scope, tenantId, id, old } = await replaced('overtaken')
    const act = { tenantId, findingId: id, ...said }
    const { contradiction_id: contradictionId } = await objectToSupersession(world.deps, act)
    await resolveContradiction(world.deps, { tenantId, contradictionId: contradictionId ?? '', verdict: 'b', ...said })
    await expect(restoreSupersession(world.deps, act)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    expect((await listClaims(world.deps, { ...scope, state: 'superseded' })).items.map(item => item.claim_id)).toEqual([old])
    await expectTrueFigures(world, scope)
    const erased = await replaced('erased')
    await eraseDocument(world.deps, { ...erased.scope, documentId: 'draft' })
    await expect(objectToSupersession(world.deps, { tenantId: erased.tenantId, findingId: erased.id, ...said })).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
    })
    const other = await world.newTenant()
    await expect(objectToSupersession(world.deps, { ...act, tenantId: other })).rejects.toMatchObject({ code: 'SUPERSESSION_NOT_FOUND' })
  })

  it('dispute a claim with everything that had replaced it', async () => {
    const { scope, tenantId, old, by } = await replaced('several')
    const third = await readDocument(world, scope, { documentId: 'later', claims: [revenue('30')], supersedes: [{ claimId: old, by: 0 }] })
    const [findingId = ''] = third.supersessionIds
    const objected = await objectToSupersession(world.deps, { tenantId, findingId, ...said })
    const { items } = await listContradictions(world.deps, scope)
    expect(items.map(item => ('claim_id' in item.b ? item.b.claim_id : ''))).toEqual([third.claimIds[0], by])
    expect(items[0]?.contradiction_id).toBe(objected.contradiction_id)
    expect(await expectTrueFigures(world, scope)).toMatchObject({ live: 3, open: 2 })
    await restoreSupersession(world.deps, { tenantId, findingId, ...said })
    expect(await expectTrueFigures(world, scope)).toMatchObject({ live: 2, open: 0 })
    expect((await listSupersessions(world.deps, { ...scope, status: 'standing' })).items).toHaveLength(2)
  })

  it('retire the claim by one that counts when an objection is taken back', async () => {
    const { scope, tenantId, old, by, id } = await replaced('chain')
    const supersedes = [old, by].map(claimId => ({ claimId, by: 0 }))
    const third = await readDocument(world, scope, { documentId: 'later', claims: [revenue('30')], supersedes })
    const [findingId = ''] = third.supersessionIds
    await objectToSupersession(world.deps, { tenantId, findingId, ...said })
    // Also when it is taken back by the one whose claim no longer counts.
    await restoreSupersession(world.deps, { tenantId, findingId: id, ...said })
    const { items } = await listClaims(world.deps, { ...scope, state: 'superseded' })
    expect(items.find(item => item.claim_id === old)?.superseded_by).toBe(third.claimIds[0])
    await expectTrueFigures(world, scope)
  })

  it('are withdrawn when the document that replaced is erased, and what it had replaced counts again', async () => {
    const { scope, tenantId, old, id } = await replaced('replacing-erased')
    await eraseDocument(world.deps, { ...scope, documentId: 'final' })
    const [found] = (await listSupersessions(world.deps, scope)).items
    expect(found).toMatchObject({ supersession_id: id, status: 'withdrawn', claim: { claim_id: old, superseded_at: null } })
    expect(await expectTrueFigures(world, scope)).toMatchObject({ live: 1, slots: 1 })
    const act = { tenantId, findingId: id, ...said }
    await expect(objectToSupersession(world.deps, act)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    await expect(restoreSupersession(world.deps, act)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    const told = (await eventsOf(world, scope)).filter(event => event.type === 'supersession.withdrawn')
    expect(told.map(event => event.data)).toMatchObject([{ supersession_id: id }])
    const retired = await world.owner.query('select superseded_reason from claim_retirements where tenant_id = $1', [tenantId])
    expect(retired.rows).toEqual([{ superseded_reason: 'Erased with a document.' }])
  })

  it('leave a claim replaced that something else replaces as well, and let a person object to that', async () => {
    const { scope, tenantId, old } = await replaced('held-by-another')
    const third = await readDocument(world, scope, { documentId: 'later', claims: [revenue('30')], supersedes: [{ claimId: old, by: 0 }] })
    await eraseDocument(world.deps, { ...scope, documentId: 'final' })
    const { items } = await listSupersessions(world.deps, scope)
    expect(items.map(item => item.status)).toEqual(['withdrawn', 'standing'])
    expect(items[1]?.claim).toMatchObject({ claim_id: old, superseded_by: third.claimIds[0], superseded_at: expect.any(String) })
    expect(await expectTrueFigures(world, scope)).toMatchObject({ live: 1 })
    const objected = await objectToSupersession(world.deps, { tenantId, findingId: third.supersessionIds[0] ?? '', ...said })
    expect(objected).toMatchObject({ status: 'objected', contradiction_id: expect.any(String) })
    expect(await expectTrueFigures(world, scope)).toMatchObject({ live: 2, open: 1 })
  })

  it('give back what a correction corrected when only another document had corrected the correction', async () => {
    const { scope, by, old } = await replaced('chain-erased')
    await readDocument(world, scope, { documentId: 'later', claims: [revenue('30')], supersedes: [{ claimId: by, by: 0 }] })
    await eraseDocument(world.deps, { ...scope, documentId: 'final' })
    const { items } = await listSupersessions(world.deps, scope)
    expect(items.map(item => [item.claim.claim_id, item.status])).toEqual([
      [old, 'withdrawn'],
      [by, 'standing'],
    ])
    expect((await listClaims(world.deps, { ...scope, state: 'live' })).items.map(item => item.claim_id)).toContain(old)
    expect(await expectTrueFigures(world, scope)).toMatchObject({ live: 2 })
  })

  it('open a contradiction again that closed when one of its claims was replaced', async () => {
    const scope = await world.newScope(await world.newTenant(), 'reopened')
    const one = await readDocument(world, scope, { documentId: 'draft', claims: [revenue('41.2')] })
    const [old = ''] = one.claimIds
    const two = await readDocument(world, scope, { documentId: 'audit', claims: [revenue('38')], contradictions: [{ a: old, b: 0 }] })
    await readDocument(world, scope, { documentId: 'final', claims: [revenue('33.9')], supersedes: [{ claimId: old, by: 0 }] })
    const [contradictionId = ''] = two.contradictionIds
    await closeBySystem(scope, contradictionId)
    await eraseDocument(world.deps, { ...scope, documentId: 'final' })
    const [open] = (await listContradictions(world.deps, scope)).items
    expect(open).toMatchObject({ contradiction_id: contradictionId, status: 'open' })
    expect(await types(world, scope)).toContain('contradiction.reopened')
    expect(await expectTrueFigures(world, scope)).toMatchObject({ live: 2, open: 1 })
  })
})

/** The rounds of these tests close no contradictions: as a worker leaves it when a side has no claim left. */
async function closeBySystem({ tenantId }: { tenantId: string }, contradictionId: string): Promise<void> {
  await world.owner.query(
    `update contradictions set status = 'resolved', closed_itself = true, resolved_at = now(), resolution = '{"verdict": "superseded", "by": "system", "reason": "x"}'
     where tenant_id = $1 and contradiction_id = $2`,
    [tenantId, contradictionId],
  )
  await world.owner.query(
    `update scope_states set aggregates = jsonb_set(aggregates::jsonb, '{contradictionsOpen,high}', '0')::json where tenant_id = $1`,
    [tenantId],
  )
}
