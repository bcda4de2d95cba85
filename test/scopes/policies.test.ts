import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_POLICIES } from '../../src/kernel/policies/default.js'
import { decide } from '../../src/kernel/policy.js'
import { policySetDigest, readPolicySet } from '../../src/kernel/policy-text.js'
import { replayScope } from '../../src/pipeline/replay/replay.js'
import { verifyScopeChains } from '../../src/scopes/certificates/verify-chains.js'
import { listDecisions } from '../../src/scopes/decisions.js'
import { getScope } from '../../src/scopes/lifecycle.js'
import { dryRunPolicies, getPolicies, putPolicies, putScopePolicies } from '../../src/scopes/policies.js'
import { keepShippedSet, shipped } from '../../src/scopes/policy-sets.js'
import { reviewDecision } from '../../src/scopes/review.js'
import { patchScope } from '../../src/scopes/settings.js'
import { findScope } from '../../src/store/scopes/scopes.js'
import { assignPolicySet, effectivePolicy, effectivePolicyHash, findPolicySet, keepPolicySet } from '../../src/store/tenants/policies.js'
import { finalityProposal, scopeState } from '../kernel/builders.js'
import { eventsOf, openWorld, readDocument, type World } from './support.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const permissive = '@id("all")\n@reason("Everything is permitted.")\npermit (principal, action, resource);\n'
const refusing = `${DEFAULT_POLICIES}
@id("no-documents")
@reason("No documents today.")
forbid (principal, action == Action::"document", resource);
`

describe('policy sets', () => {
  it('are the shipped ones until something is assigned', async () => {
    const scope = await world.newScope(await world.newTenant(), 'shipped')
    expect(await getPolicies(world.deps, scope)).toMatchObject({
      level: 'scope',
      scope_id: 'shipped',
      inherited_from: 'shipped',
      hash: shipped.hash,
      changed_at: null,
    })
    expect((await getScope(world.deps, scope)).policy_hash).toBe(shipped.hash)
  })

  it('come from the nearest level: scope, tenant, service', async () => {
    const tenantId = await world.newTenant()
    const scope = await world.newScope(tenantId, 'levels')
    const tenantSet = await putPolicies(world.deps, { tenantId }, permissive)
    expect(tenantSet).toMatchObject({ level: 'tenant', tenant_id: tenantId, inherited_from: null, changed: true, policies: permissive })
    expect(await getPolicies(world.deps, scope)).toMatchObject({ hash: tenantSet.hash, inherited_from: 'tenant' })
    const own = await putScopePolicies(world.deps, scope, refusing)
    expect(own).toMatchObject({ level: 'scope', inherited_from: null, changed: true })
    expect(own.hash).not.toBe(tenantSet.hash)
    expect((await getScope(world.deps, scope)).policy_hash).toBe(own.hash)
    expect(await getPolicies(world.deps, { tenantId })).toMatchObject({ hash: tenantSet.hash })
    const read = await world.db.inTenant(tenantId, async tx => {
      const { rows } = await tx.query<{ scope_no: number }>({ text: 'select scope_no from scopes where scope_id = $1', values: ['levels'] })
      const place = { tenantId, scopeNo: rows[0]?.scope_no ?? 0 }
      return { set: await effectivePolicy(tx, place), hash: await effectivePolicyHash(tx, place) }
    })
    expect(read).toMatchObject({ set: { level: 'scope', hash: own.hash }, hash: own.hash })
  })

  it('say when nothing changed', async () => {
    const tenantId = await world.newTenant()
    await putPolicies(world.deps, { tenantId }, permissive)
    expect(await putPolicies(world.deps, { tenantId }, permissive)).toMatchObject({ changed: false })
    const scope = await world.newScope(tenantId, 'same')
    expect(await putScopePolicies(world.deps, scope, refusing)).toMatchObject({ changed: true })
    expect(await putScopePolicies(world.deps, scope, refusing)).toMatchObject({ changed: false })
    expect((await eventsOf(world, scope)).filter(event => event.type === 'scope.changed')).toHaveLength(1)
  })

  it('hold for every scope of the service when the service sets them', async () => {
    const scope = await world.newScope(await world.newTenant(), 'service')
    const put = await putPolicies(world.deps, { tenantId: null }, permissive)
    expect(put).toMatchObject({ level: 'service', tenant_id: null })
    expect(await getPolicies(world.deps, scope)).toMatchObject({ inherited_from: 'service', hash: put.hash })
    await world.owner.query("delete from policy_assignments where tenant_id = '-'")
  })

  it('are refused with line and reason, and nothing changes', async () => {
    const scope = await world.newScope(await world.newTenant(), 'broken')
    const broken = 'permit (principal, action, resource)\nwhen { context.nonsense > 3 };'
    const detail = expect.stringMatching(/^line 2, column \d+: .*nonsense/)
    const refusal = { code: 'POLICY_INVALID', errors: expect.arrayContaining([{ pointer: '/policies', detail }]) }
    await expect(putScopePolicies(world.deps, scope, broken)).rejects.toMatchObject(refusal)
    await expect(putPolicies(world.deps, { tenantId: scope.tenantId }, 'permit (')).rejects.toMatchObject({ code: 'POLICY_INVALID' })
    await expect(dryRunPolicies(world.deps, scope, { policies: '' })).rejects.toMatchObject({ code: 'POLICY_INVALID' })
    expect((await getPolicies(world.deps, scope)).inherited_from).toBe('shipped')
  })

  it('are refused at every level where nothing permits a kind of proposal', async () => {
    const scope = await world.newScope(await world.newTenant(), 'forbids-alone')
    const alone = '@outcome("hold") forbid (principal, action == Action::"document", resource);'
    const detail = expect.stringMatching(/no policy permits document, resolution, review, finality, settings: .* add permit \(/)
    const refusal = { code: 'POLICY_INVALID', errors: [{ pointer: '/policies', detail }] }
    await expect(putScopePolicies(world.deps, scope, alone)).rejects.toMatchObject(refusal)
    await expect(putPolicies(world.deps, { tenantId: scope.tenantId }, alone)).rejects.toMatchObject(refusal)
    await expect(putPolicies(world.deps, { tenantId: null }, alone)).rejects.toMatchObject(refusal)
    await expect(dryRunPolicies(world.deps, scope, { policies: alone })).rejects.toMatchObject(refusal)
    expect((await getPolicies(world.deps, scope)).inherited_from).toBe('shipped')
  })

  it('of the documentation hold every document and every settlement, below the shipped ones', async () => {
    const scope = await world.newScope(await world.newTenant(), 'documented')
    const [added = ''] = [...readFileSync('docs/kernel.md', 'utf8').matchAll(/```cedar\n([\s\S]*?)```/g)].map(([, text]) => text)
    expect(added).toContain('forbid')
    await putScopePolicies(world.deps, scope, `${shipped.text}\n${added}`)
    const settling = decide(finalityProposal(), scopeState(), readPolicySet(`${shipped.text}\n${added}`))
    expect(settling).toMatchObject({ outcome: 'hold', policies: ['settlement-is-signed-off'] })
    const { result } = await readDocument(world, scope, { documentId: 'one', claims: [{ slot: 'a', value: '1' }] })
    expect(result).toMatchObject({ outcome: 'hold' })
    const decisionId = (await listDecisions(world.deps, { ...scope, review: 'pending' })).items[0]?.decision_id ?? ''
    const answer = { tenantId: scope.tenantId, decisionId, verdict: 'reject' as const, reason: 'Not this one.', by: 'ann' }
    expect(await reviewDecision(world.deps, answer)).toMatchObject({ review: 'rejected' })
    expect(await putScopePolicies(world.deps, scope, shipped.text)).toMatchObject({ changed: true, hash: shipped.hash })
  })

  it('decide from the next document on', async () => {
    const scope = await world.newScope(await world.newTenant(), 'next')
    await readDocument(world, scope, { documentId: 'one', claims: [{ slot: 'a', value: '1' }] })
    await putScopePolicies(world.deps, scope, refusing)
    const { result } = await readDocument(world, scope, { documentId: 'two', claims: [{ slot: 'b', value: '1' }] })
    expect(result).toMatchObject({ outcome: 'reject' })
    expect(world.hinted.get('policies')).toBeGreaterThan(0)
  })

  it("stay a tenant's own", async () => {
    const [one, other] = [await world.newTenant(), await world.newTenant()]
    const ownSet = permissive.replace('Everything', 'All of it')
    const { hash } = await putPolicies(world.deps, { tenantId: one }, ownSet)
    expect(await world.db.inTenant(other, tx => findPolicySet(tx, one, hash))).toBeNull()
    expect(await world.db.inTenant(one, tx => findPolicySet(tx, one, hash))).toBe(ownSet)
    expect((await getPolicies(world.deps, { tenantId: other })).inherited_from).toBe('shipped')
    await world.newScope(one, 'mine')
    await expect(putScopePolicies(world.deps, { tenantId: other, scopeId: 'mine' }, permissive)).rejects.toMatchObject({
      code: 'SCOPE_NOT_FOUND',
    })
  })

  it('keep the shipped set for replays, once', async () => {
    await keepShippedSet(world.db)
    await keepShippedSet(world.db)
    const tenantId = await world.newTenant()
    expect(await world.db.inTenant(tenantId, tx => findPolicySet(tx, tenantId, shipped.hash))).toBe(shipped.text)
  })
})

describe('the set of a scope', () => {
  /** As it could be put in place once. */
  const putUnchecked = (scope: { tenantId: string; scopeId: string }, text: string) =>
    world.db.inTenant(scope.tenantId, async tx => {
      const set = policySetDigest(text)
      await keepPolicySet(tx, set)
      await assignPolicySet(tx, (await findScope(tx, scope.scopeId))?.scopeNo ?? 0, set.hash)
    })
  const settingsOf = async (scope: { tenantId: string; scopeId: string }) =>
    (await listDecisions(world.deps, scope)).items.filter(({ kind }) => kind === 'settings')

  it('is replaced where it would never permit that, and the record says so', async () => {
    const scope = await world.newScope(await world.newTenant(), 'locked')
    await putUnchecked(
      scope,
      '@outcome("hold") @reason("Every document waits.") forbid (principal, action == Action::"document", resource);',
    )
    await readDocument(world, scope, { documentId: 'one', claims: [{ slot: 'a', value: '1' }] })
    // Nothing permits other settings either: that stays so until the set is another.
    await expect(patchScope(world.deps, scope, { mode: 'review' })).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    expect(await putScopePolicies(world.deps, scope, shipped.text)).toMatchObject({ changed: true, hash: shipped.hash })
    expect(await settingsOf(scope)).toMatchObject([
      { outcome: 'reject', reasons: ['No policy permits this.'] },
      { outcome: 'admit', reasons: ['No policy permits this.', expect.stringContaining('cannot refuse its own replacement')] },
    ])
    await patchScope(world.deps, scope, { mode: 'review' })
    expect(await replayScope(world.db, scope)).toMatchObject({ ok: true })
    expect((await verifyScopeChains(world.db)).broken).toEqual([])
  })

  it('is not given to a case that the set of its tenant keeps from having one', async () => {
    const tenantId = await world.newTenant()
    const scope = await world.newScope(tenantId, 'kept')
    const words = 'Policies are the same for all cases.'
    const keeps = `${shipped.text}@id("same") @reason("${words}") forbid (principal, action == Action::"settings", resource) when { context.policies_changed };`
    await putPolicies(world.deps, { tenantId }, keeps)
    await expect(putScopePolicies(world.deps, scope, permissive)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    expect(await settingsOf(scope)).toMatchObject([{ outcome: 'reject', reasons: [words] }])
    expect(await getPolicies(world.deps, scope)).toMatchObject({ inherited_from: 'tenant' })
    await putPolicies(world.deps, { tenantId }, shipped.text)
    expect(await putScopePolicies(world.deps, scope, permissive)).toMatchObject({ changed: true })
  })

  it('has its replacement wait for a person', async () => {
    const scope = await world.newScope(await world.newTenant(), 'two-people')
    const holds = `${shipped.text}@id("two") @outcome("hold") @reason("Two people set it.") forbid (principal, action == Action::"settings", resource);`
    await putScopePolicies(world.deps, scope, holds)
    await expect(putScopePolicies(world.deps, scope, permissive)).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      detail: expect.stringMatching(/^Two people set it\. It is held as dec_/),
    })
    const held = (await settingsOf(scope)).find(({ outcome }) => outcome === 'hold')
    const said = { tenantId: scope.tenantId, verdict: 'approve' as const, reason: 'Agreed.', by: 'ann' }
    await reviewDecision(world.deps, { ...said, decisionId: held?.decision_id ?? '' })
    expect(await getPolicies(world.deps, scope)).toMatchObject({ inherited_from: null, policies: permissive })
    expect(await replayScope(world.db, scope)).toMatchObject({ ok: true })
  })
})

describe('a dry run', () => {
  it('tells which of the last decisions would have come out otherwise', async () => {
    const tenantId = await world.newTenant()
    const scope = await world.newScope(tenantId, 'dry')
    for (const id of ['a', 'b', 'c']) await readDocument(world, scope, { documentId: id, claims: [{ slot: id, value: '1' }] })
    const inScope = await dryRunPolicies(world.deps, scope, { policies: refusing })
    expect(inScope).toMatchObject({ changed: 3, message: `would have changed 3 of ${inScope.examined}` })
    expect(inScope.changes.map(change => change.document_id)).toEqual(['c', 'b', 'a'])
    expect(inScope.changes[0]).toMatchObject({
      scope_id: 'dry',
      kind: 'document',
      recorded: 'admit',
      would_be: 'reject',
      policies: ['no-documents'],
    })
    expect(await dryRunPolicies(world.deps, scope, { policies: refusing, last: 1 })).toMatchObject({ examined: 1 })
    expect(await dryRunPolicies(world.deps, { tenantId }, { policies: refusing })).toMatchObject({ changed: 3 })
    expect((await dryRunPolicies(world.deps, { tenantId: null }, { policies: refusing })).changed).toBeGreaterThanOrEqual(3)
    const other = await world.newTenant()
    expect(await dryRunPolicies(world.deps, { tenantId: other }, { policies: refusing })).toMatchObject({ examined: 0, changed: 0 })
    expect((await getPolicies(world.deps, scope)).inherited_from).toBe('shipped')
  })
})
